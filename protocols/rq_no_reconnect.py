"""Before RQ 1.8 nothing is caught when Redis is away: whatever needs it then, ends."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Worker
from twice.protocols.rq_horse import FAILURE, PREPARE, QUARANTINE
from twice.protocols.rq_outage import WithoutRedis
from twice.protocols.rq_state import Phase
from twice.protocols.rq_worker import LOOP


class NoReconnectSteps(WithoutRedis):
    """Workers that wait quit like all others; a horse without a word of its job exits with 1."""

    @action(source=LOOP, by="{w}", given=lambda m: m.outage_is_noticed and not m.reconnects)
    def quit_waiting_without_redis(self, w: Worker) -> None:
        """{w}, which waits for a job or has just popped one, cannot reach Redis and quits."""
        require(self.phase[w].is_in(Phase.IDLE, Phase.POPPED), self.acts(w), self.redis_away)
        self.worker_ends(w)

    @action(
        source=PREPARE,
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed and not m.reconnects,
    )
    def die_unregistered(self, w: Worker) -> None:
        """The horse of {w} cannot register, and exits with code 1."""
        require(self.phase[w] == Phase.FORKED, self.horse_acts(w), self.redis_away)
        self.horse_dies(w)

    @action(
        source=FAILURE,
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed and not m.reconnects,
    )
    def go_on_unmarked(self, w: Worker) -> None:
        """The horse of {w} cannot set the status to failed, and goes on to the failed queue."""
        require(self.phase[w] == Phase.RAISED, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.HORSE_FAILING

    @action(
        source=QUARANTINE,
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed and not m.reconnects,
    )
    def die_before_failed_queue(self, w: Worker) -> None:
        """The horse of {w} cannot push to the failed queue, and exits with code 1."""
        require(self.phase[w] == Phase.HORSE_FAILING, self.horse_acts(w), self.redis_away)
        self.horse_dies(w)
