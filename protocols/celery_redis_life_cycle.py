"""The life cycle of one task: where its message is, and how far its run has come."""

from __future__ import annotations

from twice.model.view import View
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    CHILD_GONE,
    MID_TASK,
    Phase,
    Producer,
    Result,
    State,
)

RUNS: dict[str, tuple[Phase, ...]] = {
    "running": MID_TASK,
    "body ended": (*AFTER_BODY, Phase.STORED),
    "child lost": CHILD_GONE,
    "in the pool": (Phase.ACCEPTED, Phase.CHECKED),
}
"""What a pool that has a message of the task is called, the furthest first."""

BEFORE_THE_BODY = ("in the pool", "popped, not saved", "on its list", "waiting in a worker")
AFTER_COMPLETION = ("body ended", "")


class LifeCycle(State):
    """What a diagram of the state space tells apart."""

    def life_cycle(self, view: View) -> str:
        """Name the stage of the first task: of several copies, the one that has come furthest."""
        completions, failed = view["completions"][0], view["result"][0] is Result.FAILURE
        if completions == 2:
            return "completed twice"
        if completions and failed:
            return "completed, recorded as failed"
        messages = [m for m, task in view["task"].items() if task == 0]
        place = _run(view, messages) or _place(view, messages)
        if completions:
            return "completed" if place in AFTER_COMPLETION else f"completed, {place}"
        if failed and place in ("", "child lost"):
            return "failed" if view["starts"][0] else "failed, never started"
        if not place:
            published = bool(messages) or view["producer"][0] is Producer.TOLD
            return "nowhere" if published else "not published"
        return f"{place} again" if view["starts"][0] and place in BEFORE_THE_BODY else place


def _run(view: View, messages: list[int]) -> str:
    """Say what the pool that has come furthest with the task does."""
    phases = [view["phase"][w] for w, job in view["job"].items() if job in messages]
    if sum(phase in MID_TASK for phase in phases) > 1:
        return "running twice at once"
    return next((name for name, reached in RUNS.items() if any(p in reached for p in phases)), "")


def _place(view: View, messages: list[int]) -> str:
    """Say where the message is that will bring the task to a pool, or was there."""
    if any(copies and m in messages for (m, _), copies in view["held"].items()):
        return "waiting in a worker"
    if any(m in messages for m in view["wire"].values()):
        return "popped, not saved"
    if any(view["listed"][m] for m in messages):
        return "on its list"
    if any(m in messages for m in view["carried"].values()):
        return "taken out, not pushed"
    return "unacknowledged, held by nobody" if any(view["unacked"][m] for m in messages) else ""
