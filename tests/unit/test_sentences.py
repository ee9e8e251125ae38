"""Sentences that people read, filled in from docstrings; scopes that fit the sorts."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

import pytest

from twice.model import (
    Bool,
    Map,
    Model,
    Sort,
    UsageError,
    Var,
    Verdict,
    action,
    always_reachable,
    check,
    count,
    finitely_often,
    forall,
    invariant,
    reachable,
    require,
)


class Task(Sort):
    """A message."""


class Worker(Sort):
    """A consumer."""


class Status(Enum):
    """No sort."""

    READY = "ready"


class Letters(Model):
    """Letters and carriers."""

    words: ClassVar[dict[type[Sort], str]] = {Task: "letter", Worker: "carrier"}

    brand: str = "{x}"
    holder: Map[Task, Worker | None] = Map(None, label="in the bag of")

    @action(source="post 1.0 ({brand})", by="{w}", to="{t}")
    def take(self, t: Task, w: Worker) -> None:
        """{w} takes {t} of
        brand {brand}, {{really}}.

        A second paragraph is for readers of the source.
        """  # noqa: D205
        require(self.holder[t].is_none())
        self.holder[t] = w

    @invariant
    def kept(self, t: Task) -> Bool:
        """{t} stays."""
        return self.holder[t].is_none()

    @reachable
    def gone(self, t: Task) -> Bool:
        """{t} goes."""
        return ~self.holder[t].is_none()

    @always_reachable
    def back(self, t: Task) -> Bool:
        """{t} can come back."""
        return self.holder[t].is_none()

    @always_reachable
    def both(self, t: Task, w: Worker) -> Bool:
        """{t} can get to {w}."""
        return self.holder[t] == w

    @finitely_often("take")
    def rest(self, t: Task) -> Bool:
        """{t} rests in the end, whatever {brand} says."""
        return self.holder[t].is_none()


def test_sentences_are_filled_with_names_and_settings_once() -> None:
    model = Letters().compile({Task: 1, Worker: 2})
    trace = check(model, properties=["kept"]).result("kept").trace
    assert trace is not None
    (step,) = trace.steps
    assert step.sentence == "carrier 1 takes letter 1 of brand {x}, {really}."
    assert (step.source, step.by, step.to) == ("post 1.0 ({x})", "carrier 1", "letter 1")
    assert step.changes == (("in the bag of[letter 1]", "none", "carrier 1"),)


def test_sentences_of_properties_say_whom_they_are_about() -> None:
    sentences = {p.name: p.sentence for p in Letters().compile({Task: 2, Worker: 1}).properties}
    assert sentences == {
        "kept": "every letter stays.",
        "gone": "some letter goes.",
        "back": "letter 1 can come back.",
        "both": "t can get to w.",
        "rest": "letter 1 rests in the end, whatever {x} says.",
    }


def test_two_members_of_one_sort_are_refused_where_runs_matter() -> None:
    class Wrong(Letters):
        """Wrong."""

        @always_reachable
        def meet(self, t: Task, u: Task) -> Bool:
            """{t} and {u} can meet."""
            return self.holder[t] == self.holder[u]

    with pytest.raises(UsageError, match="`meet` speaks of two members of one sort"):
        Wrong().compile({Task: 2, Worker: 1})


# Scopes.


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({Task: 1}, "the scope does not say how many members Worker has; add Worker: 1"),
        ({Task: 1, Worker: 0}, "Worker cannot have 0 members; give a whole number from 1 up"),
        ({Task: 1, Worker: True}, "Worker cannot have True members"),
        ({Task: 1, Worker: 1, Status: 1}, "`Status` is no sort of this model; known names"),
    ],
)
def test_a_scope_that_does_not_fit_is_refused(scope: dict[type[Sort], int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Letters().compile(scope)


@pytest.mark.parametrize(
    ("workers", "message"),
    [
        (300, "this scope is too large for the rules to be written out; use fewer members"),
        (2_000, "this scope is too large for the rules to be written out; use fewer members"),
        (9_000, "a state would take 9,000 bits in this scope, and at most 8,192 can be explored"),
    ],
    ids=["source nested too deeply", "terms nested too deeply", "states too wide"],
)
def test_a_scope_that_is_too_large_is_refused(workers: int, message: str) -> None:
    class Hall(Model):
        """Lamps, of which half may be on."""

        on: Map[Worker, bool] = Map(False)

        @action
        def light(self, w: Worker) -> None:
            """{w} switches a lamp on."""
            require(count(Worker, lambda v: self.on[v]) < 99)
            self.on[w] = True

    with pytest.raises(UsageError, match=message):
        check(Hall().compile({Worker: workers}))


def test_a_sort_that_only_a_quantifier_speaks_of_belongs_to_the_scope() -> None:
    class Empty(Model):
        """Nothing but a condition."""

        on: Var[bool] = Var(True)

        @invariant
        def lit(self) -> Bool:
            """It is lit."""
            return forall(Worker, lambda w: self.on)

    assert Empty().program().sorts == (Worker,)
    assert check(Empty().compile({Worker: 2})).verdict is Verdict.HOLDS
