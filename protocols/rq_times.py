"""Times of RQ: when an idle worker finds what nobody goes on with, and how late that is."""

from __future__ import annotations

from twice.model import setting
from twice.protocols.durations import Bound, Duration, duration
from twice.protocols.rq_features import ALONE, GRACE, RQFeatures

MINUTE = Duration(f"{GRACE} s", GRACE)
"""What is added to a score, and to a timeout; and for how long an intermediate id is spared."""

LOCKED = Duration("899 s", 899)
"""How long the lock of a maintenance pass lasts when its holder died (1.16: registry.py)."""

POP_MARGIN = 15
"""Seconds by which a worker waits shorter for a job than its own key lives."""


class TimeSettings(RQFeatures):
    """Settings that change no state: they decide how late something is found, not whether."""

    worker_ttl: float = setting(
        420,
        "Worker(worker_ttl=...): an idle worker waits 15 s less for a job, then looks around.",
        unit="s",
        minimum=16,
    )
    maintenance_interval: float = setting(
        600, "Worker(maintenance_interval=...): least time between two passes.", unit="s", minimum=0
    )


class Times(TimeSettings):
    """Bounds on what is only late. They hold as long as some worker of the queue is idle.

    An idle worker thinks of maintenance only when its wait for a job ends, so that its passes are
    whole waits apart: with the defaults two of 405 s, not the 600 s of `maintenance_interval`.
    Measured with all defaults and one idle worker left (3.0.0): 803 s from the death of worker and
    horse to the verdict, of at most 900 s; 1,618 s from a death after the pop, of at most 1,680 s.

    A worker of 0.6 that waits for a job begins no pass, so that nothing bounds how late it is.
    """

    def bounds(self) -> dict[str, Bound]:
        """How late something is that is only late, as formulas over the settings."""
        found: dict[str, Bound] = {}
        if self.maintenance and self.locks_maintenance:
            found |= self._bounds_of_passes()
        else:
            found["expired"] = Bound("an entry that nobody renews expires after", self._lasts())
        if self.overruns:
            found["killed"] = Bound(
                "a horse past its timeout is killed after",
                duration(self, "job_timeout") + MINUTE,
                duration(self, "job_monitoring_interval"),
            )
        if self.retries_later:
            found["retried"] = Bound("a retry is due after", duration(self, "retry_interval"))
        return found

    def _bounds_of_passes(self) -> dict[str, Bound]:
        """When a pass finds what was left behind, counted from the last sign of life."""
        period = self._passes(1)
        found = {
            "abandoned": Bound("an abandoned job is found after", self._lasts(), period),
            "abandoned, a cleaner having died": Bound(
                "an abandoned job is found after", self._lasts(), LOCKED + period
            ),
        }
        if self.sweeps_intermediate:
            event = "a job popped, and no more, is found after"
            found["stuck"] = Bound(event, MINUTE, self._passes(2))
        return found

    def _lasts(self) -> Duration:
        """How long an entry of the StartedJobRegistry lasts: until the next heartbeat, and 60 s."""
        if not self.has_horses and not self.has_timeout:
            return Duration(f"{ALONE} s", ALONE)
        waits = [duration(self, "job_timeout")] if self.has_timeout else []
        if self.watches_horses:
            waits.append(duration(self, "job_monitoring_interval"))
        return min(waits) + MINUTE

    def _passes(self, number: int) -> Duration:
        """The longest time until one idle worker has begun so many passes."""
        wait = self.worker_ttl - POP_MARGIN
        waits = int(self.maintenance_interval // wait) + 1
        return number * waits * Duration(f"(worker_ttl - {POP_MARGIN} s)", wait)
