"""Cypher as people and models write it, put into the Cypher that kglite reads.

Only what means the same: comments out; `[:A|:B]`, label expressions, inline WHERE and quantified
relationships in their older spelling; reserved words in back-ticks; functions under kglite's own
names; and, on a marked graph, the stored names of properties (`graph_kglite_names`). What has no
such spelling is left, and kglite refuses it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import singledispatchmethod

from groundwire.database.graph_catalog import quote_name
from groundwire.database.graph_kglite_names import RESERVED, STRUCTURAL, SUFFIX, mangle
from groundwire.errors import QueryError
from groundwire.query.cypher import Query, ast, parse
from groundwire.query.cypher.tokens import tokenize
from groundwire.query.edits import Edit, apply

__all__ = ["result_names", "rewrite"]

_WORDS = """all and as asc ascending by call case contains create delete desc descending detach
distinct else end ends except exists explain false foreach having in intersect is limit match merge
not null on optional or order profile remove return set skip starts then true union unwind when
where with xor yield"""
WORDS = frozenset(_WORDS.split())
"""Words that kglite takes for a keyword where a name may stand."""

FUNCTIONS = {
    "char_length": "size",
    "character_length": "size",
    "lower": "toLower",
    "upper": "toUpper",
    "percentilecont": "percentile_cont",
    "percentiledisc": "percentile_disc",
    "point.distance": "distance",
    "tofloatornull": "toFloat",
    "tointegerornull": "toInteger",
    "tostringornull": "toString",
}
"""Functions under another name; kglite's `toInteger` and the like answer null, never an error."""

BETWEEN = "duration.between"

PARSING = ("tofloat", "tofloatornull")
"""Functions that read a number from a text with blanks around it; Neo4j's `toInteger` does not."""

Owner = ast.Match | ast.PatternComprehension


def result_names(query: Query) -> list[str] | None:
    """The columns as Neo4j names them: the alias, or the text of the expression.

    None where the text does not tell (`RETURN *`, a procedure that stands alone).
    """
    last = query.statements[0].query.branches[0].clauses[-1]
    if not isinstance(last, ast.Return) or last.star:
        return None
    return [
        item.alias.name if item.alias else query.text[item.span[0] : item.span[1]]
        for item in last.items
    ]


def rewrite(query: Query, *, marked: bool) -> str:
    """The text of one statement for kglite.

    Args:
        marked: reserved property names are stored with a suffix.

    Raises:
        QueryError: kglite would give another answer than Cypher has.
    """
    plain = _without_comments(query.text)
    if plain != query.text:
        query = parse(plain)
    return _Rewriter(query.text, marked).rewritten(query.statements[0])


def _without_comments(text: str) -> str:
    """Every comment becomes a blank."""
    tokens = tokenize(text)
    ends = [0, *tokens.ends]
    return apply(
        text,
        (
            Edit(end, start, " ")
            for end, start in zip(ends, tokens.starts, strict=False)
            if end < start and text[end:start].strip()
        ),
    )


