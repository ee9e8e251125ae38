"""What all delivery protocols share: tasks, workers, what is counted, what the outcomes mean."""

from __future__ import annotations

from twice.model import (
    Bool,
    Expr,
    Map,
    Model,
    Sort,
    always_reachable,
    finitely_often,
    invariant,
    ite,
)
from twice.model.rules import ActionMark
from twice.protocols.durations import Bound
from twice.protocols.outcomes import OUTCOMES


class Task(Sort):
    """One publish: a message and the work it stands for."""


class Worker(Sort):
    """A consumer process, with whatever it starts to run the body of a task."""


SCOPE: dict[str, type[Sort]] = {"tasks": Task, "workers": Worker}
"""What a scope counts, by the names that specs use."""


def scope_of(tasks: int = 1, workers: int = 2) -> dict[type[Sort], int]:
    """The scope of so many tasks and workers."""
    return {Task: tasks, Worker: workers}


class Delivery(Model):
    """A protocol that brings tasks from a producer to workers.

    The body of a task has three steps of its own, *start*, *effect* and *return*, so that a run
    killed in the middle may or may not have had its effect. They are counted here, up to two: no
    outcome asks for more. A protocol calls `count_start`, `count_effect` and `count_completion` in
    these steps, names its starting action ``start``, and supplies `accepted`, `failure_recorded`,
    `copy_left` and `runs_now`. All outcomes follow.

    Three kinds of formulas are behind the words. What happened too often, or contradicts itself,
    is seen in one state (`invariant`). What will never be is a *point of no return*
    (`always_reachable`): a state from which, without further faults, no continuation at all makes
    it good; so *lost* depends neither on how long one waits nor on fairness. *Loop* is a cycle.
    """

    starts: Map[Task, int] = Map(0, within=range(3))
    effects: Map[Task, int] = Map(0, within=range(3))
    completions: Map[Task, int] = Map(0, within=range(3))

    @classmethod
    def outcomes(cls) -> dict[str, str]:
        """The outcome words this protocol is checked for, with their meanings, the worst first."""
        words = {getattr(mark, "violation", "") for mark in cls.rules().values()}
        return {word: meaning for word, meaning in OUTCOMES.items() if word in words}

    def fault_kinds(self) -> list[str]:
        """The kinds of faults that there are under the settings of this model."""
        marks = (mark for mark in self.rules().values() if isinstance(mark, ActionMark))
        there = (mark.fault for mark in marks if mark.given is None or mark.given(self))
        return list(dict.fromkeys(kind for kind in there if kind))

    def bounds(self) -> dict[str, Bound]:
        """How late something is that is only late, as formulas over the settings."""
        return {}

    # What a protocol supplies.

    def accepted(self, t: Task) -> Bool:
        """Whether the producer was told that its publish is accepted."""
        raise NotImplementedError

    def failure_recorded(self, t: Task) -> Bool:
        """Whether a failure of the task is recorded where its owner will look."""
        raise NotImplementedError

    def copy_left(self, t: Task) -> Bool:
        """Whether anything holds the task: a structure of the broker, or a living process.

        A structure counts even if nobody reads it: that tells *stuck* from *lost*.
        """
        raise NotImplementedError

    def runs_now(self, t: Task) -> Expr[int]:
        """How many runs of the body have started and not ended; a paused one has not ended."""
        raise NotImplementedError

    # What is counted.

    def count_start(self, t: Task) -> None:
        """The body starts once more."""
        self.starts[t] = _one_more(self.starts[t])

    def count_effect(self, t: Task) -> None:
        """The body has its outside effect once more."""
        self.effects[t] = _one_more(self.effects[t])

    def count_completion(self, t: Task) -> None:
        """The body completes once more."""
        self.completions[t] = _one_more(self.completions[t])

    def started(self, t: Task) -> Bool:
        """Whether the body ever started."""
        return self.starts[t] > 0

    def completed(self, t: Task) -> Bool:
        """Whether the body ever completed."""
        return self.completions[t] > 0

    def settled(self, t: Task) -> Bool:
        """Whether the task got done, or its owner can read that it did not."""
        return self.completed(t) | self.failure_recorded(t)

    # The outcomes.

    @always_reachable(violation="lost")
    def is_never_lost(self, t: Task) -> Bool:
        """{t}, once accepted, completes, is recorded as failed, or is still held somewhere."""
        return self.settled(t) | self.copy_left(t) | ~self.accepted(t)

    @always_reachable(violation="stuck")
    def is_never_stuck(self, t: Task) -> Bool:
        """{t}, once accepted, can still be settled as long as anything holds it."""
        return self.settled(t) | ~self.copy_left(t) | ~self.accepted(t)

    @always_reachable(violation="failed")
    def never_fails_for_good(self, t: Task) -> Bool:
        """{t} can still complete wherever a failure of it is recorded."""
        return self.completed(t) | ~self.failure_recorded(t)

    @always_reachable(violation="failed_unrun")
    def never_fails_unrun(self, t: Task) -> Bool:
        """{t} has started, or still can, wherever a failure of it is recorded."""
        return self.started(t) | ~self.failure_recorded(t)

    @invariant(violation="false_failure")
    def no_false_failure(self, t: Task) -> Bool:
        """No failure of {t} is recorded when its body completed."""
        return ~(self.completed(t) & self.failure_recorded(t))

    @invariant(violation="started_twice")
    def starts_at_most_once(self, t: Task) -> Bool:
        """The body of {t} starts at most once."""
        return self.starts[t] <= 1

    @invariant(violation="completed_twice")
    def completes_at_most_once(self, t: Task) -> Bool:
        """The body of {t} completes at most once."""
        return self.completions[t] <= 1

    @invariant(violation="effect_twice")
    def has_its_effect_at_most_once(self, t: Task) -> Bool:
        """The outside effect of {t} happens at most once."""
        return self.effects[t] <= 1

    @invariant(violation="overlapping")
    def never_overlaps(self, t: Task) -> Bool:
        """No two runs of {t} go on at the same time."""
        return self.runs_now(t) <= 1

    @finitely_often("start", violation="loop")
    def starts_finitely_often(self, t: Task) -> Bool:
        """{t} is not started again and again without ever completing."""
        return ~self.completed(t)


def _one_more(counted: Expr[int]) -> Expr[int]:
    return ite(counted < 2, counted + 1, 2)
