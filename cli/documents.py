"""Reports, traces and graphs as JSON, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twice.cli.going_on import EndedEarly
    from twice.cli.question import Question
    from twice.model import Report, Result, Trace
    from twice.protocols.answers import Answers


def dumps(document: dict[str, Any]) -> str:
    """Write a document."""
    import json

    return json.dumps(document, indent=2, ensure_ascii=False)


def asked(question: Question) -> dict[str, Any]:
    """Describe what was asked."""
    return {
        "protocol": question.name,
        "settings": question.shown_settings,
        "scope": {"jobs": question.jobs, "workers": question.workers},
    }


def report_document(
    question: Question, report: Report, found: Answers, early: EndedEarly | None
) -> dict[str, Any]:
    """Describe a report: every answer with its trace, and sentences if it ended early."""
    return {
        **asked(question),
        "verdict": report.verdict.value,
        "closed": report.closed,
        "stopped": report.stopped,
        "states": report.states,
        "transitions": report.transitions,
        "depth": report.depth,
        "fault_layers": {"closed": report.closed_layers, "all": report.layers},
        "ended_early": early.document() if early else None,
        "regimes": {regime.name: dict(regime.budget) for regime in question.regimes},
        "answers": [
            {"outcome": outcome, "regime": regime, **result_document(result)}
            for (outcome, regime), result in found.items()
        ],
        "bounds": {
            name: {"formula": str(bound), "seconds": bound.seconds}
            for name, bound in question.model().bounds().items()
        },
        "warnings": list(report.warnings),
    }


def result_document(result: Result) -> dict[str, Any]:
    """Describe one answer."""
    from twice.protocols.answers import ANSWERS

    document: dict[str, Any] = {
        "answer": ANSWERS[result.verdict],
        "property": {"name": result.property.name, "sentence": result.property.sentence},
        "states": result.states,
    }
    if result.reason:
        document["reason"] = result.reason
    if result.trace:
        document |= {
            "steps": result.steps,
            "faults": result.faults,
            "trace": trace_document(result.trace),
        }
    return document


def trace_document(trace: Trace[Any]) -> dict[str, Any]:
    """Describe a trace: the state at its start, and each step with what it changed."""
    return {
        "initial": trace.initial,
        "steps": [
            {
                "action": step.action,
                "by": step.by,
                "to": step.to,
                "sentence": step.sentence,
                "source": step.source,
                "fault": step.fault,
                "changes": {change.cell: [change.before, change.after] for change in step.changes},
            }
            for step in trace.steps
        ],
        "loop_from": trace.loop_from,
    }
