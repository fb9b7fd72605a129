"""What every graph database does alike. `notimpl` marks what an engine lacks."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, date, datetime

import pytest

from groundwire.database import CanExplain
from groundwire.database.graph import CanNotify, GraphDatabase
from groundwire.database.graph_values import Node, Path, Relationship
from groundwire.database.values import Interval
from groundwire.errors import (
    Cancelled,
    GroundwireError,
    QueryError,
    QueryTimeout,
    ReadOnlyError,
    UsageError,
)
from tests.database.graph.village import NODES, RELATIONSHIPS
from tests.graph_fixtures import NewGraph

ENDLESS = """
UNWIND range(1, 9000) AS x UNWIND range(1, 9000) AS y UNWIND range(1, 9000) AS z
WITH x, y, z WHERE x * y * z % 7 = 3 RETURN count(*)
"""
PEOPLE = "MATCH (p:Person) RETURN p.name ORDER BY p.name"


class TestResults:
    def test_rows_are_tuples_and_columns_are_named_by_the_text(self, graph: GraphDatabase):
        result = graph.execute(
            "MATCH (p:Person) WHERE p.born IS NOT NULL "
            "RETURN p.name, p.born AS year, count( * ), toUpper(p.name) ORDER BY year"
        )
        names = [column.name for column in result.columns]
        assert names == ["p.name", "year", "count( * )", "toUpper(p.name)"]
        assert result.rows == (("Ann", 1960, 1, "ANN"), ("Bob", 1970, 1, "BOB"))
        assert [column.type for column in result.columns] == [
            "STRING",
            "INTEGER",
            "INTEGER",
            "STRING",
        ]
        assert result.elapsed > 0

    def test_an_empty_result_still_has_columns(self, graph: GraphDatabase):
        result = graph.execute("MATCH (p:Person) WHERE p.born < 0 RETURN p.name, p.born")
        assert [column.name for column in result.columns] == ["p.name", "p.born"]
        assert result.rows == ()
        assert not result.truncated

    @pytest.mark.parametrize(
        ("cap", "rows", "truncated"), [(0, 0, True), (3, 3, True), (4, 4, False), (5, 4, False)]
    )
    def test_a_cap_is_kept_and_said(self, graph: GraphDatabase, cap, rows, truncated):
        result = graph.execute(PEOPLE, max_rows=cap)
        assert (len(result.rows), result.truncated) == (rows, truncated)

    def test_the_cap_is_a_setting(self, village: NewGraph):
        with village.connect(max_rows=2) as database:
            assert database.execute(PEOPLE).rows == (("Ann",), ("Bob",))

    def test_parameters_are_values_never_text(self, graph: GraphDatabase):
        statement = "MATCH (p:Person) WHERE p.name = $name OR p.born IN $years RETURN p.name AS n"
        assert graph.execute(statement, {"name": "Ann'--", "years": [1970]}).rows == (("Bob",),)
        assert graph.execute("RETURN $map.title AS t", {"map": {"title": 1}}).rows == ((1,),)
        with pytest.raises(UsageError, match="have names"):
            graph.execute("RETURN $x", [1])

    def test_a_missing_parameter_is_said(self, graph: GraphDatabase):
        with pytest.raises(QueryError, match="x") as caught:
            graph.execute("RETURN $x AS x")
        assert "parameter" in caught.value.hint

    def test_the_json_form_is_strict_json(self, graph: GraphDatabase):
        result = graph.execute("MATCH p = (:Person {name: 'Ann'})-[:KNOWS]->() RETURN p, nodes(p)")
        form = json.loads(json.dumps(result.to_json(), allow_nan=False))
        path = form["rows"][0][0]
        assert [node["properties"]["name"] for node in path["nodes"]] == ["Ann", "Bob"]
        assert path["relationships"][0]["type"] == "KNOWS"
        assert form["columns"][0] == {"name": "p", "type": "PATH"}

    def test_a_trailing_semicolon_and_comments_are_no_matter(self, graph: GraphDatabase):
        text = "/* who */ MATCH (p:Person) // all\nRETURN count(p) AS n ;"
        assert graph.execute(text).rows == ((4,),)

    def test_union_takes_its_names_from_the_first_branch(self, graph: GraphDatabase):
        result = graph.execute("RETURN 1 AS n UNION ALL RETURN 2 AS n")
        assert [column.name for column in result.columns] == ["n"]
        assert result.rows == ((1,), (2,))


class TestValues:
    def test_a_node_has_its_labels_and_its_own_properties(self, graph: GraphDatabase):
        ((bob, anybody, pub),) = graph.execute(
            "MATCH (b:Actor), (d:Person {name: 'Dee'}), (p:Pub) RETURN b, d, p"
        ).rows
        assert isinstance(bob, Node)
        assert set(bob.labels) == {"Person", "Actor"}
        assert bob.properties == {"name": "Bob", "born": 1970, "title": "Sir"}
        dee = {"name": "Dee", "id": 77, "type": "guest", "end": "soon"}
        assert anybody.properties == dee
        assert pub.properties["embedding"] == [0.5] * 128

    def test_a_relationship_knows_its_ends(self, graph: GraphDatabase):
        ((a, r, b),) = graph.execute(
            "MATCH (a)-[r:VISITS {type: 'evening'}]->(b) RETURN a, r, b"
        ).rows
        assert isinstance(r, Relationship)
        assert (r.start, r.type, r.end) == (a.id, "VISITS", b.id)
        assert r.properties == {"type": "evening", "days": ["Mon", "Fri"]}

    def test_a_path_has_its_parts_in_order(self, graph: GraphDatabase):
        ((path,),) = graph.execute(
            "MATCH p = (:Person {name: 'Cid'})-[:KNOWS]->()-[:MARRIED_TO]->() RETURN p"
        ).rows
        assert isinstance(path, Path)
        assert [node.properties["name"] for node in path.nodes] == ["Cid", "Ann", "Bob"]
        assert [step.type for step in path.relationships] == ["KNOWS", "MARRIED_TO"]

    def test_dates_and_times_are_pythons(self, graph: GraphDatabase):
        ((opened, at, local, starts),) = graph.execute(
            "MATCH (p:Pub)-[:HOSTS]->(e) RETURN p.opened, e.at, e.local, e.starts"
        ).rows
        assert opened == date(1850, 5, 1)
        assert at == datetime(2024, 5, 1, 16, 30, tzinfo=UTC)
        assert local == datetime(2024, 5, 1, 18, 30, 15)
        assert (starts.hour, starts.minute, starts.tzinfo) == (18, 30, None)

    def test_durations_keep_their_months(self, graph: GraphDatabase):
        result = graph.execute("RETURN duration('P1Y2M3DT4.5S') AS d")
        assert result.rows == ((Interval(14, 3, 4, 500_000_000),),)
        assert result.columns[0].type == "DURATION"
        assert result.to_json()["rows"] == [["P1Y2M3DT4.5S"]]

    def test_points_have_longitude_first(self, graph: GraphDatabase):
        result = graph.execute("RETURN point({latitude: 1.5, longitude: 2.5}) AS p")
        assert result.to_json()["rows"] == [[{"srid": 4326, "coordinates": [2.5, 1.5]}]]

    def test_maps_lists_and_null(self, graph: GraphDatabase):
        ((value, nothing),) = graph.execute(
            "MATCH (p:Person {name: 'Ann'}) RETURN {id: 1, name: p.name, xs: [1, 2.5]} AS m, null"
        ).rows
        assert value == {"id": 1, "name": "Ann", "xs": [1, 2.5]}
        assert nothing is None


class TestNamesWithAMeaning:
    """kglite gives `id`, `title`, `type`, `name` and the like a meaning that Cypher has not."""

    @pytest.mark.parametrize(
        ("expression", "values"),
        [
            ("p.title", [None, "Sir", None, None]),
            ("p.id", [None, None, None, 77]),
            ("p.type", [None, None, None, "guest"]),
            ("p.label", [None] * 4),
            ("p['title']", [None, "Sir", None, None]),
            ("p.end", [None, None, None, "soon"]),
            ("p {.title}.title", [None, "Sir", None, None]),
            ("properties(p).type", [None, None, None, "guest"]),
            ("[k IN ['title', 'id'] | p[k]][0]", [None, "Sir", None, None]),
        ],
    )
    def test_a_property_nobody_stored_is_null(self, graph: GraphDatabase, expression, values):
        rows = graph.execute(f"MATCH (p:Person) RETURN {expression} AS v ORDER BY p.name").rows
        assert [row[0] for row in rows] == values

    @pytest.mark.notimpl("neo4j", reason="the loader keeps a node's id in a property there")
    def test_keys_counts_what_was_stored(self, graph: GraphDatabase):
        rows = graph.execute("MATCH (p:Person) RETURN size(keys(p)) AS n ORDER BY p.name").rows
        assert rows == ((4,), (3,), (2,), (4,))

    def test_a_list_of_keys_is_of_what_was_stored(self, graph: GraphDatabase):
        ((keys,),) = graph.execute("MATCH (p:Person {id: 77}) RETURN keys(p)").rows
        assert sorted(keys) == ["end", "id", "name", "type"]

    @pytest.mark.notimpl("neo4j", reason="the loader keeps a node's id in a property there")
    def test_keys_lists_what_was_stored(self, graph: GraphDatabase):
        rows = graph.execute("MATCH (p:Person {id: 77}) UNWIND keys(p) AS k RETURN k ORDER BY k")
        assert [row[0] for row in rows.rows] == ["end", "id", "name", "type"]

    def test_all_properties_of_a_projection(self, graph: GraphDatabase):
        ((found,),) = graph.execute("MATCH (p:Person {type: 'guest'}) RETURN p {.*, x: 1}").rows
        assert found == {"name": "Dee", "id": 77, "type": "guest", "end": "soon", "x": 1}

    def test_a_filter_on_one_is_a_filter_on_what_was_stored(self, graph: GraphDatabase):
        count = "MATCH (n) WHERE n.title IS NOT NULL OR n.type = 'Pub' RETURN count(*)"
        assert graph.execute(count).rows == ((1,),)
        assert graph.execute("MATCH (n {name: 'Ann'}) RETURN n.title").rows == ((None,),)

    def test_relationships_too(self, graph: GraphDatabase):
        rows = graph.execute(
            "MATCH ()-[r:VISITS]->() RETURN r.type AS t, r.start, r.id ORDER BY t"
        ).rows
        assert rows == (("evening", None, None), ("noon", None, None), (None, None, None))


class TestCypher:
    """Constructs that models write."""

    @pytest.mark.parametrize(
        ("text", "rows"),
        [
            ("MATCH (p:Person WHERE p.born > 1965)-[:KNOWS]->(q) RETURN p.name, q.name", "Bob Ann"),
            ("MATCH (p)-[:KNOWS|:MARRIED_TO]->(q {name: 'Bob'}) RETURN p.name, q.name", "Ann Bob"),
            ("MATCH (p:Person&Actor) RETURN p.name", "Bob"),
            ("MATCH (p:Person&!Actor WHERE p.born > 0) RETURN p.name", "Ann"),
            ("MATCH (p:Actor|Pub) RETURN p.name", "Bob, The Swan"),
            ("MATCH (p) WHERE p:Actor|Pub AND p.born > 0 RETURN p.name", "Bob"),
            ("MATCH (p {name: 'Cid'})-[:KNOWS]->{2,2}(q) RETURN q.name", "Bob"),
            ("MATCH (p {name: 'Cid'})-[:KNOWS*2..2]->(q) RETURN q.name", "Bob"),
            ("MATCH (p:Person) WHERE isEmpty(p.tags) OR size(p.tags) = 2 RETURN p.name", "Ann"),
            ("MATCH (h:`Big House`)<-[:`LIVES IN`]-(p) RETURN p.name", "Ann, Cid"),
            ("MATCH (o:`Odd``Label`) RETURN o.`a``b`", "1"),
            ("MATCH (p:Person) WHERE p.`age in years` = 44 RETURN p.name", "Cid"),
            ("MATCH (p:Person) WHERE EXISTS { (p WHERE p.born > 1965)-[:KNOWS]->(:Person) } "
             "RETURN p.name", "Bob"),
            ("MATCH (p {name: 'Ann'}) RETURN [(p)-[:KNOWS]->(q WHERE q.born > 0) | q.name]",
             "['Bob']"),
            ("MATCH (p:Person) WHERE 'singer' IN p.tags RETURN p.name", "Ann"),
            ("MATCH (`match`:Person {name: 'Ann'}) RETURN `match`.name AS end", "Ann"),
            ("MATCH (p:Person {name: 'Ann'}) CALL { WITH p MATCH (p)-->(q) RETURN count(q) AS n } "
             "RETURN n", "5"),
            ("UNWIND [' 36.8 ', '7', 5, 'x', null] AS t RETURN toFloat(t), toInteger(t)",
             "36.8 None, 5.0 5, 7.0 7, None None"),
            ("MATCH (p:Person) RETURN percentileCont(p.born, 0.5) AS m", "1965.0"),
            ("MATCH (p:Person {name: 'Cid'}), (q:Person {name: 'Bob'}) "
             "MATCH s = shortestPath((p)-[*]-(q)) RETURN length(s)", "2"),
        ],
    )  # fmt: skip
    def test_it_is_read(self, graph: GraphDatabase, text, rows):
        found = graph.execute(text).rows
        assert ", ".join(sorted({" ".join(str(v) for v in row) for row in found})) == rows

    @pytest.mark.notimpl("kglite", reason="no COLLECT subqueries")
    def test_collect_subqueries(self, graph: GraphDatabase):
        text = (
            "MATCH (p {name: 'Cid'}) RETURN COLLECT { MATCH (p)-[:KNOWS]->(q) RETURN q.name } AS x"
        )
        assert graph.execute(text).rows == ((["Ann"],),)

    @pytest.mark.notimpl("kglite", reason="no quantified paths of more than one relationship")
    def test_quantified_paths(self, graph: GraphDatabase):
        text = "MATCH (p {name: 'Cid'}) ((a)-[:KNOWS]->(b)){2} (q) RETURN q.name"
        assert graph.execute(text).rows == (("Bob",),)

    @pytest.mark.parametrize(("part", "value"), [("months", 14), ("years", 1)])
    def test_months_between_dates(self, graph: GraphDatabase, part, value):
        text = f"RETURN duration.between(date('2020-01-01'), date('2021-03-05')).{part} AS m"
        assert graph.execute(text).rows == ((value,),)

    @pytest.mark.notimpl("kglite", reason="its durations between two dates have no months")
    def test_the_duration_between_dates(self, graph: GraphDatabase):
        text = "RETURN duration.between(date('2020-01-01'), date('2021-03-05')) AS d"
        assert graph.execute(text).rows == ((Interval(14, 4, 0, 0),),)

    @pytest.mark.notimpl("kglite", reason="no Cartesian points")
    def test_cartesian_points(self, graph: GraphDatabase):
        result = graph.execute("RETURN point({x: 1, y: 2}) AS p")
        assert result.to_json()["rows"] == [[{"srid": 7203, "coordinates": [1.0, 2.0]}]]


class TestReadOnly:
    @pytest.mark.parametrize(
        "text",
        [
            "CREATE (:Person {name: 'Eve'})",
            "MATCH (n) DETACH DELETE n",
            "MATCH (n) SET n.x = 1 RETURN n",
            "MATCH (n) REMOVE n.name",
            "MERGE (n:Person {name: 'Eve'}) RETURN n",
            "MATCH (n) FOREACH (x IN [1] | SET n.x = x)",
            "MATCH (n) CALL (n) { SET n.x = 1 } RETURN n",
            "CALL { CREATE (n) } IN TRANSACTIONS",
            "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
            "CREATE INDEX FOR (n:Person) ON (n.name)",
            "RETURN 1; MATCH (n) DETACH DELETE n",
            "MATCH (n) RETURN n; RETURN 1",
            "CALL db.createLabel('X')",
            "CALL apoc.cypher.doIt('CREATE (n)', {})",
            "RETURN apoc.cypher.runFirstColumnSingle('CREATE (n)', {})",
            "SHOW USERS",
            "USE system MATCH (n) RETURN n",
            "MATCH (n) \\u0053ET n.x = 1",
        ],
    )
    def test_what_does_not_only_read_is_refused(self, graph: GraphDatabase, text):
        before = graph.execute("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN n, r").rows
        with pytest.raises(ReadOnlyError) as caught:
            graph.execute(text)
        assert caught.value.message.endswith(".")
        assert graph.execute("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN n, r").rows == before

    @pytest.mark.parametrize(
        "text",
        [
            "MATCH (n) WHERE n.name = 'DELETE; SET' RETURN n.deleted, n.`create`",
            "// CREATE (n)\nMATCH (n) RETURN n LIMIT 1",
            "CALL db.labels() YIELD label RETURN label",
        ],
    )
    def test_words_in_other_places_are_no_matter(self, graph: GraphDatabase, text):
        assert graph.execute(text).columns

    def test_what_cannot_be_read_is_not_run(self, graph: GraphDatabase):
        with pytest.raises(QueryError):
            graph.execute("MATCH (n RETURN n")
        with pytest.raises(QueryError):
            graph.execute("")


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("MATCH (n) RETURN m", "m"),
            ("RETURN nosuch(1)", "nosuch"),
            ("MATCH (n:Person RETURN n", "RETURN"),
            ("RETURN 1/0 AS x", "zero"),
        ],
    )
    def test_the_reason_is_in_the_message(self, graph: GraphDatabase, text, words):
        with pytest.raises(QueryError, match=words) as caught:
            graph.execute(text)
        assert caught.value.code
        assert graph.execute("RETURN 1 AS x").rows == ((1,),)

    def test_a_time_limit_holds(self, graph: GraphDatabase):
        started = time.perf_counter()
        with pytest.raises(QueryTimeout, match=r"1 seconds") as caught:
            graph.execute(ENDLESS, timeout=1)
        assert time.perf_counter() - started < 15
        assert "GROUNDWIRE_QUERY_TIMEOUT" in caught.value.hint
        assert graph.execute("RETURN 1 AS x").rows == ((1,),)

    def test_a_query_is_cancelled_from_another_thread(self, graph: GraphDatabase):
        timer = threading.Timer(0.5, graph.cancel)
        started = time.perf_counter()
        timer.start()
        with pytest.raises(Cancelled):
            graph.execute(ENDLESS, timeout=60)
        assert time.perf_counter() - started < 20
        assert graph.execute("RETURN 1 AS x").rows == ((1,),)

    def test_cancelling_nothing_is_fine(self, graph: GraphDatabase):
        graph.cancel()
        assert graph.execute("RETURN 1 AS x").rows == ((1,),)

    @pytest.mark.parametrize("limits", [{"max_rows": -1}, {"timeout": 0}])
    def test_senseless_limits_are_refused(self, graph: GraphDatabase, limits):
        with pytest.raises(UsageError):
            graph.execute("RETURN 1", **limits)

    def test_threads_take_turns(self, graph: GraphDatabase):
        results: list[object] = []
        threads = [
            threading.Thread(target=lambda: results.append(graph.execute(PEOPLE).rows))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [graph.execute(PEOPLE).rows] * 8

    def test_a_closed_database_says_so(self, village: NewGraph):
        database = village.connect()
        database.close()
        database.close()
        with pytest.raises(UsageError, match="closed"):
            database.execute("RETURN 1")


class TestPlans:
    def test_a_plan_has_an_estimate_and_runs_nothing(self, graph: GraphDatabase):
        assert isinstance(graph, CanExplain)
        plan = graph.explain("MATCH (p:Person) RETURN p")
        assert plan.rows is not None
        assert plan.rows > 0
        assert "Person" in plan.text
        with pytest.raises(ReadOnlyError):
            graph.explain("CREATE (n)")

    def test_unknown_names_are_remarked(self, graph: GraphDatabase):
        assert isinstance(graph, CanNotify)
        text = "MATCH (p:Persn)-[:KNOWZ]->(q:Person) RETURN q.nmae"
        found = {note.code: note for note in graph.notifications(text)}
        assert set(found) >= {"01N50", "01N51"}
        assert "Persn" in found["01N50"].message
        for code, word in (("01N50", "Persn"), ("01N51", "KNOWZ"), ("01N52", "nmae")):
            if code in found and found[code].offset is not None:
                assert text[found[code].offset :].startswith(word)

    def test_a_good_query_has_no_remark(self, graph: GraphDatabase):
        assert isinstance(graph, CanNotify)
        assert graph.notifications("MATCH (p:Person)-[:KNOWS]->(q) RETURN q.name") == ()


def test_functions_of_its_own_are_known_in_small_letters(graph: GraphDatabase):
    assert "text_edit_distance" in graph.functions or graph.dialect == "neo4j"
    assert all(name == name.lower() for name in graph.functions)


def test_the_version_names_the_product(graph: GraphDatabase):
    assert graph.server_version().split()[0].lower() == graph.dialect


def test_language_and_dialect(graph: GraphDatabase, village: NewGraph):
    assert (graph.language, graph.dialect) == ("cypher", village.engine)


def test_a_name_is_quoted(graph: GraphDatabase):
    assert graph.quote("Odd`Label") == "`Odd``Label`"


def test_the_village_is_stored_as_it_was_given(graph: GraphDatabase):
    assert graph.execute("MATCH (n) RETURN count(n)").rows == ((len(NODES),),)
    assert graph.execute("MATCH ()-[r]->() RETURN count(r)").rows == ((len(RELATIONSHIPS),),)


@pytest.mark.parametrize(
    ("exclude", "text"),
    [("Person.born", "MATCH (p:Person {name: 'Ann'}) RETURN p"), ("*.born", "MATCH (p) RETURN p")],
)
def test_an_excluded_property_is_not_in_a_node(village: NewGraph, exclude, text):
    with village.connect(exclude=(exclude,)) as database:
        for (found,) in database.execute(text).rows:
            assert "born" not in found.properties


def test_every_error_says_what_to_do(graph: GraphDatabase):
    for text in ("CREATE (n)", "RETURN 1; RETURN 2"):
        with pytest.raises(GroundwireError) as caught:
            graph.execute(text)
        assert caught.value.hint
