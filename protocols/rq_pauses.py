"""Processes of RQ that stand still for longer than the expiry: SIGSTOP, a frozen machine."""

from __future__ import annotations

from twice.model import action, fault, require, when
from twice.protocols.delivery import Worker
from twice.protocols.rq_horse import ALARM
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import (
    AFTER_BODY,
    BEFORE_BODY,
    MAINTENANCE,
    MID_JOB,
    UNREGISTERED,
    VERDICT,
    Phase,
    Process,
)
from twice.protocols.rq_worker import MONITOR

STOPPED = "operating system: SIGSTOP, swapping, a frozen virtual machine"
RESUMED = "operating system: SIGCONT"


class Pauses(RQMoves):
    """A worker, or a worker and its horse together, is paused.

    Left out are pauses that cannot do more than others: an idle worker's, which only comes late;
    a horse's alone, which its worker ends by killing it (`horse_kill`); an orphan's.
    """

    def _pause_worker(self, w: Worker, *points: Phase) -> None:
        """The worker's process stops at one of these points; its horse does not."""
        require(self.phase[w].is_in(*points), self.acts(w))
        self.process[w] = Process.PAUSED

    def _pause_machine(self, w: Worker, *points: Phase) -> None:
        """Both processes stop at one of these points."""
        require(self.phase[w].is_in(*points), self.acts(w))
        self.process[w] = Process.FROZEN

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}")
    def pause_worker_after_pop(self, w: Worker) -> None:
        """{w} is paused after it popped a job, before it registers the execution."""
        self._pause_worker(w, *UNREGISTERED)

    @fault(
        kind="pause",
        source=STOPPED,
        by="environment",
        to="{w}",
        given=lambda m: not m.entry_by_job,
    )
    def pause_worker_before_fork(self, w: Worker) -> None:
        """{w} is paused after it registered the execution, before it forks the horse."""
        self._pause_worker(w, Phase.REGISTERED)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}", given=lambda m: m.has_horses)
    def pause_worker_mid_job(self, w: Worker) -> None:
        """{w} is paused while its horse goes on with the job."""
        self._pause_worker(w, *BEFORE_BODY, *MID_JOB)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}", given=lambda m: m.has_horses)
    def pause_worker_after_body(self, w: Worker) -> None:
        """{w} is paused after the job's function ended in its horse."""
        self._pause_worker(w, *AFTER_BODY, Phase.EXITING)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}", given=lambda m: m.has_horses)
    def pause_worker_before_verdict(self, w: Worker) -> None:
        """{w} is paused after its horse died, before it has recorded that."""
        self._pause_worker(w, *VERDICT)

    @fault(
        kind="pause",
        source=STOPPED,
        by="environment",
        to="{w}",
        given=lambda m: m.maintenance,
    )
    def pause_worker_during_maintenance(self, w: Worker) -> None:
        """{w} is paused in a maintenance pass, for longer than its lock lasts."""
        self._pause_worker(w, *MAINTENANCE)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}")
    def pause_machine_before_body(self, w: Worker) -> None:
        """{w} and its horse are paused before the horse calls the job's function."""
        self._pause_machine(w, *BEFORE_BODY)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}")
    def pause_machine_mid_job(self, w: Worker) -> None:
        """{w} and its horse are paused in the middle of the job's function."""
        self._pause_machine(w, *MID_JOB)

    @fault(kind="pause", source=STOPPED, by="environment", to="{w}")
    def pause_machine_after_body(self, w: Worker) -> None:
        """{w} and its horse are paused after the job's function ended."""
        alone = () if self.has_horses else (Phase.EXITING,)
        self._pause_machine(w, *AFTER_BODY, *alone)


class Awakenings(Pauses):
    """What was paused goes on where it was, and finds what time it is."""

    @action(source=RESUMED, by="environment", to="{w}")
    def wake_worker(self, w: Worker) -> None:
        """{w} goes on where it was."""
        require(self.process[w] == Process.PAUSED)
        self.process[w] = Process.RUNNING

    @action(source=RESUMED, by="environment", to="{w}")
    def wake_machine(self, w: Worker) -> None:
        """{w} and its horse go on where they were."""
        require(self.process[w] == Process.FROZEN)
        self.process[w] = Process.RUNNING

    @action(source=ALARM, by="environment", to="{w}", given=lambda m: m.has_timeout)
    def wake_machine_past_timeout(self, w: Worker) -> None:
        """{w} and its horse go on past the timeout of {job_timeout} s: the alarm goes off."""
        require(self.process[w] == Process.FROZEN)
        self._let_alarm_go_off(w)
        self.process[w] = Process.RUNNING

    @action(
        source=MONITOR,
        by="environment",
        to="{w}",
        given=lambda m: m.has_timeout and m.watches_horses,
    )
    def wake_machine_overdue(self, w: Worker) -> None:
        """{w} and its horse go on a minute past the timeout: {w} is going to kill the horse."""
        require(self.process[w] == Process.FROZEN)
        self._let_alarm_go_off(w)
        self.process[w] = Process.OVERDUE

    @action(
        source=MONITOR,
        by="environment",
        to="{w}",
        given=lambda m: m.has_timeout and m.watches_horses,
    )
    def wake_worker_overdue(self, w: Worker) -> None:
        """{w} goes on a minute past the timeout, and takes its horse, long done, for killed."""
        require(self.process[w] == Process.PAUSED, self.phase[w] == Phase.EXITING)
        self.process[w] = Process.RUNNING
        self.phase[w] = Phase.HORSE_DEAD

    def _let_alarm_go_off(self, w: Worker) -> None:
        """The job's alarm counts wall-clock time: a job still running is stopped at once."""
        if self.alarm_works:
            with when(self.phase[w].is_in(*MID_JOB)):
                self.phase[w] = Phase.RAISED
