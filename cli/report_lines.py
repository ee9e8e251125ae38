"""What `twice check` prints: what was asked, the table of verdicts, the chosen traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from twice.cli.console import counted, wrapped
from twice.cli.line import Line
from twice.cli.trace_text import violation_lines
from twice.cli.verdict_table import verdict_table

if TYPE_CHECKING:
    from twice.cli.going_on import EndedEarly
    from twice.cli.question import Question
    from twice.model import Report
    from twice.protocols.answers import Answers
    from twice.protocols.durations import Bound


def report_lines(
    question: Question,
    report: Report,
    found: Answers,
    shown: Sequence[str],
    early: EndedEarly | None,
    width: int,
    warnings: bool = False,
) -> list[Line]:
    """Write a report.

    Parameters
    ----------
    shown : Sequence[str]
        The outcomes whose shortest traces are wanted.
    early : EndedEarly or None
        What is told of a search that ended early.
    warnings : bool
        Whether to tell, and not only to count, what was never put to the test.
    """
    from twice.model import Verdict
    from twice.protocols.answers import shortest

    regimes = [regime.name for regime in question.regimes]
    lines = [*_heading(question, width), Line()]
    lines += verdict_table(question.outcomes, regimes, found, width)
    if early:
        lines += [Line(line, "yellow") for line in early.lines(width)]
    elif not any(result.verdict is Verdict.VIOLATED for result in found.values()):
        told = "Nothing of this is possible: every reachable state was looked at."
        lines += [Line(line, "green") for line in wrapped(told, width)]
    if question.asks_all:
        lines += [Line(line) for line in _bounds(question.model().bounds(), width)]
    meanings = question.protocol.outcomes()
    for outcome in shown:
        result = shortest(found, outcome)
        if result is not None:
            lines += [Line(), *violation_lines(result, meanings[outcome], width)]
    others = [word for word in question.outcomes if word not in shown and shortest(found, word)]
    if others:
        hint = f"Traces of {', '.join(others)}: --trace NAME or --trace all."
        lines += [Line(), *(Line(line, "dim") for line in wrapped(hint, width))]
    lines += [Line(line, "yellow") for line in _untested(report.warnings, warnings, width)]
    return lines


def _bounds(bounds: dict[str, Bound], width: int) -> Iterator[str]:
    if bounds:
        yield from ("", "How late, at most:")
    for name, bound in bounds.items():
        first, *more = wrapped(f"{name}: {bound}", width - 4)
        yield f"  {first}"
        yield from (f"    {line}" for line in more)


def _untested(told: Sequence[str], in_full: bool, width: int) -> Iterator[str]:
    if in_full:
        for warning in told:
            yield from wrapped(f"Untested: {warning}", width)
    elif told:
        parts = f"{counted(len(told), 'part')} of the model"
        yield from wrapped(f"Never put to the test here: {parts} (see --warnings).", width)


def _heading(question: Question, width: int) -> Iterator[Line]:
    title = question.protocol.title()
    yield from (Line(line, "bold") for line in wrapped(title, width))
    yield from map(Line, wrapped(question.described, width))
