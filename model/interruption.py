"""Ctrl-C, put off until a search can stop with everything it knows in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED = "it was interrupted"
"""Why a search ended that Ctrl-C ended."""


@contextmanager
def interruption() -> Iterator[Callable[[], bool]]:
    """Give what tells whether Ctrl-C was pressed; only pressed again, it raises as usual.

    A `KeyboardInterrupt` comes between any two instructions, and a set of states that is half
    merged would make a checkpoint that misses some. Where signals are not ours to handle, in a
    thread or in a program with a handler of its own, nothing changes.
    """
    pressed = threading.Event()
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed.is_set
        return

    def note(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
