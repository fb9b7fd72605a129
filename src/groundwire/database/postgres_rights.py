"""What a PostgreSQL role could do beyond reading, and a script for one that cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.counted import counted
from groundwire.database.base import Rights

__all__ = ["read_rights"]

Query = Callable[[str], list[tuple[Any, ...]]]

ROLE = """
SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, current_database(),
       has_database_privilege(current_database(), 'CREATE')
FROM pg_roles WHERE rolname = current_user
"""
MEMBERSHIPS = """
SELECT rolname FROM pg_roles
WHERE rolname ~ '^pg_' AND pg_has_role(current_user, oid, 'MEMBER')
ORDER BY rolname
"""
WRITING_ROLES = frozenset(
    {"pg_write_all_data", "pg_write_server_files", "pg_execute_server_program", "pg_maintain"}
)
REACHING_ROLES = frozenset({"pg_read_server_files", "pg_signal_backend"})
"""https://www.postgresql.org/docs/current/predefined-roles.html"""

# A role that may become another one (SET ROLE) has that one's rights in the end.
TABLES = """
WITH own AS (
    SELECT r.oid, r.rolname FROM pg_roles AS r WHERE pg_has_role(current_user, r.oid, 'MEMBER')
), tables AS (
    SELECT c.oid, c.relowner, n.nspname, c.relname
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f')
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), rights AS (
    SELECT t.nspname, t.relname, 'owner' AS privilege
    FROM tables AS t JOIN own ON own.oid = t.relowner
    UNION
    SELECT t.nspname, t.relname, p.privilege
    FROM tables AS t CROSS JOIN own
    CROSS JOIN (VALUES ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) AS p(privilege)
    WHERE has_table_privilege(own.oid, t.oid, p.privilege)
       OR (p.privilege IN ('INSERT', 'UPDATE')
           AND has_any_column_privilege(own.oid, t.oid, p.privilege))
)
SELECT privilege, count(*), min(quote_ident(nspname) || '.' || quote_ident(relname))
FROM rights GROUP BY privilege ORDER BY privilege
"""
SCHEMAS = """
SELECT nspname, has_schema_privilege(oid, 'CREATE') FROM pg_namespace
WHERE nspname <> 'information_schema' AND nspname !~ '^pg_'
  AND has_schema_privilege(oid, 'USAGE')
ORDER BY nspname
"""


def read_rights(query: Query) -> Rights:
    """What the connected role could do beyond reading."""
    ((role, superuser, create_role, create_database, bypass, database, may_create),) = query(ROLE)
    schemas = query(SCHEMAS)
    members = [name for (name,) in query(MEMBERSHIPS)]
    writing = [_table_sentence(*row) for row in query(TABLES)]
    if superuser:
        writing.insert(0, "The role is a superuser: the server checks no right of it.")
    if create_role:
        writing.append("The role may create roles and give them rights (CREATEROLE).")
    if create_database:
        writing.append("The role may create databases (CREATEDB).")
    if may_create:
        writing.append(f"The role may create schemas in the database {database}.")
    creatable = [schema for schema, create in schemas if create]
    if creatable:
        writing.append(f"The role may create objects in {_listed(creatable)}.")
    writing += [f"The role is a member of {name}." for name in members if name in WRITING_ROLES]
    reaching = [f"The role is a member of {name}." for name in members if name in REACHING_ROLES]
    if bypass:
        reaching.append("The role reads past row-level security (BYPASSRLS).")
    remedy = _remedy(database, [schema for schema, _ in schemas])
    return Rights(role, bool(writing), superuser, tuple(writing + reaching), remedy)


def _table_sentence(privilege: str, count: int, example: str) -> str:
    verb = "owns" if privilege == "owner" else f"has {privilege} on"
    return f"The role {verb} {counted(count, 'table')}, such as {example}."


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    more = len(names) - 3
    return f"{shown} and {counted(more, 'more schema')}" if more > 0 else f"schema {shown}"


def _remedy(database: str, schemas: list[str]) -> str:
    lines = [
        "CREATE ROLE groundwire_reader LOGIN PASSWORD 'choose one' NOSUPERUSER NOINHERIT;",
        "ALTER ROLE groundwire_reader SET default_transaction_read_only = on;",
        f"GRANT CONNECT ON DATABASE {_quoted(database)} TO groundwire_reader;",
    ]
    for schema in map(_quoted, schemas):
        lines += [
            f"GRANT USAGE ON SCHEMA {schema} TO groundwire_reader;",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO groundwire_reader;",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT ON TABLES "
            "TO groundwire_reader;",
        ]
    return "\n".join(lines)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
