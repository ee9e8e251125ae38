"""The table of verdicts: a row for each outcome, a column for each fault regime.

The fullest wording that fits the width is taken. Where none fits in one block, the columns are
split into as few blocks as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from twice.cli.console import counted, wrapped
from twice.cli.line import Line

if TYPE_CHECKING:
    from twice.model import Result

Cells = Mapping[tuple[str, str], "Result"]
"""The result that decides, for each outcome and regime."""

STATES = "states"
"""The label of the last row: how many states the column's verdicts were proved on."""


class Wording(NamedTuple):
    """A way to write the cells.

    Attributes
    ----------
    possible : Callable[[Result], str]
        How a violation is written.
    undetermined : str
        How it is written that nothing was proved.
    explained : bool
        Whether the words need no legend.
    stacked : bool
        Whether the words of a heading may stand on several lines.
    """

    possible: Callable[[Result], str]
    undetermined: str
    explained: bool
    stacked: bool


def _sentence(result: Result) -> str:
    faults = counted(result.faults, "fault") if result.faults else "no fault"
    return f"possible ({counted(result.steps, 'step')}, {faults})"


def _pair(result: Result) -> str:
    return f"{result.steps}/{result.faults}" if result.faults else str(result.steps)


WORDINGS = (
    Wording(_sentence, "undetermined", explained=True, stacked=False),
    Wording(
        lambda result: f"possible {_pair(result)}", "undetermined", explained=False, stacked=True
    ),
    Wording(_pair, "?", explained=False, stacked=True),
)
"""From the fullest to the shortest."""


def verdict_table(
    outcomes: Sequence[str], regimes: Sequence[str], cells: Cells, width: int
) -> list[Line]:
    """Lay the verdicts out in lines of at most `width` characters, if that is possible at all."""
    first = max(map(len, [*outcomes, STATES]))
    wording, gap, blocks = _fit(outcomes, regimes, cells, width - first)
    lines: list[Line] = []
    for block in blocks:
        lines += _block(outcomes, block, cells, wording, first, gap)
    return lines + _legend(cells, wording, width)


def _legend(cells: Cells, wording: Wording, width: int) -> list[Line]:
    """Explain short words by cells of the table: one with a fault, one without, one left open."""
    if wording.explained:
        return []
    said: dict[str, str] = {}
    for result in cells.values():
        if result.verdict.name == "VIOLATED":
            said.setdefault("with" if result.faults else "without", _meaning(result, wording))
        elif result.verdict.name == "UNDETERMINED" and wording.undetermined == "?":
            said.setdefault("open", "?: undetermined.")
    lines = (line for words in said.values() for line in wrapped(words, width))
    return [Line(line, "dim") for line in lines]


def _meaning(result: Result, wording: Wording) -> str:
    word, steps = wording.possible(result), counted(result.steps, "step")
    means = word if word.startswith("possible") else f"{word}: possible"
    if not result.faults:
        return f"{means}, the shortest trace has {steps} and no fault."
    faults = "1 of them a fault" if result.faults == 1 else f"{result.faults} of them faults"
    return f"{means}, the shortest trace has {steps}, {faults}."


def _fit(
    outcomes: Sequence[str], regimes: Sequence[str], cells: Cells, room: int
) -> tuple[Wording, int, list[list[str]]]:
    widths = {
        wording: {regime: _width(outcomes, regime, cells, wording) for regime in regimes}
        for wording in WORDINGS
    }
    for count in range(1, len(regimes) + 1):
        blocks = _split(regimes, count)
        for wording in WORDINGS:
            for gap in (3, 2, 1):
                widest = max(
                    sum(gap + widths[wording][regime] for regime in block) for block in blocks
                )
                if widest <= room:
                    return wording, gap, blocks
    return WORDINGS[-1], 1, _split(regimes, len(regimes))


def _split(regimes: Sequence[str], count: int) -> list[list[str]]:
    """Split into `count` runs of about the same length."""
    size = -(-len(regimes) // count)
    return [list(regimes[start : start + size]) for start in range(0, len(regimes), size)]


def _heading(regime: str, wording: Wording) -> list[str]:
    """The words above a column; `worker_kill` may stand on two lines."""
    return regime.replace(",", ",_").split("_") if wording.stacked else [regime]


def _word(result: Result, wording: Wording) -> str:
    from twice.model import Verdict

    match result.verdict:
        case Verdict.HOLDS:
            return "never"
        case Verdict.VIOLATED:
            return wording.possible(result)
        case _:
            return wording.undetermined


def _states(outcomes: Sequence[str], regime: str, cells: Cells) -> str:
    return f"{max(cells[outcome, regime].states for outcome in outcomes):,}"


def _width(outcomes: Sequence[str], regime: str, cells: Cells, wording: Wording) -> int:
    words = [_word(cells[outcome, regime], wording) for outcome in outcomes]
    words += [*_heading(regime, wording), _states(outcomes, regime, cells)]
    return max(map(len, words))


def _block(
    outcomes: Sequence[str],
    regimes: Sequence[str],
    cells: Cells,
    wording: Wording,
    first: int,
    gap: int,
) -> list[Line]:
    widths = [_width(outcomes, regime, cells, wording) for regime in regimes]
    headings = [_heading(regime, wording) for regime in regimes]
    height = max(map(len, headings))
    padded = [[""] * (height - len(words)) + words for words in headings]
    rows = [[("", "")] + [(words[level], "bold") for words in padded] for level in range(height)]
    for outcome in outcomes:
        found = [cells[outcome, regime] for regime in regimes]
        rows.append([(outcome, "")] + [(_word(r, wording), _STYLES[r.verdict.name]) for r in found])
    counts = [_states(outcomes, regime, cells) for regime in regimes]
    rows.append([(STATES, "dim")] + [(count, "dim") for count in counts])
    return [_row(row, [first, *widths], gap) for row in rows]


_STYLES = {"HOLDS": "green", "VIOLATED": "bold red", "UNDETERMINED": "yellow"}


def _row(words: Sequence[tuple[str, str]], widths: Sequence[int], gap: int) -> Line:
    line = Line()
    for number, ((word, style), width) in enumerate(zip(words, widths, strict=True)):
        if number:
            line.append(" " * gap)
        line.append(word, style)
        line.append(" " * (width - len(word)))
    return line
