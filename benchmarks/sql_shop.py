"""A seeded shop with thousands of rows and every trap of `tests/guard/sql/shop.sql`, its schema."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

__all__ = ["shop_script"]

SCHEMA = Path(__file__).resolve().parents[1] / "tests" / "guard" / "sql" / "shop.sql"
CITIES = ("Berlin", "Paris", "Zürich", "Málaga", "London", "Hamburg", "Köln", "New York", "Oslo")
FIRST = "Ann Bob Chloé Dan Eve Finn Gita Hugo Ines Jan Kim Lea Max Nora Ole Pia Raj Sven Tom Una"
LAST = "Lee Stone Dubois Fox Gray Müller Rossi Novak Silva Larsen Okafor Tanaka Kowalski Haas"
CATEGORIES = ("Furniture", "LIGHTING", "Textiles", "Building", "Décor")
STATUSES = ("paid", "open", "cancelled", "returned")
METHODS = ("card", "cash", "transfer", "Gift Card", None)
KINDS = ("theft", "THEFT", "Criminal Damage", "Criminal-Damage", " Arson ", "Burglary")
Values = tuple[object, ...]


def shop_script(seed: int = 7) -> str:
    """The statements that make the shop, in SQL that every engine takes."""
    creates = re.findall(r"CREATE TABLE .*?\);", SCHEMA.read_text(encoding="utf-8"), re.DOTALL)
    return "\n".join([*creates, *_inserts(random.Random(seed))])


def _inserts(chance: random.Random) -> Iterator[str]:
    orders = list(_orders(chance))
    tables = {
        "customers": _customers(chance),
        "products": _products(chance),
        "orders": iter(orders),
        "order_items": _items(chance),
        "payments": _payments(chance, orders),
        "friends": _friends(chance),
        "employees": _employees(chance),
        "reports": _reports(chance),
    }
    for table, rows in tables.items():
        every = list(rows)
        step = 1 if table == "employees" else 500  # DuckDB sees no boss of the same statement
        for start in range(0, len(every), step):
            lines = ",\n".join(f"({', '.join(map(_literal, row))})" for row in every[start:][:step])
            yield f"INSERT INTO {table} VALUES {lines};"


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int | float) else "'" + str(value) + "'"


def _customers(chance: random.Random) -> Iterator[Values]:
    for id in range(1, 2001):
        name = f"{chance.choice(FIRST.split())} {chance.choice(LAST.split())} {id % 7 or ''}"
        yield (
            id,
            name.strip(),
            f"c{id}@a.example" if id % 11 else None,
            chance.choice(CITIES) if chance.random() > 0.08 else None,
            date(2018, 1, 1) + timedelta(chance.randrange(1800)),
            chance.choice(("Y", "N", "N", "Unknown")),
            chance.randrange(1, id) if id > 1 and chance.random() < 0.6 else None,
            round(chance.random() * 100, 2) if chance.random() > 0.1 else None,
        )


def _products(chance: random.Random) -> Iterator[Values]:
    weights = chance.sample(range(1, 4000), 200)
    for id, weight in zip(range(1, 201), weights, strict=True):
        category = chance.choice(CATEGORIES)
        kind = chance.choice(("Table", "Chair", "Lamp", "Rug", "Shelf", "Floorboard"))
        written = str(weight // 4) if weight % 4 == 0 else str(weight / 4)
        stock, gone = chance.choice((0, 3, 5, 12, 50)), chance.choice(("true", "false", "false"))
        price = chance.randrange(5, 400)
        yield (id, f"{category} {kind} {id}", category, price, written, stock, gone)


def _orders(chance: random.Random) -> Iterator[Values]:
    for id in range(1, 10001):
        at = datetime(2019, 1, 1) + timedelta(minutes=chance.randrange(4 * 365 * 1440))
        shipped = at.date() + timedelta(chance.randrange(1, 9)) if chance.random() < 0.7 else None
        yield (
            id,
            chance.randrange(1, 1700) if chance.random() > 0.03 else None,
            at,
            chance.choice(STATUSES),
            chance.randrange(1, 40) * 10,
            chance.choice((None, None, 0, 5, 10, 25)),
            shipped,
        )


def _items(chance: random.Random) -> Iterator[Values]:
    for order in range(1, 9501):
        for product in chance.sample(range(1, 181), chance.choice((1, 1, 2, 3, 4))):
            yield order, product, chance.randrange(1, 6), chance.randrange(5, 400)


def _payments(chance: random.Random, orders: list[Values]) -> Iterator[Values]:
    id = 0
    for order in orders:
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
            id += 1
            paid = datetime.fromisoformat(str(order[2])) + timedelta(hours=chance.randrange(400))
            yield id, order[0], chance.randrange(1, 40) * 10, paid, chance.choice(METHODS)


def _friends(chance: random.Random) -> Iterator[Values]:
    pairs = {tuple(sorted(chance.sample(range(1, 2001), 2))) for _ in range(1500)}
    for a, b in sorted(pairs):
        yield a, b
        yield b, a


def _employees(chance: random.Random) -> Iterator[Values]:
    for id in range(1, 201):
        boss = None if id < 4 else chance.randrange(1, max(2, id // 3))
        hired = date(2005, 1, 1) + timedelta(chance.randrange(6000))
        salary, bonus = chance.randrange(30, 90) * 100, chance.choice((None, 0, 100, 500, 900))
        yield id, f"{chance.choice(FIRST.split())} {id}", boss, salary, bonus, hired


def _reports(chance: random.Random) -> Iterator[Values]:
    for id in range(1, 1501):
        filed = date(2019, 1, 1) + timedelta(chance.randrange(1000))
        code, area = chance.choice(("0110", "0820", "1310", "1020")), chance.choice("NSWE")
        solved = chance.choice(("yes", "no"))
        amount = str(chance.randrange(1, 30000) / 10).removesuffix(".0")
        yield id, chance.choice(KINDS), code, area, f"{filed:%m/%d/%Y}", solved, amount
