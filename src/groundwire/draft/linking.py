"""Schema linking: which tables (or labels and types) a question needs, under a token budget.

Words of the question are matched with names, comments, enum labels, synonyms and stored values;
rare words count more (inverse document frequency). What joins the chosen parts is kept with them.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from groundwire.database.catalog import Catalog, Table
from groundwire.database.graph_catalog import GraphCatalog, Label, Property, RelationshipType
from groundwire.draft.inflect import fold, singular

__all__ = ["Choice", "Hit", "Part", "Ranked", "choose", "parts_of", "question_words", "rank"]

NAME, COLUMN, ENUM, COMMENT = 3.0, 2.0, 1.5, 1.0
"""How much a word counts by where it stands."""
HIT = 4.0
"""How much a stored value or a synonym counts."""
_PREFIX, _INSIDE = 0.6, 0.4
_SHORTEST_PART = 4
_PATH_LENGTH = 3
_BEST = 3
"""Best parts whose neighbours and schema are offered where the budget has room."""
_LEAST = 10
"""Tokens that no part is shorter than."""
_WIDEST = 0.3
"""Share of the budget that one part may take before its columns are cut."""

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about all also am an and any are as at be been being between both but by can could did do
        does doing done each for from get give given had has have how i if in into is it its list
        many me more most much my no not of on or our out over please per than that the their them
        then there these they this those to us was we were what when where which who whom whose why
        will with would you your show find tell name number total average count
        """,
    )
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One thing that can be offered: a table, a label or a relationship type.

    `columns` are the names of what it holds, `texts` are (text, weight, column or ""). `keys` are
    the columns that must be shown with it, `neighbours` the names of parts that join it. `size`
    breaks ties: rows or nodes. `group` is the schema.
    """

    name: str
    columns: tuple[str, ...]
    texts: tuple[tuple[str, float, str], ...]
    keys: frozenset[str] = frozenset()
    neighbours: tuple[str, ...] = ()
    size: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A stored value or a synonym that the question holds, by part and column."""

    part: str
    column: str


