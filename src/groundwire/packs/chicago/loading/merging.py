"""Putting a cleaned piece into the target: one transaction, with the progress made."""

from __future__ import annotations

from groundwire.packs.chicago.loading.ahead import Cleaned
from groundwire.packs.chicago.loading.progress import Run
from groundwire.packs.chicago.loading.schema import COLUMNS
from groundwire.packs.chicago.loading.targets import Target

__all__ = ["merge_piece"]

# A row replaces one of its ID that was updated before it. `repeated` rows are of an ID that this
# file has had before.
_VERDICTS = """CREATE TEMP TABLE verdicts AS
    SELECT i.ID AS ID, {repeated} AS repeated,
        CASE WHEN c.ID IS NULL THEN 'new'
             WHEN i.UPDATED_ON > c.UPDATED_ON
                  OR (c.UPDATED_ON IS NULL AND i.UPDATED_ON IS NOT NULL) THEN 'newer'
             ELSE 'same' END AS verdict
    FROM incoming i LEFT JOIN CRIMES c ON c.ID = i.ID"""
_SEEN = "EXISTS (SELECT 1 FROM CHICAGO_LOAD.SEEN s WHERE s.ID = i.ID)"

_NEWER = "(SELECT ID FROM verdicts WHERE verdict = 'newer')"
_TAKEN = "(SELECT ID FROM verdicts WHERE verdict <> 'same')"

# Codes and areas that the pack's own tables lack, so that the foreign keys hold.
_NEW_CODES = """INSERT INTO IUCR_CODES (IUCR, PRIMARY_TYPE, DESCRIPTION)
    SELECT IUCR, min(PRIMARY_TYPE), min(DESCRIPTION) FROM incoming
    WHERE IUCR IS NOT NULL AND IUCR NOT IN (SELECT IUCR FROM IUCR_CODES) GROUP BY IUCR"""
_NEW_AREAS = """INSERT INTO COMMUNITY_AREAS (COMMUNITY_AREA, COMMUNITY_AREA_NAME)
    SELECT DISTINCT COMMUNITY_AREA, 'Unknown ' || CAST(COMMUNITY_AREA AS TEXT) FROM incoming
    WHERE COMMUNITY_AREA IS NOT NULL
        AND COMMUNITY_AREA NOT IN (SELECT COMMUNITY_AREA FROM COMMUNITY_AREAS)"""

_UPDATE = f"""UPDATE CRIMES SET {
    ", ".join(f"{column} = i.{column}" for column in COLUMNS if column != "ID")
} FROM incoming i WHERE i.ID = CRIMES.ID AND i.ID IN {_NEWER}"""

_INCOMPLETE = " OR ".join(
    f"{column} IS NULL"
    for column in ("DATE", "X_COORDINATE", "Y_COORDINATE", "LATITUDE", "LONGITUDE")
)


def merge_piece(target: Target, run: Run, cleaned: Cleaned) -> None:
    """Take the piece into the target and note in `run` how far the load is."""
    names = ", ".join(COLUMNS)
    with target.transaction():
        target.receive(cleaned.work)
        target.execute(_VERDICTS.format(repeated="c.ID IS NOT NULL" if run.began_empty else _SEEN))
        found = target.execute("SELECT verdict, repeated, count(*) FROM verdicts GROUP BY 1, 2")
        target.execute(_NEW_CODES)
        target.execute(_NEW_AREAS)
        verdicts = {verdict for verdict, _, _ in found}
        if "newer" in verdicts:
            target.execute(_UPDATE)
            target.execute(f"DELETE FROM CHICAGO_LOAD.CHANGES WHERE ID IN {_NEWER}")
            target.execute(f"DELETE FROM CHICAGO_LOAD.PENDING WHERE ID IN {_NEWER}")
        wanted = "" if verdicts == {"new"} else " WHERE ID IN " + _NEW
        target.execute(f"INSERT INTO CRIMES ({names}) SELECT {names} FROM incoming{wanted}")
        target.execute(
            f"""INSERT INTO CHICAGO_LOAD.CHANGES SELECT ?, ID, COLUMN_NAME, OLD_VALUE, NEW_VALUE,
                RULE FROM changed WHERE ID IN {_TAKEN}""",
            run.number,
        )
        target.execute(
            f"""INSERT INTO CHICAGO_LOAD.PENDING SELECT ID FROM incoming
                WHERE ({_INCOMPLETE}) AND ID IN {_TAKEN}"""
        )
        target.execute(
            "INSERT INTO CHICAGO_LOAD.REJECTED SELECT ?, LINE, REASON, ORIGINAL FROM refused",
            run.number,
        )
        if not run.began_empty:
            target.execute(
                "INSERT INTO CHICAGO_LOAD.SEEN SELECT ID FROM verdicts WHERE NOT repeated"
            )
        run.count(cleaned.counts, [(str(v), bool(repeated), int(n)) for v, repeated, n in found])
        piece = cleaned.piece
        run.save(target, piece.next_byte, piece.first_line + piece.lines)
        target.execute("DROP TABLE verdicts")
        target.release()


_NEW = "(SELECT ID FROM verdicts WHERE verdict = 'new')"
