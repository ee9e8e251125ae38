"""The table says what was found, within the width, in the fullest words that fit."""

from __future__ import annotations

import pytest
from findings import long_trace, made_result

from twice.cli.verdict_table import verdict_table
from twice.model import Result, Verdict

KINDS = [
    "none",
    "worker_kill",
    "horse_kill",
    "machine_loss",
    "pause",
    "sigterm",
    "producer_crash",
    "reply_lost",
    "redis_restart",
]
WORDS = ["lost", "failed_unrun", "completed_twice"]


def table(
    regimes: list[str], verdict: Verdict, steps: int = 12, faults: int = 1, width: int = 80
) -> str:
    trace = long_trace(steps, faults) if verdict is Verdict.VIOLATED else None
    cells: dict[tuple[str, str], Result] = {
        (word, regime): made_result(word, regime, verdict, trace)
        for word in WORDS
        for regime in regimes
    }
    return "\n".join(line.plain for line in verdict_table(WORDS, regimes, cells, width))


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("number", range(1, len(KINDS) + 1))
@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_it_fits(verdict: Verdict, number: int, width: int) -> None:
    lines = table(KINDS[:number], verdict, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)


def test_few_regimes_are_told_in_full_words() -> None:
    assert "possible (12 steps, 1 fault)" in table(KINDS[:2], Verdict.VIOLATED)


def test_no_fault_is_said() -> None:
    assert "possible (1 step, no fault)" in table(KINDS[:1], Verdict.VIOLATED, steps=1, faults=0)


def test_nine_regimes_stand_side_by_side_at_80_columns() -> None:
    text = table(KINDS, Verdict.VIOLATED)
    assert text.count("lost ") >= 1
    assert len([line for line in text.splitlines() if line.startswith("lost")]) == 1
    assert "12/1" in text
    assert "the shortest trace has" in text


def test_a_table_too_wide_is_split_and_loses_nothing() -> None:
    text = table(KINDS, Verdict.HOLDS, width=40)
    assert text.count("never") == len(WORDS) * len(KINDS)


def test_undetermined_is_never_shown_as_a_pass() -> None:
    for number in range(1, len(KINDS) + 1):
        text = table(KINDS[:number], Verdict.UNDETERMINED)
        assert "never" not in text
        assert "undetermined" in text


def test_every_column_says_on_how_many_states() -> None:
    last = table(KINDS, Verdict.HOLDS).splitlines()[-1]
    assert last.split() == ["states", *["1,234"] * len(KINDS)]
