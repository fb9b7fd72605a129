"""A doubt may offer the person the query that was perhaps meant; the draft is run all the same."""

from __future__ import annotations

from groundwire.database import SqlDatabase
from groundwire.guard import Guard


def test_a_slip_in_a_short_text_offers_the_stored_value(shop: SqlDatabase) -> None:
    draft = "SELECT count(*) FROM customers WHERE city = 'Beriln' AND id > 0"
    verdict = Guard(shop).check(draft)
    assert verdict.outcome == "admitted"
    assert verdict.query == draft
    assert [choice.label for choice in verdict.choices] == ["customers.city is 'Berlin'"]
    assert verdict.choices[0].query == draft.replace("Beriln", "Berlin")
    assert verdict.findings[0].message == "No customers.city is 'Beriln'; nearest is 'Berlin'."
