"""The end of a load: what only the whole file can tell.

Missing coordinates are taken from rows of the same BLOCK, else from the average of the BEAT; a
missing DATE is the most frequent day of its YEAR. Only coordinates that were never filled in count.
"""

from __future__ import annotations

from groundwire.packs.chicago.loading.progress import Run
from groundwire.packs.chicago.loading.targets import Target

__all__ = ["fill_pending"]

FROM_BLOCK, FROM_BEAT = "coordinates from the block", "coordinates from the beat"
FROM_YEAR, FIRST_OF_YEAR = "date most frequent in the year", "date first of the year"

# Degrees and feet with the portal's own number of decimals.
_DECIMALS = {"X_COORDINATE": 0, "Y_COORDINATE": 0, "LATITUDE": 9, "LONGITUDE": 9}
_COMPLETE = " AND ".join(f"c.{column} IS NOT NULL" for column in _DECIMALS)
_LACKING = " OR ".join(f"n.{column} IS NULL" for column in _DECIMALS)
_FILLED = f"""INSERT INTO filled SELECT DISTINCT ID FROM CHICAGO_LOAD.CHANGES
    WHERE RULE IN ('{FROM_BLOCK}', '{FROM_BEAT}')"""
_NEVER_FILLED = "NOT EXISTS (SELECT 1 FROM filled f WHERE f.ID = c.ID)"

_NEEDED = f"""CREATE TEMP TABLE needed AS
    SELECT c.ID, c.BLOCK, c.BEAT, c.YEAR, c.DATE, c.LOCATION, {
    ", ".join(f"c.{column}" for column in _DECIMALS)
} FROM CRIMES c WHERE c.ID IN (SELECT ID FROM CHICAGO_LOAD.PENDING)"""


def fill_pending(target: Target, run: Run) -> None:
    """Fill in what can be filled and close the load, in one transaction."""
    with target.transaction():
        target.execute(_NEEDED)
        _fill_coordinates(target, run)
        _fill_dates(target, run)
        target.execute("DROP TABLE needed")
        target.execute("DELETE FROM CHICAGO_LOAD.PENDING")
        target.execute("DELETE FROM CHICAGO_LOAD.SEEN")
        run.save(target, run.next_byte, run.next_line)
        target.execute(
            "UPDATE CHICAGO_LOAD.LOADS SET STATUS = 'done' WHERE LOAD_ID = ?", run.number
        )


def _fill_coordinates(target: Target, run: Run) -> None:
    target.execute("CREATE TEMP TABLE filled (ID BIGINT PRIMARY KEY)")
    target.execute(_FILLED)
    target.execute(_averages(target, "blocks", "BLOCK", "AND c.BLOCK NOT LIKE '%UNKNOWN%'"))
    target.execute(_averages(target, "beats", "BEAT", ""))
    values = {column: f"coalesce(n.{column}, k.{column}, b.{column})" for column in _DECIMALS}
    chosen = ", ".join(f"{value} AS {column}" for column, value in values.items())
    target.execute(f"""CREATE TEMP TABLE fills AS
        SELECT n.ID AS ID, {chosen},
            '(' || CAST({values["LATITUDE"]} AS TEXT) || ', '
                || CAST({values["LONGITUDE"]} AS TEXT) || ')' AS LOCATION,
            CASE WHEN k.BLOCK IS NULL THEN '{FROM_BEAT}' ELSE '{FROM_BLOCK}' END AS RULE
        FROM needed n
        LEFT JOIN blocks k ON k.BLOCK = n.BLOCK
        LEFT JOIN beats b ON b.BEAT = n.BEAT
        WHERE ({_LACKING}) AND (k.BLOCK IS NOT NULL OR b.BEAT IS NOT NULL)""")
    for column in (*_DECIMALS, "LOCATION"):
        _record(target, run, column, "fills", "f.RULE")
    assigned = ", ".join(
        f"{column} = coalesce(CRIMES.{column}, f.{column})" for column in (*_DECIMALS, "LOCATION")
    )
    target.execute(f"UPDATE CRIMES SET {assigned} FROM fills f WHERE f.ID = CRIMES.ID")
    ((left,),) = target.execute(
        f"""SELECT count(*) FROM needed n
            WHERE ({_LACKING}) AND n.ID NOT IN (SELECT ID FROM fills)"""
    )
    run.tally["coordinates_missing"] = int(left)
    for table in ("fills", "blocks", "beats", "filled"):
        target.execute(f"DROP TABLE {table}")


def _averages(target: Target, table: str, column: str, condition: str) -> str:
    """The mean coordinates of each value of `column` that is needed."""
    means = ", ".join(
        f"{target.rounded.format(f'avg(c.{name})', digits)} AS {name}"
        for name, digits in _DECIMALS.items()
    )
    return f"""CREATE TEMP TABLE {table} AS
        SELECT c.{column} AS {column}, {means} FROM CRIMES c
        WHERE c.{column} IN (SELECT n.{column} FROM needed n WHERE {_LACKING})
            AND {_COMPLETE} AND {_NEVER_FILLED} {condition}
        GROUP BY c.{column}"""


def _fill_dates(target: Target, run: Run) -> None:
    day = target.day.format("c.DATE")
    target.execute(f"""CREATE TEMP TABLE days AS
        WITH counted AS (
            SELECT c.YEAR AS YEAR, {day} AS DATE, count(*) AS crimes FROM CRIMES c
            WHERE c.DATE IS NOT NULL
                AND c.YEAR IN (SELECT n.YEAR FROM needed n WHERE n.DATE IS NULL)
            GROUP BY c.YEAR, {day}
        ), ranked AS (
            SELECT YEAR, DATE, row_number() OVER (
                PARTITION BY YEAR ORDER BY crimes DESC, DATE) AS place
            FROM counted
        )
        SELECT YEAR, DATE FROM ranked WHERE place = 1""")
    target.execute(f"""CREATE TEMP TABLE dates AS
        SELECT n.ID AS ID, coalesce(d.DATE, {target.new_year.format("n.YEAR")}) AS DATE,
            CASE WHEN d.DATE IS NULL THEN '{FIRST_OF_YEAR}' ELSE '{FROM_YEAR}' END AS RULE
        FROM needed n LEFT JOIN days d ON d.YEAR = n.YEAR WHERE n.DATE IS NULL""")
    _record(target, run, "DATE", "dates", "f.RULE")
    target.execute("UPDATE CRIMES SET DATE = f.DATE FROM dates f WHERE f.ID = CRIMES.ID")
    for table in ("dates", "days"):
        target.execute(f"DROP TABLE {table}")


def _record(target: Target, run: Run, column: str, filled: str, rule: str) -> None:
    target.execute(
        f"""INSERT INTO CHICAGO_LOAD.CHANGES
            SELECT ?, n.ID, '{column}', NULL, CAST(f.{column} AS TEXT), {rule}
            FROM needed n JOIN {filled} f ON f.ID = n.ID WHERE n.{column} IS NULL""",
        run.number,
    )
