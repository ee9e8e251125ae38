"""SPIN on a Promela program: generate a checker in C, compile it, run it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from processes import measured

_MEMORY = 20_000
"""Megabytes that the checker may use; more than any case needs."""

_DEPTH = 10_000
"""Steps on the stack of the depth-first search to begin with; ten times more until it suffices."""


@dataclass(frozen=True)
class Setting:
    """How the checker is compiled.

    Attributes
    ----------
    flags : tuple of str
        For the C compiler, besides ``-O2 -DSAFETY``. ``-DHC4`` is never among them: hash compaction
        lost states.
    reduces : bool
        Whether partial-order reduction may leave out states.
    """

    flags: tuple[str, ...]
    reduces: bool = False


FULL = Setting(("-DNOREDUCE",))
REDUCED = Setting((), reduces=True)
BREADTH_FIRST = Setting(("-DNOREDUCE", "-DBFS"))
COMPRESSED = Setting(("-DNOREDUCE", "-DCOLLAPSE"))
TUNED = Setting(
    ("-O3", "-march=native", "-DNOREDUCE", "-DNOFAIR", "-DNOBOUNDCHECK", "-DSFH"),
)


class SpinRun(NamedTuple):
    """What a run found and needed.

    Attributes
    ----------
    states : int
        Stored states.
    transitions : int or None
        Steps taken, those to known states included; None where SPIN rounds the number.
    errors : int
        Violated assertions.
    search : float
        Seconds that the checker itself says it searched.
    total : float
        Seconds to generate, compile and run.
    peak : int
        Bytes, of the checker.
    """

    states: int
    transitions: int | None
    errors: int
    search: float
    total: float
    peak: int


def spin(program: Path, setting: Setting, states: int, *, by_hand: bool) -> SpinRun:
    """Check a program in the folder where it lies.

    Parameters
    ----------
    program : Path
    setting : Setting
    states : int
        How many there will be, roughly: the hash table gets at least as many places, and at most
        four times as many. More or fewer made SPIN slower.
    by_hand : bool
        Whether to let SPIN leave variables that are only written out of its states, as it does by
        default. In the program written by hand such a variable follows from others; in an exported
        one it may tell states apart.
    """
    folder = program.parent
    keep = [] if by_hand else ["-o2"]
    flags = ["-O2", "-DSAFETY", f"-DMEMLIM={_MEMORY}", *setting.flags]
    generated = measured(["spin", *keep, "-a", program.name], folder)
    compiled = measured(["gcc", *flags, "-o", "pan", "pan.c"], folder)
    places = max(10, math.ceil(math.log2(states)) + 1)
    depth = _DEPTH
    while True:
        run = measured(["./pan", "-E", f"-m{depth}", f"-w{places}"], folder)
        if "max search depth too small" not in run.output:
            break
        depth *= 10
    total = generated.seconds + compiled.seconds + run.seconds
    # The checker rounds its time to hundredths, and says nothing where that is zero.
    elapsed = re.search(r"elapsed time ([\d.e+-]+) seconds", run.output)
    search = float(elapsed[1]) if elapsed else 0.0
    stored = _whole(r"([\d.e+]+) states, stored", run.output)
    if stored is None:
        raise RuntimeError(f"SPIN rounded its number of states: {run.output}")
    # The first state is counted as if a step led to it.
    taken = _whole(r"([\d.e+]+) transitions \(", run.output)
    errors = _whole(r"errors: (\d+)", run.output)
    return SpinRun(
        stored,
        None if taken is None else taken - 1,
        errors or 0,
        search or run.seconds,
        total,
        run.peak,
    )


def _whole(pattern: str, text: str) -> int | None:
    """A number that SPIN says, or None where it has more digits than SPIN writes."""
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"SPIN did not say `{pattern}`: {text}")
    return int(found[1]) if found[1].isdecimal() else None
