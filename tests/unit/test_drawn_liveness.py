"""Fair runs on graphs of a few states: each graph is one corner of the algorithm."""

from __future__ import annotations

import pytest
from drawn import Drawn, prop
from replay import assert_finding

from twice.model import NO_FAULTS, PropertyKind, Regime, Result, Trace, UsageError, Verdict, check

ONE_FAULT = Regime("one fault", {"crash": 1})


def answer(graph: Drawn, regime: Regime = NO_FAULTS) -> Result:
    """The answer for the graph's only property, its counterexample replayed."""
    result = check(graph, [regime], symmetry=False).result("p")
    if result.verdict is Verdict.VIOLATED:
        assert_finding(graph, result)
    return result


def path(trace: Trace[str] | None) -> str:
    """The states of a run, with a bar before the part that repeats."""
    assert trace is not None
    assert trace.loop_from is not None
    states = "".join(trace.states)
    return f"{states[: trace.loop_from]}|{states[trace.loop_from :]}"


EVENTUALLY, LEADS_TO = PropertyKind.EVENTUALLY, PropertyKind.LEADS_TO


def test_an_unfair_step_may_be_postponed_for_ever() -> None:
    result = answer(Drawn(["ab"], prop(EVENTUALLY, "b")))
    assert result.verdict is Verdict.VIOLATED
    assert path(result.trace) == "|a"


def test_a_weakly_fair_step_is_taken_in_the_end() -> None:
    assert answer(Drawn(["ab go"], prop(EVENTUALLY, "b"), weak=["go"])).verdict is Verdict.HOLDS


def test_what_holds_at_the_start_has_come_true() -> None:
    assert answer(Drawn(["ab", "bb"], prop(EVENTUALLY, "a"))).verdict is Verdict.HOLDS


def test_one_initial_state_of_several_is_enough_to_violate() -> None:
    result = answer(Drawn(["ab go"], prop(EVENTUALLY, "b"), weak=["go"], start="ac"))
    assert path(result.trace) == "|c"


def test_a_run_may_end_where_nothing_is_enabled() -> None:
    graph = Drawn(["ab go", "ac go"], prop(EVENTUALLY, "c"), weak=["go"])
    assert path(answer(graph).trace) == "a|b"


def test_a_run_may_stay_where_only_unfair_steps_are_enabled() -> None:
    graph = Drawn(["ab go", "bc"], prop(EVENTUALLY, "c"), weak=["go"])
    assert path(answer(graph).trace) == "a|b"


def test_a_run_may_not_stay_where_a_fair_step_is_enabled() -> None:
    graph = Drawn(["ab go", "bc go"], prop(EVENTUALLY, "c"), weak=["go"])
    assert answer(graph).verdict is Verdict.HOLDS


def test_a_self_loop_by_a_fair_action_may_repeat_for_ever() -> None:
    graph = Drawn(["aa wait", "ab go"], prop(EVENTUALLY, "b"), weak=["wait"])
    assert path(answer(graph).trace) == "|aa"


def test_a_self_loop_starves_no_other_weakly_fair_action() -> None:
    graph = Drawn(["aa wait", "ab go"], prop(EVENTUALLY, "b"), weak=["wait", "go"])
    assert answer(graph).verdict is Verdict.HOLDS


def test_weak_fairness_lets_an_action_starve_that_is_enabled_now_and_then() -> None:
    graph = Drawn(["ab turn", "ba turn", "ac go"], prop(EVENTUALLY, "c"), weak=["turn", "go"])
    result = answer(graph)
    assert result.verdict is Verdict.VIOLATED
    assert path(result.trace) in ("|aba", "a|bab")


def test_strong_fairness_does_not() -> None:
    graph = Drawn(
        ["ab turn", "ba turn", "ac go"], prop(EVENTUALLY, "c"), weak=["turn"], strong=["go"]
    )
    assert answer(graph).verdict is Verdict.HOLDS


def test_weak_fairness_bites_where_the_action_is_enabled_all_around_the_cycle() -> None:
    graph = Drawn(
        ["ab turn", "ba turn", "ac go", "bc go"], prop(EVENTUALLY, "c"), weak=["turn", "go"]
    )
    assert answer(graph).verdict is Verdict.HOLDS


def test_a_smaller_cycle_avoids_the_state_that_enables_a_starved_action() -> None:
    # a-b-c-a enables go at a; the cycle b-c inside never does.
    graph = Drawn(
        ["ab turn", "bc turn", "ca back", "cb turn", "ad go"],
        prop(EVENTUALLY, "d"),
        weak=["turn"],
        strong=["go"],
    )
    result = answer(graph)
    assert path(result.trace) == "a|bcb"


def test_no_smaller_cycle_is_left_without_the_starved_action() -> None:
    graph = Drawn(
        ["ab turn", "bc turn", "ca turn", "bd go"],
        prop(EVENTUALLY, "d"),
        weak=["turn"],
        strong=["go"],
    )
    assert answer(graph).verdict is Verdict.HOLDS


def test_the_smaller_cycle_must_be_fair_as_well() -> None:
    # Inside a-b-c, go (strong) is enabled at a; on b-c, leave (weak) is enabled everywhere.
    graph = Drawn(
        ["ab turn", "bc turn", "ca turn", "cb turn", "ad go", "bd leave", "cd leave"],
        prop(EVENTUALLY, "d"),
        weak=["turn", "leave"],
        strong=["go"],
    )
    assert answer(graph).verdict is Verdict.HOLDS


