"""The maps that people read, in CONTRIBUTING.md and tests/README.md, show what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from frame import ROOT, top_folders

CODE = re.compile(r"`([\w.]+)/`")


def mapped(page: Path) -> set[str]:
    """The folders in the first cells of a page's tables."""
    rows = [
        line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    return {name for row in rows for name in CODE.findall(row.split("|")[1])}


def test_the_map_of_the_tests_shows_every_folder() -> None:
    folders = {
        path.name
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and any(file.suffix == ".py" for file in path.iterdir())
    }
    assert mapped(ROOT / "tests" / "README.md") == folders


def test_the_layout_shows_every_package_folder() -> None:
    shown = mapped(ROOT / "CONTRIBUTING.md")
    assert {folder.name for folder in top_folders().values()} <= shown
    assert {"tests", "docs", "benchmarks"} <= shown


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_a_reader_finds_what_every_project_has(name: str) -> None:
    assert (ROOT / name).is_file()
