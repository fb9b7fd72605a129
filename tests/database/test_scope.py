"""What `schemas` and `exclude` take away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database import Column, ForeignKey, Table
from groundwire.database.scope import Scope


def table(schema: str, name: str, *columns: str, **more: object) -> Table:
    return Table(schema, name, "table", tuple(Column(c, "text") for c in columns), **more)  # type: ignore[arg-type]


TABLES = (
    table("public", "users", "id", "email", "Password_Hash", primary_key=("id",)),
    table(
        "public",
        "orders",
        "id",
        "user_id",
        "total",
        foreign_keys=(ForeignKey(("user_id",), "public", "users", ("id",)),),
    ),
    table("audit", "users", "id", "email"),
)


def visible(*patterns: str, schemas: tuple[str, ...] = ()) -> dict[str, list[str]]:
    tables = Scope(schemas, patterns).apply(TABLES)
    return {f"{t.schema}.{t.name}": [column.name for column in t.columns] for t in tables}


EVERYTHING = {
    "public.users": ["id", "email", "Password_Hash"],
    "public.orders": ["id", "user_id", "total"],
    "audit.users": ["id", "email"],
}


def without(*names: str) -> dict[str, list[str]]:
    """Everything less some tables (`schema.table`) and columns (`schema.table.column`)."""
    kept = {
        name: [column for column in columns if f"{name}.{column}" not in names]
        for name, columns in EVERYTHING.items()
        if name not in names
    }
    return {name: columns for name, columns in kept.items() if columns}


@pytest.mark.parametrize(
    ("pattern", "gone"),
    [
        ("users", ("public.users", "audit.users")),
        ("USERS", ("public.users", "audit.users")),
        ("audit.users", ("audit.users",)),
        ("audit.*", ("audit.users",)),
        ("us*", ("public.users", "audit.users")),
        ("users.email", ("public.users.email", "audit.users.email")),
        ("public.users.email", ("public.users.email",)),
        ("*.password*", ("public.users.Password_Hash",)),
        (
            "*.*.*id",
            ("public.users.id", "public.orders.id", "public.orders.user_id", "audit.users.id"),
        ),
        ("orders.*", ("public.orders",)),
        ("nothing", ()),
        ("user", ()),
        ("a.b.c.d", ()),
    ],
)
def test_a_pattern_takes_away_what_it_means(pattern, gone):
    assert visible(pattern) == without(*gone)


def test_only_the_named_schemas_are_left():
    assert list(visible(schemas=("AUDIT",))) == ["audit.users"]


def test_a_table_without_visible_columns_is_gone():
    assert "audit.users" not in visible("audit.users.id", "audit.users.email")


def test_a_foreign_key_to_something_hidden_is_gone():
    def foreign_keys(pattern: str) -> tuple[ForeignKey, ...]:
        (orders,) = (t for t in Scope((), (pattern,)).apply(TABLES) if t.name == "orders")
        return orders.foreign_keys

    assert len(foreign_keys("orders.total")) == 1
    for pattern in ("users", "users.id", "orders.user_id"):
        assert foreign_keys(pattern) == ()


def test_keys_over_hidden_columns_are_gone_and_the_hidden_are_counted():
    (users, *_) = Scope((), ("users.id",)).apply(TABLES)
    assert users.primary_key == ()
    assert users.hidden_columns == 1


@given(st.lists(st.text(max_size=8), max_size=3))
def test_no_pattern_adds_anything(patterns):
    shown = visible(*patterns)
    assert all(set(columns) <= set(EVERYTHING[name]) for name, columns in shown.items())
