"""Lines into records, one careful line after the other.

The fast way of a load is DuckDB's own reader; a piece of the file that it does not take whole comes
here, where each bad line is told from its good neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["BLANK", "LINES_OF_A_FIELD", "Record", "Reject", "split_records"]

BLANK = "blank line"
LINES_OF_A_FIELD = 20
"""A quoted field goes over at most so many lines."""
_LONGEST_LINE = 1 << 20
_KEPT_OF_LONG_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Record:
    """One well-formed record, on `span` physical lines from `line` on."""

    line: int
    fields: list[str]
    span: int = 1


@dataclass(frozen=True, slots=True)
class Reject:
    """A physical line that is no record. `original` holds what is not text as `\\xNN` escapes."""

    line: int
    reason: str
    original: str


def split_records(lines: list[bytes], first_line: int, width: int) -> Iterator[Record | Reject]:
    """Every line of `lines` once: in a record of `width` fields, or rejected.

    Fields are separated by commas and may be quoted as RFC 4180 says, with blanks around the
    quotes. A quoted field may hold line breaks; but a line that is a record by itself is never
    swallowed by an open quote before it.

    Args:
        lines: without their line ends.
        first_line: the number of the first of them in its file.
    """
    index = 0
    while index < len(lines):
        found, taken = _read_one(lines, index, first_line + index, width)
        yield found
        index += taken


def _read_one(
    lines: list[bytes], index: int, number: int, width: int
) -> tuple[Record | Reject, int]:
    line = lines[index]
    if not line.strip():
        return Reject(number, BLANK, ""), 1
    problem = _bytes_problem(line)
    if problem:
        return Reject(number, problem, _printable(line)), 1
    text = line.decode("utf-8")
    fields, state = _split(text)
    if state == "open":
        return _read_continued(lines, index, number, width)
    problem = state or _width_problem(fields, width)
    if problem:
        return Reject(number, problem, text), 1
    return Record(number, fields), 1


def _read_continued(
    lines: list[bytes], index: int, number: int, width: int
) -> tuple[Record | Reject, int]:
    """A record whose quoted field goes on in the following lines, else a reject of its first."""
    text = lines[index].decode("utf-8")
    joined = text
    for taken in range(2, LINES_OF_A_FIELD + 1):
        if index + taken > len(lines):
            break
        following = lines[index + taken - 1]
        if _bytes_problem(following) or _is_record(following, width):
            break
        joined += "\n" + following.decode("utf-8")
        fields, state = _split(joined)
        if not state and len(fields) == width:
            return Record(number, fields, taken), taken
        if state != "open":
            break
    return Reject(number, "quote never closed", text), 1


def _is_record(line: bytes, width: int) -> bool:
    fields, state = _split(line.decode("utf-8"))
    return not state and len(fields) == width


def _bytes_problem(line: bytes) -> str:
    if len(line) > _LONGEST_LINE:
        return f"line longer than {_LONGEST_LINE:,} bytes"
    if b"\0" in line:
        return "NUL byte"
    if b"\r" in line:
        return "carriage return inside the line"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return "not UTF-8"
    return ""


def _width_problem(fields: list[str], width: int) -> str:
    if len(fields) == width:
        return ""
    return "too few fields" if len(fields) < width else "too many fields"


def _split(text: str) -> tuple[list[str], str]:
    """The fields, and "" or what is wrong: `open` for a quote that is not closed yet."""
    if '"' not in text:
        return text.split(","), ""
    fields: list[str] = []
    at = 0
    while True:
        opening = _past_blanks(text, at)
        if text.startswith('"', opening):
            end = _closing_quote(text, opening + 1)
            if end < 0:
                return fields, "open"
            fields.append(text[opening + 1 : end].replace('""', '"'))
            at = _past_blanks(text, end + 1)
            if at < len(text) and text[at] != ",":
                return fields, "text after a closing quote"
        else:
            end = text.find(",", at)
            end = len(text) if end < 0 else end
            fields.append(text[at:end])
            at = end
        if at >= len(text):
            return fields, ""
        at += 1


def _past_blanks(text: str, at: int) -> int:
    while text.startswith(" ", at):
        at += 1
    return at


def _closing_quote(text: str, start: int) -> int:
    end = text.find('"', start)
    while end >= 0 and text.startswith('""', end):
        end = text.find('"', end + 2)
    return end


def _printable(line: bytes) -> str:
    text = line[:_KEPT_OF_LONG_LINE] if len(line) > _LONGEST_LINE else line
    kept = text.decode("utf-8", "backslashreplace").replace("\0", "\\x00")
    return kept + (f"… ({len(line):,} bytes)" if len(line) > _LONGEST_LINE else "")
