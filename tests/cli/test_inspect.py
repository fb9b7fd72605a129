"""`groundwire schema` and `groundwire doctor` tell what is there in words and in JSON."""

from __future__ import annotations

from collections.abc import Callable

from tests.cli.conftest import Ran

Call = Callable[..., Ran]


def test_the_schema_names_tables_columns_and_keys(groundwire: Call, url: str) -> None:
    ran = groundwire("schema", url)
    assert ran.code == 0
    for part in ("main.customers", "city", "INTEGER not null", "key"):
        assert part in ran.out


def test_the_schema_in_json_has_the_catalog(groundwire: Call, url: str) -> None:
    described = groundwire("schema", url, "--json").json
    assert described["dialect"] == "duckdb"
    table = described["tables"][0]
    assert table["name"] == "customers"
    assert table["primary_key"] == ["id"]
    assert [column["name"] for column in table["columns"]] == ["id", "name", "city"]


def test_an_unknown_table_is_answered_with_the_nearest(groundwire: Call, url: str) -> None:
    ran = groundwire("schema", url, "custmers")
    assert ran.code == 2
    assert "customers" in ran.err


def test_the_doctor_says_what_is_well(groundwire: Call, url: str) -> None:
    ran = groundwire("doctor", url)
    assert ran.code == 0
    assert "Connected to DuckDB" in ran.out
    assert "1 table with 3 columns" in ran.out


def test_the_doctor_says_what_is_wrong(groundwire: Call) -> None:
    ran = groundwire("doctor", "duckdb:///missing.duckdb", "--json")
    assert ran.code == 4
    assert ran.json["signs"][0]["state"] == "problem"


def test_the_doctor_warns_loudly_of_a_role_that_could_write(
    groundwire: Call, postgres_url: str
) -> None:
    ran = groundwire("doctor", postgres_url)
    assert ran.code == 0
    assert "superuser" in ran.out
    assert "GRANT" in ran.out
