"""Whether a question asks for an order of the rows, read from its words alone."""

from __future__ import annotations

import re

__all__ = ["asks_for_order"]

_SUPERLATIVE = r"(?!(?:north|south|mid)?west\b)(?:\w{2,}est|most|least|worst)"

_BUYER = r" (?:the |an? |each |all )?(?:['\"]|customers?|clients?|users?|people|persons?|compan)"
"""Who orders goods: "the products ordered by customers"."""

_PATTERNS = (
    # "ordered by age", "sorted alphabetically", "ranked in descending order", "sort the rows by"
    r"\b(?:order(?:ed|ing)?|sort(?:ed|ing)?|rank(?:ed|ing)?|arranged?)"
    r"(?: (?:them|these|those|it|all|the \w+(?: \w+)?|results?|rows?))?,?"
    rf" (?:by(?!{_BUYER})|according to|from|starting"
    r"|in (?:\w+ly )?(?:\w+ )?order|alphabetically|\w*scending)\b",
    # an imperative: "Rank the districts", "... and sort the results"
    r"(?:^|[.?!;:,] *|\b(?:and|then|please|also) )(?:rank|sort|order)"
    r" (?:the|all|each|every|them|these|those|results?|rows?|by)\b",
    r"(?:^|[.?!] *)(?:rank|sort)(?! of\b) ",
    r"\b(?:a|the) ranking (?:of|by)\b",
    r"\b(?:a|de)scending\b",
    r"\bin (?:the )?(?:increasing|decreasing|alphabetic|alphabetical|lexicographic|lexicographical"
    r"|chronological|numeric|numerical|reverse|rank|sorted)(?: \w+)? order\b",
    r"\bin (?:order of|the order of (?:their|its|the))\b(?! magnitude)",
    r"\b(?:alphabetically|chronologically)\b",
    # "from highest to lowest", "oldest to youngest", "from best to worst"
    rf"\b(?:{_SUPERLATIVE}|best)(?: \w+){{0,2}} to (?:the )?(?:{_SUPERLATIVE}|best)\b",
    # "starting with the best", "beginning with the most recent"
    rf"\b(?:starting|beginning) (?:from|with|at) (?:the )?(?:{_SUPERLATIVE}|best)\b",
    # "newest first", "most recent ones first"
    rf"\b(?:{_SUPERLATIVE}|best)(?: recent)?(?: ones)? first(?=[.,;?!)]|$| and\b)",
)
_ASKS = re.compile("|".join(_PATTERNS), re.IGNORECASE)


def asks_for_order(question: str) -> bool:
    """Whether the words of a question fix the order of the answer's rows.

    They do where they say how to sort ("in descending order", "sorted by name", "rank the wards",
    "from oldest to youngest", "newest first"). A superlative or a top-k alone does not: "the five
    longest rivers" may be told in any order. Nothing is read from the gold query, whose ORDER BY
    may serve a LIMIT only.
    """
    return _ASKS.search(" ".join(question.split())) is not None
