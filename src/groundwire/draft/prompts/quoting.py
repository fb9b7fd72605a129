"""Texts and names in a prompt: nothing that is stored can end its quotes or the data block."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Literal

from groundwire.query.sql.reserved import reserved_words

__all__ = ["cypher_name", "is_offered", "plain", "quoted", "sql_name"]

NAME_LENGTH = 128
_ESCAPED_SIGNS = "<>`"
_PRINTABLE = re.compile(r"[ -;=?-_a-~]*")
_ORDINARY = re.compile(r"[\w $.-]+", re.ASCII)


def quoted(text: str, limit: int = 0) -> str:
    r"""A text as a JSON string on one line.

    Angle brackets, back-ticks, control and format characters are escaped (`\u003c`), so that the
    string holds no delimiter, fence or control token of a chat template.

    Args:
        limit: characters at most; 0 = no limit.
    """
    if limit and len(text) > limit:
        text = text[:limit] + "…"
    return "".join(
        _escape(c) if _is_escaped(c) else c for c in json.dumps(text, ensure_ascii=False)
    )


def plain(text: str) -> str:
    """A text that the operator wrote, on one line and unable to end the data block."""
    line = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    return re.sub(r"<(?=\s*/?\s*data\b)", "‹", " ".join(line.split()), flags=re.IGNORECASE)


@lru_cache(maxsize=65_536)
def is_offered(name: str) -> bool:
    """Whether a stored name can stand in a prompt as it is.

    A name with control characters or with a delimiter of the prompt in it is not shown at all: it
    could be told apart from the prompt itself by nobody.
    """
    if len(name) <= NAME_LENGTH and _ORDINARY.fullmatch(name):
        return True
    return (
        0 < len(name) <= NAME_LENGTH
        and not any(_is_escaped(c) and c not in _ESCAPED_SIGNS for c in name)
        and plain(name) == " ".join(name.split())
        and "```" not in name
        and "<|" not in name
    )


@lru_cache(maxsize=65_536)
def sql_name(name: str, folds: Literal["lower", "ignore"]) -> str:
    """A stored name as SQL has to write it: quoted only where it must be."""
    pattern = r"[a-z_][a-z0-9_]*" if folds == "lower" else r"[A-Za-z_][A-Za-z0-9_]*"
    if re.fullmatch(pattern, name) and name.upper() not in reserved_words():
        return name
    return '"' + name.replace('"', '""') + '"'


def cypher_name(name: str) -> str:
    """A label, type or property as Cypher has to write it: in back-ticks only where it must be."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return name
    return "`" + name.replace("`", "``") + "`"


def _is_escaped(character: str) -> bool:
    kind = unicodedata.category(character)
    return character in _ESCAPED_SIGNS or kind[0] == "C" or kind in ("Zl", "Zp")


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) > 0x7F else f"\\u{ord(character):04x}"