@dataclass(slots=True)
class Ranked:
    """A part with its score and the columns that matched."""

    part: Part
    score: float = 0.0
    columns: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is offered, in the order of the catalog.

    `parts` are (part, names of the columns to show or None for all), `left_out` the parts that are
    not offered, `cut_columns` how many columns of offered parts are not shown.
    """

    parts: tuple[tuple[Part, frozenset[str] | None], ...]
    left_out: int = 0
    cut_columns: int = 0


def question_words(question: str) -> list[str]:
    """The singular forms of the words that carry meaning, each once."""
    words = (singular(word) for word in fold(question).split())
    return list(dict.fromkeys(w for w in words if w not in _STOP_WORDS and len(w) > 1))


def parts_of(catalog: Catalog | GraphCatalog, meanings: Mapping[str, str]) -> list[Part]:
    """The parts of a catalog; `meanings` are sentences by `TABLE.COLUMN` and `TABLE`."""
    if isinstance(catalog, GraphCatalog):
        return list(_graph_parts(catalog))
    return list(_table_parts(catalog, meanings))


def table_key(table: Table) -> str:
    """The name under which a table is a part: two schemas may hold the same name."""
    return f"{table.schema}.{table.name}"


def rank(parts: Sequence[Part], question: str, hits: Iterable[Hit] = ()) -> list[Ranked]:
    """The parts by how much the question speaks of them, best first; equals by size."""
    ranked = {part.name: Ranked(part) for part in parts}
    postings = _postings(parts)
    for word in question_words(question):
        best: dict[str, float] = defaultdict(float)
        for known, share in _alike(word, postings):
            found = postings[known]
            rarity = math.log(1 + len(parts) / len({name for name, _, _ in found}))
            for name, weight, column in found:
                best[name] = max(best[name], share * weight * rarity)
                if column and share > _INSIDE:
                    ranked[name].columns.add(column)
        for name, score in best.items():
            ranked[name].score += score
    _count_hits(ranked, hits)
    return sorted(ranked.values(), key=lambda r: (-r.score, -r.part.size))


def choose(
    order: Sequence[Part],
    rank_them: Callable[[], Sequence[Ranked]],
    cost: Callable[[Part, frozenset[str] | None], int],
    budget: int,
) -> Choice:
    """All parts where they fit into a budget, else the best with what joins them.

    Args:
        order: all parts in the order of the catalog.
        rank_them: gives them best first; called only where not all fit.
        cost: tokens of a part with these columns (None = all).
        budget: tokens for all parts together.
    """
    costs: dict[str, int] = {}
    for part in order:
        costs[part.name] = cost(part, None)
        if sum(costs.values()) > budget:
            break
    else:
        return Choice(tuple((part, None) for part in order))
    ranked = rank_them()
    chosen: dict[str, frozenset[str] | None] = {}
    left = budget
    by_name = {r.part.name: r for r in ranked}
    for name in _by_need(ranked, {part.name: part for part in order}):
        if left < _LEAST:
            break
        columns, price = None, costs.get(name) or cost(by_name[name].part, None)
        if price > budget * _WIDEST:
            columns = _narrowed(by_name[name], cost, min(left, int(budget * _WIDEST)))
            price = cost(by_name[name].part, columns)
        if price <= left:
            chosen[name] = columns
            left -= price
    return Choice(
        tuple((part, chosen[part.name]) for part in order if part.name in chosen),
        left_out=len(order) - len(chosen),
        cut_columns=sum(
            len(by_name[name].part.columns) - len(columns)
            for name, columns in chosen.items()
            if columns is not None
        ),
    )


# --- order of need ---------------------------------------------------------------------------


def _by_need(ranked: Sequence[Ranked], parts: Mapping[str, Part]) -> Iterator[str]:
    """Names, most needed first: the best, what joins it to those before it, then neighbours."""
    seen: dict[str, None] = {}
    spoken_of = [r.part.name for r in ranked if r.score > 0]
    for name in spoken_of:
        if name in seen:
            continue
        path = _path(name, seen, parts) if seen else []
        for step in (name, *path):
            if step not in seen:
                seen[step] = None
                yield step
    near = [n for start in spoken_of[:_BEST] for n in parts[start].neighbours if n in parts]
    # The rest of a schema that the question speaks of; of all, when it speaks of none.
    groups = {parts[name].group for name in spoken_of[:_BEST]}
    rest = [r.part.name for r in ranked if r.part.group in groups or not groups]
    for name in (*near, *rest):
        if name not in seen:
            seen[name] = None
            yield name


def _path(start: str, goals: Mapping[str, None], parts: Mapping[str, Part]) -> list[str]:
    """The parts between a part and the nearest of the goals; none where they are too far."""
    came_from: dict[str, str] = {start: ""}
    waiting = deque([(start, 0)])
    while waiting:
        name, length = waiting.popleft()
        if name in goals:
            path = []
            while name := came_from[name]:
                path.append(name)
            return path[:-1]
        if length < _PATH_LENGTH:
            for neighbour in parts[name].neighbours:
                if neighbour in parts and neighbour not in came_from:
                    came_from[neighbour] = name
                    waiting.append((neighbour, length + 1))
    return []


def _narrowed(
    ranked: Ranked, cost: Callable[[Part, frozenset[str] | None], int], budget: int
) -> frozenset[str]:
    """Columns of a wide part that fit: its keys, those that matched, then in order."""
    part = ranked.part
    wanted = sorted(part.columns, key=lambda c: (c not in part.keys, c not in ranked.columns))
    low, high = 1, len(wanted)
    while low < high:
        middle = (low + high + 1) // 2
        if cost(part, frozenset(wanted[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return frozenset(wanted[:low])


# --- matching --------------------------------------------------------------------------------

_Postings = Mapping[str, list[tuple[str, float, str]]]


def _postings(parts: Sequence[Part]) -> _Postings:
    """For each word, where it stands: (part, weight, column)."""
    postings: dict[str, list[tuple[str, float, str]]] = defaultdict(list)
    for part in parts:
        for text, weight, column in part.texts:
            for word in name_words(text):
                postings[word].append((part.name, weight, column))
    return postings


def _alike(word: str, postings: _Postings) -> Iterator[tuple[str, float]]:
    """Known words that a word may mean: itself, one that begins alike, one that holds it."""
    if word in postings:
        yield word, 1.0
    if len(word) < _SHORTEST_PART:
        return
    for known in postings:
        if len(known) < _SHORTEST_PART or known == word:
            continue
        if known.startswith(word) or word.startswith(known):
            yield known, _PREFIX
        elif word in known or known in word:
            yield known, _INSIDE


@lru_cache(maxsize=65_536)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name or text, singular: `CustomerOrders2` → customer, order, 2."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=\d)", " ", name).replace("_", " ")
    return tuple(singular(word) for word in fold(spaced).split())


def _count_hits(ranked: Mapping[str, Ranked], hits: Iterable[Hit]) -> None:
    """A hit counts once a column, less where many columns hold the same value."""
    wanted = [hit for hit in dict.fromkeys(hits) if hit.part in ranked]
    for hit in wanted:
        ranked[hit.part].columns.add(hit.column)
        ranked[hit.part].score += HIT / math.sqrt(len(wanted))


# --- parts -----------------------------------------------------------------------------------


def _table_parts(catalog: Catalog, meanings: Mapping[str, str]) -> Iterator[Part]:
    joined: dict[str, list[str]] = defaultdict(list)
    for one, other in (*_declared_links(catalog), *_implied_links(catalog)):
        joined[one].append(other)
        joined[other].append(one)
    for table in catalog.tables:
        keys = {*table.primary_key, *(c for key in table.foreign_keys for c in key.columns)}
        yield Part(
            table_key(table),
            tuple(column.name for column in table.columns),
            tuple(_table_texts(table, meanings)),
            frozenset(keys),
            tuple(dict.fromkeys(joined[table_key(table)])),
            table.row_estimate or 0,
            table.schema,
        )


def _declared_links(catalog: Catalog) -> Iterator[tuple[str, str]]:
    for table in catalog.tables:
        for key in table.foreign_keys:
            yield table_key(table), f"{key.target_schema}.{key.target_table}"


def _implied_links(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Columns named like another table of the schema (`customer_id` → `customers`) or like its key.

    Many databases declare no foreign key; this only decides what is shown together.
    """
    targets: dict[tuple[str, tuple[str, ...]], str] = {}
    for table in catalog.tables:
        key_words = name_words(table.primary_key[0]) if len(table.primary_key) == 1 else ()
        for words in (name_words(table.name), key_words):
            if words and words not in (("id",), ("code",), ("name",)):
                targets.setdefault((table.schema, words), table_key(table))
    for table, column in catalog.columns():
        words = name_words(column.name)
        named = words[:-1] if words and words[-1] in ("id", "code", "key", "no", "ref") else words
        for wanted in (named, words):
            target = targets.get((table.schema, wanted))
            if target and target != table_key(table):
                yield table_key(table), target


