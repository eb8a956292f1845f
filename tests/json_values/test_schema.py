"""The schema says what the documents have."""

from __future__ import annotations

from enum import Enum

from attrs import NOTHING, fields, has
from jsonschema import Draft202012Validator

from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME, KINDS


def test_the_schema_is_one_and_new_at_each_call() -> None:
    Draft202012Validator.check_schema(json.schema())
    json.schema()["$defs"] = None
    assert json.schema()["$defs"]
    assert "description" in json.schema()


def described(part: object) -> bool:
    """Tell whether a part of the schema says what it is."""
    return isinstance(part, dict) and bool({"description", "$ref"} & part.keys())


def test_the_schema_has_what_the_forms_have() -> None:
    definitions = json.schema()["$defs"]
    assert isinstance(definitions, dict)
    for kind in KINDS:
        definition = definitions[kind.name]
        assert isinstance(definition, dict)
        assert definition["description"]
        if issubclass(kind.of, Enum):
            assert definition["enum"] == [member.value for member in kind.of]
        reference = definition.get("$ref")
        if isinstance(reference, str):
            target = definitions[reference.rpartition("/")[2]]
            assert isinstance(target, dict)
            definition = target
        if has(kind.form):
            properties = definition["properties"]
            assert isinstance(properties, dict)
            required = [field.name for field in fields(kind.form) if field.default is NOTHING]
            assert definition["required"] == required
            assert list(properties) == [field.name for field in fields(kind.form)]
            assert definition["additionalProperties"] is False
            assert all(map(described, properties.values()))


def test_every_kind_has_its_place_in_the_schema() -> None:
    expected = [
        {"properties": {"kind": {"const": name}, "value": {"$ref": f"#/$defs/{name}"}}}
        for name in (*BY_NAME, "snapshot")
    ]
    assert json.schema()["oneOf"] == expected
