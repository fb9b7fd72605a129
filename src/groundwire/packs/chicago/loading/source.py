"""The file that is loaded: checked before anything is written, then read piece by piece."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from groundwire.errors import StorageError, UsageError
from groundwire.packs.chicago.loading.records import LINES_OF_A_FIELD, Record, split_records
from groundwire.packs.chicago.loading.schema import PORTAL_NAMES

__all__ = ["Piece", "Source", "open_source"]

# DuckDB keeps rows in groups of this size: a piece that fills one is written once and for all.
PIECE_LINES = 122_880
_MOST_BYTES = 64 << 20
_SAMPLE = 1 << 16
_LONGEST_HEADER = 1 << 16


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines of the file. `next_byte` is where the following piece begins.

    Only a line of more than 64 MB, which is no record anyway, is cut into several.
    """

    data: bytes
    first_line: int
    lines: int
    next_byte: int


@dataclass(frozen=True, slots=True)
class Source:
    """An export of the portal.

    `columns` has for each field of a line the column of CRIMES that it fills, or "" for a column
    that is none of the 22. `size` counts uncompressed bytes. `fingerprint` is the same as long as
    the file has not been changed.
    """

    path: Path
    columns: tuple[str, ...]
    ignored: tuple[str, ...]
    first_byte: int
    size: int
    fingerprint: str

    def pieces(self, next_byte: int, next_line: int) -> Iterator[Piece]:
        """The lines from a place on, in pieces of some 30 MB.

        Raises:
            StorageError: the file can no longer be read.
        """
        with _reading(self.path), _open(self.path) as stream:
            stream.seek(next_byte)
            while lines := _read_piece(stream):
                data = b"".join(lines)
                next_byte += len(data)
                yield Piece(data, next_line, len(lines), next_byte)
                next_line += len(lines)


def open_source(path: Path) -> Source:
    """Check the file and its header.

    A compressed file is read to its end once, so that one that is cut or damaged is found before
    anything is written.

    Raises:
        UsageError: no file, empty, binary, damaged, or not the portal's header.
        StorageError: the file cannot be read.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name the CSV file in it.")
    if not path.exists():
        raise UsageError(f"There is no file {path}.", hint="Check the path.")
    if not path.is_file():
        raise UsageError(f"{path} is no ordinary file.", hint="Save the export to a file first.")
    with _reading(path), _open(path) as stream:
        header = stream.readline(_LONGEST_HEADER)
        columns, ignored = _read_header(path, header)
        size = _size(path, stream, len(header))
    return Source(path, columns, ignored, len(header), size, _fingerprint(path))


def _read_piece(stream: IO[bytes]) -> list[bytes]:
    """The next lines, to the end of a record: with an odd number of quotes it has not ended."""
    lines: list[bytes] = []
    size = quotes = 0
    while size < _MOST_BYTES and (
        len(lines) < PIECE_LINES or (quotes % 2 and len(lines) < PIECE_LINES + LINES_OF_A_FIELD)
    ):
        line = stream.readline(_MOST_BYTES)
        if not line:
            break
        lines.append(line)
        size += len(line)
        quotes += line.count(b'"')
    return lines


def _size(path: Path, stream: IO[bytes], header: int) -> int:
    if not _compressed(path):
        return path.stat().st_size
    size = header
    while block := stream.read(1 << 20):
        size += len(block)
    return size


def _read_header(path: Path, line: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not line.strip():
        raise UsageError(f"{path} is empty.", hint="Download the export again.")
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise UsageError(f"{path} is not a text file.", hint=_EXPECTED)
    record = next(split_records([text.rstrip("\r\n").encode()], 1, text.count(",") + 1), None)
    names = record.fields if isinstance(record, Record) else []
    plain = [" ".join(name.replace("_", " ").lower().split()) for name in names]
    missing = [name for name in PORTAL_NAMES if name not in plain]
    if missing:
        raise UsageError(
            f"{path} has not the portal's header: {', '.join(missing[:5])}"
            f"{' and others are' if len(missing) > 5 else ' is' if len(missing) == 1 else ' are'}"
            " missing in its first line.",
            hint=_EXPECTED,
        )
    doubled = [name for name in PORTAL_NAMES if plain.count(name) > 1]
    if doubled:
        raise UsageError(f"{path} has the column {doubled[0]} twice.", hint=_EXPECTED)
    columns = tuple(PORTAL_NAMES.get(name, "") for name in plain)
    return columns, tuple(n for n, column in zip(names, columns, strict=True) if not column)


_EXPECTED = (
    'It must be the CSV export of "Crimes - 2001 to Present" from the City of Chicago data portal, '
    "as it comes or compressed with gzip."
)


def _fingerprint(path: Path) -> str:
    status = path.stat()
    digest = hashlib.sha256(f"{status.st_size} {status.st_mtime_ns}".encode())
    with path.open("rb") as stream:
        digest.update(stream.read(_SAMPLE))
        stream.seek(max(0, status.st_size - _SAMPLE))
        digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()


def _compressed(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def _open(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if _compressed(path) else path.open("rb")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UsageError(
            f"{path} is damaged or ends too early: {error}.", hint="Download the export again."
        ) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error}.", hint="Check its rights.") from error
