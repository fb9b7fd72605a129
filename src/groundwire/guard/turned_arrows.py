"""DIR2: the arrows of a Cypher query that found nothing, turned round where the schema is open.

Tier 1 of the execution loop (corrector paper, section 3.4). What the schema decides was turned by
`align_directions` before the run; of the other arrows only a second run can tell. All of them are
turned at once, so that this costs one execution however many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.counted import counted
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.database.result import Result
from groundwire.guard.findings import Choice, Evidence, Finding, Verdict
from groundwire.guard.hops import Hop, hops, possible, turned
from groundwire.query import cypher
from groundwire.query.cypher import ast
from groundwire.query.edits import Edit, apply
from groundwire.query.revision import Revision

__all__ = ["CHECK", "TurnedArrows", "is_only_turned", "turn_open_arrows"]

CHECK = "turned_arrows"
"""The name of this check in its findings."""


@dataclass(frozen=True, slots=True)
class TurnedArrows:
    """A checked query with its open arrows turned round: `query` is the text to run.

    `span` and `edits` are in characters of the draft; `names` are the types on the arrows.
    """

    verdict: Verdict
    query: str
    span: tuple[int, int]
    edits: tuple[Edit, ...]
    names: tuple[str, ...]

    def repaired(self, found: Result) -> Verdict:
        """The verdict of the paper: what finds rows is the query that was meant."""
        finding = replace(
            self._finding(found, "turned round: as drafted the query finds nothing."),
            severity="fault",
            edits=self.edits,
            action="repaired",
        )
        findings = (*self.verdict.findings, finding)
        return replace(self.verdict, outcome="repaired", query=self.query, findings=findings)

    def doubted(self, found: Result) -> Verdict:
        """The truthful verdict: finding nothing may well be the answer, the rows are a choice."""
        finding = self._finding(
            found,
            "may be meant the other way round, which the schema allows as well: "
            "as drafted the query finds nothing.",
        )
        rows = finding.evidence[0].sentence.removeprefix("Turned round, it finds ")
        choice = Choice(f"{self._arrows} turned round: {rows}", self.query)
        findings = (*self.verdict.findings, finding)
        return replace(self.verdict, findings=findings, choices=(choice,))

    @property
    def _arrows(self) -> str:
        arrows = "The arrows" if len(self.names) > 1 else "The arrow"
        return f"{arrows} over {' and '.join(self.names)}" if self.names else arrows

    def _finding(self, found: Result, what: str) -> Finding:
        rows = len(found.rows)
        count = f"{'at least ' if found.truncated else ''}{counted(rows, 'row')}"
        evidence = Evidence(f"Turned round, it finds {count}.", self.query, rows, found.elapsed)
        return Finding(
            code="DIR2",
            check=CHECK,
            severity="doubt",
            span=self.span,
            message=f"{self._arrows} {what}",
            evidence=(evidence,),
        )


def is_only_turned(verdict: Verdict, doubted: Verdict, database: GraphDatabase) -> bool:
    """A rewrite says nothing but what the turned query of a doubted verdict says.

    Then it is no second opinion: the loop showed it to the model.
    """
    queries = [cypher.parse(verdict.query, database.functions)]
    for finding in doubted.findings:
        if finding.check == CHECK:
            queries += [
                cypher.parse(item.statement, database.functions) for item in finding.evidence
            ]
    said = [tuple(map(ast.shape, query.statements)) for query in queries]
    return said[0] in said[1:]


def turn_open_arrows(verdict: Verdict, database: GraphDatabase) -> TurnedArrows | None:
    """The query of a verdict with its open arrows turned round; None where it has no such arrow.

    Raises:
        OperatorError: the catalog cannot be read.
    """
    query = cypher.parse(verdict.query, database.functions)
    found = _open_arrows(query, database.catalog())
    edits = [edit for hop in found for edit in turned(hop.relationship)]
    if not edits:
        return None
    first, last = found[0].relationship.span[0], max(hop.relationship.span[1] for hop in found)
    text = apply(verdict.query, edits)
    names = tuple(dict.fromkeys(name.name for hop in found for name in hop.types))
    revision = _revision(verdict)
    if revision is None:
        whole = (0, len(verdict.draft))
        return TurnedArrows(verdict, text, whole, (Edit(*whole, text),), names)
    in_draft = tuple(Edit(*revision.origin(edit.start, edit.end), edit.text) for edit in edits)
    return TurnedArrows(verdict, text, revision.origin(first, last), in_draft, names)


def _open_arrows(query: cypher.Query, catalog: GraphCatalog) -> Sequence[Hop]:
    """The arrows that the graph may hold either way round, in the order of the text."""
    return [
        hop
        for hop in hops(query)
        if hop.relationship.direction != "both"
        and possible(hop, catalog)
        and possible(hop, catalog, reverse=True)
    ]


def _revision(verdict: Verdict) -> Revision | None:
    """How the guard came from the draft to the query; None where one repair lies in another."""
    edits = [edit for finding in verdict.findings for edit in finding.edits]
    try:
        revision = Revision.of(verdict.draft).revise(edits)
    except ValueError:
        return None
    return revision if revision.text == verdict.query else None
