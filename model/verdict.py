"""Verdicts: what was proved, refuted, or left open."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

from twice.model.regimes import Regime
from twice.model.trace import Trace
from twice.model.transition_system import Property


class Verdict(Enum):
    """The three answers; undetermined means that a limit was reached, and is no pass."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNDETERMINED = "undetermined"


class Finding:
    """A counterexample or a witness: how long it is, and the run itself once somebody asks for it.

    Attributes
    ----------
    faults, steps : int
        Of the run; the faults are among the steps.
    """

    def __init__(self, faults: int, steps: int, find: Callable[[], Trace[Any]]) -> None:
        self.faults = faults
        self.steps = steps
        self._find = find

    @cached_property
    def trace(self) -> Trace[Any]:
        """The run, replayed through the system."""
        return self._find()


class Result(NamedTuple):
    """The answer for one property under one regime.

    Attributes
    ----------
    property : Property
    regime : Regime
    verdict : Verdict
    states : int
        Distinct states of the regime that were reached; all of them where the verdict rests on all.
    finding : Finding or None
        The shortest counterexample with the fewest faults, or the witness of a reachable property.
    reason : str
        Why it is undetermined.
    """

    property: Property
    regime: Regime
    verdict: Verdict
    states: int
    finding: Finding | None = None
    reason: str = ""

    # The first field has taken the name of the decorator.
    @builtins.property
    def faults(self) -> int:
        """Faults in the trace."""
        return self.finding.faults if self.finding else 0

    @builtins.property
    def steps(self) -> int:
        """Steps in the trace."""
        return self.finding.steps if self.finding else 0

    @builtins.property
    def trace(self) -> Trace[Any] | None:
        """The run that was found, if any."""
        return self.finding.trace if self.finding else None


class Report(NamedTuple):
    """All answers of one check.

    Attributes
    ----------
    results : tuple of Result
    states, transitions, depth : int
        Of the whole exploration, all regimes together.
    closed : bool
        Whether every reachable state was explored.
    stopped : str
        Why the search for states, or for violations among them, ended early; empty where it did
        not.
    warnings : tuple of str
        What was never put to the test: actions never enabled, guards always false.
    layers, closed_layers : int
        Combinations of faults there are, and those of which every state was explored.
    """

    results: tuple[Result, ...]
    states: int
    transitions: int
    depth: int
    closed: bool
    stopped: str = ""
    warnings: tuple[str, ...] = ()
    layers: int = 0
    closed_layers: int = 0

    def result(self, name: str, regime: str = "") -> Result:
        """The answer for a property, by its name or the word for its violation.

        Parameters
        ----------
        name : str
        regime : str
            May be left out where there is only one.

        Raises
        ------
        KeyError
            When there is none, or more than one that it could be.
        """
        asked = [r for r in self.results if regime in ("", r.regime.name)]
        found = [r for r in asked if r.property.name == name]
        found = found or [r for r in asked if r.property.violation == name]
        if len(found) == 1:
            return found[0]
        where = regime or "any regime"
        if not found:
            raise KeyError(f"no result for {name} under {where}")
        could = ", ".join(f"{r.property.name} under {r.regime.name}" for r in found)
        raise KeyError(f"{len(found)} results for {name} under {where}: {could}")

    @property
    def verdict(self) -> Verdict:
        """The worst answer: violated before undetermined before holds."""
        verdicts = {result.verdict for result in self.results}
        for worst in (Verdict.VIOLATED, Verdict.UNDETERMINED):
            if worst in verdicts:
                return worst
        return Verdict.HOLDS
