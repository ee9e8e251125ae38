"""Every counterexample behind a shipped spec is a run of the system, with the fewest faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from frame import ROOT
from replay import assert_fewest_faults, assert_finding

from twice.model import Regime, Verdict, check
from twice.protocols import PROTOCOLS
from twice.protocols.delivery import scope_of
from twice.protocols.spec import Spec
from twice.protocols.spec_reader import read_specs

SPECS = sorted((ROOT / "specs").rglob("*.toml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.relative_to(ROOT / "specs")))
def test_its_counterexamples_are_runs_of_the_system(path: Path) -> None:
    for spec in read_specs(path):
        assert_runs(spec)


def assert_runs(spec: Spec) -> None:
    """Assert that each violation found has a trace that replays, and none with fewer faults."""
    possible = [outcome for outcome, answer in spec.expect.items() if answer == "possible"]
    if not possible:
        return
    system = PROTOCOLS[spec.protocol](**spec.settings).compile(scope_of(**spec.scope))
    regime = Regime("all", spec.faults, spec.points)
    report = check(system, [regime], properties=possible)
    found = [result for result in report.results if result.verdict is Verdict.VIOLATED]
    assert len(found) >= len(possible)
    for result in found:
        assert_finding(system, result)
        assert_fewest_faults(system, result, symmetry=True)
