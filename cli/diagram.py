"""`twice diagram`: the life cycle of one job, drawn from the explored state space."""

from __future__ import annotations

from pathlib import Path

import click

from twice.cli import options
from twice.cli.console import PIPED_WIDTH
from twice.cli.exit_code import UNDETERMINED
from twice.cli.going_on import ended_early
from twice.cli.output_file import deliver
from twice.cli.question import read_question
from twice.cli.search import Search
from twice.cli.search_options import search_options


@click.command()
@options.protocol_argument
@options.settings_option
@options.version_option
@options.workers_option
@options.faults_option
@search_options
@options.format_option("mermaid", "dot")
@options.output_option
@click.pass_context
def diagram(
    ctx: click.Context,
    protocol: str,
    settings: tuple[str, ...],
    version: str | None,
    workers: int,
    faults: str | None,
    search: Search,
    form: str,
    output: Path | None,
) -> None:
    """Draw the life cycle of one job, and where it goes wrong.

    Stages stand for states that were reached, arrows for steps between them. A stage is marked with
    an outcome where a shortest trace to it ends. Without --faults, one fault of the protocol's
    first kind may happen: with all kinds, arrows would cover the picture.

    Exit code 0: it is drawn; 2: wrong use; 3: undetermined, the search ended
    early.
    """
    from twice.cli.dot import dot_graph
    from twice.cli.life_cycle import life_cycle
    from twice.cli.mermaid_flowchart import flowchart

    if faults is None:
        faults = default_faults(protocol)
    question = read_question(
        protocol, settings=settings, version=version, jobs=1, workers=workers, faults=faults
    )
    report, drawn = life_cycle(question, search)
    early = ended_early(report, search, ctx)
    if drawn is None or early:
        told = early.lines(PIPED_WIDTH) if early else []
        click.echo("\n".join(["There is no diagram yet.", *told]), err=True)
        ctx.exit(UNDETERMINED)
    write = dot_graph if form == "dot" else flowchart
    deliver(write(drawn, question.protocol.title()), output)


def default_faults(protocol: str) -> str:
    """Name the protocol's first kind of fault."""
    from twice.protocols import PROTOCOLS

    return next(iter(PROTOCOLS[protocol].fault_points()), "none")
