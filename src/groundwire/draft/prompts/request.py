"""What goes into a prompt, and what a prompt is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from groundwire.database.catalog import Catalog, Table
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.draft.linking import table_key
from groundwire.draft.model.reply import Message
from groundwire.draft.prompts.knowledge import ValueHint, graph_hints, meanings_of, table_hints
from groundwire.draft.prompts.tables import TableText, Values
from groundwire.draft.rules import Library
from groundwire.draft.solved import Exemplar
from groundwire.errors import GroundwireError, UsageError
from groundwire.guard.findings import Finding

if TYPE_CHECKING:
    from groundwire.draft.knowledge import Knowledge

__all__ = ["CONFIGURATIONS", "PARTS", "DraftRequest", "Failure", "Prompt"]

CONFIGURATIONS = ("default", "paper-v1", "paper-v2")
"""Named prompts: ours, and the two revisions of the SQL-agent paper (V1 asks for `LIMIT 10`)."""

PARTS = ("shapes", "exemplars", "knowledge", "hints", "rules")
"""Parts that a prompt can do without, in the order in which a small budget gives them up."""

_PRODUCTS = {"postgres": "PostgreSQL", "duckdb": "DuckDB", "sqlite": "SQLite", "neo4j": "Neo4j"}


@dataclass(frozen=True)
class DraftRequest:
    """Everything that goes into the prompt for one question.

    Args:
        question: in plain words.
        catalog: of the database that is asked.
        now: the moment of the question, with its time zone.
        server: product and version, for a person (`PostgreSQL 18.4`).
        values: the value index, where there is one.
        knowledge: the pack, where there is one.
        exemplars: solved questions, nearest first.
        configuration: one of `CONFIGURATIONS`.
        schema_only: write no stored value: no frequent values, enum labels, hints, value synonyms
            or exemplars.
        without: parts to leave out (`PARTS`), for ablations.
        library: rules and shapes; None = those of the product.

    Raises:
        UsageError: an unknown configuration, or the paper's for a graph.
    """

    question: str
    catalog: Catalog | GraphCatalog
    now: datetime
    server: str = ""
    values: Values | None = None
    knowledge: Knowledge | None = None
    exemplars: tuple[Exemplar, ...] = ()
    configuration: str = "default"
    schema_only: bool = False
    without: frozenset[str] = frozenset()
    library: Library | None = None

    def __post_init__(self) -> None:
        known = CONFIGURATIONS if self.language == "sql" else CONFIGURATIONS[:1]
        if self.configuration not in known:
            raise UsageError(
                f"There is no prompt {self.configuration!r} for {self.language}.",
                hint=f"Prompts: {', '.join(known)}.",
            )

    @property
    def language(self) -> Literal["sql", "cypher"]:
        """The language of the catalog's database."""
        return "cypher" if isinstance(self.catalog, GraphCatalog) else "sql"

    @property
    def product(self) -> str:
        """The database's product, for a person."""
        return _PRODUCTS.get(self.catalog.dialect, self.catalog.dialect)

    @cached_property
    def meanings(self) -> dict[str, str]:
        """The pack's sentences by stored names."""
        if isinstance(self.catalog, GraphCatalog) or "knowledge" in self.without:
            return {}
        return meanings_of(self.catalog, self.knowledge)

    @cached_property
    def tables(self) -> TableText:
        """What writes the tables of a relational catalog."""
        assert isinstance(self.catalog, Catalog)
        values = None if "hints" in self.without else self.values
        return TableText(self.catalog, values, self.meanings, self.schema_only)

    @cached_property
    def tables_by_key(self) -> dict[str, Table]:
        """The tables by the names of their parts."""
        assert isinstance(self.catalog, Catalog)
        return {table_key(table): table for table in self.catalog.tables}

    @cached_property
    def hints(self) -> list[ValueHint]:
        """Stored values that the question seems to name."""
        if isinstance(self.catalog, GraphCatalog):
            return graph_hints(self.catalog, self.question)
        if self.values is None:
            return []
        return table_hints(self.values, self.tables, self.question)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a query goes back: its error, or that it was `empty`, and what the guard found.

    `notes` are literal-grounding notes: sentences on where the query's literals are stored.
    `query` is "" where there was no usable statement at all.
    """

    query: str
    error: GroundwireError | None = None
    empty: bool = False
    findings: Sequence[Finding] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages, and what went into them.

    `tokens` is estimated, `sizes` by part. `offered` are the parts of the catalog that are shown;
    `notes` say in sentences what was left out for the budget.
    """

    messages: tuple[Message, ...]
    tokens: int
    sizes: Mapping[str, int] = field(default_factory=dict)
    offered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """`{tokens, sizes, offered, notes}`; the messages stand with the call."""
        return {
            "tokens": self.tokens,
            "sizes": dict(self.sizes),
            "offered": list(self.offered),
            "notes": list(self.notes),
        }
