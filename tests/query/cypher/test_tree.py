"""The tree: what each part says, and where it stands."""

from __future__ import annotations

import pytest

from groundwire.query.cypher import ast, parse
from groundwire.query.edits import Edit, apply


def text_of(text: str, node: ast.Node) -> str:
    return text[node.span[0] : node.span[1]]


def only(text: str, kind: type[ast.Node]) -> ast.Node:
    (node,) = parse(text).find(kind)
    return node


@pytest.mark.parametrize(
    ("arrow", "direction"),
    [("-[:R]->", "right"), ("<-[:R]-", "left"), ("-[:R]-", "both"), ("<-[:R]->", "both")],
)
def test_a_relationship_knows_its_direction_and_where_its_arrow_is(
    arrow: str, direction: str
) -> None:
    text = f"MATCH (a) {arrow} (b) RETURN a"
    (relationship,) = parse(text).find(ast.RelationshipPattern)
    assert relationship.direction == direction
    assert text_of(text, relationship) == arrow


def test_an_arrow_is_turned_by_editing_single_characters() -> None:
    text = "MATCH (a)<-[r:R {x: '<-'}]-(b) RETURN a"
    (relationship,) = parse(text).find(ast.RelationshipPattern)
    assert relationship.left_head is not None
    end = relationship.span[1]
    turned = apply(text, [Edit(*relationship.left_head, ""), Edit(end, end, ">")])
    assert turned == "MATCH (a)-[r:R {x: '<-'}]->(b) RETURN a"
    (again,) = parse(turned).find(ast.RelationshipPattern)
    assert again.direction == "right"


def test_an_arrow_of_other_characters_is_an_arrow() -> None:
    (relationship,) = parse("MATCH (a)⟨—[:R]–(b) RETURN a").find(ast.RelationshipPattern)
    assert relationship.direction == "left"


def test_each_label_and_type_has_its_own_place() -> None:
    text = "MATCH (a:`My Label`|B&!C)-[:X|:Y*2..3]->() RETURN a"
    names = [(name.name, text_of(text, name)) for name in parse(text).find(ast.LabelName)]
    assert names == [("My Label", "`My Label`"), ("B", "B"), ("C", "C"), ("X", "X"), ("Y", "Y")]
    (length,) = parse(text).find(ast.Length)
    assert (length.minimum, length.maximum, text_of(text, length)) == (2, 3, "*2..3")


@pytest.mark.parametrize(
    ("written", "minimum", "maximum"),
    [("*", None, None), ("*2", 2, 2), ("*2..", 2, None), ("*..3", None, 3)],
)
def test_a_variable_length_has_its_bounds(
    written: str, minimum: int | None, maximum: int | None
) -> None:
    length = only(f"MATCH ()-[{written}]-() RETURN 1", ast.Length)
    assert isinstance(length, ast.Length)
    assert (length.minimum, length.maximum) == (minimum, maximum)


@pytest.mark.parametrize(
    ("written", "minimum", "maximum"), [("+", 1, None), ("*", 0, None), ("{2,}", 2, None)]
)
def test_a_quantifier_has_its_bounds(written: str, minimum: int, maximum: int | None) -> None:
    quantifier = only(f"MATCH (a)-[:R]->{written}(b) RETURN a", ast.Quantifier)
    assert isinstance(quantifier, ast.Quantifier)
    assert (quantifier.minimum, quantifier.maximum) == (minimum, maximum)


def test_a_string_that_looks_like_a_pattern_is_a_string() -> None:
    text = "MATCH (a {note: '(b)-[:X]->(c)'}) RETURN a"
    assert len(parse(text).find(ast.NodePattern)) == 1


def test_operators_bind_as_the_manual_says() -> None:
    text = "RETURN NOT a OR b AND c = 1 + 2 * 3"
    (logical,) = (n for n in parse(text).find(ast.Logical) if n.operator == "OR")
    assert [text_of(text, operand) for operand in logical.operands] == [
        "NOT a",
        "b AND c = 1 + 2 * 3",
    ]
    assert [text_of(text, node) for node in parse(text).find(ast.Binary)] == [
        "c = 1 + 2 * 3",
        "1 + 2 * 3",
        "2 * 3",
    ]


