"""Redis restarts: with its data or without, at rest or with answers owed."""

from __future__ import annotations

from twice.model import action, exists, fault, forall, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, SUCCESS
from twice.protocols.rq_producer import PUSH
from twice.protocols.rq_replies import UnheardEffects
from twice.protocols.rq_scheduler import DUE
from twice.protocols.rq_started_sweep import SWEEP
from twice.protocols.rq_state import (
    AFTER_BODY,
    MAINTENANCE,
    MID_JOB,
    STARTING,
    UNREGISTERED,
    VERDICT,
    Phase,
)
from twice.protocols.rq_worker import POP

SERVER = "redis-server 7.0.15: shutdown or crash, and start"


class Restarts(UnheardEffects):
    """Redis stops, and is back after a while.

    If the client bridges that while by resending, nobody notices it but by the data. Otherwise
    every process that needs Redis while it is away may get an exception (`WithoutRedis`).
    """

    def stop_redis(self) -> None:
        """Redis goes away; or is back at once, as far as anybody notices."""
        if self.outage_is_noticed:
            self.redis_away = True
        elif not self.redis_persistence:
            self.lose_redis_data()

    def _stop_redis_at(self, *points: Phase) -> None:
        """Redis stops while some worker is at one of these points."""
        require(self.redis_answers(), exists(Worker, lambda w: self.phase[w].is_in(*points)))
        self.stop_redis()

    @action(source=SERVER, by="environment", to="Redis", given=lambda m: m.outage_is_noticed)
    def start_redis(self) -> None:
        """Redis is back."""
        require(self.redis_away)
        self.redis_away = False
        if not self.redis_persistence:
            self.lose_redis_data()

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_while_job_waits(self, t: Task) -> None:
        """Redis stops while {t} waits in the queue."""
        require(self.redis_answers(), self.queue[t] > 0)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_after_pop(self) -> None:
        """Redis stops after a worker popped a job, before it registers the execution."""
        self._stop_redis_at(*UNREGISTERED)

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_before_horse_registers(self) -> None:
        """Redis stops after an execution was registered, before its horse registers."""
        self._stop_redis_at(Phase.REGISTERED, *STARTING)

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_mid_job(self) -> None:
        """Redis stops while a job runs."""
        self._stop_redis_at(Phase.HORSE_READY, *MID_JOB)

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_after_body(self) -> None:
        """Redis stops after the body of a job ended, before its worker is idle again."""
        self._stop_redis_at(*AFTER_BODY, Phase.EXITING, *VERDICT)

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters and m.maintenance,
    )
    def stop_redis_during_maintenance(self) -> None:
        """Redis stops in the middle of a maintenance pass."""
        self._stop_redis_at(*MAINTENANCE)

    @fault(
        kind="redis_restart",
        source=SERVER,
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters,
    )
    def stop_redis_at_rest(self) -> None:
        """Redis stops while no job waits in the queue and every worker is idle or dead."""
        idle = forall(Worker, lambda w: self.phase[w] == Phase.IDLE)
        require(self.redis_answers(), idle, forall(Task, lambda t: self.queue[t] == 0))
        self.stop_redis()


class RestartsOwingAnswers(Restarts):
    """Redis does what it was told and stops before it answers."""

    @fault(kind="redis_restart", source=PUSH, by="environment", to="Redis")
    def stop_redis_before_it_answers_enqueue(self, t: Task) -> None:
        """Redis stops after the push of {t}, before it answers the producer."""
        self.push_unheard(t)
        self.stop_redis()

    @fault(kind="redis_restart", source=POP, by="environment", to="Redis")
    def stop_redis_before_it_answers_pop(self, t: Task, w: Worker) -> None:
        """Redis stops after it popped {t} for {w}, before it answers."""
        self.pop_unheard(t, w)
        self.stop_redis()

    @fault(kind="redis_restart", source=SUCCESS, by="environment", to="Redis")
    def stop_redis_before_it_answers_commit(self, t: Task, w: Worker) -> None:
        """Redis stops after the horse of {w} recorded {t} as finished, before it answers."""
        self.commit_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends_retries,
    )
    def stop_redis_before_it_answers_horse(self, t: Task, w: Worker) -> None:
        """Redis stops after the horse of {w} pushed a retry of {t}, before it answers."""
        self.retry_by_horse_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends_retries and m.has_horses,
    )
    def stop_redis_before_it_answers_worker(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed a retry of {t}, before it answers."""
        self.retry_by_worker_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=SWEEP,
        by="environment",
        to="Redis",
        given=lambda m: m.resends_retries and m.maintenance,
    )
    def stop_redis_before_it_answers_sweep(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed a retry of the abandoned {t}, before it answers."""
        self.retry_abandoned_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends_retries and m.sweeps_intermediate,
    )
    def stop_redis_before_it_answers_stuck(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed a retry of {t}, held stuck, before it answers."""
        self.retry_stuck_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=DUE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends and m.has_scheduler,
    )
    def stop_redis_before_it_answers_scheduler(self, t: Task) -> None:
        """Redis stops after the scheduler moved {t} to the queue, before it answers."""
        self.enqueue_due_unheard(t)
        self.stop_redis()
