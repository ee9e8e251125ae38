"""Durations, compared when a model is built; and bounds that say how late something is.

A duration remembers how it was computed, so that a comparison or a bound can be told as a formula
over the settings with its value: ``visibility_timeout + 100 s = 3,700 s``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import NamedTuple

from twice.model import Model


@total_ordering
@dataclass(frozen=True, eq=False)
class Duration:
    """A length of time and the formula it comes from.

    Attributes
    ----------
    formula : str
        Over the names of settings, such as ``eta + 3 * run_time``.
    seconds : float

    Examples
    --------
    >>> wait = Duration("eta", 60) + 3 * Duration("run_time", 20)
    >>> print(wait)
    eta + 3 * run_time = 120 s
    >>> wait > Duration("visibility_timeout", 3600)
    False
    """

    formula: str
    seconds: float

    def __add__(self, other: Duration) -> Duration:
        terms = [term.formula for term in (self, other) if term.formula != "0"]
        return Duration(" + ".join(terms) or "0", self.seconds + other.seconds)

    def __rmul__(self, times: float) -> Duration:
        if times == 0:
            return NOTHING
        formula = self.formula if times == 1 else f"{times:g} * {self.formula}"
        return Duration(formula, times * self.seconds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self.seconds == other.seconds

    def __lt__(self, other: Duration) -> bool:
        return self.seconds < other.seconds

    def __hash__(self) -> int:
        return hash(self.seconds)

    @property
    def shown(self) -> str:
        """The value alone, with its unit."""
        return f"{self.seconds:,.10g} s"

    def __str__(self) -> str:
        return self.shown if self.formula in ("0", self.shown) else f"{self.formula} = {self.shown}"


NOTHING = Duration("0", 0)
"""No time at all."""


class Bound(NamedTuple):
    """How late something comes: never later than this, if it comes at all.

    Attributes
    ----------
    event : str
        What is awaited, in words that go before a time: ``redelivered after``.
    surely : Duration
        The part that always passes.
    at_most : Duration
        What may come on top.

    Examples
    --------
    >>> timeout, sweep = Duration("visibility_timeout", 3600), Duration("sweep", 100)
    >>> print(Bound("redelivered after", timeout, sweep))
    redelivered after visibility_timeout + up to 100 s (sweep) = 3,700 s
    """

    event: str
    surely: Duration
    at_most: Duration = NOTHING

    @property
    def seconds(self) -> float:
        """The latest moment, counted from the first."""
        return (self.surely + self.at_most).seconds

    def __str__(self) -> str:
        if self.at_most.seconds == 0:
            return f"{self.event} {self.surely}"
        added = f"up to {self.at_most.shown} ({self.at_most.formula})"
        return f"{self.event} {self.surely.formula} + {added} = {self.seconds:,.10g} s"


def duration(model: Model, setting: str) -> Duration:
    """The duration that a setting of the model names."""
    value = model.values[setting]
    assert isinstance(value, (int, float)), "only settings with a unit are asked for"
    return Duration(setting, value)
