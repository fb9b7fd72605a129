"""The figures of a run, for a person or a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from groundwire.cli.output import console, print_json

if TYPE_CHECKING:
    from groundwire.bench.runs.folder import RunFolder

__all__ = ["figures", "print_run"]


def figures(folder: RunFolder) -> dict[str, Any]:
    """`{run, cases, done, drafts, shown, admission, cost}`: means of the drafts and of what was
    shown, the admission matrix, the cost in all."""
    from groundwire.bench.admission import admission
    from groundwire.bench.report.figures import total_cost
    from groundwire.bench.summary import means

    records = folder.records
    shown = [{name: record.value(name) for name in record.draft_scores} for record in records]
    drafts = means(record.draft_scores for record in records)
    return {
        "run": folder.configuration.to_json(),
        "cases": len(folder.cases),
        "done": len(records),
        "drafts": {name: found.to_json() for name, found in drafts.items()},
        "shown": {name: found.to_json() for name, found in means(shown).items()},
        "admission": admission(record.judged() for record in records).to_json(),
        "cost": total_cost(records),
    }


def print_run(folder: RunFolder, as_json: bool) -> None:
    """Print the figures of a run."""
    found = figures(folder)
    if as_json:
        print_json(found)
        return
    from rich.table import Table

    table = Table("metric", "drafts", "shown", "cases", box=None, pad_edge=False)
    for name, draft in found["drafts"].items():
        shown = found["shown"].get(name)
        table.add_row(name, _estimate(draft), _estimate(shown), f"{draft['count']:,}")
    out = console()
    out.print(table)
    matrix = found["admission"]
    risk = "nothing that can be decided" if matrix["risk"] is None else f"{matrix['risk']:.1%}"
    out.print(
        f"{found['done']:,} of {found['cases']:,} cases; shown {matrix['coverage']:.1%}, "
        f"of these wrong {risk}"
    )
    out.print(
        f"Wrong answers shown {len(matrix['wrong_shown'])}, right ones withheld "
        f"{len(matrix['right_withheld'])}; repairs that helped {len(matrix['helped'])}, "
        f"harmed {len(matrix['harmed'])}"
    )


def _estimate(found: dict[str, Any] | None) -> str:
    if found is None:
        return "-"
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"
