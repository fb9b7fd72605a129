"""`groundwire bench`: measure text-to-SQL and text-to-Cypher.

sets.py       datasets, audit
prepare.py    prepare, witnesses
score.py      score: cases and predictions in, verdicts out
run.py        run, export, import
replay.py     replay, ablate
compare.py    compare
report.py     report
figures.py    the figures of one run
common.py     what the commands share
"""

import typer

from groundwire.cli.bench.compare import compare
from groundwire.cli.bench.prepare import prepare, witnesses
from groundwire.cli.bench.replay import ablate, replay
from groundwire.cli.bench.report import report
from groundwire.cli.bench.run import export, import_, run
from groundwire.cli.bench.score import score
from groundwire.cli.bench.sets import audit, datasets

__all__ = ["app"]

app = typer.Typer(
    help="Measure: score predictions, run a set, replay recorded drafts, compare.",
    no_args_is_help=True,
)
COMMANDS = (
    datasets,
    prepare,
    witnesses,
    audit,
    score,
    run,
    replay,
    ablate,
    compare,
    report,
    export,
)
for function in COMMANDS:
    app.command()(function)
app.command("import")(import_)
