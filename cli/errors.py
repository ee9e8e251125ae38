"""How a mistake in what was asked is told: a message with a cure, and exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click


class Mistake(click.ClickException):
    """Something was asked that cannot be given.

    Parameters
    ----------
    what : str
        Where it is, what was given, and why it cannot be.
    cure : str, optional
        What to write instead.
    """

    exit_code = 2

    def __init__(self, what: str, cure: str = "") -> None:
        super().__init__(f"{what}\n  Instead: {cure}" if cure else what)


@contextmanager
def explained(where: str = "") -> Iterator[None]:
    """Turn what the model and the specs refuse into a `Mistake`: a message, never a traceback."""
    from twice.model import ModelError, UsageError

    try:
        yield
    except (ModelError, UsageError) as error:
        raise Mistake(f"{where}{error}") from error
