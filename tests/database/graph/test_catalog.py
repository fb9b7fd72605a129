"""The catalog of a graph says what was counted, sampled and declared, on both engines alike."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_catalog import Endpoint, GraphCatalog, Label, RelationshipType
from groundwire.database.graph_reading import SAMPLE
from tests.graph_fixtures import NewGraph, edge, node


@pytest.fixture
def catalog(graph: GraphDatabase) -> GraphCatalog:
    return graph.catalog()


def counts(catalog: GraphCatalog) -> dict[str, int]:
    return {label.name: label.count for label in catalog.labels}


class TestCounts:
    def test_every_label_is_counted_second_labels_too(self, catalog: GraphCatalog):
        assert counts(catalog) == {
            "Person": 4,
            "Actor": 1,
            "Pub": 1,
            "Inn": 1,
            "Event": 1,
            "Big House": 1,
            "Odd`Label": 1,
            "Empty": 1,
        }
        assert catalog.labels[0].name == "Person"

    def test_every_type_is_counted(self, catalog: GraphCatalog):
        assert {kind.name: kind.count for kind in catalog.types} == {
            "KNOWS": 4,
            "VISITS": 3,
            "MARRIED_TO": 2,
            "LIVES IN": 2,
            "NEAR": 2,
            "HOSTS": 1,
        }

    def test_the_pairs_of_a_type_are_those_that_are_stored(self, catalog: GraphCatalog):
        near = {(e.source, e.target): e.count for e in catalog.endpoints("NEAR")}
        house = "Big House"
        assert near == {
            (house, "Pub"): 1,
            (house, "Inn"): 1,
            ("Pub", house): 1,
            ("Inn", house): 1,
        }
        knows = {(e.source, e.target): e.count for e in catalog.endpoints("KNOWS")}
        assert knows == {
            ("Person", "Person"): 4,
            ("Person", "Actor"): 1,
            ("Actor", "Person"): 1,
        }
        assert all(kind.exact for kind in catalog.types)

    def test_a_label_of_nothing_but_a_constraint_is_there(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", x=1)])
        with new_graph.connect() as database:
            assert database.catalog().label("Nobody") is None
            assert counts(database.catalog()) == {"A": 1}

    def test_an_empty_graph_has_an_empty_catalog(self, new_graph: NewGraph):
        new_graph.load([])
        with new_graph.connect() as database:
            catalog = database.catalog()
        assert (catalog.labels, catalog.types, catalog.reciprocity) == ((), (), ())


class TestProperties:
    def test_types_are_cyphers_words(self, catalog: GraphCatalog):
        def types(label: str) -> dict[str, Any]:
            found = catalog.label(label)
            assert found is not None
            return {item.name: item.types for item in found.properties}

        assert types("Event") == {
            "at": ("ZONED DATETIME",),
            "local": ("LOCAL DATETIME",),
            "starts": ("LOCAL TIME",),
            "public": ("BOOLEAN",),
        }
        assert types("Person") == {
            "name": ("STRING",),
            "born": ("INTEGER",),
            "tags": ("LIST<STRING>",),
            "height": ("FLOAT",),
            "title": ("STRING",),
            "age in years": ("INTEGER",),
            "id": ("INTEGER",),
            "type": ("STRING",),
            "end": ("STRING",),
        }
        assert types("Actor") == {"name": ("STRING",), "born": ("INTEGER",), "title": ("STRING",)}
        assert types("Empty") == {}

    def test_how_often_present_and_which_values(self, catalog: GraphCatalog):
        born = catalog.node_property("Person", "born")
        assert born is not None
        assert born.present == 0.5
        assert sorted(born.values) == [(1960, 1), (1970, 1)]
        tags = catalog.node_property("Person", "tags")
        assert tags is not None
        assert tags.is_list
        assert tags.values == ()

    def test_relationships_have_properties(self, catalog: GraphCatalog):
        kind = catalog.relationship_property("VISITS", "type")
        assert kind is not None
        assert kind.present == pytest.approx(2 / 3)
        assert sorted(kind.values) == [("evening", 1), ("noon", 1)]
        assert catalog.relationship_property("HOSTS", "type") is None

    def test_a_long_vector_is_marked_and_never_shown(self, catalog: GraphCatalog):
        vector = catalog.node_property("Pub", "embedding")
        assert vector is not None
        assert (vector.vector, vector.type, vector.values) == (128, "vector[128]", ())

    def test_a_long_text_is_not_among_the_values(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", text="x" * 500), node(2, "A", text="short")])
        with new_graph.connect() as database:
            text = database.catalog().node_property("A", "text")
        assert text is not None
        assert text.values == (("short", 1),)
        assert text.present == 1.0

    def test_values_of_several_types_are_all_named(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", x=1), node(2, "A", x="one"), node(3, "A", x=2)])
        with new_graph.connect() as database:
            found = database.catalog().node_property("A", "x")
            assert database.execute("MATCH (a:A) RETURN a.x ORDER BY toString(a.x)").rows == (
                (1,),
                (2,),
                ("one",),
            )
        assert found is not None
        assert found.types == ("INTEGER", "STRING")

    def test_every_key_of_the_store_is_known(self, catalog: GraphCatalog):
        assert catalog.property_keys >= {"born", "a`b", "since", "age in years", "embedding"}
        assert "_load_id" not in catalog.property_keys
        assert not any(p.name == "_load_id" for label in catalog.labels for p in label.properties)


class TestLookups:
    def test_types_between_two_labels(self, catalog: GraphCatalog):
        assert catalog.types_between("Person", "Person") == ("KNOWS", "MARRIED_TO")
        assert catalog.types_between("Person", "Big House") == ("LIVES IN",)
        assert catalog.types_between("Big House", "Person") == ()

    def test_declared_takes_one_label_many_or_none(self, catalog: GraphCatalog):
        assert catalog.declared("Person", "VISITS", "Pub")
        assert not catalog.declared("Pub", "VISITS", "Person")
        assert catalog.declared(("Event", "Person"), "VISITS", ())
        assert catalog.declared((), "HOSTS", "Event")
        assert not catalog.declared((), "NOSUCH", ())

    def test_ends_of_a_type(self, catalog: GraphCatalog):
        assert catalog.sources("LIVES IN") == ("Person",)
        assert set(catalog.targets("HOSTS")) == {"Event"}
        assert catalog.sources("NOSUCH") == ()

    def test_who_has_a_property(self, catalog: GraphCatalog):
        assert set(catalog.labels_with("name")) == {"Person", "Actor", "Pub", "Inn"}
        assert set(catalog.types_with("since")) == {"KNOWS", "MARRIED_TO"}
        assert catalog.label("person") is None
        assert catalog.type("KNOWS") is not None
        assert set(catalog.names()) >= {"Person", "KNOWS"}


class TestReciprocity:
    def test_it_is_measured_for_every_type_between_equals(self, catalog: GraphCatalog):
        measured = {(x.type, x.label): (x.reversed, x.total) for x in catalog.reciprocity}
        assert measured == {("KNOWS", "Person"): (2, 3), ("MARRIED_TO", "Person"): (2, 2)}

    def test_the_evidence_can_be_asked_again(self, graph: GraphDatabase, catalog: GraphCatalog):
        married = catalog.reciprocity_of("MARRIED_TO")
        assert married is not None
        assert (married.fraction, married.low, married.high, married.exact) == (1, 1, 1, True)
        assert not married.straddles(0.9)
        assert graph.execute(married.statement).rows == ((2, 2),)
        assert married.seconds > 0
        assert "2 of 2 (100.0%)" in married.sentence
        assert graph.measure_reciprocity("MARRIED_TO", "Person").fraction == 1

    def test_a_node_that_points_at_itself_is_left_out(self, catalog: GraphCatalog):
        knows = catalog.reciprocity_of("KNOWS", "Person")
        assert knows is not None
        assert knows.total == 3
        assert catalog.reciprocity_of("NEAR") is None


class TestExclude:
    def test_what_is_excluded_is_nowhere(self, village: NewGraph):
        hidden = ("Event", "LIVES IN", "Person.b*", "VISITS.type")
        with village.connect(exclude=hidden) as database:
            catalog = database.catalog()
        assert catalog.label("Event") is None
        assert catalog.type("LIVES IN") is None
        assert catalog.endpoints("HOSTS") == ()
        assert catalog.node_property("Person", "born") is None
        assert catalog.node_property("Actor", "born") is None, "a Person may be an Actor"
        assert catalog.node_property("Actor", "name") is not None
        assert catalog.relationship_property("VISITS", "type") is None
        assert not {"at", "starts"} & catalog.property_keys


class TestCaching:
    def test_a_catalog_is_read_once(self, graph: GraphDatabase):
        first = graph.catalog()
        assert graph.catalog() is first
        assert graph.catalog(refresh=True) is not first

    def test_a_new_name_is_seen(self, new_graph: NewGraph):
        new_graph.load([node(1, "A", x=1)])
        with new_graph.connect() as database:
            assert database.catalog().label("B") is None
            new_graph.load([node(1, "A", x=1), node(2, "B", y=1)], [edge(1, "T", 2)])
            assert database.catalog().label("B") is not None
            assert database.catalog().declared("A", "T", "B")


class TestSampling:
    def test_many_nodes_are_sampled_and_the_catalog_says_so(self, new_graph: NewGraph):
        many = SAMPLE + 3000
        new_graph.load([node(n, "A", even=n % 2 == 0) for n in range(many)])
        with new_graph.connect() as database:
            (label,) = database.catalog().labels
        assert label.count == many
        assert label.sampled == SAMPLE or label.complete
        (even,) = label.properties
        assert even.present == 1.0
        sampled = sum(n for _, n in even.values)
        assert abs(sampled - SAMPLE) < 0.1 * SAMPLE
        assert all(abs(n - sampled / 2) < 0.1 * sampled for _, n in even.values)


class TestWithoutADatabase:
    def test_one_label_is_chosen_where_none_is_given(self):
        ends = (Endpoint("A", "T", "A", 5), Endpoint("B", "T", "B", 9))
        kinds = (RelationshipType("T", 14, endpoints=ends),)
        catalog = GraphCatalog("neo4j", (Label("A", 3), Label("B", 4)), kinds)
        assert catalog.reciprocity_of("T") is None
        assert catalog.types_between("B", "B") == ("T",)
        assert not catalog.is_unique("A", ["x"])
