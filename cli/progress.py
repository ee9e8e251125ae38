"""How far an exploration has come: one changing line, for whoever waits at a terminal."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from twice.cli.console import counted

if TYPE_CHECKING:
    from twice.model import Covered
    from twice.model.limits import Progress

_RECENT = 20
"""Reports back to which the speed is taken: what a checkpoint brought was not explored now."""

_ERASE = "\r\x1b[K"


@contextmanager
def watched() -> Iterator[Progress | None]:
    """Give what an exploration calls now and then; the line is gone when it ends.

    Nothing is shown where standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from twice.cli.console import line_width

    width = line_width()
    earlier: deque[Covered] = deque(maxlen=_RECENT)

    def show(covered: Covered) -> None:
        earlier.append(covered)
        line = progress_line(covered, earlier[0])
        click.echo(_ERASE + line[: width - 1], nl=False, err=True)

    try:
        yield show
    finally:
        if earlier:
            click.echo(_ERASE, nl=False, err=True)


def progress_line(covered: Covered, earlier: Covered) -> str:
    """Say how far it has come, and how fast since an earlier time.

    No memory means that the system does not tell.

    >>> from twice.model import Covered
    >>> before = Covered(80_000, seconds=1.0, frontier=2_000, depth=12, faults=1)
    >>> progress_line(Covered(120_000, 3.0, 3_000, 14, 1, memory=90 << 20), before)
    '120,000 states, 20,000/s, 1 fault, step 14, frontier 3,000, 90 MB (Ctrl-C reports)'
    """
    seconds = covered.seconds - earlier.seconds
    rate = f", {(covered.states - earlier.states) / seconds:,.0f}/s" if seconds else ""
    memory = f", {covered.memory >> 20:,} MB" if covered.memory else ""
    return (
        f"{counted(covered.states, 'state')}{rate}, {counted(covered.faults, 'fault')}, "
        f"step {covered.depth}, frontier {covered.frontier:,}{memory} (Ctrl-C reports)"
    )
