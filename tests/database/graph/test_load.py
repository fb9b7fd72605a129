"""Loading nodes and relationships: what is stored, what is put aside, and that twice is once."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.database.graph_demo import demo_graph
from groundwire.database.graph_files import read_items
from groundwire.database.graph_load import BATCH, LoadReport, load_graph
from groundwire.errors import QueryError, StorageError, UsageError
from tests.database.graph.shared_data import GRAPHS, shared
from tests.graph_fixtures import NewGraph, edge, node


def rows(graph: NewGraph, text: str) -> list[tuple[Any, ...]]:
    with graph.connect(max_rows=100_000) as database:
        return list(database.execute(text).rows)


def write(path: Path, *lines: Any) -> Path:
    path.write_text(
        "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines),
        encoding="utf-8",
    )
    return path


class TestTwiceIsOnce:
    def test_nodes_and_relationships_are_not_doubled(self, new_graph: NewGraph):
        nodes = [node(1, "A", x=1), node(2, "A B", x=2), node("n3", "C")]
        edges = [edge(1, "T", 2, k=1), edge(1, "T", 2, k=1), edge(1, "T", 2), edge(2, "S", "n3")]
        first = new_graph.load(nodes, edges)
        assert (first.nodes, first.relationships, first.added) == (3, 4, 4)
        again = new_graph.load(nodes, edges)
        assert (again.nodes, again.relationships, again.added) == (3, 4, 0)
        assert rows(new_graph, "MATCH (n) RETURN count(n)") == [(3,)]
        assert rows(new_graph, "MATCH ()-[r:T]->() RETURN r.k AS k ORDER BY k") == [
            (1,),
            (1,),
            (None,),
        ]

    def test_properties_are_set_again_and_new_relationships_added(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", x=1), node(2, "A", x=2)], [edge(1, "T", 2)])
        report = new_graph.load(
            [node(1, "A", x=10, y=5), node(2, "A", x=2)], [edge(1, "T", 2), edge(1, "T", 2)]
        )
        assert report.added == 1
        assert rows(new_graph, "MATCH (n:A) RETURN n.x, n.y ORDER BY n.x") == [(2, None), (10, 5)]
        assert rows(new_graph, "MATCH ()-[r:T]->() RETURN count(r)") == [(2,)]

    def test_equal_relationships_in_different_batches_are_all_kept(self, new_graph: NewGraph):
        nodes = [node(n, "A") for n in range(3)]
        edges = [edge(0, "T", 1 + n % 2) for n in range(BATCH + 10)]
        assert new_graph.load(nodes, edges).added == BATCH + 10
        assert new_graph.load(nodes, edges).added == 0
        assert rows(new_graph, "MATCH ()-[r:T]->() RETURN count(r)") == [(BATCH + 10,)]


class TestValues:
    def test_tagged_values_are_typed(self, new_graph: NewGraph, tmp_path: Path):
        nodes = write(
            tmp_path / "nodes.jsonl",
            {
                "id": 1,
                "labels": ["A"],
                "properties": {
                    "d": {"$date": "2020-02-29"},
                    "t": {"$localdatetime": "2020-02-29T12:30:00"},
                    "mixed": [1, 2.5],
                    "nothing": None,
                    "big": 2**62,
                },
            },
        )
        report = load_graph(nodes, [], new_graph.url)
        assert report.rejected == ()
        ((found,),) = rows(new_graph, "MATCH (a:A) RETURN a")
        assert found.properties["d"] == date(2020, 2, 29)
        assert found.properties["mixed"] == [1.0, 2.5]
        assert found.properties["big"] == 2**62
        assert "nothing" not in found.properties

    def test_values_of_several_types_under_one_name_are_kept(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", x=1), node(2, "A", x="1"), node(3, "A", x=1.5)])
        values = [row[0] for row in rows(new_graph, "MATCH (a:A) RETURN a.x")]
        assert sorted(map(repr, values)) == ["'1'", "1", "1.5"]


class TestMalformedLines:
    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("{not json", "Expecting"),
            ("[1]", "not an object"),
            ({"labels": ["A"]}, "there is no 'id'"),
            ({"id": 1, "labels": "A"}, "labels is not a list"),
            ({"id": 1, "labels": [""]}, "labels is not a list"),
            ({"id": True, "labels": ["A"]}, "id is neither"),
            ({"id": 1, "labels": ["A"], "properties": [1]}, "properties is not"),
            ({"id": 1, "labels": ["A"], "properties": {"x": {"y": 1}}}, "x is an object"),
            ({"id": 1, "labels": ["A"], "properties": {"x": [1, "a"]}}, "mixes types"),
            ({"id": 1, "labels": ["A"], "properties": {"x": [None]}}, "mixes types"),
            ({"id": 1, "labels": ["A"], "properties": {"x": 2**70}}, "64 bits"),
            ({"id": 1, "labels": ["A"], "properties": {"x": {"$date": "soon"}}}, "soon"),
            ({"id": 1, "labels": ["A"], "properties": {"": 1}}, "no name"),
        ],
    )
    def test_a_node_is_put_aside_with_its_reason(self, tmp_path: Path, line, reason):
        good = {"id": 9, "labels": ["A"], "properties": {}}
        path = write(tmp_path / "nodes.jsonl", good, line, good)
        items = [item for _, item in read_items(path, "node")]
        assert len(items) == 3
        assert reason in items[1].reason
        assert (items[1].source, items[1].line) == ("nodes.jsonl", 2)

    def test_the_rest_is_loaded(self, new_graph: NewGraph, tmp_path: Path):
        nodes = write(tmp_path / "n.jsonl", node(1, "A"), "oops", node(2, "A"), node(1, "B"))
        edges = write(tmp_path / "r.jsonl", edge(1, "T", 2), edge(1, "T", 3), {"type": "T"})
        report = load_graph(nodes, edges, new_graph.url)
        assert (report.nodes, report.relationships, report.rejected_count) == (2, 1, 4)
        reasons = {(r.source, r.line): r.reason for r in report.rejected}
        assert "Expecting value" in reasons["n.jsonl", 2]
        assert "already that of a node with the label A" in reasons["n.jsonl", 4]
        assert reasons["r.jsonl", 2] == "there is no node with the id 3"
        assert reasons["r.jsonl", 3] == "there is no 'start'"

    def test_a_node_without_a_label(self, new_graph: NewGraph):
        report = new_graph.load([{"id": 1, "labels": []}, node(2, "A")], [edge(2, "T", 1)])
        if new_graph.engine == "kglite":
            assert [r.reason for r in report.rejected] == [
                "it has no label, and this engine needs one",
                "there is no node with the id 1",
            ]
        else:
            assert report.rejected == ()
            with new_graph.connect() as database:
                assert database.catalog().endpoints("T")[0].target == ""


class TestCsv:
    NODES = (
        "id:ID,:LABEL,name,born:int,height:float,tags:string[],active:boolean,since:date",
        '1,Person;Actor,"Ann ""A"" Lee",1960,1.7,a;b,true,2020-01-02',
        "2,Person,Bob,,,,false,",
        "3,Person,Cid,soon,,,,",
        "4,Person",
    )
    EDGES = (":START_ID,:END_ID,:TYPE,since:int", "1,2,KNOWS,1980", "2,1,KNOWS,")

    def test_the_headers_of_neo4js_import(self, new_graph: NewGraph, tmp_path: Path):
        nodes = write(tmp_path / "nodes.csv", *self.NODES)
        edges = write(tmp_path / "edges.csv", *self.EDGES)
        report = load_graph(nodes, edges, new_graph.url)
        assert (report.nodes, report.relationships) == (2, 2)
        assert [(r.line, r.reason) for r in report.rejected] == [
            (4, "invalid literal for int() with base 10: 'soon'"),
            (5, "2 cells, but 8 columns"),
        ]
        ((ann, since),) = rows(new_graph, "MATCH (a:Actor)-[r:KNOWS]->() RETURN a, r.since")
        assert ann.properties == {
            "id": "1",
            "name": 'Ann "A" Lee',
            "born": 1960,
            "height": 1.7,
            "tags": ["a", "b"],
            "active": True,
            "since": date(2020, 1, 2),
        }
        assert since == 1980
        ((bob,),) = rows(new_graph, "MATCH (b {name: 'Bob'}) RETURN b")
        assert bob.properties == {"id": "2", "name": "Bob", "active": False}

    def test_a_header_without_an_id_is_refused(self, tmp_path: Path):
        path = write(tmp_path / "nodes.csv", "id,name", "1,x")
        with pytest.raises(UsageError, match=":ID"):
            list(read_items(path, "node"))

    def test_an_unknown_type_is_a_reason(self, tmp_path: Path):
        path = write(tmp_path / "nodes.csv", "a:ID,:LABEL,x:money", "1,A,5")
        ((_, item),) = read_items(path, "node")
        assert item.reason == "the type :money is not known"


class TestFiles:
    def test_a_packed_file_is_unpacked(self, tmp_path: Path):
        path = tmp_path / "nodes.jsonl.gz"
        path.write_bytes(gzip.compress(json.dumps(node(1, "A")).encode()))
        assert len(list(read_items(path, "node"))) == 1

    @pytest.mark.parametrize(
        ("name", "content", "error"),
        [
            ("nodes.xml", b"<x/>", UsageError),
            ("nodes.jsonl", b"\xff\xfe", StorageError),
            ("nodes.jsonl.gz", b"no gzip", StorageError),
            ("missing.jsonl", None, StorageError),
        ],
    )
    def test_a_file_that_cannot_be_read(self, tmp_path: Path, name, content, error):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(error) as caught:
            list(read_items(tmp_path / name, "node"))
        assert name in caught.value.message

    @pytest.mark.parametrize("url", ["duckdb:///x", "kglite://"])
    def test_a_url_that_no_graph_is_loaded_into(self, url):
        with pytest.raises(UsageError):
            load_graph([], [], url)

    def test_a_folder_that_is_not_there(self, tmp_path: Path):
        with pytest.raises(StorageError, match="does not exist"):
            load_graph([], [], f"kglite:///{tmp_path}/no/graph.kgl")

    def test_a_failed_load_leaves_a_kglite_file_as_it_was(self, tmp_path: Path):
        url = f"kglite:///{tmp_path / 'graph.kgl'}"
        load_graph([node(1, "A")], [], url)
        before = (tmp_path / "graph.kgl").read_bytes()

        def failing():
            yield node(2, "A")
            raise QueryError("stopped")

        with pytest.raises(QueryError):
            load_graph(failing(), [], url)
        assert (tmp_path / "graph.kgl").read_bytes() == before
        assert [path.name for path in tmp_path.iterdir()] == ["graph.kgl"]


def test_progress_is_told(tmp_path: Path):
    told: list[tuple[str, int]] = []
    load_graph(
        [node(n, "A") for n in range(BATCH + 1)],
        [edge(0, "T", 1)],
        f"kglite:///{tmp_path / 'graph.kgl'}",
        progress=lambda what, count: told.append((what, count)),
    )
    assert told == [("nodes", BATCH), ("nodes", BATCH + 1), ("relationships", 1)]


class TestDemoGraph:
    def test_it_is_the_same_every_time(self):
        assert demo_graph() == demo_graph()
        assert demo_graph(seed=8) != demo_graph()

    def test_two_relations_are_stored_both_ways_and_one_is_not(self, new_graph: NewGraph):
        report = new_graph.load(*demo_graph())
        assert report.rejected == ()
        with new_graph.connect() as database:
            measured = {x.type: x.fraction for x in database.catalog().reciprocity}
            doubled = database.execute("MATCH (:Person)-[:MARRIED_TO]-() RETURN count(*)").rows
            once = database.execute("MATCH (:Person)-[:MARRIED_TO]->() RETURN count(*)").rows
        assert measured == {"KNOWS": 1.0, "MARRIED_TO": 1.0, "REPORTS_TO": 0.0}
        assert doubled[0][0] == 2 * once[0][0]


@pytest.mark.parametrize("name", GRAPHS)
def test_the_shared_graphs_are_loaded_whole(tmp_path: Path, name: str):
    folder = shared(f"neo4j_graphs/{name}")
    if not folder.exists():
        pytest.skip("../shared/data is not here")
    url = f"kglite:///{tmp_path / 'graph.kgl'}"
    report = load_graph(folder / "nodes.jsonl.gz", folder / "relationships.jsonl.gz", url)
    schema = json.loads((folder / "schema.json").read_text())
    assert_whole(NewGraph("kglite", url), report, schema)


@pytest.mark.slow
@pytest.mark.xdist_group("neo4j")
@pytest.mark.parametrize("name", GRAPHS)
def test_the_shared_graphs_are_loaded_whole_into_neo4j(neo4j_url: str, name: str):
    folder = shared(f"neo4j_graphs/{name}")
    if not folder.exists():
        pytest.skip("../shared/data is not here")
    report = load_graph(folder / "nodes.jsonl.gz", folder / "relationships.jsonl.gz", neo4j_url)
    schema = json.loads((folder / "schema.json").read_text())
    assert_whole(NewGraph("neo4j", neo4j_url), report, schema)


def assert_whole(graph: NewGraph, report: LoadReport, schema: dict[str, Any]) -> None:
    """The catalog of a loaded graph says what the data set's own description says."""
    assert (report.nodes, report.relationships) == (schema["nodes"], schema["rels"])
    assert report.rejected == ()
    with graph.connect() as database:
        catalog = database.catalog()
    labels: dict[str, int] = {}
    for combined, described in schema["labels"].items():
        for label in combined.split(":"):
            labels[label] = labels.get(label, 0) + described["count"]
            found = catalog.label(label)
            assert found is not None
            if found.complete:
                assert {p.name for p in found.properties} >= set(described["properties"])
    assert {label.name: label.count for label in catalog.labels} == labels
    pairs: dict[tuple[str, str, str], int] = {}
    for one in schema["relationships"]:
        for start in one["start"].split(":"):
            for end in one["end"].split(":"):
                key = (start, one["type"], end)
                pairs[key] = pairs.get(key, 0) + one["count"]
    assert {(e.source, e.type, e.target): e.count for e in catalog.endpoints()} == pairs
