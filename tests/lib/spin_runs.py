"""SPIN run on an exported model, and what it counted."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple


class SpinRun(NamedTuple):
    """Distinct states stored, and whether an assertion was violated."""

    states: int
    violated: bool


def spin(program: str, folder: Path) -> SpinRun:
    """Generate, compile and run SPIN's checker for a program, without partial-order reduction."""
    (folder / "model.pml").write_text(program, encoding="utf-8")
    options = ["-O0", "-DSAFETY", "-DNOREDUCE", "-w"]
    for command in (
        ["spin", "-o2", "-a", "model.pml"],
        ["gcc", *options, "-o", "pan", "pan.c"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    said = subprocess.run(
        ["./pan", "-m100000", "-w20"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    stored = re.search(r"(\d+) states, stored", said)
    errors = re.search(r"errors: (\d+)", said)
    assert stored, said
    assert errors, said
    assert "max search depth too small" not in said
    return SpinRun(int(stored[1]), int(errors[1]) > 0)
