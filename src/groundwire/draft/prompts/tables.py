"""A relational catalog as the text of a prompt: one block a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from groundwire.counted import counted
from groundwire.database.catalog import Catalog, Column, ForeignKey, Table
from groundwire.draft.prompts.quoting import is_offered, quoted, sql_name

__all__ = ["TableText", "Values"]

_COMMENT_LENGTH = 160
_VALUE_LENGTH = 40
_LISTED_VALUES = 12
"""Different values up to which a column's values are all listed."""
_SAMPLED_VALUES = 3
_ENUM_LABELS = 40


class Values(Protocol):
    """What drafting asks of a value index (`groundwire.draft.values.ValueIndex`)."""

    def frequent(self, table: Table, column: Column, n: int) -> Sequence[str]:
        """The `n` most frequent values of a text column."""
        ...

    def lookup(self, phrase: str) -> Sequence[Any]:
        """Matches with `table`, `column` and `value`, best first."""
        ...


_ENUM_TYPE = re.compile(r"ENUM\s*\((?:\s*'(?:[^']|'')*'\s*,?)*\)", re.IGNORECASE)


def _type(column: Column) -> str:
    """The type without the labels of an enum, which stand apart as quoted texts, or not at all."""
    shown = _ENUM_TYPE.sub("ENUM", column.type)
    return shown if is_offered(shown) and "'" not in shown else "(type not shown)"


@dataclass(frozen=True)
class TableText:
    """Writes tables of one catalog.

    `meanings` are sentences by `TABLE.COLUMN` and `TABLE` for what has no comment of its own.
    `values` gives the frequent ones; with `schema_only` nothing that is stored is written, enum
    labels included.
    """

    catalog: Catalog
    values: Values | None = None
    meanings: Mapping[str, str] = field(default_factory=dict)
    schema_only: bool = False

    def name(self, table: Table) -> str:
        """The table's name as a query must write it, with its schema where it needs one."""
        bare = sql_name(table.name, self.catalog.folds)
        found = self.catalog.find(table.name, quoted=True)
        if found is table or not table.schema:
            return bare
        return f"{sql_name(table.schema, self.catalog.folds)}.{bare}"

    def column(self, column: Column) -> str:
        """The column's name as a query must write it."""
        return sql_name(column.name, self.catalog.folds)

    def is_offered(self, table: Table) -> bool:
        """Whether the table's name may stand in a prompt."""
        return is_offered(table.name) and (not table.schema or is_offered(table.schema))

    def write(self, table: Table, columns: Collection[str] | None = None) -> str:
        """The block of a table: header, columns, keys.

        Args:
            columns: names of the columns to show; None = all of them.
        """
        shown = [c for c in table.columns if columns is None or c.name in columns]
        shown = [c for c in shown if is_offered(c.name)]
        lines = [self._header(table), *(self._column_line(table, column) for column in shown)]
        lines += [f"  {key}" for key in self._compound_keys(table)]
        hidden = len(table.columns) - len(shown)
        if hidden:
            lines.append(f"  -- {counted(hidden, 'more column')} not shown")
        return "\n".join(lines)

    def _header(self, table: Table) -> str:
        kind = "VIEW" if "view" in table.kind else "TABLE"
        notes = []
        if table.row_estimate is not None:
            notes.append(f"about {counted(table.row_estimate, 'row')}")
        comment = table.comment or self.meanings.get(table.name, "")
        if comment:
            notes.append(quoted(comment, _COMMENT_LENGTH))
        return f"{kind} {self.name(table)}" + (f" -- {'; '.join(notes)}" if notes else "")

    def _column_line(self, table: Table, column: Column) -> str:
        words = [self.column(column)]
        if column.type:
            words.append(_type(column))
        if table.primary_key == (column.name,):
            words.append("PRIMARY KEY")
        elif (column.name,) in table.unique_keys:
            words.append("UNIQUE")
        elif not column.nullable:
            words.append("NOT NULL")
        for key in table.foreign_keys:
            if key.columns == (column.name,):
                words.append(self._reference(key))
        notes = list(self._notes(table, column))
        return f"  {' '.join(words)}" + (f" -- {'; '.join(notes)}" if notes else "")

    def _notes(self, table: Table, column: Column) -> Iterator[str]:
        comment = column.comment or self.meanings.get(f"{table.name}.{column.name}", "")
        if comment:
            yield quoted(comment, _COMMENT_LENGTH)
        if self.schema_only:
            return
        if column.values:
            labels = ", ".join(
                quoted(value, _VALUE_LENGTH) for value in column.values[:_ENUM_LABELS]
            )
            more = ", …" if len(column.values) > _ENUM_LABELS else ""
            yield f"one of: {labels}{more}"
        elif self.values is not None:
            frequent = self.values.frequent(table, column, _LISTED_VALUES + 1)
            whole = len(frequent) <= _LISTED_VALUES
            listed = frequent if whole else frequent[:_SAMPLED_VALUES]
            if listed:
                texts = ", ".join(quoted(str(value), _VALUE_LENGTH) for value in listed)
                yield f"{'values' if whole else 'for example'}: {texts}"

    def _compound_keys(self, table: Table) -> Iterator[str]:
        if len(table.primary_key) > 1:
            yield f"PRIMARY KEY {self._list(table.primary_key)}"
        for unique in table.unique_keys:
            if len(unique) > 1:
                yield f"UNIQUE {self._list(unique)}"
        for key in table.foreign_keys:
            if len(key.columns) > 1:
                yield f"FOREIGN KEY {self._list(key.columns)} {self._reference(key)}"

    def _reference(self, key: ForeignKey) -> str:
        target = self.catalog.find(key.target_table, key.target_schema, quoted=True)
        name = self.name(target) if target else sql_name(key.target_table, self.catalog.folds)
        if not is_offered(key.target_table):
            return "REFERENCES (a table that is not shown)"
        return f"REFERENCES {name}{self._list(key.target_columns)}"

    def _list(self, names: Sequence[str]) -> str:
        return f"({', '.join(sql_name(name, self.catalog.folds) for name in names)})"
