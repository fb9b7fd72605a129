"""Repeated rows are found through views and tables without a key, which no catalog tells apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from groundwire.database import SqlDatabase
from groundwire.guard import Guard
from tests.guard.conftest import ENGINES, opener, shop_statements

STATEMENTS = [
    "CREATE VIEW placed AS SELECT id, customer_id, status, total FROM orders",
    "CREATE VIEW sales AS SELECT o.id AS number, o.status, o.total, i.product_id, i.price "
    "FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id",
    "CREATE VIEW totals AS SELECT o.total, i.product_id "
    "FROM orders o JOIN order_items i ON i.order_id = o.id",
    "CREATE VIEW by_status AS SELECT status, SUM(total) AS total FROM orders GROUP BY status",
    "CREATE TABLE kept_orders AS SELECT * FROM orders",
    "CREATE TABLE kept_items AS SELECT * FROM order_items",
]


@pytest.fixture(scope="module")
def open_views(request: pytest.FixtureRequest) -> Iterator[object]:
    with ExitStack() as kept:
        yield opener("views", [*shop_statements(), *STATEMENTS], request, kept)


@pytest.fixture(params=ENGINES)
def views(request: pytest.FixtureRequest) -> SqlDatabase:
    database = request.getfixturevalue("open_views")(request.param, None)
    assert isinstance(database, SqlDatabase)
    return database


@pytest.mark.parametrize(
    ("draft", "repaired"),
    [
        (
            "SELECT SUM(v.total) FROM placed v JOIN order_items i ON i.order_id = v.id",
            "SELECT SUM(v.total) FROM placed v WHERE EXISTS "
            "(SELECT 1 FROM order_items i WHERE i.order_id = v.id)",
        ),
        (
            "SELECT SUM(o.total) FROM kept_orders o JOIN kept_items i ON i.order_id = o.id "
            "WHERE i.price > 50",
            "SELECT SUM(o.total) FROM kept_orders o WHERE EXISTS "
            "(SELECT 1 FROM kept_items i WHERE i.order_id = o.id AND i.price > 50)",
        ),
    ],
)
def test_a_column_that_measures_as_a_key_tells_rows_apart(
    draft: str, repaired: str, views: SqlDatabase
) -> None:
    verdict = Guard(views).check(draft)
    assert (verdict.outcome, verdict.query) == ("repaired", repaired)
    assert [finding.check for finding in verdict.findings] == ["fan_out"]


@pytest.mark.parametrize(
    ("draft", "severity"),
    [
        ("SELECT SUM(total) FROM sales", "fault"),
        ("SELECT s.status, SUM(s.total) FROM sales AS s WHERE s.price > 50 GROUP BY 1", "fault"),
        ("SELECT AVG(total) FROM sales", "doubt"),
        ("SELECT (SELECT SUM(total) FROM sales), COUNT(*) FROM customers", "fault"),
    ],
)
def test_a_view_that_repeats_rows_is_looked_through(
    draft: str, severity: str, views: SqlDatabase
) -> None:
    (finding,) = Guard(views).check(draft).findings
    assert (finding.check, finding.severity) == ("fan_out", severity)
    assert "takes rows of o again for each row of i in s" in finding.message
    start, end = finding.span
    assert "total" in draft[start:end]
    assert finding.evidence[0].answer


@pytest.mark.parametrize(
    "draft",
    [
        "SELECT SUM(price) FROM sales",
        "SELECT product_id, SUM(total) FROM sales GROUP BY product_id",
        "SELECT SUM(total) FROM sales WHERE product_id = 1",
        "SELECT SUM(total) FROM placed",
        "SELECT SUM(total) FROM by_status",
        "SELECT SUM(total) FROM totals WHERE product_id < 3",
        "SELECT SUM(i.price) FROM placed v JOIN kept_items i ON i.order_id = v.id",
        "SELECT SUM(i.price) FROM kept_orders o JOIN kept_items i ON i.order_id = o.id",
    ],
)
def test_a_sum_that_is_right_or_cannot_be_judged_is_left_alone(
    draft: str, views: SqlDatabase
) -> None:
    verdict = Guard(views).check(draft)
    assert (verdict.outcome, verdict.query, verdict.findings) == ("admitted", draft, ())
