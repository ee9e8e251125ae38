"""Processes of RQ that die without a word: a worker, a horse, or the machine of both."""

from __future__ import annotations

from twice.model import fault, require
from twice.protocols.delivery import Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import (
    AFTER_BODY,
    MAINTENANCE,
    MID_JOB,
    RAISED,
    RETURNED,
    STARTING,
    UNREGISTERED,
    Phase,
    Process,
)

KILLED = "operating system: SIGKILL, the out-of-memory killer"
LOST = "operating system: power loss, a lost virtual machine"


class WorkerKills(RQMoves):
    """A worker is killed (SIGKILL); a horse it has goes on as an orphan."""

    def _kill_worker(self, w: Worker, *points: Phase) -> None:
        """The worker's process ends at one of these points."""
        require(self.phase[w].is_in(*points), self.process[w] != Process.DEAD)
        require(self.process[w] != Process.FROZEN)
        self.worker_ends(w)

    @fault(kind="worker_kill", source=KILLED, by="environment", to="{w}")
    def kill_idle_worker(self, w: Worker) -> None:
        """{w} is killed while it is idle."""
        self._kill_worker(w, Phase.IDLE)

    @fault(kind="worker_kill", source=KILLED, by="environment", to="{w}")
    def kill_worker_after_pop(self, w: Worker) -> None:
        """{w} is killed after it popped a job, before it registers the execution."""
        self._kill_worker(w, *UNREGISTERED)

    @fault(
        kind="worker_kill",
        source=KILLED,
        by="environment",
        to="{w}",
        given=lambda m: not m.entry_by_job,
    )
    def kill_worker_before_fork(self, w: Worker) -> None:
        """{w} is killed after it registered the execution, before it forks the horse."""
        self._kill_worker(w, Phase.REGISTERED)

    @fault(
        kind="worker_kill", source=KILLED, by="environment", to="{w}", given=lambda m: m.has_horses
    )
    def kill_worker_before_horse_registers(self, w: Worker) -> None:
        """{w} is killed right after the fork; its horse goes on alone."""
        self._kill_worker(w, *STARTING)

    @fault(kind="worker_kill", source=KILLED, by="environment", to="{w}")
    def kill_worker_mid_job(self, w: Worker) -> None:
        """{w} is killed mid-job; its horse goes on alone."""
        before = (Phase.HORSE_READY,) if self.has_horses else ()
        self._kill_worker(w, *before, *MID_JOB)

    @fault(kind="worker_kill", source=KILLED, by="environment", to="{w}")
    def kill_worker_after_body(self, w: Worker) -> None:
        """{w} is killed after the job's function ended in its horse."""
        self._kill_worker(w, *AFTER_BODY, Phase.EXITING)

    @fault(
        kind="worker_kill", source=KILLED, by="environment", to="{w}", given=lambda m: m.has_horses
    )
    def kill_worker_before_verdict(self, w: Worker) -> None:
        """{w} is killed after its horse died, before it has recorded that."""
        self._kill_worker(w, Phase.HORSE_DEAD, Phase.VERDICT)

    @fault(
        kind="worker_kill",
        source=KILLED,
        by="environment",
        to="{w}",
        given=lambda m: m.retries_later and m.has_horses,
    )
    def kill_worker_inside_retry_scheduling(self, w: Worker) -> None:
        """{w} is killed between the status scheduled and the ScheduledJobRegistry."""
        self._kill_worker(w, Phase.VERDICT_SCHEDULING)

    @fault(
        kind="worker_kill", source=KILLED, by="environment", to="{w}", given=lambda m: m.maintenance
    )
    def kill_worker_during_maintenance(self, w: Worker) -> None:
        """{w} is killed in a maintenance pass; its lock expires in 899 s."""
        self._kill_worker(w, *MAINTENANCE)


