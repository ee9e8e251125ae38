"""The answer to a question: is this outcome possible under this fault regime?

Several properties may have the same word for their violation: the outcome is possible when any of
them is violated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from twice.model.verdict import Verdict

if TYPE_CHECKING:
    from twice.model import Result

Answers = dict[tuple[str, str], "Result"]
"""The result that decides, by outcome word and regime name."""

POSSIBLE = "possible"
NEVER = "never"
UNDETERMINED = "undetermined"

ANSWERS = {
    Verdict.HOLDS: NEVER,
    Verdict.VIOLATED: POSSIBLE,
    Verdict.UNDETERMINED: UNDETERMINED,
}
"""What the verdict on a property says of the outcome that would violate it."""

_ORDER = (Verdict.VIOLATED, Verdict.UNDETERMINED, Verdict.HOLDS)


def answers(results: Iterable[Result]) -> Answers:
    """Choose the result that decides, for every outcome and regime."""
    found: Answers = {}
    for result in results:
        key = (result.property.violation, result.regime.name)
        if key not in found or _rank(result) < _rank(found[key]):
            found[key] = result
    return found


def shortest(found: Answers, outcome: str) -> Result | None:
    """Choose the violation with the fewest faults, then steps, in any regime."""
    violations = [
        result
        for (word, _), result in found.items()
        if word == outcome and result.verdict is Verdict.VIOLATED
    ]
    return min(violations, key=_rank, default=None)


def _rank(result: Result) -> tuple[int, int, int]:
    return _ORDER.index(result.verdict), result.faults, result.steps
