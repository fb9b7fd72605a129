"""The rules of cleaning as SQL: what each column becomes, and what is a change.

`r_ID`, `r_DATE` … are the cells as they came, without blanks around them; an empty one is NULL.

They follow table 1 of the SQL-agent paper (`Null value handling strategy by column group`):
categorical cells become OTHER OFFENSE, logical ones Unknown, a missing DATE the most frequent one
of its YEAR, missing coordinates those of the same BLOCK, else the average of the BEAT. The last two
need the whole file, so here they are only left empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.packs.chicago.loading.schema import COLUMNS

__all__ = ["changes_sql", "typed_sql"]

_TIME_FORMATS = (
    "%m/%d/%Y %I:%M:%S %p",
    "%Y-%m-%dT%H:%M:%S.%g",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%m/%d/%Y",
    "%Y-%m-%d",
)
# The city with some room, in degrees and in feet of the Illinois East state plane. The portal has
# rows at (0, 0) feet, which are some 36.6 N 91.7 W.
_BOXES = {
    "LATITUDE": (41.6, 42.1),
    "LONGITUDE": (-88.0, -87.4),
    "X_COORDINATE": (1_080_000, 1_220_000),
    "Y_COORDINATE": (1_800_000, 1_970_000),
}
_YEARS = (1900, 2100)


def _trimmed(cell: str) -> str:
    """Without blanks around it, NULL if nothing is left. To look first is cheaper than to trim."""
    return f"""CASE WHEN starts_with({cell}, ' ') OR ends_with({cell}, ' ')
        THEN nullif(trim({cell}), '') ELSE nullif({cell}, '') END"""


def _padded(column: str, width: int) -> str:
    cell = f"r_{column}"
    return f"""CASE WHEN length({cell}) < {width} AND {cell}[1] BETWEEN '0' AND '9'
        THEN lpad({cell}, {width}, '0') ELSE {cell} END"""


def _time(column: str) -> str:
    formats = ", ".join(f"'{f}'" for f in _TIME_FORMATS)
    return f"try_strptime(r_{column}, [{formats}])"


def _whole(column: str) -> str:
    number = f"try_cast(r_{column} AS DOUBLE)"
    return f"CASE WHEN {number} = floor({number}) THEN try_cast({number} AS INTEGER) END"


def _flag(column: str) -> str:
    return f"""CASE WHEN r_{column} IN ('true', 'false') THEN r_{column}
        WHEN lower(r_{column}) IN ('true', 't', 'yes', 'y', '1') THEN 'true'
        WHEN lower(r_{column}) IN ('false', 'f', 'no', 'n', '0') THEN 'false'
        ELSE 'Unknown' END"""


def _inside(column: str) -> str:
    low, high = _BOXES[column]
    number = f"try_cast(r_{column} AS DOUBLE)"
    return f"CASE WHEN {number} BETWEEN {low} AND {high} THEN {number} END"


def _other_offense(column: str) -> str:
    return f"coalesce(r_{column}, 'OTHER OFFENSE')"


_FIRST = {
    "ID": "CASE WHEN regexp_full_match(r_ID, '[0-9]{1,18}') THEN r_ID::BIGINT END",
    "IUCR": _padded("IUCR", 4),
    "PRIMARY_TYPE": _other_offense("PRIMARY_TYPE"),
    "DESCRIPTION": _other_offense("DESCRIPTION"),
    "LOCATION_DESCRIPTION": _other_offense("LOCATION_DESCRIPTION"),
    "ARREST": _flag("ARREST"),
    "DOMESTIC": _flag("DOMESTIC"),
    "BEAT": _padded("BEAT", 4),
    "DISTRICT": _padded("DISTRICT", 3),
    "WARD": _whole("WARD"),
    "COMMUNITY_AREA": _whole("COMMUNITY_AREA"),
    "UPDATED_ON": _time("UPDATED_ON"),
    **{column: _inside(column) for column in _BOXES},
}
# Why a well-formed record is put aside; the first reason counts.
_REASONS = {
    "no ID": "r_ID IS NULL",
    "ID is not a whole number": "ID IS NULL",
    "neither DATE nor YEAR can be read": "DATE IS NULL AND YEAR IS NULL",
}
_NEEDING_OTHERS = {
    "DATE": f"CASE WHEN year(time) BETWEEN {_YEARS[0]} AND {_YEARS[1]} THEN time END",
    "YEAR": f"""coalesce(year(DATE),
        CASE WHEN whole_year BETWEEN {_YEARS[0]} AND {_YEARS[1]} THEN whole_year END)""",
    "LOCATION": """CASE WHEN LATITUDE IS NOT NULL AND LONGITUDE IS NOT NULL
        THEN coalesce(r_LOCATION, '(' || LATITUDE || ', ' || LONGITUDE || ')') END""",
}


_LOST = "{column} IS NULL AND r_{column} IS NOT NULL"
_CHANGES: dict[str, tuple[tuple[str, ...], str]] = {
    "missing category": (
        ("PRIMARY_TYPE", "DESCRIPTION", "LOCATION_DESCRIPTION"),
        "r_{column} IS NULL",
    ),
    "missing or unreadable flag": (
        ("ARREST", "DOMESTIC"),
        "{column} = 'Unknown' AND r_{column} IS DISTINCT FROM 'Unknown'",
    ),
    "other spelling of a flag": (
        ("ARREST", "DOMESTIC"),
        "{column} <> 'Unknown' AND r_{column} <> {column}",
    ),
    "leading zeros restored": (("IUCR", "BEAT", "DISTRICT"), "{column} <> r_{column}"),
    "unreadable number": (("WARD", "COMMUNITY_AREA"), _LOST),
    "unreadable time": (("DATE", "UPDATED_ON"), _LOST),
    "coordinate outside the city": (tuple(_BOXES), _LOST),
    "location without coordinates": (("LOCATION",), _LOST),
    "location from coordinates": (("LOCATION",), "{column} IS NOT NULL AND r_{column} IS NULL"),
    "year from the date": (
        ("YEAR",),
        "DATE IS NOT NULL AND YEAR IS DISTINCT FROM try_cast(r_YEAR AS DOUBLE)",
    ),
}
"""The rules whose effect shows in one row alone: the columns that they change, and when."""


def typed_sql(cells: str, extra: tuple[str, ...] = ()) -> str:
    """`SELECT` of the 22 cleaned columns from the cells as they stand in the file.

    `reason` says why a record is put aside, NULL for a good one. `cells` holds the cells as they
    came where a rule changed one of them, else NULL.

    Args:
        cells: a table expression with the columns `r_…`.
        extra: columns of it that are handed on.
    """
    trimmed = ", ".join(f"{_trimmed(f'r_{column}')} AS r_{column}" for column in COLUMNS)
    first = ", ".join(
        f"{_FIRST.get(column, f'r_{column}')} AS {column}"
        for column in COLUMNS
        if column not in _NEEDING_OTHERS
    )
    reasons = " ".join(f"WHEN {condition} THEN '{why}'" for why, condition in _REASONS.items())
    touched = " OR ".join(f"({condition})" for _, _, condition in _changes())
    kept = ", ".join(f"r_{column} := r_{column}" for column in COLUMNS)
    handed_on = "".join(f"{column}, " for column in extra)
    return f"""
    SELECT {handed_on}{", ".join(COLUMNS)}, CASE {reasons} END AS reason,
        CASE WHEN {touched} THEN struct_pack({kept}) END AS cells
    FROM (SELECT *, {_NEEDING_OTHERS["YEAR"]} AS YEAR, {_NEEDING_OTHERS["LOCATION"]} AS LOCATION
    FROM (SELECT *, {_NEEDING_OTHERS["DATE"]} AS DATE
    FROM (SELECT *, {_time("DATE")} AS time, {_whole("YEAR")} AS whole_year, {first}
    FROM (SELECT {handed_on}{trimmed} FROM {cells}))))"""


def changes_sql(touched: str) -> str:
    """`SELECT` of ID, COLUMN_NAME, OLD_VALUE, NEW_VALUE, RULE.

    Args:
        touched: a table with the 22 cleaned columns and the cells `r_…`.
    """
    return "\nUNION ALL\n".join(
        f"""SELECT ID, '{column}' AS COLUMN_NAME, r_{column} AS OLD_VALUE,
            {column}::VARCHAR AS NEW_VALUE, '{rule}' AS RULE FROM {touched} WHERE {condition}"""
        for rule, column, condition in _changes()
    )


def _changes() -> Iterator[tuple[str, str, str]]:
    for rule, (columns, condition) in _CHANGES.items():
        for column in columns:
            yield rule, column, condition.format(column=column)
