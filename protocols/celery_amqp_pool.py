"""The pool of a worker: a job is accepted, its body runs, its result is stored and announced."""

from __future__ import annotations

from twice.model import Bool, action, fault, require, when
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_state import (
    IN_BODY,
    SAID,
    Main,
    Phase,
    Result,
)
from twice.protocols.delivery import Task, Worker

WORKLOOP = "billiard 4.3.2: pool.py:Worker.workloop"
CALLBACK = "celery 5.7.0: concurrency/base.py:apply_target"
TRACE = "celery 5.7.0: app/trace.py:build_tracer.trace_task"
STORE = "celery 5.7.0: app/trace.py:trace_task, backend.mark_as_done"
ERROR = "celery 5.7.0: app/trace.py:TraceInfo.handle_failure"
RETRY = "celery 5.7.0: app/task.py:Task.retry"
RETRIED = "celery 5.7.0: app/trace.py:TraceInfo.handle_retry"


class BodySteps(Moves):
    """The body of a task, from its acceptance to its end."""

    @action(
        source=WORKLOOP,
        by="pool of {w}",
        to="{w}",
        given=lambda m: m.runs and m.prefork,
    )
    def accept(self, t: Task, w: Worker) -> None:
        """A child of {w} reads {t}, says so on its pipe, and does not wait for an answer."""
        require(self.has_job(t, w, Phase.WRITTEN))
        self.phase[w] = Phase.ACCEPTED

    @action(
        source=CALLBACK,
        by="pool of {w}",
        to="{w}",
        given=lambda m: m.runs and not m.prefork and not m.solo,
    )
    def accept_in_process(self, t: Task, w: Worker) -> None:
        """A {worker_pool} pool slot of {w} takes {t}; an early ack is asked for right there."""
        require(self.has_job(t, w, Phase.WRITTEN))
        self.phase[w] = Phase.ACCEPTED
        if self.early:
            self.answers(t, w, self.ack)

    @action(source=TRACE, by="pool of {w}")
    def start(self, t: Task, w: Worker) -> None:
        """{w} starts the body of {t}."""
        require(self.has_job(t, w, Phase.ACCEPTED))
        if self.deduplicates:
            require(~self.is_known_as_done(t, w))
        self.phase[w] = Phase.STARTED
        self.count_start(t)

    @action(source=TRACE, by="pool of {w}", given=lambda m: m.runs and m.deduplicates)
    def skip_done(self, t: Task, w: Worker) -> None:
        """{w} finds that {t} is redelivered and its SUCCESS stored, and skips its body."""
        require(self.has_job(t, w, Phase.ACCEPTED), self.is_known_as_done(t, w))
        self.phase[w] = Phase.READY

    def is_known_as_done(self, t: Task, w: Worker) -> Bool:
        """Whether the message is marked redelivered, and the backend says SUCCESS."""
        return self.again[t, w] & (self.result[t] == Result.SUCCESS)

    @action(source=TRACE, by="pool of {w}", given=lambda m: m.runs)
    def take_effect(self, t: Task, w: Worker) -> None:
        """The body of {t} has its effect in {w}."""
        require(self.has_job(t, w, Phase.STARTED))
        self.phase[w] = Phase.EFFECT
        self.count_effect(t)

    @action(
        source=TRACE, by="pool of {w}", given=lambda m: m.runs and (m.returns_at_all or m.prefork)
    )
    def return_(self, t: Task, w: Worker) -> None:
        """The body of {t} returns in {w}."""
        require(self.has_job(t, w, Phase.EFFECT))
        if not self.returns_at_all:
            require(self.runs_unlimited(w))
        self.phase[w] = Phase.RETURNED
        self.count_completion(t)

    @action(source=TRACE, by="pool of {w}", given=lambda m: m.runs and m.raises)
    def raise_(self, t: Task, w: Worker) -> None:
        """The body of {t} raises an exception in {w}."""
        require(self.has_job(t, w, *IN_BODY))
        if self.task_retries:
            require(self.retries[t] >= self.max_retries)
        self.phase[w] = Phase.RAISED


