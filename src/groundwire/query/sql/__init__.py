"""SQL as text with structure.

`parse(text, dialect)` never raises: what could not be read stands in `.errors`.
"""

from groundwire.query.sql.extent import Word, after_blanks, comments, extent, words
from groundwire.query.sql.names import Block, ColumnUse, Source, TableUse, Uses
from groundwire.query.sql.parse import Query, parse
from groundwire.query.sql.scope import uses

__all__ = [
    "Block",
    "ColumnUse",
    "Query",
    "Source",
    "TableUse",
    "Uses",
    "Word",
    "after_blanks",
    "comments",
    "extent",
    "parse",
    "uses",
    "words",
]
