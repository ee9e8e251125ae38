"""What a rule means: order of statements, aliasing, loops, blocks, quantifiers, values."""

from __future__ import annotations

import pytest
from semantics import Reading
from stepping import Cells, Stepper

READING = Stepper(Reading())

T1, T2 = "task 1", "task 2"
W1, W2 = "worker 1", "worker 2"


@pytest.mark.parametrize(
    ("action", "before", "changes"),
    [
        ("read_after_write", {"n": "1"}, {"n": "2", "m": "3"}),
        ("swap", {"n": "1", "m": "2"}, {"n": "2", "m": "1"}),
        ("swap", {"n": "2", "m": "2"}, {}),
        ("last_write_wins", {}, {"n": "2"}),
        ("augmented", {"n": "-2"}, {"n": "-1"}),
        ("conditional", {"flag": "yes"}, {"n": "3", "m": "3"}),
        ("conditional", {"n": "2"}, {"m": "2"}),
        ("condition_is_read_once", {}, {"n": "1", "m": "1"}),
        ("condition_is_read_once", {"n": "1"}, {}),
        ("all_at_once", {}, {"up[worker 1]": "no", "up[worker 2]": "no"}),
        ("all_at_once", {"up[worker 1]": "no"}, {"up[worker 1]": "yes"}),
        ("all_at_once", {"up[worker 1]": "no", "up[worker 2]": "no"}, {}),
        ("choice_of_conditions", {"flag": "yes", "n": "1"}, {"n": "2"}),
        ("choice_of_conditions", {"flag": "yes", "m": "1"}, {"n": "3", "flag": "no"}),
        ("choice_of_conditions", {"flag": "no", "m": "1"}, {"n": "2"}),
        ("choice_of_conditions", {"flag": "no", "n": "1"}, {"n": "3", "flag": "yes"}),
        ("guarded_by_a_choice", {"flag": "yes", "n": "1"}, {}),
        ("guarded_by_a_choice", {"flag": "yes", "m": "1"}, None),
        ("truths", {"n": "1"}, {}),
        ("truths", {"n": "1", "m": "1"}, {"flag": "yes"}),
        ("two_loops", {"up[worker 2]": "no"}, {"load[worker 1]": "3"}),
    ],
)
def test_rule_without_parameters(
    action: str, before: Cells, changes: dict[str, str] | None
) -> None:
    assert READING.step(before, action) == changes


@pytest.mark.parametrize(
    ("action", "binding", "before", "changes"),
    [
        # Two parameters of one sort may be the same member.
        ("alias", (T1, T1), {}, {"status[task 1]": "taken", "flag": "yes"}),
        ("alias", (T1, T2), {}, {"status[task 1]": "taken"}),
        (
            "alias",
            (T1, T2),
            {"status[task 2]": "taken"},
            {"status[task 1]": "taken", "flag": "yes"},
        ),
        ("alias_overwritten", (T1, T1), {}, {"status[task 1]": "gone"}),
        (
            "alias_overwritten",
            (T1, T2),
            {},
            {"status[task 1]": "taken", "status[task 2]": "gone"},
        ),
        ("alias_of_pairs", (W1, W1), {}, {"knows[worker 1, worker 1]": "yes", "flag": "yes"}),
        ("alias_of_pairs", (W1, W2), {}, {"knows[worker 1, worker 2]": "yes"}),
        # Blocks in blocks.
        ("nested", (T1,), {"flag": "yes"}, {"status[task 1]": "taken", "n": "1", "m": "1"}),
        ("nested", (T1,), {}, {"status[task 1]": "taken", "m": "1"}),
        ("nested", (T1,), {"status[task 1]": "gone"}, {}),
        # Loops.
        (
            "for_all",
            (W1,),
            {"owner[task 1]": W1, "status[task 1]": "taken", "owner[task 2]": W2},
            {"owner[task 1]": "none", "status[task 1]": "ready"},
        ),
        (
            "read_after_loop",
            (T1,),
            {"owner[task 2]": W1},
            {"status[task 1]": "taken", "flag": "yes"},
        ),
        ("read_after_loop", (T2,), {"owner[task 2]": W1}, {"status[task 1]": "taken"}),
        (
            "half_a_pair",
            (W2,),
            {"sent[task 1, worker 2]": "yes"},
            {"sent[task 1, worker 2]": "no", "sent[task 2, worker 2]": "yes", "n": "1"},
        ),
        (
            "diagonal",
            (W1, W1),
            {},
            {"knows[worker 1, worker 1]": "yes", "knows[worker 2, worker 2]": "yes", "flag": "yes"},
        ),
        (
            "diagonal",
            (W1, W2),
            {"flag": "yes"},
            {"knows[worker 1, worker 1]": "yes", "knows[worker 2, worker 2]": "yes", "flag": "no"},
        ),
        # Enumerations.
        (
            "by_member",
            ("gone",),
            {"status[task 1]": "gone"},
            {"status[task 2]": "gone"},
        ),
        ("by_member", ("ready",), {}, None),
        ("raise_level", ("30",), {}, {"level": "30", "n": "4"}),
        ("raise_level", ("10",), {"level": "30", "n": "1"}, {"level": "10", "n": "0"}),
        ("raise_level", ("10",), {}, None),
        # Members as values.
        ("handed_over", (T1, T2), {"owner[task 1]": W2}, {"owner[task 2]": W2}),
        ("handed_over", (T1, T2), {"owner[task 2]": W2}, None),
        ("handed_over", (T1, T1), {"owner[task 1]": W2}, None),
        ("by_helper", (T2,), {}, {"status[task 2]": "taken", "flag": "yes"}),
        ("crash", (W1,), {}, {"up[worker 1]": "no"}),
        ("crash", (W1,), {"up[worker 1]": "no"}, None),
    ],
)
def test_rule_with_parameters(
    action: str, binding: tuple[str, ...], before: Cells, changes: dict[str, str] | None
) -> None:
    assert READING.step(before, action, *binding) == changes


