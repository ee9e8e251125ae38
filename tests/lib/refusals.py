"""Mistakes in models, each with the refusal it must meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twice.model import Model, Sort


class Mistake(NamedTuple):
    """A model that cannot mean what it says.

    Attributes
    ----------
    code
        The code of the refusal.
    build
        Writes the model; its line at fault ends with a comment ``# <- code``.
    reason, cure
        Words of the message: why it cannot be, and what to write instead.
    """

    code: str
    build: Callable[[], object]
    reason: str
    cure: str

    @property
    def name(self) -> str:
        """The code and the name of the function that makes the mistake."""
        return f"{self.code} {self.build.__name__}"


class Mistakes(list[Mistake]):
    """Collects the mistakes of a module."""

    def refused(
        self, code: str, *, reason: str, cure: str
    ) -> Callable[[Callable[[], object]], Callable[[], object]]:
        """Mark a function that makes a mistake; it may return a model class that makes it."""

        def collect(build: Callable[[], object]) -> Callable[[], object]:
            self.append(Mistake(code, build, reason, cure))
            return build

        return collect


def make(mistake: Mistake) -> None:
    """Build the model as a user would: define the class, choose settings, compile."""
    made = mistake.build()
    if isinstance(made, type) and issubclass(made, Model):
        made = made()
    if isinstance(made, Model):
        program = made.program()
        scope: dict[type[Sort], int] = dict.fromkeys(program.sorts, 2)
        made.compile(scope)
