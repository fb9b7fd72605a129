"""What PostgreSQL's lexer takes for an operator (manual, 4.1.3 Operators)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import Token

__all__ = ["is_operator", "trimmed"]

OPERATOR_CHARACTERS = frozenset("+-*/<>=~!@#%^&|`?")
SPECIAL_CHARACTERS = OPERATOR_CHARACTERS - frozenset("+-*/<>=")


def is_operator(text: str, token: Token) -> bool:
    """The token is written in operator characters only; those that adjoin are one operator."""
    return OPERATOR_CHARACTERS.issuperset(text[token.start : token.end + 1])


def trimmed(name: str) -> str:
    """Signs at its end belong to what follows, unless the operator has a special character."""
    if SPECIAL_CHARACTERS & set(name):
        return name
    return name.rstrip("+-") or name[:1]
