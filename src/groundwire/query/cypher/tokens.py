"""Cypher text to tokens, in one pass of one regular expression.

Neo4j replaces `\\uXXXX` before it reads tokens, so an escape can end a string, a comment or a
back-ticked name. The same happens here; the offsets of the tokens still count characters of the
original text.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["KEYWORDS", "NAMES", "Tokens", "integer_value", "name_value", "string_value", "tokenize"]

_KEYWORDS = """
    ALL ALTER AND ANY AS ASC ASCENDING BINDINGS BOTH BY CALL CASE COLLECT CONCURRENT CONTAINS COUNT
    CREATE CSV DEALLOCATE DELETE DENY DESC DESCENDING DETACH DIFFERENT DISTINCT DROP DRYRUN ELEMENT
    ELEMENTS ELSE ENABLE END ENDS ERROR EXISTS EXPLAIN FALSE FIELDTERMINATOR FILTER FINISH FOREACH
    FROM GRANT GROUP GROUPS HEADERS IN INDEX INF INFINITY INSERT IS JOIN LEADING LET LIMIT LOAD
    MATCH MERGE NAN NFC NFD NFKC NFKD NODETACH NONE NORMALIZED NOT NULL OF OFFSET ON
    OPTIONAL OR ORDER PATH PATHS POINT PROFILE RANGE REALLOCATE REDUCE RELATIONSHIP RELATIONSHIPS
    REMOVE RENAME REPEATABLE REPORT RETURN REVOKE ROW ROWS SCAN SEEK SET SHORTEST SHORTESTPATH
    ALLSHORTESTPATHS SHOW SINGLE SKIP START STARTS STATUS STOP TERMINATE TEXT THEN TRAILING
    TRANSACTIONS TRIM TRUE TYPED UNION UNWIND USE USING WHEN WHERE WITH XOR YIELD