def test_a_place_counts_characters_of_the_original_text() -> None:
    text = "RETURN \\u0027a\\u0027 AS x, b"
    (literal,) = parse(text).find(ast.Literal)
    assert literal.value == "a"
    assert text_of(text, literal) == "\\u0027a\\u0027"
    assert parse(text).errors[0].offset == text.index("b")


def test_an_escape_can_end_a_comment() -> None:
    query = parse("MATCH (n) RETURN n /* \\u002A/ DETACH DELETE n /* */")
    assert len(query.find(ast.Delete)) == 1


def test_numbers_and_strings_have_their_values() -> None:
    literals = parse("RETURN -5, 0x1F, 0o17, 1_000, -1.5e3, 'a\\'\\n', true, null").find(
        ast.Literal
    )
    assert [literal.value for literal in literals] == [
        -5,
        31,
        15,
        1000,
        -1500.0,
        "a'\n",
        True,
        None,
    ]


def test_a_function_has_its_whole_name_and_arguments() -> None:
    text = "RETURN apoc.text.join(['a'], ',') AS x, count(*), COUNT(DISTINCT n.x)"
    join, star, distinct = parse(text).find(ast.FunctionCall)
    assert (join.name, len(join.arguments)) == ("apoc.text.join", 2)
    assert text[slice(*join.name_span)] == "apoc.text.join"
    assert star.star
    assert distinct.distinct


def test_a_procedure_call_has_its_name_arguments_and_columns() -> None:
    (call,) = parse("CALL db.x.y(1, $p) YIELD a, b AS c RETURN a").find(ast.CallProcedure)
    assert (call.name, len(call.arguments or ())) == ("db.x.y", 2)
    assert [item.variable.name for item in call.yields or ()] == ["a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a) WHERE EXISTS { (a)-[:R]->(b) } RETURN a",
        "MATCH (a) RETURN COUNT { MATCH (a)-[:R]->(b) }",
        "MATCH (a) RETURN [(a)-[:R]->(b) | b]",
        "MATCH (a) CALL (a) { MATCH (a)-[:R]->(b) RETURN b } RETURN b",
        "MATCH (a) WHERE (a)-[:R]->() RETURN a",
        "OPTIONAL MATCH (a)-[:R]->(b) RETURN a",
        "MATCH (a)((x)-[:R]->(y))+(b) RETURN a",
        "RETURN 1 AS a UNION MATCH (a)-[:R]->(b) RETURN a",
        "MATCH p = shortestPath((a)-[:R]->(b)) RETURN p",
    ],
)
def test_relationships_are_found_wherever_they_stand(text: str) -> None:
    (relationship,) = parse(text).find(ast.RelationshipPattern)
    assert relationship.direction == "right"


def test_the_statements_of_a_text_are_counted() -> None:
    assert len(parse("RETURN 1;").statements) == 1
    assert len(parse("RETURN 1; MATCH (n) DETACH DELETE n").statements) == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("MATCH (n) RETURN n", []),
        ("MATCH (n) SET n.x = 1 REMOVE n.y DELETE n", ["Set", "Remove", "Delete"]),
        ("CREATE (n) MERGE (m)", ["Create", "Merge"]),
        ("MATCH (n) CALL { WITH n CREATE (m) }", ["Create"]),
        ("UNWIND [1] AS x FOREACH (y IN [1] | CREATE ())", ["Foreach", "Create"]),
        ("LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", ["LoadCsv"]),
        ("CREATE INDEX x FOR (n:A) ON (n.b)", ["Command"]),
        ("SHOW USERS", ["Command"]),
        (
            "UNWIND [1] AS x CALL { WITH x RETURN 1 AS y } IN TRANSACTIONS RETURN y",
            ["CallSubquery"],
        ),
        ("MATCH (n) RETURN 'CREATE (m)', n.delete", []),
    ],
)
def test_the_clauses_that_do_more_than_read_are_named(text: str, names: list[str]) -> None:
    assert [type(clause).__name__ for clause in parse(text).writes] == names


def test_a_command_is_named_by_its_first_words() -> None:
    (command,) = parse("DROP CONSTRAINT x IF EXISTS").find(ast.Command)
    assert command.words[:2] == ("DROP", "CONSTRAINT")
