"""An amount of memory, as people write it."""

from __future__ import annotations

import re

import click

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class MemorySize(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.4 on
    """A number with a unit, such as 512M or 1.5G, in bytes.

    Examples
    --------
    >>> size = MemorySize()
    >>> size("512M"), size("1.5 GB"), size("2gib")
    (536870912, 1610612736, 2147483648)
    """

    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read a size; what stands for no memory at all is refused."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT])(?:i?B)?", str(value).strip(), re.I)
        size = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
        if not size:
            self.fail(
                f"`{value}` is no amount of memory; write a number with K, M, G or T, as in 512M "
                "or 2G",
                param,
                ctx,
            )
        return size
