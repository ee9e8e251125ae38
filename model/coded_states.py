"""Sets of states that mean the same in every process.

A state wider than one word has a key with a number in it (`twice.model.words`), and numbers are
given where a state is first met, so another process gives others. A set that travels therefore
carries its own table: the part of a key above `LOW_BITS` is a place in a sorted table of all that
occurs there. The table may again be of such keys. States of one word need no table.

With sorted tables the order of the keys is the order of the states as packed integers, whatever
the tables are. So sets are merged and compared as sorted arrays once their tables agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twice.model import sorted_runs
from twice.model.array_form import LOW_BITS
from twice.model.words import Columns, WordLayout, Words

_LOW = np.uint64((1 << LOW_BITS) - 1)
_SHIFT = np.uint64(LOW_BITS)

Tables = tuple[Words, ...]
"""The first is what keys point into; each points into the next."""


@dataclass(frozen=True, eq=False)
class StateSet:
    """A set of states: sorted keys without repeats, and the tables they point into."""

    keys: Words
    tables: Tables = ()

    def __len__(self) -> int:
        return self.keys.size

    def __sizeof__(self) -> int:
        return self.keys.nbytes + sum(table.nbytes for table in self.tables)

    def columns(self) -> Columns:
        """The words of the states, in order."""
        columns: list[Words] = []
        keys = self.keys
        for table in self.tables:
            columns.append(keys & _LOW)
            keys = table[_places(keys)]
        return [*columns, keys]

    def local(self, words: WordLayout) -> Words:
        """The keys that this process gives the states, in the order of the states."""
        if not self.tables:
            return self.keys
        rest = StateSet(self.tables[0], self.tables[1:]).columns()
        numbers = words.keys([np.zeros_like(rest[0]), *rest]) & ~_LOW
        return (self.keys & _LOW) | numbers[_places(self.keys)]


def from_local(words: WordLayout, keys: Words) -> StateSet:
    """The states that this process knows by some keys, which are sorted and without repeats."""
    if words.number == 1:
        return StateSet(keys)
    numbers = _places(keys)
    used = np.flatnonzero(np.bincount(numbers)).astype(np.uint64)
    rest = _keyed(words.columns(used << _SHIFT)[1:])
    order = np.argsort(rest.keys)
    place_of = np.zeros(int(used[-1]) + 1 if used.size else 0, np.uint64)
    place_of[used[order].astype(np.intp)] = np.arange(used.size, dtype=np.uint64)
    coded = (keys & _LOW) | (place_of[numbers] << _SHIFT)
    coded.sort()
    return StateSet(coded, (rest.keys[order], *rest.tables))


def _keyed(columns: Columns) -> StateSet:
    """States given by their words; the keys stay in the order of the states given."""
    keys = columns[-1]
    tables: list[Words] = []
    for column in reversed(columns[:-1]):
        tables.insert(0, np.unique(keys))
        keys = column | (np.searchsorted(tables[0], keys).astype(np.uint64) << _SHIFT)
    return StateSet(keys, tuple(tables))


def union(sets: Sequence[StateSet]) -> StateSet:
    """All states of several sets, at least one."""
    if len(sets) == 1:
        return sets[0]
    keys, tables = _aligned(sets)
    return StateSet(sorted_runs.union(keys), tables)


def _aligned(sets: Sequence[StateSet]) -> tuple[list[Words], Tables]:
    """The keys of several sets over tables that they share."""
    if not sets[0].tables:
        return [states.keys for states in sets], ()
    inner, tables = _aligned([StateSet(s.tables[0], s.tables[1:]) for s in sets])
    table = sorted_runs.union(inner)
    keys = [
        _moved(s.keys, np.searchsorted(table, entries))
        for s, entries in zip(sets, inner, strict=True)
    ]
    return keys, (table, *tables)


def without(states: StateSet, others: StateSet) -> StateSet:
    """The states of a set that are not in another."""
    if not len(others):
        return states
    there, keys = _looked_up(states, others)
    kept = np.ones(len(states), np.bool_)
    place = np.searchsorted(others.keys, keys)
    place[place == len(others)] = 0
    kept[there] = others.keys[place] != keys
    return StateSet(states.keys[kept], states.tables)


def _looked_up(states: StateSet, others: StateSet) -> tuple[npt.NDArray[np.bool_], Words]:
    """Which states may be in another set, and their keys over its tables."""
    if not states.tables:
        return np.ones(len(states), np.bool_), states.keys
    entries = StateSet(states.tables[0], states.tables[1:])
    there, wanted = _looked_up(entries, StateSet(others.tables[0], others.tables[1:]))
    place = np.searchsorted(others.tables[0], wanted)
    place[place == others.tables[0].size] = 0
    there[there] = others.tables[0][place] == wanted
    place_of = np.zeros(there.size, np.intp)
    place_of[there] = place[others.tables[0][place] == wanted]
    possible = there[_places(states.keys)]
    return possible, _moved(states.keys[possible], place_of)


def split(states: StateSet, parts: int) -> list[StateSet]:
    """The states by owner. Whose a state is depends on the state alone, not on its key."""
    if parts == 1:
        return [states]
    owners = ((_mixed(states) >> np.uint64(32)) * np.uint64(parts)) >> np.uint64(32)
    kind = np.uint16 if parts <= 1 << 16 else np.uint64  # narrow integers are sorted by counting
    order = np.argsort(owners.astype(kind), kind="stable")
    ends = np.cumsum(np.bincount(owners.astype(np.intp), minlength=parts))
    pieces = np.split(states.keys[order], ends[:-1])
    return [trimmed(StateSet(piece, states.tables)) for piece in pieces]


def _mixed(states: StateSet) -> Words:
    """A number for each state, evenly spread (the finaliser of SplitMix64, shortened)."""
    keys = states.keys
    if states.tables:
        rest = _mixed(StateSet(states.tables[0], states.tables[1:]))
        keys = (keys & _LOW) + rest[_places(keys)]
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed: Words = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed


def trimmed(states: StateSet) -> StateSet:
    """The same set without entries of its tables that no state uses."""
    if not states.tables:
        return states
    used = np.zeros(states.tables[0].size, np.bool_)
    used[_places(states.keys)] = True
    rest = trimmed(StateSet(states.tables[0][used], states.tables[1:]))
    return StateSet(_moved(states.keys, np.cumsum(used) - 1), (rest.keys, *rest.tables))


def _places(keys: Words) -> npt.NDArray[np.intp]:
    return (keys >> _SHIFT).astype(np.intp)


def _moved(keys: Words, place_of: npt.NDArray[np.intp]) -> Words:
    """Keys over another table, in which each entry has another place; their order stays."""
    if not keys.size:
        return keys
    return (keys & _LOW) | (place_of[_places(keys)].astype(np.uint64) << _SHIFT)
