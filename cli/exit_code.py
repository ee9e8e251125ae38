"""What a command's exit code says; 2 is for what was asked wrongly (see `twice.cli.errors`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twice.model import Verdict

HOLDS = 0
VIOLATED = 1
UNDETERMINED = 3


def exit_code(verdicts: Iterable[Verdict]) -> int:
    """Any violation decides; else anything that is not proved; nothing undetermined ever passes."""
    names = {verdict.name for verdict in verdicts}
    if "VIOLATED" in names:
        return VIOLATED
    return UNDETERMINED if "UNDETERMINED" in names else HOLDS
