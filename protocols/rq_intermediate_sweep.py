"""Maintenance, second part: ids that stay in the intermediate list."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, RETRY
from twice.protocols.rq_started_sweep import StartedSweepSteps
from twice.protocols.rq_state import FirstSeen, Phase, Status

SWEEP = "rq 3.0.0: intermediate_queue.py:cleanup"


class IntermediateSweepSteps(StartedSweepSteps):
    """An idle worker looks at each id twice, a minute apart; the second time it gives the job up, whatever its status.

    Nothing ever clears `first_seen` but its life of 24 hours, so that an id seen once in the last day gets no
    second minute. (That it is cleared in the end only gives more time, and is left out.)
    """

    @property
    def sweeps_intermediate(self) -> bool:
        """Whether the intermediate list is used and looked after."""
        return self.maintenance and self.pops_by_move

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def see_intermediate_id(self, t: Task, w: Worker) -> None:
        """{w}, in a maintenance pass, finds {t} in the intermediate list."""
        require(self.phase[w] == Phase.IDLE, self.starts_pass(w), self.intermediate[t] > 0)
        self.job[w] = t
        self.phase[w] = Phase.SAW_INTERMEDIATE

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def look_up_intermediate(self, t: Task, w: Worker) -> None:
        """{w} reads the hash of {t}."""
        require(self.phase[w] == Phase.SAW_INTERMEDIATE, self.job[w] == t, self.acts(w))
        require(self.status[t] != Status.NONE, self.redis_answers())
        self.memory[w] = self.retries_left[t]
        self.phase[w] = Phase.LOOKED_UP

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and not m.redis_persistence,
    )
    def find_no_hash(self, t: Task, w: Worker) -> None:
        """{w} finds no hash of {t}, and the intermediate list emptied with it."""
        require(self.phase[w] == Phase.SAW_INTERMEDIATE, self.job[w] == t, self.acts(w))
        require(self.status[t] == Status.NONE, self.redis_answers())
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def pass_over_registered(self, t: Task, w: Worker) -> None:
        """{w} sees that {t} is in the StartedJobRegistry and passes over it."""
        require(self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        require(self.has_entry(t), self.redis_answers())
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def note_first_sight(self, t: Task, w: Worker) -> None:
        """{w} notes that it sees {t} in the intermediate list for the first time."""
        require(self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        require(~self.has_entry(t), self.first_seen[t] == FirstSeen.NEVER, self.redis_answers())
        self.first_seen[t] = FirstSeen.RECENTLY
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def give_it_a_minute(self, t: Task, w: Worker) -> None:
        """{w} sees that {t} was first seen less than a minute ago and leaves it."""
        require(self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        require(~self.has_entry(t), self.first_seen[t] == FirstSeen.RECENTLY, self.redis_answers())
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def hold_stuck(self, t: Task, w: Worker) -> None:
        """{w} sees that {t} was first seen more than a minute ago, and so holds it stuck."""
        require(self.phase[w] == Phase.LOOKED_UP, self.job[w] == t, self.acts(w))
        require(~self.has_entry(t), self.first_seen[t] == FirstSeen.LONG_AGO, self.redis_answers())
        self.phase[w] = Phase.STUCK

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
        self.put_in_queue(t, self.memory[w] - 1)
        self.phase[w] = Phase.REMOVING

    @action(
        source=RETRY,
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate and m.retries_later,
    )
    def mark_stuck_scheduled(self, t: Task, w: Worker) -> None:
        """{w} sets the status of {t}, which it holds stuck, to scheduled, with a command of its own."""
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
        """{w} puts {t}, which it holds stuck, into the ScheduledJobRegistry."""
        require(self.phase[w] == Phase.STUCK_SCHEDULING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.put_in_schedule(t, w)
        self.phase[w] = Phase.REMOVING

    @action(source=FAILURE, by="{w}", to="Redis", given=lambda m: m.sweeps_intermediate)
    def fail_stuck(self, t: Task, w: Worker) -> None:
        """{w} records {t}, which it holds stuck and which has no retry left, as failed."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] == 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_failed(t, w)
        self.phase[w] = Phase.REMOVING

    @action(
        source="rq 3.0.0: intermediate_queue.py:remove",
        by="{w}",
        to="Redis",
        given=lambda m: m.sweeps_intermediate,
    )
    def remove_intermediate_id(self, t: Task, w: Worker) -> None:
        """{w} takes {t} out of the intermediate list."""
        require(
            self.phase[w] == Phase.REMOVING, self.job[w] == t, self.acts(w), self.redis_answers()
        )
        self.leave_intermediate(t)
        self.end_pass(w)
