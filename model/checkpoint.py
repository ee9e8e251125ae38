"""Checkpoints: an exploration that stopped early, saved so that another one goes on from there.

The file holds every level and every seed of a later layer as rows of bytes, which every back end
reads. It is written whole or not at all, and it knows what it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import BadZipFile

from twice.model.errors import UsageError
from twice.model.layers import Layer
from twice.model.regimes import Usage

if TYPE_CHECKING:
    from twice.model.engine import Batch
    from twice.model.exploration import StateSpace

S = TypeVar("S")

Seeds = dict[Usage, dict[int, list["Batch"]]]
"""For each layer, the states by which it will be entered, by depth."""

_FORMAT = 1

_DAMAGED = (ValueError, KeyError, EOFError, NotImplementedError, BadZipFile, zlib.error)
"""What reading a file that is no checkpoint, or no longer one, ends in."""


def fingerprint(space: StateSpace[Any]) -> str:
    """What a checkpoint belongs to: the ground model, the faults in question and the symmetry.

    All that the states of a space depend on, and no more: what is asked of them may differ.

    Raises
    ------
    UsageError
        For a hand-written system: it has no definition to compare.
    """
    from twice.model.compiled import CompiledModel
    from twice.model.symmetry import Symmetry

    model = space.system
    if not isinstance(model, CompiledModel):
        raise UsageError("a checkpoint needs a model written in the language")
    said = [str((c.label, c.offset, c.domain.codes, c.initial)) for c in model.layout.cells]
    for action in model.actions:
        command = action.command
        said += [str((command.name, command.fault, action.binding, action.guards, action.effects))]
    said += [str([(kind, sorted(points or ())) for kind, points in space.lattice.classes])]
    said += [str(space.lattice.usages)]
    if isinstance(space.canonical, Symmetry):
        said += [str(sorted(sort.__name__ for sort in space.canonical.kept))]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def save(path: Path, space: StateSpace[S], seeds: Seeds) -> None:
    """Write a checkpoint, whole or not at all.

    Raises
    ------
    UsageError
        When the file cannot be written.
    """
    import numpy as np

    usages = space.lattice.usages
    arrays = {}
    for usage, layer in space.layers.items():
        for depth, level in layer.levels.items():
            table = space.engine.to_table(space.engine.batch_of(level))
            arrays[f"level {usages.index(usage)} {depth}"] = table
    for usage, by_depth in seeds.items():
        for depth, batches in by_depth.items():
            table = space.engine.to_table(space.engine.union(batches))
            arrays[f"seed {usages.index(usage)} {depth}"] = table
    about = {
        "format": _FORMAT,
        "fingerprint": fingerprint(space),
        "transitions": space.transitions,
        "closed": [usages.index(u) for u, layer in space.layers.items() if layer.closed],
    }
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    target = path.resolve()  # a link keeps pointing at its file
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            try:
                np.savez(file, allow_pickle=False, **arrays)
                file.close()
                os.replace(file.name, target)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise UsageError(f"the checkpoint {path} cannot be written: {error.strerror}") from None


def load(path: Path, space: StateSpace[S], seeds: Seeds) -> None:
    """Fill a space that was not begun, and its seeds, from a checkpoint.

    Raises
    ------
    UsageError
        When the file is no checkpoint, or one of another model, other faults or other settings.
    """
    import numpy as np

    try:
        with path.open("rb") as stored, np.load(stored) as file:
            about = json.loads(file["about"].tobytes())
            _check(path, about, space)
            _fill(file, about, space, seeds)
    except UsageError:  # a ValueError too
        raise
    except OSError as error:
        reason = error.strerror or "it is no checkpoint"
        raise UsageError(f"the checkpoint {path} cannot be read: {reason}") from None
    except _DAMAGED:
        raise UsageError(f"{path} is no checkpoint of this version of twice") from None


def _check(path: Path, about: Mapping[str, Any], space: StateSpace[S]) -> None:
    if about["format"] != _FORMAT:
        raise ValueError(about["format"])
    if about["fingerprint"] != fingerprint(space):
        raise UsageError(
            f"the checkpoint {path} belongs to another question; resume it with the protocol, "
            "settings, scope, faults, outcomes and symmetry with which it was saved"
        )


def _fill(
    file: Mapping[str, Any], about: Mapping[str, Any], space: StateSpace[S], seeds: Seeds
) -> None:
    usages = space.lattice.usages
    for by_depth in seeds.values():
        by_depth.clear()
    closed = {usages[number] for number in about["closed"]}
    names = [name.split() for name in file if name != "about"]
    begun = closed | {usages[int(number)] for kind, number, _ in names if kind == "level"}
    for usage in sorted(begun, key=usages.index):
        space.layers[usage] = Layer(usage, closed=usage in closed)
    for kind, number, depth in sorted(names, key=lambda name: (int(name[1]), int(name[2]))):
        usage = usages[int(number)]
        batch = space.engine.from_table(file[f"{kind} {number} {depth}"])
        if kind == "seed":
            seeds[usage][int(depth)] = [batch]
        else:
            space.layers[usage].levels[int(depth)] = space.engine.level(batch)
    space.transitions = about["transitions"]
