"""The outcome words: what may become of a task, named alike in code, reports, specs and docs."""

from __future__ import annotations

from collections.abc import Sequence

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

NEVER_DONE = ("lost", "stuck", "loop", "callback_never", "failed_unrun", "failed")
"""The ways in which a task never gets done."""

DONE_AGAIN = ("completed_twice", "effect_twice", "overlapping", "callback_twice", "started_twice")
"""The ways in which a task, or a part of it, is done again."""


def worst(possible: Sequence[str]) -> list[str]:
    """Choose the worst way never to get done, and the worst way to be done again.

    Where there is neither, the worst of the others stands for them.

    Examples
    --------
    >>> worst(["stuck", "completed_twice", "overlapping", "failed"])
    ['stuck', 'completed_twice']
    >>> worst(["false_failure"])
    ['false_failure']
    """
    ordered = [word for word in OUTCOMES if word in possible]
    families = ([word for word in ordered if word in f] for f in (NEVER_DONE, DONE_AGAIN))
    return [word for family in families for word in family[:1]] or ordered[:1]
