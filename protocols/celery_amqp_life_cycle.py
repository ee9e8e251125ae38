"""The life cycle of one task: where its message is, and how far its run has come."""

from __future__ import annotations

from twice.model.view import View
from twice.protocols.celery_amqp_state import (
    AFTER_BODY,
    AFTER_RESULT,
    AFTER_RETRY,
    CHILD_GONE,
    IN_BODY,
    SAID,
    Held,
    Phase,
    Producer,
    Result,
    State,
)

RUNS: dict[str, tuple[Phase, ...]] = {
    "running": (*IN_BODY, Phase.OVERDUE),
    "body ended": (*AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY, *SAID),
    "child died": CHILD_GONE,
    "in the pool": (Phase.WRITTEN, Phase.ACCEPTED),
}
"""What a pool that has the task is called, the furthest first."""

WAITS: dict[str, tuple[Held, ...]] = {
    "being acknowledged": (
        Held.ACK_QUEUED,
        Held.ACK_SENT,
        Held.REQUEUE_QUEUED,
        Held.REQUEUE_SENT,
        Held.DROP_QUEUED,
        Held.DROP_SENT,
    ),
    "reserved by a worker": (Held.RESERVED,),
    "waiting for its ETA": (Held.ETA,),
}
"""What a message that a worker holds outside its pool is called."""

BEFORE_THE_BODY = ("in the pool", "reserved by a worker", "waiting for its ETA", "in the queue")
AFTER_COMPLETION = ("body ended", "being acknowledged", "")


class LifeCycle(State):
    """What a diagram of the state space tells apart."""

    def life_cycle(self, view: View) -> str:
        """Name the stage of the first task: of several copies, the one that has come furthest."""
        completions = view["completions"][0]
        failed = view["result"][0] in (Result.FAILURE, Result.REVOKED)
        if completions == 2:
            return "completed twice"
        if completions and failed:
            return "completed, recorded as failed"
        place = _run(view) or _message(view)
        if completions:
            return "completed" if place in AFTER_COMPLETION else f"completed, {place}"
        if failed and place in ("", "being acknowledged"):
            return "failed" if view["starts"][0] else "failed, never started"
        if not place:
            told = view["producer"][0] is Producer.TOLD
            return "nowhere" if told else "not published"
        return f"{place} again" if view["starts"][0] and place in BEFORE_THE_BODY else place


def _run(view: View) -> str:
    """Say what the pool that has come furthest with the task does."""
    phases = [view["phase"][w] for w, job in view["job"].items() if job == 0]
    if sum(phase in RUNS["running"] for phase in phases) > 1:
        return "running twice at once"
    return next((name for name, reached in RUNS.items() if any(p in reached for p in phases)), "")


def _message(view: View) -> str:
    """Say where the message is that will bring the task to a pool, or was there."""
    held = [place for (task, _), place in view["held"].items() if task == 0]
    for name, places in WAITS.items():
        if any(place in places for place in held):
            return name
    if view["ready"][0]:
        return "in the queue"
    if view["sent"][0]:
        return "on its way to the broker"
    return "parked" if view["dead_lettered"][0] else ""
