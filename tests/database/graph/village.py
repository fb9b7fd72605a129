"""A village for the graph tests: names that other engines trip over, and values of every kind.

Ann and Bob are married and know each other both ways; Cid knows Ann, who does not know him. The
inn has an embedding. `Big House` has a blank, `Odd``Label` a back-tick, and one pub is two things.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone

from tests.graph_fixtures import edge, node

NODES = [
    node(1, "Person", name="Ann", born=1960, tags=["baker", "singer"], height=1.7),
    node(2, "Person Actor", name="Bob", born=1970, title="Sir"),
    node(3, "Person", name="Cid", **{"age in years": 44}),
    node(4, "Person", name="Dee", id=77, type="guest", end="soon"),
    node(5, "Pub Inn", name="The Swan", embedding=[0.5] * 128, opened=date(1850, 5, 1)),
    node(
        6,
        "Event",
        at=datetime(2024, 5, 1, 18, 30, tzinfo=timezone(timedelta(hours=2))),
        local=datetime(2024, 5, 1, 18, 30, 15),
        starts=time(18, 30),
        public=True,
    ),
    {"id": 7, "labels": ["Big House"], "properties": {"rooms": 9}},
    {"id": 8, "labels": ["Odd`Label"], "properties": {"a`b": 1}},
    node(9, "Empty"),
]

RELATIONSHIPS = [
    edge(1, "MARRIED_TO", 2, since=1990),
    edge(2, "MARRIED_TO", 1, since=1990),
    edge(1, "KNOWS", 2, since=1980),
    edge(2, "KNOWS", 1, since=1985),
    edge(3, "KNOWS", 1),
    edge(4, "KNOWS", 4),
    edge(1, "VISITS", 5, type="evening", days=["Mon", "Fri"]),
    edge(1, "VISITS", 5, type="noon"),
    edge(2, "VISITS", 5),
    edge(5, "HOSTS", 6),
    edge(3, "LIVES IN", 7),
    edge(1, "LIVES IN", 7),
    edge(7, "NEAR", 5),
    edge(5, "NEAR", 7),
]
