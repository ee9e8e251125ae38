"""What `twice check` prints: what was asked, the table of verdicts, the chosen traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from twice.cli.console import wrapped
from twice.cli.trace_text import violation_lines
from twice.cli.verdict_table import verdict_table
from twice.protocols.answers import Answers, shortest

if TYPE_CHECKING:
    from rich.text import Text

    from twice.cli.question import Question
    from twice.model import Report


def report_lines(
    question: Question, report: Report, found: Answers, shown: Sequence[str], width: int
) -> list[Text]:
    """Write a report.

    Parameters
    ----------
    shown : Sequence[str]
        The outcomes whose shortest traces are wanted.
    """
    from rich.text import Text

    regimes = [regime.name for regime in question.regimes]
    lines = [*_heading(question, width), Text()]
    lines += verdict_table(question.outcomes, regimes, found, width)
    if report.stopped:
        told = f"Not all states were looked at: {report.stopped}."
        lines += [Text(line, "yellow") for line in wrapped(told, width)]
    meanings = question.protocol.outcomes()
    for outcome in shown:
        result = shortest(found, outcome)
        if result is not None:
            lines += [Text(), *violation_lines(result, meanings[outcome], width)]
    others = [word for word in question.outcomes if word not in shown and shortest(found, word)]
    if others:
        hint = f"Traces of {', '.join(others)}: --trace NAME or --trace all."
        lines += [Text(), *(Text(line, "dim") for line in wrapped(hint, width))]
    for warning in report.warnings:
        lines += [Text(line, "yellow") for line in wrapped(f"Untested: {warning}", width)]
    return lines


def _heading(question: Question, width: int) -> Iterator[Text]:
    from rich.text import Text

    title = question.protocol.title()
    yield from (Text(line, "bold") for line in wrapped(title, width))
    yield from map(Text, wrapped(question.described, width))
