"""How RQ releases the dependent of a job that finished, where one transaction does not do it all.

Before it is finished (0.6), with its end (1.x, 2.x: nothing to see here), or after it (3.0).
"""

from __future__ import annotations

from typing import Any

from twice.model import UsageError, action, fault, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_dependent_state import Child
from twice.protocols.rq_kills import KILLED, LOST
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Phase

RELEASE = "rq {version}: queue.py:enqueue_dependents"
READY = "rq {version}: registry.py:ReadyJobRegistry.enqueue_jobs"
SWEEP = "rq {version}: registry.py:ReadyJobRegistry.cleanup"
BY_QUEUE = "rq {version}: queue.py:enqueue_ready_jobs_by_queue"


class EarlyReleaseSteps(RQMoves):
    """In 0.6 a horse takes the dependent out of the set, then pushes it, then finishes its job.

    What else it writes about the dependent comes after the push, and changes nothing of its fate.
    """

    @action(source=RELEASE, by="horse of {w}", to="Redis", given=lambda m: m.releases_first)
    def take_dependent(self, t: Task, w: Worker) -> None:
        """The horse of {w} takes the dependent of {t} out of the set of dependents (SPOP)."""
        require(self.phase[w] == Phase.RETURNED, self.job[w] == t, self.is_waiting(t))
        require(self.horse_acts(w), self.redis_answers())
        self.child[t] = Child.TAKEN
        self.phase[w] = Phase.RELEASING

    @action(source=RELEASE, by="horse of {w}", to="Redis", given=lambda m: m.releases_first)
    def push_dependent(self, t: Task, w: Worker) -> None:
        """The horse of {w} pushes the dependent of {t} to its queue."""
        require(self.phase[w] == Phase.RELEASING, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.child[t] = Child.PUSHED
        self.phase[w] = Phase.RETURNED

    @action(
        source=RELEASE,
        by="horse of {w}",
        given=lambda m: m.releases_first and m.outage_is_noticed,
    )
    def fail_to_push_dependent(self, w: Worker) -> None:
        """The horse of {w} cannot push the dependent, and takes that for a failure of its job."""
        require(self.phase[w] == Phase.RELEASING, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @fault(
        kind="reply_lost",
        source=RELEASE,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.releases_first,
    )
    def lose_reply_to_take_dependent(self, t: Task, w: Worker) -> None:
        """The horse of {w} takes the dependent of {t} out, hears nothing, and then finds none."""
        require(self.phase[w] == Phase.RETURNED, self.job[w] == t, self.is_waiting(t))
        require(self.horse_acts(w), self.redis_answers())
        self.child[t] = Child.TAKEN


class LateReleaseSteps(RQMoves):
    """In 3.0 the dependent is ready when its job is finished; whoever comes first pushes it.

    Each push watches what it read, so that none is done twice.
    """

    @action(source=READY, by="horse of {w}", to="Redis", given=lambda m: m.releases_last)
    def push_ready_dependent(self, t: Task, w: Worker) -> None:
        """The horse of {w} pushes the dependent of {t}, unless it is pushed already."""
        require(self.phase[w] == Phase.RELEASING, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.child[t] = Child.PUSHED
        self.horse_is_done(w)

    @action(
        source=BY_QUEUE,
        by="horse of {w}",
        given=lambda m: m.releases_last and m.outage_is_noticed,
    )
    def leave_dependent_ready(self, w: Worker) -> None:
        """The horse of {w} cannot push the dependent, logs that, and leaves it to maintenance."""
        require(self.phase[w] == Phase.RELEASING, self.horse_acts(w), self.redis_away)
        self.horse_is_done(w)

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.releases_last and m.maintenance,
    )
    def push_leftover_dependent(self, t: Task, w: Worker) -> None:
        """{w}, in a maintenance pass, finds the dependent of {t} ready and pushes it."""
        require(self.phase[w] == Phase.IDLE, self.begins_pass(w), self.child[t] == Child.READY)
        self.child[t] = Child.PUSHED


class ReleaseKills(EarlyReleaseSteps, LateReleaseSteps):
    """A horse dies with the release of a dependent half done."""

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.releases_first or m.releases_last,
    )
    def kill_horse_while_it_releases(self, w: Worker) -> None:
        """The horse of {w} is killed before it pushes the dependent."""
        require(self.phase[w] == Phase.RELEASING, self.horse_acts(w))
        self.horse_dies(w)

    @fault(
        kind="machine_loss",
        source=LOST,
        by="environment",
        to="{w}",
        given=lambda m: m.releases_first or m.releases_last,
    )
    def lose_machine_while_horse_releases(self, w: Worker) -> None:
        """The machine of {w} is lost before its horse pushes the dependent."""
        require(self.phase[w] == Phase.RELEASING)
        self.machine_ends(w)


class DependentRefusals(ReleaseKills):
    """A dependent where it can be followed."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if self.dependent and not self.redis_persistence:
            raise UsageError(
                "`dependent` cannot be asked with redis_persistence=false: a dependent that is "
                "lost with Redis is not followed; leave redis_persistence out"
            )
        if self.dependent and not self.has_horses:
            raise UsageError(
                "`dependent` cannot be asked of worker_class=SimpleWorker: how one that dies "
                "releases it is not established; use worker_class=Worker"
            )
