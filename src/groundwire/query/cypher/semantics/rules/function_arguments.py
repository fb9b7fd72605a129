"""The rule `function_arguments`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.query.cypher import ast
from groundwire.query.cypher.semantics.functions import Signature
from groundwire.query.cypher.semantics.phases import FUNCTION, SEMANTIC

if TYPE_CHECKING:
    from groundwire.query.cypher.semantics.checker import Checker

__all__ = ["function_arguments"]


def function_arguments(call: ast.FunctionCall, signature: Signature, checker: Checker) -> None:
    """A built-in function gets as many arguments as it takes.

    Cypher manual, "Functions".
    """
    count = len(call.arguments)
    phase = FUNCTION if signature.resolved_late else SEMANTIC
    if call.star:
        return
    if count < signature.minimum:
        needed = f"{signature.minimum} argument{'s' * (signature.minimum > 1)}"
        checker.report(
            call.span[0], f"`{signature.name}` needs at least {needed}, not {count}.", phase
        )
    elif count > signature.maximum:
        checker.report(
            call.span[0],
            f"`{signature.name}` takes at most {signature.maximum} arguments, not {count}.",
            phase,
        )
