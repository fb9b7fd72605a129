"""The built-in functions of Neo4j 5: how many arguments each takes, of which types.

Source: `SHOW FUNCTIONS` of Neo4j 5.26 Community and the Cypher manual, "Functions". A function
with a namespace that is not listed here (`apoc.*`, `gds.*`) is a plugin's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.query.cypher.semantics import types as t

__all__ = ["FUNCTIONS", "RENAMED", "Signature", "is_aggregate", "result_type"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A function: its name in the manual's spelling, arguments and result.

    `arguments` has one set of kinds for each argument; the last one holds for all further
    arguments where `maximum` is larger. `resolved_late` marks the functions whose arguments Neo4j
    counts only after every other check.
    """

    name: str
    minimum: int
    maximum: int
    arguments: tuple[int, ...]
    result: t.Type
    aggregate: bool = False
    resolved_late: bool = False


_KINDS: Final[dict[str, int]] = {
    "any": t.ALL,
    "boolean": t.BOOLEAN,
    "integer": t.INTEGER,
    "float": t.NUMERIC,  # an integer is taken where a float is asked for
    "number": t.NUMERIC,
    "string": t.STRING,
    "node": t.NODE,
    "relationship": t.RELATIONSHIP,
    "path": t.PATH,
    "map": t.MAP,
    "point": t.POINT,
    "duration": t.DURATION,
    "date": t.DATE,
    "time": t.TIME,
    "localtime": t.LOCAL_TIME,
    "localdatetime": t.LOCAL_DATETIME,
    "datetime": t.DATETIME,
    "list": t.LIST,
}
_MANY: Final = 1_000_000

# name: argument types, `|` between the alternatives, `?` before optional ones, `*` after one that
# repeats; -> result.
_SCALAR: Final = """
abs: number -> number
acos: float -> float
asin: float -> float
atan: float -> float
atan2: float float -> float
btrim: string ?string -> string
ceil: float -> float
char_length: string -> integer
character_length: string -> integer
coalesce: any* -> any
cos: float -> float
cot: float -> float
degrees: float -> float
e: -> float
elementId: node|relationship -> string
endNode: relationship -> node
exists: any -> boolean
exp: float -> float
file: -> string
floor: float -> float
haversin: float -> float
head: list -> any
id: node|relationship -> integer
isEmpty: string|map|list|node|relationship -> boolean
isNaN: number -> boolean
keys: node|relationship|map -> list
labels: node -> list
last: list -> any
left: string integer -> string
length: path -> integer
linenumber: -> integer
log: float -> float
log10: float -> float
lower: string -> string
ltrim: string ?string -> string
nodes: path -> list
normalize: string ?any -> string
nullIf: any any -> any
pi: -> float
point: map|node|relationship -> point
properties: node|relationship|map -> map
radians: float -> float
rand: -> float
randomUUID: -> string
range: integer integer ?integer -> list
relationships: path -> list
replace: string string string -> string
reverse: string|list -> string|list
right: string integer -> string
round: float ?float ?string -> float
rtrim: string ?string -> string
sign: number -> integer
sin: float -> float
size: string|list -> integer
split: string string|list -> list
sqrt: float -> float
startNode: relationship -> node
substring: string integer ?integer -> string
tail: list -> list
tan: float -> float
toBoolean: boolean|string|integer -> boolean
toBooleanList: list -> list
toBooleanOrNull: any -> boolean
toFloat: string|number -> float
toFloatList: list -> list
toFloatOrNull: any -> float
toInteger: boolean|string|number|list -> integer
toIntegerList: list -> list
toIntegerOrNull: any -> integer
toLower: string -> string
toString: boolean|number|string|point|duration|date|time|localtime|localdatetime|datetime -> string
toStringList: list -> list
toStringOrNull: any -> string
toUpper: string -> string
trim: string ?string -> string
type: relationship -> string
upper: string -> string
valueType: any -> string
point.distance: any any -> float
point.withinBBox: point point point -> boolean
vector.similarity.cosine: list list -> float
vector.similarity.euclidean: list list -> float
graph.byName: any -> any
graph.byElementId: any -> any
"""

