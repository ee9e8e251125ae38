"""Closed layers leave memory: their states are mapped from a file that has no name."""

from __future__ import annotations

import tempfile

import numpy as np

from twice.model.layers import Layer

SPILLED = 16 << 20
"""Bytes of a closed layer from which its states leave memory."""


def spill(layer: Layer[int]) -> None:
    """Move the levels of a layer to a temporary file, from which they are read when needed.

    The file is unlinked at once, so nothing is left behind however the program ends.
    """
    with tempfile.TemporaryFile() as file:
        for level in layer.levels.values():
            level.states.tofile(file)
        file.flush()
        mapped = np.memmap(file, np.uint64, "r")
        start = 0
        for level in layer.levels.values():
            end = start + level.states.size
            level.states = mapped[start:end]
            start = end
