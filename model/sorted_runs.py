"""Sorted arrays of states as sets, and the growing set of known states as a few of them.

References
----------
P. O'Neil et al., "The log-structured merge-tree", 1996.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twice.model.words import Words

_GROWTH = 2
"""A run is merged into the one before it unless that is so many times longer."""


def unique(states: Words) -> Words:
    """A sorted array without repeats.

    The sort is stable, which merges pieces that are sorted already; NumPy's default sort and its
    `unique` were several times slower on such input.
    """
    if states.size < 2:
        return states
    states.sort(kind="stable")
    first = np.empty(states.size, np.bool_)
    first[0] = True
    np.not_equal(states[1:], states[:-1], out=first[1:])
    return states[first]


def union(pieces: Sequence[Words]) -> Words:
    """All states of several arrays, sorted, without repeats."""
    if not pieces:
        return np.empty(0, np.uint64)
    return unique(np.concatenate(pieces)) if len(pieces) > 1 else pieces[0]


def without(states: Words, run: Words) -> Words:
    """The states that are not in a sorted, non-empty run."""
    place = np.searchsorted(run, states)
    place[place == run.size] = run.size - 1
    kept: Words = states[run[place] != states]
    return kept


class SortedRuns:
    """A set that grows by sorted arrays of new members.

    It is kept as a few sorted runs, each at least twice as long as the next, so that a member takes
    part in few merges and a look-up searches few runs.
    """

    def __init__(self) -> None:
        self._runs: list[Words] = []

    def learn(self, states: Words) -> Words:
        """The members of a sorted array that were not in the set, which from now on they are."""
        for run in self._runs:
            if not states.size:
                return states
            states = without(states, run)
        if states.size:
            self._runs.append(states)
            while len(self._runs) > 1 and self._runs[-2].size < _GROWTH * self._runs[-1].size:
                last = self._runs.pop()
                merged = np.concatenate([self._runs.pop(), last])
                merged.sort(kind="stable")
                self._runs.append(merged)
        return states
