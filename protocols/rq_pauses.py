"""Processes of RQ that stand still for longer than the expiry: a long GC, SIGSTOP, a frozen virtual machine."""

from __future__ import annotations

from twice.model import action, fault, require, when
from twice.protocols.delivery import Worker
from twice.protocols.rq_horse import PERFORM
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import (
    AFTER_BODY,
    AFTER_POP,
    MAINTENANCE,
    MID_JOB,
    VERDICT,
    Phase,
    Process,
)
from twice.protocols.rq_worker import MONITOR


class Pauses(RQMoves):
    """A worker, or worker and horse together, is paused, and goes on later where it was.

    A paused idle worker only comes late and is left out. So is a horse paused alone: nothing happens until its
    worker kills it a minute past the timeout, which is `horse_kill`.
    """

    def pause_worker(self, w: Worker, *points: Phase) -> None:
        """The worker's process stops at one of these points; its horse does not."""
        require(self.phase[w].is_in(*points), self.acts(w))
        self.process[w] = Process.PAUSED

    def pause_machine(self, w: Worker, *points: Phase) -> None:
        """Both processes stop at one of these points."""
        require(self.phase[w].is_in(*points), self.acts(w))
        self.process[w] = Process.FROZEN

    @fault(kind="pause", by="environment", to="{w}")
    def pause_worker_after_pop(self, w: Worker) -> None:
        """{w} is paused after it popped a job, before it registered the execution."""
        self.pause_worker(w, *AFTER_POP)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_worker_before_fork(self, w: Worker) -> None:
        """{w} is paused after it registered the execution, before it forked the horse."""
        self.pause_worker(w, Phase.REGISTERED)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_worker_mid_job(self, w: Worker) -> None:
        """{w} is paused while its horse goes on with the job."""
        self.pause_worker(w, Phase.FORKED, Phase.HORSE_READY, *MID_JOB)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_worker_after_body(self, w: Worker) -> None:
        """{w} is paused after the job's function ended in its horse."""
        self.pause_worker(w, *AFTER_BODY, Phase.EXITING)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_worker_before_verdict(self, w: Worker) -> None:
        """{w} is paused after its horse died, before it has recorded that."""
        self.pause_worker(w, *VERDICT)

    @fault(kind="pause", by="environment", to="{w}", given=lambda m: m.maintenance)
    def pause_worker_during_maintenance(self, w: Worker) -> None:
        """{w} is paused in the middle of a maintenance pass, for longer than its lock lasts."""
        self.pause_worker(w, *MAINTENANCE)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_machine_before_body(self, w: Worker) -> None:
        """{w} and its horse are paused before the horse calls the job's function."""
        self.pause_machine(w, Phase.FORKED, Phase.HORSE_READY)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_machine_mid_job(self, w: Worker) -> None:
        """{w} and its horse are paused in the middle of the job's function."""
        self.pause_machine(w, *MID_JOB)

    @fault(kind="pause", by="environment", to="{w}")
    def pause_machine_after_body(self, w: Worker) -> None:
        """{w} and its horse are paused after the job's function ended, before that is recorded."""
        self.pause_machine(w, *AFTER_BODY)

    @action(source="operating system", by="environment", to="{w}")
    def wake_worker(self, w: Worker) -> None:
        """{w} goes on where it was."""
        require(self.process[w] == Process.PAUSED)
        self.process[w] = Process.RUNNING

    @action(source="operating system", by="environment", to="{w}")
    def wake_machine(self, w: Worker) -> None:
        """{w} and its horse go on where they were."""
        require(self.process[w] == Process.FROZEN)
        self.process[w] = Process.RUNNING

    @action(source=PERFORM, by="environment", to="horse of {w}", given=lambda m: m.has_timeout)
    def wake_machine_past_timeout(self, w: Worker) -> None:
        """{w} and its horse go on, and the timeout of {job_timeout} s having passed, the alarm stops the job at once."""
        require(self.process[w] == Process.FROZEN)
        if self.alarm_works:
            with when(self.phase[w].is_in(*MID_JOB)):
                self.phase[w] = Phase.RAISED
        self.process[w] = Process.RUNNING

    @action(source=MONITOR, by="environment", to="{w}", given=lambda m: m.has_timeout)
    def wake_machine_overdue(self, w: Worker) -> None:
        """{w} and its horse go on so late that {w} will kill the horse, a minute past the timeout."""
        require(self.process[w] == Process.FROZEN)
        if self.alarm_works:
            with when(self.phase[w].is_in(*MID_JOB)):
                self.phase[w] = Phase.RAISED
        self.process[w] = Process.OVERDUE

    @action(source=MONITOR, by="environment", to="{w}", given=lambda m: m.has_timeout)
    def wake_worker_overdue(self, w: Worker) -> None:
        """{w} goes on so late, a minute past the timeout, that it takes the end of its horse for a kill of its own."""
        require(self.process[w] == Process.PAUSED, self.phase[w] == Phase.EXITING)
        self.process[w] = Process.RUNNING
        self.phase[w] = Phase.HORSE_DEAD
