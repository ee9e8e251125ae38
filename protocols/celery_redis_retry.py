"""Retries: a new message with the same task id is published before the old one is acknowledged."""

from __future__ import annotations

from twice.model import Bool, action, exists, require
from twice.protocols.celery_redis_lost_child import LostChildSteps
from twice.protocols.celery_redis_state import Message, Phase, Result
from twice.protocols.delivery import Task, Worker

RETRY = "celery 5.7.0: app/task.py:Task.retry"
REPLACE = "celery 5.7.0: worker/request.py:Request._retry_worker_lost"


class RetrySteps(LostChildSteps):
    """`self.retry` in the child, and `task_retry_on_worker_lost` in the main process.

    A task has one count of retries, shared by all its messages: where a crash has doubled the
    chain, both ends come sooner. A message that is gone may carry a retry: all messages are alike.
    If a crash or two have left none, the retry goes under the tag of one that is in use.
    """

    def send_retry(self, t: Task, n: Message) -> None:
        """Publish another message with one retry more."""
        require(self.retries[t] < self.max_retries, self.redis_answers())
        none_can = ~exists(Message, lambda other: self.can_carry(t, other))
        require(self.can_carry(t, n) | (none_can & (self.task[n] == t)))
        self.first_send(t, n)
        self.retries[t] = self.retries[t] + 1

    def can_carry(self, t: Task, n: Message) -> Bool:
        """Whether the message is unused, or an earlier one of the task that is gone."""
        return self.is_unused(n) | ((self.task[n] == t) & self.is_nowhere(n))

    @action(source=RETRY, by="pool of {w}", to="Redis", given=lambda m: m.task_retries)
    def retry(self, t: Task, m: Message, n: Message, w: Worker) -> None:
        """The pool of {w} publishes {t} again, as {n} with one retry more; {m} is not done yet."""
        require(self.has_job(m, w, Phase.RAISED), self.task[m] == t, self.child_acts(w))
        self.send_retry(t, n)
        self.phase[w] = Phase.RETRY_SENT

    @action(
        source="celery 5.7.0: app/trace.py:TraceInfo.handle_retry",
        by="pool of {w}",
        to="result backend",
        given=lambda m: m.task_retries,
    )
    def store_retry(self, t: Task, m: Message, w: Worker) -> None:
        """The pool of {w} stores RETRY for {t}, if results are stored, and says it is done."""
        require(self.has_job(m, w, Phase.RETRY_SENT), self.task[m] == t, self.child_acts(w))
        self.write_result(t, Result.RETRY)
        self.end_run(w)

    @action(source=REPLACE, by="{w}", to="Redis", given=lambda m: m.replaces_lost)
    def replace_lost(self, t: Task, m: Message, n: Message, w: Worker) -> None:
        """{w} sees that its child with {t} was lost, and publishes it again, as {n}."""
        self.require_lost(t, m, w)
        if self.sees_stored_success:
            require(self.result[t] != Result.SUCCESS)
        self.send_retry(t, n)
        self.phase[w] = Phase.LOST_REPLACED

    @action(source=REPLACE, by="{w}", to="result backend", given=lambda m: m.replaces_lost)
    def record_replacement(self, t: Task, m: Message, w: Worker) -> None:
        """{w} stores RETRY for {t}, which it has published again, if results are stored."""
        require(self.has_job(m, w, Phase.LOST_REPLACED), self.task[m] == t, self.hears_child(w))
        self.write_result(t, Result.RETRY)
        self.end_run(w)
