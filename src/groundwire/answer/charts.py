"""A chart where the result suits one: groups as bars, a time series as a line.

The specification is Vega-Lite, a closed vocabulary: nothing that a model or a row says is ever
run. It is written out here because importing Altair to do so costs a second of every answer;
`altair.Chart.from_dict` takes it as it is.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from groundwire.answer.shape import Shape, shape_of, time_key
from groundwire.answer.wording import column_names, cut, is_number, say, say_number, visible
from groundwire.counted import counted
from groundwire.database.result import Result
from groundwire.errors import DriverMissing, StorageError, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["chart_spec", "save_chart", "terminal_bars"]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
MOST_GROUPS = 50
"""Bars that a picture can hold; a result with more groups gets no chart."""
MOST_LINES = 8
"""Lines that a person can tell apart."""
TERMINAL_BARS = 20
LONGEST_LABEL = 28
"""Cells of a terminal, not characters."""
NO_VALUE = "(no value)"


@dataclass(frozen=True, slots=True)
class _Plot:
    """What is drawn: one point a row, by the labels `x` and `series` and the figure `y`."""

    mark: Literal["bar", "line"]
    x: int
    y: int
    series: int | None = None


def chart_spec(result: Result, title: str = "") -> dict[str, Any] | None:
    """The Vega-Lite specification of the chart that suits a result, or None."""
    shape = shape_of(result)
    plot = _choose(result, shape)
    if plot is None:
        return None
    names = column_names(column.name for column in result.columns)
    values = [_point(row, plot, shape) for row in result.rows]
    if plot.mark == "bar":
        _tell_apart(values)
    drawn = _bars(names, plot, values) if plot.mark == "bar" else _line(names, plot, shape, values)
    subtitle = f"the first {counted(len(result.rows), 'row')}" if result.truncated else ""
    heading = {"text": visible(cut(" ".join(title.split()), 90)), "subtitle": subtitle}
    return {
        "$schema": SCHEMA,
        "title": {**heading, "anchor": "start"},
        "data": {"values": [value for value in values if value is not None]},
        **drawn,
        "config": {"view": {"stroke": None}},
    }


def _choose(result: Result, shape: Shape) -> _Plot | None:
    if len(result.rows) < 2 or not shape.measures or len(shape.labels) not in (1, 2):
        return None
    if not any(_is_figure(row[shape.measures[0]]) for row in result.rows):
        return None
    if len(shape.labels) == 2:
        return _choose_lines(result, shape)
    label, measure = shape.labels[0], shape.measures[0]
    if len({repr(row[label]) for row in result.rows}) < len(result.rows):
        return None
    if shape.time is not None and _is_ordered(result, label):
        return _Plot("line", label, measure)
    return _Plot("bar", label, measure) if len(result.rows) <= MOST_GROUPS else None


def _choose_lines(result: Result, shape: Shape) -> _Plot | None:
    if shape.time is None or len(shape.measures) != 1 or not _is_ordered(result, shape.time):
        return None
    series = next(place for place in shape.labels if place != shape.time)
    points = {(repr(row[shape.time]), repr(row[series])) for row in result.rows}
    few = len({repr(row[series]) for row in result.rows}) <= MOST_LINES
    if len(points) < len(result.rows) or not few:
        return None
    return _Plot("line", shape.time, shape.measures[0], series)


def _is_ordered(result: Result, place: int) -> bool:
    return all(row[place] is None or time_key(row[place]) is not None for row in result.rows)


def _is_figure(value: Any) -> bool:
    return is_number(value) and value - value == 0


def _point(row: Sequence[Any], plot: _Plot, shape: Shape) -> dict[str, Any] | None:
    label, figure = row[plot.x], row[plot.y]
    if plot.mark == "line" and label is None:
        return None
    point: dict[str, Any] = {"figure": float(figure) if _is_figure(figure) else None}
    if plot.mark == "line" and _is_calendar(label):
        point["label"] = _instant(label)
    elif plot.mark == "line" and is_number(label):
        point["label"] = int(label)
    else:
        point["label"] = _label(label, shape, plot.x)
    if plot.series is not None:
        point["series"] = _label(row[plot.series], shape, plot.series)
    return point


def _tell_apart(points: Sequence[dict[str, Any] | None]) -> None:
    """Two rows that look alike (1 and "1") stay two bars."""
    seen: Counter[str] = Counter()
    for point in points:
        if point is not None:
            label = point["label"]
            seen[label] += 1
            if seen[label] > 1:
                point["label"] = f"{label} ({seen[label]})"


def _label(value: Any, shape: Shape, place: int) -> str:
    if value is None:
        return NO_VALUE
    if isinstance(value, str):
        return visible(value)
    return say(value, shape.grain if place == shape.time else None).strip("“”")


def _is_calendar(value: Any) -> bool:
    """A point of the calendar; a bare number, month or quarter is only a place in an order."""
    if isinstance(value, date):
        return True
    return isinstance(value, str) and value[:4].isdigit() and "Q" not in value


def _instant(value: Any) -> str:
    """The wall clock of a time as an instant of UTC, so that no viewer moves it."""
    year, month, day, hour, minute, second = time_key(value) or (1, 1, 1, 0, 0, 0)
    moment = datetime(year, month or 1, day or 1, hour, minute, second)
    return f"{moment.isoformat()}Z"


def _figure_axis(names: Sequence[str], plot: _Plot) -> dict[str, Any]:
    return {
        "field": "figure",
        "type": "quantitative",
        "title": names[plot.y],
        "axis": {"format": ",~r", "tickCount": 6},
    }


def _bars(names: Sequence[str], plot: _Plot, values: Sequence[Any]) -> dict[str, Any]:
    above = {"titleAngle": 0, "titleAlign": "right", "titleX": -6, "titleY": -8}
    label = {
        "field": "label",
        "type": "nominal",
        "sort": None,
        "title": names[plot.x],
        "scale": {"domain": [point["label"] for point in values]},
        "axis": {"labelLimit": 220, **above},
    }
    return {
        "mark": {"type": "bar", "tooltip": True},
        "width": 460,
        "height": {"step": 20},
        "encoding": {"y": label, "x": _figure_axis(names, plot)},
    }


def _in_time_order(labels: Sequence[Any]) -> list[Any]:
    return sorted(set(labels), key=lambda label: time_key(label) or ())


def _line(
    names: Sequence[str], plot: _Plot, shape: Shape, values: Sequence[dict[str, Any] | None]
) -> dict[str, Any]:
    x: dict[str, Any] = {"field": "label", "title": names[plot.x]}
    labels = [value["label"] for value in values if value]
    if all(isinstance(label, str) and label.endswith("Z") for label in labels):
        formats = {"year": "%Y", "month": "%b %Y", "day": "%d %b %Y", "time": "%d %b %H:%M"}
        axis = {"format": formats[shape.grain or "day"], "labelOverlap": True}
        x |= {"type": "temporal", "scale": {"type": "utc"}, "axis": axis}
    elif len(values) <= MOST_GROUPS or isinstance(labels[0], str):
        x |= {
            "type": "ordinal",
            "sort": _in_time_order(labels),
            "axis": {"labelAngle": 0, "labelOverlap": True},
        }
    else:
        x |= {"type": "quantitative", "scale": {"zero": False}, "axis": {"format": "d"}}
    encoding: dict[str, Any] = {"x": x, "y": _figure_axis(names, plot)}
    if plot.series is not None:
        encoding["color"] = {"field": "series", "type": "nominal", "title": names[plot.series]}
    mark = {"type": "line", "point": len(values) <= 2 * MOST_GROUPS, "tooltip": True}
    return {"mark": mark, "width": 560, "height": 300, "encoding": encoding}


# --- files -----------------------------------------------------------------------------------


def save_chart(spec: dict[str, Any], path: str | Path) -> Path:
    """Write a chart as `.png`, `.svg`, `.html` (needs no network) or `.json` (Vega-Lite).

    The file appears whole or not at all.

    Raises:
        UsageError: another ending.
        DriverMissing: the extra that draws charts is not installed.
        StorageError: the file cannot be written.
    """
    path = Path(path)
    drawn = _draw(spec, path.suffix.lower())
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(drawn)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise _not_written(path, error) from error
    return path


def _not_written(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"The chart could not be written to {path}: {error.strerror or error}.",
        hint="Name a file in a folder that exists, has space and may be written to.",
    )


def _draw(spec: dict[str, Any], suffix: str) -> bytes:
    import json

    if suffix == ".json":
        return json.dumps(spec, ensure_ascii=False, indent=2, allow_nan=False).encode()
    if suffix not in (".png", ".svg", ".html"):
        raise UsageError(
            f"A chart cannot be written as {suffix or 'a file without an ending'}.",
            hint="Use a file that ends in .png, .svg, .html or .json.",
        )
    try:
        import vl_convert
    except ImportError as error:
        raise DriverMissing(
            "Drawing a chart needs a package that is not installed.",
            hint="Install it with: pip install 'groundwire[charts]'",
        ) from error
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[]))
    if suffix == ".svg":
        return str(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])).encode()
    return str(vl_convert.vegalite_to_html(spec, bundle=True)).encode()


# --- the terminal ----------------------------------------------------------------------------


def terminal_bars(result: Result, width: int = 80) -> RenderableType | None:
    """The chart that suits a result as bars for a terminal, or None.

    At most 20 bars, in the order of the rows, and how many more there are. Bars of negative
    figures grow to the left of a common zero.
    """
    shape = shape_of(result)
    plot = _choose(result, shape)
    if plot is None or plot.series is not None:
        return None
    from rich.bar import Bar
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    rows = result.rows[:TERMINAL_BARS]
    figures = [float(row[plot.y]) for row in rows if _is_figure(row[plot.y])]
    low, high = min(0.0, *figures, 0.0), max(0.0, *figures, 0.0)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    label_width = min(LONGEST_LABEL, max(8, width // 3))
    labels = [Text(visible(_label(row[plot.x], shape, plot.x))) for row in rows]
    values = [_said(row[plot.y]) for row in rows]
    for label in labels:
        label.truncate(label_width, overflow="ellipsis")
    taken = max(label.cell_len for label in labels) + max(map(len, values)) + 2
    space = max(8, min(50, width - taken))
    for label, row, value in zip(labels, rows, values, strict=True):
        figure = float(row[plot.y]) if _is_figure(row[plot.y]) else 0.0
        begin, end = sorted((-low, figure - low))
        bar = Bar(high - low or 1.0, begin, end, width=space, color="cyan")
        grid.add_row(label, bar, Text(value))
    more = len(result.rows) - len(rows)
    return Group(grid, Text(f"… and {more:,} more", "dim")) if more else grid


def _said(value: Any) -> str:
    return say_number(value).removeprefix("about ") if _is_figure(value) else NO_VALUE
