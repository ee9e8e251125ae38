"""The plot of the page: time and memory against the number of states, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from contestants import AUTO, MINICHECK, NUMPY, PLAIN, SPIN_FULL, SPIN_REDUCED
from results import FEW, Results, Row
from suite import WHOLE

COLOURS = {
    AUTO.label: "#0072b2",
    NUMPY.label: "#56b4e9",
    PLAIN.label: "#009e73",
    SPIN_FULL.label: "#d55e00",
    SPIN_REDUCED.label: "#e69f00",
    MINICHECK.label: "#767676",
}
"""Told apart by everybody (Okabe and Ito's palette)."""

WIDTH, HEIGHT = 920, 420


@dataclass(frozen=True)
class Axis:
    """A logarithmic scale from one pixel to another."""

    low: float
    high: float
    first: float
    last: float

    def place(self, value: float) -> float:
        """The pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self) -> Iterator[float]:
        """The powers of ten on the scale."""
        for power in range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1):
            yield 10.0**power


@dataclass(frozen=True)
class Panel:
    """One diagram: what it shows of a row, and where it lies."""

    title: str
    number: Callable[[Row], float | None]
    left: float
    across: tuple[float, float]
    up: tuple[float, float]
    write: Callable[[float], str]


PANELS = (
    Panel(
        "Seconds from a cold start to the verdict",
        lambda row: row.seconds,
        50,
        (200, 2e8),
        (0.09, 300),
        lambda value: f"{value:g} s",
    ),
    Panel(
        "Bytes of memory per state, above start-up",
        lambda row: row.bytes_per_state if row.states >= FEW else None,
        510,
        (200_000, 2e8),
        (9, 1100),
        lambda value: f"{value:g}",
    ),
)


def drawn(results: Results) -> str:
    """The plot as SVG."""
    rows = [row for row in results.of(WHOLE) if row.checker in COLOURS]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#222">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for panel in PANELS:
        parts += _panel(panel, rows)
    parts += _legend([name for name in COLOURS if any(row.checker == name for row in rows)])
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, rows: Sequence[Row]) -> Iterator[str]:
    right, top, bottom = panel.left + 390, 50, HEIGHT - 80
    across = Axis(*panel.across, panel.left, right)
    up = Axis(*panel.up, bottom, top)
    yield f'<text x="{panel.left}" y="28" font-size="14" font-weight="600">{panel.title}</text>'
    for value in up.ticks():
        y = up.place(value)
        yield f'<path d="M{panel.left} {y:.1f}H{right}" stroke="#ddd"/>'
        place = f'x="{panel.left - 6}" y="{y + 4:.1f}" text-anchor="end"'
        yield f"<text {place}>{panel.write(value)}</text>"
    for value in across.ticks():
        x = across.place(value)
        yield f'<path d="M{x:.1f} {bottom}v5" stroke="#222"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_count(value)}</text>'
    yield f'<path d="M{panel.left} {bottom}H{right}" stroke="#222"/>'
    yield f'<text x="{right}" y="{bottom + 34}" text-anchor="end">states</text>'
    for name, colour in COLOURS.items():
        known = [(row.states, panel.number(row)) for row in rows if row.checker == name]
        points = [
            (across.place(states), up.place(value)) for states, value in sorted(known) if value
        ]
        if not points:
            continue
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for x, y in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'


def _legend(names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        x, y = 50 + 145 * number, HEIGHT - 16
        yield f'<circle cx="{x + 5}" cy="{y - 4}" r="5" fill="{COLOURS[name]}"/>'
        yield f'<text x="{x + 16}" y="{y}">{escape(name)}</text>'


def _count(value: float) -> str:
    return f"{value / 1e6:g} M" if value >= 1e6 else f"{value:,.0f}"
