"""Fault regimes: which faults a verdict takes into account, and how many of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from twice.model.errors import UsageError, nearest

FaultClass = tuple[str, frozenset[str] | None]
"""A kind of fault, and the only actions that count as it (None: all of the kind)."""

Usage = tuple[int, ...]
"""How many faults of each class a run has used."""


MOST_COMBINATIONS = 100_000
"""Combinations of faults that one regime may allow; each is a layer of the search."""


@dataclass(frozen=True)
class Regime:
    """A name for a budget of faults.

    Attributes
    ----------
    name : str
    budget : mapping
        How many faults of each kind may happen, at most.
    points : mapping
        For some kinds, the only actions by which they may happen.
    """

    name: str
    budget: Mapping[str, int] = field(default_factory=dict)
    points: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def classes(self) -> dict[FaultClass, int]:
        """The budget by fault class; kinds with nothing to spend are left out."""
        return {(kind, self.points.get(kind)): most for kind, most in self.budget.items() if most}


class FaultLattice:
    """Every combination of faults that some regime allows, fewest first.

    Regimes share what they have in common: the runs without faults belong to all of them, so one
    exploration serves every regime.

    Attributes
    ----------
    classes : tuple of FaultClass
    usages : list of Usage
        Ordered by the number of faults.

    Raises
    ------
    UsageError
        For a kind the system does not have, a budget that is no whole number from 0 up, budgets
        that are too large, a name given twice, or no regime at all.
    """

    def __init__(self, regimes: Sequence[Regime], kinds: Sequence[str]) -> None:
        if not regimes:
            raise UsageError("there is no regime to check; give at least Regime('none')")
        names = [regime.name for regime in regimes]
        for regime in regimes:
            if names.count(regime.name) > 1:
                raise UsageError(
                    f"two regimes are called `{regime.name}`; give each a name of its own"
                )
            for kind, most in regime.budget.items():
                if kind not in kinds:
                    raise UsageError(f"there is no fault kind `{kind}`; {nearest(kind, kinds)}")
                if type(most) is not int or most < 0:
                    raise UsageError(f"{kind}={most!r} is no budget; give a whole number from 0 up")
            combinations = prod(most + 1 for most in regime.budget.values())
            if combinations > MOST_COMBINATIONS:
                raise UsageError(
                    f"`{regime.name}` allows {combinations:,} combinations of faults, and more "
                    f"than {MOST_COMBINATIONS:,} are never explored; give smaller budgets"
                )
        self.classes = tuple(dict.fromkeys(c for regime in regimes for c in regime.classes()))
        self._within = {regime.name: set(self._usages(regime)) for regime in regimes}
        self._known = set().union(*self._within.values())
        self.usages = sorted(self._known, key=lambda usage: (sum(usage), usage))

    def _usages(self, regime: Regime) -> list[Usage]:
        budget = regime.classes()
        return list(product(*(range(budget.get(c, 0) + 1) for c in self.classes)))

    def within(self, regime: Regime) -> list[Usage]:
        """The combinations that a regime allows, fewest faults first."""
        return [usage for usage in self.usages if usage in self._within[regime.name]]

    def after(self, usage: Usage, number: int) -> Usage | None:
        """The combination with one more fault of a class, or None where no regime allows it."""
        more = (*usage[:number], usage[number] + 1, *usage[number + 1 :])
        return more if more in self._known else None


def check_points(regimes: Sequence[Regime], faults: Mapping[str, Collection[str]]) -> None:
    """Refuse a regime whose faults could never happen, since no action is called that way.

    Parameters
    ----------
    regimes
    faults
        The names of the actions that are faults, by kind.

    Raises
    ------
    UsageError
        For a name that is no fault of its kind.
    """
    for regime in regimes:
        for kind, names in regime.points.items():
            for name in sorted(names):
                if name not in faults.get(kind, ()):
                    hint = nearest(name, faults.get(kind, ()))
                    raise UsageError(f"there is no fault `{name}` of kind `{kind}` here; {hint}")
