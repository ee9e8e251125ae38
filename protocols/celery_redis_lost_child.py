"""What a main process does about a child that died, or that it killed at its time limit."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.celery_redis_moves import ON_FAILURE, Moves
from twice.protocols.celery_redis_settings import Poison
from twice.protocols.celery_redis_state import MID_TASK, Message, Phase, Process, Result
from twice.protocols.delivery import Task, Worker

REJECT = "kombu 5.7.0: transport/redis.py:QoS.reject"
TIME_LIMIT = "billiard 4.3.2: pool.py:TimeoutHandler.on_hard_timeout"


class LostChildSteps(Moves):
    """A child that accepted a job died: its parent records a failure, or puts the message back.

    A job that was written to a child and not accepted is given to another child; here it simply
    still waits. A worker that is cut off from Redis leaves the entry where it is.
    """

    def require_lost(self, t: Task, m: Message, w: Worker) -> None:
        """The main process learns that its child is gone; an early ack was sent before."""
        require(self.has_job(m, w, Phase.LOST), self.task[m] == t, self.hears_child(w))
        if not self.acks_after_run:
            require(self.acked[w])

    @action(
        source=ON_FAILURE,
        by="{w}",
        to="result backend",
        given=lambda m: m.prefork and not m.requeues_lost,
    )
    def record_lost_child(self, t: Task, m: Message, w: Worker) -> None:
        """{w} sees that its child with {t} was lost, and stores FAILURE, if results are stored."""
        self.require_lost(t, m, w)
        if self.replaces_lost:
            given_up = self.retries[t] == self.max_retries
            require(given_up | (self.process[w] == Process.BROKEN))
        if self.sees_stored_success:
            require(self.result[t] != Result.SUCCESS)
        self.write_result(t, Result.FAILURE)
        self.end_run(w)

    @action(
        source="celery 5.7.0: worker/request.py:Request._success_was_stored",
        by="{w}",
        to="result backend",
        given=lambda m: m.prefork and m.sees_stored_success,
    )
    def see_success_of_lost_child(self, t: Task, m: Message, w: Worker) -> None:
        """{w} sees that its child with {t} was lost, but after SUCCESS had been stored."""
        self.require_lost(t, m, w)
        require(self.result[t] == Result.SUCCESS)
        self.end_run(w)

    @action(source=REJECT, by="{w}", to="Redis", given=lambda m: m.requeues_lost)
    def requeue_lost(self, t: Task, m: Message, w: Worker) -> None:
        """{w} sees that its child with {t} was lost, and moves the entry of {m} to the list."""
        self.require_lost(t, m, w)
        if self.sees_stored_success:
            require(self.result[t] != Result.SUCCESS)
        self.requeue(m, w)

    def requeue(self, m: Message, w: Worker) -> None:
        """Put the message back; before kombu 5.3.3 an ack by its tag follows."""
        require(self.process[w] != Process.BROKEN)
        self.restore(m, w)
        if self.acks_what_it_requeued:
            self.phase[w] = Phase.REQUEUED
        else:
            self.release(w)

    @action(
        source="kombu 5.3.1: transport/redis.py:QoS.reject",
        by="{w}",
        to="Redis",
        given=lambda m: m.requeues_any and m.acks_what_it_requeued,
    )
    def ack_requeued(self, m: Message, w: Worker) -> None:
        """{w}, having put {m} back, acknowledges it: the entry goes, even of the next taker."""
        require(self.has_job(m, w, Phase.REQUEUED))
        require(self.main_acts(w, Process.UP, Process.STOPPING))
        self.delete_entry(m)
        self.release(w)

    @action(source=REJECT, by="{w}", given=lambda m: m.requeues_any)
    def fail_to_requeue_cut_off(self, w: Worker) -> None:
        """{w}, on its way out and cut off from Redis, cannot put its message back."""
        require(self.process[w] == Process.BROKEN)
        rejected: tuple[Phase, ...] = (Phase.REJECTED, Phase.REQUEUED)
        require(
            self.phase[w].is_in(*rejected, Phase.LOST if self.requeues_lost else Phase.REJECTED)
        )
        self.release(w)


class TimeLimitSteps(LostChildSteps):
    """Every run is longer than its time limit: the main process kills the child."""

    @action(source=TIME_LIMIT, by="{w}", to="pool of {w}", given=lambda m: m.times_out)
    def kill_at_time_limit(self, w: Worker) -> None:
        """{w} kills its child: the run has reached the time limit of {task_time_limit} s."""
        require(self.phase[w].is_in(*MID_TASK), self.hears_child(w))
        self.phase[w] = Phase.TIMED_OUT

    @action(
        source="celery 5.7.0: worker/request.py:Request.on_timeout",
        by="{w}",
        to="result backend",
        given=lambda m: m.times_out,
    )
    def record_timeout(self, t: Task, m: Message, w: Worker) -> None:
        """{w} stores FAILURE for {t}, which met its time limit, if results are stored."""
        require(self.has_job(m, w, Phase.TIMED_OUT), self.task[m] == t, self.hears_child(w))
        self.write_result(t, Result.FAILURE)
        if self.requeues_timed_out:
            self.phase[w] = Phase.REJECTED
        else:
            self.end_run(w)

    @action(
        source=REJECT,
        by="{w}",
        to="Redis",
        given=lambda m: m.times_out and m.requeues_timed_out,
    )
    def requeue_timed_out(self, m: Message, w: Worker) -> None:
        """{w} moves the entry of {m}, which met its time limit, back to the list."""
        require(self.has_job(m, w, Phase.REJECTED), self.hears_child(w))
        self.requeue(m, w)


class PoisonSteps(Moves):
    """A task that brings down what runs it: any run may, there is no end to it."""

    @action(source="the task", by="{t}", to="pool of {w}", given=lambda m: m.poison is Poison.CHILD)
    def poison_child(self, t: Task, w: Worker) -> None:
        """{t} brings down the child of {w} that runs it."""
        require(self.phase[w].is_in(*MID_TASK), self.runs_for(t, w), self.child_acts(w))
        self.lose_child(w)

    @action(source="the task", by="{t}", to="{w}", given=lambda m: m.poison is Poison.WORKER)
    def poison_worker(self, t: Task, w: Worker) -> None:
        """{t} brings down {w}, which runs it."""
        require(self.phase[w].is_in(*MID_TASK), self.runs_for(t, w), self.child_acts(w))
        self.die(w)
        self.release(w)