"""
KEYWORDS: Final = frozenset(_KEYWORDS.split())
"""The words that the parser looks for. None is reserved: each can also be a name."""

NAMES: Final = KEYWORDS | {"NAME", "QUOTED"}
"""Kinds of the tokens that can be a name."""

_GAP = r"(?:\s++|//[^\n\r]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+"
# Java's identifier parts that Python's \w does not count: `$` (within a name), currency signs,
# soft hyphen and control characters.
_PART = r"[\w$¢-¥\xad\x00-\x08\x0e-\x1b\x7f-\x9f]"
_TOKEN: Final = re.compile(
    rf"""(
      [^\W\d]{_PART}*+
    | [()\[\]{{}},:;] (?<!:) | \. (?![.\d]) | ::? | \|\|? | <[=>]? | >=? | =~? | \.\.
    | '(?:[^'\\]++|\\.)*+'?
    | "(?:[^"\\]++|\\.)*+"?
    | \d[\d_]*+\.\d[\d_]*+(?:[eE][+-]?\d++)?{_PART}*+
    | \.\d[\d_]*+(?:[eE][+-]?\d++)?{_PART}*+
    | \d[\d_]*+[eE][+-]?\d++{_PART}*+
    | \d{_PART}*+
    | `(?:[^`]++|``)*+`
    | \+=? | !=?
    | /\*.*
    | .
    )({_GAP})""",
    re.VERBOSE | re.DOTALL,
)
_LEADING_GAP: Final = re.compile(_GAP)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})?|.)", re.DOTALL)
_CLOSED: Final = {
    "'": re.compile(r"'(?:[^'\\]++|\\.)*+'", re.DOTALL),
    '"': re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL),
}

# How far the parser looks ahead without asking for the end.
_LOOKAHEAD: Final = 8

_PUNCTUATION = "( ) [ ] { } , : ; . :: | || < <= <> > >= = =~ .. + += - * / % ^ ! != & $"
_KIND_OF: Final[dict[str, str]] = {
    **{sign: sign for sign in _PUNCTUATION.split()},
    **{form: word for word in KEYWORDS for form in (word, word.lower(), word.capitalize())},
    **dict.fromkeys("⟨〈﹤＜", "<"),
    **dict.fromkeys("⟩〉﹥＞", ">"),
    **dict.fromkeys("\xad‐‑‒–—―﹘﹣－", "-"),
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Parallel lists, one entry a token; the last tokens are of the kind `EOF` and empty.

    `kinds[i]` is a punctuation sign, a keyword in capitals, or one of `NAME QUOTED STRING INTEGER
    FLOAT UNCLOSED EOF`. `bad_escape` is the offset of the first `\\u` that four hexadecimal digits
    do not follow, else None.
    """

    kinds: list[str]
    texts: list[str]
    starts: Sequence[int]
    ends: Sequence[int]
    bad_escape: int | None = None


def tokenize(text: str) -> Tokens:
    """The tokens of a text; comments and white space are left out. Every text has tokens."""
    if "\\u" in text:
        return _tokenize_escaped(text)
    return _tokenize(text)


def _tokenize(text: str) -> Tokens:
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    leading = _LEADING_GAP.match(text)
    position = leading.end() if leading else 0
    kind_of = _KIND_OF.get
    for token, gap in _TOKEN.findall(text, position):
        kinds.append(kind_of(token) or _classify(token))
        texts.append(token)
        starts.append(position)
        position += len(token)
        ends.append(position)
        position += len(gap)
    if kinds and kinds[-1] == "STRING" and not _CLOSED[texts[-1][0]].fullmatch(texts[-1]):
        kinds[-1] = "UNCLOSED"
    kinds += ["EOF"] * _LOOKAHEAD
    texts += [""] * _LOOKAHEAD
    starts += [len(text)] * _LOOKAHEAD
    ends += [len(text)] * _LOOKAHEAD
    return Tokens(kinds, texts, starts, ends)


def _tokenize_escaped(text: str) -> Tokens:
    """As `_tokenize`, on the text with `\\uXXXX` replaced; offsets are those of the original."""
    pieces: list[str] = []
    origin = array("Q")  # origin[i]: where character i of the decoded text starts in the original
    bad_escape = None
    position = 0
    for match in _ESCAPE.finditer(text):
        if not text.startswith("u", match.start() + 1):
            continue  # `\\` and the like: the second character starts no escape
        if match[1] is None:
            bad_escape = match.start() if bad_escape is None else bad_escape
            continue
        pieces += [text[position : match.start()], chr(int(match[1], 16))]
        origin.extend(range(position, match.start() + 1))
        position = match.end()
    pieces.append(text[position:])
    origin.extend(range(position, len(text) + 1))
    tokens = _tokenize("".join(pieces))
    return Tokens(
        tokens.kinds,
        tokens.texts,
        [origin[start] for start in tokens.starts],
        [origin[end] for end in tokens.ends],
        bad_escape,
    )


def _classify(token: str) -> str:
    """The kind of a token that is neither a sign nor a common spelling of a keyword."""
    first = token[0]
    if first == "_" or first.isalpha():
        upper = token.upper()
        return upper if upper in KEYWORDS else "NAME"
    if first in "'\"":
        return "STRING"
    if first.isdigit() or (first == "." and len(token) > 1):
        return "FLOAT" if _is_float(token) else "INTEGER"
    if first == "`":
        return "QUOTED" if len(token) > 1 else "UNCLOSED"
    if first == "/":
        return "UNCLOSED"
    return "NAME" if first.isidentifier() else first


def _is_float(token: str) -> bool:
    return "." in token or ("e" in token.lower() and token[:2].lower() != "0x")


_SIMPLE_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_STRING_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)


def string_value(token: str) -> str:
    """The value of a string token: quotes taken off, escapes replaced."""
    body = token[1:-1]
    if "\\" not in body:
        return body
    return _STRING_ESCAPE.sub(lambda match: _SIMPLE_ESCAPES.get(match[1], match[1]), body)


def name_value(token: str) -> str:
    """The name that a word or a back-ticked token stands for."""
    return token[1:-1].replace("``", "`") if token[0] == "`" else token


_INTEGER: Final = re.compile(r"0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0|[1-9](?:_?\d)*")
_FLOAT: Final = re.compile(r"(?:\d(?:_?\d)*)?(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?[fFdD]?")


def integer_value(token: str) -> int | None:
    """The value of an integer token, None where Cypher has no such number."""
    return int(token.replace("_", ""), 0) if _INTEGER.fullmatch(token) else None


def float_value(token: str) -> float | None:
    """The value of a floating-point token, None where Cypher has no such number."""
    return float(token.rstrip("fFdD").replace("_", "")) if _FLOAT.fullmatch(token) else None
