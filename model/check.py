"""`check`: explore a system once and answer every property under every regime."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from twice.model.coverage import untested
from twice.model.errors import UsageError, nearest
from twice.model.exploration import StateSpace, explore
from twice.model.interruption import INTERRUPTED
from twice.model.layers import Layer
from twice.model.limits import LimitReached, Limits, Progress, Watch
from twice.model.liveness import fair_lasso
from twice.model.paths import Paths
from twice.model.regimes import Regime, Usage
from twice.model.rules import PropertyKind
from twice.model.trace import Trace
from twice.model.transition_system import Property, TransitionSystem
from twice.model.verdict import Finding, Report, Result, Verdict

S = TypeVar("S")

NO_FAULTS = Regime("none")
"""The regime without any fault."""


def check(
    system: TransitionSystem[S],
    regimes: Sequence[Regime] = (NO_FAULTS,),
    *,
    properties: Sequence[str] | None = None,
    symmetry: bool = True,
    engine: str = "auto",
    cluster: Any = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> Report:
    """Answer properties of a system under fault regimes.

    Parameters
    ----------
    system : TransitionSystem
        Such as ``model.compile({Task: 2, Worker: 2})``.
    regimes : sequence of Regime
        By default only the one without faults.
    properties : sequence of str, optional
        Names of properties, or words for their violations; all by default.
    symmetry : bool
        Identify states that differ only by the names of members of a sort.
    engine : {"auto", "python", "numpy", "counter", "dask"}
        The back end of the search; the answers are the same.
    cluster : str or distributed.Client, optional
        Only for "dask"; see `explore`.
    limits : Limits, optional
        When to stop early; what is then not decided is undetermined.
    progress : callable, optional
        Called now and then with what was covered.
    checkpoint : Path, optional
        Where to save an exploration that stops early.
    resume : Path, optional
        A checkpoint to go on from.

    Raises
    ------
    UsageError
        For unknown names, and where symmetry is asked for and would be unsound.
    """
    chosen = choose(system, properties)
    watch = Watch(limits or Limits(), None)  # the time runs from here
    space = explore(
        system,
        regimes,
        chosen,
        symmetry=symmetry,
        engine=engine,
        cluster=cluster,
        limits=limits,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    report = judge(space, regimes, chosen, watch)
    if checkpoint and report.stopped and not space.stopped:
        from twice.model.checkpoint import save

        save(checkpoint, space, {})
    return report


def judge(
    space: StateSpace[S],
    regimes: Sequence[Regime],
    properties: Sequence[Property],
    watch: Watch | None = None,
) -> Report:
    """Answer properties of a space that was explored.

    Parameters
    ----------
    space : StateSpace
        For what it does not know, the answer is undetermined.
    regimes : sequence of Regime
        Of those that were explored.
    properties : sequence of Property
        Of the system; it was explored for these.
    watch : Watch, optional
        Ends the search for violations early, and so does Ctrl-C: violations found by then are told.
    """
    answers = _Answers(space, properties, regimes, watch)
    return Report(
        tuple(answers.answer(entry, regime) for entry in properties for regime in regimes),
        space.size,
        space.transitions,
        space.depth,
        not space.stopped,
        answers.stopped,
        answers.untested,
        len(space.lattice.usages),
        sum(layer.closed for layer in space.layers.values()),
    )


def choose(system: TransitionSystem[S], names: Sequence[str] | None) -> list[Property]:
    """The properties that names, or words for violations, stand for; all where none are given.

    Raises
    ------
    UsageError
        For a name that no property has.
    """
    known = list(system.properties)
    if names is None:
        return known
    words = {word for entry in known for word in (entry.name, entry.violation)}
    for name in names:
        if name not in words:
            raise UsageError(f"there is no property `{name}`; {nearest(name, words)}")
    return [entry for entry in known if entry.name in names or entry.violation in names]


class _Answers(Generic[S]):
    """Looks for violations layer by layer, so that one search serves all regimes.

    Attributes
    ----------
    stopped : str
        Why not all was searched; what was found until then stands.
    untested : tuple of str
        What was never put to the test.
    """

    def __init__(
        self,
        space: StateSpace[S],
        properties: Sequence[Property],
        regimes: Sequence[Regime],
        watch: Watch | None,
    ) -> None:
        self._space = space
        # A space that a limit has ended is still asked: the same limit would end that as well.
        self._watch = None if space.stopped else watch
        self._paths = Paths(space)
        self._findings: dict[tuple[str, Usage], Finding] = {}
        self._found: dict[str, dict[Usage, tuple[int, list[S]]]] = {
            entry.name: {} for entry in properties
        }
        self._lassos: dict[tuple[str, str], Trace[S] | None] = {}
        self._searched: set[Usage] = set()
        self.stopped = space.stopped
        self.untested: tuple[str, ...] = ()
        try:
            for layer in space.layers.values():
                self._search(layer, properties)
            for entry in properties:
                if entry.kind in _ABOUT_FAIR_RUNS:
                    self._search_runs(entry, regimes)
            self.untested = tuple(untested(space, properties))
        except LimitReached as reached:
            self.stopped = str(reached)
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED

    def _look(self) -> None:
        if self._watch:
            self._watch.look(self._space.size, 0, self._space.depth, 0)

    def _search(self, layer: Layer[S], properties: Sequence[Property]) -> None:
        self._search_states(layer, [e for e in properties if e.kind in _SEEN_IN_A_STATE])
        self._look()
        if layer.closed and layer.levels:
            self._search_closure(
                layer, [e for e in properties if e.kind is PropertyKind.ALWAYS_REACHABLE]
            )
            self._look()
            self._search_cycles(
                layer, [e for e in properties if e.kind is PropertyKind.FINITELY_OFTEN]
            )
            self._look()
        if layer.closed:
            self._searched.add(layer.usage)

    def _search_states(self, layer: Layer[S], properties: Sequence[Property]) -> None:
        for entry in properties:
            holding = entry.kind is PropertyKind.REACHABLE
            levels = list(layer.levels.values())
            found = self._space.engine.first(levels, entry.goal, holding=holding)
            if found:
                place, state = found
                self._found[entry.name][layer.usage] = list(layer.levels)[place], [state]

    def _search_closure(self, layer: Layer[S], properties: Sequence[Property]) -> None:
        goals = [entry.goal for entry in properties]
        if not goals:
            return
        for entry, found in zip(
            properties, self._space.engine.cannot_reach(layer, goals), strict=True
        ):
            if found:
                depth, state = found
                self._found[entry.name][layer.usage] = depth, [state]

    def _search_cycles(self, layer: Layer[S], properties: Sequence[Property]) -> None:
        for entry in properties:
            found = self._space.engine.endless(layer, entry)
            if found:
                self._found[entry.name][layer.usage] = found

    def _search_runs(self, entry: Property, regimes: Sequence[Regime]) -> None:
        for regime in regimes:
            if self._space.closed(regime):
                layers = self._space.within(regime)
                self._lassos[entry.name, regime.name] = fair_lasso(self._space, layers, entry)
                self._look()

    def answer(self, entry: Property, regime: Regime) -> Result:
        """The answer for one property under one regime."""
        layers = self._space.within(regime)
        if entry.kind in _ABOUT_FAIR_RUNS:
            finding = self._lasso(entry, regime)
            searched = (entry.name, regime.name) in self._lassos
        else:
            finding = self._finding(entry, layers)
            searched = self._searched.issuperset(self._space.lattice.within(regime))
        holds_when_found = entry.kind is PropertyKind.REACHABLE
        if finding is None and not searched:
            verdict = Verdict.UNDETERMINED
        elif (finding is None) == holds_when_found:
            verdict = Verdict.VIOLATED
        else:
            verdict = Verdict.HOLDS
        reason = self.stopped if verdict is Verdict.UNDETERMINED else ""
        return Result(entry, regime, verdict, sum(layer.size for layer in layers), finding, reason)

    def _lasso(self, entry: Property, regime: Regime) -> Finding | None:
        lasso = self._lassos.get((entry.name, regime.name))
        return Finding(lasso.faults, len(lasso.steps), lambda: lasso) if lasso else None

    def _finding(self, entry: Property, layers: list[Layer[S]]) -> Finding | None:
        found = self._found[entry.name]
        usages = [layer.usage for layer in layers if layer.usage in found]
        if not usages:
            return None
        best = min(usages, key=lambda usage: (sum(usage), found[usage][0], usage))
        if (entry.name, best) not in self._findings:
            depth, states = found[best]
            steps = depth + len(states) - 1
            trace = partial(self._trace, entry, best, depth, states)
            self._findings[entry.name, best] = Finding(sum(best), steps, trace)
        return self._findings[entry.name, best]

    def _trace(self, entry: Property, usage: Usage, depth: int, states: list[S]) -> Trace[S]:
        """The run to a state, or to a cycle and once around it, beginning with its action."""
        path = self._paths.to(usage, depth, states[0])
        if len(states) == 1:
            return self._paths.replay(path)
        around = [(usage, state) for state in states[1:]]
        return self._paths.replay(
            [*path, *around], loop_from=len(path) - 1, wanted={len(path): entry.counts}
        )


_SEEN_IN_A_STATE = (PropertyKind.INVARIANT, PropertyKind.REACHABLE)
_ABOUT_FAIR_RUNS = (PropertyKind.EVENTUALLY, PropertyKind.LEADS_TO)
