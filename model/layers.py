"""Levels and layers: how the states of an exploration are arranged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from twice.model.regimes import Usage

S = TypeVar("S")


@dataclass
class Level(Generic[S]):
    """States at one depth of a layer, as their engine keeps them.

    An engine that records transitions keeps the successors of ``states[i]``, by steps of the
    system, in ``targets[ends[i - 1]:ends[i]]``.
    """

    states: Any
    targets: list[S] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def successors(self) -> Iterator[tuple[S, list[S]]]:
        """Each state with its successors."""
        start = 0
        for state, end in zip(self.states, self.ends, strict=True):
            yield state, self.targets[start:end]
            start = end


@dataclass
class Layer(Generic[S]):
    """All states with the same faults used.

    Attributes
    ----------
    usage : Usage
        Faults used, by class.
    levels : dict
        The levels by depth, counted in steps from the start, faults included; in ascending order.
    closed : bool
        Whether every state was expanded, so that no other can be reached.
    """

    usage: Usage
    levels: dict[int, Level[S]] = field(default_factory=dict)
    closed: bool = False

    @property
    def size(self) -> int:
        """Number of distinct states."""
        return sum(len(level.states) for level in self.levels.values())
