"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

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

version_option = click.option(
    "--version",
    metavar="NAME",
    help="Short for --set version=NAME, where a protocol has versions.",
)

model_options = _together(settings_option, version_option, jobs_option, workers_option)
"""Which system is asked."""

faults_option = click.option(
    "--faults",
    metavar="KIND=N,...",
    help="Allow these faults, so many times each (`none`: not any). "
    "Default: compare no fault and one of each kind.",
)

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
