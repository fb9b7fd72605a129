"""The rule `unknown_function`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.functions import RENAMED
from groundwire.query.cypher.semantics.phases import FUNCTION, SEMANTIC

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["unknown_function"]


def unknown_function(call: ast.FunctionCall, checker: Checker) -> None:
    """A function is a built-in one, or one that the caller of `parse` says the server has.

    Cypher manual, "Functions", and "Removals" for those that have another name now.
    """
    name = call.name.lower()
    if name in checker.known_functions:
        return
    if name in RENAMED:
        checker.report(call.span[0], f"`{call.name}` is now called `{RENAMED[name]}`.", SEMANTIC)
    else:
        checker.report(call.span[0], f"There is no function `{call.name}`.", FUNCTION)