# Their arguments are counted only when all else is well.
_TEMPORAL: Final = """
timestamp: ?any -> integer
date: ?any -> date
date.realtime: ?any -> date
date.statement: ?any -> date
date.transaction: ?any -> date
date.truncate: string ?any ?map -> date
datetime: ?any -> datetime
datetime.fromepoch: number number -> datetime
datetime.fromepochmillis: number -> datetime
datetime.realtime: ?any -> datetime
datetime.statement: ?any -> datetime
datetime.transaction: ?any -> datetime
datetime.truncate: string ?any ?map -> datetime
duration: any -> duration
duration.between: any any -> duration
duration.inDays: any any -> duration
duration.inMonths: any any -> duration
duration.inSeconds: any any -> duration
localdatetime: ?any -> localdatetime
localdatetime.realtime: ?any -> localdatetime
localdatetime.statement: ?any -> localdatetime
localdatetime.transaction: ?any -> localdatetime
localdatetime.truncate: string ?any ?map -> localdatetime
localtime: ?any -> localtime
localtime.realtime: ?any -> localtime
localtime.statement: ?any -> localtime
localtime.transaction: ?any -> localtime
localtime.truncate: string ?any ?map -> localtime
time: ?any -> time
time.realtime: ?any -> time
time.statement: ?any -> time
time.transaction: ?any -> time
time.truncate: string ?any ?map -> time
"""

_AGGREGATES: Final = """
avg: number|duration -> number|duration
collect: any -> list
count: any -> integer
max: any -> any
min: any -> any
percentileCont: float float -> float
percentileDisc: number float -> number
stdev: float -> float
stdevp: float -> float
sum: number|duration -> number|duration
"""

RENAMED: Final[dict[str, str]] = {"distance": "point.distance"}
"""Functions that Neo4j 5 has under another name, and says so."""


def _kinds(text: str) -> int:
    kinds = 0
    for name in text.split("|"):
        kinds |= _KINDS[name]
    return kinds


def _result(text: str) -> t.Type:
    return t.Type(t.FLOAT) if text == "float" else t.Type(_kinds(text))


def _signatures(table: str, aggregate: bool, late: bool) -> dict[str, Signature]:
    signatures: dict[str, Signature] = {}
    for line in table.strip().splitlines():
        name, _, rest = line.partition(":")
        arguments, _, result = rest.partition("->")
        words = arguments.split()
        required = sum(not word.startswith("?") for word in words)
        repeats = any(word.endswith("*") for word in words)
        signatures[name.lower()] = Signature(
            name,
            required,
            _MANY if repeats else len(words),
            tuple(_kinds(word.strip("?*")) for word in words),
            _result(result.strip()),
            aggregate,
            late,
        )
    return signatures


FUNCTIONS: Final[dict[str, Signature]] = {
    **_signatures(_SCALAR, aggregate=False, late=False),
    **_signatures(_TEMPORAL, aggregate=False, late=True),
    **_signatures(_AGGREGATES, aggregate=True, late=False),
}
"""All built-in functions, by their name in small letters (function names have no case)."""


def is_aggregate(name: str) -> bool:
    """Whether a function, in any case, is an aggregate."""
    signature = FUNCTIONS.get(name.lower())
    return signature is not None and signature.aggregate


_NODES: Final = t.Type(t.LIST, t.Type(t.NODE))
_RELATIONSHIPS: Final = t.Type(t.LIST, t.Type(t.RELATIONSHIP))
_STRINGS: Final = t.Type(t.LIST, t.STRING_TYPE)
# Functions whose result depends on the argument, or is a list of something known.
_RESULTS: Final[dict[str, Callable[[t.Type], t.Type]]] = {
    "abs": lambda argument: argument if argument.kinds in (t.INTEGER, t.FLOAT) else t.NUMBER_TYPE,
    "avg": lambda argument: t.NUMBER_TYPE if argument.kinds & ~t.NUMERIC == 0 else t.ANY,
    "collect": t.list_of,
    "head": t.element_of,
    "keys": lambda _: _STRINGS,
    "labels": lambda _: _STRINGS,
    "last": t.element_of,
    "max": lambda argument: argument,
    "min": lambda argument: argument,
    "nodes": lambda _: _NODES,
    "range": lambda _: t.Type(t.LIST, t.INTEGER_TYPE),
    "relationships": lambda _: _RELATIONSHIPS,
    "reverse": lambda argument: argument,
    "split": lambda _: _STRINGS,
    "sum": lambda argument: argument if argument.kinds in (t.INTEGER, t.FLOAT) else t.ANY,
    "tail": lambda argument: argument if argument.kinds == t.LIST else t.Type(t.LIST),
    "toBooleanList": lambda _: t.Type(t.LIST, t.BOOLEAN_TYPE),
    "toFloatList": lambda _: t.Type(t.LIST, t.FLOAT_TYPE),
    "toIntegerList": lambda _: t.Type(t.LIST, t.INTEGER_TYPE),
    "toStringList": lambda _: _STRINGS,
}


def result_type(signature: Signature, arguments: list[t.Type]) -> t.Type:
    """The type of a call with arguments of these types."""
    if signature.name == "coalesce":
        return t.union(arguments)
    result = _RESULTS.get(signature.name)
    return result(arguments[0]) if result is not None and arguments else signature.result
