"""Reciprocity: exact below a size, above it a sample with an interval that says how sure it is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.graph_catalog import Reciprocity
from groundwire.database.graph_reciprocity import EXACT, SAMPLE, measure, wilson


def answering(measured: int, backwards: int) -> tuple[Any, list[str]]:
    asked: list[str] = []

    def ask(statement: str, parameters: object = None) -> list[tuple[Any, ...]]:
        asked.append(statement)
        return [(measured, backwards)]

    return ask, asked


@given(st.integers(1, 100_000), st.data())
def test_the_interval_holds_the_fraction_and_lies_between_0_and_1(trials, data):
    hits = data.draw(st.integers(0, trials))
    low, high = wilson(hits, trials)
    assert 0 <= low <= hits / trials <= high <= 1


@given(st.integers(0, 100))
def test_more_trials_make_it_narrower(percent):
    few, many = wilson(percent, 100), wilson(percent * 100, 10_000)
    assert many[1] - many[0] < few[1] - few[0]


def test_known_values_of_the_interval():
    # Newcombe 1998, table I, method 3: 81 of 263
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_interval_covers_the_truth_95_times_in_100():
    generator, truth, runs = random.Random(5), 0.9, 400
    covered = 0
    for _ in range(runs):
        hits = sum(generator.random() < truth for _ in range(300))
        low, high = wilson(hits, 300)
        covered += low <= truth <= high
    assert 0.92 < covered / runs < 0.98


def test_few_relationships_are_all_looked_at():
    ask, asked = answering(100, 95)
    found = measure(ask, "Person", "KNOWS", EXACT, lazy_limit=True)
    assert found.exact
    assert (found.fraction, found.low, found.high, found.total) == (0.95, 0.95, 0.95, 100)
    assert "rand()" not in asked[0]
    assert found.statement == asked[0]


@pytest.mark.parametrize("lazy_limit", [True, False])
def test_many_are_sampled_unless_all_are_wanted(lazy_limit):
    ask, asked = answering(SAMPLE, SAMPLE * 9 // 10)
    found = measure(ask, "Person", "KNOWS", 1_000_000, lazy_limit=lazy_limit)
    assert not found.exact
    assert found.low < 0.9 < found.high
    assert found.total == 1_000_000
    assert "rand() < 0.01000000" in asked[0]
    assert ("LIMIT" in asked[0]) == lazy_limit
    assert found.straddles(0.9)
    assert not found.straddles(0.5)
    assert "95 % interval" in found.sentence
    whole = measure(ask, "Person", "KNOWS", 1_000_000, lazy_limit=lazy_limit, exact=True)
    assert whole.exact
    assert "rand()" not in asked[1]


def test_no_relationship_is_no_division():
    ask, _ = answering(0, 0)
    assert measure(ask, "A", "T", 0, lazy_limit=True).fraction == 0


def test_names_are_quoted():
    ask, asked = answering(1, 1)
    measure(ask, "Odd`Label", "LIVES IN", 1, lazy_limit=True)
    assert "(a:`Odd``Label`)-[:`LIVES IN`]->" in asked[0]


def test_an_exact_fraction_never_straddles():
    found = Reciprocity("A", "T", 10, 10, 9, 0.9, 0.9, True, "", 0.0)
    assert not found.straddles(0.9)
