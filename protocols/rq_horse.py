"""The work horse of RQ: one forked process for each job."""

from __future__ import annotations

from twice.model import action, fault, require, when
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_kills import KILLED, LOST
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import MID_JOB, Phase, Process, Status

PREPARE = "rq {version}: worker/base.py:prepare_job_execution"
PERFORM = "rq {version}: worker/base.py:perform_job"
ALARM = "rq {version}: timeouts.py:UnixSignalDeathPenalty"
SUCCESS = "rq {version}: worker/base.py:handle_job_success"
FAILURE = "rq {version}: worker/base.py:handle_job_failure"
QUARANTINE = "rq {version}: queue.py:FailedQueue.quarantine"
RETRY = "rq {version}: job.py:retry"


class HorseSteps(RQMoves):
    """A horse registers, calls the job's function and records how it went, an orphan alike."""

    @action(source=PREPARE, by="horse of {w}", to="Redis")
    def register_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} sets {t} to started and clears the intermediate list of it."""
        require(self.phase[w] == self.registers_from, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.mark_started(t)
        self.phase[w] = Phase.HORSE_READY

    @action(source=PERFORM, by="horse of {w}")
    def start(self, t: Task, w: Worker) -> None:
        """The horse of {w} calls the function of {t}."""
        require(self.phase[w] == Phase.HORSE_READY, self.job[w] == t, self.horse_acts(w))
        if self.persists_apart:
            require(self.redis_answers())
        self.count_start(t)
        self.note_start(t, w)
        self.phase[w] = Phase.BODY

    @action(source=PERFORM, by="horse of {w}")
    def have_effect(self, t: Task, w: Worker) -> None:
        """The function of {t}, in the horse of {w}, has its effect on the outside world."""
        require(self.phase[w] == Phase.BODY, self.job[w] == t, self.horse_acts(w))
        self.count_effect(t)
        self.phase[w] = Phase.EFFECT

    @action(source=PERFORM, by="horse of {w}", given=lambda m: not m.times_out)
    def finish(self, t: Task, w: Worker) -> None:
        """The function of {t}, in the horse of {w}, returns."""
        require(self.phase[w] == Phase.EFFECT, self.job[w] == t, self.horse_acts(w))
        if self.overruns and not self.may_end_overrun:
            require(self.process[w] != Process.RUNNING)
        self.count_completion(t)
        self.note_completion(t, w)
        self.phase[w] = Phase.RETURNED

    @action(source=PERFORM, by="horse of {w}", given=lambda m: m.job_raises)
    def raise_error(self, w: Worker) -> None:
        """The job's function, in the horse of {w}, raises an exception."""
        require(self.phase[w].is_in(*MID_JOB), self.horse_acts(w))
        self.phase[w] = Phase.RAISED

    @action(source=ALARM, by="horse of {w}", given=lambda m: m.times_out)
    def be_stopped_by_alarm(self, w: Worker) -> None:
        """The timeout of {job_timeout} s is over: an alarm stops the job of {w}."""
        require(self.phase[w].is_in(*MID_JOB), self.horse_acts(w))
        self.phase[w] = Phase.RAISED

    @action(source=SUCCESS, by="horse of {w}", to="Redis")
    def commit(self, t: Task, w: Worker) -> None:
        """The horse of {w} records {t} as finished and drops its entry."""
        require(self.phase[w] == self.commits_from, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        if self.releases_first:
            require(~self.is_waiting(t))
        waits = self.is_waiting(t)
        self.put_in_finished(t, w)
        if not self.releases_last:
            self.horse_is_done(w)
            return
        with when(waits):
            self.phase[w] = Phase.RELEASING
        with when(~waits):
            self.horse_is_done(w)


class HorseFailureSteps(HorseSteps):
    """A horse whose job failed retries it, or records the failure; its entry is dropped."""

    @action(source=FAILURE, by="horse of {w}", to="Redis", given=lambda m: m.retries_at_once)
    def retry_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} has a retry left for {t} and pushes it back to the queue."""
        require(self.phase[w] == self.fails_from, self.job[w] == t, self.horse_memory(w) > 0)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_queue(t, self.horse_memory(w) - 1)
        self.save_arguments(t, w)
        self.remove_entry(t, w)
        self.horse_is_done(w)

    @action(source=RETRY, by="horse of {w}", to="Redis", given=lambda m: m.retries_later)
    def mark_scheduled_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} has a retry left for {t} and first sets its status to scheduled."""
        require(self.phase[w] == self.fails_from, self.job[w] == t, self.horse_memory(w) > 0)
        require(self.horse_acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.phase[w] = Phase.HORSE_SCHEDULING

    @action(source=FAILURE, by="horse of {w}", to="Redis", given=lambda m: m.retries_later)
    def schedule_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} adds {t} to the ScheduledJobRegistry, due in {retry_interval} s."""
        require(self.phase[w] == self.before_scheduling(Phase.HORSE_SCHEDULING))
        require(self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_schedule(t, self.horse_memory(w))
        self.save_arguments(t, w)
        self.remove_entry(t, w)
        self.horse_is_done(w)

    @action(source=FAILURE, by="horse of {w}", to="Redis", given=lambda m: not m.fails_in_two)
    def fail_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} has no retry left for {t} and records it as failed."""
        require(self.phase[w] == self.fails_from, self.job[w] == t, self.horse_memory(w) == 0)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_failed(t, self.horse_memory(w))
        self.save_arguments(t, w)
        self.remove_entry(t, w)
        self.horse_is_done(w)


class TwoPartFailureSteps(HorseFailureSteps):
    """Before there was a FailedJobRegistry: the status, then the failed queue (0.6).

    Between the two the job is nowhere: it is in the registry of started jobs no more.
    """

    @action(source=FAILURE, by="horse of {w}", to="Redis", given=lambda m: m.fails_in_two)
    def mark_failed_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} sets the status of {t} to failed and drops its entry."""
        require(self.phase[w] == Phase.RAISED, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.status[t] = Status.FAILED
        self.remove_entry(t, w)
        self.phase[w] = Phase.HORSE_FAILING

    @action(source=QUARANTINE, by="horse of {w}", to="Redis", given=lambda m: m.fails_in_two)
    def quarantine_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} saves {t} and pushes its id to the failed queue."""
        require(self.phase[w] == Phase.HORSE_FAILING, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_failed(t, self.horse_memory(w))
        self.save_arguments(t, w)
        self.horse_is_done(w)

    @fault(
        kind="horse_kill",
        source=KILLED,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.fails_in_two,
    )
    def kill_horse_before_failed_queue(self, w: Worker) -> None:
        """The horse of {w} is killed between the status failed and the failed queue."""
        require(self.phase[w] == Phase.HORSE_FAILING, self.horse_acts(w))
        self.horse_dies(w)

    @fault(
        kind="machine_loss", source=LOST, by="environment", to="{w}", given=lambda m: m.fails_in_two
    )
    def lose_machine_before_failed_queue(self, w: Worker) -> None:
        """The machine of {w} is lost between the status failed and the failed queue."""
        require(self.phase[w] == Phase.HORSE_FAILING)
        self.machine_ends(w)
