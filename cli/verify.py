"""`twice verify`: run specs and compare what is found with what they expect."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twice.cli.console import counted, show
from twice.cli.errors import Mistake, explained
from twice.cli.exit_code import UNDETERMINED, exit_code
from twice.cli.line import Line
from twice.cli.search import Search
from twice.cli.search_options import engine_and_limits

if TYPE_CHECKING:
    from twice.protocols.spec import Spec
    from twice.protocols.spec_run import SpecReport


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@engine_and_limits
@click.pass_context
def verify(ctx: click.Context, paths: tuple[Path, ...], search: Search) -> None:
    """Run specs: TOML files that say which verdicts are expected.

    PATH is a file or a folder, searched for *.toml; without any, the specs shipped with Twice are
    run. Limits hold for each spec alone.

    Exit code 0: all verdicts are as expected; 1: some differ; 2: a spec cannot be read; 3: some are
    undetermined.
    """
    from twice.cli.progress import watched
    from twice.model.interruption import INTERRUPTED
    from twice.protocols.spec_run import run_spec

    specs = _read(_files(paths))
    reports: list[SpecReport] = []
    try:
        for spec in specs:
            with explained(f"{spec.path}: "), watched() as progress:
                reports.append(
                    run_spec(
                        spec,
                        search.limits,
                        engine=search.engine,
                        cluster=search.cluster,
                        progress=progress,
                    )
                )
            _show(reports[-1])
            if reports[-1].stopped == INTERRUPTED:
                break
    except KeyboardInterrupt:
        pass
    if len(reports) < len(specs):
        left = counted(len(specs) - len(reports), "spec")
        click.echo(f"Interrupted: {left} not run.", err=True)
        ctx.exit(UNDETERMINED)
    _sum_up(reports)
    ctx.exit(exit_code(report.verdict for report in reports))


def _files(paths: Iterable[Path]) -> list[Path]:
    """Every *.toml named or found, in a steady order."""
    found: list[Path] = []
    for path in paths or [_shipped()]:
        if path.is_dir():
            inside = sorted(path.rglob("*.toml"))
            if not inside:
                raise Mistake(
                    f"{path}: there is no *.toml in this folder.",
                    "name a spec, or a folder with specs",
                )
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise Mistake(
                f"{path}: there is no such file or folder.", "name a spec, or a folder with specs"
            )
    return list(dict.fromkeys(found))


def _shipped() -> Path:
    from importlib import resources

    return Path(str(resources.files("twice.specs")))


def _read(files: Iterable[Path]) -> list[Spec]:
    """Read all before any is run, so that a slip in the last one is told at once."""
    from twice.protocols.spec_reader import read_specs
    from twice.protocols.spec_text import SpecError

    specs: list[Spec] = []
    slips: list[str] = []
    for file in files:
        try:
            specs += read_specs(file)
        except SpecError as error:
            slips.append(str(error))
    if slips:
        raise Mistake("\n".join(slips))
    return specs


_MARKS = {
    "HOLDS": ("ok", "green"),
    "VIOLATED": ("differs", "bold red"),
    "UNDETERMINED": ("undetermined", "yellow"),
}

OUTSIDE = "outside"
"""The mark of a spec that is told, and cannot be asked of its protocol."""


def _mark(report: SpecReport) -> tuple[str, str]:
    """Choose a word for a report, and its style."""
    return (OUTSIDE, "dim") if report.spec.outside else _MARKS[report.verdict.name]


def _show(report: SpecReport) -> None:
    mark, style = _mark(report)
    told = report.spec.outside or f"{report.states:,} states"
    lines = [Line(f"{mark:8}", style).append(report.spec.name, "").append(f" ({told})", "dim")]
    if mark not in ("ok", OUTSIDE):
        lines.append(Line(f"{'':8}{report.spec.path}", "dim"))
    for answer in report.answers:
        if answer.verdict.name != "HOLDS":
            lines.append(
                Line(f"{'':8}{answer.name}: expected {answer.expected}, found {answer.found}")
            )
    show(lines)


def _sum_up(reports: Iterable[SpecReport]) -> None:
    counts = dict.fromkeys((*(mark for mark, _ in _MARKS.values()), OUTSIDE), 0)
    for report in reports:
        counts[_mark(report)[0]] += 1
    said = [f"{number} {mark}" for mark, number in counts.items() if number or mark == "ok"]
    click.echo(f"{counted(sum(counts.values()), 'spec')}: {', '.join(said)}")
