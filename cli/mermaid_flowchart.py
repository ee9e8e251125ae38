"""A life cycle as the text of a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Iterator

from twice.cli.life_cycle import LifeCycle
from twice.cli.mermaid_text import escaped, front_matter


def flowchart(drawn: LifeCycle, heading: str) -> str:
    """Draw stages as boxes, steps as arrows, faults as dotted arrows; bad stages are red."""
    return "\n".join([*front_matter(heading), "flowchart TD", *_body(drawn)]) + "\n"


def _body(drawn: LifeCycle) -> Iterator[str]:
    for stage in drawn.stages:
        lines = [stage.name, *stage.outcomes]
        text = "<br/>".join(map(escaped, lines))
        opened, closed = ('(["', '"])') if stage.initial else ('["', '"]')
        yield f"    {stage.key}{opened}{text}{closed}"
    for arrow in drawn.arrows:
        text = "<br/>".join(map(escaped, arrow.label))
        line = f'-. "{text}" .->' if arrow.fault else f'-- "{text}" -->'
        yield f"    {arrow.source} {line} {arrow.target}"
    bad = [stage.key for stage in drawn.stages if stage.outcomes]
    if bad:
        yield "    classDef bad fill:#fdd,stroke:#c00,color:#600"
        yield f"    class {','.join(bad)} bad"
