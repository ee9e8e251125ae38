"""`twice trace`: the shortest way to an outcome, to read, to draw or for a program."""

from __future__ import annotations

from pathlib import Path

import click

from twice.cli import options
from twice.cli.console import PIPED_WIDTH
from twice.cli.documents import asked, dumps, result_document
from twice.cli.errors import explained
from twice.cli.exit_code import UNDETERMINED, VIOLATED
from twice.cli.going_on import EndedEarly, ended_early
from twice.cli.output_file import deliver, deliver_lines
from twice.cli.question import Question, read_question
from twice.cli.search import Search
from twice.cli.search_options import search_options


@click.command()
@options.protocol_argument
@click.argument("outcome")
@options.model_options
@options.faults_option
@search_options
@options.format_option("text", "json", "mermaid")
@options.output_option
@click.pass_context
def trace(
    ctx: click.Context,
    protocol: str,
    outcome: str,
    settings: tuple[str, ...],
    version: str | None,
    jobs: int,
    workers: int,
    faults: str | None,
    search: Search,
    form: str,
    output: Path | None,
) -> None:
    """Write the shortest trace to OUTCOME: fewest faults, then fewest steps.

    Exit code 0: it is written; 1: there is none, the outcome never happens; 2: wrong use; 3:
    undetermined, the search ended early.
    """
    from twice.protocols.answers import answers, shortest

    question = read_question(
        protocol,
        settings=settings,
        version=version,
        jobs=jobs,
        workers=workers,
        faults=faults,
        outcomes=[outcome],
    )
    report = question.ask(search)
    result = shortest(answers(report.results), outcome)
    with explained():  # the trace is found when it is asked for
        found = result.trace if result else None
    early = ended_early(report, search, ctx)
    if result is None or found is None:
        _tell_absence(question, outcome, early)
        ctx.exit(UNDETERMINED if early else VIOLATED)
    if early:
        told = ["There may be a shorter trace.", *early.lines(PIPED_WIDTH)]
        click.echo("\n".join(told), err=True)
    meaning = question.protocol.outcomes()[outcome]
    if form == "text":
        from twice.cli.trace_text import violation_lines

        deliver_lines(lambda width: violation_lines(result, meaning, width), output)
    elif form == "json":
        deliver(dumps({**asked(question), "outcome": outcome, **result_document(result)}), output)
    else:
        from twice.cli.mermaid_sequence import sequence_diagram

        end = f"{outcome}: {meaning}"
        deliver(sequence_diagram(found, f"{protocol}: {outcome}", end), output)


def _tell_absence(question: Question, outcome: str, early: EndedEarly | None) -> None:
    if early:
        told = [f"There is no trace yet. {outcome}: undetermined.", *early.lines(PIPED_WIDTH)]
    else:
        regimes = ", ".join(regime.name for regime in question.regimes)
        said = f"{outcome} never happens ({question.described}; fault regimes: {regimes})"
        told = [f"There is no trace. {said}."]
    click.echo("\n".join(told), err=True)
