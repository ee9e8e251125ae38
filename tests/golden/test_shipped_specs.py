"""Every spec shipped with Twice finds what it expects."""

from __future__ import annotations

from pathlib import Path

import pytest
from frame import ROOT

from twice.model import Verdict
from twice.protocols.spec_reader import read_specs
from twice.protocols.spec_run import run_spec

SPECS = sorted((ROOT / "specs").rglob("*.toml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.relative_to(ROOT / "specs")))
def test_it_finds_what_it_expects(path: Path) -> None:
    for spec in read_specs(path):
        report = run_spec(spec)
        differing = [a for a in report.answers if a.verdict is not Verdict.HOLDS]
        assert (spec.case, differing) == (spec.case, [])


def test_titles_tell_specs_apart() -> None:
    titles = [read_specs(path)[0].title for path in SPECS]
    assert len(titles) == len(set(titles))
