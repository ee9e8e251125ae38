"""The outcome words: what may become of a task, named alike in code, reports, specs and docs."""

from __future__ import annotations

OUTCOMES: dict[str, str] = {
    "lost": "accepted, can never complete, and nothing tells",
    "stuck": "a copy exists, but nobody will take it without an operator or other settings",
    "loop": "delivered and started without end, never completed",
    "callback_never": "the chord's members are done, and its body is not called",
    "completed_twice": "the body completes at least two times",
    "effect_twice": "the outside effect (a mail, a charge) happens at least two times",
    "overlapping": "two runs of the same task go on at the same time",
    "callback_twice": "the chord's body is called again",
    "callback_early": "the chord's body is called before all members are done",
    "false_failure": "the body completed, and a failure is recorded too",
    "failed_unrun": "recorded as failed; the body never started and never will",
    "failed": "recorded as failed; the body will never complete",
    "started_twice": "the body starts at least two times",
}
"""Every outcome word with its meaning, the worst first.

All speak of one publish; those of a task that does not get done, of one that the producer was told
is accepted. `failed` is said of `failed_unrun` too, and `started_twice` of `completed_twice`.
"""
