"""Successors as Python source: nested tests over packed states, written from ground actions.

Walking terms state by state is several times slower than plain Python over the same bits; so the
walk is done once, here, and what runs per state is the source a person would write by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from twice.model.errors import TOO_LARGE, UsageError
from twice.model.grounding import GroundAction
from twice.model.guard_trie import TrieNode, compared_slot, guard_trie, required_code
from twice.model.interpreter import out_of_domain
from twice.model.layout import Layout
from twice.model.python_effects import EffectsKey, PythonEffects, effects_key
from twice.model.python_terms import PythonTerms
from twice.model.terms import Term
from twice.model.transition_system import Expand


class GeneratedStep:
    """Successors by some actions, and a note of which of them were ever taken."""

    def __init__(self, step: Expand[int], taken: list[int], actions: list[GroundAction]) -> None:
        self._step = step
        self._taken = taken
        self._actions = actions

    def __call__(
        self,
        states: Iterable[int],
        emit: Callable[[int], object],
        close: Callable[[], object] | None = None,
    ) -> None:
        """Send every successor of every state to `emit`, and call `close` after each state."""
        self._step(states, emit, close)

    @property
    def taken(self) -> set[str]:
        """The names of the actions that were enabled in a state given so far."""
        return {
            action.command.name
            for action, taken in zip(self._actions, self._taken, strict=True)
            if taken
        }


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
        self._functions: dict[EffectsKey, str] = {}

    def step(self, actions: Iterable[GroundAction]) -> GeneratedStep:
        """A function that sends every successor by one of the actions to `emit`."""
        chosen = list(actions)
        lines: list[str] = []
        self._share(chosen, lines)
        lines += ["def step(states, emit, close, taken=taken):", "    for s in states:"]
        self._node(guard_trie(chosen), lines, 2, {})
        lines += ["        if close: close()"]
        taken = [0] * len(self._actions)
        return GeneratedStep(self._run(lines, "step", taken=taken), taken, self._actions)

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

    def _run(self, lines: list[str], name: str, **known: Any) -> Any:
        namespace: dict[str, Any] = {"outside": self._outside, **known}
        try:
            exec(compile("\n".join(lines), f"<generated {name}>", "exec"), namespace)
        except (SyntaxError, RecursionError, MemoryError):  # it is correct, but nested too deeply
            raise UsageError(TOO_LARGE) from None
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
        lines.append(f"{indent}taken[{action.number}] = 1")
        name = self._functions.get(effects_key(action))
        if name:
            lines.append(f"{indent}emit({name}(s, {action.number}))")
        else:
            effects = PythonEffects(self._layout, action.effects, str(action.number))
            effects.write(lines, indent, known, "emit({})")

    def _share(self, actions: Iterable[GroundAction], lines: list[str]) -> None:
        """Write a function for effects that several actions have, if it is longer than a call."""
        number = Counter(map(effects_key, actions))
        self._functions = {}
        for action in actions:
            key = effects_key(action)
            if number[key] > 1 and len(action.effects) > 1 and key not in self._functions:
                name = self._functions[key] = f"after{len(self._functions)}"
                lines.append(f"def {name}(s, action):")
                effects = PythonEffects(self._layout, action.effects, "action")
                effects.write(lines, "    ", {}, "return {}")
