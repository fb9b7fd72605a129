"""Catalogs for tests, made from DDL and from names alone; no database is asked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import sqlglot
from sqlglot import exp

from groundwire.database.catalog import Catalog, Column, ForeignKey, Table


def catalog_of(
    tables: Iterable[Table],
    *,
    dialect: str = "postgres",
    folds: Literal["lower", "ignore"] = "lower",
) -> Catalog:
    tables = tuple(tables)
    schemas = tuple(dict.fromkeys(table.schema for table in tables))
    return Catalog(dialect, tables, schemas, folds)


def tables_of(ddl: str, schema: str) -> list[Table]:
    """The tables of a script of CREATE TABLE (and ALTER TABLE … FOREIGN KEY) statements."""
    tables: dict[str, dict[str, Any]] = {}
    for statement in sqlglot.parse(ddl, dialect="postgres"):
        if isinstance(statement, exp.Create) and isinstance(statement.this, exp.Schema):
            name = statement.this.this.name
            tables[name] = _read_table(statement.this, schema)
        elif isinstance(statement, exp.Alter):
            for key in statement.find_all(exp.ForeignKey):
                tables[statement.this.name]["foreign_keys"].append(_foreign_key(key, schema))
    return [
        Table(
            schema,
            name,
            "table",
            tuple(parts["columns"]),
            primary_key=tuple(parts["primary_key"]),
            foreign_keys=tuple(parts["foreign_keys"]),
        )
        for name, parts in tables.items()
    ]


def _read_table(body: exp.Schema, schema: str) -> dict[str, Any]:
    columns, primary_key, foreign_keys = [], [], []
    for item in body.expressions:
        if isinstance(item, exp.ColumnDef):
            columns.append(
                Column(item.name, item.kind.sql("postgres").lower() if item.kind else "")
            )
            if item.find(exp.PrimaryKeyColumnConstraint):
                primary_key.append(item.name)
            if reference := item.find(exp.Reference):
                foreign_keys.append(_reference((item.name,), reference, schema))
    for key in body.find_all(exp.PrimaryKey):
        primary_key = [part.name for part in key.expressions]
    foreign_keys += [_foreign_key(key, schema) for key in body.find_all(exp.ForeignKey)]
    return {"columns": columns, "primary_key": primary_key, "foreign_keys": foreign_keys}


def _foreign_key(key: exp.ForeignKey, schema: str) -> ForeignKey:
    return _reference(tuple(part.name for part in key.expressions), key.args["reference"], schema)


def _reference(columns: tuple[str, ...], reference: exp.Reference, schema: str) -> ForeignKey:
    target = reference.this
    if isinstance(target, exp.Schema):
        return ForeignKey(
            columns, schema, target.this.name, tuple(c.name for c in target.expressions)
        )
    return ForeignKey(columns, schema, target.name, ())


AREAS = "billing warehouse payroll logistics claims telemetry campaign audit lab fleet".split()  # noqa: SIM905
THINGS = (  # noqa: SIM905
    "invoice shipment contract ticket device sensor voucher ledger batch pallet policy claim lead "
    "session token alert incident vehicle driver_log depot sample assay protocol reagent tariff "
    "account journal posting budget forecast quota region_map carrier manifest customs_form lot"
).split()
FIELDS = (  # noqa: SIM905
    "code label status created_at updated_at owner_id amount currency quantity unit price comment "
    "start_date end_date version flag category_id external_ref checksum priority weight volume"
).split()


def other_tables(count: int, schema: str = "erp") -> Iterator[Table]:
    """Tables of an invented company, for the crowd."""
    chance = random.Random(7)
    names = [f"{area}_{thing}" for thing in THINGS for area in AREAS]
    names += [f"{name}_history" for name in names]
    for number, name in enumerate(names[:count]):
        fields = chance.sample(FIELDS, chance.randint(5, 12))
        columns = [Column("id", "bigint", nullable=False)]
        columns += [Column(field, "text" if field[0] in "clsw" else "numeric") for field in fields]
        keys = ()
        if number:
            target = names[chance.randrange(number)]
            columns.append(Column(f"{target}_id", "bigint"))
            keys = (ForeignKey((f"{target}_id",), schema, target, ("id",)),)
        yield Table(
            schema, name, "table", tuple(columns), ("id",), (), keys, "", chance.randrange(10**6)
        )
