"""Splitting lines into records: every line has one fate, and a bad one harms no neighbour."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.packs.chicago.loading.records import Record, Reject, split_records


def split(text: str | bytes, width: int = 3) -> list[Record | Reject]:
    data = text.encode() if isinstance(text, str) else text
    return list(split_records(data.split(b"\n"), 1, width))


def fates(text: str | bytes) -> list[list[str] | str]:
    return [f.fields if isinstance(f, Record) else f.reason for f in split(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,a,b", [["1", "a", "b"]]),
        ("1,,", [["1", "", ""]]),
        ('1,"a,b",c', [["1", "a,b", "c"]]),
        ('1,"say ""so""",c', [["1", 'say "so"', "c"]]),
        ('1,a"b,c', [["1", 'a"b', "c"]]),
        ('1, "a,b" ,c', [["1", "a,b", "c"]]),
        ('1, a "b" ,c', [["1", ' a "b" ', "c"]]),
        ('1,"",c', [["1", "", "c"]]),
        ('"1","2","3"', [["1", "2", "3"]]),
        ('1,2,"3"', [["1", "2", "3"]]),
        ("1,2,", [["1", "2", ""]]),
        ("1,2", ["too few fields"]),
        ("1,2,3,4", ["too many fields"]),
        ("x", ["too few fields"]),
        ('1,"a"b,c', ["text after a closing quote"]),
        ('1,"a,b', ["quote never closed"]),
        ("1,a\0b,c", ["NUL byte"]),
        ("1,a\rb,c", ["carriage return inside the line"]),
        (b"1,\xff,c", ["not UTF-8"]),
        ("1,a,b\n\n2,c,d", [["1", "a", "b"], "blank line", ["2", "c", "d"]]),
        ('1,"a\nb",c\n2,d,e', [["1", "a\nb", "c"], ["2", "d", "e"]]),
        ('1,"a\n\nb",c', [["1", "a\n\nb", "c"]]),
    ],
)
def test_lines_become_records(text: str | bytes, expected: list[list[str] | str]) -> None:
    assert fates(text) == expected


def test_an_open_quote_swallows_no_good_line() -> None:
    assert fates('1,"a,b\n2,c,d\n3,"e",f') == [
        "quote never closed",
        ["2", "c", "d"],
        ["3", "e", "f"],
    ]


def test_a_record_over_several_lines_has_its_first_line_and_its_span() -> None:
    first, second = split('1,"a\nb\nc",d\n2,e,f')
    assert isinstance(first, Record)
    assert (first.line, first.span) == (1, 3)
    assert second.line == 4


def test_what_is_no_text_is_kept_as_escapes() -> None:
    (bad,) = split(b"1,\xff\xfe,c")
    assert isinstance(bad, Reject)
    assert bad.original == "1,\\xff\\xfe,c"
    (nul,) = split(b"1,\0,c")
    assert isinstance(nul, Reject)
    assert nul.original == "1,\\x00,c"


def test_an_endless_line_is_cut_in_the_record_of_it() -> None:
    (bad,) = split("x" * 2_000_000)
    assert isinstance(bad, Reject)
    assert bad.reason.startswith("line longer than")
    assert bad.original.endswith("… (2,000,000 bytes)")
    assert len(bad.original) < 3_000


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_what_a_writer_of_csv_writes_is_read_back(rows: list[list[str]]) -> None:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    found = split(written.getvalue().removesuffix("\n"))
    # A line break in a cell may make a part of its record look like a record of its own.
    if all("\n" not in cell for row in rows for cell in row):
        assert [f.fields for f in found if isinstance(f, Record)] == rows


@given(st.lists(st.text('1,"x \n\r\0é', max_size=12).map(str.encode) | st.binary(max_size=8)))
def test_every_line_has_exactly_one_fate(parts: list[bytes]) -> None:
    lines = b"\n".join(parts).split(b"\n")
    covered: list[int] = []
    for found in split_records(lines, 1, 3):
        span = found.span if isinstance(found, Record) else 1
        covered += range(found.line, found.line + span)
        if isinstance(found, Record):
            assert len(found.fields) == 3
    assert covered == list(range(1, len(lines) + 1))
