"""The terminal: how wide it is, and text with colour where a person looks at it.

`rich` leaves colour out when the output is piped or `NO_COLOR` is set. Texts are wrapped here, not
by `rich`, so that no line ends in blanks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PIPED_WIDTH = 80
"""The width of lines that no terminal shows, unless COLUMNS says otherwise."""


def terminal(stderr: bool = False) -> Console:
    """Open the terminal that the process writes to."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def line_width() -> int:
    """How many characters a line may have."""
    import os

    console = terminal()
    if console.is_terminal or os.environ.get("COLUMNS", "").isdigit():
        return max(console.width, 40)
    return PIPED_WIDTH


def show(lines: Iterable[Text]) -> None:
    """Print lines as they are."""
    console = terminal()
    for line in lines:
        console.print(line, soft_wrap=True)


def plain(lines: Iterable[Text]) -> str:
    """Give lines as text without colour."""
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)


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
