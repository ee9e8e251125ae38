"""A run of a task: accepted by the pool, acknowledged early or late, its result stored."""

from __future__ import annotations

from twice.model import Bool, action, exists, require, when
from twice.protocols.celery_redis_moves import ACK, TRACE, Moves
from twice.protocols.celery_redis_state import (
    MID_TASK,
    Message,
    Phase,
    Process,
    Result,
)
from twice.protocols.delivery import Task, Worker


class RunSteps(Moves):
    """From the memory of the main process into its pool, and out again."""

    @action(source="celery 5.7.0: worker/request.py:Request.on_accepted", by="pool of {w}")
    def accept(self, m: Message, w: Worker) -> None:
        """The pool of {w} accepts {m} and says so; it does not wait for the main process."""
        require(self.held[m, w] > 0, self.phase[w] == Phase.IDLE)
        require(self.main_acts(w, Process.UP))
        if self.counts_retries and self.default_retry_delay > 0:
            require(~self.is_just_retried(m))
        self.held[m, w] = self.held[m, w] - 1
        self.job[w] = m
        self.phase[w] = Phase.ACCEPTED
        if self.deduplicates:
            self.again[w] = self.fresh[m] != w
            with when(self.fresh[m] == w):
                self.fresh[m] = None
        if self.window_may_shrink:
            self.leftover[w] = self.wire[w].is_none()

    def is_just_retried(self, m: Message) -> Bool:
        """Whether a pool has published a retry a moment ago, which waits for its countdown."""
        return exists(
            Worker,
            lambda v: (
                self.phase[v].is_in(Phase.RETRY_SENT, Phase.LOST_REPLACED)
                & self.child_acts(v)
                & exists(Message, lambda n: (self.job[v] == n) & (self.task[n] == self.task[m]))
            ),
        )

    @action(
        source=TRACE,
        by="pool of {w}",
        to="result backend",
        given=lambda m: m.deduplicates,
    )
    def skip_successful(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} finds SUCCESS stored for {t}, which was redelivered, and skips it."""
        require(self.has_job(m, w, Phase.ACCEPTED), self.task[m] == t, self.child_acts(w))
        require(self.again[w], self.result[t] == Result.SUCCESS)
        self.end_run(w)

    @action(
        source=TRACE,
        by="pool of {w}",
        to="result backend",
        given=lambda m: m.deduplicates,
    )
    def see_no_success(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} finds no SUCCESS stored for {t}, which was redelivered."""
        require(self.has_job(m, w, Phase.ACCEPTED), self.task[m] == t, self.child_acts(w))
        require(self.again[w], self.result[t] != Result.SUCCESS)
        self.phase[w] = Phase.CHECKED

    @action(source=TRACE, by="pool of {w}")
    def start(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} starts the body of {t}."""
        require(self.job[w] == m, self.task[m] == t, self.child_acts(w), self.may_start(w))
        if self.acks_before_start:
            require(self.acked[w])
        self.count_start(t)
        self.phase[w] = Phase.BODY

    def may_start(self, w: Worker) -> Bool:
        """Whether nothing has to be looked up any more."""
        accepted = self.phase[w] == Phase.ACCEPTED
        if self.deduplicates:
            return (accepted & ~self.again[w]) | (self.phase[w] == Phase.CHECKED)
        return accepted

    @action(source=TRACE, by="pool of {w}", to="outside world")
    def have_effect(self, t: Task, m: Message, w: Worker) -> None:
        """The body of {t}, in the pool of {w}, has its effect on the outside world."""
        require(self.has_job(m, w, Phase.BODY), self.task[m] == t, self.child_acts(w))
        self.count_effect(t)
        self.phase[w] = Phase.EFFECT

    @action(source=TRACE, by="pool of {w}", given=lambda m: not m.times_out)
    def finish(self, t: Task, m: Message, w: Worker) -> None:
        """The body of {t} returns in the pool of {w}."""
        require(self.has_job(m, w, Phase.EFFECT), self.task[m] == t, self.child_acts(w))
        self.count_completion(t)
        self.phase[w] = Phase.RETURNED

    @action(source=TRACE, by="pool of {w}", to="result backend")
    def store_result(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} stores SUCCESS for {t}, if results are stored, and says it is done."""
        require(self.has_job(m, w, Phase.RETURNED), self.task[m] == t, self.child_acts(w))
        self.write_result(t, Result.SUCCESS)
        self.end_run(w)

    @action(source=TRACE, by="pool of {w}", given=lambda m: m.task_raises or m.task_retries)
    def raise_error(self, w: Worker) -> None:
        """The body raises an exception in the pool of {w}."""
        require(self.phase[w].is_in(*MID_TASK), self.child_acts(w))
        self.phase[w] = Phase.RAISED

    @action(
        source="celery 5.7.0: app/trace.py:TraceInfo.handle_failure",
        by="pool of {w}",
        to="result backend",
        given=lambda m: m.task_raises or m.task_retries,
    )
    def store_failure(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} stores FAILURE for {t}, if results are stored, and says it is done."""
        require(self.has_job(m, w, Phase.RAISED), self.task[m] == t, self.child_acts(w))
        if self.task_retries:
            require(self.retries[t] == self.max_retries)
        self.write_result(t, Result.FAILURE)
        self.end_run(w)


class AckSteps(Moves):
    """The main process deletes the entry under the message's tag: its own, or meanwhile another's.

    A failure under late acks is acknowledged too, or rejected for good, which does the same in
    Redis.
    """

    @action(source=ACK, by="{w}", to="Redis", given=lambda m: not m.acks_after_run)
    def ack_early(self, m: Message, w: Worker) -> None:
        """{w}, told that its pool accepted {m}, deletes the entry under the tag of {m}."""
        self.require_early_ack(m, w)
        self.delete_entry(m)
        self.have_acked(w)

    @action(source=ACK, by="{w}", to="Redis", given=lambda m: m.acks_after_run)
    def ack_late(self, m: Message, w: Worker) -> None:
        """{w}, told that {m} is done, deletes the entry under its tag, whoever made it."""
        require(self.has_job(m, w, Phase.STORED), self.main_acts(w, Process.UP, Process.STOPPING))
        self.delete_entry(m)
        self.release(w)

    @action(source=ACK, by="{w}")
    def fail_to_ack_cut_off(self, w: Worker) -> None:
        """{w}, on its way out and cut off from Redis, cannot acknowledge what is done."""
        require(self.phase[w] == Phase.STORED, self.process[w] == Process.BROKEN)
        self.release(w)

    @action(source=ACK, by="{w}", given=lambda m: not m.acks_after_run)
    def fail_to_ack_early_cut_off(self, w: Worker) -> None:
        """{w}, on its way out and cut off from Redis, cannot acknowledge what its pool accepted."""
        require(~self.phase[w].is_in(Phase.IDLE, Phase.STORED), ~self.acked[w])
        require(self.process[w] == Process.BROKEN)
        self.acked[w] = True
