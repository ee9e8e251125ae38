"""Where RQ's source has a step: the places named are those of 3.0, and older versions differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from twice.protocols.rq_settings import RQSettings, Version

if TYPE_CHECKING:
    from twice.model.program import Program

MOVED: dict[Version, dict[str, str]] = {
    Version.V1_16: {
        "worker/base.py": "worker.py",
        "worker/worker_classes.py": "worker.py",
        "queue.py:_fetch_dequeued_job": "queue.py:dequeue_any",
        "queue.py:_enqueue_async_job": "queue.py:_enqueue_job",
        "worker/base.py:handle_execution_ended": "worker.py:perform_job",
    },
    Version.V2_12: {"queue.py:_fetch_dequeued_job": "queue.py:dequeue_any"},
    Version.V3_0: {},
}
"""For each version, what stands elsewhere in it than in 3.0: a function, or a whole file."""


class Places(RQSettings):
    """A model whose steps name the places where its version has them."""

    def program(self) -> Program:
        """The guarded commands, each with its source in this version."""
        program = super().program()
        commands = (
            replace(command, source=place_in(self.version, command.source))
            for command in program.commands
        )
        return replace(program, commands=tuple(commands))


def place_in(version: Version, source: str) -> str:
    """Name the place of a step in a version.

    Examples
    --------
    >>> place_in(Version.V2_12, "rq 2.12.0: queue.py:_fetch_dequeued_job")
    'rq 2.12.0: queue.py:dequeue_any'
    """
    project, _, place = source.partition(": ")
    if not project.startswith("rq "):
        return source
    file, _, function = place.partition(":")
    moved = MOVED[version]
    return f"{project}: {moved.get(place) or f'{moved.get(file, file)}:{function}'}"
