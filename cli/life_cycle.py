"""The life cycle of one job, ready to be drawn: stages, arrows, and where it goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twice.cli.errors import explained

if TYPE_CHECKING:
    import networkx

    from twice.cli.question import Question
    from twice.cli.search import Search
    from twice.model import Report, Result

SHOWN = 3
"""How many names an arrow carries before the rest is only counted."""


@dataclass(frozen=True)
class Stage:
    """A stage of the life cycle.

    Attributes
    ----------
    key : str
        A name for the drawing program.
    name : str
        What people read.
    states : int
        How many states it stands for.
    initial : bool
        Whether the job begins here.
    outcomes : tuple of str
        The outcomes a shortest trace to which ends here.
    """

    key: str
    name: str
    states: int
    initial: bool
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class Arrow:
    """All steps, or all faults, that lead from one stage to another."""

    source: str
    target: str
    names: tuple[str, ...]
    fault: bool

    @property
    def label(self) -> tuple[str, ...]:
        """The lines that stand at the arrow."""
        if len(self.names) <= SHOWN:
            return self.names
        return (*self.names[: SHOWN - 1], f"and {len(self.names) - SHOWN + 1} more")


@dataclass(frozen=True)
class LifeCycle:
    """The stages and arrows."""

    stages: tuple[Stage, ...]
    arrows: tuple[Arrow, ...]


def life_cycle(question: Question, search: Search) -> tuple[Report, LifeCycle | None]:
    """Explore, and see the states as the protocol's `life_cycle` names them.

    A search that ended early is reported, and not drawn.
    """
    from twice.cli.progress import watched
    from twice.model.check import judge
    from twice.model.exploration import explore
    from twice.model.quotient import quotient
    from twice.model.view import View

    model = question.model()
    system = question.compiled(model)
    with explained(), watched() as progress:
        space = explore(
            system, question.regimes, system.properties, progress=progress, **search.arguments
        )
        report = judge(space, question.regimes, system.properties)
    if report.stopped:
        return report, None
    graph = quotient(space, system, model.life_cycle)
    marks = _marks(report.results, lambda state: model.life_cycle(View(system.layout, state)))
    keys = {name: f"S{number}" for number, name in enumerate(graph.nodes, 1)}
    stages = (
        Stage(keys[name], name, data["states"], data["initial"], tuple(marks.get(name, ())))
        for name, data in graph.nodes(data=True)
    )
    return report, LifeCycle(tuple(stages), tuple(_arrows(graph, keys)))


def _marks(results: Iterable[Result], stage_of: Callable[[int], str]) -> dict[str, list[str]]:
    """Name, for each stage, the outcomes a shortest trace to which ends there."""
    marks: dict[str, list[str]] = {}
    for result in results:
        if result.verdict.name == "VIOLATED" and result.trace is not None:
            marked = marks.setdefault(stage_of(result.trace.states[-1]), [])
            if result.property.violation not in marked:
                marked.append(result.property.violation)
    return marks


def _arrows(graph: networkx.MultiDiGraph[str], keys: dict[str, str]) -> Iterator[Arrow]:
    """Join parallel edges: own steps to one arrow, faults to another that names their kinds."""
    own: dict[tuple[str, str], list[str]] = {}
    faults: dict[tuple[str, str], list[str]] = {}
    for source, target, action, data in graph.edges(keys=True, data=True):
        fault: str | None = data["fault"]
        names = (faults if fault else own).setdefault((keys[source], keys[target]), [])
        name = fault or action
        if name not in names:
            names.append(name)
    for (source, target), names in own.items():
        yield Arrow(source, target, tuple(names), fault=False)
    for (source, target), names in faults.items():
        yield Arrow(source, target, tuple(names), fault=True)
