"""`twice list`: what can be asked, told by the models themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twice.cli import options
from twice.cli.console import PIPED_WIDTH, line_width, wrapped
from twice.cli.documents import dumps
from twice.cli.output_file import deliver

if TYPE_CHECKING:
    from twice.protocols.delivery import Delivery


@click.command("list")
@click.argument(
    "protocols",
    nargs=-1,
    metavar="[PROTOCOL]...",
    callback=lambda _ctx, _param, names: tuple(map(options.known_protocol, names)),
)
@click.option("--points", is_flag=True, help="Show every fault of each kind with its sentence.")
@options.format_option("text", "json")
@options.output_option
def list_protocols(
    protocols: tuple[str, ...], points: bool, form: str, output: Path | None
) -> None:
    """Show protocols, their settings, faults and outcomes.

    Of a PROTOCOL that is named, it also tells what the model says and what it leaves out.
    """
    from twice.protocols import PROTOCOLS

    described = {
        name: describe(protocol)
        for name, protocol in PROTOCOLS.items()
        if not protocols or name in protocols
    }
    if form == "json":
        deliver(dumps({"protocols": described}), output)
    else:
        width = line_width() if output is None else PIPED_WIDTH
        pages = [
            _page(name, entry, points=points, in_full=bool(protocols), width=width)
            for name, entry in described.items()
        ]
        deliver("\n".join(pages), output)


def describe(protocol: type[Delivery]) -> dict[str, Any]:
    """Give everything a user can choose or read in a protocol, as plain data."""
    return {
        "title": protocol.title(),
        "description": _description(protocol),
        "settings": {
            setting.name: {
                "default": setting.show(setting.default),
                "meaning": setting.meaning,
                "unit": setting.unit,
                "allowed": setting.allowed,
            }
            for setting in protocol.settings()
        },
        "faults": {
            kind: {point: _general(protocol, point, said) for point, said in points.items()}
            for kind, points in protocol.fault_points().items()
        },
        "outcomes": protocol.outcomes(),
    }


def _general(protocol: type[Delivery], point: str, sentence: str) -> str:
    """Say a fault's sentence of any member: `{w} is killed` becomes `A worker is killed`."""
    from typing import get_type_hints

    from twice.model import Sort
    from twice.model.sentences import fill

    kinds = get_type_hints(getattr(protocol, point))
    nouns = {
        name: f"a {protocol.words.get(kind, kind.noun())}"
        for name, kind in kinds.items()
        if isinstance(kind, type) and issubclass(kind, Sort)
    }
    defaults = {setting.name: setting.show(setting.default) for setting in protocol.settings()}
    said = fill(sentence, defaults | nouns)
    return said[:1].upper() + said[1:]


def _description(protocol: type[Delivery]) -> str:
    """Give the docstring below its first line: what the model says and leaves out."""
    from inspect import cleandoc

    return cleandoc(protocol.__doc__ or "").partition("\n")[2].strip()


def _paragraphs(description: str, width: int) -> Iterator[str]:
    """Wrap paragraphs, and the items of lists in them."""
    for paragraph in description.split("\n\n"):
        for item in re.split(r"\n(?=- )", paragraph):
            margin = "  " if item.startswith("- ") else ""
            first, *rest = wrapped(" ".join(item.split()), width - len(margin))
            yield from (first, *(margin + line for line in rest))
        yield ""


def _page(name: str, described: dict[str, Any], *, points: bool, in_full: bool, width: int) -> str:
    from click.formatting import HelpFormatter

    page = HelpFormatter(width=width)
    page.write_text(f"{name}: {described['title']}")
    if in_full and described["description"]:
        page.write_paragraph()
        page.write("\n".join(_paragraphs(described["description"], width)))
    sections = {
        "Settings with their defaults (--set NAME=VALUE)": [
            (f"{setting}={entry['default']}", _meaning(entry))
            for setting, entry in described["settings"].items()
        ],
        "Fault kinds (--faults KIND=N,...) and the faults of each": [
            row for kind, said in described["faults"].items() for row in _faults(kind, said, points)
        ],
        "Outcomes (--outcome NAME), worst first": list(described["outcomes"].items()),
    }
    for heading, rows in sections.items():
        with page.section(heading):
            page.write_dl(rows, col_max=26)
    return page.getvalue()


def _meaning(entry: dict[str, str]) -> str:
    return f"{entry['meaning']} Allowed: {entry['allowed']}.".strip()


def _faults(kind: str, said: dict[str, str], points: bool) -> list[tuple[str, str]]:
    """Write a kind of fault with the names of its faults, or with a line for each."""
    if not points:
        return [(kind, ", ".join(said))]
    return [(kind, ""), *((f"  {point}", sentence) for point, sentence in said.items())]
