"""Which back end explores a space, and when the search moves from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, cast

from twice.model.engine import Engine
from twice.model.errors import UsageError, nearest
from twice.model.python_engine import PythonEngine
from twice.model.regimes import FaultClass
from twice.model.renaming import KEY_BITS
from twice.model.symmetry import Symmetry
from twice.model.transition_system import TransitionSystem

S = TypeVar("S")

ENGINES = ("auto", "python", "numpy")
"""What a user can ask for."""

OUTGROWN = 30_000
"""States at which "auto" leaves plain Python; measured in benchmarks/engines.py: below it, loading
NumPy and its overhead per level cost more than they save."""


class EngineChoice(Generic[S]):
    """Chooses a back end for one exploration.

    Parameters
    ----------
    name : str
        One of `ENGINES`.
    system, faults, canonical
        See `PythonEngine`.

    Raises
    ------
    UsageError
        For an unknown name, and for a system that the named back end cannot explore.
    """

    def __init__(
        self,
        name: str,
        system: TransitionSystem[S],
        faults: Sequence[FaultClass],
        canonical: Callable[[S], S] | None,
    ) -> None:
        if name not in ENGINES:
            raise UsageError(f"there is no engine `{name}`; {nearest(name, ENGINES)}")
        self._name = name
        self._system = system
        self._faults = faults
        self._canonical = canonical
        obstacle = self._obstacle()
        if name == "numpy" and obstacle:
            raise UsageError(f"the numpy engine cannot explore this: {obstacle}; use engine=python")
        self._may_grow = name == "auto" and not obstacle

    def _obstacle(self) -> str:
        from twice.model.compiled import CompiledModel

        if not isinstance(self._system, CompiledModel):
            return "it needs a model written in the language"
        if isinstance(self._canonical, Symmetry) and any(
            renaming.key_width > KEY_BITS for renaming in self._canonical.renamings
        ):
            return "what a state says of one member does not fit in one word"
        return ""

    def first(self) -> Engine[S]:
        """The back end to begin with."""
        if self._name == "numpy":
            return self._numpy()
        return PythonEngine(self._system, self._faults, self._canonical)

    def larger(self, states: int) -> Engine[S] | None:
        """The back end to go on with at this number of states, or None to stay."""
        if not self._may_grow or states < OUTGROWN:
            return None
        self._may_grow = False
        return self._numpy()

    def _numpy(self) -> Engine[S]:
        from twice.model.compiled import CompiledModel
        from twice.model.numpy_engine import NumpyEngine

        model = cast(CompiledModel, self._system)
        symmetry = cast("Symmetry | None", self._canonical)
        return cast("Engine[S]", NumpyEngine(model, self._faults, symmetry))
