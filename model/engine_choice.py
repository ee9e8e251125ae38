"""Which back end explores a space, and when the search moves from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

from twice.model.compiled import CompiledModel
from twice.model.counter_engine import CounterEngine
from twice.model.counter_form import FEWEST, NotCountable, obstacle
from twice.model.engine import Engine
from twice.model.errors import UsageError, nearest
from twice.model.python_engine import PythonEngine
from twice.model.regimes import FaultClass
from twice.model.renaming import KEY_BITS
from twice.model.symmetry import Symmetry
from twice.model.transition_system import TransitionSystem

S = TypeVar("S")

ENGINES = ("auto", "python", "numpy", "counter", "dask")
"""What a user can ask for."""

OUTGROWN = 30_000
"""States at which "auto" leaves plain Python; measured in benchmarks/engines.py: below it, loading
NumPy and its overhead per level cost more than they save."""

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
        reason = {
            "numpy": self._no_arrays,
            "counter": self._no_counters,
            "dask": self._no_arrays,
        }.get(name, str)()
        if reason:
            raise UsageError(f"the {name} engine cannot explore this: {reason}; use python")
        self._later: list[tuple[int, Callable[[], Engine[S]]]] = []
        if name == "dask" or (name == "auto" and not self._no_arrays()):
            self._later.append((OUTGROWN, self._numpy))
        if name == "dask":
            spread = self._dask(cluster)
            self._later.append((SPREAD, lambda: spread))

    def _no_arrays(self) -> str:
        """Why states cannot be kept in arrays, or an empty text."""
        if not isinstance(self._system, CompiledModel):
            return "it needs a model written in the language"
        if isinstance(self._canonical, Symmetry) and any(
            renaming.key_width > KEY_BITS for renaming in self._canonical.renamings
        ):
            return "what a state says of one member does not fit in one word"
        return ""

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
        if not self._no_arrays():
            self._later = [(OUTGROWN, self._numpy)]
        return PythonEngine(self._system, self._faults, self._canonical)

    def larger(self, states: int) -> Engine[S] | None:
        """The back end to go on with at this number of states, or None to stay."""
        make = None
        while self._later and states >= self._later[0][0]:
            make = self._later.pop(0)[1]
        return make() if make else None

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