def test_a_quantifier_after_a_loop_sees_what_it_wrote() -> None:
    changes = READING.step({"owner[task 2]": W1}, "quantified_after_loop")
    assert changes == {"status[task 1]": "taken", "status[task 2]": "gone", "n": "1"}


def test_a_loop_in_a_loop_goes_over_all_pairs() -> None:
    changes = READING.step({"up[worker 2]": "no", "status[task 2]": "gone"}, "pairs")
    assert changes == {"sent[task 1, worker 1]": "yes"}


def test_statements_of_a_loop_are_done_one_after_the_other_for_all_turns() -> None:
    # First knows[v, w] = up[v] for all pairs, then knows[w, v] = ~up[v] for all pairs.
    changes = READING.step({"up[worker 1]": "no"}, "transposed")
    assert changes == {"knows[worker 1, worker 1]": "yes", "knows[worker 2, worker 1]": "yes"}


@pytest.mark.parametrize(
    ("name", "cells", "said"),
    [
        ("everybody_is_up", {}, True),
        ("everybody_is_up", {"up[worker 2]": "no"}, False),
        ("somebody_sends", {}, False),
        (
            "somebody_sends",
            {"sent[task 1, worker 1]": "yes", "sent[task 2, worker 2]": "yes"},
            False,
        ),
        (
            "somebody_sends",
            {"sent[task 1, worker 2]": "yes", "sent[task 2, worker 2]": "yes"},
            True,
        ),
        ("ready_are_unowned", {}, True),
        ("ready_are_unowned", {"owner[task 2]": W1}, False),
        ("ready_are_unowned", {"owner[task 2]": W1, "status[task 2]": "gone"}, True),
        ("small", {"n": "2", "m": "1"}, True),
        ("small", {"n": "2", "m": "2"}, False),
        ("small", {"n": "4", "m": "-1"}, False),
        ("small", {"n": "3", "m": "0"}, True),
        ("small", {"level": "30"}, False),
        ("few_loads", {"load[worker 1]": "1"}, True),
        ("few_loads", {"load[worker 1]": "1", "load[worker 2]": "2"}, False),
        ("few_loads", {"load[worker 1]": "1", "load[worker 2]": "2", "n": "1"}, True),
        ("listed", {"flag": "yes"}, True),
        ("listed", {"flag": "yes", "status[task 1]": "taken"}, False),
        ("listed", {"flag": "no", "status[task 1]": "taken"}, True),
    ],
)
def test_condition(name: str, cells: Cells, said: bool) -> None:
    assert READING.holds(cells, name) is said
