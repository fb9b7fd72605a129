"""Tokens: their kinds, values and places."""

from __future__ import annotations

import pytest

from groundwire.query.cypher.tokens import integer_value, name_value, string_value, tokenize


def kinds(text: str) -> list[str]:
    tokens = tokenize(text)
    return tokens.kinds[: tokens.kinds.index("EOF")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Match (n)", ["MATCH", "(", "NAME", ")"]),
        ("1..3", ["INTEGER", "..", "INTEGER"]),
        ("1.5 .5 1e3 0x1F", ["FLOAT", "FLOAT", "FLOAT", "INTEGER"]),
        ("a.b", ["NAME", ".", "NAME"]),
        ("`a``b`", ["QUOTED"]),
        ("'a' \"b\" 'c\\''", ["STRING", "STRING", "STRING"]),
        ("'never closed", ["UNCLOSED"]),
        ("<= <> => =~ += :: || |", ["<=", "<>", "=", ">", "=~", "+=", "::", "||", "|"]),
        ("a /* b */ // c\n d", ["NAME", "NAME"]),
        ("größe", ["NAME"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_tokens(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_values_of_strings_names_and_numbers() -> None:
    assert string_value("'a\\'b\\tc\\q'") == "a'b\tcq"
    assert name_value("`a``b`") == "a`b"
    assert [integer_value(text) for text in ("0", "1_0", "0xf", "0o17", "017", "1a")] == [
        0,
        10,
        15,
        15,
        None,
        None,
    ]


def test_places_are_those_of_the_text_with_its_escapes() -> None:
    tokens = tokenize("a \\u0062 c")
    assert tokens.texts[:3] == ["a", "b", "c"]
    assert [(tokens.starts[i], tokens.ends[i]) for i in range(3)] == [(0, 1), (2, 8), (9, 10)]
