"""`twice trace`: the shortest way to an outcome, to read, to draw or for a program."""

from __future__ import annotations

from pathlib import Path

import click

from twice.cli import options
from twice.cli.documents import asked, dumps, result_document
from twice.cli.errors import explained
from twice.cli.exit_code import UNDETERMINED, VIOLATED
from twice.cli.output_file import deliver, deliver_lines
from twice.cli.question import Question, read_question


@click.command()
@options.protocol_argument
@click.argument("outcome")
@options.model_options
@options.faults_option
@options.limit_options
@options.engine_options
@options.format_option("text", "json", "mermaid")
@options.output_option
@click.pass_context
def trace(
    ctx: click.Context,
    protocol: str,
    outcome: str,
    settings: tuple[str, ...],
    jobs: int,
    workers: int,
    faults: str | None,
    max_states: int | None,
    timeout: float | None,
    engine: str,
    cluster: str | None,
    form: str,
    output: Path | None,
) -> None:
    """Write the shortest trace to OUTCOME: fewest faults, then fewest steps.

    Exit code 0: it is written; 1: there is none, the outcome never happens; 2: wrong use; 3:
    undetermined, a limit was reached.
    """
    from twice.protocols.answers import answers, shortest

    question = read_question(
        protocol, settings=settings, jobs=jobs, workers=workers, faults=faults, outcomes=[outcome]
    )
    report = question.ask(options.limits(max_states, timeout), engine, cluster)
    result = shortest(answers(report.results), outcome)
    with explained():  # the trace is found when it is asked for
        found = result.trace if result else None
    if result is None or found is None:
        _tell_absence(question, outcome, report.stopped)
        ctx.exit(UNDETERMINED if report.stopped else VIOLATED)
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


def _tell_absence(question: Question, outcome: str, stopped: str) -> None:
    regimes = ", ".join(regime.name for regime in question.regimes)
    if stopped:
        told = f"{outcome}: undetermined: {stopped}"
    else:
        told = f"{outcome} never happens ({question.described}; fault regimes: {regimes})"
    click.echo(f"There is no trace. {told}.", err=True)
