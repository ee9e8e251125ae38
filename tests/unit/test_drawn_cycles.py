"""Actions without end, points of no return and trimming, on graphs of a few states."""

from __future__ import annotations

from drawn import Drawn, prop
from replay import assert_fewest_faults, assert_finding

from twice.model import NO_FAULTS, PropertyKind, Regime, Result, Verdict, check
from twice.model.cycles import trim

ONE_FAULT = Regime("one fault", {"crash": 1})
NEVER_ENDS = PropertyKind.FINITELY_OFTEN
CAN_STILL = PropertyKind.ALWAYS_REACHABLE


def answer(graph: Drawn, regime: Regime = NO_FAULTS) -> Result:
    """The answer for the graph's only property, its counterexample replayed."""
    result = check(graph, [regime], symmetry=False).result("p")
    if result.verdict is Verdict.VIOLATED:
        assert_finding(graph, result)
        assert_fewest_faults(graph, result, symmetry=False)
    return result


def path(result: Result) -> str:
    """The states of the counterexample, with a bar before a part that repeats."""
    assert result.trace is not None
    states = "".join(result.trace.states)
    start = result.trace.loop_from
    return states if start is None else f"{states[:start]}|{states[start:]}"


# Actions without end.


def test_an_action_on_no_cycle_ends() -> None:
    graph = Drawn(["ab go", "bc", "cb"], prop(NEVER_ENDS, "abc", action="go"))
    assert answer(graph).verdict is Verdict.HOLDS


def test_an_action_on_a_cycle_does_not_end() -> None:
    graph = Drawn(["ab", "bc go", "cb"], prop(NEVER_ENDS, "abc", action="go"))
    assert path(answer(graph)) == "a|bcb"


def test_a_self_loop_is_a_cycle() -> None:
    graph = Drawn(["ab", "bb go"], prop(NEVER_ENDS, "ab", action="go"))
    assert path(answer(graph)) == "a|bb"


def test_the_condition_must_hold_all_around_the_cycle() -> None:
    graph = Drawn(["ab go", "ba", "ac go", "ca"], prop(NEVER_ENDS, "a", action="go"))
    assert answer(graph).verdict is Verdict.HOLDS


def test_the_condition_need_not_hold_on_the_way_to_the_cycle() -> None:
    graph = Drawn(["ab", "bc go", "cb"], prop(NEVER_ENDS, "bc", action="go"))
    assert path(answer(graph)) == "a|bcb"


def test_a_cycle_beside_the_action_does_not_count() -> None:
    # b-c is a cycle, and go leads from it to another, d-e, that never takes it.
    graph = Drawn(["ab", "bc", "cb", "cd go", "de", "ed"], prop(NEVER_ENDS, "abcde", action="go"))
    assert answer(graph).verdict is Verdict.HOLDS


def test_the_shallowest_cycle_is_shown() -> None:
    graph = Drawn(
        ["ab", "bc", "cd go", "dc", "ae", "ee go"], prop(NEVER_ENDS, "abcde", action="go")
    )
    assert path(answer(graph)) == "a|ee"


def test_the_loop_shows_the_action_and_not_another_step_between_the_same_states() -> None:
    graph = Drawn(["ab other", "ab go", "ba"], prop(NEVER_ENDS, "ab", action="go"))
    trace = answer(graph).trace
    assert trace is not None
    assert [step.action for step in trace.steps] == ["go", "step"]


def test_a_fault_is_no_part_of_a_cycle() -> None:
    graph = Drawn(
        ["ab go", "ba kill"], prop(NEVER_ENDS, "ab", action="go"), faults={"kill": "crash"}
    )
    assert answer(graph, Regime("many", {"crash": 3})).verdict is Verdict.HOLDS


def test_a_fault_opens_the_way_to_a_cycle() -> None:
    graph = Drawn(
        ["ab kill", "bb go"], prop(NEVER_ENDS, "ab", action="go"), faults={"kill": "crash"}
    )
    assert answer(graph).verdict is Verdict.HOLDS
    assert path(answer(graph, ONE_FAULT)) == "a|bb"


def test_a_fault_never_counts_as_an_action_without_end() -> None:
    graph = Drawn(
        ["ab kill", "ba"], prop(NEVER_ENDS, "ab", action="kill"), faults={"kill": "crash"}
    )
    assert answer(graph, Regime("many", {"crash": 3})).verdict is Verdict.HOLDS


def test_trimming_keeps_cycles_and_what_joins_them() -> None:
    graph = {
        "a": ["b"],  # leads to a cycle: goes
        "b": ["c"],
        "c": ["b", "d"],
        "d": ["e"],  # between two cycles: stays
        "e": ["e", "f"],
        "f": [],  # led to from a cycle: goes
    }
    assert trim(graph) == {"b": ["c"], "c": ["b", "d"], "d": ["e"], "e": ["e"]}


def test_trimming_leaves_nothing_of_a_tree() -> None:
    assert trim({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}) == {}


# Points of no return.


def test_from_a_dead_end_nothing_can_be_reached() -> None:
    assert path(answer(Drawn(["ab", "ac"], prop(CAN_STILL, "b")))) == "ac"


def test_a_cycle_without_a_way_out_is_a_point_of_no_return() -> None:
    graph = Drawn(["ab", "bc", "cb", "ad"], prop(CAN_STILL, "d"))
    assert path(answer(graph)) == "ab"


def test_a_cycle_with_a_way_out_is_none() -> None:
    graph = Drawn(["ab", "bc", "cb", "cd"], prop(CAN_STILL, "d"))
    # d itself is where it came true.
    assert answer(graph).verdict is Verdict.HOLDS


def test_what_came_true_once_must_stay_within_reach() -> None:
    graph = Drawn(["ab", "bc"], prop(CAN_STILL, "b"))
    assert path(answer(graph)) == "abc"


def test_a_way_back_around_a_long_cycle_is_found() -> None:
    # From every state of the ring, the goal lies one round away.
    ring = ["ab", "bc", "cd", "de", "ea"]
    assert answer(Drawn(ring, prop(CAN_STILL, "a"))).verdict is Verdict.HOLDS
    assert answer(Drawn(ring, prop(CAN_STILL, "c"))).verdict is Verdict.HOLDS


def test_fairness_plays_no_part_in_what_can_still_come_true() -> None:
    graph = Drawn(["aa", "ab"], prop(CAN_STILL, "b"), weak=["step"])
    assert answer(graph).verdict is Verdict.HOLDS


def test_only_a_fault_leads_past_the_point_of_no_return() -> None:
    graph = Drawn(["ab", "bc", "bd kill"], prop(CAN_STILL, "c"), faults={"kill": "crash"})
    assert answer(graph).verdict is Verdict.HOLDS
    assert path(answer(graph, ONE_FAULT)) == "abd"


def test_a_further_fault_does_not_help() -> None:
    # From b only another fault leads to the goal: that is no way to count on.
    graph = Drawn(["ab", "bc rescue"], prop(CAN_STILL, "c"), faults={"rescue": "crash"})
    assert path(answer(graph, ONE_FAULT)) == "a"


def test_the_goal_reached_by_a_fault_stands() -> None:
    graph = Drawn(["ab kill", "aa"], prop(CAN_STILL, "ab"), faults={"kill": "crash"})
    assert answer(graph, ONE_FAULT).verdict is Verdict.HOLDS
