"""Reading a spec: every slip in it is named with file, line and what was probably meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twice.model.errors import UsageError, nearest
from twice.protocols import PROTOCOLS
from twice.protocols.answers import NEVER, POSSIBLE
from twice.protocols.delivery import SCOPE, Delivery
from twice.protocols.spec import Spec
from twice.protocols.spec_cases import TABLES, SpecCase, cases
from twice.protocols.spec_text import SpecError, SpecText

TEXTS = ("title", "source", "observed", "protocol", "outside")
NEEDED = ("title", "protocol", "expect")
COUNTED = ("states", "transitions")


def read_specs(path: Path) -> tuple[Spec, ...]:
    """Read a file: one spec, or one for each of its cases.

    Raises
    ------
    SpecError
        The file is not TOML, or says what a spec cannot say; the message lists every slip.
    """
    specs: list[Spec] = []
    slips: dict[str, None] = {}  # what stands at the top is read with every case
    for case in cases(SpecText(path)):
        try:
            specs.append(_Reader(case).read())
        except SpecError as error:
            slips.update(dict.fromkeys(str(error).splitlines()))
    if slips:
        raise SpecError("\n".join(slips))
    return tuple(specs)


class _Reader:
    def __init__(self, text: SpecCase) -> None:
        self.text = text
        self.slips: list[str] = []

    def read(self) -> Spec:
        self._keys()
        self._stop_at_slips()
        data = self.text.data
        protocol = self._protocol(data["protocol"])
        spec = Spec(
            path=self.text.path,
            title=data["title"],
            protocol=data["protocol"],
            source=data.get("source", ""),
            observed=data.get("observed", ""),
            case=self.text.name,
            settings=self._settings(protocol),
            scope=self._numbers("scope", SCOPE, least=1),
            faults=self._numbers("faults", protocol.fault_points(), least=0),
            points=self._points(protocol),
            expect=self._expect(protocol),
            counts=self._numbers("counts", COUNTED, least=1),
            bounds=self._bounds(protocol),
            outside=data.get("outside", ""),
        )
        self._stop_at_slips()
        return spec

    def _slip(self, table: str, key: str, what: str) -> None:
        self.slips.append(f"{self.text.at(table, key)}: {what}")

    def _stop_at_slips(self) -> None:
        if self.slips:
            raise SpecError("\n".join(self.slips))

    def _keys(self) -> None:
        """Every top-level key is known, is there when it must be, and holds a text or a table."""
        for key, value in self.text.data.items():
            if key in TEXTS:
                if not isinstance(value, str):
                    self._slip("", key, f"`{key}` is {_shown(value)}; write a text in quotes")
            elif key in TABLES:
                if not isinstance(value, dict):
                    self._slip("", key, f"`{key}` is {_shown(value)}; write a table: [{key}]")
            else:
                place = ("", key) if not isinstance(value, dict) else (key, "")
                self._slip(*place, f"a spec has no `{key}`: {nearest(key, TEXTS + TABLES)}")
        outside = "outside" in self.text.data
        if outside and "expect" in self.text.data:
            what = "what is outside the protocol expects nothing; leave [expect] out"
            self._slip("expect", "", what)
        for key in NEEDED:
            if key not in self.text.data and not (outside and key == "expect"):
                example = (
                    f'{key} = "..."' if key in TEXTS else f'[{key}] with a line like lost = "never"'
                )
                self.slips.append(f"{self.text.place}: `{key}` is missing; write {example}")

    def _protocol(self, name: str) -> type[Delivery]:
        if name not in PROTOCOLS:
            self._slip("", "protocol", f"there is no protocol `{name}`: {nearest(name, PROTOCOLS)}")
            self._stop_at_slips()
        return PROTOCOLS[name]

    def _table(self, table: str) -> dict[str, Any]:
        found = self.text.data.get(table, {})
        assert isinstance(found, dict)  # _keys has seen to it
        return found

    def _settings(self, protocol: type[Delivery]) -> dict[str, Any]:
        """Try all settings together; if they are refused, each alone, so that it has a line."""
        settings = self._table("settings")
        together = _refusal(protocol, settings)
        if together:
            alone = {name: _refusal(protocol, {name: settings[name]}) for name in settings}
            places = {name: told for name, told in alone.items() if told} or {"": together}
            for name, told in places.items():
                self._slip("settings", name, told)
        return settings

    def _numbers(self, table: str, known: Any, least: int) -> dict[str, int]:
        """Every key is known and counts something."""
        numbers = self._table(table)
        for key, value in numbers.items():
            if key not in known:
                self._slip(table, key, f"[{table}] has no `{key}`: {nearest(key, known)}")
            elif isinstance(value, bool) or not isinstance(value, int) or value < least:
                self._slip(
                    table, key, f"`{key}` is {_shown(value)}; write a whole number from {least}"
                )
        return numbers

    def _points(self, protocol: type[Delivery]) -> dict[str, frozenset[str]]:
        points: dict[str, frozenset[str]] = {}
        known = protocol.fault_points()
        for kind, names in self._table("points").items():
            if kind not in known:
                self._slip("points", kind, f"[points] has no `{kind}`: {nearest(kind, known)}")
            elif not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                what = f"`{kind}` is {_shown(names)}; write a list of faults in quotes"
                self._slip("points", kind, what)
            elif kind not in self._table("faults"):
                what = f"`{kind}` has points, but no budget; write {kind} = 1 under [faults]"
                self._slip("points", kind, what)
            else:
                for name in names:
                    if name not in known[kind]:
                        what = f"`{kind}` has no fault `{name}`: {nearest(name, known[kind])}"
                        self._slip("points", kind, what)
                points[kind] = frozenset(names)
        return points

    def _expect(self, protocol: type[Delivery]) -> dict[str, str]:
        expect = self._table("expect")
        known = protocol.outcomes()
        if not expect and "outside" not in self.text.data:
            self._slip("expect", "", '[expect] is empty; write a line like lost = "never"')
        for outcome, answer in expect.items():
            if outcome not in known:
                what = f"{protocol.__name__} has no outcome `{outcome}`: {nearest(outcome, known)}"
                self._slip("expect", outcome, what)
            elif answer not in (POSSIBLE, NEVER):
                what = f'`{outcome}` is {_shown(answer)}; write "{POSSIBLE}" or "{NEVER}"'
                self._slip("expect", outcome, what)
        return expect

    def _bounds(self, protocol: type[Delivery]) -> dict[str, float]:
        """Every key names a bound that there is under these settings."""
        bounds = self._table("bounds")
        if not bounds or self.slips:
            return bounds
        known = protocol(**self._table("settings")).bounds()
        for name, seconds in bounds.items():
            if name not in known:
                what = f"{protocol.__name__} has no bound `{name}` under these settings"
                self._slip("bounds", name, f"{what}: {nearest(name, known)}")
            elif isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
                self._slip(
                    "bounds", name, f"`{name}` is {_shown(seconds)}; write a number of seconds"
                )
        return bounds


def _refusal(protocol: type[Delivery], settings: dict[str, Any]) -> str:
    """What a protocol says against these settings; nothing if it takes them."""
    try:
        protocol(**settings)
    except UsageError as error:
        return str(error)
    return ""


def _shown(value: object) -> str:
    """Show a TOML value as it was probably written."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "a table"
    return str(value)