@dataclass
class _Rewriter:
    text: str
    marked: bool
    edits: list[Edit] = field(default_factory=list)
    replaced: set[ast.Span] = field(default_factory=set)
    """Spans that are new as a whole, or stay: edits of what lies inside are void."""
    moves: dict[int, list[ast.Span]] = field(default_factory=lambda: defaultdict(list))
    """By owner: inline `WHERE condition`, with the keyword, up to the closing bracket."""
    conditions: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    fresh: int = 0

    def rewritten(self, statement: ast.Statement) -> str:
        owners: list[Owner] = []
        for node, owner in _walk_owned(statement):
            if isinstance(node, Owner):
                owners.append(node)
            self.visit(node, owner)
        self.edits = [edit for edit in self.edits if not self.is_void(edit)]
        for owner in sorted(owners, key=lambda node: node.span[1] - node.span[0]):
            self.move_conditions(owner)
        return apply(self.text, self.edits)

    def replace(self, span: ast.Span, text: str) -> None:
        if span not in self.replaced:
            self.edits.append(Edit(*span, text))

    def replace_whole(self, span: ast.Span, text: str) -> None:
        self.replace(span, text)
        self.replaced.add(span)

    def is_void(self, edit: Edit) -> bool:
        return any(
            start <= edit.start and edit.end <= end and (start, end) != (edit.start, edit.end)
            for start, end in self.replaced
        )

    @singledispatchmethod
    def visit(self, node: ast.Node, owner: Owner | None) -> None:
        """Note the edits that a node needs; those below it are visited by themselves."""

    @visit.register
    def _(self, node: ast.Name, owner: Owner | None) -> None:
        stored = mangle(node.value) if self.marked else node.value
        if stored != node.value or self.is_word(node.span):
            self.replace(node.span, quote_name(stored))

    @visit.register
    def _(self, node: ast.YieldItem, owner: Owner | None) -> None:
        self.replaced.add(node.name.span)  # the name of a procedure's column

    @visit.register
    def _(self, node: ast.Variable, owner: Owner | None) -> None:
        if self.is_word(node.span):
            self.replace(node.span, quote_name(node.name))

    @visit.register
    def _(self, node: ast.LabelName, owner: Owner | None) -> None:
        if self.is_word(node.span):
            self.replace(node.span, quote_name(node.name))

    @visit.register
    def _(self, node: ast.LabelOr, owner: Owner | None) -> None:
        for bar in node.bars:
            if bar[1] - bar[0] > 1:
                self.replace(bar, "|")

    @visit.register
    def _(self, node: ast.Hint, owner: Owner | None) -> None:
        self.replace_whole(node.span, "")

    @visit.register
    def _(self, node: ast.Property, owner: Owner | None) -> None:
        call = node.target
        if not isinstance(call, ast.FunctionCall) or call.name.lower() != BETWEEN:
            return
        if node.key.value in ("years", "months"):
            self.replace_whole(call.name_span, "duration.inMonths")

    @visit.register
    def _(self, node: ast.FunctionCall, owner: Owner | None) -> None:
        name = node.name.lower()
        if name == BETWEEN and node.name_span not in self.replaced:
            raise QueryError(
                "kglite's duration.between knows no months, so its answer would be wrong.",
                hint="Use duration.inMonths, duration.inDays or duration.inSeconds.",
                code="UNSUPPORTED",
            )
        if name in FUNCTIONS:
            self.replace(node.name_span, FUNCTIONS[name])
        if name in PARSING and len(node.arguments) == 1:
            self.trim(node.arguments[0])
        if name == "isempty":
            self.replace(node.name_span, "(0 = size")
            self.insert(node.span[1], ")")
        elif name == "timestamp" and not node.arguments:
            self.replace(node.span, "datetime().epochMillis")
        elif name == "keys" and self.marked and len(node.arguments) == 1:
            hidden = ", ".join(f"'{key}'" for key in sorted(STRUCTURAL))
            self.insert(node.span[0], "[`_key` IN ")
            self.insert(node.span[1], f" WHERE NOT `_key` IN [{hidden}] | {_unmangled('`_key`')}]")

    @visit.register
    def _(self, node: ast.Index, owner: Owner | None) -> None:
        if not self.marked:
            return
        key = node.index
        if isinstance(key, ast.Literal) and isinstance(key.value, str):
            if mangle(key.value) != key.value:
                self.replace(key.span, f"'{mangle(key.value)}'")
        elif isinstance(key, ast.Variable):
            self.replace_whole(key.span, _mangled(quote_name(key.name)))

    @visit.register
    def _(self, node: ast.LabelTest, owner: Owner | None) -> None:
        if not _is_plain(node.labels) or isinstance(node.labels, ast.LabelOr):
            operand = self.text[node.operand.span[0] : node.operand.span[1]]
            self.replace_whole(node.span, _label_condition(node.labels, operand))

    @visit.register
    def _(self, node: ast.NodePattern, owner: Owner | None) -> None:
        labels = node.labels
        if isinstance(labels, ast.LabelAnd) and _are_names(labels.operands):
            self.replace_whole(labels.span, ":".join(quote_name(x) for x in _names(labels)))
        elif labels is not None and not _is_plain(labels) and owner is not None:
            name = quote_name(node.variable.name) if node.variable else self.new_name()
            start = node.variable.span[1] if node.variable else node.span[0] + 1
            self.replace_whole((start, labels.span[1]), "" if node.variable else name)
            self.conditions[id(owner)].append(_label_condition(labels, name))
        if node.where is not None and owner is not None:
            self.moves[id(owner)].append((self.keyword_before(node.where), node.span[1] - 1))

    @visit.register
    def _(self, node: ast.RelationshipPattern, owner: Owner | None) -> None:
        one = node.length is None and node.quantifier is None
        if node.where is not None and owner is not None and one:
            bracket = self.text.rindex("]", 0, node.span[1])
            self.moves[id(owner)].append((self.keyword_before(node.where), bracket))
        named = node.types or node.variable
        if node.quantifier is not None and named is not None:
            most = node.quantifier.maximum
            self.replace(node.quantifier.span, "")
            self.insert(
                named.span[1], f"*{node.quantifier.minimum}..{'' if most is None else most}"
            )

    def trim(self, argument: ast.Expression) -> None:
        """Neo4j reads the number in " 36.8 ", kglite does not."""
        if isinstance(argument, ast.Property) and isinstance(argument.target, ast.Variable):
            key = mangle(argument.key.value) if self.marked else argument.key.value
            text = f"{quote_name(argument.target.name)}.{quote_name(key)}"
        elif isinstance(argument, ast.Variable):
            text = quote_name(argument.name)
        else:
            return
        is_text = f"valueType({text}) STARTS WITH 'STRING'"
        self.replace_whole(argument.span, f"CASE WHEN {is_text} THEN trim({text}) ELSE {text} END")

    def insert(self, place: int, text: str) -> None:
        self.edits.append(Edit(place, place, text))

    def is_word(self, span: ast.Span) -> bool:
        return self.text[span[0] : span[1]].lower() in WORDS

    def new_name(self) -> str:
        self.fresh += 1
        return f"`_any{self.fresh}`"

    def keyword_before(self, where: ast.Expression) -> int:
        before = self.text[: where.span[0]].rstrip(" \t\r\n(")
        return len(before) - len("WHERE")

    def move_conditions(self, owner: Owner) -> None:
        """Join the inline conditions of a clause's patterns to its own WHERE."""
        conditions = self.conditions[id(owner)]
        for start, end in self.moves[id(owner)]:
            first = start + len("WHERE")
            inside = [edit for edit in self.edits if first <= edit.start and edit.end <= end]
            shifted = (Edit(e.start - first, e.end - first, e.text) for e in inside)
            conditions.append(apply(self.text[first:end], shifted).strip())
            self.edits = [edit for edit in self.edits if edit not in inside]
            self.replace((start, end), "")
        if not conditions:
            return
        added = " AND ".join(f"({condition})" for condition in conditions)
        if owner.where is not None:
            self.insert(owner.where.span[0], "(")
            self.insert(owner.where.span[1], f") AND {added}")
        else:
            last = owner.patterns[-1] if isinstance(owner, ast.Match) else owner.pattern
            self.insert(last.span[1], f" WHERE {added}")


