"""A trace as the text of a Mermaid sequence diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twice.cli.mermaid_text import escaped, front_matter
from twice.cli.trace_text import ENVIRONMENT, said

if TYPE_CHECKING:
    from twice.model import Step, Trace


def sequence_diagram(trace: Trace[Any], heading: str, end: str) -> str:
    """Draw a trace with its actors as lanes; faults are marked with notes.

    Parameters
    ----------
    trace : Trace
        The steps.
    heading : str
        The title of the diagram.
    end : str
        What is true after the last step: a note under all lanes.
    """
    lanes = _lanes(trace)
    lines = [*front_matter(heading), "sequenceDiagram", "    autonumber"]
    lines += [f"    participant {alias} as {escaped(name)}" for name, alias in lanes.items()]
    for number, step in enumerate(trace.steps):
        if number == trace.loop_from:
            lines.append("    loop for ever")
        lines += _messages(step, lanes)
    if trace.loop_from is not None and trace.loop_from < len(trace.steps):
        lines.append("    end")
    aliases = list(lanes.values())
    span = aliases[0] if len(aliases) == 1 else f"{aliases[0]},{aliases[-1]}"
    lines.append(f"    Note over {span}: {escaped(end)}")
    return "\n".join(lines) + "\n"


def _lanes(trace: Trace[Any]) -> dict[str, str]:
    names: dict[str, str] = {}
    for step in trace.steps:
        for name in (step.by or ENVIRONMENT, step.to or step.by or ENVIRONMENT):
            names.setdefault(name, f"L{len(names) + 1}")
    return names or {ENVIRONMENT: "L1"}


def _messages(step: Step[Any], lanes: dict[str, str]) -> list[str]:
    actor = lanes[step.by or ENVIRONMENT]
    target = lanes[step.to or step.by or ENVIRONMENT]
    if step.fault is None:
        return [f"    {actor}->>{target}: {escaped(said(step))}"]
    return [
        f"    Note over {actor}: FAULT {escaped(step.fault)}",
        f"    {actor}-x{target}: {escaped(said(step))}",
    ]
