"""What a part of a Cypher draft may reach of what is excluded.

Where neither the draft nor the graph says that it cannot, it may: this decides what nobody is to
see. A condition on a variable counts from its own clause on, since a clause before that one has
already read without it.
"""

from __future__ import annotations

from groundwire.database.graph_excluded import Excluded
from groundwire.guard.hops import Alternatives, Hop, conditions, hops, type_names
from groundwire.query import cypher
from groundwire.query.cypher import Symbol, ast

__all__ = ["Reach"]

Names = frozenset[str]


class Reach:
    """Answers for one draft: may this node have one of these labels, this relationship a type."""

    def __init__(self, query: cypher.Query, excluded: Excluded) -> None:
        self.query = query
        self.excluded = excluded
        self.hops = tuple(hops(query))
        self._clauses = [clause.span for clause in query.find(ast.Clause)]

    def node(self, node: ast.NodePattern | Symbol, place: int, owners: Names) -> bool:
        """Some node here may have one of the labels `owners`."""
        if not owners:
            return False
        met = self.excluded.met_with(owners)
        if any(not names & met for names in self._conditions(node, place)):
            return False
        ends = [(hop, side) for hop in self.hops for side in ("left", "right")]
        return not any(
            self._holds_for(hop, side, node) and not self._leads_to(hop, side, owners)
            for hop, side in ends
        )

    def relationship(self, found: ast.RelationshipPattern | Symbol, owners: Names) -> bool:
        """Some relationship here may be of one of the types `owners`."""
        symbol = found if isinstance(found, Symbol) else None
        for hop in self.hops:
            pattern = hop.relationship
            bound = symbol and pattern.variable and self.query.symbol(pattern.variable)
            if pattern is found or (bound and _same(bound, symbol)):
                return self._is_of(hop, owners)
        return bool(owners)

    def on_the_way(self, hop: Hop, owners: Names) -> bool:
        """A path of several relationships may lead over a node with one of the labels."""
        return bool(hop.is_variable and owners) and (
            self._stored(hop, owners, None) or self._stored(hop, None, owners)
        )

    def _conditions(self, node: ast.NodePattern | Symbol, place: int) -> Alternatives:
        symbol = self._symbol(node)
        if symbol is not None and symbol.entity is not None:
            labels = symbol.entity.labels
        else:
            own = node.labels if isinstance(node, ast.NodePattern) else None
            labels = [] if own is None else [own]
        around = [span for span in self._clauses if span[0] <= place < span[1]]
        end = max(around)[1] if around else place
        return tuple(
            names for label in labels if label.span[0] < end for names in conditions(label)
        )

    def _symbol(self, node: ast.NodePattern | Symbol) -> Symbol | None:
        if isinstance(node, Symbol):
            return node
        return None if node.variable is None else self.query.symbol(node.variable)

    def _holds_for(self, hop: Hop, side: str, node: ast.NodePattern | Symbol) -> bool:
        """The node stands at that side of the hop, and did so when it got its value."""
        end = hop.left if side == "left" else hop.right
        if end is None:
            return False
        bound, symbol = self._symbol(end), self._symbol(node)
        if bound is None or symbol is None:
            return end is node
        start, stop = self._container(hop)
        return _same(bound, symbol) and start <= bound.declared[0] < stop

    def _container(self, hop: Hop) -> ast.Span:
        """The clause or expression whose pattern holds the hop."""
        start, end = hop.relationship.span
        kinds = (ast.Match, ast.PatternComprehension, ast.PatternExpression)
        around = [node.span for node in self.query.nodes if isinstance(node, kinds)]
        found = [span for span in around if span[0] <= start and end <= span[1]]
        return max(found, default=(start, end))

    def _leads_to(self, hop: Hop, side: str, owners: Names) -> bool:
        """The hop may have a node with one of the labels at that side."""
        length = hop.relationship.length
        if length is not None and length.minimum == 0:
            return True
        far = hop.right if side == "left" else hop.left
        wanted: list[Names | None] = [None]
        if far is not None and not hop.is_variable:
            wanted = [*self._conditions(far, hop.relationship.span[0])] or [None]
        return all(
            self._stored(hop, *((owners, names) if side == "left" else (names, owners)))
            for names in wanted
        )

    def _is_of(self, hop: Hop, owners: Names) -> bool:
        """The hop may be a relationship of one of the types."""
        if not owners:
            return False
        if hop.is_variable:
            return self._stored(hop, None, None, owners)
        place = hop.relationship.span[0]
        ends: list[list[Names | None]] = [
            [*self._conditions(end, place)] if end else [] for end in (hop.left, hop.right)
        ]
        left, right = (wanted or [None] for wanted in ends)
        return all(self._stored(hop, a, b, owners) for a in left for b in right)

    def _stored(
        self, hop: Hop, left: Names | None, right: Names | None, types: Names | None = None
    ) -> bool:
        """Some relationship that the hop matches may lie between such labels; None = any.

        The graph's pairs have every label of a node, so that one of a node's labels is enough.
        """
        named = {name.name for name in type_names(hop.relationship.types)}
        direction = hop.relationship.direction
        for stored in self.excluded.endpoints:
            if (named and stored.type not in named) or (
                types is not None and stored.type not in types
            ):
                continue
            pairs = [(stored.source, stored.target), (stored.target, stored.source)]
            pairs = {"right": pairs[:1], "left": pairs[1:]}.get(direction, pairs)
            if not stored.exact or any(
                (left is None or a in left) and (right is None or b in right) for a, b in pairs
            ):
                return True
        return False


def _same(one: Symbol, other: Symbol | None) -> bool:
    """Both stand for one node or relationship."""
    return other is not None and (
        one is other or (one.entity is not None and one.entity is other.entity)
    )
