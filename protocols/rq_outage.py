"""Redis restarts: with its data or without, and long enough to be noticed or not."""

from __future__ import annotations

from twice.model import action, exists, fault, forall, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, PREPARE, SUCCESS
from twice.protocols.rq_producer import PUSH
from twice.protocols.rq_replies import UnheardEffects
from twice.protocols.rq_state import (
    AFTER_BODY,
    AFTER_POP,
    HORSE,
    MAINTENANCE,
    MID_JOB,
    VERDICT,
    Phase,
    Producer,
)
from twice.protocols.rq_worker import LOOP, POP

RECONNECT = "rq 3.0.0: worker/base.py:dequeue_job_and_maintain_ttl"


class RedisStops(UnheardEffects):
    """Redis stops, at rest or with answers owed, and is back after a while.

    If the client bridges that while by resending, nobody notices but by the data. Otherwise every process that needs
    Redis while it is away may get an exception, and `WithoutRedis` tells what it does then.
    """

    @property
    def outage_matters(self) -> bool:
        """Whether a restart changes anything at all."""
        return self.outage_is_noticed or not self.redis_persistence

    def stop_redis(self) -> None:
        """Redis goes away, or, unnoticed, is back at once."""
        if self.outage_is_noticed:
            self.redis_away = True
        elif not self.redis_persistence:
            self.lose_redis_data()

    def stop_redis_at(self, *points: Phase) -> None:
        """Redis stops while some worker is at one of these points."""
        require(self.redis_answers(), exists(Worker, lambda w: self.phase[w].is_in(*points)))
        self.stop_redis()

    @action(
        source="operating system", by="environment", to="Redis", given=lambda m: m.outage_is_noticed
    )
    def restart_redis(self) -> None:
        """Redis is back."""
        require(self.redis_away)
        self.redis_away = False
        if not self.redis_persistence:
            self.lose_redis_data()

    @fault(kind="redis_restart", by="environment", to="Redis", given=lambda m: m.outage_matters)
    def stop_redis_while_job_waits(self, t: Task) -> None:
        """Redis stops while {t} waits in the queue."""
        require(self.redis_answers(), self.queue[t] > 0)
        self.stop_redis()

    @fault(kind="redis_restart", by="environment", to="Redis", given=lambda m: m.outage_matters)
    def stop_redis_after_pop(self) -> None:
        """Redis stops after a worker popped a job, before it registered the execution."""
        self.stop_redis_at(*AFTER_POP)

    @fault(kind="redis_restart", by="environment", to="Redis", given=lambda m: m.outage_matters)
    def stop_redis_before_horse_registers(self) -> None:
        """Redis stops after an execution was registered, before its horse registered."""
        self.stop_redis_at(Phase.REGISTERED, Phase.FORKED)

    @fault(kind="redis_restart", by="environment", to="Redis", given=lambda m: m.outage_matters)
    def stop_redis_mid_job(self) -> None:
        """Redis stops while a job runs."""
        self.stop_redis_at(Phase.HORSE_READY, *MID_JOB)

    @fault(kind="redis_restart", by="environment", to="Redis", given=lambda m: m.outage_matters)
    def stop_redis_after_body(self) -> None:
        """Redis stops after a job's function ended, before its worker is idle again."""
        self.stop_redis_at(*AFTER_BODY, Phase.EXITING, *VERDICT)

    @fault(
        kind="redis_restart",
        by="environment",
        to="Redis",
        given=lambda m: m.outage_matters and m.maintenance,
    )
    def stop_redis_during_maintenance(self) -> None:
        """Redis stops in the middle of a maintenance pass."""
        self.stop_redis_at(*MAINTENANCE)

    @fault(
        kind="redis_restart", by="environment", to="Redis", given=lambda m: not m.redis_persistence
    )
    def stop_redis_at_rest(self) -> None:
        """Redis stops while no job waits in the queue and every worker is idle or dead."""
        idle = forall(Worker, lambda w: self.phase[w] == Phase.IDLE)
        require(self.redis_answers(), idle, ~exists(Task, lambda t: self.queue[t] > 0))
        self.stop_redis()


