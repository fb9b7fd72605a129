"""Statements about every text."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.query.cypher import ast, parse
from groundwire.query.edits import Edit, apply

names = st.sampled_from(["a", "b", "person", "`x y`", "count", "match"])
labels = st.sampled_from(["", ":A", ":A:B", ":A|B", ":`x y`&!C"])
literals = st.sampled_from(["1", "-2.5", "'it\\'s'", '"a->b"', "true", "null", "$p", "[1, 'x']"])


@st.composite
def expressions(draw: st.DrawFn, variable: str, depth: int = 2) -> str:
    """An expression over one variable that Neo4j takes."""
    if depth == 0:
        return draw(st.one_of(literals, st.just(f"{variable}.x")))
    inner = expressions(variable, depth - 1)
    left, right = draw(inner), draw(inner)
    forms = [
        f"{left} = {right}",
        f"({left}) IS NULL",
        f"coalesce({left}, {right})",
        f"[x IN [{left}] | x]",
        f"{{k: {left}}}.k",
        f"CASE WHEN ({left}) = ({right}) THEN {left} END",
        f"EXISTS {{ ({variable})-->() }}",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A query that Neo4j takes."""
    variable = draw(names)
    arrow = draw(st.sampled_from(["-[:R]->", "<-[:R|S*1..2]-", "--", "-[r {k: 1}]-"]))
    where = draw(st.sampled_from(["", " WHERE ", "\nwhere  "]))
    condition = f"({draw(expressions(variable))}) = 1" if where else ""
    gap = draw(st.sampled_from([" ", "\n", " /* c */ ", " // c\n"]))
    return (
        f"MATCH ({variable}{draw(labels)}){arrow}(){gap}{where}{condition} "
        f"RETURN {draw(expressions(variable))} AS result"
    )


def without_places(value: Any) -> Any:
    """A tree without its spans."""
    if isinstance(value, ast.Node):
        return (
            type(value).__name__,
            *(
                without_places(getattr(value, field.name))
                for field in dataclasses.fields(value)
                if "span" not in field.name and field.name != "bars" and "head" not in field.name
            ),
        )
    if isinstance(value, tuple):
        return tuple(without_places(item) for item in value)
    return value


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_gets_an_answer(text: str) -> None:
    query = parse(text)
    assert query.ok == (not query.errors)
    assert all(0 <= problem.offset <= len(text) for problem in query.errors)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_get_an_answer(data: bytes) -> None:
    parse(data.decode("utf-8", errors="replace"))
    parse(data.decode("latin-1"))


_WORDS = """
    MATCH OPTIONAL WHERE RETURN WITH UNWIND CALL UNION AS IN NOT AND CASE WHEN THEN END EXISTS count
    reduce ( ) [ ] { } : | - > < = + . .. , ; 'a' " ` 1 1.5 $ \\u0041 \\u a n /* */ //
"""
WORDS = _WORDS.split()


@given(st.lists(st.sampled_from(WORDS), max_size=40))
@settings(max_examples=400, deadline=None)
def test_any_tokens_get_an_answer(words: list[str]) -> None:
    query = parse(" ".join(words))
    for node in query.nodes:
        assert 0 <= node.span[0] <= node.span[1] <= len(query.text)


@given(queries())
@settings(max_examples=200, deadline=None)
def test_a_query_that_neo4j_takes_is_taken(text: str) -> None:
    assert parse(text).errors == ()


@given(queries())
@settings(max_examples=100, deadline=None)
def test_a_part_lies_within_the_part_that_holds_it(text: str) -> None:
    for node in parse(text).nodes:
        for child in ast.children(node):
            assert node.span[0] <= child.span[0] <= child.span[1] <= node.span[1]


@given(queries(), st.data())
@settings(max_examples=200, deadline=None)
def test_an_edit_changes_nothing_but_what_it_replaces(text: str, data: st.DataObject) -> None:
    before = parse(text)
    literals_ = [node for node in before.find(ast.Literal) if isinstance(node.value, str)]
    targets = [*literals_, *before.find(ast.LabelName)]
    if not targets:
        return
    target = data.draw(st.sampled_from(targets))
    new = "'new -> value'" if isinstance(target, ast.Literal) else "`New Name`"
    after = parse(apply(text, [Edit(*target.span, new)]))
    old_nodes = [without_places(node) for node in before.nodes]
    new_nodes = [without_places(node) for node in after.nodes]
    assert len(old_nodes) == len(new_nodes)
    changed = before.nodes.index(target)
    inside = {
        i
        for i, node in enumerate(before.nodes)
        if node.span[0] <= target.span[0] and target.span[1] <= node.span[1]
    }
    assert changed in inside
    for i, (old, new_node) in enumerate(zip(old_nodes, new_nodes, strict=True)):
        assert i in inside or old == new_node


@given(queries(), st.sampled_from([" ", "\n", " /* ( */ ", "\t"]), st.data())
@settings(max_examples=100, deadline=None)
def test_white_space_and_comments_say_nothing(text: str, gap: str, data: st.DataObject) -> None:
    before = parse(text)
    node = data.draw(st.sampled_from(before.find(ast.Clause)))
    after = parse(apply(text, [Edit(node.span[0], node.span[0], gap)]))
    assert [without_places(s) for s in before.statements] == [
        without_places(s) for s in after.statements
    ]
