"""`twice check`: which outcomes are possible under which faults, and how the worst comes about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twice.cli import options
from twice.cli.documents import dumps, report_document
from twice.cli.errors import explained
from twice.cli.exit_code import exit_code
from twice.cli.going_on import ended_early
from twice.cli.output_file import deliver, deliver_lines
from twice.cli.question import read_question
from twice.cli.reading import read_checked
from twice.cli.report_lines import report_lines
from twice.cli.search import Search
from twice.cli.search_options import search_options

if TYPE_CHECKING:
    from twice.protocols.answers import Answers


@click.command()
@options.protocol_argument
@options.model_options
@options.faults_option
@click.option(
    "--outcome", "outcomes", multiple=True, metavar="NAME", help="Check only this outcome."
)
@click.option(
    "--require",
    metavar="NAME,...",
    help="Only these outcomes decide the exit code; the others are told. Default: all.",
)
@click.option(
    "--trace",
    "wanted",
    metavar="all|none|NAME",
    help="Show the shortest trace of every possible outcome, of none, or of this one. "
    "Default: of the worst where the job never gets done, and of the worst where it is done again.",
)
@click.option(
    "--warnings", is_flag=True, help="Show which parts of the model were never put to the test."
)
@search_options
@options.format_option("text", "json")
@options.output_option
@click.pass_context
def check(
    ctx: click.Context,
    protocol: str,
    settings: tuple[str, ...],
    version: str | None,
    jobs: int,
    workers: int,
    faults: str | None,
    outcomes: tuple[str, ...],
    require: str | None,
    wanted: str | None,
    warnings: bool,
    search: Search,
    form: str,
    output: Path | None,
) -> None:
    """Prove which outcomes never happen, and show how the others do.

    `twice list` shows the protocols, their settings, kinds of faults, and outcomes.

    A limit, and Ctrl-C, end the search early: what was covered is told, and how to go on.

    Exit code 0: no outcome is possible; 1: some is; 2: wrong use; 3: undetermined, the search ended
    early.
    """
    from twice.protocols.answers import answers

    question = read_question(
        protocol,
        settings=settings,
        version=version,
        jobs=jobs,
        workers=workers,
        faults=faults,
        outcomes=outcomes,
    )
    deciding = question.outcomes
    if require is not None:
        deciding = read_checked(question.outcomes, question.protocol, require)
    if wanted not in (None, "all", "none"):
        read_checked(question.outcomes, question.protocol, wanted)
    report = question.ask(search)
    found = answers(report.results)
    early = ended_early(report, search, ctx)
    with explained():  # traces are found when they are shown
        if form == "json":
            deliver(dumps(report_document(question, report, found, early)), output)
        else:
            shown = _traced(question.outcomes, wanted, found)
            deliver_lines(
                lambda width: report_lines(question, report, found, shown, early, width, warnings),
                output,
            )
    ctx.exit(
        exit_code(result.verdict for (outcome, _), result in found.items() if outcome in deciding)
    )


def _traced(outcomes: Sequence[str], wanted: str | None, found: Answers) -> list[str]:
    """Choose the outcomes whose traces are shown: by default the worst that are possible."""
    from twice.protocols.answers import shortest
    from twice.protocols.outcomes import worst

    possible = [outcome for outcome in outcomes if shortest(found, outcome)]
    if wanted is None:
        return worst(possible)
    return possible if wanted == "all" else [outcome for outcome in possible if outcome == wanted]
