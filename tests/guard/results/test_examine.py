"""What a result shows to be odd is said beside it."""

from __future__ import annotations

import pytest

from groundwire.database import SqlDatabase
from groundwire.guard.results import examine


def said(text: str, shop: SqlDatabase) -> list[str]:
    findings, _ = examine(text, shop.execute(text), shop)
    for finding in findings:
        assert finding.severity == "note"
        assert finding.evidence
    return [f"{finding.check}: {finding.message}" for finding in findings]


def test_the_condition_that_leaves_nothing_is_named(shop: SqlDatabase) -> None:
    (sentence,) = said("SELECT id FROM orders WHERE status = 'paid' AND total > 9000", shop)
    assert "`total > 9000`" in sentence
    assert "without it there would be 3 rows" in sentence
    assert "orders.total go from 40 to 380" in sentence


def test_a_period_outside_the_data_is_told_with_the_period_of_the_data(shop: SqlDatabase) -> None:
    (sentence,) = said("SELECT count(*) FROM orders WHERE ordered_at >= '2030-01-01'", shop)
    assert "go from 2020-01-10" in sentence
    assert "to 2021-08-01" in sentence


@pytest.mark.parametrize(
    "text",
    [
        "SELECT sum(total) FROM orders WHERE status = 'nowhere'",
        "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.city = 'Rome'",
        "WITH o AS (SELECT * FROM orders) SELECT id FROM o WHERE total > 380 AND id > 0",
    ],
)
def test_nothing_found_is_explained_in_every_shape(text: str, shop: SqlDatabase) -> None:
    assert said(text, shop)[0].startswith("emptied_by: No row is left because of")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT id FROM orders",
        "SELECT count(*) FROM orders WHERE status = 'paid'",
        "SELECT status, count(*) FROM orders GROUP BY status",
        "SELECT name, count(*) FROM products GROUP BY name",
        "SELECT id, name FROM customers GROUP BY id, name",
        "SELECT name FROM products GROUP BY id, name",
    ],
)
def test_an_ordinary_result_needs_no_word(text: str, shop: SqlDatabase) -> None:
    assert said(text, shop) == []


def test_rows_that_read_alike_for_a_hidden_key_are_pointed_out(shop: SqlDatabase) -> None:
    (sentence,) = said("SELECT name, count(*) FROM customers GROUP BY id, name", shop)
    assert "2 rows share what they show with another one, Ann Lee for example" in sentence
