"""Each idea has a file of its own: small, with a name that says what is in it."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest
from frame import ROOT, sources

LONGEST = 450
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "base", "core"}

TESTS = sorted((ROOT / "tests").rglob("*.py"))
FILES = [*sources().values(), *TESTS]


def shown(path: Path) -> str:
    """The path as a reader writes it."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_file_is_short_enough_to_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST, f"{lines} lines: split it by idea"


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_file_name_says_what_is_in_it(path: Path) -> None:
    assert path.stem not in EMPTY_NAMES


def test_the_usual_file_is_about_a_page() -> None:
    lengths = [path.read_text(encoding="utf-8").count("\n") for path in sources().values()]
    assert statistics.median(lengths) <= 200
