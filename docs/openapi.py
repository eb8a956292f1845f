"""The OpenAPI description of the example site: `python docs/openapi.py` writes it.

Snapshots are described by the JSON schema of the package. A test compares the routes with those of
the site, and responses with the schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pontedeldiavolo as pdd

FILE: Final = Path(__file__).parents[1] / "examples" / "openapi.json"

TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "integer", "minimum": 1}
LANG: Final = {"in": "query", "name": "lang", "schema": {"enum": ["en", "de"], "default": "en"}}


def component(name: str) -> dict[str, str]:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_of(*optional: str, **fields: object) -> dict[str, object]:
    """Return the schema of an object; all fields are required but the optional ones."""
    required = [name for name in fields if name not in optional]
    return {"type": "object", "properties": fields, "required": required}


CELLS: Final = {"type": "array", "items": component("cell")}
SEATS: Final = [seat.value for seat in pdd.Seat]
SCHEMAS: Final[dict[str, object]] = {
    "error": object_of(
        "violations",
        error={**TEXT, "description": "A sentence in the language of the request."},
        code={**TEXT, "description": "A stable name for programs."},
        violations={"type": "array", "items": component("reason")},
    ),
    "reason": object_of(
        rule=component("rule"),
        text={**TEXT, "description": "A sentence in the language of the request."},
        cells={"type": "object", "additionalProperties": CELLS},
        bridges={"type": "array", "items": component("bridge")},
    ),
    "view": object_of(
        id=TEXT,
        version={**NUMBER, "description": "Goes up with every change; requests repeat it."},
        result={"enum": ["*", "white", "red", "first", "second", "draw"]},
        ending={"anyOf": [component("ending"), {"type": "null"}]},
        sentence=TEXT,
        clocks=object_of(**{seat: {"type": ["number", "null"]} for seat in SEATS}),
        draw_offer={"anyOf": [component("seat"), {"type": "null"}]},
        table=component("snapshot"),
    ),
}
VERSION: Final = {"version": NUMBER}
TURN: Final = component("view")
ROUTES: Final[dict[tuple[str, str], tuple[str, dict[str, object] | None, int, object]]] = {
    ("post", "/games"): (
        "Start a game; `seconds` and `increment` give it clocks.",
        object_of(
            "seconds", "increment", rules=TEXT, seconds=NUMBER, increment={"type": "integer"}
        ),
        201,
        TURN,
    ),
    ("post", "/uploads"): (
        "Store the good games of a file of any format.",
        None,
        201,
        object_of(games={"type": "array", "items": TEXT}, errors={"type": "array", "items": TEXT}),
    ),
    ("get", "/games/{id}"): ("Show a game.", None, 200, TURN),
    ("get", "/games/{id}/record"): ("Return the record of a game.", None, 200, TEXT),
    ("get", "/games/{id}/why"): (
        "Say why a tile (`cell`) or an `action` is not legal.",
        None,
        200,
        object_of(violations={"type": "array", "items": component("reason")}),
    ),
    ("post", "/games/{id}/seats"): (
        "Take a seat; the token goes into the header Authorization of later requests.",
        object_of(seat=component("seat")),
        201,
        object_of(seat=component("seat"), token=TEXT),
    ),
    ("post", "/games/{id}/clicks"): (
        "Click: the first click returns the cells for the second, which plays.",
        object_of("first", cell=component("cell"), first=component("cell"), **VERSION),
        200,
        {
            "anyOf": [
                object_of(first={"anyOf": [component("cell"), {"type": "null"}]}, second=CELLS),
                TURN,
            ]
        },
    ),
    ("post", "/games/{id}/actions"): (
        "Play an action.",
        object_of(action=component("action"), **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/resignation"): ("Resign.", object_of(**VERSION), 200, TURN),
    ("post", "/games/{id}/draw"): (
        "Offer a draw, or accept the offer of the other player.",
        object_of(**VERSION),
        200,
        TURN,
    ),
}
QUERIES: Final = {"/games/{id}/why": ("cell", "action"), "/uploads": ("format",)}
OPEN: Final = {"/games", "/uploads", "/games/{id}/seats"}
"""Posts that need no token."""


def description() -> dict[str, Any]:
    """Return the description of the site."""
    paths: dict[str, dict[str, object]] = {}
    for (method, path), parts in ROUTES.items():
        paths.setdefault(path, {})[method] = operation(method, path, *parts)
    definitions: Any = pdd.json.schema()["$defs"]
    text = json.dumps({**definitions, **SCHEMAS}).replace("#/$defs/", "#/components/schemas/")
    schemas = json.loads(text)
    used, new = set[str](), names_in(paths)
    while new:
        used |= new
        new = {each for name in new for each in names_in(schemas[name])} - used
    return {
        "openapi": "3.1.0",
        "info": {"title": "The example site of pontedeldiavolo", "version": str(pdd.json.VERSION)},
        "paths": paths,
        "components": {
            "schemas": {name: part for name, part in schemas.items() if name in used},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def names_in(part: object) -> set[str]:
    """Return the names of the schemas to which a part refers."""
    return {*re.findall(r"#/components/schemas/([\w-]+)", json.dumps(part))}


def operation(
    method: str, path: str, summary: str, body: object, status: int, answer: object
) -> dict[str, object]:
    """Return the description of a request."""
    found: dict[str, object] = {"summary": summary, "parameters": [*parameters(path)]}
    if body is not None:
        found["requestBody"] = {"content": {"application/json": {"schema": body}}}
    if method == "post" and path not in OPEN:
        found["security"] = [{"token": []}]
    kind = "text/plain" if answer is TEXT else "application/json"
    error = {
        "description": "A refusal.",
        "content": {"application/json": {"schema": component("error")}},
    }
    good = {"description": "Success.", "content": {kind: {"schema": answer}}}
    # An upload without a good game has the same body.
    more = {"422": good} if path == "/uploads" else {}
    return {**found, "responses": {str(status): good, **more, "default": error}}


def parameters(path: str) -> Iterator[object]:
    """Iterate over the parameters of a request."""
    if "{id}" in path:
        yield {"in": "path", "name": "id", "required": True, "schema": TEXT}
    for name in QUERIES.get(path, ()):
        yield {"in": "query", "name": name, "schema": TEXT}
    yield LANG


if __name__ == "__main__":
    FILE.write_text(json.dumps(description(), indent=1, ensure_ascii=False) + "\n", "utf-8")
