"""Whether an average over groups leaves out groups that have nothing to count.

`average number of homicides per month` means another number when some months have none. One
small question to the database decides; where it finds such groups, the drafter declines.
"""

from __future__ import annotations

from dataclasses import replace

from groundwire.database.base import SqlDatabase
from groundwire.draft.offline.plan import Filter, InPart, InRange, OutputColumn, Plan, TimePart
from groundwire.draft.offline.resolve import Context, Unlinked
from groundwire.draft.offline.write_sql import write_sql

__all__ = ["check_gaps"]


def check_gaps(plan: Plan, context: Context, database: SqlDatabase) -> None:
    """Compare the groups that have a counted row with all groups.

    Raises:
        Unlinked: some groups have none, so the average is one of two numbers.
        QueryError, OperatorError: as `Database.execute`.
    """
    if plan.form != "mean" or plan.members is not None:
        return
    by_time = any(isinstance(e, TimePart) or e in context.years(plan.table) for e in plan.groups)
    kept = tuple(f for f in plan.filters if by_time and _is_time(f, plan, context))
    if kept == plan.filters:
        return
    with_any = _groups(plan, plan.filters, context, database)
    all_groups = _groups(plan, kept, context, database)
    if with_any != all_groups:
        raise Unlinked(
            f"only {with_any} of {all_groups} groups have any such row: whether the others count"
            " as 0 in the average is not said"
        )


def _is_time(found: Filter, plan: Plan, context: Context) -> bool:
    if isinstance(found, InRange | InPart):
        return True
    return getattr(found, "field", None) in context.years(plan.table)


def _groups(
    plan: Plan, filters: tuple[Filter, ...], context: Context, database: SqlDatabase
) -> int:
    counted = replace(
        plan,
        form="groups counted",
        filters=filters,
        outputs=(OutputColumn(plan.groups[0], "value"),),
    )
    rows = database.execute(write_sql(counted, context, database.dialect)).rows
    return int(rows[0][0])
