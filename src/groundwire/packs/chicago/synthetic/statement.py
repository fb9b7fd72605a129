"""The SQL that turns the days of a calendar into the portal's 22 columns, all of them text."""

from __future__ import annotations

from groundwire.packs.chicago.synthetic.city import BLOCKS_PER_PLACE

__all__ = ["macros", "rows_statement"]

# One row's draws must not depend on each other, so each has a number of its own.
_DRAWS = (
    "type", "code", "hour", "area", "place", "location", "block", "minute", "minute_value", "late",
    "delay", "snap", "no_location", "arrest", "domestic", "unplaced", "no_ward", "north", "east",
    "updated", "update_delay", "update_time", "id", "shared_case",
)  # fmt: skip

# Case numbers count by year: G 2001, HH 2002 … HZ 2016, JA 2017; letters that look like digits are
# not used.
_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"
_PREFIXES = ("G", *[a + b for a in "HJKLMN" for b in _LETTERS][_LETTERS.index("H") :])


def macros(seed_base: int) -> str:
    """`u(i, n)`: the n-th draw of row i, uniform in [0, 1).

    DuckDB's `hash` mixes one integer well but joins several arguments by XOR alone, so the row's
    and the draw's number go into one integer.
    """
    return f"""CREATE MACRO u(i, n) AS
        (hash(({seed_base} + i * 64 + n)::UBIGINT) >> 11)::DOUBLE / 9007199254740992.0"""


def rows_statement(sizes: dict[str, int], id_stride: int, case_stride: int) -> str:
    """The statement; its parameters are `$start` and `$stop` (row numbers) and `$today`.

    Args:
        sizes: number of cells of every table of distributions.
        id_stride: distance of two rows' IDs on average.
        case_stride: distance of two case numbers.
    """
    steps = [
        ("reports", _REPORTS),
        ("kinds", _drawn("reports", "type", sizes, "month_number::VARCHAR", "kind")),
        ("kind_rows", "SELECT * FROM kinds JOIN crime_types USING (kind)"),
        ("codes", _drawn("kind_rows", "code", sizes, "primary_type", "code")),
        ("code_rows", "SELECT * FROM codes JOIN iucr_codes USING (code)"),
        ("hours", _drawn("code_rows", "hour", sizes, "hours", "hour")),
        ("dated", _DATED.format(**_uniform())),
        ("areas", _drawn("dated", "area", sizes, "areas", "area_row")),
        ("places", _drawn("areas", "place", sizes, _PLACE_PROFILE, "place")),
        ("locations", _drawn("places", "location", sizes, "coalesce(code_places, places)", "loc")),
        ("located", _LOCATED.format(**_uniform(), per_place=BLOCKS_PER_PLACE)),
    ]
    chain = ",\n".join(f"{name} AS ({text})" for name, text in steps)
    prefixes = "[" + ", ".join(f"'{prefix}'" for prefix in _PREFIXES) + "]"
    final = _PORTAL.format(
        **_uniform(), id_stride=id_stride, case_stride=case_stride, prefixes=prefixes
    )
    return f"WITH {chain}\n{final}"


def _uniform() -> dict[str, str]:
    return {name: f"u(i, {number})" for number, name in enumerate(_DRAWS)}


def _drawn(source: str, draw: str, sizes: dict[str, int], profile: str, result: str) -> str:
    """The rows of `source` with one outcome more, drawn from `draw_<draw>`."""
    return f"""
    SELECT s.* EXCLUDE (x, profile),
        CASE WHEN x - floor(x) < threshold THEN own ELSE other END AS {result}
    FROM (SELECT *, {_uniform()[draw]} * {sizes[draw]} AS x, {profile} AS profile FROM {source}) s
    JOIN draw_{draw} d ON d.profile = s.profile AND d.cell = floor(x)::INTEGER"""


_REPORTS = """
    SELECT day, first + k AS i, in_year + k AS in_year,
        (year(day) - 2001) * 12 + month(day) - 1 AS month_number
    FROM (SELECT *, unnest(range(rows)) AS k FROM days WHERE first >= $start AND first < $stop)"""

