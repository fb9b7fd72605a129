"""Making the databases of a set from the files in which they are published.

NAME.sql                        the statements of a PostgreSQL dump, COPY … FROM stdin included
NAME/nodes, NAME/relationships  a graph as JSON lines or CSV (`database/graph_files.py`)
NAME_simplekg.json              a graph of CypherBench
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from groundwire.database.graph_load import load_graph
from groundwire.database.url import parse
from groundwire.database.writing import open_for_writing
from groundwire.errors import UsageError

__all__ = ["prepare"]

ALSO_KNOWN_AS = {"wwc2019": "wwc"}
"""Graphs of Neo4j's examples that sets call by a shorter name."""

HAS_TABLES = """SELECT count(*) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE relkind IN ('r', 'p') AND nspname !~ '^(pg_|information_schema$)'"""
SCHEMAS = """SELECT string_agg(quote_ident(nspname), ', ' ORDER BY nspname <> 'public', nspname)
FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$)'"""


def prepare(folder: Path, url: str, names: Collection[str] = ()) -> dict[str, str]:
    """Load every database of a folder; the URL of each, by its name. What is there is left alone.

    Args:
        url: with `{database}` in it where there are several: `postgresql://user@host/{database}`
            (made where missing), `kglite:///graphs/{database}.kgl`, or a Neo4j URL.
        names: those that are wanted; none = all.

    Raises:
        UsageError: there is nothing to load, or several databases for one URL.
        GroundwireError: as the loaders.
    """
    found = {name: load for name, load in _sources(folder) if not names or name in names}
    if not found:
        raise UsageError(
            f"There is nothing to load in {folder}.",
            hint="Needed: NAME.sql, NAME/nodes.jsonl and NAME/relationships.jsonl, or "
            "NAME_simplekg.json" + (f", for {', '.join(sorted(names))}." if names else "."),
        )
    if len(found) > 1 and "{database}" not in url:
        raise UsageError(
            f"{len(found)} databases cannot be loaded into one URL.",
            hint="Put {database} where the name belongs: postgresql://user@host/{database}.",
        )
    urls = {name: url.replace("{database}", name) for name in found}
    for name, load in found.items():
        if not _is_file_there(urls[name]):
            load(urls[name])
    return urls


def _is_file_there(url: str) -> bool:
    """A graph in a file appears when it is complete."""
    parsed = parse(url)
    path = parsed.path() if parsed.scheme == "kglite" else None
    return path is not None and path.exists()


def _sources(folder: Path) -> Iterator[tuple[str, Callable[[str], None]]]:
    nested = (file for file in folder.glob("*/*.sql") if file.stem == file.parent.name)
    for file in sorted((*folder.glob("*.sql"), *nested)):
        yield file.stem, lambda url, file=file: _load_sql(file, url)  # type: ignore[misc]
    for file in sorted(folder.glob("*_simplekg.json")):
        name = file.stem.removesuffix("_simplekg").removesuffix("_sampled")
        yield name, lambda url, file=file: _load_simplekg(file, url)  # type: ignore[misc]
    for nodes in sorted(folder.glob("*/nodes.*")):
        edges = next(iter(sorted(nodes.parent.glob("relationships.*"))), None)
        if edges is not None:
            name = ALSO_KNOWN_AS.get(nodes.parent.name, nodes.parent.name)
            yield name, lambda url, pair=(nodes, edges): _load_graph(pair, url)  # type: ignore[misc]


def _load_graph(pair: tuple[Path, Path], url: str) -> None:
    load_graph(*pair, url)


def _load_simplekg(file: Path, url: str) -> None:
    """A graph of CypherBench: entities with a label and properties, relations between them."""
    graph = json.loads(file.read_text(encoding="utf-8"))
    dates = {
        (kind["label"], name)
        for kind in (*graph["schema"]["entities"], *graph["schema"]["relations"])
        for name, type_name in kind.get("properties", {}).items()
        if type_name in ("date", "list[date]")
    }
    nodes = (
        {
            "id": entity["eid"],
            "labels": [entity["label"]],
            "properties": {
                "eid": entity["eid"],
                "name": entity["name"],
                "aliases": entity.get("aliases") or None,
                "description": entity.get("description"),
                **_typed(entity, dates),
            },
        }
        for entity in graph["entities"]
    )
    edges = (
        {
            "type": relation["label"],
            "start": relation["subj_id"],
            "end": relation["obj_id"],
            "properties": _typed(relation, dates),
        }
        for relation in graph["relations"]
    )
    load_graph(nodes, edges, url)


def _typed(item: dict[str, Any], dates: set[tuple[str, str]]) -> dict[str, Any]:
    """The properties of an entity or a relation, dates marked as such."""
    return {
        name: _date(value) if (item["label"], name) in dates else value
        for name, value in (item.get("properties") or {}).items()
    }


def _date(value: Any) -> Any:
    if isinstance(value, list):
        return [_date(item) for item in value]
    return {"$date": value} if value is not None else None


def _load_sql(file: Path, url: str) -> None:
    """Into a PostgreSQL database that is made where missing; one with tables is left alone."""
    _create(url)
    with open_for_writing(url) as connection:
        if connection.execute(HAS_TABLES).fetchone()[0]:
            return
        _run(connection, file.read_text(encoding="utf-8"))
        schemas = connection.execute(SCHEMAS).fetchone()[0]
        database = connection.execute("SELECT quote_ident(current_database())").fetchone()[0]
        connection.execute(f"ALTER DATABASE {database} SET search_path TO {schemas}".encode())


def _create(url: str) -> None:
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.sql import SQL, Identifier

    name = str(conninfo_to_dict(url).get("dbname") or "postgres")
    head, _, options = url.partition("?")
    admin = head.rpartition("/")[0] + "/postgres" + (f"?{options}" if options else "")
    with open_for_writing(admin) as connection:
        connection.autocommit = True  # a database is not made within a transaction
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
        if known.fetchone() is None:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))


def _run(connection: Any, script: str) -> None:
    """The statements of a dump; psql's own commands in it are left out."""
    lines = iter(script.splitlines(keepends=True))
    statements: list[str] = []
    for line in lines:
        if line.upper().startswith("COPY ") and line.rstrip().lower().endswith("from stdin;"):
            connection.execute("".join(statements).encode())
            statements.clear()
            with connection.cursor().copy(line.encode()) as copy:
                for row in iter(lambda: next(lines, "\\."), ""):
                    if row.startswith("\\."):
                        break
                    copy.write(row)
        elif not line.startswith("\\"):
            statements.append(line)
    connection.execute("".join(statements).encode())
