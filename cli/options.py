"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from twice.model import Limits

F = TypeVar("F", bound=Callable[..., Any])


def known_protocol(name: str) -> str:
    """Refuse an unknown protocol, and say the nearest one."""
    from twice.model.errors import nearest
    from twice.protocols import PROTOCOLS

    if name not in PROTOCOLS:
        raise click.BadParameter(f"there is no protocol `{name}`; {nearest(name, PROTOCOLS)}")
    return name


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    def apply(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return apply


protocol_argument = click.argument(
    "protocol", callback=lambda _ctx, _param, name: known_protocol(name)
)

settings_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Give a setting of the protocol another value (`twice list` shows them all).",
)

jobs_option = click.option(
    "--jobs",
    "--tasks",
    "jobs",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many jobs (tasks, messages) there are.",
)

workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="How many workers there are.",
)

model_options = _together(settings_option, jobs_option, workers_option)
"""Which system is asked."""

faults_option = click.option(
    "--faults",
    metavar="KIND=N,...",
    help="Allow these faults, so many times each (`none`: not any). "
    "Default: compare no fault and one of each kind.",
)

limit_options = _together(
    click.option(
        "--max-states",
        metavar="N",
        type=click.IntRange(1),
        help="Stop at so many states; what is not settled by then is undetermined.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Stop after so long; what is not settled by then is undetermined.",
    ),
)
"""When to give up."""

engine_options = _together(
    click.option(
        "--engine",
        metavar="NAME",
        type=click.Choice(["auto", "python", "numpy", "counter", "dask"]),
        default="auto",
        show_default=True,
        help="What explores: python, numpy, counter, auto (which changes over when that pays), or "
        "dask (which spreads a large space over a cluster). The answers are the same.",
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Scheduler of the Dask cluster, for --engine dask. Default: "
        "$DASK_SCHEDULER_ADDRESS, or else processes on this machine.",
    ),
)
"""What does the work, and where."""

output_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Write to a file, whole or not at all.",
)


def format_option(*formats: str) -> Callable[[F], F]:
    """`--format`, with the first one as default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to write it.",
    )


def limits(max_states: int | None, timeout: float | None) -> Limits:
    """When to give up."""
    from twice.model import Limits

    return Limits(max_states=max_states, timeout=timeout)
