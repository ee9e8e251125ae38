"""Every spec shipped with Twice finds what it expects, and its counterexamples are runs."""

from __future__ import annotations

from collections import Counter

import pytest
from replay import assert_fewest_faults, assert_finding, itself
from spec_runs import SPECS, SpecRun, name_of, runs

from twice.model import Verdict
from twice.model.check import choose
from twice.protocols.answers import POSSIBLE
from twice.protocols.spec_reader import read_specs
from twice.protocols.spec_run import system_of


@pytest.fixture(scope="module", params=SPECS, ids=name_of)
def found(request: pytest.FixtureRequest) -> tuple[SpecRun, ...]:
    """The cases of a spec; both tests of one come in a row, while its model is at hand."""
    return runs(request.param)


def test_it_finds_what_it_expects(found: tuple[SpecRun, ...]) -> None:
    for run in found:
        answers = run.report.answers
        differing = [answer for answer in answers if answer.verdict is not Verdict.HOLDS]
        assert (run.spec.case, differing) == (run.spec.case, [])


def test_its_counterexamples_are_runs_of_the_system_with_the_fewest_faults(
    found: tuple[SpecRun, ...],
) -> None:
    for run in found:
        possible = [word for word, answer in run.spec.expect.items() if answer == POSSIBLE]
        assert {result.property.violation for result in run.violations} >= set(possible)
        if run.violations:
            system = system_of(run.spec)
            asked = choose(system, [*run.spec.expect])
            canonical = system.canonical(asked) or itself  # a loop may return with others' names
            for result in run.violations:
                assert_finding(system, result, canonical)
            assert_fewest_faults(system, *run.violations, symmetry=True)


def test_titles_tell_the_specs_of_a_protocol_apart() -> None:
    first = [read_specs(path)[0] for path in SPECS]
    titles = Counter((spec.protocol, spec.title) for spec in first)
    assert [title for title, number in titles.items() if number > 1] == []
