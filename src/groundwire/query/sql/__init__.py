"""SQL as text with structure.

`parse(text, dialect)` never raises: what could not be read stands in `.errors`.
"""

from groundwire.query.sql.parse import Query, parse
from groundwire.query.sql.scope import ColumnUse, Source, TableUse, Uses, uses

__all__ = ["ColumnUse", "Query", "Source", "TableUse", "Uses", "parse", "uses"]
