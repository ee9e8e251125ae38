"""Whether the states of a model can be kept, and its terms computed, in words of a machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twice.model.compiled import CompiledModel
from twice.model.layout import Cell
from twice.model.renaming import KEY_BITS
from twice.model.symmetry import Symmetry
from twice.model.terms import Term
from twice.model.transition_system import TransitionSystem

WORD = 64
"""Bits of a word."""

NUMBER_BITS = 28
"""Bits of a key that number the rest of a state: room for 268 million different ones."""

LOW_BITS = WORD - NUMBER_BITS
"""Bits of a key below the number: the first cells of a state. No cell may be wider."""

_SIGNED = range(-(1 << (WORD - 1)), 1 << (WORD - 1))
"""Numbers that array arithmetic computes exactly."""


def obstacle(system: TransitionSystem[Any], canonical: Callable[[Any], Any] | None) -> str:
    """Why arrays cannot hold a system's states or compute its terms, or an empty text.

    Parameters
    ----------
    system : TransitionSystem
    canonical : callable, optional
        Its symmetry, where that is used.
    """
    if not isinstance(system, CompiledModel):
        return "it needs a model written in the language"
    if isinstance(canonical, Symmetry) and any(
        renaming.key_width > KEY_BITS for renaming in canonical.renamings
    ):
        return "what a state says of one member does not fit in one word"
    cells = system.layout.cells
    for cell in cells:
        if cell.domain.width > LOW_BITS:
            return f"{cell.label} can have more than {1 << LOW_BITS:,} values"
    try:
        for term in _terms(system):
            _bounds(term, cells)
    except OverflowError as reason:
        return str(reason)
    except RecursionError:
        return "its terms are nested too deeply"
    return ""


def _terms(model: CompiledModel) -> Iterator[Term]:
    """Whatever is computed for the states of a model."""
    for action in model.actions:
        yield from action.guards
        for effect in action.effects:
            yield effect.condition
            yield from (value for _, value in effect.assignments)
    for entry in model.properties:
        yield entry.goal
        if entry.premise is not None:
            yield entry.premise


def _bounds(term: Term, cells: Sequence[Cell]) -> tuple[int, int]:
    """Between which numbers the code of a ground term lies; a condition is 0 or 1.

    Raises
    ------
    OverflowError
        Where the term, or a part of it, may leave the numbers of a word.
    """
    op, args = term
    if op == "const":
        low = high = int(args[0])
    elif op == "slot":
        low, high = cells[args[0]].domain.low, cells[args[0]].domain.high
    else:
        parts = [_bounds(part, cells) for part in args]
        if op == "add":
            low, high = (sum(bound) for bound in zip(*parts, strict=True))
        elif op == "sub":
            (low, high), (least, most) = parts
            low, high = low - most, high - least
        elif op == "ite":
            low, high = min(parts[1][0], parts[2][0]), max(parts[1][1], parts[2][1])
        else:
            low, high = 0, 1
    if low not in _SIGNED or high not in _SIGNED:
        raise OverflowError("its numbers may leave the 64 bits of a word")
    return low, high
