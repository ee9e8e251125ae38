"""The reference semantics: ground terms evaluated one state at a time.

Slow and plain. Traces use it to name steps; tests hold the generated successors against it.
"""

from __future__ import annotations

from collections.abc import Iterator

from twice.model.domains import Members
from twice.model.errors import UsageError
from twice.model.grounding import GroundAction
from twice.model.layout import Layout
from twice.model.sentences import fill
from twice.model.terms import Term


class DomainError(UsageError):
    """An assignment outside the domain of its variable, found while exploring."""


def evaluate(term: Term, codes: tuple[int, ...]) -> int:
    """The value of a ground term in a state given by codes; a condition is 0 or 1."""
    op, args = term
    if op == "const":
        return int(args[0])
    if op == "slot":
        code: int = codes[args[0]]
        return code
    if op in ("and", "or"):
        decisive = int(op == "or")
        for part in args:
            if evaluate(part, codes) == decisive:
                return decisive
        return 1 - decisive
    if op == "not":
        return 1 - evaluate(args[0], codes)
    if op == "ite":
        return evaluate(args[1] if evaluate(args[0], codes) else args[2], codes)
    left, right = evaluate(args[0], codes), evaluate(args[1], codes)
    if op == "eq":
        return int(left == right)
    if op == "lt":
        return int(left < right)
    if op == "le":
        return int(left <= right)
    return left + right if op == "add" else left - right


def apply(action: GroundAction, codes: tuple[int, ...], layout: Layout) -> tuple[int, ...]:
    """The state after an enabled action.

    Raises
    ------
    DomainError
        When a cell would leave its domain.
    """
    after = list(codes)
    for condition, assignments in action.effects:
        if evaluate(condition, codes):
            for slot, value in assignments:
                after[slot] = evaluate(value, codes)
                domain = layout.cells[slot].domain
                if not domain.low <= after[slot] <= domain.high:
                    raise out_of_domain(action, slot, after[slot], layout)
    return tuple(after)


def successors(
    actions: list[GroundAction], codes: tuple[int, ...], layout: Layout
) -> Iterator[tuple[GroundAction, tuple[int, ...]]]:
    """Every enabled action and the state it leads to, in the order of the actions."""
    known: dict[int, int] = {}  # a guard that many actions have is one object, see Grounder
    for action in actions:
        for guard in action.guards:
            holds = known.get(id(guard))
            if holds is None:
                holds = known[id(guard)] = evaluate(guard, codes)
            if not holds:
                break
        else:
            yield action, apply(action, codes, layout)


def out_of_domain(action: GroundAction, slot: int, code: int, layout: Layout) -> DomainError:
    """The error for an assignment that a variable's domain does not have."""
    cell = layout.cells[slot]
    names = bound_names(action, layout)
    return DomainError(
        f"`{cell.label}` would become {code}, outside {cell.domain.low} to {cell.domain.high}, "
        f'when "{fill(action.command.sentence, names)}" '
        "Nothing is clamped: widen within= or write the bound by hand, "
        f"ite(x < {cell.domain.high}, x + 1, x)"
    )


def bound_names(action: GroundAction, layout: Layout) -> dict[str, str]:
    """What people read for each parameter of a ground action."""
    names: dict[str, str] = {}
    for parameter, code in zip(action.command.parameters, action.binding, strict=True):
        if parameter.kind in layout.scope:
            names[parameter.name] = layout.member(parameter.kind, code)
        else:
            names[parameter.name] = Members(parameter.kind).label(code)
    return names