class HorseKills(RQMoves):
    """A horse is killed (SIGKILL, SIGTERM, the OOM killer), be it an orphan or not."""

    def _kill_horse(self, w: Worker, *points: Phase) -> None:
        """The horse ends at one of these points."""
        require(self.phase[w].is_in(*points), self.horse_acts(w))
        self.horse_dies(w)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_before_it_registers(self, w: Worker) -> None:
        """The horse of {w} is killed before it sets the status to started."""
        self._kill_horse(w, *STARTING)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_before_body(self, w: Worker) -> None:
        """The horse of {w} is killed before it calls the job's function."""
        self._kill_horse(w, Phase.HORSE_READY)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_mid_job(self, w: Worker) -> None:
        """The horse of {w} is killed in the middle of the job's function."""
        self._kill_horse(w, *MID_JOB)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_after_body(self, w: Worker) -> None:
        """The horse of {w} is killed after the body returned, before it has recorded that."""
        self._kill_horse(w, *RETURNED)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_before_it_records_failure(self, w: Worker) -> None:
        """The horse of {w} is killed after the body failed, before it has recorded that."""
        self._kill_horse(w, *RAISED)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.retries_later and m.has_horses,
    )
    def kill_horse_inside_retry_scheduling(self, w: Worker) -> None:
        """The horse of {w} is killed between status scheduled and ScheduledJobRegistry."""
        self._kill_horse(w, Phase.HORSE_SCHEDULING)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.has_horses,
    )
    def kill_horse_after_commit(self, w: Worker) -> None:
        """The horse of {w} is killed after its last transaction, before it exits."""
        self._kill_horse(w, Phase.EXITING)


class MachineLosses(RQMoves):
    """A machine is lost: a worker and its horse at once."""

    def _lose_machine(self, w: Worker, *points: Phase) -> None:
        """Both processes end at one of these points."""
        require(self.phase[w].is_in(*points))
        self.machine_ends(w)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_idle_machine(self, w: Worker) -> None:
        """The machine of {w} is lost while {w} is idle."""
        require(self.process[w] != Process.DEAD)
        self._lose_machine(w, Phase.IDLE)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_machine_after_pop(self, w: Worker) -> None:
        """The machine of {w} is lost after {w} popped a job, before it registers it."""
        self._lose_machine(w, *UNREGISTERED)

    @fault(
        kind="machine_loss",
        source=LOST,
        by="environment",
        to="{w}",
        given=lambda m: m.has_horses or not m.entry_by_job,
    )
    def lose_machine_before_horse_registers(self, w: Worker) -> None:
        """The machine of {w} is lost before the horse registers."""
        self._lose_machine(w, Phase.REGISTERED, *STARTING)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_machine_before_body(self, w: Worker) -> None:
        """The machine of {w} is lost before the horse calls the job's function."""
        self._lose_machine(w, Phase.HORSE_READY)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_machine_mid_job(self, w: Worker) -> None:
        """The machine of {w} is lost in the middle of the job's function."""
        self._lose_machine(w, *MID_JOB)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_machine_after_body(self, w: Worker) -> None:
        """The machine of {w} is lost after the body ended, before that is recorded."""
        self._lose_machine(w, *RETURNED, *RAISED)

    @fault(
        kind="machine_loss",
        source=LOST,
        by="environment",
        to="{w}",
        given=lambda m: m.retries_later,
    )
    def lose_machine_inside_retry_scheduling(self, w: Worker) -> None:
        """The machine of {w} is lost between status scheduled and ScheduledJobRegistry."""
        self._lose_machine(w, Phase.HORSE_SCHEDULING, Phase.VERDICT_SCHEDULING)

    @fault(kind="machine_loss", source=LOST, by="environment", to="{w}")
    def lose_machine_after_horse(self, w: Worker) -> None:
        """The machine of {w} is lost after the horse is done or dead."""
        self._lose_machine(w, Phase.EXITING, Phase.HORSE_DEAD, Phase.VERDICT)

    @fault(
        kind="machine_loss", source=LOST, by="environment", to="{w}", given=lambda m: m.maintenance
    )
    def lose_machine_during_maintenance(self, w: Worker) -> None:
        """The machine of {w} is lost in a maintenance pass; its lock expires in 899 s."""
        self._lose_machine(w, *MAINTENANCE)
