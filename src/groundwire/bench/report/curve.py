"""The risk-coverage plot of several runs, as SVG: no script, no font or style from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from groundwire.bench.admission import Point

__all__ = ["curve_svg"]

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 320, 60, 44, 16
STEPS, STEP_SIZES = 5, (0.01, 0.02, 0.05, 0.1, 0.2)
COLOURS = ("#1f5fa8", "#b3501f", "#3a7d34", "#7a3f98", "#8a6d00", "#4a4a4a", "#c2185b", "#00838f")


def curve_svg(curves: Mapping[str, Sequence[Point]]) -> str:
    """One line a run: of the surest cases, coverage (across) and the share that is wrong (up)."""
    top = max((point.risk for points in curves.values() for point in points), default=0.0)
    top = next(step * STEPS for step in STEP_SIZES if top <= step * STEPS)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT + 18 * len(curves)}" role="img" '
        f'aria-label="Risk by coverage">',
        *_axes(top),
    ]
    for place, (name, points) in enumerate(curves.items()):
        parts += _line(name, points, place, top)
    return "\n".join([*parts, "</svg>"])


def _x(coverage: float) -> float:
    return round(LEFT + coverage * (WIDTH - LEFT - 20), 1)


def _y(risk: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - risk / top * (HEIGHT - BOTTOM - TOP), 1)


def _axes(top: float) -> list[str]:
    parts = []
    for step in range(STEPS + 1):
        share, risk = step / STEPS, top * step / STEPS
        x, y = _x(share), _y(risk, top)
        parts += [
            f'<line x1="{_x(0)}" y1="{y}" x2="{_x(1)}" y2="{y}" stroke="#ddd"/>',
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{risk:.0%}</text>',
            f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{share:.0%}</text>',
        ]
    middle = (_x(0) + _x(1)) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">'
        "coverage: cases for which an answer is shown, the surest first</text>"
    )
    parts.append(
        f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
        "risk: share of these that is wrong</text>"
    )
    return parts


def _line(name: str, points: Sequence[Point], place: int, top: float) -> list[str]:
    colour = COLOURS[place % len(COLOURS)]
    dash = f"{max(2, 8 // (place // len(COLOURS)))} 3" if place >= len(COLOURS) else "none"
    legend = HEIGHT + 18 * place
    parts = [
        f'<line x1="{LEFT - 12}" y1="{legend + 6}" x2="{LEFT + 12}" y2="{legend + 6}" '
        f'stroke="{colour}" stroke-width="4" stroke-dasharray="{dash}"/>',
        f'<text x="{LEFT + 18}" y="{legend + 10}">{escape(name)}</text>',
    ]
    spots = [(_x(point.coverage), _y(point.risk, top), point) for point in points]
    if spots:
        path = " ".join(f"{x},{y}" for x, y, _ in spots)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
    for x, y, point in spots:
        title = f"coverage {point.coverage:.1%}, wrong {point.risk:.1%}"
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"><title>{title}</title></circle>'
        )
    return parts
