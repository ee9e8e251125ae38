"""The answers of a check: which one is meant, and which one is the worst."""

from __future__ import annotations

import pytest

from twice.model import Property, PropertyKind, Regime, Report, Result, Verdict


def report(*answers: tuple[str, str, str, Verdict]) -> Report:
    """A report of answers: the property, the word for its violation, the regime, the verdict."""
    results = tuple(
        Result(
            Property(name, PropertyKind.INVARIANT, "", None, violation=word),
            Regime(regime),
            verdict,
            1,
        )
        for name, word, regime, verdict in answers
    )
    return Report(results, 1, 0, 0, True)


HOLDS, VIOLATED, OPEN = Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNDETERMINED


def test_a_result_is_found_by_name_or_by_word() -> None:
    both = report(("safe", "lost", "none", HOLDS), ("quiet", "stuck", "none", VIOLATED))
    assert both.result("safe").verdict is HOLDS
    assert both.result("stuck").verdict is VIOLATED
    assert both.result("stuck", "none").verdict is VIOLATED


def test_a_missing_result_is_no_answer() -> None:
    with pytest.raises(KeyError, match="no result for lost under any regime"):
        report(("safe", "gone", "none", HOLDS)).result("lost")
    with pytest.raises(KeyError, match="no result for safe under kill"):
        report(("safe", "gone", "none", HOLDS)).result("safe", "kill")


def test_one_regime_of_several_must_be_named() -> None:
    two = report(("safe", "lost", "none", HOLDS), ("safe", "lost", "kill", VIOLATED))
    with pytest.raises(KeyError, match="2 results for lost"):
        two.result("lost")
    assert two.result("lost", "kill").verdict is VIOLATED


def test_a_word_that_two_properties_share_is_no_name() -> None:
    two = report(("safe", "lost", "none", HOLDS), ("quiet", "lost", "none", VIOLATED))
    with pytest.raises(KeyError, match="safe under none, quiet under none"):
        two.result("lost")
    assert two.result("quiet").verdict is VIOLATED


@pytest.mark.parametrize(
    ("verdicts", "worst"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, OPEN], OPEN),
        ([OPEN, VIOLATED, HOLDS], VIOLATED),
        ([], HOLDS),
    ],
)
def test_the_worst_answer_decides(verdicts: list[Verdict], worst: Verdict) -> None:
    answers = [(f"p{n}", "", "none", verdict) for n, verdict in enumerate(verdicts)]
    assert report(*answers).verdict is worst
