"""The figures of runs as one HTML page that needs nothing else: no script, no network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from groundwire.bench.report.curve import curve_svg
from groundwire.bench.report.figures import Figures, Worst
from groundwire.bench.report.tables import errors, groups, labels, overview, share
from groundwire.bench.runs.record import Rows
from groundwire.counted import counted

__all__ = ["page"]


def page(runs: Sequence[Figures], title: str = "Benchmark report") -> str:
    """Scores with intervals, the risk-coverage plot, errors by kind, and the worst cases of each
    run with draft, findings, evidence and rows side by side. Stored text is escaped: it is data."""
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    names = labels(runs)
    curves = {name: run.admission.curve for name, run in zip(names, runs, strict=True)}
    body = [
        f"<h1>{escape(title)}</h1>",
        _table(*overview(names, runs)),
        "<p class=note>Intervals are of 95 %. A draft or an answer is right when it has the rows "
        "of an accepted query: any order of the columns, the order of rows where the question asks "
        "for it. Where both are empty nothing is proven, and the case is left out.</p>",
        "<h2>Wrong answers at a given coverage</h2>",
        curve_svg(curves),
        *(part for name, run in zip(names, runs, strict=True) for part in _run(name, run)),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title><style>\n{style}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _run(name: str, run: Figures) -> list[str]:
    parts = [f"<h2>{escape(name)}</h2>", _metrics(run), _matrix(run)]
    parts += [_table(*table) for table in groups(run)]
    if run.errors:
        parts += [
            "<h3>Wrong drafts by the part in which they differ from the gold</h3>",
            _table(*errors(run)),
        ]
    cost = ((key, "not known" if v is None else f"{v:,.6g}") for key, v in run.cost.items())
    parts += ["<h3>Cost</h3>", _table(("what", "in all"), cost)]
    if run.worst:
        parts += ["<h3>The worst cases</h3>", *map(_worst, run.worst)]
    return parts


def _metrics(run: Figures) -> str:
    rows = (
        (name, share(found), share(run.shown.get(name)), f"{found.count:,}")
        for name, found in run.drafts.items()
    )
    return _table(("metric", "drafts", "shown", "cases"), rows)


def _matrix(run: Figures) -> str:
    table = run.admission.to_json()["table"]
    rows = (
        (outcome, *(str(counts[truth]) for truth in ("right", "wrong", "undecided")))
        for outcome, counts in table.items()
    )
    return _table(("outcome", "draft right", "draft wrong", "undecided"), rows)


def _worst(worst: Worst) -> str:
    record, case = worst.record, worst.case
    codes = f" ({', '.join(worst.codes)})" if worst.codes else ""
    queries = [("Gold", query) for query in case.queries[:1]] + [("Draft", record.draft)]
    if record.query and record.query != record.draft:
        queries.append(("Shown", record.query))
    findings = "".join(
        f"<li><b>{escape(finding['code'])}</b> {escape(finding['message'])}"
        + "".join(f"<br><code>{escape(e['statement'])}</code>" for e in finding["evidence"][:2])
        + "</li>"
        for finding in record.findings
    )
    return (
        f"<details><summary>{escape(worst.what)}{escape(codes)}: {escape(case.question)} "
        f"<small>{escape(case.database)}, {escape(case.id)}</small></summary>"
        f"<p>{escape(record.why)}</p>"
        + "".join(f"<h4>{name}</h4><pre>{escape(text)}</pre>" for name, text in queries)
        + (f"<h4>Findings</h4><ul>{findings}</ul>" if findings else "")
        + f"<div class=pair>{_rows('Gold', record.gold_rows)}"
        + f"{_rows('Shown' if record.shown else 'Draft', record.rows)}</div></details>"
    )


def _rows(name: str, rows: Rows | None) -> str:
    if rows is None:
        return f"<div><h4>{name}: did not run</h4></div>"
    sample = (tuple(_value(value) for value in row) for row in rows.sample)
    return f"<div><h4>{name}: {counted(rows.count, 'row')}</h4>{_table(rows.columns, sample)}</div>"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = ("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>\n" + "\n".join(lines) + "</table>"
