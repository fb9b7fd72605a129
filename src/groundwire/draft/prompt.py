"""What a model is asked to write: the prompts for a draft and for a repair.

The wording stands in `prompts/*.txt`, one template a language; this module fills it in. What is
stored in a database is written as JSON strings inside a data block (`prompts/quoting.py`), so
that it can give no order; with `schema_only` no stored value is written at all. The prompts for a
follow-up and for the sentence on a result are in `prompts/dialogue.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from groundwire.database.catalog import Catalog
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.draft.exemplars import NEAREST
from groundwire.draft.inflect import stem
from groundwire.draft.linking import Choice, Hit, Part, Ranked, choose, parts_of, rank, table_key
from groundwire.draft.model.reply import Message, estimate_tokens
from groundwire.draft.prompts.evidence import failure_lines, finding_lines, note_lines
from groundwire.draft.prompts.graph import GraphText
from groundwire.draft.prompts.knowledge import facts, touched, without
from groundwire.draft.prompts.quoting import is_offered, quoted
from groundwire.draft.prompts.request import (
    CONFIGURATIONS,
    PARTS,
    DraftRequest,
    Failure,
    Prompt,
)
from groundwire.draft.prompts.template import fill, moment_line, places
from groundwire.draft.rules import features_of, load_library
from groundwire.draft.solved import Exemplar
from groundwire.guard.taxonomy import TAXONOMY

__all__ = [
    "CONFIGURATIONS",
    "DRAFT_SCHEMA",
    "PARTS",
    "REPAIR_SCHEMA",
    "DraftRequest",
    "Exemplar",
    "Failure",
    "Prompt",
    "draft_prompt",
    "repair_prompt",
]

DRAFT_SCHEMA: Mapping[str, Any] = {
    "title": "draft",
    "description": "One query for a question.",
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "the query alone, or INVALID_REQUEST: and the reason",
        },
        "assumptions": {
            "type": "array",
            "items": {"type": "string"},
            "description": "the readings chosen where the question leaves them open; often none",
        },
    },
    "required": ["query", "assumptions"],
    "additionalProperties": False,
}
REPAIR_SCHEMA: Mapping[str, Any] = {
    "title": "repair",
    "description": "What was wrong with a query, and the corrected one.",
    "type": "object",
    "properties": {
        "code": {"type": "string", "enum": list(TAXONOMY), "description": "the code of the fault"},
        "cause": {"type": "string", "description": "one sentence: what was wrong"},
        "query": {"type": "string", "description": "the corrected query alone"},
    },
    "required": ["code", "cause", "query"],
    "additionalProperties": False,
}

Writer = Callable[[Part, frozenset[str] | None], str]
"""The text of a part with these columns; None = all of them."""

_MOST_HINTS = 8
_MOST_FACTS = 12
_CATALOG_SHARE = 0.4
"""Share of the budget that the catalog gets at least, before other parts are given up."""


def draft_prompt(request: DraftRequest, budget: int = 8000) -> Prompt:
    """The prompt for a first draft, in at most about `budget` tokens (estimated)."""
    template = request.language if request.configuration == "default" else request.configuration
    return _assemble(template, request, budget, _common_parts(request))


def repair_prompt(request: DraftRequest, failure: Failure, budget: int = 8000) -> Prompt:
    """The prompt that sends a failed query back with what was measured."""
    known = _known_words(request, failure) if request.schema_only else None
    parts = _common_parts(request)
    parts |= {
        "shapes": "",
        "exemplars": "",
        "codes": _codes(request.language),
        "query": quoted(failure.query),
        "failure": failure_lines(failure.query, failure.error, failure.empty, known),
        "findings": finding_lines(failure.findings, known),
        "notes": note_lines(failure.notes, known),
    }
    return _assemble("repair", request, budget, parts)


def _known_words(request: DraftRequest, failure: Failure) -> str:
    """What a message may quote without telling a stored value: names, question, query."""
    names = (f"{part.name} {' '.join(part.columns)}" for part in parts_of(request.catalog, {}))
    return " ".join([request.question, failure.query, *names])


def _common_parts(request: DraftRequest) -> dict[str, str]:
    """Every part but the catalog, by the name that it has in the templates."""
    parts = {
        "dialect": request.product,
        "language": "Cypher" if request.language == "cypher" else "SQL",
        "server": request.server or request.product,
        "moment": moment_line(request.now),
        "question": quoted(request.question),
        "rules": _rules(request),
        "shapes": _shapes(request),
        "exemplars": _exemplars(request),
        "knowledge": _knowledge(request),
        "hints": _hints(request),
    }
    return parts | dict.fromkeys(request.without, "")


def _assemble(template: str, request: DraftRequest, budget: int, parts: dict[str, str]) -> Prompt:
    parts = {name: text for name, text in parts.items() if name in places(template)}
    notes = []
    rest = _size(fill(template, parts | {"catalog": ""}))
    for name in PARTS:
        if budget - rest >= budget * _CATALOG_SHARE:
            break
        if parts.get(name):
            parts[name] = ""
            notes.append(f"The {name} were left out to fit into {budget} tokens.")
            rest = _size(fill(template, parts | {"catalog": ""}))

    @cache
    def write(part: Part, columns: frozenset[str] | None) -> str:
        return _write(request, part, columns)

    choice = _choose(request, write, max(0, budget - rest))
    notes += _cuts(request, choice)
    written = [write(part, columns) for part, columns in choice.parts]
    if choice.left_out:
        written.append(f"-- {choice.left_out} more {_things(request)} are not shown")
    parts["catalog"] = "\n".join(written)
    messages = fill(template, parts)
    return Prompt(
        messages,
        _size(messages),
        {name: estimate_tokens(text) for name, text in parts.items() if text},
        tuple(part.name for part, _ in choice.parts),
        tuple(notes),
    )


def _size(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)


# --- the catalog -----------------------------------------------------------------------------


def _choose(request: DraftRequest, write: Writer, budget: int) -> Choice:
    parts = [p for p in parts_of(request.catalog, request.meanings) if _may_be_shown(request, p)]

    def rank_them() -> list[Ranked]:
        found = [Hit(hint.part, hint.column) for hint in request.hints]
        return rank(parts, request.question, [*found, *_synonym_hits(request)])

    def cost(part: Part, columns: frozenset[str] | None) -> int:
        return estimate_tokens(write(part, columns)) + 1

    return choose(parts, rank_them, cost, budget)


def _may_be_shown(request: DraftRequest, part: Part) -> bool:
    if isinstance(request.catalog, Catalog):
        return request.tables.is_offered(request.tables_by_key[part.name])
    return is_offered(part.name.strip(":[]"))


def _write(request: DraftRequest, part: Part, columns: frozenset[str] | None) -> str:
    if isinstance(request.catalog, Catalog):
        return request.tables.write(request.tables_by_key[part.name], columns)
    text = GraphText(request.catalog, request.schema_only)
    if part.name.startswith(":"):
        label = request.catalog.label(part.name[1:])
        return text.label(label, columns) if label else ""
    kind = request.catalog.type(part.name[1:-1])
    return text.type(kind, columns) if kind else ""


def _synonym_hits(request: DraftRequest) -> list[Hit]:
    if request.knowledge is None or isinstance(request.catalog, GraphCatalog):
        return []
    catalog, knowledge = request.catalog, request.knowledge
    names = [
        knowledge.column_synonyms[phrase]
        for phrase in touched(request.question, knowledge.column_synonyms)
    ]
    for phrase in touched(request.question, knowledge.value_synonyms):
        names += [name for name, _ in knowledge.value_synonyms[phrase]]
    hits = []
    for name in names:
        table = catalog.find(name.partition(".")[0])
        column = catalog.find_column(table, name.partition(".")[2]) if table else None
        if table and column:
            hits.append(Hit(table_key(table), column.name))
    return hits


def _things(request: DraftRequest) -> str:
    return "tables" if isinstance(request.catalog, Catalog) else "labels and types"


def _cuts(request: DraftRequest, choice: Choice) -> list[str]:
    notes = []
    unsafe = sum(not _may_be_shown(request, p) for p in parts_of(request.catalog, {}))
    if unsafe:
        notes.append(
            f"{unsafe} {_things(request)} were not offered: their names hold control characters,"
            " or could be taken for a part of the prompt."
        )
    if choice.left_out:
        whole = choice.left_out + len(choice.parts)
        notes.append(
            f"{len(choice.parts)} of {whole} {_things(request)} were offered to the model."
        )
    if choice.cut_columns:
        notes.append(f"{choice.cut_columns} columns of them were left out.")
    return notes


# --- the other parts -------------------------------------------------------------------------


def _rules(request: DraftRequest) -> str:
    library = request.library or load_library()
    rules = library.applying(request.question, features_of(request.catalog))
    texts = [(rule.id, rule.text.get(request.language)) for rule in rules]
    return "\n".join(f"- [{name}] {text}" for name, text in texts if text)


def _shapes(request: DraftRequest) -> str:
    library = request.library or load_library()
    lines = [
        f"- {shape.name}: {shape.text[request.language]}"
        for shape in library.fitting(request.question)
        if request.language in shape.text
    ]
    if not lines:
        return ""
    return "\n".join(["Shapes that may fit (what stands in < > is to be replaced):", *lines])


def _exemplars(request: DraftRequest) -> str:
    if request.schema_only or not request.exemplars:
        return ""
    lines = ["Solved questions like this one, as JSON strings:"]
    for exemplar in request.exemplars[:NEAREST]:
        lines.append(f"- question: {quoted(exemplar.question)}")
        lines.append(f"  query: {quoted(exemplar.query)}")
    return "\n".join(lines)


def _knowledge(request: DraftRequest) -> str:
    if request.knowledge is None:
        return ""
    rest = without(request.question, (hint.phrase for hint in request.hints if " " in hint.phrase))
    lines = list(facts(request.knowledge, rest, schema_only=request.schema_only))
    if not lines:
        return ""
    return "\n".join(["What words mean here:", *lines[:_MOST_FACTS]])


def _hints(request: DraftRequest) -> str:
    if request.schema_only:
        return ""
    synonyms = request.knowledge.value_synonyms if request.knowledge else {}
    known = [phrase for phrase in touched(request.question, synonyms) if " " in phrase]
    rest = f" {stem(without(request.question, known))} "
    lines = [hint.line() for hint in request.hints if f" {stem(hint.phrase)} " in rest]
    if not lines:
        return ""
    return "\n".join(["Stored values that words of the question may mean:", *lines[:_MOST_HINTS]])


def _codes(language: str) -> str:
    return "\n".join(
        f"- {fault.code} {fault.name}: {fault.cypher if language == 'cypher' else fault.sql}"
        for fault in TAXONOMY.values()
    )
