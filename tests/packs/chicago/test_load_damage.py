"""Damaged files: whatever is done to the bytes of an export, every line is accounted for."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.packs.chicago import LoadReport, generate, load
from groundwire.packs.chicago.loading.cleaning import Counts, clean_piece
from groundwire.packs.chicago.loading.records import BLANK, Record, split_records
from groundwire.packs.chicago.loading.schema import COLUMNS
from groundwire.packs.chicago.loading.source import Piece
from tests.examples import examples
from tests.packs.chicago.conftest import query

# A piece of text that is put in, at a place given as a fraction of the line.
INSERTS = st.sampled_from(
    [
        b'"',
        b'""',
        b",",
        b",,",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff",
        b"'",
        b"\\",
        b"\xc3\xa9",
        b" ",
    ]
)
PLACES = st.floats(0, 1)
DAMAGE = st.one_of(
    st.tuples(st.just("insert"), PLACES, INSERTS),
    st.tuples(st.just("cut"), PLACES, st.just(b"")),
    st.tuples(st.just("drop"), PLACES, st.just(b"")),
    st.tuples(st.just("double"), PLACES, st.just(b"")),
)


def damaged(line: bytes, kind: str, place: float, text: bytes) -> bytes:
    at = int(place * len(line))
    match kind:
        case "insert":
            return line[:at] + text + line[at:]
        case "cut":
            return line[:at]
        case "drop":
            return line[:at] + line[at + 1 :]
        case _:
            return line + b"\n" + line


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """A header and thirty good lines."""
    path = tmp_path_factory.mktemp("damage") / "crimes.csv"
    generate(30, 3, path, today=date(2026, 11, 30))
    return path.read_bytes().splitlines()


@dataclass(frozen=True)
class Cleaned:
    """What the work tables hold of a file, before any database is involved."""

    counts: Counts
    incoming: list[tuple[object, ...]]
    changed: list[tuple[object, ...]]
    refused: list[tuple[object, ...]]


def cleaned(data: bytes) -> Cleaned:
    import duckdb

    piece = Piece(data, 2, data.count(b"\n"), len(data))
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as engine:
        counts = clean_piece(engine, piece, tuple(COLUMNS), Path(folder) / "piece.csv")
        rows = {
            name: engine.execute(f"FROM {name} ORDER BY ALL").fetchall()
            for name in ("incoming", "changed", "refused")
        }
        return Cleaned(counts, **rows)


def loaded(data: bytes) -> tuple[LoadReport, list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The report, the IDs in CRIMES and the lines put aside."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crimes.csv"
        path.write_bytes(data)
        url = f"duckdb:///{folder}/crimes.duckdb"
        report = load(path, url)
        crimes = query(url, "SELECT ID, BLOCK, DESCRIPTION FROM CRIMES ORDER BY ID")
        rejected = query(
            url, "SELECT LINE, REASON, ORIGINAL FROM CHICAGO_LOAD.REJECTED ORDER BY LINE"
        )
        return report, crimes, rejected


@examples(4, 30)
@given(damages=st.lists(st.tuples(st.integers(1, 30), DAMAGE), max_size=8))
def test_every_line_is_accounted_for(
    lines: list[bytes], damages: list[tuple[int, tuple[str, float, bytes]]]
) -> None:
    broken = list(lines)
    for index, damage in damages:
        broken[index] = damaged(broken[index], *damage)
    data = b"\n".join(broken) + b"\n"
    report, crimes, rejected = loaded(data)

    physical = data.replace(b"\r\n", b"\n").split(b"\n")[1:-1]
    expected = list(split_records(physical, 2, 22))
    blank = sum(not isinstance(f, Record) and f.reason == BLANK for f in expected)
    assert report.blank_lines == blank
    assert report.lines == len(expected) - blank
    assert report.lines == (
        report.inserted + report.already_there + report.updated + report.duplicates
        + report.rejected_lines
    )  # fmt: skip
    assert len(crimes) == report.inserted
    assert len(rejected) == report.rejected_lines
    for line, _, original in rejected:
        assert isinstance(line, int)
        stands = physical[line - 2].decode("utf-8", "backslashreplace").replace("\0", "\\x00")
        assert str(original).split("\n")[0] == stands


@examples(6, 40)
@given(index=st.integers(1, 30), damage=DAMAGE)
def test_a_damaged_line_harms_no_other(
    lines: list[bytes], index: int, damage: tuple[str, float, bytes]
) -> None:
    broken = list(lines)
    broken[index] = damaged(broken[index], *damage)
    found = cleaned(b"\n".join(broken[1:]) + b"\n")
    others = {int(line.split(b",")[0]) for n, line in enumerate(lines) if n not in (0, index)}
    assert others <= {row[0] for row in found.incoming}


@examples(6, 40)
@given(index=st.integers(1, 30), damage=DAMAGE)
def test_both_ways_of_reading_agree(
    lines: list[bytes], index: int, damage: tuple[str, float, bytes]
) -> None:
    """A blank line sends the whole piece through our own splitter, and must change nothing else."""
    broken = list(lines)
    broken[index] = damaged(broken[index], *damage)
    data = b"\n".join(broken[1:]) + b"\n"
    found, slow = cleaned(data), cleaned(data + b"\n")
    assert slow.counts == replace(found.counts, blank=found.counts.blank + 1)
    assert (slow.incoming, slow.changed, slow.refused) == (
        found.incoming,
        found.changed,
        found.refused,
    )


@examples(4, 30)
@given(st.binary(max_size=400))
def test_any_bytes_after_a_header_are_accounted_for(tail: bytes) -> None:
    header = b"ID,Case Number,Date,Block,IUCR,Primary Type,Description,Location Description,"
    header += b"Arrest,Domestic,Beat,District,Ward,Community Area,FBI Code,X Coordinate,"
    header += b"Y Coordinate,Year,Updated On,Latitude,Longitude,Location\n"
    report, crimes, rejected = loaded(header + tail)
    assert report.lines == report.inserted + report.duplicates + report.rejected_lines
    assert (len(crimes), len(rejected)) == (report.inserted, report.rejected_lines)