def _walk_owned(root: ast.Node) -> Iterator[tuple[ast.Node, Owner | None]]:
    """Every node with the clause or comprehension whose WHERE takes its inline conditions.

    A path that a search chooses (`shortestPath`) has none: a condition inside it is not the same
    as one behind it.
    """
    stack: list[tuple[ast.Node, Owner | None]] = [(root, None)]
    while stack:
        node, owner = stack.pop()
        yield node, owner
        if isinstance(node, Owner):
            owner = node
        elif isinstance(node, ast.PatternExpression) or (
            isinstance(node, ast.PathPattern) and (node.function or node.selector)
        ):
            owner = None
        stack.extend((child, owner) for child in reversed(tuple(ast.children(node))))


def _is_plain(labels: ast.LabelExpression) -> bool:
    """kglite reads it as it is: one label, `A:B`, or `A|B` (which it does not take in a test)."""
    if isinstance(labels, ast.LabelName):
        return True
    if isinstance(labels, (ast.LabelAnd, ast.LabelOr)):
        joined = isinstance(labels, ast.LabelOr) or labels.colon
        return joined and _are_names(labels.operands)
    return not isinstance(labels, (ast.LabelNot, ast.LabelWildcard))


def _are_names(labels: tuple[ast.LabelExpression, ...]) -> bool:
    return all(isinstance(label, ast.LabelName) for label in labels)


def _names(labels: ast.LabelExpression) -> list[str]:
    return [label.name for label in ast.label_names(labels)]


def _label_condition(labels: ast.LabelExpression, operand: str) -> str:
    match labels:
        case ast.LabelName():
            return f"{operand}:{quote_name(labels.name)}"
        case ast.LabelNot():
            return f"NOT {_label_condition(labels.operand, operand)}"
        case ast.LabelAnd() | ast.LabelOr():
            word = " AND " if isinstance(labels, ast.LabelAnd) else " OR "
            parts = (_label_condition(item, operand) for item in labels.operands)
            return f"({word.join(parts)})"
        case _:
            return f"size(labels({operand})) > 0"


def _mangled(key: str) -> str:
    names = ", ".join(f"'{name}'" for name in sorted(RESERVED))
    return f"CASE WHEN {key} IN [{names}] THEN {key} + '{SUFFIX}' ELSE {key} END"


def _unmangled(key: str) -> str:
    names = ", ".join(f"'{name}{SUFFIX}'" for name in sorted(RESERVED))
    return f"CASE WHEN {key} IN [{names}] THEN left({key}, size({key}) - 2) ELSE {key} END"
