"""Whether anything that is remembered of a PostgreSQL database has changed, in one short question.

Every change of a catalogue is made by a transaction with a number of its own. So while a snapshot
shows the same transactions as before (manual, 9.28.3: pg_current_snapshot), it shows the same
catalogues, and nothing else needs to be looked at. Where it does not, the catalogues are: every
change of a row of theirs gives it a new xmin, higher than all before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from groundwire.database.postgres_hidden import FIRST_OF_USERS, VERSION

__all__ = ["MOMENT", "State", "read_state"]

MOMENT = """
SELECT concat_ws(' ', pg_current_snapshot(), current_user,
                 array_to_string(current_schemas(false), ','),
                 CASE WHEN pg_is_in_recovery() THEN clock_timestamp() END)
"""
"""The search path may change without a transaction. A standby's snapshot does not list the
transactions that run on its primary: there no two moments are alike."""

_TABLES = f"""
WITH seen AS (
    SELECT oid, xmin FROM pg_class
    WHERE relkind IN ('r', 'v', 'm', 'p', 'f') AND relpersistence <> 't' AND oid >= {FIRST_OF_USERS}
)
SELECT concat_ws(':',
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM seen),
       (SELECT concat_ws(',', count(*), sum(a.xmin::text::bigint))
        FROM pg_attribute AS a JOIN seen ON seen.oid = a.attrelid WHERE a.attnum > 0),
       (SELECT concat_ws(',', count(*), sum(i.xmin::text::bigint))
        FROM pg_index AS i JOIN seen ON seen.oid = i.indrelid),
       (SELECT concat_ws(',', count(*), sum(f.xmin::text::bigint))
        FROM pg_constraint AS f JOIN seen ON seen.oid = f.conrelid),
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM pg_enum),
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM pg_type
        WHERE typrelid = 0 AND typcategory <> 'A' AND oid >= {FIRST_OF_USERS}),
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM pg_namespace
        WHERE nspname !~ '^pg_(toast_)?temp'),
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM pg_description
        WHERE classoid = 'pg_class'::regclass AND objoid >= {FIRST_OF_USERS}),
       (SELECT concat_ws(',', count(*), sum(xmin::text::bigint)) FROM pg_auth_members),
       current_user, array_to_string(current_schemas(false), ','))
"""
"""What the catalog is read from. Left out is what no catalog shows: the system's own tables, and
what temporary tables of other sessions come with."""


class State(NamedTuple):
    """Texts that change whenever the catalog (`tables`) or what its names hide (`hidden`) would.

    `moment` changes with any transaction that writes.
    """

    moment: str
    tables: str
    hidden: str


def read_state(ask: Callable[[str], list[tuple[Any, ...]]]) -> State:
    """The state as of one transaction, in which `ask` asks."""
    statement = f"SELECT ({MOMENT}), ({_TABLES}), ({VERSION})"
    return State(*ask(statement)[0])
