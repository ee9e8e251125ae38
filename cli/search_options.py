"""The options that say how to explore, and when to give up."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import isnan
from pathlib import Path
from typing import Any

import click

from twice.cli.errors import Mistake
from twice.cli.memory_size import MemorySize
from twice.cli.search import Search

Command = Callable[..., Any]


class EngineName(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.4 on
    """One of the back ends; the model, which knows them, is loaded only to look a name up."""

    name = "engine"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse an unknown name, and say the nearest one."""
        from twice.model.engine_choice import ENGINES
        from twice.model.errors import nearest

        if value not in ENGINES:
            self.fail(f"there is no engine `{value}`; {nearest(value, ENGINES)}", param, ctx)
        return value


class Seconds(click.FloatRange):
    """A time; `nan` compares with nothing and would be no limit at all."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse what is no number."""
        seconds: float = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"`{value}` is no number of seconds", param, ctx)
        return seconds


def _file_to_be(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """Refuse at once, not after hours, a checkpoint that could not be written."""
    import os

    if path is None:
        return None
    cure = "name a file in a folder that you can write to"
    if path.is_dir():
        raise Mistake(f"--checkpoint {path}: this is a folder.", f"--checkpoint {path / 'run.npz'}")
    if path.exists() and not path.is_file():
        raise Mistake(f"--checkpoint {path}: this is a device or a pipe.", cure)
    if not path.parent.is_dir():
        raise Mistake(f"--checkpoint {path}: there is no folder {path.parent}.", cure)
    if not os.access(path.parent, os.W_OK):
        raise Mistake(f"--checkpoint {path}: {path.parent} is not writable.", cure)
    return path


_ENGINE = [
    click.option(
        "--engine",
        type=EngineName(),
        metavar="NAME",
        default="auto",
        show_default=True,
        help="What explores: python, numpy, counter, auto (which changes over when that pays), or "
        "dask (which spreads a large space over a cluster). Verdicts are the same.",
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Scheduler of the Dask cluster, for --engine dask. Default: "
        "$DASK_SCHEDULER_ADDRESS, or else processes on this machine.",
    ),
]

_SYMMETRY = [
    click.option(
        "--no-symmetry",
        is_flag=True,
        help="Count states that differ only by the names of jobs and workers one by one. "
        "Verdicts are the same.",
    ),
]

LIMITS = ("max_states", "timeout", "max_memory")
"""The names of the options that stop early."""

_LIMITS = [
    click.option(
        "--max-states",
        metavar="N",
        type=click.IntRange(1),
        help="Stop at so many states; what is not settled by then is undetermined.",
    ),
    click.option(
        "--timeout",
        type=Seconds(0, min_open=True),
        metavar="SECONDS",
        help="Stop after so long.",
    ),
    click.option(
        "--max-memory",
        type=MemorySize(),
        metavar="SIZE",
        help="Stop when the process holds so much memory, such as 512M or 2G.",
    ),
]

_CHECKPOINTS = [
    click.option(
        "--checkpoint",
        type=click.Path(path_type=Path),
        metavar="FILE",
        callback=_file_to_be,
        help="Where to save what was covered when a limit, or Ctrl-C, ends the search.",
    ),
    click.option(
        "--resume",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="Go on from such a file. Limits, --engine and what is shown may differ.",
    ),
]


def search_options(command: Command) -> Command:
    """Everything about the search, given to the command as `search`."""
    return _given([*_ENGINE, *_SYMMETRY, *_LIMITS, *_CHECKPOINTS], command)


def engine_and_limits(command: Command) -> Command:
    """Only the back end and the limits, given to the command as `search`."""
    return _given([*_ENGINE, *_LIMITS], command)


def _given(options: list[Callable[[Command], Command]], command: Command) -> Command:
    @wraps(command)
    def collected(
        *args: Any,
        engine: str,
        cluster: str | None,
        max_states: int | None,
        timeout: float | None,
        max_memory: int | None,
        no_symmetry: bool = False,
        checkpoint: Path | None = None,
        resume: Path | None = None,
        **others: Any,
    ) -> Any:
        search = Search(
            engine=engine,
            cluster=cluster,
            symmetry=not no_symmetry,
            max_states=max_states,
            timeout=timeout,
            max_memory=max_memory,
            checkpoint=checkpoint,
            resume=resume,
        )
        return command(*args, search=search, **others)

    decorated: Callable[..., Any] = collected
    for option in reversed(options):
        decorated = option(decorated)
    return decorated
