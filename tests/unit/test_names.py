"""A name that could mean two things is refused: steps are told apart by what people read."""

from __future__ import annotations

from enum import Enum
from types import new_class

import pytest

from twice.model import Model, Sort, UsageError, Var, action


def sort_called(name: str) -> type[Sort]:
    """A sort of this name."""
    return new_class(name, (Sort,))


Task = sort_called("Task")


def with_parameters(one: type, other: type) -> type[Model]:
    """A model with an action that two kinds of things take part in."""

    class Meeting(Model):
        """They meet."""

        met: Var[bool] = Var(False)

        def meet(self, a: object, b: object) -> None:
            """{a} meets {b}."""
            self.met = True

        meet.__annotations__ = {"a": one, "b": other, "return": None}
        meet = action(meet)

    return Meeting


class Mode(Enum):
    """Whose values read alike."""

    ONE = 1
    FIRST = "1"


class Word(Enum):
    """With a value that reads like a task."""

    TASK = "task 2"


class Plain(Enum):
    """Its value is not the name of any of two tasks."""

    TASK = "task 3"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (Task, Mode, "`1` could be Mode.FIRST or Mode.ONE; let Mode.FIRST read differently"),
        (Task, Word, "`task 2` could be Word.TASK or a Task; let Word.TASK read differently"),
        (Task, sort_called("Task"), "`task 1` could be of Task or of Task; call the members"),
    ],
    ids=["two values", "a value and a member", "two members"],
)
def test_it_is_refused(one: type[Sort], other: type, told: str) -> None:
    scope = {kind: 2 for kind in (one, other) if issubclass(kind, Sort)}
    with pytest.raises(UsageError, match=told):
        with_parameters(one, other)().compile(scope)


def test_other_names_may_look_alike() -> None:
    assert len(with_parameters(Task, Plain)().compile({Task: 2}).actions) == 2
