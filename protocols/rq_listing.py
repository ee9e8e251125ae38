"""Before RQ 3.0: a retry that waits is listed by a command of its own, before it is saved."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_kills import KILLED, LOST
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Phase, Process

LIST = "rq {version}: registry.py:ScheduledJobRegistry.schedule"


class ListingSteps(RQMoves):
    """The ZADD takes no part in the transaction that it was given.

    So a retry that waits is three commands: the status, the ScheduledJobRegistry, and all the
    rest. The registry has the id while the hash has the retry still left.
    """

    def _list(self, t: Task, w: Worker, before: Phase, after: Phase) -> None:
        """The id is added to the ScheduledJobRegistry."""
        require(self.phase[w] == before, self.job[w] == t, self.redis_answers())
        self.scheduled[t] = True
        self.phase[w] = after

    @action(source=LIST, by="horse of {w}", to="Redis", given=lambda m: m.lists_first)
    def list_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} adds {t} to the ScheduledJobRegistry, and has not saved it yet."""
        require(self.horse_acts(w))
        self._list(t, w, Phase.HORSE_SCHEDULING, Phase.HORSE_LISTED)

    @action(source=LIST, by="{w}", to="Redis", given=lambda m: m.lists_first and m.watches_horses)
    def list_by_worker(self, t: Task, w: Worker) -> None:
        """{w} adds {t} to the ScheduledJobRegistry, and has not saved it yet."""
        require(self.acts(w))
        self._list(t, w, Phase.VERDICT_SCHEDULING, Phase.VERDICT_LISTED)

    @action(source=LIST, by="{w}", to="Redis", given=lambda m: m.lists_first and m.maintenance)
    def list_abandoned(self, t: Task, w: Worker) -> None:
        """{w} adds the abandoned {t} to the ScheduledJobRegistry, and has not saved it yet."""
        require(self.acts(w))
        self._list(t, w, Phase.ABANDONED_SCHEDULING, Phase.ABANDONED_LISTED)

    @action(
        source=LIST, by="{w}", to="Redis", given=lambda m: m.lists_first and m.sweeps_intermediate
    )
    def list_stuck(self, t: Task, w: Worker) -> None:
        """{w} adds {t}, which it holds stuck, to the ScheduledJobRegistry; it is not saved yet."""
        require(self.acts(w))
        self._list(t, w, Phase.STUCK_SCHEDULING, Phase.STUCK_LISTED)


class ListingKills(ListingSteps):
    """Processes that die in the window between listing and saving."""

    @fault(
        kind="worker_kill",
        source=KILLED,
        by="environment",
        to="{w}",
        given=lambda m: m.lists_first and m.watches_horses,
    )
    def kill_worker_after_listing(self, w: Worker) -> None:
        """{w} is killed after it listed a retry, before it saves it and drops the entry."""
        require(self.phase[w] == Phase.VERDICT_LISTED, self.process[w] != Process.DEAD)
        self.worker_ends(w)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.lists_first and m.watches_horses,
    )
    def kill_horse_after_listing(self, w: Worker) -> None:
        """The horse of {w} is killed after it listed a retry, before it saves it."""
        require(self.phase[w] == Phase.HORSE_LISTED, self.horse_acts(w))
        self.horse_dies(w)

    @fault(
        kind="machine_loss", source=LOST, by="environment", to="{w}", given=lambda m: m.lists_first
    )
    def lose_machine_after_listing(self, w: Worker) -> None:
        """The machine of {w} is lost after a retry was listed, before it is saved."""
        require(self.phase[w].is_in(Phase.HORSE_LISTED, Phase.VERDICT_LISTED))
        self.machine_ends(w)
