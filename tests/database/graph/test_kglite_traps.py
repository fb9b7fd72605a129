"""What kglite does of itself, and why `groundwire.database.kglite` does not leave it so.

These run on every upgrade of kglite. One that fails because kglite has become better allows
something to be taken out.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import kglite
import pytest

from groundwire.database import connect
from groundwire.database.graph_kglite_passes import DISABLED, disabled_passes
from groundwire.database.graph_load import load_graph
from groundwire.errors import QueryError, ReadOnlyError
from groundwire.query.cypher import parse
from tests.graph_fixtures import edge, node


@pytest.fixture(autouse=True)
def _silent() -> None:
    kglite.set_query_warning_policy("silent")


def chain() -> Any:
    graph = kglite.KnowledgeGraph()
    graph.cypher("CREATE (a:P {x: 1}), (b:P {x: 2}), (c:P {x: 3}), (a)-[:R]->(b), (b)-[:R]->(c)")
    return graph


class TestCountsOverUndirectedHops:
    QUERY = "MATCH (a:P)-[:R]-(b)-[:R]->(c) RETURN count(*) AS n"

    def test_kglite_counts_nothing(self):
        assert chain().cypher(self.QUERY).to_list() == [{"n": 0}]

    def test_without_the_pass_it_counts(self):
        assert chain().cypher(self.QUERY, disabled_passes=list(DISABLED)).to_list() == [{"n": 1}]
        assert set(DISABLED) <= set(kglite.cypher_pass_names())

    def test_freeze_and_session_do_not_take_the_argument(self):
        frozen = kglite.KnowledgeGraph().freeze()
        assert "disabled_passes" not in inspect.getdoc(type(frozen).cypher)
        with pytest.raises(TypeError):
            frozen.cypher("RETURN 1", disabled_passes=list(DISABLED))


class TestAggregatesThatAPassChanges:
    """Each query with the first trap's pass off: wrong; with those that we disable off: right."""

    MAKE = """CREATE (a:P {x: 1})-[:R]->(b:Q {x: 2}), (a)-[:R]->(b), (a)-[:R]->(:Q {x: 3}),
        (:P {x: 4})-[:R]->(b)"""

    @pytest.mark.parametrize(
        ("text", "wrong", "right"),
        [
            (
                "MATCH (p:P)-[r:R]->(q:Q) WITH p, count(r) AS n, count(DISTINCT q) AS m "
                "RETURN p.x AS x, n, m ORDER BY x",
                [(1, 2, 2), (4, 1, 1)],
                [(1, 3, 2), (4, 1, 1)],
            ),
            (
                "MATCH (p:P) OPTIONAL MATCH (p)-[r:R]->(q:Q) WITH p, q, count(r) AS n "
                "RETURN p.x AS x, q.x AS y, n ORDER BY x, y",
                [(1, None, 3), (4, None, 1)],
                [(1, 2, 2), (1, 3, 1), (4, 2, 1)],
            ),
        ],
    )
    def test_it_is_so(self, text, wrong, right):
        graph = kglite.KnowledgeGraph()
        graph.cypher(self.MAKE)

        def rows(passes: list[str]) -> list[tuple[Any, ...]]:
            return [tuple(row.values()) for row in graph.cypher(text, disabled_passes=passes)]

        assert rows(list(DISABLED)) == wrong
        assert rows(disabled_passes(parse(text))) == right

    def test_all_names_are_those_of_passes(self):
        text = "MATCH (a)-[r]->(b) WITH r OPTIONAL MATCH (a)-[r]->(b) RETURN count(DISTINCT b) AS n"
        passes = disabled_passes(parse(text))
        assert len(passes) == 5
        assert set(passes) <= set(kglite.cypher_pass_names())

    def test_most_queries_keep_the_fast_passes(self):
        assert disabled_passes(parse("MATCH (a)-[r]->(b) RETURN a.x, count(r)")) == list(DISABLED)


