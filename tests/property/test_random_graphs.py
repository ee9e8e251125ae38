"""Random graphs of a few states: every answer is that of trying out all there is to try."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from drawn import Drawn, prop
from hypothesis import given
from hypothesis import strategies as st
from replay import assert_fewest_faults, assert_finding

from twice.model import Label, PropertyKind, Regime, Verdict, check, explore

LETTERS = "abcdef"
ACTIONS = ("go", "turn", "rest", "kill")
FAULTS = {"kill": "crash"}


class Picture(NamedTuple):
    """Edges, fairness, and two sets of states to ask about."""

    edges: frozenset[str]
    weak: frozenset[str]
    strong: frozenset[str]
    goal: str
    premise: str

    def graph(self, kind: PropertyKind, *, action: str = "go") -> Drawn:
        """The graph with one property."""
        premise = self.premise if kind is PropertyKind.LEADS_TO else None
        return Drawn(
            sorted(self.edges),
            prop(kind, self.goal, premise, action=action),
            weak=sorted(self.weak),
            strong=sorted(self.strong),
            faults=FAULTS,
        )


LETTER_SETS = st.sets(st.sampled_from(LETTERS), max_size=3).map(lambda s: "".join(sorted(s)))
EDGES = st.builds(
    lambda a, b, action: f"{a}{b} {action}",
    st.sampled_from(LETTERS),
    st.sampled_from(LETTERS),
    st.sampled_from(ACTIONS),
)


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Graphs of up to six states."""
    fair = {action: draw(st.sampled_from(["", "weak", "strong"])) for action in ACTIONS[:3]}
    return Picture(
        frozenset(draw(st.sets(EDGES, min_size=3, max_size=14))),
        frozenset(action for action, how in fair.items() if how == "weak"),
        frozenset(action for action, how in fair.items() if how == "strong"),
        draw(LETTER_SETS),
        draw(LETTER_SETS),
    )


Node = tuple[int, str]
"""Faults used, and a state."""


class ByHand:
    """The same graph with its faults counted, to be searched without any cleverness."""

    def __init__(self, graph: Drawn, budget: int) -> None:
        self._graph = graph
        self._budget = budget

    def steps(self, node: Node) -> Iterator[tuple[Label, Node]]:
        """Every step, faults within the budget included."""
        used, state = node
        for label, target in self._graph.transitions(state):
            if label.fault is None:
                yield label, (used, target)
            elif used < self._budget:
                yield label, (used + 1, target)

    def reached(self, starts: set[Node], within: set[Node] | None = None) -> set[Node]:
        """Everything reachable, by way of some nodes alone if they are given."""
        known, frontier = set(starts), list(starts)
        while frontier:
            for _, target in self.steps(frontier.pop()):
                if target not in known and (within is None or target in within):
                    known.add(target)
                    frontier.append(target)
        return known

    def own(self, node: Node) -> list[tuple[Label, Node]]:
        """The steps of the system itself."""
        return [(label, target) for label, target in self.steps(node) if label.fault is None]

    def connected(self, nodes: set[Node]) -> bool:
        """Whether every node reaches every other by own steps inside the set."""
        for start in nodes:
            known, frontier = {start}, [start]
            while frontier:
                for _, target in self.own(frontier.pop()):
                    if target in nodes and target not in known:
                        known.add(target)
                        frontier.append(target)
            if known != nodes:
                return False
        return True

    def fair(self, nodes: set[Node]) -> bool:
        """Whether a run may stay in a set of nodes for ever, taking all its steps."""
        taken = {label for n in nodes for label, target in self.own(n) if target in nodes}
        enabled = {n: {label for label, _ in self.own(n) if label.fair != "unfair"} for n in nodes}
        for label in set.union(*enabled.values()) - taken:
            if label.fair == "strong" or all(label in offered for offered in enabled.values()):
                return False
        return True

    def fair_sets(self, nodes: set[Node]) -> Iterator[set[Node]]:
        """Every set of nodes in which a run may be for ever: all subsets are tried."""
        for size in range(1, len(nodes) + 1):
            for chosen in combinations(sorted(nodes), size):
                members = set(chosen)
                if size == 1 and not any(
                    label.fair != "unfair" for label, _ in self.own(chosen[0])
                ):
                    yield members  # it may stop there
                inner = any(target in members for n in members for _, target in self.own(n))
                if inner and self.connected(members) and self.fair(members):
                    yield members


