"""The life cycle of one RQ job: where its id is, and how far its execution has come."""

from __future__ import annotations

from twice.model.view import View
from twice.protocols.rq_state import (
    AFTER_BODY,
    BEFORE_BODY,
    MAINTENANCE,
    MID_JOB,
    UNREGISTERED,
    VERDICT,
    Entry,
    Phase,
    Producer,
    RQState,
)

HELD: dict[str, tuple[Phase, ...]] = {
    "running": MID_JOB,
    "body ended": AFTER_BODY,
    "horse died": VERDICT,
    "registered": (Phase.REGISTERED, *BEFORE_BODY),
    "popped": UNREGISTERED,
}
"""What an attempt that some process goes on with is called, the furthest first."""


class LifeCycle(RQState):
    """What a diagram of the state space tells apart."""

    def life_cycle(self, view: View) -> str:
        """Name the stage of the first job: of several attempts, the one that has come furthest."""
        completions, failed = view["completions"][0], view["failed"][0]
        if completions == 2:
            return "completed twice"
        if completions and failed:
            return "completed, recorded as failed"
        place = _attempt(view) or _structure(view)
        if completions:
            return "completed" if place in _AFTER_COMPLETION else f"completed, {place}"
        if failed:
            return "failed" if view["starts"][0] else "failed, never started"
        if not place:
            return "not enqueued" if view["producer"][0] in _BEFORE_THE_PUSH else "nowhere"
        return f"{place} again" if view["starts"][0] and place in _BEFORE_THE_BODY else place


_BEFORE_THE_PUSH = (Producer.NEW, Producer.QUEUE_NAMED, Producer.GONE)
_AFTER_COMPLETION = ("body ended", "seen by maintenance", "")
_BEFORE_THE_BODY = ("registered", "popped", "in the queue", "in the intermediate list")


def _attempt(view: View) -> str:
    """Say what the process that has come furthest with the job does."""
    phases = [view["phase"][w] for w, job in view["job"].items() if job == 0]
    if sum(phase in MID_JOB for phase in phases) > 1:
        return "running twice at once"
    return next(
        (stage for stage, reached in HELD.items() if any(phase in reached for phase in phases)), ""
    )


def _structure(view: View) -> str:
    """Name the structure of Redis that will bring the job to a worker, or maintenance to it."""
    if view["queue"][0]:
        return "in the queue"
    if view["scheduled"][0] or view["late_push"][0]:
        return "scheduled"
    if view["intermediate"][0]:
        return "in the intermediate list"
    held = {w: view["phase"][w] for w, job in view["job"].items() if job == 0}
    leftover = view["leftover"][0] or view["leftover_seen"][0]
    if leftover or any(view["entry"][w] is not Entry.NONE for w in held):
        return "in the started registry only"
    return "seen by maintenance" if any(phase in MAINTENANCE for phase in held.values()) else ""
