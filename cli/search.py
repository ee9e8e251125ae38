"""How a state space is explored, and when that ends: the options of a command, as one value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from twice.model import Limits


class Search(NamedTuple):
    """How a state space is explored.

    Attributes
    ----------
    engine : str
        The back end.
    cluster : str or None
        Where the dask engine finds its scheduler.
    symmetry : bool
        Whether states that differ only by names are one.
    max_states, timeout, max_memory
        When to stop early: at so many states, seconds, bytes.
    checkpoint : Path or None
        Where to save an exploration that stops early.
    resume : Path or None
        A checkpoint to go on from.
    """

    engine: str = "auto"
    cluster: str | None = None
    symmetry: bool = True
    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None
    checkpoint: Path | None = None
    resume: Path | None = None

    @property
    def limits(self) -> Limits:
        """When to stop early."""
        from twice.model import Limits

        return Limits(self.max_states, self.timeout, self.max_memory)

    @property
    def arguments(self) -> dict[str, Any]:
        """What `check` and `explore` of the model take by these names."""
        return {
            "engine": self.engine,
            "cluster": self.cluster,
            "symmetry": self.symmetry,
            "limits": self.limits,
            "checkpoint": self.checkpoint,
            "resume": self.resume,
        }
