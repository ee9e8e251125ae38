"""A trie over guards: a condition that many rules share is tested once for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from twice.model.terms import Term


class Guarded(Protocol):
    """Anything that is enabled where all its guards hold."""

    @property
    def guards(self) -> tuple[Term, ...]:
        """Ground conditions."""


R = TypeVar("R", bound=Guarded)


@dataclass
class TrieNode(Generic[R]):
    """Rules whose guards are all tested here, and the further guards that lead to others."""

    rules: list[R] = field(default_factory=list)
    children: dict[Term, TrieNode[R]] = field(default_factory=dict)

    def by_slot(self) -> dict[int | None, list[tuple[Term, TrieNode[R]]]]:
        """The children by the slot that their guards compare, of which at most one can hold."""
        groups: dict[int | None, list[tuple[Term, TrieNode[R]]]] = {}
        for guard, child in self.children.items():
            groups.setdefault(compared_slot(guard), []).append((guard, child))
        return groups


def guard_trie(rules: Iterable[R]) -> TrieNode[R]:
    """Arrange rules by their guards, the most frequent guards nearest to the root.

    The cell a guard speaks of counts before the guard itself, so that the values of one cell meet
    at one node.
    """
    known = list(rules)
    cells = Counter(compared_slot(guard) for rule in known for guard in rule.guards)
    guards = Counter(guard for rule in known for guard in rule.guards)
    rank = {
        guard: (slot is None, -cells[slot], -1 if slot is None else slot, -times, number)
        for number, (guard, times) in enumerate(guards.items())
        for slot in [compared_slot(guard)]
    }
    root: TrieNode[R] = TrieNode()
    for rule in known:
        node = root
        for guard in sorted(rule.guards, key=rank.__getitem__):
            node = node.children.setdefault(guard, TrieNode())
        node.rules.append(rule)
    return root


def compared_slot(guard: Term) -> int | None:
    """The slot that a guard compares with a constant, or None for any other guard.

    A condition cell on its own and its opposite are such comparisons too.
    """
    term: Term = guard.args[0] if guard.op == "not" else guard
    if term.op == "slot":
        return int(term.args[0])
    if guard.op == "eq" and guard.args[0].op == "slot" and guard.args[1].op == "const":
        return int(guard.args[0].args[0])
    return None


def required_code(guard: Term) -> int:
    """The code that a guard with a `compared_slot` requires of its cell."""
    if guard.op == "eq":
        return int(guard.args[1].args[0])
    return 0 if guard.op == "not" else 1
