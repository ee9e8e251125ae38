"""Protocols by name, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from twice.protocols.delivery import Delivery


class Registry(MutableMapping[str, "type[Delivery]"]):
    """Protocols by their names on the command line.

    Checking one protocol imports no other: that would cost every start a tenth of a second.

    Parameters
    ----------
    places : mapping
        Where each protocol's class is: ``module:Class``.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._entries: dict[str, str | type[Delivery]] = dict(places)

    def __getitem__(self, name: str) -> type[Delivery]:
        found = self._entries[name]
        if isinstance(found, str):
            from importlib import import_module

            module, _, word = found.partition(":")
            found = cast("type[Delivery]", getattr(import_module(module), word))
            self._entries[name] = found
        return found

    def __setitem__(self, name: str, protocol: type[Delivery]) -> None:
        self._entries[name] = protocol

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries  # a name is looked up without loading what it names

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
