"""Every spec shipped with Twice finds what it expects."""

from __future__ import annotations

from pathlib import Path

import pytest
from frame import ROOT

from twice.protocols.spec_reader import read_spec
from twice.protocols.spec_run import run_spec

SPECS = sorted((ROOT / "specs").rglob("*.toml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.relative_to(ROOT / "specs")))
def test_it_finds_what_it_expects(path: Path) -> None:
    report = run_spec(read_spec(path))
    assert [answer for answer in report.answers if answer.expected != answer.found] == []


def test_titles_tell_specs_apart() -> None:
    titles = [read_spec(path).title for path in SPECS]
    assert len(titles) == len(set(titles))
