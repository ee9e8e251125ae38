"""Where RQ's source has a step: the places named are those of 3.0, and older versions differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from twice.protocols.rq_settings import RQSettings, Version

if TYPE_CHECKING:
    from twice.model.program import Program

MOVED: dict[Version, dict[str, str]] = {
    Version.V0_6: {
        "worker/base.py": "worker.py",
        "worker/worker_classes.py": "worker.py",
        "worker/base.py:get_heartbeat_ttl": "worker.py:prepare_job_execution",
        "worker/base.py:handle_job_success": "worker.py:perform_job",
        "worker/base.py:handle_job_failure": "worker.py:perform_job",
        "worker/worker_classes.py:fork_work_horse": "worker.py:execute_job",
        "worker/worker_classes.py:monitor_work_horse": "worker.py:execute_job",
        "queue.py:_fetch_dequeued_job": "queue.py:dequeue_any",
        "queue.py:_enqueue_async_job": "queue.py:push_job_id",
        "redis-py 8.1.0: client.py:Pipeline.execute": (
            "redis-py 2.10.6: client.py:StrictRedis.execute_command"
        ),
        "rq 0.6.0: worker_pool.py:check_workers, or any supervisor": "any supervisor",
    },
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
            command._replace(source=place_in(self.version, command.source))
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
    moved = MOVED[version]
    project, _, place = source.partition(": ")
    if source in moved or not project.startswith("rq "):
        return moved.get(source, source)
    file, _, function = place.partition(":")
    return f"{project}: {moved.get(place) or f'{moved.get(file, file)}:{function}'}"
