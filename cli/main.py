"""`twice`: the group of commands."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Any

import click

from twice.cli.check import check
from twice.cli.diagram import diagram
from twice.cli.errors import Mistake
from twice.cli.listing import list_protocols
from twice.cli.trace import trace
from twice.cli.verify import verify

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended before it had anything to report."""


class Twice(click.Group):
    """The group; it names the command nearest to a misspelt one, and tells Ctrl-C by its code."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            from twice.model.errors import nearest

            ctx.fail(f"there is no command `{args[0]}`; {nearest(args[0], self.commands)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except OSError as error:  # all other files are read and written where this is explained
            _give_up_output()
            raise Mistake(
                f"the output cannot be written: {error.strerror}.", "give it a place with room"
            ) from error


def _give_up_output() -> None:
    """Keep Python from writing what is left when it ends, which would fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


@click.group(cls=Twice, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="twice", message="%(prog)s %(version)s")
def main() -> None:
    """Can a background task be lost? Can it run twice? Can it hang?

    Twice explores every state that a task-delivery protocol can reach under given faults. The
    answer is a proof, or the shortest trace that shows how. Begin with `twice check rq`.
    """


for command in (check, list_protocols, verify, trace, diagram):
    main.add_command(command)

# Memory goes with the process. Python's last collection would first walk through all of it, which
# took an eighth of the time of a default check.
atexit.register(gc.freeze)
