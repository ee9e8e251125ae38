"""SIGTERM (or SIGINT) to a worker of RQ: once to stop after the job, twice to stop at once."""

from __future__ import annotations

from twice.model import fault, require
from twice.protocols.delivery import Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import (
    AFTER_BODY,
    AFTER_POP,
    BUSY,
    MAINTENANCE,
    MID_JOB,
    VERDICT,
    Phase,
)

STOP = "rq {version}: worker/base.py:request_stop"
FORCE = "rq {version}: worker/base.py:request_force_stop"


class Signals(RQMoves):
    """A worker is asked to stop.

    The first signal stops it at once unless it is busy, which it is only from its registration of
    the execution on. A second one, a second or more later, takes the horse down with it.
    """

    @fault(kind="sigterm", source=STOP, by="environment", to="{w}")
    def sigterm_idle_worker(self, w: Worker) -> None:
        """{w} gets SIGTERM while idle, and leaves."""
        require(self.phase[w] == Phase.IDLE, self.acts(w), ~self.stop_requested[w])
        self.worker_ends(w)

    @fault(kind="sigterm", source=STOP, by="environment", to="{w}")
    def sigterm_after_pop(self, w: Worker) -> None:
        """{w} gets SIGTERM, thinks itself idle, and leaves: the popped job is thrown away."""
        require(self.phase[w].is_in(*AFTER_POP), self.acts(w))
        self.worker_ends(w)

    @fault(kind="sigterm", source=STOP, by="environment", to="{w}")
    def sigterm_busy_worker(self, w: Worker) -> None:
        """{w} gets SIGTERM while busy, and will leave after this job."""
        require(self.phase[w].is_in(*BUSY), self.acts(w), ~self.stop_requested[w])
        self.stop_requested[w] = True

    @fault(
        kind="group_sigterm",
        source=STOP,
        by="environment",
        to="{w}",
        given=lambda m: m.has_horses and not m.watches_horses,
    )
    def group_sigterm_mid_job(self, w: Worker) -> None:
        """{w} and its horse, in one process group, get SIGTERM mid-job: the horse dies of it."""
        require(self.phase[w].is_in(*MID_JOB), self.acts(w), ~self.stop_requested[w])
        self.stop_requested[w] = True
        self.horse_dies(w)

    @fault(kind="sigterm", source=STOP, by="environment", to="{w}", given=lambda m: m.maintenance)
    def sigterm_during_maintenance(self, w: Worker) -> None:
        """{w} gets SIGTERM in a maintenance pass, and leaves; its lock expires in 899 s."""
        require(self.phase[w].is_in(*MAINTENANCE), self.acts(w))
        self.worker_ends(w)

    @fault(kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: m.has_horses)
    def second_sigterm_mid_job(self, w: Worker) -> None:
        """{w} gets a second SIGTERM, kills its horse mid-job, and leaves without a verdict."""
        require(self.phase[w].is_in(*MID_JOB), self.acts(w), self.stop_requested[w])
        self.machine_ends(w)

    @fault(kind="sigterm", source=FORCE, by="environment", to="{w}", given=lambda m: m.has_horses)
    def second_sigterm_after_body(self, w: Worker) -> None:
        """{w} gets a second SIGTERM after the body, and leaves with its horse, no verdict."""
        require(self.phase[w].is_in(*AFTER_BODY, Phase.EXITING, *VERDICT))
        require(self.acts(w), self.stop_requested[w])
        self.machine_ends(w)
