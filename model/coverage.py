"""Coverage: what an exploration never put to the test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from twice.model.exploration import StateSpace
from twice.model.rules import PropertyKind
from twice.model.transition_system import Condition, Label, Property

S = TypeVar("S")


def untested(space: StateSpace[S], properties: Sequence[Property]) -> list[str]:
    """One sentence for everything the space did not exercise: actions, guards and premises.

    A space that is not complete says nothing: what it missed may lie in the part that was not
    explored.
    """
    if space.stopped:
        return []
    kinds = {kind for kind, _ in space.lattice.classes}
    points = {
        kind: frozenset().union(
            *(p for k, p in space.lattice.classes if k == kind and p is not None)
        )
        for kind in kinds
        if all(p is not None for k, p in space.lattice.classes if k == kind)
    }

    def in_question(label: Label) -> bool:
        if label.fault is None:
            return True
        return label.fault in kinds and label.action in points.get(
            label.fault, frozenset({label.action})
        )

    levels = [level for layer in space.layers.values() for level in layer.levels.values()]

    def met(condition: Condition) -> bool:
        return space.engine.first(levels, condition, holding=True) is not None

    warnings = space.system.never_enabled(met, in_question, space.engine.taken())
    for entry in properties:
        if entry.kind is PropertyKind.LEADS_TO and not met(entry.premise):
            warnings.append(
                f"`{entry.name}` is never exercised: its premise holds in no reachable state"
            )
    return warnings