# Late reports are of crimes that happened days or months before; people then often name the first
# of a month or of a year.
_DATED = """
    SELECT * EXCLUDE (happened, snapped),
        CASE WHEN happened < DATE '2001-01-01' THEN day
             WHEN snapped < 0.08 THEN date_trunc('year', happened)::DATE
             WHEN snapped < 0.30 THEN date_trunc('month', happened)::DATE
             ELSE happened END AS crime_day,
        CASE WHEN snapped < 0.30 THEN 0 ELSE hour * 60 + CASE
             WHEN {minute} < 0.42 THEN 0
             WHEN {minute} < 0.56 THEN 30
             WHEN {minute} < 0.66 THEN 15 + 30 * floor({minute_value} * 2)
             WHEN {minute} < 0.80 THEN 5 * floor({minute_value} * 12)
             ELSE floor({minute_value} * 60) END END AS minutes
    FROM (SELECT *,
            CASE WHEN {late} < late THEN day - (1 + floor(-25 * ln(1 - {delay})))::INTEGER
                 ELSE day END AS happened,
            CASE WHEN {late} < late THEN {snap} ELSE 1 END AS snapped
          FROM hours)"""

_PLACE_PROFILE = """(area_row + 1)::VARCHAR
    || CASE WHEN crime_day < DATE '2012-03-05' THEN ' old' ELSE '' END"""

_LOCATED = """
    SELECT *,
        CASE WHEN {unplaced} >= unplaced * CASE WHEN year(crime_day) = 2001 THEN 3 ELSE 1 END
             THEN round(block_latitude + ({north} - 0.5) * 0.0014, 9) END AS latitude,
        CASE WHEN latitude IS NOT NULL
             THEN round(block_longitude + ({east} - 0.5) * 0.0018, 9) END AS longitude,
        {no_ward} < CASE year(crime_day) WHEN 2001 THEN 0.97 WHEN 2002 THEN 0.27 ELSE 0.00005 END
            AS no_ward,
        coalesce(code_domestic, domestic * CASE
            WHEN location IN ('APARTMENT', 'RESIDENCE') THEN 1.6
            WHEN location = 'STREET' THEN 0.6 ELSE 1 END) AS domestic_share,
        CASE WHEN coalesce(code_arrest, arrest) >= 0.9 THEN coalesce(code_arrest, arrest)
             ELSE coalesce(code_arrest, arrest)
                  * greatest(0.55, 1.3 - 0.026 * (year(crime_day) - 2001)) END AS arrest_share,
        CASE WHEN {updated} < 0.70 AND day < DATE '2018-01-25' THEN DATE '2018-02-10'
             WHEN {updated} < 0.88 AND day < DATE '2018-02-20' THEN DATE '2018-02-28'
             WHEN {updated} >= 0.93 THEN day + (8 + floor(-150 * ln(1 - {update_delay})))::INTEGER
             ELSE day + 7 + floor({update_delay} * 2)::INTEGER END AS updated_day
    FROM locations
    JOIN place_blocks
        ON block_id = place * {per_place} + floor({per_place} * pow({block}, 1.6))::INTEGER
    JOIN location_names USING (loc)"""

# State-plane feet as a linear function of the degrees: within some 100 feet over the city.
_PORTAL = """
SELECT
    1300000 + i * {id_stride} + floor({id} * {id_stride})::BIGINT AS "ID",
    {prefixes}[year(day) - 2000] || (100000 + {case_stride} * (in_year
        - CASE WHEN in_year > 0 AND {shared_case} < 0.002 THEN 1 ELSE 0 END)) AS "Case Number",
    strftime(crime_day + to_minutes(minutes::BIGINT), '%m/%d/%Y %I:%M:%S %p') AS "Date",
    block AS "Block",
    iucr AS "IUCR",
    primary_type AS "Primary Type",
    description AS "Description",
    CASE WHEN {no_location} >= 0.003 THEN location END AS "Location Description",
    {arrest} < arrest_share AS "Arrest",
    {domestic} < domestic_share AS "Domestic",
    beat AS "Beat",
    '0' || beat[1:2] AS "District",
    CASE WHEN NOT no_ward THEN ward END AS "Ward",
    CASE WHEN NOT no_ward THEN area_row + 1 END AS "Community Area",
    fbi_code AS "FBI Code",
    round(1165901.235 + 274649 * (longitude + 87.666709))::INTEGER AS "X Coordinate",
    round(1886362.907 + 363628 * (latitude - 41.843749))::INTEGER AS "Y Coordinate",
    year(crime_day) AS "Year",
    strftime(least(updated_day, $today::DATE)
        + to_seconds(56400 + floor({update_time} * 900)::BIGINT), '%m/%d/%Y %I:%M:%S %p')
        AS "Updated On",
    latitude AS "Latitude",
    longitude AS "Longitude",
    '(' || latitude || ', ' || longitude || ')' AS "Location"
FROM located"""
