"""The search on graphs drawn by hand: order, budgets, regimes, limits, interruption."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from drawn import Drawn, among, prop
from replay import assert_fewest_faults, assert_finding

from twice.model import (
    Covered,
    Limits,
    Property,
    PropertyKind,
    Regime,
    Report,
    Transition,
    UsageError,
    Verdict,
    check,
    explore,
)

INVARIANT, REACHABLE = PropertyKind.INVARIANT, PropertyKind.REACHABLE
FAULTS = {"kill": "crash", "cut": "loss"}


def found(graph: Drawn, regime: Regime) -> str:
    """The states of the counterexample or witness, replayed."""
    report = check(graph, [regime], symmetry=False)
    result = report.result("p")
    assert_finding(graph, result)
    assert_fewest_faults(graph, result, symmetry=False)
    assert result.trace is not None
    return "".join(result.trace.states)


def test_fewest_faults_come_before_fewest_steps() -> None:
    graph = Drawn(["ae kill", "ab", "bc", "cd", "de"], prop(INVARIANT, "abcd"), faults=FAULTS)
    assert found(graph, Regime("any", {"crash": 2})) == "abcde"


def test_with_equal_faults_fewest_steps_decide_whatever_the_kind() -> None:
    edges = ["ab kill", "bc", "cd", "de", "af cut", "fe"]
    graph = Drawn(edges, prop(INVARIANT, "abcdf"), faults=FAULTS)
    assert found(graph, Regime("any", {"crash": 1, "loss": 1})) == "afe"


def test_a_fault_late_on_a_run_is_found() -> None:
    graph = Drawn(["ab", "bc", "cd kill"], prop(INVARIANT, "abc"), faults=FAULTS)
    assert found(graph, Regime("any", {"crash": 1})) == "abcd"


def test_a_step_that_a_fault_could_replace_is_shown_as_the_step() -> None:
    graph = Drawn(["ab kill", "ab", "bc kill"], prop(INVARIANT, "ab"), faults=FAULTS)
    result = check(graph, [Regime("any", {"crash": 1})], symmetry=False).result("p")
    assert result.trace is not None
    assert [step.action for step in result.trace.steps] == ["step", "kill"]


def test_the_witness_of_a_reachable_condition_is_the_shortest() -> None:
    graph = Drawn(["ab", "bd", "ac", "cb"], prop(REACHABLE, "d"))
    assert found(graph, Regime("none")) == "abd"


def test_a_condition_in_no_reachable_state_is_violated_without_a_trace() -> None:
    result = check(Drawn(["ab", "cd"], prop(REACHABLE, "d")), symmetry=False).result("p")
    assert (result.verdict, result.trace, result.states) == (Verdict.VIOLATED, None, 2)


def test_a_violation_in_the_initial_state_has_no_steps() -> None:
    graph = Drawn(["ab"], prop(INVARIANT, "b"))
    assert found(graph, Regime("none")) == "a"


def test_several_initial_states_are_all_explored() -> None:
    report = check(Drawn(["ab", "cd"], prop(INVARIANT, "abc"), start="ac"), symmetry=False)
    assert report.states == 4
    trace = report.result("p").trace
    assert trace is not None
    assert trace.states == ["c", "d"]


def test_the_faults_used_are_part_of_a_state() -> None:
    graph = Drawn(["ab", "ba kill"], faults=FAULTS)
    for budget, states, steps in ((0, 2, 1), (1, 4, 3), (2, 6, 5)):
        space = explore(graph, [Regime("any", {"crash": budget})], symmetry=False)
        assert (space.size, space.transitions) == (states, steps)


def test_transitions_are_counted_also_to_known_states() -> None:
    space = explore(Drawn(["ab", "ac", "bd", "cd", "dd"]), [Regime("none")], symmetry=False)
    assert (space.size, space.transitions, space.depth) == (4, 5, 2)


def test_a_fault_counts_only_at_the_points_of_its_regime() -> None:
    faults = {"kill": "crash", "hit": "crash"}
    graph = Drawn(["ab kill", "ac hit"], prop(INVARIANT, "ab"), faults=faults)
    only_kill = Regime("kill", {"crash": 1}, {"crash": frozenset({"kill"})})
    only_hit = Regime("hit", {"crash": 1}, {"crash": frozenset({"hit"})})
    report = check(graph, [only_kill, only_hit], symmetry=False)
    assert report.result("p", "kill").verdict is Verdict.HOLDS
    assert report.result("p", "hit").verdict is Verdict.VIOLATED
    assert_finding(graph, report.result("p", "hit"))


def test_the_trace_of_one_regime_uses_no_fault_of_another() -> None:
    faults = {"kill": "crash", "hit": "crash", "cut": "loss"}
    graph = Drawn(["ab hit", "ab kill", "bc cut"], prop(INVARIANT, "ab"), faults=faults)
    regime = Regime("kill", {"crash": 1, "loss": 1}, {"crash": frozenset({"kill"})})
    other = Regime("hit", {"crash": 1}, {"crash": frozenset({"hit"})})
    result = check(graph, [regime, other], symmetry=False).result("p", "kill")
    assert_finding(graph, result)
    assert result.trace is not None
    assert [step.action for step in result.trace.steps] == ["kill", "cut"]


REGIMES = [
    Regime("none"),
    Regime("crash", {"crash": 1}),
    Regime("crashes", {"crash": 2}),
    Regime("loss", {"loss": 1}),
    Regime("both", {"crash": 1, "loss": 1}),
]
TANGLE = ["ab", "bc", "ca", "bd kill", "de", "ef kill", "fa", "eg cut", "gb", "gh kill", "cc cut"]


@pytest.mark.parametrize("kind", [INVARIANT, REACHABLE, PropertyKind.ALWAYS_REACHABLE])
@pytest.mark.parametrize("goal", ["abc", "abcde", "abcdefg", "h", "f"])
def test_regimes_that_share_an_exploration_get_the_answers_of_their_own(
    kind: PropertyKind, goal: str
) -> None:
    graph = Drawn(TANGLE, prop(kind, goal), faults=FAULTS)
    shared = check(graph, REGIMES, symmetry=False)
    for regime in REGIMES:
        together = shared.result("p", regime.name)
        alone = check(graph, [regime], symmetry=False)
        own = alone.result("p")
        assert (together.verdict, together.states) == (own.verdict, own.states)
        assert own.states == alone.states
        assert (together.faults, together.steps) == (own.faults, own.steps)
        if together.trace:
            assert_finding(graph, together)


def test_the_name_of_a_regime_is_given_once() -> None:
    graph = Drawn(["ab kill"], prop(INVARIANT, "a"), faults=FAULTS)
    with pytest.raises(UsageError, match="two regimes are called `any`"):
        check(graph, [Regime("any", {"crash": 1}), Regime("any")], symmetry=False)


def test_some_regime_is_needed() -> None:
    with pytest.raises(UsageError, match="no regime"):
        check(Drawn(["ab"]), [], symmetry=False)


def test_an_unknown_fault_kind_is_refused() -> None:
    graph = Drawn(["ab kill"], faults=FAULTS)
    with pytest.raises(UsageError, match="no fault kind `crsh`; did you mean `crash`"):
        check(graph, [Regime("any", {"crsh": 1})], symmetry=False)


@pytest.mark.parametrize("budget", [-1, 1.5, True, "2"])
def test_a_budget_that_is_no_number_is_refused(budget: object) -> None:
    graph = Drawn(["ab kill"], faults=FAULTS)
    with pytest.raises(UsageError, match="is no budget; give a whole number from 0 up"):
        check(graph, [Regime("any", {"crash": budget})], symmetry=False)  # type: ignore[dict-item]


@pytest.mark.parametrize("budget", [100_000, 10**30])
def test_a_budget_that_no_search_would_spend_is_refused(budget: int) -> None:
    graph = Drawn(["ab kill"], faults=FAULTS)
    with pytest.raises(UsageError, match=r"allows 1[0,]*1 combinations .* give smaller budgets"):
        check(graph, [Regime("any", {"crash": budget})], symmetry=False)


def test_an_unknown_property_is_refused() -> None:
    graph = Drawn(["ab"], prop(INVARIANT, "ab"))
    with pytest.raises(UsageError, match="no property `brokn`; did you mean `broken`"):
        check(graph, properties=["brokn"], symmetry=False)


# Limits.


def ring(size: int) -> Drawn:
    """A long way through states that are numbers written in letters."""

    class Long(Drawn):
        def initial_states(self) -> list[str]:
            return ["0"]

        def transitions(self, state: str) -> Iterable[Transition[str]]:
            from twice.model import Label

            number = int(state)
            return [Transition(Label("on"), str(number + 1))] if number < size else []

    return Long([], prop(INVARIANT, ""))


def long_way(goal: Property, size: int = 1_000) -> Drawn:
    """The same with a property of its own."""
    graph = ring(size)
    graph.properties = (goal,)
    return graph


BEYOND_500 = Property("p", INVARIANT, "Small.", lambda state: int(state) < 500)
NEVER = Property("p", INVARIANT, "Small.", lambda state: int(state) < 2_000)
SOMETIME_500 = Property("p", REACHABLE, "Large.", lambda state: int(state) == 500)
AT_THE_END = Property("p", PropertyKind.ALWAYS_REACHABLE, "E.", lambda state: state == "1000")


def result_within(entry: Property, limits: Limits) -> Report:
    return check(long_way(entry), symmetry=False, limits=limits)


def test_what_a_limit_leaves_open_is_undetermined_and_says_why() -> None:
    report = result_within(NEVER, Limits(max_states=100))
    result = report.result("p")
    assert result.verdict is Verdict.UNDETERMINED
    assert result.reason == report.stopped == "the limit of 100 states was reached"
    assert report.verdict is Verdict.UNDETERMINED
    assert not report.closed
    assert 100 <= result.states < 1_000


def test_a_timeout_is_a_limit_as_well() -> None:
    report = result_within(NEVER, Limits(timeout=0))
    assert report.result("p").verdict is Verdict.UNDETERMINED
    assert report.stopped == "the limit of 0 seconds was reached"


def test_what_was_found_before_the_limit_stands() -> None:
    assert result_within(BEYOND_500, Limits(max_states=100)).verdict is Verdict.UNDETERMINED
    assert result_within(BEYOND_500, Limits(max_states=600)).verdict is Verdict.VIOLATED
    assert result_within(SOMETIME_500, Limits(max_states=100)).verdict is Verdict.UNDETERMINED
    assert result_within(SOMETIME_500, Limits(max_states=600)).verdict is Verdict.HOLDS


def test_what_needs_all_states_is_undetermined_before_they_are_there() -> None:
    assert result_within(AT_THE_END, Limits(max_states=100)).verdict is Verdict.UNDETERMINED
    assert result_within(AT_THE_END, Limits()).verdict is Verdict.HOLDS


def test_a_limit_that_is_just_large_enough_changes_nothing() -> None:
    assert result_within(NEVER, Limits(max_states=1_001)).verdict is Verdict.HOLDS


def test_a_regime_that_was_complete_before_the_limit_keeps_its_proof() -> None:
    class Costly(Drawn):
        def transitions(self, state: str) -> Iterable[Transition[str]]:
            if len(state) > 1 or state == "b":
                return [Transition(next(iter(super().transitions("z"))).label, state + "b")]
            return super().transitions(state)

    goal = Property("p", INVARIANT, "", among("abcdefghijklmnopqrstuvwxyz" * 50))
    graph = Costly(["ab kill", "zz"], goal, faults=FAULTS)
    graph.properties = (Property("p", INVARIANT, "", lambda state: True),)
    regimes = [Regime("none"), Regime("crash", {"crash": 1})]
    report = check(graph, regimes, symmetry=False, limits=Limits(max_states=50))
    assert report.result("p", "none").verdict is Verdict.HOLDS
    assert report.result("p", "crash").verdict is Verdict.UNDETERMINED
    assert report.verdict is Verdict.UNDETERMINED


def test_an_interruption_reports_what_was_covered() -> None:
    class Interrupted(Drawn):
        def transitions(self, state: str) -> Iterable[Transition[str]]:
            if state == "d":
                raise KeyboardInterrupt
            return super().transitions(state)

    graph = Interrupted(["ab", "bc", "cd", "de"], prop(INVARIANT, "abc"))
    report = check(graph, symmetry=False)
    assert report.stopped == "it was interrupted"
    assert not report.closed
    # The states seen so far were looked at: d, the last of them, violates.
    assert report.result("p").verdict is Verdict.VIOLATED
    assert report.states == 4

    graph.properties = (prop(INVARIANT, "abcd"),)
    result = check(graph, symmetry=False).result("p")
    assert (result.verdict, result.reason) == (Verdict.UNDETERMINED, "it was interrupted")


def test_progress_tells_states_time_frontier_depth_and_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter(range(100_000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    told: list[Covered] = []
    space = explore(ring(50), [Regime("none")], symmetry=False, progress=told.append)
    assert space.size == 51
    assert [c.states for c in told] == sorted(c.states for c in told)
    assert told[0][:5] == (1, 1, 1, 0, 0)
    assert told[-1].states == 51


# Systems without a definition.


def test_a_hand_written_system_is_refused_what_needs_the_definition() -> None:
    graph = Drawn(["ab"], prop(INVARIANT, "ab"))
    with pytest.raises(UsageError, match=r"symmetry needs a model written in the language; check"):
        check(graph)
    with pytest.raises(UsageError, match="needs a model written in the language"):
        check(graph, symmetry=False, engine="numpy")


def test_states_without_an_order_will_do() -> None:
    class Unordered(Drawn):
        pass

    graph = Unordered(["ab", "ac"], prop(INVARIANT, "a"))
    result = check(graph, symmetry=False).result("p")
    assert result.steps == 1
