"""Tables for people: one number of every checker on every case, the best in bold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from results import Row

Number = Callable[[Row], float | None]
"""What a table shows of a row."""

Write = Callable[[float], str]
"""How it is written."""

Column = Callable[[str], str]
"""A further column: what it says of a case."""


def table(
    rows: Sequence[Row],
    number: Number,
    write: Write,
    best: Callable[[Iterable[float]], float] | None = None,
    extra: Mapping[str, Column] | None = None,
) -> list[str]:
    """A Markdown table: a line for each case, a column for each checker.

    Parameters
    ----------
    rows
    number, write
        What a cell shows.
    best
        Which number of a line is in bold.
    extra
        Further columns.
    """
    checkers = list(dict.fromkeys(entry.checker for entry in rows))
    extra = extra or {}
    lines = [line("model", "states", *checkers, *extra)]
    lines.append("|---|" + "---:|" * (1 + len(checkers) + len(extra)))
    for case in dict.fromkeys(entry.case for entry in rows):
        here = {entry.checker: entry for entry in rows if entry.case == case}
        numbers = {name: number(entry) for name, entry in here.items()}
        known = [value for value in numbers.values() if value is not None]
        top = write(best(known)) if best and known else ""
        cells = []
        for name in checkers:
            value = numbers.get(name)
            text = "" if value is None else write(value)
            cells.append(f"**{text}**" if text and text == top else text)
        states = max(entry.states for entry in here.values())
        more = [column(case) for column in extra.values()]
        lines.append(line(case, f"{states:,}", *cells, *more))
    return lines


def line(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def times(ratio: float) -> str:
    """A ratio."""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def seconds(value: float) -> str:
    """A time with about three digits."""
    return f"{value:.2f}" if value < 10 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def millions(value: float) -> str:
    """A number of states per second, in millions."""
    return f"{value / 1e6:.2f}"


def whole(value: float) -> str:
    """A number without a fraction."""
    return f"{value:,.0f}"
