"""The specs of specs/field-reports, and the tables that docs/field-reports.md shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from frame import ROOT
from systems import SYSTEMS

from twice.protocols.answers import POSSIBLE
from twice.protocols.spec import Spec
from twice.protocols.spec_reader import read_specs

FOLDER = ROOT / "specs" / "field-reports"
PAGE = ROOT / "docs" / "field-reports.md"
NAME = "reports"

BEFORE, AFTER, ALSO = "before", "after", "also"

Reports = dict[str, tuple[Spec, ...]]


def reports() -> Reports:
    """Every report by its id, with its cases."""
    return {path.stem: read_specs(path) for path in sorted(FOLDER.glob("*.toml"))}


def part(spec: Spec) -> tuple[str, str]:
    """What a case is for (before, after or also), and its name without that."""
    word, _, rest = spec.case.partition(": ")
    return word, rest


def in_reach(cases: Iterable[Spec]) -> bool:
    """Whether the protocol can be asked for any case of a report."""
    return any(not spec.outside for spec in cases)


def tables(found: Reports) -> str:
    """What is asked of each protocol, then what cannot be asked yet."""
    reached = {name: cases for name, cases in found.items() if in_reach(cases)}
    lines = [_summary(found, reached), ""]
    for protocol, system in SYSTEMS.items():
        here = {name: cases for name, cases in reached.items() if cases[0].protocol == protocol}
        if here:
            lines += [f"### {system}", "", *_verdicts(here), ""]
    missing = {name: cases for name, cases in found.items() if name not in reached}
    if missing:
        lines += ["### Out of reach", "", *_missing(missing), ""]
    return "\n".join(lines)


def _summary(found: Reports, reached: Reports) -> str:
    asked = sum(not spec.outside for cases in found.values() for spec in cases)
    return (
        f"Of {len(found)} reports, {len(reached)} are asked of a protocol, in {asked} "
        f"configurations; {len(found) - len(reached)} are out of its reach so far."
    )


def _verdicts(here: Reports) -> Iterator[str]:
    yield "| report | what happened | before | after |"
    yield "|---|---|---|---|"
    for name, cases in here.items():
        told = f"{cases[0].title}.<br>*{cases[0].source}*"
        feared = {word for spec in cases if part(spec)[0] == BEFORE for word in _possible(spec)}
        before = [_case(spec, set()) for spec in cases if part(spec)[0] == BEFORE]
        after = [_case(spec, feared) for spec in cases if part(spec)[0] != BEFORE]
        yield f"| {_link(name)} | {told} | {'<br>'.join(before)} | {'<br>'.join(after)} |"


def _case(spec: Spec, feared: set[str]) -> str:
    """A configuration and its verdicts: what is possible, and what of the fears never is."""
    word, name = part(spec)
    if word == ALSO:
        name = f"also, {name}"
    if spec.outside:
        return f"{name}: *not asked*: {spec.outside}" if name else f"*not asked*: {spec.outside}"
    possible = _possible(spec)
    never = [word for word in spec.expect if word not in possible and (word in feared)]
    if not possible and not never:
        never = list(spec.expect)
    said = [", ".join(f"**{outcome}**" for outcome in possible)] if possible else []
    if never:
        said.append(f"never {', '.join(never)}")
    said += [_bound(bound, seconds) for bound, seconds in spec.bounds.items()]
    return f"{name}: {'; '.join(said)}" if name else "; ".join(said)


def _bound(name: str, seconds: float) -> str:
    """How late something is at most, before what that depends on."""
    event, comma, given = name.partition(", ")
    return f"{event} within {seconds:,} s{comma}{given}"


def _missing(missing: Reports) -> Iterator[str]:
    yield "| report | system | what happened | what is missing |"
    yield "|---|---|---|---|"
    for name, (spec, *_) in missing.items():
        told = f"{spec.title}.<br>*{spec.source}*"
        yield f"| {_link(name)} | {SYSTEMS[spec.protocol]} | {told} | {spec.outside} |"


def _possible(spec: Spec) -> list[str]:
    return [word for word, answer in spec.expect.items() if answer == POSSIBLE]


def _link(name: str) -> str:
    return f"[{name}](../{FOLDER.relative_to(ROOT)}/{name}.toml)"
