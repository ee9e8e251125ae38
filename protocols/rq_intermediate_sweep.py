"""Maintenance in RQ, second part: ids that stay in the intermediate list."""

from __future__ import annotations

from twice.model import Bool, action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, RETRY
from twice.protocols.rq_slow_failure import SlowFailureSteps
from twice.protocols.rq_state import FirstSeen, Phase, Status

SWEEP = "rq {version}: intermediate_queue.py:cleanup"
REMOVE = "rq {version}: intermediate_queue.py:remove"


class IntermediateSweepSteps(SlowFailureSteps):
    """An idle worker looks at each id twice, a minute apart, and then gives the job up.

    It does so whatever the status of the job, finished or not. The ids are taken down at the
    start of a pass and looked at one by one, which may be a while later. `first_seen` is kept by
    the job's id for 24 hours, so that an id seen before gets no second minute.
    """

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def see_intermediate_id(self, t: Task, w: Worker) -> None:
        """{w}, in a maintenance pass, finds {t} in the intermediate list."""
        require(self.phase[w] == Phase.IDLE, self.begins_pass(w), self.intermediate[t] > 0)
        self.job[w] = t
        self.phase[w] = Phase.SAW_INTERMEDIATE

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def look_up_job(self, t: Task, w: Worker) -> None:
        """{w} reads the hash of {t}."""
        require(self.phase[w] == Phase.SAW_INTERMEDIATE, self.job[w] == t, self.acts(w))
        require(self.status[t] != Status.NONE, self.redis_answers())
        self.remember(t, w)
        self.phase[w] = Phase.LOOKED_UP

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and m.hash_may_be_missing,
    )
    def find_no_hash(self, t: Task, w: Worker) -> None:
        """{w} finds no hash of {t}, nor its id in the list any more."""
        require(self.phase[w] == Phase.SAW_INTERMEDIATE, self.job[w] == t, self.acts(w))
        require(self.status[t] == Status.NONE, self.redis_answers())
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def pass_over(self, t: Task, w: Worker) -> None:
        """{w} sees an execution of {t} registered and passes over it."""
        require(self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        require(self.has_entry(t), self.redis_answers())
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def note_first_sight(self, t: Task, w: Worker) -> None:
        """{w} sees no execution of {t} registered, and notes when this was first seen."""
        require(*self._finds(t, w, FirstSeen.NEVER))
        self.first_seen[t] = FirstSeen.RECENTLY
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def give_a_minute(self, t: Task, w: Worker) -> None:
        """{w} sees no execution of {t} registered, first seen less than a minute ago."""
        require(*self._finds(t, w, FirstSeen.RECENTLY))
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def find_stuck(self, t: Task, w: Worker) -> None:
        """{w} sees no execution of {t} registered, first seen over a minute ago: it is stuck."""
        require(*self._finds(t, w, FirstSeen.LONG_AGO))
        self.phase[w] = Phase.STUCK

    def _finds(self, t: Task, w: Worker, seen: FirstSeen) -> tuple[Bool, ...]:
        """The guards of a look at an id that no execution accounts for."""
        looks = (self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        return (*looks, ~self.has_entry(t), self.first_seen[t] == seen, self.redis_answers())


class StuckJobSteps(IntermediateSweepSteps):
    """A job held stuck is retried or recorded as failed; then its id leaves the list."""

    @action(
        source=FAILURE,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and m.retries_at_once,
    )
    def retry_stuck(self, t: Task, w: Worker) -> None:
        """{w} pushes {t}, which it holds stuck, back to the queue."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_back(t, w)
        self.phase[w] = Phase.REMOVING

    @action(
        source=RETRY,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and m.retries_later,
    )
    def mark_stuck_scheduled(self, t: Task, w: Worker) -> None:
        """{w} first sets the status of {t}, which it holds stuck, to scheduled."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.phase[w] = Phase.STUCK_SCHEDULING

    @action(
        source=FAILURE,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and m.retries_later,
    )
    def schedule_stuck(self, t: Task, w: Worker) -> None:
        """{w} adds {t}, which it holds stuck, to the ScheduledJobRegistry."""
        require(self.phase[w] == self.before_scheduling(Phase.STUCK_SCHEDULING))
        require(self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.put_in_schedule(t, self.memory[w])
        self.save_arguments(t, w)
        self.phase[w] = Phase.REMOVING

    @action(source=FAILURE, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def fail_stuck(self, t: Task, w: Worker) -> None:
        """{w} records {t}, which it holds stuck and without a retry left, as failed."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] == 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_failed(t, self.memory[w])
        self.save_arguments(t, w)
        self.phase[w] = Phase.REMOVING

    @action(source=REMOVE, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def remove_intermediate_id(self, t: Task, w: Worker) -> None:
        """{w} takes {t} out of the intermediate list."""
        require(self.phase[w] == Phase.REMOVING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.leave_intermediate(t)
        self.end_pass(w)