class RedisStopsOwingAnswers(RedisStops):
    """Redis does what it was sent and stops before it answers."""

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

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends and m.retries_at_once,
    )
    def stop_redis_before_it_answers_horse(self, t: Task, w: Worker) -> None:
        """Redis stops after the horse of {w} pushed {t} back to the queue, before it answers."""
        self.horse_retry_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends and m.retries_at_once,
    )
    def stop_redis_before_it_answers_worker(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed {t} back to the queue, before it answers."""
        self.worker_retry_unheard(t, w)
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
        given=lambda m: m.resends and m.retries_at_once and m.maintenance,
    )
    def stop_redis_before_it_answers_sweep(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed the abandoned {t} back to the queue, before it answers."""
        self.abandoned_retry_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends and m.retries_at_once and m.sweeps_intermediate,
    )
    def stop_redis_before_it_answers_stuck(self, t: Task, w: Worker) -> None:
        """Redis stops after {w} pushed {t}, which it held stuck, back to the queue, before it answers."""
        self.stuck_retry_unheard(t, w)
        self.stop_redis()

    @fault(
        kind="redis_restart",
        source=FAILURE,
        by="environment",
        to="Redis",
        given=lambda m: m.resends and m.has_scheduler,
    )
    def stop_redis_before_it_answers_scheduler(self, t: Task) -> None:
        """Redis stops after the scheduler moved {t} to the queue, before it answers."""
        self.due_push_unheard(t)
        self.stop_redis()


class WithoutRedis(RedisStopsOwingAnswers):
    """What each process does when Redis does not answer for longer than its client tries."""

    @action(source=PUSH, by="producer", given=lambda m: m.outage_is_noticed)
    def give_up_enqueue(self, t: Task) -> None:
        """The producer cannot reach Redis, and its caller gets an exception for {t}."""
        require(self.producer[t].is_in(Producer.QUEUE_NAMED, Producer.RESENDING), self.redis_away)
        self.producer[t] = Producer.GONE

    @action(source=RECONNECT, by="{w}", given=lambda m: m.outage_is_noticed)
    def forget_popped_id(self, t: Task, w: Worker) -> None:
        """{w} cannot read the hash of {t}, waits for Redis, and will pop again: the popped id is forgotten."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t, self.acts(w), self.redis_away)
        self.becomes_idle(t, w)

    @action(source=LOOP, by="{w}", given=lambda m: m.outage_is_noticed)
    def quit_without_redis(self, w: Worker) -> None:
        """{w} cannot reach Redis, does not catch that, and quits; a horse that it has goes on alone."""
        talks = self.phase[w].is_in(Phase.FETCHED, *HORSE, Phase.EXITING, *VERDICT, *MAINTENANCE)
        require(talks, self.acts(w), self.redis_away)
        self.worker_ends(w)

    @action(source=PREPARE, by="horse of {w}", given=lambda m: m.outage_is_noticed)
    def fail_to_register_horse(self, w: Worker) -> None:
        """The horse of {w} cannot set the status to started, and takes that for a failure of the job."""
        require(self.phase[w] == Phase.FORKED, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @action(source=SUCCESS, by="horse of {w}", given=lambda m: m.outage_is_noticed)
    def fail_to_commit(self, w: Worker) -> None:
        """The horse of {w} cannot record the job as finished, and takes that for a failure of the job."""
        require(self.phase[w] == Phase.RETURNED, self.horse_acts(w), self.redis_away)
        self.phase[w] = Phase.RAISED

    @action(
        source="rq 3.0.0: worker/base.py:main_work_horse",
        by="horse of {w}",
        given=lambda m: m.outage_is_noticed,
    )
    def exit_with_error(self, w: Worker) -> None:
        """The horse of {w} cannot begin to record the failure, and exits with code 1."""
        require(self.phase[w] == Phase.RAISED, self.horse_acts(w), self.redis_away)
        self.horse_dies(w)

    @action(source=FAILURE, by="horse of {w}", given=lambda m: m.outage_is_noticed)
    def exit_unrecorded(self, w: Worker) -> None:
        """The horse of {w} cannot record the failure, logs that, and exits normally."""
        require(self.phase[w].is_in(Phase.RAISED, Phase.HORSE_SCHEDULING))
        require(self.horse_acts(w), self.redis_away)
        self.horse_is_done(w)

    @action(source=FAILURE, by="{w}", given=lambda m: m.outage_is_noticed)
    def leave_verdict_unrecorded(self, t: Task, w: Worker) -> None:
        """{w} cannot record its verdict on {t}, logs that, and goes on."""
        require(self.phase[w].is_in(Phase.VERDICT, Phase.VERDICT_SCHEDULING), self.job[w] == t)
        require(self.acts(w), self.redis_away)
        self.becomes_idle(t, w)

    @action(source=RECONNECT, by="{w}", given=lambda m: m.outage_is_noticed and m.maintenance)
    def break_off_pass(self, w: Worker) -> None:
        """{w} cannot reach Redis, breaks its maintenance pass off, and waits for Redis."""
        require(self.phase[w].is_in(*MAINTENANCE), self.acts(w), self.redis_away)
        self.end_pass(w)