def test_a_strongly_fair_action_taken_on_the_cycle_is_not_starved() -> None:
    graph = Drawn(["ab go", "ba go", "ac out"], prop(EVENTUALLY, "c"), strong=["go"], weak=["out"])
    assert path(answer(graph).trace) == "|aba"


def test_the_loop_takes_every_fair_action_it_must() -> None:
    # Two loops through a; fairness demands both, and the walk shows both.
    graph = Drawn(
        ["ab left", "ba home", "ac right", "ca home"],
        prop(EVENTUALLY, "d"),
        strong=["left", "right", "home"],
    )
    trace = answer(graph).trace
    assert trace is not None
    assert trace.loop_from is not None
    assert {step.action for step in trace.steps[trace.loop_from :]} == {"left", "right", "home"}


def test_the_loop_shows_the_fair_one_of_two_steps_between_the_same_states() -> None:
    graph = Drawn(["ab", "ab go", "ba back"], prop(EVENTUALLY, "c"), weak=["back"], strong=["go"])
    trace = answer(graph).trace
    assert trace is not None
    assert [step.action for step in trace.steps] == ["go", "back"]


def test_fairness_is_owed_by_each_choice_of_parameters_on_its_own() -> None:
    graph = Drawn(
        ["ab go/1", "ba back", "ac go/2"], prop(EVENTUALLY, "c"), weak=["back"], strong=["go"]
    )
    assert answer(graph).verdict is Verdict.HOLDS


def test_leads_to_holds_where_the_premise_never_does() -> None:
    graph = Drawn(["ab go"], prop(LEADS_TO, goal="d", premise="x"), weak=["go"])
    report = check(graph, symmetry=False)
    assert report.verdict is Verdict.HOLDS
    assert report.warnings == ("`p` is never exercised: its premise holds in no reachable state",)


def test_leads_to_holds_where_premise_and_conclusion_meet() -> None:
    assert answer(Drawn(["ab go"], prop(LEADS_TO, goal="bd", premise="b"))).verdict is Verdict.HOLDS


def test_leads_to_is_violated_by_a_late_premise() -> None:
    graph = Drawn(["ab", "bc", "cd go"], prop(LEADS_TO, goal="x", premise="c"), weak=["go"])
    assert path(answer(graph).trace) == "abc|d"


def test_leads_to_asks_again_after_the_conclusion() -> None:
    # b is answered by c; c leads back to b, from where the run may end in d.
    graph = Drawn(
        ["ab go", "bc go", "cb go", "bd go"], prop(LEADS_TO, goal="c", premise="b"), weak=["go"]
    )
    assert path(answer(graph).trace) == "ab|d"


def test_leads_to_waits_only_along_runs_without_the_conclusion() -> None:
    graph = Drawn(["ab go", "bc go", "cd"], prop(LEADS_TO, goal="c", premise="b"), weak=["go"])
    assert answer(graph).verdict is Verdict.HOLDS


def test_a_premise_that_holds_again_inside_the_wait() -> None:
    graph = Drawn(["ab go", "ba go"], prop(LEADS_TO, goal="c", premise="a"), weak=["go"])
    assert path(answer(graph).trace) == "|aba"


def test_a_fault_inside_the_wait_is_found_and_counted() -> None:
    graph = Drawn(
        ["ab go", "bc go", "bd kill"],
        prop(LEADS_TO, goal="c", premise="b"),
        weak=["go"],
        faults={"kill": "crash"},
    )
    assert answer(graph).verdict is Verdict.HOLDS
    result = answer(graph, ONE_FAULT)
    assert (result.verdict, result.faults) == (Verdict.VIOLATED, 1)
    assert path(result.trace) == "ab|d"


def test_a_fault_before_the_premise() -> None:
    graph = Drawn(
        ["ab kill", "bc go"],
        prop(LEADS_TO, goal="d", premise="b"),
        weak=["go"],
        faults={"kill": "crash"},
    )
    assert answer(graph).verdict is Verdict.HOLDS
    assert path(answer(graph, ONE_FAULT).trace) == "ab|c"


def test_faults_do_not_happen_for_ever() -> None:
    # Round and round by kill alone: the budget ends it, and go is fair.
    graph = Drawn(
        ["ab kill", "ba go", "ac go"],
        prop(EVENTUALLY, "c"),
        weak=["go"],
        faults={"kill": "crash"},
    )
    assert answer(graph, Regime("three", {"crash": 3})).verdict is Verdict.HOLDS


def test_a_lasso_without_faults_is_preferred_to_a_shorter_one_with_a_fault() -> None:
    graph = Drawn(
        ["ab kill", "ac go", "cd go", "de go"],
        prop(EVENTUALLY, "x"),
        weak=["go"],
        faults={"kill": "crash"},
    )
    result = answer(graph, ONE_FAULT)
    assert result.faults == 0
    assert path(result.trace) == "acd|e"


def test_symmetry_is_refused_for_a_system_without_a_definition() -> None:
    graph = Drawn(["ab"], prop(EVENTUALLY, "b"))
    with pytest.raises(UsageError, match="symmetry needs a model written in the language"):
        check(graph)


def test_a_fair_property_is_undetermined_where_the_space_was_not_explored() -> None:
    from twice.model import Limits

    graph = Drawn(["ab", "bc", "cd"], prop(EVENTUALLY, "x"))
    result = check(graph, symmetry=False, limits=Limits(max_states=2)).result("p")
    assert result.verdict is Verdict.UNDETERMINED
    assert result.reason == "the limit of 2 states was reached"
