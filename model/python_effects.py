"""The effects of an action as Python source over a packed state ``s``."""

from __future__ import annotations

from twice.model import terms
from twice.model.grounding import Effect, GroundAction, bounds
from twice.model.layout import Layout
from twice.model.python_terms import PythonTerms
from twice.model.shared_terms import shared_terms

EffectsKey = tuple[tuple[int, ...], ...]
"""The same for effects that are the same objects, see `Grounder`."""


def effects_key(action: GroundAction) -> EffectsKey:
    """What tells the effects of ground actions apart."""
    return tuple(
        (
            id(effect.condition),
            *(part for slot, value in effect.assignments for part in (slot, id(value))),
        )
        for effect in action.effects
    )


class PythonEffects:
    """Writes the state after some effects.

    Parameters
    ----------
    layout : Layout
    effects : tuple of Effect
    action : str
        The expression for the number of the action whose effects they are.
    """

    def __init__(self, layout: Layout, effects: tuple[Effect, ...], action: str) -> None:
        self._layout = layout
        self._effects = effects
        self._action = action
        self._terms = PythonTerms(layout)

    def write(self, lines: list[str], indent: str, known: dict[int, int], send: str) -> None:
        """Write lines that end by sending the state on.

        Parameters
        ----------
        lines : list of str
            To which they are added.
        indent : str
        known : dict
            The codes of cells that guards have tested, by slot.
        send : str
            A statement around ``{}``, where the state belongs.
        """
        said = [
            term for e in self._effects for term in (e.condition, *(v for _, v in e.assignments))
        ]
        for number, term in enumerate(shared_terms(said)):
            lines.append(f"{indent}{self._terms.named(term, f't{number}')}")
        always = [effect for effect in self._effects if effect.condition is terms.TRUE]
        if always == list(self._effects) and len(always) <= 1:
            self._check(always, lines, indent)
            lines.append(indent + send.format(self._assigned("s", always, known)))
            return
        lines.append(f"{indent}n = s")
        for effect in self._effects:
            inner = indent
            if effect.condition is not terms.TRUE:
                lines.append(f"{indent}if {self._terms.condition(effect.condition)}:")
                inner += "    "
            self._check([effect], lines, inner)
            lines.append(f"{inner}n = {self._assigned('n', [effect], {})}")
        lines.append(indent + send.format("n"))

    def _check(self, effects: list[Effect], lines: list[str], indent: str) -> None:
        for _, assignments in effects:
            for slot, value in assignments:
                domain = self._layout.cells[slot].domain
                low, high = bounds(value, self._layout)
                if low < domain.low or high > domain.high:
                    lines.append(f"{indent}v = {self._terms.value(value)}")
                    refusal = f"outside({self._action}, {slot}, v)"
                    lines.append(f"{indent}if not {domain.low} <= v <= {domain.high}: {refusal}")

    def _assigned(self, state: str, effects: list[Effect], known: dict[int, int]) -> str:
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
                code = self._terms.value(value)
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
