"""Checks of a result before anyone sees it.

`examine` gives findings on what a query brought back. One check = one file = one function of that
name of `(context, result)`.
"""

from groundwire.guard.results.examine import examine

__all__ = ["examine"]
