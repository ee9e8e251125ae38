"""Successors as Python source: nested tests over packed states, written from ground actions.

Walking terms state by state is several times slower than plain Python over the same bits; so the
walk is done once, here, and what runs per state is the source a person would write by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from twice.model import terms
from twice.model.grounding import Effect, GroundAction, bounds
from twice.model.guard_trie import TrieNode, compared_slot, guard_trie, required_code
from twice.model.interpreter import out_of_domain
from twice.model.layout import Layout
from twice.model.python_terms import PythonTerms
from twice.model.shared_terms import shared_terms
from twice.model.terms import Term
from twice.model.transition_system import Expand


class PythonSource:
    """Generates functions over packed states of one layout.

    Parameters
    ----------
    layout : Layout
        Where the cells are.
    actions : list of GroundAction
        All actions, by number; errors are named from them.
    """

    def __init__(self, layout: Layout, actions: list[GroundAction]) -> None:
        self._layout = layout
        self._actions = actions
        self._terms = PythonTerms(layout)

    def step(self, actions: Iterable[GroundAction]) -> Expand[int]:
        """A function that sends every successor by one of the actions to `emit`."""
        lines = ["def step(states, emit, close=None):", "    for s in states:"]
        self._node(guard_trie(actions), lines, 2, {})
        lines += ["        if close: close()"]
        function: Expand[int] = self._run(lines, "step")
        return function

    def predicate(self, condition: Term) -> Callable[[int], bool]:
        """A function that says whether a state satisfies a ground condition."""
        lines = ["def holds(s):", f"    return bool({self._terms.condition(condition)})"]
        function: Callable[[int], bool] = self._run(lines, "holds")
        return function

    def selector(self, condition: Term) -> Callable[[Iterable[int]], list[int]]:
        """A function that selects the states satisfying a ground condition."""
        lines = [
            "def select(states):",
            f"    return [s for s in states if {self._terms.condition(condition)}]",
        ]
        function: Callable[[Iterable[int]], list[int]] = self._run(lines, "select")
        return function

    def _run(self, lines: list[str], name: str) -> Any:
        namespace: dict[str, Any] = {"outside": self._outside}
        exec(compile("\n".join(lines), f"<generated {name}>", "exec"), namespace)
        return namespace[name]

    def _outside(self, action: int, slot: int, code: int) -> NoReturn:
        raise out_of_domain(self._actions[action], slot, code, self._layout)

    def _node(
        self, node: TrieNode[GroundAction], lines: list[str], depth: int, known: dict[int, int]
    ) -> None:
        for action in node.rules:
            self._leaf(action, lines, depth, known)
        for slot, members in node.by_slot().items():
            if slot is None:
                for guard, child in members:
                    self._test(self._terms.condition(guard), child, lines, depth, known)
            else:
                self._switch(slot, members, lines, depth, known)

    def _switch(
        self,
        slot: int,
        members: list[tuple[Term, TrieNode[GroundAction]]],
        lines: list[str],
        depth: int,
        known: dict[int, int],
    ) -> None:
        """Test the values of one cell, of which at most one can be true."""
        cell = self._layout.cells[slot]
        name = f"x{depth}"
        if len(members) > 1:
            lines.append(f"{'    ' * depth}{name} = s & {cell.mask}")
        for number, (guard, child) in enumerate(members):
            code = required_code(guard)
            test = (
                f"{name} == {cell.bits(code)}" if len(members) > 1 else self._terms.condition(guard)
            )
            self._test(
                test, child, lines, depth, {**known, slot: code}, word="elif" if number else "if"
            )

    def _test(
        self,
        test: str,
        child: TrieNode[GroundAction],
        lines: list[str],
        depth: int,
        known: dict[int, int],
        word: str = "if",
    ) -> None:
        # A chain of single guards becomes one test, which keeps the nesting shallow.
        while not child.rules and len(child.children) == 1:
            guard, child = next(iter(child.children.items()))
            test = f"({test}) and ({self._terms.condition(guard)})"
            slot = compared_slot(guard)
            if slot is not None:
                known = {**known, slot: required_code(guard)}
        lines.append(f"{'    ' * depth}{word} {test}:")
        self._node(child, lines, depth + 1, known)

    def _leaf(
        self, action: GroundAction, lines: list[str], depth: int, known: dict[int, int]
    ) -> None:
        """Write the effects of an action, and the line that sends its successor on."""
        indent = "    " * depth
        writer = PythonTerms(self._layout)
        said = [
            term for e in action.effects for term in (e.condition, *(v for _, v in e.assignments))
        ]
        for number, term in enumerate(shared_terms(said)):
            lines.append(f"{indent}{writer.named(term, f't{number}')}")
        always = [e for e in action.effects if e.condition is terms.TRUE]
        if always == list(action.effects) and len(always) <= 1:
            self._checks(action, always, lines, indent, writer)
            lines.append(f"{indent}emit({self._assigned('s', always, known, writer)})")
            return
        lines.append(f"{indent}n = s")
        for effect in action.effects:
            inner = indent
            if effect.condition is not terms.TRUE:
                lines.append(f"{indent}if {writer.condition(effect.condition)}:")
                inner += "    "
            self._checks(action, [effect], lines, inner, writer)
            lines.append(f"{inner}n = {self._assigned('n', [effect], {}, writer)}")
        lines.append(f"{indent}emit(n)")

    def _checks(
        self,
        action: GroundAction,
        effects: list[Effect],
        lines: list[str],
        indent: str,
        writer: PythonTerms,
    ) -> None:
        for _, assignments in effects:
            for slot, value in assignments:
                domain = self._layout.cells[slot].domain
                low, high = bounds(value, self._layout)
                if low < domain.low or high > domain.high:
                    lines.append(f"{indent}v = {writer.value(value)}")
                    refusal = f"outside({action.number}, {slot}, v)"
                    lines.append(f"{indent}if not {domain.low} <= v <= {domain.high}: {refusal}")

    def _assigned(
        self, state: str, effects: list[Effect], known: dict[int, int], writer: PythonTerms
    ) -> str:
        """The packed state after assignments; a cell whose code is known moves by a constant."""
        final = {slot: value for _, assignments in effects for slot, value in assignments}
        moved = cleared = placed = 0
        parts: list[str] = []
        for slot, value in final.items():
            cell = self._layout.cells[slot]
            if value.op == "const":
                bits = cell.bits(int(value.args[0]))
                if slot in known:
                    moved += bits - cell.bits(known[slot])
                    continue
                cleared |= cell.mask
                placed |= bits
            else:
                cleared |= cell.mask
                code = writer.value(value)
                shifted = f"({code} - {cell.domain.low})" if cell.domain.low else code
                parts.append(f"({shifted} << {cell.offset})" if cell.offset else shifted)
        if cleared:
            parts.insert(0, f"{state} & ~{cleared}" if cleared else state)
        if placed:
            parts.append(str(placed))
        packed = (
            f"({' | '.join(parts)})" if len(parts) > 1 else (f"({parts[0]})" if parts else state)
        )
        return f"{packed} {'+' if moved > 0 else '-'} {abs(moved)}" if moved else packed
