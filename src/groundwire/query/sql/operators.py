"""What PostgreSQL's lexer takes for an operator (manual, 4.1.3 Operators)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import Token

__all__ = ["ends_in_sign", "is_operator"]

OPERATOR_CHARACTERS = frozenset("+-*/<>=~!@#%^&|`?")
SPECIAL_CHARACTERS = OPERATOR_CHARACTERS - frozenset("+-*/<>=")


def is_operator(text: str, token: Token) -> bool:
    """The token is written in operator characters only; those that adjoin are one operator."""
    return OPERATOR_CHARACTERS.issuperset(text[token.start : token.end + 1])


def ends_in_sign(name: str) -> bool:
    """A sign at its end belongs to what follows, unless the operator has a special character."""
    return len(name) > 1 and name[-1] in "+-" and not SPECIAL_CHARACTERS & set(name)
