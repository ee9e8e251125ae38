"""The parent of a dead child judges what becomes of the task."""

from __future__ import annotations

from twice.model import Bool, action, fault, require
from twice.protocols.celery_amqp_pool import RetrySteps
from twice.protocols.celery_amqp_state import Held, Phase, Result
from twice.protocols.delivery import Task, Worker

LOST = "celery 5.7.0: worker/request.py:Request.on_failure"
SUCCEEDED = "celery 5.7.0: worker/request.py:Request._success_was_stored"
REPLACE = "celery 5.7.0: worker/request.py:Request._retry_worker_lost"


class VerdictSteps(RetrySteps):
    """WorkerLostError: the parent decides by its settings, the child cannot tell any more.

    What it decides on the message leaves at the next turn of its loop, after the result is stored.
    """

    def judges(self, t: Task, w: Worker, *phases: Phase) -> None:
        """The parent has seen its child dead; that the child had accepted, it heard before."""
        require(self.has_job(t, w, *phases), self.lives(w))
        if self.early:
            require(self.held[t, w] != Held.IN_POOL)

    def success_is_seen(self, t: Task) -> Bool:
        """Whether the backend says that the task was done before its child died."""
        return self.result[t] == Result.SUCCESS

    def retries_are_used_up(self, t: Task) -> Bool:
        """Whether the task may not be published again."""
        return self.retries[t] >= self.max_retries

    @action(
        source=SUCCEEDED,
        by="{w}",
        to="backend",
        given=lambda m: m.children_die and m.sees_stored_success,
    )
    def forgive_lost(self, t: Task, w: Worker) -> None:
        """{w} sees its child dead, finds SUCCESS of {t} stored already, and takes it for done."""
        self.judges(t, w, Phase.LOST)
        require(self.success_is_seen(t))
        self.job_is_over(t, w, self.ack)

    @action(
        source=REPLACE,
        by="{w}",
        to="RabbitMQ",
        given=lambda m: m.children_die and m.replaces_lost,
    )
    def replace_lost(self, t: Task, w: Worker) -> None:
        """{w} sees its child dead and publishes a retry of {t}, due in {default_retry_delay} s."""
        self.judges(t, w, Phase.LOST)
        self.unless_success_is_seen(t)
        require(~self.retries_are_used_up(t), ~self.alarm)
        self.phase[w] = Phase.LOST_REPLACED
        self.publishes_retry(t)

    @action(
        source=REPLACE,
        by="{w}",
        to="backend",
        given=lambda m: m.children_die and m.replaces_lost,
    )
    def let_replaced_go(self, t: Task, w: Worker) -> None:
        """{w} records RETRY for {t}, whose old message it needs no more."""
        self.judges(t, w, Phase.LOST_REPLACED)
        self.stores(t, Result.RETRY)
        self.job_is_over(t, w, self.ack)

    @fault(
        kind="publish_error",
        source=REPLACE,
        by="environment",
        to="{w}",
        given=lambda m: m.children_die and m.replaces_lost,
    )
    def raise_at_replacement(self, t: Task, w: Worker) -> None:
        """{w} cannot publish a retry of {t}, and does as if it had not tried."""
        self.judges(t, w, Phase.LOST)
        self.unless_success_is_seen(t)
        require(~self.retries_are_used_up(t))
        self.phase[w] = Phase.LOST_FOR_GOOD

    @action(
        source=LOST,
        by="{w}",
        to="RabbitMQ",
        given=lambda m: m.children_die and m.requeues_lost,
    )
    def requeue_lost(self, t: Task, w: Worker) -> None:
        """{w} sees its child dead, and will put {t} back into the queue; no failure is recorded."""
        self.judges(t, w, Phase.LOST_FOR_GOOD if self.replaces_lost else Phase.LOST)
        self.unless_success_is_seen(t)
        self.job_is_over(t, w, self.requeue)

    @action(source=LOST, by="{w}", to="backend", given=lambda m: m.gives_lost_up)
    def give_lost_up(self, t: Task, w: Worker) -> None:
        """{w} sees its child dead, records WorkerLostError for {t}, and lets its message go."""
        self.gives_up(t, w)
        self.stores(t, Result.FAILURE)
        self.job_is_over(t, w, self.ack if self.acks_failures else self.drop)

    @fault(
        kind="result_backend_down",
        source=LOST,
        by="environment",
        to="backend",
        given=lambda m: m.gives_lost_up and m.may_lose_results,
    )
    def lose_verdict(self, t: Task, w: Worker) -> None:
        """{w} sees its child dead, but cannot record that {t} failed; it lets its message go."""
        self.gives_up(t, w)
        self.job_is_over(t, w, self.ack if self.acks_failures else self.drop)

    def gives_up(self, t: Task, w: Worker) -> None:
        """Neither a stored success nor a retry nor a requeue saves the task."""
        phases: tuple[Phase, ...] = (Phase.LOST,)
        if self.replaces_lost:
            phases = (Phase.LOST,) if self.requeues_lost else (Phase.LOST, Phase.LOST_FOR_GOOD)
        self.judges(t, w, *phases)
        self.unless_success_is_seen(t)
        if self.replaces_lost:
            untried = self.phase[w] == Phase.LOST_FOR_GOOD
            require(untried | self.retries_are_used_up(t))

    def unless_success_is_seen(self, t: Task) -> None:
        """Nothing in the backend says that the task was done."""
        if self.sees_stored_success:
            require(~self.success_is_seen(t))
