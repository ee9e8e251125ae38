"""A life cycle as the text of a Graphviz graph."""

from __future__ import annotations

from collections.abc import Iterator

from twice.cli.life_cycle import LifeCycle


def dot_graph(drawn: LifeCycle, heading: str) -> str:
    """Draw stages as boxes, steps as arrows, faults as dashed arrows; what is bad is red."""
    return "\n".join(
        ["digraph life_cycle {", *(f"  {line}" for line in _body(drawn, heading)), "}"]
    )


def _body(drawn: LifeCycle, heading: str) -> Iterator[str]:
    yield f"label={_quoted(heading)}; labelloc=t; rankdir=TB;"
    yield 'node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif"];'
    yield 'edge [fontname="sans-serif", fontsize=10];'
    for stage in drawn.stages:
        attributes = f"label={_quoted(stage.name, *stage.outcomes)}"
        attributes += ", peripheries=2" if stage.initial else ""
        attributes += ', color="#cc0000", fillcolor="#ffdddd"' if stage.outcomes else ""
        yield f"{stage.key} [{attributes}];"
    for arrow in drawn.arrows:
        attributes = f"label={_quoted(*arrow.label)}"
        attributes += ', style=dashed, color="#cc0000", fontcolor="#cc0000"' if arrow.fault else ""
        yield f"{arrow.source} -> {arrow.target} [{attributes}];"


def _quoted(*lines: str) -> str:
    """Write a string of one or more lines."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