def _table_texts(table: Table, meanings: Mapping[str, str]) -> Iterator[tuple[str, float, str]]:
    yield table.name, NAME, ""
    yield table.comment or meanings.get(table.name, ""), COMMENT, ""
    for column in table.columns:
        yield column.name, COLUMN, column.name
        comment = column.comment or meanings.get(f"{table.name}.{column.name}", "")
        yield comment, COMMENT, column.name
        for value in column.values:
            yield value, ENUM, column.name


def _graph_parts(catalog: GraphCatalog) -> Iterator[Part]:
    joined: dict[str, list[str]] = defaultdict(list)
    for endpoint in catalog.endpoints():
        for end in (endpoint.source, endpoint.target):
            joined[f":{end}"].append(f"[{endpoint.type}]")
            joined[f"[{endpoint.type}]"].append(f":{end}")
    for label in catalog.labels:
        yield _holder(label, f":{label.name}", joined[f":{label.name}"])
    for kind in catalog.types:
        yield _holder(kind, f"[{kind.name}]", joined[f"[{kind.name}]"])


def _holder(holder: Label | RelationshipType, name: str, joined: Iterable[str]) -> Part:
    texts = [(holder.name, NAME, "")]
    for item in holder.properties:
        texts += [(item.name, COLUMN, item.name), *_value_texts(item)]
    columns = tuple(item.name for item in holder.properties)
    return Part(
        name, columns, tuple(texts), frozenset(), tuple(dict.fromkeys(joined)), holder.count
    )


def _value_texts(item: Property) -> Iterator[tuple[str, float, str]]:
    for value, _ in item.values:
        if isinstance(value, str):
            yield value, ENUM, item.name
