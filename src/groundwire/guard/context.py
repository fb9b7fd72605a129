"""What a check of the guard gets to see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.database.base import Parameters, SqlDatabase
    from groundwire.database.catalog import Catalog
    from groundwire.database.graph import GraphDatabase
    from groundwire.database.graph_catalog import GraphCatalog
    from groundwire.database.statistics import Statistics
    from groundwire.guard.names import Names
    from groundwire.guard.probes import Measured, Probes
    from groundwire.guard.selects import Select
    from groundwire.query import cypher
    from groundwire.query.sql import Query, Uses
    from groundwire.settings import Settings

__all__ = ["CypherContext", "SqlContext"]


@dataclass(frozen=True, eq=False)
class SqlContext:
    """One draft as it stands after the repairs so far, and the database it is checked against.

    Spans of findings and edits refer to `query.text`. `probes` asks the database within the
    budget; a probe that holds clauses of the draft needs the draft's `parameters`. `statistics`
    asks through `probes`, and remembers.
    """

    query: Query
    uses: Uses
    names: Names
    catalog: Catalog
    database: SqlDatabase
    probes: Probes
    statistics: Statistics
    question: str | None = None
    parameters: Parameters = None

    @property
    def settings(self) -> Settings:
        """The settings of the database."""
        return self.database.settings

    @cached_property
    def selects(self) -> tuple[Select, ...]:
        """The SELECTs, subqueries and CTEs included, those around before those inside."""
        from groundwire.guard.selects import Select

        return tuple(Select(self, block) for block in self.uses.blocks)

    def measure(self, statement: str | None) -> Measured | None:
        """The first row of a probe that may hold clauses of the draft; None as `Probes.measure`."""
        return self.probes.measure(statement, self.parameters)


@dataclass(frozen=True, slots=True)
class CypherContext:
    """One draft as it stands after the repairs so far, and the graph that it is checked against.

    Spans of findings and edits refer to `query.text`. `probes` asks the graph within the budget;
    a probe that holds clauses of the draft needs the draft's `parameters`.
    """

    query: cypher.Query
    catalog: GraphCatalog
    database: GraphDatabase
    probes: Probes
    question: str | None = None
    parameters: Parameters = None

    @property
    def settings(self) -> Settings:
        """The settings of the database."""
        return self.database.settings

    @property
    def to_the_letter(self) -> bool:
        """Repair as the corrector paper says, even where that may change a correct draft."""
        return self.settings.policy == "paper"
