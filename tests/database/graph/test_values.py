"""Values of graphs: one form, one JSON, whatever the driver gave."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from neo4j import time as driver_time
from neo4j.spatial import WGS84Point

from groundwire.database.graph_kglite_values import Reader
from groundwire.database.graph_values import (
    Node,
    Path,
    Point,
    Relationship,
    from_neo4j,
    type_name,
)
from groundwire.database.values import Interval, to_json


def shows_all(owners: object, key: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("driver", "plain"),
    [
        (driver_time.Date(2020, 1, 2), date(2020, 1, 2)),
        (driver_time.DateTime(2020, 1, 2, 3, 4, 5), datetime(2020, 1, 2, 3, 4, 5)),
        (driver_time.Time(3, 4, 5), time(3, 4, 5)),
        (driver_time.Duration(months=1, days=-2, seconds=3), Interval(1, -2, 3, 0)),
        (WGS84Point((2.5, 1.5)), Point(4326, (2.5, 1.5))),
        ([1, [True, None]], [1, [True, None]]),
        ({"a": driver_time.Date(2020, 1, 2)}, {"a": date(2020, 1, 2)}),
    ],
)
def test_the_drivers_values_become_plain(driver, plain):
    assert from_neo4j(driver, shows_all) == plain


def test_no_nanosecond_is_lost():
    exact = driver_time.DateTime(2020, 1, 2, 3, 4, 5, 123456789)
    assert from_neo4j(exact, shows_all) is exact
    assert to_json(exact) == "2020-01-02T03:04:05.123456789"


def test_json_of_nodes_relationships_paths_and_points():
    ann = Node("1", ("Person",), {"born": date(1970, 1, 1)})
    knows = Relationship("7", "KNOWS", "1", "1", {})
    assert to_json(Path((ann, ann), (knows,))) == {
        "nodes": [{"id": "1", "labels": ["Person"], "properties": {"born": "1970-01-01"}}] * 2,
        "relationships": [{"id": "7", "type": "KNOWS", "start": "1", "end": "1", "properties": {}}],
    }
    assert to_json(Point(7203, (1.0, 2.0))) == {"srid": 7203, "coordinates": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([None, None], "NULL"),
        ([1, None], "INTEGER"),
        ([1, 2.5], "FLOAT"),
        ([1, "a"], "ANY"),
        ([True], "BOOLEAN"),
        ([[1], [2]], "LIST<INTEGER>"),
        ([[]], "LIST<NULL>"),
        ([date(2020, 1, 1)], "DATE"),
        ([datetime(2020, 1, 1)], "LOCAL DATETIME"),
        ([time(1)], "LOCAL TIME"),
        ([{}], "MAP"),
        ([Interval(1)], "DURATION"),
    ],
)
def test_a_column_is_of_the_type_of_its_values(values, name):
    assert type_name(values) == name


RAW = {
    "id": 0,
    "labels": ["Person"],
    "properties": {"id": "1", "title": "Ann", "type": "Person", "name__": "Ann", "born": 1},
}


class TestKglite:
    def test_a_marked_graph_gives_back_the_names(self):
        node = Reader(shows_all, True, {}).read(RAW)
        assert node == Node("0", ("Person",), {"name": "Ann", "born": 1})

    def test_another_graph_keeps_what_was_stored(self):
        node = Reader(shows_all, False, {"Person": {"title": "String"}}).read(RAW)
        assert node.properties == {"title": "Ann", "name__": "Ann", "born": 1}

    def test_hidden_properties_are_left_out(self):
        reader = Reader(lambda owners, key: key == "born", True, {})
        assert reader.read([RAW])[0].properties == {"name": "Ann"}
        assert reader.read({"born": 1, "x": 2}) == {"x": 2}

    def test_durations_and_points(self):
        read = Reader(shows_all, True, {}).read
        assert read({"months": 1, "days": 2, "seconds": 3}) == Interval(1, 2, 3)
        assert read({"months": 1, "days": 2, "seconds": 3, "nanoseconds": 4}).nanoseconds == 4
        assert read({"latitude": 1.0, "longitude": 2.0}) == Point(4326, (2.0, 1.0))
