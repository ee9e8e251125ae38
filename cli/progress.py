"""How far an exploration has come: one changing line, for whoever waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from twice.cli.console import counted

if TYPE_CHECKING:
    from twice.model import Covered
    from twice.model.limits import Progress

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
    shown = False

    def show(covered: Covered) -> None:
        nonlocal shown
        shown = True
        line = progress_line(covered, _peak_memory())
        click.echo(_ERASE + line[: width - 1], nl=False, err=True)

    try:
        yield show
    finally:
        if shown:
            click.echo(_ERASE, nl=False, err=True)


def progress_line(covered: Covered, megabytes: int) -> str:
    """Say how far it has come; no megabytes mean that the system does not tell.

    >>> from twice.model import Covered
    >>> progress_line(Covered(120_000, seconds=2.0, frontier=3_000, depth=14, faults=1), 90)
    '120,000 states, 60,000/s, 1 fault, step 14, frontier 3,000 (Ctrl-C reports), 90 MB'
    """
    rate = covered.states / covered.seconds if covered.seconds else 0
    memory = f", {megabytes:,} MB" if megabytes else ""
    return (
        f"{counted(covered.states, 'state')}, {rate:,.0f}/s, {counted(covered.faults, 'fault')}, "
        f"step {covered.depth}, frontier {covered.frontier:,} (Ctrl-C reports){memory}"
    )


def _peak_memory() -> int:
    try:
        import resource
    except ImportError:  # there is none on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1 << 20 if sys.platform == "darwin" else 1 << 10)
