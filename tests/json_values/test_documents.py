"""One document of each kind: what is stored today can be read in ten years."""

from __future__ import annotations

import codecs
from typing import Any

import pytest
from attrs import fields, has

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME, KINDS
from support.documents import EXAMPLES, FOLDER, golden


def test_there_is_a_document_of_each_kind() -> None:
    assert list(EXAMPLES) == [kind.name for kind in KINDS]
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_is_stored_can_still_be_read(kind: str) -> None:
    text, value = golden(kind), EXAMPLES[kind]
    assert json.loads(text) == value
    assert json.loads(text, type(value)) == value
    assert json.dumps(value, indent=2) + "\n" == text
    assert type(json.loads(text)) is BY_NAME[kind].of


def test_every_public_class_of_values_has_a_kind() -> None:
    views = {pdd.ActionSpace, pdd.StepSpace, pdd.LegalActions, pdd.LegalSteps}
    public = [getattr(pdd, name) for name in pdd.__all__]
    classes = {each for each in public if isinstance(each, type)} - views - {pdd.Limits, pdd.Reason}
    values = {each for each in classes if not issubclass(each, Exception)}
    assert {kind.of for kind in KINDS} == {*values, pdd.records.Record}


def test_no_field_of_any_value_is_forgotten() -> None:
    definitions: Any = json.schema()["$defs"]
    missing = {
        (kind.name, field.name)
        for kind in KINDS
        if has(kind.of) and "properties" in definitions[kind.name]
        for field in fields(kind.of)
        if field.name[0] != "_" and field.init and field.eq
        if field.name not in definitions[kind.name]["properties"]
    }
    assert missing == {("cell-set", "bits"), ("symmetry", "width"), ("symmetry", "height")}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_documents_are_read_from_bytes(encoding: str) -> None:
    game = pdd.Game.new(tags={"First": "Zoë \U0001f309"}).play("d4,g7")
    text = json.dumps(game)
    if encoding == "utf-16-le":
        octets = codecs.BOM_UTF16_LE + text.encode(encoding)
    else:
        octets = text.encode(encoding)
    assert json.loads(octets) == json.loads(octets, pdd.Game) == game
    assert json.loads("\ufeff" + text) == game


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (b'{"\xff": 1}', "text in UTF-8"),
        (b"\xff\xfe{", "text in UTF-16-LE"),
        (b"\x00\x00\xfe\xff{", "text in UTF-32-BE"),
    ],
)
def test_bytes_that_are_no_text(octets: bytes, expected: str) -> None:
    with pytest.raises(json.JsonError) as caught:
        json.loads(octets)
    assert (caught.value.path, caught.value.expected) == ("", expected)
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)