def alone(nodes: set[Node], used: int) -> set[Node]:
    """The nodes with so many faults used."""
    return {node for node in nodes if node[0] == used}


BUDGET = 1
REGIME = Regime("one", {"crash": BUDGET})


@given(pictures())
def test_fair_runs_that_wait_in_vain(picture: Picture) -> None:
    for kind in (PropertyKind.EVENTUALLY, PropertyKind.LEADS_TO):
        graph = picture.graph(kind)
        by_hand = ByHand(graph, BUDGET)
        every = by_hand.reached({(0, "a")})
        begins = (
            {(0, "a")}
            if kind is PropertyKind.EVENTUALLY
            else {node for node in every if node[1] in picture.premise}
        )
        open_nodes = {node for node in every if node[1] not in picture.goal}
        waiting = by_hand.reached(begins & open_nodes, within=open_nodes)
        in_vain = [
            used
            for used in range(BUDGET + 1)
            if any(True for _ in by_hand.fair_sets(alone(waiting, used)))
        ]
        result = check(graph, [REGIME], symmetry=False).result("p")
        assert (result.verdict is Verdict.VIOLATED) == bool(in_vain)
        if in_vain:
            assert result.faults == in_vain[0]
            assert_finding(graph, result)


@given(pictures())
def test_points_of_no_return(picture: Picture) -> None:
    graph = picture.graph(PropertyKind.ALWAYS_REACHABLE)
    by_hand = ByHand(graph, BUDGET)
    stuck = [
        used
        for used, state in sorted(by_hand.reached({(0, "a")}))
        if not any(target[1] in picture.goal for target in ByHand(graph, 0).reached({(0, state)}))
    ]
    result = check(graph, [REGIME], symmetry=False).result("p")
    assert (result.verdict is Verdict.VIOLATED) == bool(stuck)
    if stuck:
        assert result.faults == stuck[0]
        assert_finding(graph, result)
        assert_fewest_faults(graph, result, symmetry=False)


@given(pictures())
def test_actions_without_end(picture: Picture) -> None:
    graph = picture.graph(PropertyKind.FINITELY_OFTEN)
    by_hand = ByHand(graph, BUDGET)
    every = {node for node in by_hand.reached({(0, "a")}) if node[1] in picture.goal}

    found = sorted(
        node[0]
        for node in every
        for label, target in by_hand.own(node)
        if label.action == "go" and _comes_back(graph, node, target, alone(every, node[0]))
    )
    result = check(graph, [REGIME], symmetry=False).result("p")
    assert (result.verdict is Verdict.VIOLATED) == bool(found)
    if found:
        assert result.faults == found[0]
        assert_finding(graph, result)


def _comes_back(graph: Drawn, node: Node, target: Node, inside: set[Node]) -> bool:
    """Whether own steps lead from the target back to the node, all of them among some nodes."""
    letters = {(0, state) for _, state in inside}
    return target in inside and (0, node[1]) in ByHand(graph, 0).reached({(0, target[1])}, letters)


REGIMES = [Regime("none"), Regime("one", {"crash": 1}), Regime("two", {"crash": 2})]


@given(pictures())
def test_what_is_reached_and_by_which_fewest_faults_and_steps(picture: Picture) -> None:
    graph = picture.graph(PropertyKind.REACHABLE)
    report = check(graph, REGIMES, symmetry=False)
    for budget, regime in enumerate(REGIMES):
        by_hand = ByHand(graph, budget)
        every = by_hand.reached({(0, "a")})
        result = report.result("p", regime.name)
        assert result.states == len(every)
        met = sorted(used for used, state in every if state in picture.goal)
        assert (result.verdict is Verdict.HOLDS) == bool(met)
        if met:
            assert (result.faults, result.steps) == (met[0], _steps(by_hand, picture.goal, met[0]))
            assert_finding(graph, result)
        space = explore(graph, [regime], symmetry=False)
        assert space.size == len(every)
        assert space.transitions == sum(len(list(by_hand.steps(node))) for node in every)


def _steps(by_hand: ByHand, goal: str, faults: int) -> int:
    """The fewest steps to a goal with so many faults."""
    level, known, steps = {(0, "a")}, {(0, "a")}, 0
    while not any(used == faults and state in goal for used, state in level):
        level = {target for node in level for _, target in by_hand.steps(node)} - known
        known |= level
        steps += 1
    return steps
