"""Reads a Markdown page as a program: files to write, commands to run, output to compare.

What a page may hold, besides prose:

- a fence ``console``: lines that start with ``$ `` are commands, the lines below are their output;
- a fence of any language with ``title="NAME"``: the text of a file; several with one name follow
  each other in the same file;
- ``<!-- uses NAME of PAGE -->``: a file that another page in the same folder builds;
- ``<!-- $ COMMAND -->`` before a fence of any language: the fence holds what the command prints;
- ``<!-- exit 1 -->`` before a fence: the last command in it ends with that code, instead of 0;
- ``<!-- not run: REASON -->`` before a fence: shown only;
- ``<!-- set-up: NAME -->`` before a fence: a command that .ci/run runs on a fresh machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<mark>`{3,})(?P<language>\w*)(?P<rest>.*)$")
TITLE = re.compile(r'\btitle="(?P<name>[^"]+)"')
DIRECTIVE = re.compile(r"^<!-- (?P<text>.*) -->$")
USES = re.compile(r"^<!-- uses (?P<file>\S+) of (?P<page>\S+) -->$", re.MULTILINE)
PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """A fenced block with the directives above it."""

    line: int  # of the opening fence, from 1
    language: str
    title: str | None
    directives: tuple[str, ...]
    body: tuple[str, ...]

    def directive(self, word: str) -> str | None:
        """What follows `word` in a directive above the block."""
        for text in self.directives:
            if text.startswith(word):
                return text[len(word) :].strip()
        return None

    @property
    def exit_code(self) -> int:
        """The exit code expected of the last command."""
        return int(self.directive("exit") or 0)

    @property
    def is_run(self) -> bool:
        """Whether the page says nothing against running the block."""
        return self.directive("not run:") is None and self.directive("set-up:") is None


@dataclass
class Command:
    """A command of a page and the lines that it is shown to print."""

    text: str
    output: list[str] = field(default_factory=list)


class PageError(Exception):
    """A page that cannot be read as a program."""


def blocks(page: str) -> Iterator[Block]:
    """Every fenced block of a page, in order."""
    lines = page.splitlines()
    directives: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if fence := FENCE.match(line):
            try:
                end = lines.index(fence["mark"], at + 1)
            except ValueError:
                raise PageError(f"line {at + 1}: the fence is never closed") from None
            title = TITLE.search(fence["rest"])
            yield Block(
                line=at + 1,
                language=fence["language"],
                title=title["name"] if title else None,
                directives=tuple(directives),
                body=tuple(lines[at + 1 : end]),
            )
            directives, at = [], end + 1
            continue
        if comment := DIRECTIVE.match(line):
            directives.append(comment["text"])
        elif line.strip():
            directives = []
        at += 1


def commands(block: Block) -> list[Command]:
    """The commands of a block with the output shown for each."""
    shown_by = block.directive("$")
    if shown_by is not None:
        return [Command(shown_by, list(block.body))]
    found: list[Command] = []
    for line in block.body:
        if line.startswith(PROMPT):
            found.append(Command(line[len(PROMPT) :]))
        elif found and found[-1].text.endswith("\\"):
            found[-1].text += "\n" + line
        elif found:
            found[-1].output.append(line)
        else:
            raise PageError(f"line {block.line}: output before the first `$ ` command")
    return found


def built(page: str, name: str) -> str:
    """The text of a file that a page builds."""
    lines = [line for block in blocks(page) if block.title == name for line in block.body]
    if not lines:
        raise PageError(f"the page builds no file {name}")
    return "\n".join(lines) + "\n"


def rendered(block: Block, answers: list[Command]) -> list[str]:
    """The lines of a block that shows these commands with this output."""
    if block.directive("$") is not None:
        return answers[0].output
    lines: list[str] = []
    for answer in answers:
        lines += f"{PROMPT}{answer.text}".splitlines()
        lines += answer.output
    return lines


def replaced(page: str, new: dict[int, list[str]]) -> str:
    """The page with the bodies of the blocks that open at these lines replaced."""
    lines = page.splitlines()
    for block in reversed(list(blocks(page))):
        if block.line in new:
            lines[block.line : block.line + len(block.body)] = new[block.line]
    return "\n".join(lines) + "\n"
