"""Where a command's text goes: to standard output, or into a file written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from twice.cli.console import PIPED_WIDTH, line_width, plain, show
from twice.cli.errors import Mistake
from twice.cli.line import Line


def deliver(text: str, path: Path | None) -> None:
    """Write `text` to `path`, or to standard output where there is none.

    The text goes to a temporary file beside `path`, which then takes its place in one step: nobody
    ever sees half a file.

    Raises
    ------
    Mistake
        The folder is missing, `path` is a folder, or the system refuses.
    """
    text = text if text.endswith("\n") else text + "\n"
    if path is None or str(path) == "-":
        click.echo(text, nl=False)
        return
    if path.is_dir():
        raise Mistake(
            f"-o {path}: this is a folder.", f"name a file in it: -o {path / 'trace.txt'}"
        )
    if not path.parent.is_dir():
        raise Mistake(
            f"-o {path}: there is no folder {path.parent}.",
            f"create it first (mkdir -p {path.parent}), or name a file in a folder that exists",
        )
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a pipe or a device cannot be replaced
        else:
            _replace(path.resolve(), text)  # a link keeps pointing at its file
    except OSError as error:
        raise Mistake(f"-o {path}: {error.strerror}.", "name a file that can be written") from error
    click.echo(f"Wrote {path}", err=True)


def deliver_lines(write: Callable[[int], list[Line]], path: Path | None) -> None:
    """Write lines for people: in colour and as wide as the terminal, or plain into a file."""
    if path is None:
        show(write(line_width()))
    else:
        deliver(plain(write(PIPED_WIDTH)), path)


def _replace(path: Path, text: str) -> None:
    import os
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # mkstemp makes a file for its owner alone; the result is an ordinary file.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
