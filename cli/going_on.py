"""What an exploration that stopped early has covered, and how to go on from there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from twice.cli.console import counted, wrapped
from twice.cli.search import Search
from twice.cli.search_options import LIMITS

if TYPE_CHECKING:
    from pathlib import Path

    from twice.model import Report

_INDENT = "    "
_UNBROKEN = "\xa0"


class EndedEarly(NamedTuple):
    """Why a search ended early, what it covered, and the command that goes on.

    Attributes
    ----------
    sentences : tuple of str
    command : tuple of str
        Its words, those of one option together.
    saved : bool
        Whether the command goes on from here, and does not begin again.
    """

    sentences: tuple[str, ...]
    command: tuple[str, ...]
    saved: bool

    def lines(self, width: int) -> list[str]:
        """Everything in lines; a command of several lines can be pasted into a shell."""
        import textwrap

        told = [line for sentence in self.sentences for line in wrapped(sentence, width)]
        whole = " ".join(part.replace(" ", _UNBROKEN) for part in self.command)
        room = width - len(_INDENT) - len(" \\")
        lines = textwrap.wrap(whole, room, break_long_words=False, break_on_hyphens=False)
        told += [_INDENT + line.replace(_UNBROKEN, " ") + " \\" for line in lines]
        return [*told[:-1], told[-1].removesuffix(" \\")]

    def document(self) -> dict[str, Any]:
        """Everything as plain data."""
        command = " ".join(self.command)
        return {"told": list(self.sentences), "saved": self.saved, "command": command}


def ended_early(report: Report, search: Search, ctx: click.Context) -> EndedEarly | None:
    """Tell of a search that ended early; None of one that did not."""
    if not report.stopped:
        return None
    what = "Not all states were looked at" if report.closed else "Not all states were reached"
    earlier: Path | None
    if search.checkpoint:
        how = "To go on from there:"
        file, earlier = str(search.checkpoint), search.checkpoint
    else:
        how = "Nothing was saved. To save it when the search ends early, for --resume FILE:"
        file, earlier = "FILE", search.resume
    words = [*_words(ctx), f"--checkpoint {_quoted(file)}"]
    if earlier:
        words.append(f"--resume {_quoted(earlier)}")
    return EndedEarly(
        (f"{what}: {report.stopped}.", _covered(report), how), tuple(words), bool(search.checkpoint)
    )


def _covered(report: Report) -> str:
    layers = f"{report.closed_layers:,} of {counted(report.layers, 'fault layer')}"
    return (
        f"Covered: {counted(report.states, 'state')}, up to {counted(report.depth, 'step')} from "
        f"the start; {layers} closed (a layer: all states with the same faults behind them)."
    )


def _words(ctx: click.Context) -> Iterator[str]:
    """The command as it was given, but for limits and checkpoints."""
    yield ctx.command_path
    for param in ctx.command.params:
        name = param.name or ""
        given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not given or name in (*LIMITS, "checkpoint", "resume"):
            continue
        value = ctx.params[name]
        if not isinstance(param, click.Option):
            yield _quoted(value)
        elif param.is_flag:
            yield _long(param)
        else:
            for word in value if param.multiple else [value]:
                yield f"{_long(param)} {_quoted(word)}"


def _long(option: click.Option) -> str:
    return next(name for name in option.opts if name.startswith("--"))


def _quoted(word: object) -> str:
    import shlex

    return shlex.quote(str(word))