class TestReadOnlyIsNotEnough:
    def test_kglite_reads_files_when_read_only(self, tmp_path: Path):
        secret = tmp_path / "secret.csv"
        secret.write_text("one\n")
        graph = chain()
        graph.read_only(True)
        text = f"LOAD CSV FROM 'file://{secret}' AS line RETURN line"
        assert graph.cypher(text).to_list() == [{"line": ["one"]}]

    def test_kglite_runs_what_stands_behind_a_semicolon(self):
        graph = chain()
        graph.cypher("MATCH (n) RETURN n; MATCH (n) DETACH DELETE n")
        assert graph.cypher("MATCH (n) RETURN count(n) AS n").to_list() == [{"n": 0}]

    def test_some_procedures_write(self):
        modes = chain().cypher("CALL dbms.procedures() YIELD mode RETURN DISTINCT mode").to_list()
        assert {"WRITE", "SCHEMA"} <= {row["mode"] for row in modes}

    def test_we_refuse_all_three(self, tmp_path: Path):
        url = f"kglite:///{tmp_path / 'graph.kgl'}"
        load_graph([node(1, "P")], [], url)
        with connect(url) as database:
            for text in (
                "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
                "MATCH (n) RETURN n; MATCH (n) DETACH DELETE n",
                "CALL db.cdc.enable()",
            ):
                with pytest.raises(ReadOnlyError):
                    database.execute(text)


class TestVirtualProperties:
    def test_kglite_answers_what_nobody_stored(self):
        graph = kglite.KnowledgeGraph()
        graph.cypher("CREATE (:P {name: 'Ann'})-[:R]->(:P {name: 'Bob'})")
        row = graph.cypher(
            "MATCH (n:P {name: 'Ann'})-[r]->() RETURN n.title, n.type, n.label, r.type, keys(n)",
            hide_structural_keys=True,
        ).to_list()[0]
        keys = row.pop("keys(n)")
        assert list(row.values()) == ["Ann", "P", "P", "R"]
        assert "id" in keys

    def test_a_file_of_somebody_else_keeps_them_out_of_the_catalog(self, tmp_path: Path):
        graph = kglite.KnowledgeGraph()
        graph.cypher("CREATE (:P {born: 1}), (:M {title: 'x', born: 2})")
        graph.save(str(tmp_path / "other.kgl"))
        with connect(f"kglite:///{tmp_path / 'other.kgl'}") as database:
            catalog = database.catalog()
            ((found,),) = database.execute("MATCH (p:P) RETURN p").rows
        assert [p.name for p in catalog.label("P").properties] == ["born"]
        assert catalog.node_property("M", "title") is not None
        assert not {"id", "type"} & {p.name for p in catalog.label("M").properties}
        assert found.properties == {"born": 1}


class TestRunawayQueries:
    HEAVY = (
        "UNWIND range(1, 2000) AS x UNWIND range(1, 2000) AS y WITH x, y "
        "WHERE x * y % 7 = 3 RETURN count(*)"
    )

    def test_a_time_limit_works(self):
        with pytest.raises(kglite.CypherTimeoutError):
            chain().cypher(self.HEAVY, timeout_ms=50)

    def test_a_long_list_is_refused(self, tmp_path: Path):
        url = f"kglite:///{tmp_path / 'graph.kgl'}"
        load_graph([node(1, "P")], [], url)
        with connect(url) as database, pytest.raises(QueryError, match="limit"):
            database.execute("UNWIND range(1, 100000000) AS x RETURN collect(x)")


class TestWhatItsParserLacks:
    @pytest.mark.parametrize(
        "text",
        [
            "MATCH (n:P WHERE n.x > 1) RETURN n",
            "MATCH (a)-[:R]->{1,2}(b) RETURN a",
            "MATCH (n) /* all */ RETURN n",
            "MATCH ()-[:R|:S]->() RETURN 1",
            "MATCH (n) RETURN n.end",
            "MATCH (n:P&Q) RETURN n",
            "RETURN isEmpty([]) AS x",
        ],
    )
    def test_kglite_refuses_it_and_we_do_not(self, text, tmp_path: Path):
        with pytest.raises(kglite.KgError):
            chain().cypher(text)
        url = f"kglite:///{tmp_path / 'graph.kgl'}"
        load_graph([node(1, "P", x=1), node(2, "P", x=2)], [edge(1, "R", 2)], url)
        with connect(url) as database:
            database.execute(text)

    def test_months_between_two_dates_are_wrong(self):
        text = "RETURN duration.between(date('2020-01-01'), date('2021-03-05')).months AS m"
        assert chain().cypher(text).to_list() == [{"m": 0}]

    def test_a_back_ticked_name_with_odd_characters_fails_in_a_pattern(self):
        with pytest.raises(kglite.CypherSyntaxError):
            chain().cypher("MATCH (n:P {`x~`: 1}) RETURN n")

    def test_a_label_test_behind_start_node_holds_never(self):
        text = "MATCH ()-[r:R]->() WITH startNode(r) AS a WHERE a:P RETURN count(*) AS n"
        assert chain().cypher(text).to_list() == [{"n": 0}]
