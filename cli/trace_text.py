"""A trace as text: for each step who acts, what happens, what changed, and the source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twice.cli.console import counted, wrapped
from twice.cli.line import Line

if TYPE_CHECKING:
    from twice.model import Result, Step, Trace

ENVIRONMENT = "environment"
"""Who acts in a step whose actor the model does not name."""


def violation_lines(result: Result, meaning: str, width: int) -> list[Line]:
    """Write how an outcome comes about: what it means, what it breaks, then the trace."""
    assert result.trace is not None  # a violation has a trace
    lines = [Line(line, "bold red") for line in wrapped(headline(result), width)]
    lines += [Line(line) for line in wrapped(f"It means: {meaning}.", width)]
    lines += [Line(line) for line in wrapped(f"Broken: {result.property.sentence}", width)]
    return [*lines, Line(), *trace_lines(result.trace, width)]


def headline(result: Result) -> str:
    """Say in one line that an outcome is possible, and how little it takes."""
    trace = result.trace
    assert trace is not None  # a violation has a trace
    kinds = [step.fault for step in trace.steps if step.fault]
    faults = f"{counted(len(kinds), 'fault')} ({', '.join(kinds)})" if kinds else "no fault"
    steps = counted(len(trace.steps), "step")
    return f"{result.property.violation}: possible in {steps}, with {faults}"


def trace_lines(trace: Trace[Any], width: int) -> list[Line]:
    """Write the steps of a trace."""
    actors = max((len(step.by or ENVIRONMENT) for step in trace.steps), default=0)
    lines: list[Line] = []
    for number, step in enumerate(trace.steps):
        if number == trace.loop_from:
            lines.append(Line("  From here the steps repeat without end:", "bold"))
        lines += _step(number + 1, step, actors, width)
    if trace.loop_from == len(trace.steps):
        lines.append(Line("  Here it stays for ever.", "bold"))
    elif trace.loop_from is not None:
        lines.append(Line(f"  ... and again from step {trace.loop_from + 1}.", "bold"))
    return lines


def _step(number: int, step: Step[Any], actors: int, width: int) -> Iterator[Line]:
    style = "bold red" if step.fault else ""
    head = Line(f"{number:4}  ")
    head.append(f"{step.by or ENVIRONMENT:{actors}}  ", style or "bold")
    margin = " " * len(head)
    sentence = f"[fault: {step.fault}] {said(step)}" if step.fault else said(step)
    for count, line in enumerate(wrapped(sentence, width - len(margin))):
        yield (Line(margin) if count else head).append(line, style)
    for line in wrapped(_changes(step), width - len(margin)):
        yield Line(margin).append(line, "cyan")
    for line in wrapped(step.source, width - len(margin)):
        yield Line(margin).append(line, "dim")


def said(step: Step[Any]) -> str:
    """Give a step's sentence with a capital; it may begin with a name like `worker 1`."""
    return step.sentence[:1].upper() + step.sentence[1:]


def _changes(step: Step[Any]) -> str:
    return "; ".join(f"{change.cell}: {change.before} -> {change.after}" for change in step.changes)
