"""What a command line says, read into what a protocol takes; slips name what was meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from twice.cli.errors import Mistake, explained

if TYPE_CHECKING:
    from twice.model import Regime, Setting
    from twice.protocols.delivery import Delivery


def read_settings(
    protocol: type[Delivery], given: Iterable[str], version: str | None = None
) -> dict[str, Any]:
    """Read `NAME=VALUE` texts, and a version, into values of the protocol's settings."""
    from twice.model.errors import nearest

    known = {setting.name: setting for setting in protocol.settings()}
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals:
            raise Mistake(f"--set {text}: there is no `=`.", f"--set {text}=VALUE")
        if name not in known:
            raise Mistake(f"--set {text}: there is no setting `{name}`; {nearest(name, known)}")
        if name in values:
            raise Mistake(f"--set {text}: `{name}` is set twice.", "set it once")
        with explained(f"--set {text}: "):
            values[name] = known[name].parse(value)
    if version is not None:
        values["version"] = _read_version(known, version, "version" in values)
    return values


def _read_version(known: Mapping[str, Setting], version: str, is_set: bool) -> Any:
    if "version" not in known:
        raise Mistake(
            f"--version {version}: this protocol has no setting `version`.", "leave it out"
        )
    if is_set:
        raise Mistake(f"--version {version}: `version` is set twice.", "set it once")
    with explained(f"--version {version}: "):
        return known["version"].parse(version)


def read_faults(protocol: type[Delivery], given: str) -> Regime:
    """Read `KIND=N,...` into one regime."""
    from twice.model import Regime
    from twice.model.errors import nearest

    known = protocol.fault_points()
    if not given.strip():
        raise Mistake("--faults is empty.", "none, or KIND=N,...")
    budget: dict[str, int] = {}
    for text in given.split(",") if given.strip() != "none" else []:
        kind, equals, number = (part.strip() for part in text.partition("="))
        if kind not in known:
            raise Mistake(
                f"--faults {given}: there is no fault kind `{kind}`; {nearest(kind, known)}"
            )
        if equals and not number.isdecimal():
            raise Mistake(
                f"--faults {given}: `{number}` is no number of faults.",
                f"a whole number, as in {kind}=1",
            )
        if kind in budget:
            raise Mistake(f"--faults {given}: `{kind}` is given twice.", "give each kind once")
        budget[kind] = int(number) if equals else 1
    return Regime(regime_name(budget), budget)


def read_regimes(
    protocol: type[Delivery], settings: Mapping[str, Any], faults: str | None
) -> list[Regime]:
    """Give the regimes to compare: the one named, or none and one fault of each kind there is."""
    from twice.model import NO_FAULTS, Regime

    with explained():
        there = protocol(**settings).fault_kinds()
    if faults is None:
        return [NO_FAULTS, *(Regime(kind, {kind: 1}) for kind in there)]
    named = read_faults(protocol, faults)
    for kind in named.budget:
        if kind not in there:
            raise Mistake(
                f"--faults {faults}: under these settings there is no `{kind}`.",
                f"leave it out, or choose among {', '.join(there)}",
            )
    return [named]


def read_outcomes(known: Iterable[str], given: Iterable[str]) -> list[str]:
    """Keep the known outcomes that are given, in the order in which they are known.

    Raises
    ------
    Mistake
        One of the given names is not known.
    """
    from twice.model.errors import nearest

    words, names = list(known), [name.strip() for name in given]
    for name in names:
        if name not in words:
            raise Mistake(f"there is no outcome `{name}`; {nearest(name, words)}")
    return [word for word in words if word in names]


def read_checked(checked: Iterable[str], protocol: type[Delivery], given: str) -> list[str]:
    """Keep those of the outcomes in `given` (`NAME,...`), all of which must be checked."""
    words = list(checked)
    names = read_outcomes(protocol.outcomes(), given.split(","))
    for name in names:
        if name not in words:
            raise Mistake(f"`{name}` is not checked: --outcome names only {', '.join(words)}")
    return names


def regime_name(budget: Mapping[str, int]) -> str:
    """Name a budget as a user writes it behind `--faults`; a single fault by its kind alone."""
    if not any(budget.values()):
        return "none"
    if list(budget.values()) == [1]:
        return next(iter(budget))
    return ",".join(f"{kind}={number}" for kind, number in budget.items())
