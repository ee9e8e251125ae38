"""Ctrl-C in a terminal: the progress goes, what was covered is told and saved, and it goes on."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

LONG = "check rq --jobs 3 --workers 3 --no-symmetry --trace none"


def python_default() -> None:
    """A shell's background jobs ignore Ctrl-C; a foreground one does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(words: list[str], ready: Callable[[str], bool]) -> tuple[int, str, str]:
    """Run with a terminal as standard error, and press Ctrl-C when what it shows is `ready`."""
    here, there = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "twice", *words],
        stdout=subprocess.PIPE,
        stderr=there,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
        preexec_fn=python_default,
    )
    os.close(there)
    shown = ""
    try:
        while not ready(shown):
            shown += os.read(here, 4096).decode()
        run.send_signal(signal.SIGINT)
        out, _ = run.communicate(timeout=120)
    finally:
        run.kill()
        os.close(here)
    return run.returncode, out, shown


def test_ctrl_c_reports_and_saves_and_the_search_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    words = [*LONG.split(), "--checkpoint", str(file)]
    code, out, shown = interrupted(words, lambda shown: shown.count("frontier") >= 2)
    assert code in (1, 3)
    for part in ("states, ", "/s, ", "0 faults, ", "step ", " MB (Ctrl-C reports)"):
        assert part in shown
    assert "Not all states were reached: it was interrupted." in out
    assert "fault layers closed" in out
    assert list(tmp_path.iterdir()) == [file]

    told = out.partition("To go on from there:\n")[2].partition("\n\n")[0]
    again = shlex.split(told.replace("\\\n", ""))
    assert again[:4] == ["python", "-m", "twice", "check"]
    assert again[-2:] == ["--resume", str(file)]
    covered = int(out.partition("Covered: ")[2].partition(" ")[0].replace(",", ""))
    # A limit below what is covered: it ends at its first look, having gone on from all of them.
    words = [sys.executable, *again[1:], "--max-states", str(covered - 1)]
    resumed = subprocess.run(words, capture_output=True, text=True, check=False)
    assert resumed.returncode in (1, 3)
    assert f"Covered: {covered:,} states" in resumed.stdout


def test_ctrl_c_before_anything_is_explored_says_so_in_a_word() -> None:
    code, out, _ = interrupted(["check", "rq"], lambda _: True)
    assert code != 0
    assert out == ""
