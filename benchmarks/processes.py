"""Measured processes: each measurement is a program of its own, timed from its start to its end."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple


class Measured(NamedTuple):
    """What a process needed and what it printed.

    Attributes
    ----------
    seconds : float
        From the start of the process to its end.
    peak : int
        The most memory it held, in bytes. The kernel begins this count with what the process held
        that started it, so the programs here that start others load neither Twice nor NumPy.
    output, errors : str
        What it wrote on its two streams.
    """

    seconds: float
    peak: int
    output: str
    errors: str


def measured(
    command: Sequence[str | Path], folder: Path | None = None, exits: Sequence[int] = (0,)
) -> Measured:
    """Run a command to its end.

    Raises
    ------
    RuntimeError
        When it ends with another exit code than the allowed ones; with what it said.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=_environment(), stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        done = Measured(seconds, usage.ru_maxrss * 1024, _text(out), _text(err))
        if process.returncode not in exits:
            words = " ".join(map(str, command))
            raise RuntimeError(f"`{words}` ended with {process.returncode}: {done.errors.strip()}")
        return done


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _environment() -> dict[str, str]:
    """As a user has it: compiled modules are kept from one start to the next."""
    kept = dict(os.environ)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "COLUMNS": "100", "NO_COLOR": "1"}
