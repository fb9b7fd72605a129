"""What the words of a question ask for."""

from __future__ import annotations

import pytest

from groundwire.guard.stored_text import folded
from groundwire.guard.wording import (
    asks_for_entities,
    asks_for_share,
    asks_for_some,
    asks_superlative,
)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the oldest?",
        "the latest film",
        "Top films",
        "Which has the most roles?",
        "What language is predominantly spoken in Aruba?",
        "What is it mainly used for?",
        "Where are they mostly, chiefly, largely or primarily sold?",
        "the leading actor",
        "Who leads the table?",
        "the number one film",
        "the #1 film",
        "a best-selling film",
        "the record price",
        "the topmost shelf",
        "Which film is longer than any other?",
    ],
)
def test_a_superlative_ranks(question: str) -> None:
    assert asks_superlative(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who lives in the west forest?",
        "Which arrest was made?",
        "the requests of all priests",
        "almost all modest guests of the midwest",
        "List the leads and the winners",
    ],
)
def test_a_word_that_only_ends_like_one_does_not_rank(question: str) -> None:
    assert not asks_superlative(question)


@pytest.mark.parametrize(
    "question", ["Give me 5 films", "some films", "an example", "Name a film", "three towns"]
)
def test_a_number_or_some_asks_for_a_part(question: str) -> None:
    assert asks_for_some(question)


@pytest.mark.parametrize("question", ["Which films are there?", "Give me a list of films"])
def test_a_plain_question_asks_for_all(question: str) -> None:
    assert not asks_for_some(question)


@pytest.mark.parametrize("question", ["what percentage", "films per person", "% of towns"])
def test_a_share_is_asked_for(question: str) -> None:
    assert asks_for_share(question)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How many people acted?", "Person"),
        ("How many different movies did she make?", "Movie"),
        ("the number of unique phone calls", "PhoneCall"),
        ("How many countries border it?", "Country"),
        ("How many individuals own a phone?", "Person"),
        ("How many distinct conservation statuses are there?", "ConservationStatus"),
        ("How many taxa live in wetlands?", "Taxon"),
        ("How many addresses are known?", "Address"),
        ("How many of those clubs has each player?", "Club"),
        ("How many sales orders came in?", "SalesOrder"),
        ("How many sports teams are there?", "Team"),
        ("How many species does it feed on?", "Species"),
    ],
)
def test_entities_of_a_label_are_counted(question: str, label: str) -> None:
    assert asks_for_entities(question, label)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How many roles in movies are there?", "Movie"),
        ("How many crimes did each officer solve?", "Officer"),
        ("Which movies are there?", "Movie"),
        ("How many places experienced crimes?", "Crime"),
        ("How many individuals own a phone?", "Phone"),
        ("How many crimes involved vehicles?", "Vehicle"),
        ("How many vehicle-related crimes occurred?", "Vehicle"),
        ("the number of movies actors appeared in", "Actor"),
    ],
)
def test_what_a_question_only_mentions_is_not_counted(question: str, label: str) -> None:
    assert not asks_for_entities(question, label)


def test_folding_takes_away_case_accents_blanks_and_punctuation() -> None:
    assert folded("São-Rio ") == folded("SAO RIO") == "saorio"
