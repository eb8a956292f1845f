"""The schema is made of the table that reads and writes."""

from __future__ import annotations

import json as standard
from collections.abc import Iterator

from jsonschema import Draft202012Validator

from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME
from support.paths import DATA


def test_the_schema_is_the_one_that_others_have() -> None:
    kept = standard.loads((DATA / "json_schema.json").read_text("utf-8"))
    assert json.schema() == kept
    Draft202012Validator.check_schema(json.schema())


def test_the_schema_is_a_new_one_at_each_call() -> None:
    found = json.schema()["$defs"]
    assert isinstance(found, dict)
    found.clear()
    assert json.schema()["$defs"]


def objects_in(part: object) -> Iterator[dict[str, object]]:
    """Iterate over the objects that have fields in a part of the schema."""
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            yield part
        for each in part.values():
            yield from objects_in(each)


def test_every_kind_and_every_field_is_described() -> None:
    definitions = json.schema()["$defs"]
    assert isinstance(definitions, dict)
    assert list(definitions)[: len(BY_NAME)] == list(BY_NAME)
    assert all("description" in definitions[name] for name in definitions)  # type: ignore[operator]
    for found in objects_in(definitions):
        properties = found["properties"]
        assert isinstance(properties, dict)
        assert all({"description", "$ref"} & field.keys() for field in properties.values())
        assert found["additionalProperties"] is False
