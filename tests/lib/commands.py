"""Commands run as a user runs them, with a small protocol beside the real ones."""

from __future__ import annotations

from click.testing import CliRunner, Result
from post_office import PostOffice

from twice.cli.main import main
from twice.protocols import PROTOCOLS

PLAIN: dict[str, str | None] = dict.fromkeys(
    ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")
)
"""Nothing in the environment says how wide or how colourful the output shall be."""


def twice(*words: str, **environment: str) -> Result:
    """Run `twice` with these words; `post` names the small protocol.

    Raises
    ------
    Exception
        Whatever the command raised, but an exit: a traceback would have been shown.
    """
    PROTOCOLS["post"] = PostOffice
    try:
        result = CliRunner(env={**PLAIN, **environment}).invoke(main, words, prog_name="twice")
    finally:
        del PROTOCOLS["post"]
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
