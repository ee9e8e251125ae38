"""The terminal: how wide it is, and text with colour where a person looks at it.

`rich` leaves colour out where `NO_COLOR` is set. It is loaded only where a terminal shows the text,
or the environment says that one does: its import takes a tenth of a whole `twice check`. Texts are
wrapped here, not by `rich`, so that no line ends in blanks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from twice.cli.line import Line

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 80
"""The width of lines that no terminal shows, unless COLUMNS says otherwise."""

FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Variables by which `rich` is told to take a pipe for a terminal."""


def terminal(stderr: bool = False) -> Console:
    """Open the terminal that the process writes to."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def is_piped() -> bool:
    """Whether no terminal shows what is printed."""
    return not sys.stdout.isatty() and not any(name in os.environ for name in FORCED)


def line_width() -> int:
    """How many characters a line may have."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit():
        return max(int(columns), 40)
    if is_piped():
        return PIPED_WIDTH
    console = terminal()
    return max(console.width, 40) if console.is_terminal else PIPED_WIDTH


def show(lines: Iterable[Line]) -> None:
    """Print lines as they are."""
    if is_piped():
        click.echo(plain(lines), nl=False)
        return
    from rich.text import Text

    console = terminal()
    for line in lines:
        console.print(Text.assemble(*line.parts), soft_wrap=True)


def plain(lines: Iterable[Line]) -> str:
    """Give lines as text without colour."""
    return "".join(f"{line.plain}\n" for line in lines)


def wrapped(words: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` characters, at blanks only."""
    import textwrap

    return textwrap.wrap(words, max(width, 20), break_on_hyphens=False)


def counted(number: int, noun: str) -> str:
    """Write how many there are.

    >>> counted(1, "job"), counted(2, "job"), counted(1200, "state")
    ('1 job', '2 jobs', '1,200 states')
    """
    return f"{number:,} {noun}" + "s" * (number != 1)
