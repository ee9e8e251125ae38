"""Every public report that is known has a spec, with a verdict or with what is missing for one.

That they find what they expect is tested with all shipped specs.
"""

from __future__ import annotations

import re

import pytest
from field_reports import AFTER, ALSO, BEFORE, in_reach, part, reports
from systems import SYSTEMS

from twice.protocols.answers import POSSIBLE
from twice.protocols.spec import Spec

KNOWN = {
    "C-AMQP": (
        *(1, 2, 3, 5, 8, 9, 10, 11, 12, 14, 15, 18),
        *(19, 20, 21, 22, 23, 25, 26, 27, 29, 33, 34),
    ),
    "C-REDIS": (1, 2, 4, 6, 9, 10, 11, 12, 13, 14, 16, 17, 19, 22, 23, 25, 26),
    "RQ": (1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 17, 18, 21, 22, 25),
    "CH": (1, 2, 3, 5, 7, 9, 10, 12),
    "ID": (1, 2, 3, 4, 5, 6, 10),
    "X": (1, 2, 3),
}
"""The reports, by what they are about: each system, chords, idempotency; X are derived."""

REPORTS = reports()
CASES = pytest.mark.parametrize("cases", REPORTS.values(), ids=REPORTS)


def test_every_known_report_has_a_spec_and_no_other() -> None:
    known = {f"{kind}-{number:02}" for kind, numbers in KNOWN.items() for number in numbers}
    assert len(known) == 75
    assert set(REPORTS) == known


@CASES
def test_a_report_says_where_it_is_from_and_what_was_seen(cases: tuple[Spec, ...]) -> None:
    spec = cases[0]
    assert spec.protocol in SYSTEMS
    assert spec.observed
    assert re.search(r"[\w-]+/[\w-]+( PR)?#\d+|: [\w/]+\.py", spec.source)


@CASES
def test_a_report_has_a_verdict_before_and_after_or_says_what_is_missing(
    cases: tuple[Spec, ...],
) -> None:
    kinds = [part(spec)[0] for spec in cases]
    if in_reach(cases):
        assert set(kinds) <= {BEFORE, AFTER, ALSO}
        assert kinds == sorted(kinds, key=(BEFORE, AFTER, ALSO).index)
        assert kinds[0] == BEFORE
    else:
        assert kinds == [""]


@CASES
def test_a_spec_of_a_report_may_fail(cases: tuple[Spec, ...]) -> None:
    asked = [spec for spec in cases if not spec.outside]
    possible = [spec for spec in asked if POSSIBLE in spec.expect.values()]
    assert possible or not asked or cases[0].path.stem in NOTHING_TO_FEAR


NOTHING_TO_FEAR = {"C-AMQP-19", "C-REDIS-14"}
"""What is only late, which no outcome word is about; what is asked only as it is after the fix."""