class StoreSteps(Moves):
    """The result is stored, then announced to the main process; a pool slot is free only then."""

    @action(
        source=STORE, by="pool of {w}", to="backend", given=lambda m: m.runs and m.stores_results
    )
    def store_success(self, t: Task, w: Worker) -> None:
        """{w} stores SUCCESS for {t}."""
        require(self.has_job(t, w, Phase.RETURNED))
        self.phase[w] = Phase.STORED
        self.stores(t, Result.SUCCESS)

    @action(
        source=ERROR,
        by="pool of {w}",
        to="backend",
        given=lambda m: m.runs and m.stores_results and m.fails,
    )
    def store_failure(self, t: Task, w: Worker) -> None:
        """{w} stores FAILURE for {t}."""
        require(self.has_job(t, w, Phase.RAISED))
        self.phase[w] = Phase.FAILURE_STORED
        self.stores(t, Result.FAILURE)

    @fault(
        kind="result_backend_down",
        source=STORE,
        by="environment",
        to="backend",
        given=lambda m: m.runs and m.may_lose_results,
    )
    def lose_result(self, t: Task, w: Worker) -> None:
        """The backend is down, and {w} makes a failure of {t}, whose result it cannot store."""
        require(self.has_job(t, w, Phase.RETURNED))
        self.phase[w] = Phase.READY_FAILED

    @fault(
        kind="result_backend_down",
        source=ERROR,
        by="environment",
        to="backend",
        given=lambda m: m.runs and m.may_lose_results and m.fails,
    )
    def lose_failure(self, t: Task, w: Worker) -> None:
        """The backend is down, and {w} cannot store that {t} failed."""
        require(self.has_job(t, w, Phase.RAISED))
        self.phase[w] = Phase.READY_FAILED

    @action(source=WORKLOOP, by="pool of {w}", to="{w}", given=lambda m: m.runs)
    def say_done(self, t: Task, w: Worker) -> None:
        """The pool of {w} says that {t} is done."""
        require(self.has_job(t, w, Phase.STORED if self.stores_results else Phase.RETURNED))
        self.phase[w] = Phase.READY

    @action(source=WORKLOOP, by="pool of {w}", to="{w}", given=lambda m: m.fails)
    def say_failed(self, t: Task, w: Worker) -> None:
        """The pool of {w} says that {t} failed."""
        require(self.has_job(t, w, Phase.FAILURE_STORED if self.stores_results else Phase.RAISED))
        self.phase[w] = Phase.READY_FAILED

    @action(source=WORKLOOP, by="pool of {w}", given=lambda m: m.runs and m.children_survive)
    def orphan_ends(self, t: Task, w: Worker) -> None:
        """The orphaned child of {w} is done with {t}, finds nobody to tell, and exits."""
        require(self.has_job(t, w, *SAID), self.main[w] == Main.ORPHANED)
        self.frees_slot(w)
        self.main[w] = self.after_exit


class RetrySteps(Moves):
    """self.retry: the new message is published before the old one is acknowledged."""

    @action(source=RETRY, by="pool of {w}", to="RabbitMQ", given=lambda m: m.task_retries)
    def publish_retry(self, t: Task, w: Worker) -> None:
        """The body of {t} calls self.retry in {w}, and a new message of the same id is out."""
        require(self.has_job(t, w, *IN_BODY), self.retries[t] < self.max_retries, ~self.alarm)
        self.phase[w] = Phase.RETRY_SENT
        self.publishes_retry(t)

    def publishes_retry(self, t: Task) -> None:
        """A counted retry of the task is published; with confirms, it is on disk then."""
        self.retries[t] = self.retries[t] + 1
        with when(~self.queue_gone):
            self.enters_queue(t, written=self.confirm_publish)

    @fault(
        kind="publish_error",
        source=RETRY,
        by="environment",
        to="pool of {w}",
        given=lambda m: m.task_retries,
    )
    def raise_at_retry(self, t: Task, w: Worker) -> None:
        """The body of {t} calls self.retry in {w}, which cannot publish and gives up."""
        require(self.has_job(t, w, *IN_BODY), self.retries[t] < self.max_retries)
        self.phase[w] = Phase.READY_REJECTED

    @action(
        source=RETRIED,
        by="pool of {w}",
        to="backend",
        given=lambda m: m.task_retries and m.stores_results,
    )
    def store_retry(self, t: Task, w: Worker) -> None:
        """{w} stores RETRY for {t}."""
        require(self.has_job(t, w, Phase.RETRY_SENT))
        self.phase[w] = Phase.RETRY_STORED
        self.stores(t, Result.RETRY)

    @action(source=WORKLOOP, by="pool of {w}", to="{w}", given=lambda m: m.task_retries)
    def say_retried(self, t: Task, w: Worker) -> None:
        """The pool of {w} says that {t} is to be retried."""
        require(self.has_job(t, w, Phase.RETRY_STORED if self.stores_results else Phase.RETRY_SENT))
        self.phase[w] = Phase.READY_RETRIED
