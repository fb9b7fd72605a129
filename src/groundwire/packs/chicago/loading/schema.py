"""The tables that a load fills, the same in DuckDB, PostgreSQL and SQLite.

Names are unquoted upper case, so that no query ever needs quotes. What the loader remembers for
itself lies in a schema of its own, `CHICAGO_LOAD`.
"""

from __future__ import annotations

__all__ = ["BOOKKEEPING", "COLUMNS", "PORTAL_NAMES", "TABLES"]

COLUMNS = {
    "ID": "BIGINT",
    "CASE_NUMBER": "TEXT",
    "DATE": "TIMESTAMP",
    "BLOCK": "TEXT",
    "IUCR": "TEXT",
    "PRIMARY_TYPE": "TEXT",
    "DESCRIPTION": "TEXT",
    "LOCATION_DESCRIPTION": "TEXT",
    "ARREST": "TEXT",
    "DOMESTIC": "TEXT",
    "BEAT": "TEXT",
    "DISTRICT": "TEXT",
    "WARD": "INTEGER",
    "COMMUNITY_AREA": "INTEGER",
    "FBI_CODE": "TEXT",
    "X_COORDINATE": "DOUBLE PRECISION",
    "Y_COORDINATE": "DOUBLE PRECISION",
    "YEAR": "INTEGER",
    "UPDATED_ON": "TIMESTAMP",
    "LATITUDE": "DOUBLE PRECISION",
    "LONGITUDE": "DOUBLE PRECISION",
    "LOCATION": "TEXT",
}
"""The columns of CRIMES in the portal's order, with their types."""

PORTAL_NAMES = {name.replace("_", " ").lower(): name for name in COLUMNS}
"""The portal's header names in lower case, and the column that each fills."""

_CONSTRAINTS = {
    "ID": " PRIMARY KEY",
    "IUCR": " REFERENCES IUCR_CODES (IUCR)",
    "COMMUNITY_AREA": " REFERENCES COMMUNITY_AREAS (COMMUNITY_AREA)",
}

TABLES = {
    "COMMUNITY_AREAS": "COMMUNITY_AREA INTEGER PRIMARY KEY, COMMUNITY_AREA_NAME TEXT",
    "IUCR_CODES": "IUCR TEXT PRIMARY KEY, PRIMARY_TYPE TEXT, DESCRIPTION TEXT, INDEX_CODE TEXT",
    "CRIMES": ", ".join(f"{n} {kind}{_CONSTRAINTS.get(n, '')}" for n, kind in COLUMNS.items()),
}
"""The tables with their definitions, those that others refer to first."""

BOOKKEEPING = {
    # One row a load; NEXT_BYTE and NEXT_LINE are where the next batch begins, TALLY is JSON.
    "LOADS": """LOAD_ID INTEGER PRIMARY KEY, FILE TEXT, FINGERPRINT TEXT, STATUS TEXT,
        NEXT_BYTE BIGINT, NEXT_LINE BIGINT, TALLY TEXT""",
    "REJECTED": "LOAD_ID INTEGER, LINE BIGINT, REASON TEXT, ORIGINAL TEXT",
    "CHANGES": """LOAD_ID INTEGER, ID BIGINT, COLUMN_NAME TEXT, OLD_VALUE TEXT, NEW_VALUE TEXT,
        RULE TEXT""",
    # Rows that wait for the end of the load, when the whole file can tell what they lack.
    "PENDING": "ID BIGINT PRIMARY KEY",
    # IDs met so far in this load, kept only when CRIMES was not empty before it.
    "SEEN": "ID BIGINT PRIMARY KEY",
}
"""The tables of the schema CHICAGO_LOAD."""
