"""The prompts around a query: a follow-up made to stand alone, and the sentence on a result."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from groundwire.counted import counted
from groundwire.database.result import ResultColumn
from groundwire.database.values import to_json
from groundwire.draft.extract import final_answer
from groundwire.draft.model.reply import Message
from groundwire.draft.prompts.quoting import quoted
from groundwire.draft.prompts.template import fill
from groundwire.errors import DraftError

__all__ = ["narration_prompt", "read_rewrite", "read_sentence", "rewrite_prompt"]

_TURNS = 6
_CELL_LENGTH = 200
_LONGEST_LIST = 16
"""Numbers in a list from which on it is taken for a vector and only its length is told."""
_FREQUENT = 3


def rewrite_prompt(history: Sequence[Mapping[str, Any]], question: str) -> tuple[Message, ...]:
    """Make a follow-up a question that stands alone.

    Only questions are sent, never answers: those hold stored values.

    Args:
        history: turns with `standalone_question` (or `question`), oldest first.
    """
    asked = [str(turn.get("standalone_question") or turn["question"]) for turn in history]
    lines = "\n".join(f"- {quoted(text)}" for text in asked[-_TURNS:])
    return fill("rewrite", {"history": lines, "question": quoted(question)})


def read_rewrite(reply: str, longest: int) -> str:
    """The question in the reply to `rewrite_prompt`.

    Raises:
        DraftError: it is empty, or longer than `longest` characters.
    """
    text = read_sentence(reply)
    if not 0 < len(text) <= longest:
        raise DraftError("The model did not rewrite the question into one that stands alone.")
    return text


def read_sentence(reply: str) -> str:
    """The prose of a reply on one line, without thoughts, a fence or quotes around all of it."""
    text = final_answer(reply).strip("`").strip()
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        decoded = text
    return " ".join((decoded if isinstance(decoded, str) else text).split())


def narration_prompt(
    question: str,
    columns: Sequence[ResultColumn],
    rows: Sequence[Sequence[Any]],
    *,
    truncated: bool = False,
    total: int | None = None,
    assumptions: Sequence[str] = (),
    max_rows: int = 40,
) -> tuple[Message, ...]:
    """Ask for a sentence on a result: at most `max_rows` rows, and a profile of all where cut.

    Args:
        truncated: there are more rows than were fetched.
        total: how many there are, where that was counted.
        assumptions: readings of the question, which the sentence should keep to.
    """
    shown = rows[:max_rows]
    profile = list(_profile(columns, rows)) if len(rows) > len(shown) else []
    parts = {
        "question": quoted(question),
        "columns": ", ".join(f"{quoted(c.name)} ({c.type or 'unknown'})" for c in columns),
        "rows": "\n".join(f"[{', '.join(map(_cell, row))}]" for row in shown),
        "profile": "\n".join(["A profile of all rows:", *profile]) if profile else "",
        "amount": _amount(len(rows), len(shown), truncated, total),
        "assumptions": _assumptions(assumptions),
    }
    return fill("narration", parts)


def _amount(count: int, shown: int, truncated: bool, total: int | None) -> str:
    if truncated:
        whole = f"{count} of {total}" if total else f"only the first {count} (there are more)"
        return (
            f"The result is cut: {whole} rows were read. Say so, and never state {count} as the"
            f" number of what was asked for. {shown} of them are shown."
        )
    if shown < count:
        return f"The result has {count} rows; the first {shown} are shown, the profile covers all."
    return f"The result has {counted(count, 'row')}, all of them shown."


def _assumptions(assumptions: Sequence[str]) -> str:
    if not assumptions:
        return ""
    return "\n".join(["How the question was read:", *(f"- {quoted(text)}" for text in assumptions)])


def _cell(value: Any) -> str:
    plain = _without_vectors(to_json(value))
    if plain is None or isinstance(plain, bool | int | float):
        return json.dumps(plain)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return quoted(text, _CELL_LENGTH)


def _without_vectors(value: Any) -> Any:
    """A JSON value with a word for each long list of numbers, also inside a node's properties."""
    if isinstance(value, dict):
        return {key: _without_vectors(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > _LONGEST_LIST and all(map(_is_number, value)):
        return f"vector[{len(value)}]"
    return [_without_vectors(item) for item in value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _profile(columns: Sequence[ResultColumn], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    for position, column in enumerate(columns):
        values = [row[position] for row in rows if row[position] is not None]
        line = f"- {quoted(column.name)}: {len(rows) - len(values)} missing"
        if values and all(map(_is_number, values)):
            exact = not any(isinstance(value, float) for value in values)
            total = sum(values) if exact else math.fsum(values)
            line += f", least {min(values)}, greatest {max(values)}, sum {total}"
        elif values and all(isinstance(v, str) for v in values):
            counts = Counter(values)
            often = ", ".join(f"{_cell(v)} {n} times" for v, n in counts.most_common(_FREQUENT))
            line += f", {len(counts)} different, most often {often}"
        yield line
