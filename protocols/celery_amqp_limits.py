"""Durations that run out: time limits, the broker's patience with acks, missed heartbeats.

Which of two durations is shorter, the settings say. If a limit is shorter than every run, it ends
every run; if it is longer, only a run that is slow for once meets it, which is a fault.
"""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_settings import Version
from twice.protocols.celery_amqp_state import IN_BODY, LEAVING, Held, Main, Phase, Result
from twice.protocols.delivery import Task, Worker

SOFT = "billiard 4.3.2: pool.py:TimeoutHandler.on_soft_timeout"
HARD = "celery 5.7.0: worker/request.py:Request.on_timeout"
KILL = "billiard 4.3.2: pool.py:TimeoutHandler._trywaitkill"
PATIENCE = "rabbitmq docs 4.2: consumers.md, delivery acknowledgement timeout"
HEARTBEAT = "rabbitmq docs 4.2: heartbeats.md"


class TimeLimits(Moves):
    """task_soft_time_limit and task_time_limit, which only some pools heed."""

    def meets_soft(self, t: Task, w: Worker) -> None:
        """The soft limit becomes an exception in the body; 3.1 acknowledges while the body runs."""
        require(self.has_job(t, w, *IN_BODY), ~self.runs_unlimited(w))
        if self.early:
            require(self.held[t, w] != Held.IN_POOL)
        self.phase[w] = Phase.RAISED
        if self.version is Version.V3_1:
            self.answers(t, w, self.ack)

    @action(source=SOFT, by="{w}", to="pool of {w}", given=lambda m: m.runs and m.meets_soft_limit)
    def meet_soft_limit(self, t: Task, w: Worker) -> None:
        """{t} has run for {task_soft_time_limit} s and gets SoftTimeLimitExceeded."""
        self.meets_soft(t, w)

    @fault(
        kind="slow_task",
        source=SOFT,
        by="time",
        to="pool of {w}",
        given=lambda m: m.runs and m.soft_limit and not m.meets_soft_limit,
    )
    def be_slower_than_soft_limit(self, t: Task, w: Worker) -> None:
        """{t} is slow for once and gets SoftTimeLimitExceeded after {task_soft_time_limit} s."""
        self.meets_soft(t, w)

    def meets_hard(self, t: Task, w: Worker) -> None:
        """The parent records the failure and decides on the message, and only then ends the run."""
        require(self.has_job(t, w, *IN_BODY), self.lives(w))
        if self.prefork:
            require(~self.runs_unlimited(w))
        if self.prefork and self.early:
            require(self.held[t, w] != Held.IN_POOL)
        self.stores(t, Result.FAILURE)
        self.answers(t, w, self.ack if self.acks_timeouts else self.requeue)
        if self.prefork:
            self.phase[w] = Phase.OVERDUE
        else:
            self.frees_slot(w)

    @action(source=HARD, by="{w}", to="backend", given=lambda m: m.runs and m.meets_hard_limit)
    def meet_hard_limit(self, t: Task, w: Worker) -> None:
        """{t} has run for {task_time_limit} s, and {w} records TimeLimitExceeded."""
        self.meets_hard(t, w)

    @fault(
        kind="slow_task",
        source=HARD,
        by="time",
        to="{w}",
        given=lambda m: m.runs and m.hard_limit and not m.soft_limit and not m.meets_hard_limit,
    )
    def be_slower_than_hard_limit(self, t: Task, w: Worker) -> None:
        """{t} is slow for once, and after {task_time_limit} s {w} records TimeLimitExceeded."""
        self.meets_hard(t, w)

    @action(
        source=KILL,
        by="{w}",
        to="pool of {w}",
        given=lambda m: m.runs and m.prefork and m.hard_limit,
    )
    def kill_overdue_child(self, t: Task, w: Worker) -> None:
        """{w} kills the child that still runs {t} a tenth of a second later."""
        require(self.has_job(t, w, Phase.OVERDUE), self.lives(w))
        self.frees_slot(w)


