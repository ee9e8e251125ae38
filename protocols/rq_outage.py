"""What the processes of RQ do while Redis is away for longer than their clients try."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, PREPARE, SUCCESS
from twice.protocols.rq_old_client import PERSIST
from twice.protocols.rq_producer import PUSH
from twice.protocols.rq_restarts import RestartsOwingAnswers
from twice.protocols.rq_state import HORSE, MAINTENANCE, RAISED, RETURNED, VERDICT, Phase, Producer
from twice.protocols.rq_time import HEARTBEAT
from twice.protocols.rq_worker import LOOP

RECONNECT = "rq {version}: worker/base.py:dequeue_job_and_maintain_ttl"
HORSE_MAIN = "rq {version}: worker/base.py:main_work_horse"


class WithoutRedis(RestartsOwingAnswers):
    """Each process may get an exception, or Redis is back in time and it never knows."""

    @action(source=PUSH, by="producer", given=lambda m: m.outage_is_noticed)
    def give_up_enqueue(self, t: Task) -> None:
        """The producer cannot reach Redis, and its caller gets an exception for {t}."""
        waits = self.producer[t].is_in(Producer.QUEUE_NAMED, Producer.SAVED, Producer.RESENDING)
        require(waits, self.redis_away)
        self.producer[t] = Producer.GONE

    @action(source=RECONNECT, by="{w}", given=lambda m: m.outage_is_noticed and m.reconnects)
    def forget_popped_id(self, t: Task, w: Worker) -> None:
        """{w} cannot read the hash of {t}, and will pop again: the popped id is forgotten."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t, self.acts(w), self.redis_away)
        self.becomes_idle(t, w)

    @action(source=LOOP, by="{w}", given=lambda m: m.outage_is_noticed)
    def quit_without_redis(self, w: Worker) -> None:
        """{w} cannot reach Redis, does not catch that, and quits."""
        talks = (Phase.FETCHED, Phase.EXITING, *VERDICT, *MAINTENANCE)
        require(self.phase[w].is_in(*talks), self.acts(w), self.redis_away)
        self.worker_ends(w)

    @action(source=HEARTBEAT, by="{w}", given=lambda m: m.outage_is_noticed and m.watches_horses)
    def leave_horse_without_redis(self, w: Worker) -> None:
        """{w} cannot send its heartbeat, does not catch that, and quits; its horse goes on."""
        require(self.phase[w].is_in(*HORSE), self.acts(w), self.redis_away)
        self.worker_ends(w)

    @action(source=PREPARE, by="horse of {w}", given=lambda m: m.outage_is_noticed and m.reconnects)
    def fail_to_register_horse(self, w: Worker) -> None:
        """The horse of {w} cannot register, and takes that for a failure of the job."""
        require(self.phase[w] == self.registers_from, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @action(
        source=PERSIST,
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed and m.persists_apart,
    )
    def fail_to_begin(self, w: Worker) -> None:
        """The horse of {w} cannot make the hash permanent, and takes that for a failed job."""
        require(self.phase[w] == Phase.HORSE_READY, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @action(source=SUCCESS, by="horse of {w}", given=lambda m: m.outage_is_noticed)
    def fail_to_commit(self, w: Worker) -> None:
        """The horse of {w} cannot record the success, and takes that for a failure of the job."""
        require(self.phase[w].is_in(*RETURNED), self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @action(
        source=HORSE_MAIN,
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed and (m.reports_end or m.retries_later),
    )
    def exit_with_error(self, w: Worker) -> None:
        """The horse of {w} cannot begin to record the failure, and exits with code 1."""
        listing = (Phase.HORSE_SCHEDULING,) if self.lists_first else ()
        unguarded = (self.fails_from, *listing)
        require(self.phase[w].is_in(*unguarded), self.horse_acts(w), self.redis_away)
        self.horse_dies(w)

    @action(source=FAILURE, by="horse of {w}", given=lambda m: m.outage_is_noticed and m.reconnects)
    def exit_unrecorded(self, w: Worker) -> None:
        """The horse of {w} cannot record the failure, logs that, and exits normally."""
        last = self.before_scheduling(Phase.HORSE_SCHEDULING)
        require(self.phase[w].is_in(*RAISED, last))
        require(self.horse_acts(w), self.redis_away)
        self.horse_is_done(w)

    @action(source=FAILURE, by="{w}", given=lambda m: m.outage_is_noticed and m.watches_horses)
    def leave_verdict_unrecorded(self, t: Task, w: Worker) -> None:
        """{w} cannot record its verdict on {t}, logs that, and goes on."""
        last = self.before_scheduling(Phase.VERDICT_SCHEDULING)
        require(self.phase[w].is_in(Phase.VERDICT, last))
        require(self.job[w] == t, self.acts(w), self.redis_away)
        self.becomes_idle(t, w)

    @action(
        source=RECONNECT,
        by="{w}",
        given=lambda m: m.outage_is_noticed and m.maintenance and m.reconnects,
    )
    def break_off_pass(self, w: Worker) -> None:
        """{w} cannot reach Redis, breaks its maintenance pass off, and waits for Redis."""
        require(self.phase[w].is_in(*MAINTENANCE), self.acts(w), self.redis_away)
        self.end_pass(w)
