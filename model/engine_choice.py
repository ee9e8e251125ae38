"""Which back end explores a space, and when the search moves from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from twice.model import array_form
from twice.model.compiled import CompiledModel
from twice.model.counter_engine import CounterEngine
from twice.model.counter_form import FEWEST, NotCountable, obstacle
from twice.model.engine import Engine
from twice.model.errors import UsageError, nearest
from twice.model.python_engine import PythonEngine
from twice.model.regimes import FaultClass
from twice.model.symmetry import Symmetry
from twice.model.transition_system import TransitionSystem

S = TypeVar("S")

_Pays = Callable[[int, int], bool]
"""Whether a move pays, by the number of states in all, and of those in the last level."""

ENGINES = ("auto", "python", "numpy", "counter", "dask")
"""What a user can ask for."""

OUTGROWN = 30_000
"""States from which "auto" may leave plain Python; measured, as is `WIDE`, in
benchmarks/engines.py: below it, loading NumPy costs more than it saves."""

WIDE = 20
"""States of a level, for each ground action, from which "auto" may leave plain Python: NumPy looks
at every action once for each level, and a narrow level does not pay for that."""

HEAVY = 1_000_000
"""States at which "auto" leaves plain Python however narrow its levels are: it takes some hundred
bytes for each."""

SPREAD = 1_000_000
"""States at which "dask" leaves this process: until then, telling a cluster what to do takes longer
than doing it."""

MANY = 6
"""Members of a sort from which "auto" counts them instead of ordering them in every state."""


class EngineChoice(Generic[S]):
    """Chooses a back end for one exploration.

    Parameters
    ----------
    name : str
        One of `ENGINES`.
    system, faults, canonical
        See `PythonEngine`.
    cluster : str or distributed.Client, optional
        Only for "dask"; see `twice.model.dask_client.client`.

    Raises
    ------
    UsageError
        For an unknown name, for a system that the named back end cannot explore, and for a cluster
        that no back end asked for, or that cannot be reached.
    """

    def __init__(
        self,
        name: str,
        system: TransitionSystem[S],
        faults: Sequence[FaultClass],
        canonical: Callable[[S], S] | None,
        cluster: Any = None,
    ) -> None:
        if name not in ENGINES:
            raise UsageError(f"there is no engine `{name}`; {nearest(name, ENGINES)}")
        if cluster is not None and name != "dask":
            raise UsageError(f"the {name} engine uses no cluster; use dask, or name no cluster")
        self._name = name
        self._system = system
        self._faults = faults
        self._canonical = canonical
        reason = ""
        if name == "counter":
            reason = self._no_counters()
        elif name in ("numpy", "dask"):
            reason = self._no_arrays
        if reason:
            raise UsageError(f"the {name} engine cannot explore this: {reason}; use python")
        self._later: list[tuple[_Pays, Callable[[], Engine[S]]]] = []
        if name in ("auto", "dask"):
            self._later.append((self._arrays_pay, self._numpy))
        if name == "dask":
            spread = self._dask(cluster)
            self._later.append((_spreading_pays, lambda: spread))

    @cached_property
    def _no_arrays(self) -> str:
        """Why states cannot be kept in arrays, or an empty text."""
        return array_form.obstacle(self._system, self._canonical)

    def _no_counters(self) -> str:
        """Why members cannot be counted, or an empty text."""
        if not isinstance(self._system, CompiledModel):
            return "it needs a model written in the language"
        if not isinstance(self._canonical, Symmetry):
            return "it counts interchangeable members, so it needs symmetry"
        sort = self._canonical.ordered
        if sort is None or self._canonical.free < FEWEST:
            return "no sort has enough members that differ only by their records"
        return obstacle(self._system.program, sort)

    def first(self) -> Engine[S]:
        """The back end to begin with."""
        if self._name == "numpy":
            return self._numpy()
        if self._name == "counter" or self._counting_pays():
            self._later = []
            model, symmetry = cast(CompiledModel, self._system), cast(Symmetry, self._canonical)
            return cast("Engine[S]", CounterEngine(model, self._faults, symmetry))
        return PythonEngine(self._system, self._faults, self._canonical)

    def _counting_pays(self) -> bool:
        if self._name != "auto" or self._no_counters():
            return False
        return isinstance(self._canonical, Symmetry) and self._canonical.free >= MANY

    def instead(self, reason: NotCountable) -> Engine[S]:
        """The back end for a model that turned out not to be countable.

        Raises
        ------
        UsageError
            When counting was asked for.
        """
        if self._name == "counter":
            raise UsageError(f"the counter engine cannot explore this: {reason}; use python")
        self._later = [(self._arrays_pay, self._numpy)]
        return PythonEngine(self._system, self._faults, self._canonical)

    def larger(self, states: int, frontier: int) -> Engine[S] | None:
        """The back end to go on with at these numbers of states, in all and in the last level.

        None is to stay.
        """
        make = None
        while self._later and self._later[0][0](states, frontier):
            make = self._later.pop(0)[1]
        return make() if make else None

    def _arrays_pay(self, states: int, frontier: int) -> bool:
        if states < OUTGROWN or self._no_arrays:
            return False
        wide = WIDE * len(cast(CompiledModel, self._system).actions)
        return states >= HEAVY or frontier >= wide

    def _numpy(self) -> Engine[S]:
        from twice.model.numpy_engine import NumpyEngine

        model = cast(CompiledModel, self._system)
        symmetry = cast("Symmetry | None", self._canonical)
        return cast("Engine[S]", NumpyEngine(model, self._faults, symmetry))

    def _dask(self, cluster: Any) -> Engine[S]:
        from twice.model.dask_engine import DaskEngine

        model = cast(CompiledModel, self._system)
        symmetry = cast("Symmetry | None", self._canonical)
        return cast("Engine[S]", DaskEngine(model, self._faults, symmetry, cluster))


def _spreading_pays(states: int, frontier: int) -> bool:
    return states >= SPREAD
