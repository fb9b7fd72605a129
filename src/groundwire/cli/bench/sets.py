"""`groundwire bench datasets` and `audit`: what can be measured, and what is wrong with it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.bench.common import DatabasesOption, DataOption, SetArgument, read_set
from groundwire.cli.exits import command
from groundwire.cli.options import JsonOption
from groundwire.errors import StorageError

__all__ = ["audit", "datasets"]


@command
def datasets(as_json: JsonOption = False) -> None:
    """List the data sets: what each needs, and where to get it. Nothing is downloaded."""
    from groundwire.bench.datasets import DATASETS
    from groundwire.cli.output import console, print_json

    if as_json:
        names = ("name", "title", "language", "needs", "source", "licence", "prepared")
        print_json([{name: getattr(one, name) for name in names} for one in DATASETS.values()])
        return
    for one in DATASETS.values():
        console().print(f"{one.name}: {one.title} ({one.language}, {one.licence})", style="bold")
        console().print(f"  needs {one.needs}; {one.source}")
        if one.prepared:
            console().print(f"  {one.prepared}")


@command
def audit(
    set: SetArgument,
    data: DataOption = None,
    databases: DatabasesOption = "",
    drop: Annotated[
        Path | None,
        typer.Option("--drop", help="Write the cases without the faulty golds to this file."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List golds that do not run, return nothing, or contradict each other; --drop leaves them out.

    Each gold is run twice.
    """
    from groundwire.bench.audit import NOTES
    from groundwire.bench.audit import audit as look_at
    from groundwire.bench.audit import drop as without
    from groundwire.bench.running import Databases
    from groundwire.cli.progress import bar

    sample = read_set(set, data, databases)
    with Databases(sample.databases) as opened, bar() as advance:
        found = look_at(
            [*sample.cases, *sample.unusable],
            opened,
            lambda done, all: advance(f"{done:,} of {all:,} questions", done / max(1, all)),
        )
    for fault in found:
        if as_json:
            entry = {"id": fault.id, "kind": fault.kind, "reason": fault.reason}
            typer.echo(json.dumps(entry | {"query": fault.query}, ensure_ascii=False))
        else:
            typer.echo(f"{fault.id or '(no id)'}  {fault.kind}  {fault.reason}")
    kept = without([*sample.cases, *sample.unusable], found)
    if drop is not None:
        lines = (json.dumps(case.to_json(), ensure_ascii=False) for case in kept)
        try:
            drop.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as error:
            raise StorageError(f"{drop} cannot be written: {error.strerror}.") from error
    kinds = Counter(fault.kind for fault in found)
    if as_json:
        summary = {"cases": len(sample.cases), "kept": len(kept), "kinds": dict(kinds)}
        typer.echo(json.dumps({"summary": summary}))
    else:
        counted = ", ".join(
            f"{count} {kind}{' (a note)' if kind in NOTES else ''}"
            for kind, count in kinds.most_common()
        )
        typer.echo(f"{len(sample.cases):,} cases, {len(kept):,} kept; {counted or 'no fault'}")