class AckTimeout(Moves):
    """consumer_timeout: one message that is unacknowledged for too long costs the whole channel."""

    def loses_patience(self, t: Task, w: Worker, *held: Held) -> None:
        """RabbitMQ closes the channel, or from 4.3 on cancels the consumer; all of it returns.

        That is told over a connection that works: the worker gives nothing to its pool meanwhile.
        """
        require(self.held[t, w].is_in(*held), self.connected(w))
        self.connection_breaks(w, Main.REFUSED, counted=self.ack_timeouts_count)

    def runs_too_long(self, t: Task, w: Worker) -> None:
        """The body still runs when the patience ends."""
        require(self.has_job(t, w, *IN_BODY))
        self.loses_patience(t, w, Held.IN_POOL, Held.ACK_QUEUED)

    @action(
        source=PATIENCE,
        by="RabbitMQ",
        to="{w}",
        given=lambda m: m.runs and m.run_outlasts_ack_timeout,
    )
    def outlast_ack_timeout(self, t: Task, w: Worker) -> None:
        """{t} is unacknowledged for {consumer_timeout} s; RabbitMQ closes the channel of {w}."""
        self.runs_too_long(t, w)

    @fault(
        kind="slow_task",
        source=PATIENCE,
        by="time",
        to="{w}",
        given=lambda m: (
            m.runs
            and m.held_while_running
            and m.a_slow_run_outlasts_ack_timeout
            and not m.run_outlasts_ack_timeout
        ),
    )
    def be_slower_than_ack_timeout(self, t: Task, w: Worker) -> None:
        """{t} is slow for once; after {consumer_timeout} s RabbitMQ closes the channel of {w}."""
        self.runs_too_long(t, w)

    @action(source=PATIENCE, by="RabbitMQ", to="{w}", given=lambda m: m.wait_outlasts_ack_timeout)
    def wait_longer_than_ack_timeout(self, t: Task, w: Worker) -> None:
        """{t} waits {consumer_timeout} s behind others in {w}; RabbitMQ closes the channel."""
        self.loses_patience(t, w, Held.RESERVED)

    @fault(
        kind="slow_task",
        source=PATIENCE,
        by="time",
        to="{w}",
        given=lambda m: (
            m.runs and m.a_slow_run_outlasts_ack_timeout and not m.wait_outlasts_ack_timeout
        ),
    )
    def wait_behind_slow_task(self, t: Task, w: Worker) -> None:
        """{t} waits in {w} behind a task that is slow for once; RabbitMQ closes the channel.

        The other task need not be one of those that are looked at.
        """
        self.loses_patience(t, w, Held.RESERVED)

    @action(source=PATIENCE, by="RabbitMQ", to="{w}", given=lambda m: m.eta_outlasts_ack_timeout)
    def wait_for_eta_longer_than_ack_timeout(self, t: Task, w: Worker) -> None:
        """{t} waits {consumer_timeout} s for its ETA in {w}; RabbitMQ closes the channel."""
        self.loses_patience(t, w, Held.ETA)


class Heartbeats(Moves):
    """Solo sends no heartbeats while a task runs, and Celery 5.6.0 none in a warm shutdown."""

    def is_silent(self, t: Task, w: Worker) -> None:
        """The worker runs its task, and RabbitMQ hears nothing of it."""
        require(self.has_job(t, w, *IN_BODY), self.connected(w))
        self.connection_breaks(w)

    @action(
        source=HEARTBEAT,
        by="RabbitMQ",
        to="{w}",
        given=lambda m: m.runs and m.run_outlasts_heartbeats,
    )
    def miss_heartbeats(self, t: Task, w: Worker) -> None:
        """RabbitMQ hears no heartbeat of {w}, which runs {t}, and closes its connection."""
        self.is_silent(t, w)

    @fault(
        kind="slow_task",
        source=HEARTBEAT,
        by="time",
        to="{w}",
        given=lambda m: m.runs and m.solo and m.heartbeat > 0 and not m.run_outlasts_heartbeats,
    )
    def be_slower_than_heartbeats(self, t: Task, w: Worker) -> None:
        """{t} is slow for once; RabbitMQ hears no heartbeat of {w} and closes its connection."""
        self.is_silent(t, w)

    @action(
        source=HEARTBEAT,
        by="RabbitMQ",
        to="{w}",
        given=lambda m: m.runs and m.shutdown_outlasts_heartbeats,
    )
    def miss_heartbeats_in_shutdown(self, t: Task, w: Worker) -> None:
        """RabbitMQ hears no heartbeat of {w}, which stops when {t} is done, and takes back."""
        require(self.main[w].is_in(*LEAVING))
        self.is_silent(t, w)
