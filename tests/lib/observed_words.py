"""What the words of the outcome tables say of a run, in the outcome words of Twice.

The tables of the three systems were written by different hands. Each word claims that one of
certain outcomes is possible, or that certain outcomes never are.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

LOST = frozenset({"lost", "stuck", "failed", "failed_unrun", "loop"})
"""What never happens to a task that got done."""

AGAIN = frozenset({"started_twice", "completed_twice", "effect_twice", "overlapping"})
"""What never happens to a task that was done once."""

COMPLETED_AGAIN = frozenset({"completed_twice", "overlapping"})
FALSE = frozenset({"false_failure"})


@dataclass(frozen=True)
class Claim:
    """What an observation says.

    Attributes
    ----------
    words : tuple of str
        An observation that begins with one of them says this.
    meaning : str
        What is meant, for people.
    possible : frozenset of str
        At least one of these was seen.
    never : frozenset of str
        None of these was seen, and it would have been.
    """

    words: tuple[str, ...]
    meaning: str
    possible: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()

    def is_made_by(self, observed: str) -> bool:
        """Whether an observation begins with its words."""
        return any(re.match(rf"{re.escape(word)}(?!\w)", observed) for word in self.words)

    def agrees(self, possible: Collection[str]) -> bool:
        """Whether the outcomes that are possible bear out what was seen."""
        seen = not self.possible or not self.possible.isdisjoint(possible)
        return seen and self.never.isdisjoint(possible)


def _shows(outcome: str, *words: str) -> Claim:
    return Claim(words, f"`{outcome}`", frozenset({outcome}))


CLAIMS = (
    _shows("failed_unrun", "FAILED-0"),
    _shows("false_failure", "FALSE-FAILED", "FAILED then FINISHED", "FAILURE over SUCCESS"),
    _shows("failed", "lost (FAILURE", "lost (rejected", "L (FAILURE"),
    _shows("failed", "failed", "FAILED", "worker exits, failed", "double failed entry"),
    _shows("lost", "lost", "LOST", "L", "prefetched ones lost", "dropped silently"),
    _shows("stuck", "stuck", "STUCK", "child STUCK", "S forever", "worker exits, long ETA stuck"),
    _shows("loop", "poison", "acks_on_timeout False: poison", "can loop"),
    Claim(
        ("worker exits",),
        "`stuck`, or `failed` once another worker looks",
        frozenset({"stuck", "failed"}),
    ),
    Claim(
        ("RERUN", "restarted", "retried"),
        "`started_twice`, and completed once at most",
        frozenset({"started_twice"}),
        LOST - {"failed"} | COMPLETED_AGAIN,
    ),
    Claim(
        ("x2, completes once",),
        "`started_twice`, and completed once",
        frozenset({"started_twice"}),
        LOST | COMPLETED_AGAIN,
    ),
    Claim(
        ("x2", "2", "2+", "two chains"),
        "`started_twice`, and done",
        frozenset({"started_twice"}),
        LOST,
    ),
    _shows("started_twice", "3 starts"),
    Claim(("DUP",), "`completed_twice` or `overlapping`", COMPLETED_AGAIN),
    Claim(
        ("S", "ok (restored", "ok (redelivered", "fine (late", "fine late"),
        "done, but late, and perhaps started again",
        never=LOST | COMPLETED_AGAIN | FALSE,
    ),
    Claim(
        (
            *("ok", "fine", "no effect", "done", "dedup on: ok", "error, 1 copy", "no limit"),
            *("refused", "ready zset"),
        ),
        "done once",
        never=LOST | AGAIN | FALSE,
    ),
    Claim(("revoked",), "taken back, and no outcome", never=LOST | AGAIN | FALSE),
    Claim(("-", "n/a"), "not run"),
)
"""The first that an observation makes is what it says."""


def claim(observed: str) -> Claim:
    """What an observation says.

    Raises
    ------
    ValueError
        It is written in words that no claim knows.
    """
    for known in CLAIMS:
        if known.is_made_by(observed):
            return known
    raise ValueError(f"no claim knows {observed!r}")
