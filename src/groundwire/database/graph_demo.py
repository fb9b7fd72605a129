"""A small graph of our own making, to try the product on: the people of three towns.

`KNOWS` and `MARRIED_TO` are stored both ways, as many real graphs store a relation between
equals, so that an undirected pattern counts each pair twice; `REPORTS_TO` is stored one way.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

__all__ = ["demo_graph"]

_FIRST = """Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jon Kira Leo Mona Nils Olga Paul Rosa Sam Tina
Uma Vera Will Yara Zeno"""
_LAST = "Abbot Brook Carver Dale Ellis Frost Grove Hale Irving Jansen Keller Lund Marsh North"
_TOWNS = {
    "Harbour": ("Northcoast", 41_200),
    "Millbrook": ("Midland", 8_900),
    "Ostra": ("Midland", 17_400),
}
_COMPANIES = ("Blue Kite", "Cedar Works", "Dockside Freight", "Elm & Sons", "Fern Analytics")
_SECTORS = ("energy", "timber", "transport", "food", "software")
_PLACES = {
    "The Anchor": "pub",
    "Lakeside Park": "park",
    "Old Library": "library",
    "Corner Café": "café",
}

Rows = list[dict[str, Any]]


def demo_graph(people: int = 120, seed: int = 7) -> tuple[Rows, Rows]:
    """Nodes and relationships in the form that `load_graph` takes; the same for the same seed."""
    chance = random.Random(seed)
    graph = _Graph(chance)
    towns = [
        graph.node("Town", name=name, region=region, inhabitants=count)
        for name, (region, count) in _TOWNS.items()
    ]
    places = [
        graph.node("Place", name=name, kind=kind, opened=date(1900 + 17 * n, 5, 1))
        for n, (name, kind) in enumerate(_PLACES.items())
    ]
    companies = [
        graph.node("Company", name=name, sector=sector, founded=1950 + 11 * n)
        for n, (name, sector) in enumerate(zip(_COMPANIES, _SECTORS, strict=True))
    ]
    for number, place in enumerate([*places, *companies]):
        graph.edge(place, "LOCATED_IN", towns[number % len(towns)])
    persons = [_person(graph, number) for number in range(people)]
    for person in persons:
        graph.edge(person, "LIVES_IN", chance.choice(towns), since=chance.randint(1990, 2024))
        for place in chance.sample(places, chance.randint(0, 3)):
            graph.edge(person, "VISITED", place, times=chance.randint(1, 30))
    _employ(graph, persons, companies)
    _acquaint(graph, persons)
    return graph.nodes, graph.relationships


class _Graph:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.nodes: Rows = []
        self.relationships: Rows = []

    def node(self, *labels: str, **properties: Any) -> int:
        self.nodes.append(
            {"id": len(self.nodes) + 1, "labels": list(labels), "properties": properties}
        )
        return len(self.nodes)

    def edge(self, start: int, kind: str, end: int, **properties: Any) -> None:
        self.relationships.append(
            {"type": kind, "start": start, "end": end, "properties": properties}
        )

    def both_ways(self, one: int, kind: str, other: int, **properties: Any) -> None:
        self.edge(one, kind, other, **properties)
        self.edge(other, kind, one, **properties)


def _person(graph: _Graph, number: int) -> int:
    first, last = _FIRST.split(), _LAST.split()
    name = f"{first[number % len(first)]} {last[(number * 5 + number // 24) % len(last)]}"
    born = date(1950, 1, 1) + timedelta(days=graph.chance.randrange(18_000))
    person: dict[str, Any] = {"name": name, "born": born}
    if number % 4:
        person["height"] = round(graph.chance.gauss(1.72, 0.09), 2)
    if number % 3 == 0:
        person["hobbies"] = graph.chance.sample(["chess", "sailing", "choir", "climbing"], 2)
    return graph.node("Person", **person)


def _employ(graph: _Graph, persons: list[int], companies: list[int]) -> None:
    """Most people work; in each company the first one hired leads, the others report upwards."""
    staff: dict[int, list[int]] = {company: [] for company in companies}
    for person in persons[: len(persons) * 4 // 5]:
        company = graph.chance.choice(companies)
        graph.edge(person, "WORKS_AT", company, salary=graph.chance.randrange(28_000, 96_000, 500))
        if staff[company]:
            graph.edge(person, "REPORTS_TO", staff[company][(len(staff[company]) - 1) // 3])
        staff[company].append(person)


def _acquaint(graph: _Graph, persons: list[int]) -> None:
    pairs = {tuple(sorted(graph.chance.sample(persons, 2))) for _ in range(len(persons) * 5 // 2)}
    for one, other in sorted(pairs):
        graph.both_ways(one, "KNOWS", other, since=graph.chance.randint(1995, 2024))
    for one, other in zip(persons[::6], persons[1::6], strict=False):
        graph.both_ways(one, "MARRIED_TO", other, since=graph.chance.randint(1975, 2023))
