"""Times of Celery over AMQP: how late something is that is only late."""

from __future__ import annotations

from twice.protocols.celery_amqp_features import SERVER_HEARTBEAT, Features
from twice.protocols.celery_amqp_settings import Version
from twice.protocols.durations import NOTHING, Bound, Duration, duration

CHECKS_OF_TIMEOUT = Duration("until RabbitMQ looks", 60)
"""Time between two looks of RabbitMQ at what is unacknowledged (its docs, consumers.md)."""

TERM_TO_KILL = Duration("from SIGTERM to SIGKILL", 0.1)
"""Time between SIGTERM and SIGKILL to an overdue child (billiard: TimeoutHandler._trywaitkill)."""

MISSED = 2
"""Heartbeats missed until RabbitMQ closes; it looks once in each, so up to one more passes.

rabbitmq-server: rabbit_heartbeat.erl:start_heartbeat_receiver; measured with 6 s: 14.6 s.
"""


class Times(Features):
    """Durations as formulas, and the bounds made of them."""

    def bounds(self) -> dict[str, Bound]:
        """How late something is that is only late, as formulas over the settings."""
        return {**self._bounds_of_messages(), **self._bounds_of_runs()}

    def _bounds_of_messages(self) -> dict[str, Bound]:
        """When a message that a worker holds is let go of, or taken back."""
        found: dict[str, Bound] = {}
        held = self._held_to_end() if self.held_while_running else self._held_to_start()
        if held > NOTHING and (self.ack_timeout is None or held.seconds <= self.ack_timeout):
            found["held"] = Bound("a message is unacknowledged for at most", held)
        if self.heartbeat > 0 and self.version is not Version.V3_1:  # it asks for none by default
            beat = self._negotiated_heartbeat()
            found["returned, its machine having vanished"] = Bound(
                "back in the queue after", MISSED * beat, beat
            )
        if self.ack_timeout is not None:
            found["taken back"] = Bound(
                "what is not acknowledged is back in the queue after",
                duration(self, "consumer_timeout"),
                CHECKS_OF_TIMEOUT,
            )
        if self.window_is_static and self.eta > 0:
            eta = duration(self, "eta")
            found["window"] = Bound("a window full of ETAs has room again after", eta)
        return found

    def _bounds_of_runs(self) -> dict[str, Bound]:
        """When a run ends that is to end, and when the next one is due."""
        found: dict[str, Bound] = {}
        if self.counts_retries:
            delay = duration(self, "default_retry_delay")
            found["retried"] = Bound("a retry is due after", delay)
        if self.prefork and self.hard_limit is not None:
            limit = duration(self, "task_time_limit")
            found["killed"] = Bound("an overdue child is killed after", limit, TERM_TO_KILL)
        if self.worker_soft_shutdown_timeout > 0:
            grace = duration(self, "worker_soft_shutdown_timeout")
            found["cold"] = Bound("a soft shutdown turns cold after", grace)
        return found

    def _held_to_start(self) -> Duration:
        """The longest time from a delivery until the pool accepts the task."""
        eta = duration(self, "eta") if self.eta else NOTHING
        delay = duration(self, "default_retry_delay") if self.counts_retries else NOTHING
        return max(eta, delay) + self.neighbours * self._run()

    def _held_to_end(self) -> Duration:
        """The longest time from a delivery until the end of the run."""
        return self._held_to_start() + self._run()

    def _run(self) -> Duration:
        """The longest time a run takes, its limits considered."""
        runs = [duration(self, "run_time")]
        if self.soft_limit is not None:
            runs.append(duration(self, "task_soft_time_limit"))
        if self.hard_limit is not None:
            runs.append(duration(self, "task_time_limit"))
        return min(runs)

    def _negotiated_heartbeat(self) -> Duration:
        """The smaller of what the worker and RabbitMQ ask for."""
        if self.broker_heartbeat < SERVER_HEARTBEAT:
            return duration(self, "broker_heartbeat")
        return Duration("RabbitMQ's heartbeat", SERVER_HEARTBEAT)
