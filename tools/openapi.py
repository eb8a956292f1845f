"""Write the OpenAPI descriptions of the example site and of ``serve``: ``python tools/openapi.py``.

The JSON schema of the package describes the snapshots. Tests compare the routes with those of the
sites, and responses with the schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pontedeldiavolo as pdd

EXAMPLE: Final = Path(__file__).parents[1] / "examples" / "openapi.json"
SERVE: Final = EXAMPLE.with_name("openapi-serve.json")

Routes = dict[tuple[str, str], tuple[str, dict[str, object] | None, int, object]]
"""The summary, the body, the status and the answer of each method and path."""

TEXT: Final = {"type": "string"}
PICTURE: Final = {"type": "string", "description": "An SVG document."}
PAGE: Final = {"type": "string", "description": "An HTML document."}
ANIMATION: Final = {"type": "string", "format": "binary", "description": "A GIF."}
TEXTS: Final = {"type": "array", "items": TEXT}
BOOLEAN: Final = {"type": "boolean"}
NUMBER: Final = {"type": "integer", "minimum": 1}
COUNT: Final = {"type": "integer", "minimum": 0}
PAIR: Final = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
LANG: Final = {"in": "query", "name": "lang", "schema": {"enum": ["en", "de"], "default": "en"}}


def component(name: str) -> dict[str, str]:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(schema: object) -> dict[str, object]:
    """Return the schema of a value that can be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def map_of(schema: object) -> dict[str, object]:
    """Return the schema of an object with any keys."""
    return {"type": "object", "additionalProperties": schema}


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
        code=component("violation-code"),
        text={**TEXT, "description": "A sentence in the language of the request."},
        cells=map_of(CELLS),
        bridges={"type": "array", "items": component("bridge")},
    ),
    "view": object_of(
        id=TEXT,
        version={**NUMBER, "description": "Goes up with every change; requests repeat it."},
        result={"enum": ["*", "white", "red", "first", "second", "draw"]},
        ending=or_null(component("ending")),
        sentence=TEXT,
        clocks=object_of(**{seat: {"type": ["number", "null"]} for seat in SEATS}),
        draw_offer=or_null(component("seat")),
        snapshot=component("snapshot"),
    ),
}
VERSION: Final = {"version": NUMBER}
TURN: Final = component("view")
ROUTES: Final[Routes] = {
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
        object_of(games=TEXTS, errors=TEXTS),
    ),
    ("get", "/games/{id}"): ("Show a game.", None, 200, TURN),
    ("get", "/games/{id}/record"): ("Return the record of a game.", None, 200, TEXT),
    ("post", "/games/{id}/seats"): (
        "Take a seat; the token goes into the header Authorization of later requests.",
        object_of(seat=component("seat")),
        201,
        object_of(seat=component("seat"), token=TEXT),
    ),
    ("post", "/games/{id}/actions"): (
        "Play an `action`, or that of two `cells`; for one cell, return the cells to go with it.",
        object_of(
            *("action", "cells"),
            action=component("action"),
            cells={**CELLS, "minItems": 1, "maxItems": 2},
            **VERSION,
        ),
        200,
        {"anyOf": [object_of(second=CELLS), TURN]},
    ),
    ("post", "/games/{id}/resignation"): ("Resign.", object_of(**VERSION), 200, TURN),
    ("post", "/games/{id}/draw"): (
        "Offer a draw, or accept the offer of the other player.",
        object_of(**VERSION),
        200,
        TURN,
    ),
}
QUERIES: Final[dict[str, tuple[str, ...]]] = {"/uploads": ("format",)}
SERVE_QUERIES: Final = {
    **QUERIES,
    "/games/{id}": ("after", "seats_taken", "failure_seen", "people_stamp", "wait"),
    "/games/{id}/analysis": ("done", "ply"),
    "/games/{id}/picture": ("ply", "theme", "tried"),
    "/games/{id}/record": ("ply", "tried"),
    "/games/{id}/replay": ("ply", "tried"),
    "/rules": ("theme",),
    "/summaries": ("games",),
}
FILES: Final = (
    ("text/plain", TEXT),
    ("image/svg+xml", PICTURE),
    ("text/html", PAGE),
    ("image/gif", ANIMATION),
)
"""The media types of answers that are not JSON."""
OPEN: Final = {"/games", "/uploads", "/games/{id}/seats"}
"""POST requests that need no token."""


KEY: Final = {
    **TEXT,
    "pattern": "^[A-Za-z0-9_-]{32,64}$",
    "description": "A secret of the client, which becomes the token: a repeated request with the "
    "same key creates nothing twice.",
}
SERVE_SCHEMAS: Final[dict[str, object]] = {
    **SCHEMAS,
    "failure": object_of(
        "number",
        error={**TEXT, "description": "A sentence in the language of the request."},
        code={**TEXT, "description": "A stable name for programs."},
        number={**NUMBER, "description": "Another failure of a game has another number."},
    ),
    "ply": {
        **object_of(
            move={
                **TEXT,
                "description": "The item in the list of moves, in HTML. `&first;` and `&second;` "
                "stand for the names of the players.",
            },
            pieces={
                **map_of(TEXT),
                "description": "New pieces of the picture, by the number of their group. `&3;` "
                "stands for a text of the frame.",
            },
            ended={
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [COUNT, component("cell"), COUNT, COUNT],
                    "minItems": 4,
                    "maxItems": 4,
                },
                "description": "Parts that are shown no more: the number of the group, the first "
                "cell, and the turns from and until which they are shown.",
            },
            cells={**map_of(TEXT), "description": "New names of cells, for screen readers."},
        ),
        "description": "What a ply adds to the page; the first one is the start.",
    },
    "frame": {
        **object_of(
            picture={**PAIR, "description": "The beginning and the end of the picture, in SVG."},
            texts={**TEXTS, "description": "Frequent texts in pictures."},
            groups={
                "type": "array",
                "items": PAIR,
                "description": "The start tags and the end tags around the pieces of each group.",
            },
            list={**PAIR, "description": "The HTML around the items of the list of moves."},
            ghosts={
                **map_of(PAIR),
                "description": "Pieces that can be added, each with the cell on which it is drawn: "
                "a tile of each colour, and bridges by the step between their ends.",
            },
            grid=map_of({"type": "number"}),
            rows={"type": "array", "items": CELLS},
            rules=TEXT,
        ),
        "description": "The parts of the page that stay the same during a game.",
    },
    "view": object_of(
        "frame",
        id=TEXT,
        version={**NUMBER, "description": "Goes up with every change; requests repeat it."},
        base={
            **or_null(NUMBER),
            "description": "The version that this changes; null for a whole view.",
        },
        plies_kept={**COUNT, "description": "How many plies of that version stay."},
        plies={"type": "array", "items": component("ply"), "description": "The new plies."},
        frame=component("frame"),
        language={"enum": ["en", "de"]},
        seats_taken={**COUNT, "description": "The number of seats that people have taken."},
        result={"enum": ["*", "white", "red", "first", "second", "draw"]},
        ending=or_null(component("ending")),
        sentence=TEXT,
        seats=map_of({**TEXT, "description": "`person`, `free`, or a level of the computer."}),
        yours={"type": "array", "items": component("seat")},
        is_thinking=BOOLEAN,
        is_preparing={
            **BOOLEAN,
            "description": "Whether the computer cannot think yet: its search is being compiled.",
        },
        failure={
            **or_null(component("failure")),
            "description": "Why the computer, whose turn it is, does not move.",
        },
        thinking={
            **or_null(
                object_of(
                    level=TEXT,
                    seconds={"type": "number"},
                    expected_seconds={"type": ["number", "null"]},
                )
            ),
            "description": "The level that is choosing, since when, and the mean time that its "
            "last answers took.",
        },
        can_undo=BOOLEAN,
        can_abort=BOOLEAN,
        can_give_time={**BOOLEAN, "description": "Whether the other player can get more time."},
        given_seconds={
            **map_of(NUMBER),
            "description": "The seconds that the other player has given to a seat since its last "
            "action.",
        },
        can_request_undo={**BOOLEAN, "description": "Whether the other player can be asked."},
        seconds_left=map_of({"type": "number"}),
        seat_on_clock=or_null(component("seat")),
        draw_offer=or_null(component("seat")),
        undo_request=or_null(component("seat")),
        undo_request_count={
            **or_null(NUMBER),
            "description": "How many actions the requested undo takes back.",
        },
        rematch_request={
            **or_null(component("seat")),
            "description": "The seat that asks for a rematch, which has not begun.",
        },
        asked_already={
            "type": "array",
            "items": {"enum": ["draw", "undo", "rematch"]},
            "description": "What the sender has asked for in vain since their last action.",
        },
        declined={
            **or_null(
                object_of(what={"enum": ["draw", "undo", "rematch"]}, seat=component("seat"))
            ),
            "description": "The offer or request that was declined, and by whom.",
        },
        rematch_id=or_null(TEXT),
        other_actions={"type": "array", "items": component("action")},
        players={"type": "array", "items": object_of(name=TEXT)},
        snapshot={
            **object_of(
                phase=component("phase"),
                turn=COUNT,
                seat_to_move=or_null(component("seat")),
                to_move=or_null(component("color")),
                bridges_left={"type": ["integer", "null"]},
                last=or_null(component("action")),
                sentences=map_of(or_null(TEXT)),
                winning_seat=or_null(component("seat")),
            ),
            "description": "Fields of a snapshot.",
        },
        choices={
            **or_null(
                object_of(
                    targets={**TEXT, "description": "Cells for a first tile, with spaces."},
                    conflicts=map_of({**TEXT, "description": "Cells that exclude each other."}),
                    buildable={**TEXT, "description": "Bridges that can be built, with spaces."},
                )
            ),
            "description": "What the sender can click on; null if it is not their turn.",
        },
        can_analyse=BOOLEAN,
        can_try={**BOOLEAN, "description": "Whether the sender may try moves beside the game."},
        names=map_of(
            {"type": ["string", "null"], "description": "The name that a person has entered."}
        ),
        time_control=or_null(
            {**TEXT, "description": "The seconds of each player and of each action."}
        ),
        present=map_of(
            {
                "type": ["boolean", "null"],
                "description": "Whether the person's page shows the game; null without a person.",
            }
        ),
        people_stamp={
            **TEXT,
            "description": "Changes with people, and when the computer begins to choose.",
        },
    ),
    "section": object_of(
        heading=TEXT,
        text=TEXT,
        boards={
            "type": "array",
            "items": object_of(
                svg=TEXT,
                notes={
                    "type": "array",
                    "items": object_of(action=TEXT, is_legal=BOOLEAN, reasons=TEXTS),
                },
            ),
        },
    ),
    "summary": object_of(
        *("version", "seats", "names", "points", "turn", "seat_to_move", "ending", "winner"),
        "rematch_id",
        id={**TEXT, "description": "A game that cannot be read has nothing else."},
        version=NUMBER,
        seats={
            "type": "array",
            "items": component("seat"),
            "description": "White's seat first; before the choice, that of player 1.",
        },
        names={**TEXTS, "description": "In the order of the seats."},
        points=or_null(
            {
                "type": "array",
                "items": {"type": "integer"},
                "description": "In the order of the seats.",
            }
        ),
        turn={"type": "integer"},
        seat_to_move=or_null(component("seat")),
        ending=or_null(component("ending")),
        winner=or_null(component("seat")),
        rematch_id=or_null({**TEXT, "description": "The ID of the rematch."}),
    ),
}
SEATED: Final = {"allOf": [TURN, object_of(token=TEXT)]}
END: Final = {"enum": ["decline", "withdraw"]}
TRIED: Final = {"type": "array", "items": component("action")}
OTHERS: Final = {"type": "array", "items": TRIED}
SHARED: Final = ("record",)
SERVE_ROUTES: Final[Routes] = {
    ("get", "/words"): (
        "Return the texts of the page, the languages, the presets of rules and the levels.",
        None,
        200,
        object_of(
            failure=or_null(component("failure")),
            levels=map_of(BOOLEAN),
            no_animation={
                **or_null(component("error")),
                "description": "Why the server draws no animations.",
            },
            words=map_of(TEXT),
            languages=map_of(TEXT),
            rules=TEXTS,
        ),
    ),
    ("get", "/rules"): (
        "Return the rules on one page.",
        None,
        200,
        object_of(
            title=TEXT,
            sections={"type": "array", "items": component("section")},
        ),
    ),
    ("get", "/summaries"): (
        "Summarise the games whose IDs `games` lists, separated by commas.",
        None,
        200,
        object_of(games={"type": "array", "items": component("summary")}),
    ),
    ("get", "/games/{id}/picture"): (
        "Return a small picture of a game, or a large one of the state after `ply` actions.",
        None,
        200,
        PICTURE,
    ),
    ("get", "/games/{id}/replay"): ("Return a page that replays a game.", None, 200, PAGE),
    ("get", "/games/{id}/animation"): ("Return an animation of a game.", None, 200, ANIMATION),
    ("post", "/games"): (
        "Start a game, from a set-up, a state or a record if `start` has one.",
        object_of(
            *("rules", "start", "to_move", "opponent", "seat", "name", "time_control", "key"),
            rules=TEXT,
            start=TEXT,
            to_move=component("color"),
            opponent=TEXT,
            seat={"enum": [*SEATS, "both"]},
            name=TEXT,
            time_control={**TEXT, "pattern": "^[1-9][0-9]{0,5}[+][0-9]{1,4}$"},
            key=KEY,
        ),
        201,
        SEATED,
    ),
    ("get", "/games/{id}"): (
        "Show a game; 204 if all that the query names is still as it says.",
        None,
        200,
        TURN,
    ),
    ("post", "/games/{id}/seats"): (
        "Take a seat; the token goes into the header Authorization of later requests.",
        object_of("name", "key", seat=component("seat"), name=TEXT, key=KEY),
        201,
        SEATED,
    ),
    ("post", "/games/{id}/name"): (
        "Change the name of a person; with both seats, of the one at `seat`.",
        object_of("seat", name=TEXT, seat=component("seat")),
        200,
        TURN,
    ),
    ("post", "/games/{id}/actions"): (
        "Play an `action` or that of two `cells`, or say why it is refused.",
        object_of(
            *("action", "cells"),
            action=component("action"),
            cells={**CELLS, "minItems": 1, "maxItems": 2},
            **VERSION,
        ),
        200,
        {"anyOf": [object_of(second=CELLS), object_of(refused=component("error")), TURN]},
    ),
    ("post", "/games/{id}/trial"): (
        "Show a board beside the game: after `ply` of its actions, those in `tried`, and one more.",
        object_of(
            *("action", "cells", "others"),
            ply=COUNT,
            tried=TRIED,
            others=OTHERS,
            action=component("action"),
            cells={**CELLS, "minItems": 1, "maxItems": 2},
        ),
        200,
        {
            "anyOf": [
                object_of(second=CELLS),
                object_of(refused=component("error")),
                {"allOf": [TURN, object_of(ply=COUNT, tried=TRIED, others=OTHERS)]},
            ]
        },
    ),
    ("post", "/games/{id}/variations"): (
        "Add tried actions, and other lines of them, to the record as variations.",
        object_of("others", ply=COUNT, tried=TRIED, others=OTHERS, **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/variations/removal"): (
        "Remove from the record the variation that ends after the actions of `line`.",
        object_of(line=TRIED, **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/abort"): (
        "End a game of two people without any result: nobody has joined, or it has hardly begun.",
        object_of(**VERSION),
        204,
        None,
    ),
    ("post", "/games/{id}/undo"): (
        "Undo the last action; with `answer`, ask the other player for it, reply, or withdraw.",
        object_of("answer", answer={"enum": ["ask", "accept", *END["enum"]]}, **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/time"): (
        "Give the other player 15 seconds.",
        object_of(**VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/draw"): (
        "Offer a draw, accept or decline the offer of the other player, or withdraw one's own.",
        object_of("answer", answer=END, **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/resignation"): (
        "Resign; a person with both seats names one.",
        object_of("seat", seat=component("seat"), **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/answer"): (
        "Let the computer try again after a failure, or go on against the level `opponent`.",
        object_of("opponent", opponent=TEXT, **VERSION),
        200,
        TURN,
    ),
    ("post", "/games/{id}/rematch"): (
        "Begin a game with the seats exchanged, or return it; a person must agree first.",
        object_of("answer", answer=END, **VERSION),
        201,
        object_of(id=TEXT),
    ),
    ("post", "/games/{id}/analyses"): (
        "Analyse the state after `ply` actions, or all with -1; without it, end the analysis.",
        object_of("ply", ply={"type": "integer", "minimum": -1}),
        202,
        object_of(),
    ),
    ("get", "/games/{id}/analysis"): (
        "Return what an analysis has found, or how far it is; 204 without news.",
        None,
        200,
        object_of(
            *("done", "total", "ply", "value", "lines", "svg", "moves", "values", "mistakes"),
            done=COUNT,
            total=COUNT,
            ply={"type": "integer"},
            value={"type": "number"},
            lines={
                "type": "array",
                "items": object_of(
                    value={"type": "number"}, actions={"type": "array", "items": TEXT}
                ),
            },
            svg=TEXT,
            moves=TEXT,
            values={"type": "array", "items": {"type": ["number", "null"]}},
            mistakes={
                "type": "array",
                "items": object_of(
                    ply={"type": "integer"},
                    turn={"type": "integer"},
                    seat={"enum": SEATS},
                    side={"enum": ["white", "red", None]},
                    action=TEXT,
                    sign=TEXT,
                    better={"type": "array", "items": TEXT},
                    variation=COUNT,
                    before={"type": "integer"},
                    after={"type": "integer"},
                ),
            },
        ),
    ),
    **{key: parts for key, parts in ROUTES.items() if key[1].endswith(SHARED)},
}


def descriptions() -> dict[Path, dict[str, Any]]:
    """Return the description of each site, by its file."""
    return {
        EXAMPLE: description("The example site of pontedeldiavolo", ROUTES, SCHEMAS, QUERIES),
        SERVE: description("pontedeldiavolo serve", SERVE_ROUTES, SERVE_SCHEMAS, SERVE_QUERIES),
    }


def description(
    title: str, routes: Routes, own: dict[str, object], queries: dict[str, tuple[str, ...]]
) -> dict[str, Any]:
    """Return the description of a site."""
    paths: dict[str, dict[str, object]] = {}
    for (method, path), parts in routes.items():
        found = operation(method, path, queries.get(path, ()), *parts)
        paths.setdefault(path, {})[method] = found
    definitions: Any = pdd.json.schema()["$defs"]
    text = json.dumps({**definitions, **own}).replace("#/$defs/", "#/components/schemas/")
    schemas = json.loads(text)
    used = set[str]()
    new = names_in(paths)
    while new:
        used |= new
        new = {each for name in new for each in names_in(schemas[name])} - used
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": str(pdd.json.VERSION)},
        "paths": paths,
        "components": {
            "schemas": {name: part for name, part in schemas.items() if name in used},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def names_in(part: object) -> set[str]:
    """Return the names of the schemas to which a part of a description refers."""
    return {*re.findall(r"#/components/schemas/([\w-]+)", json.dumps(part))}


def operation(
    method: str,
    path: str,
    queries: tuple[str, ...],
    summary: str,
    body: object,
    status: int,
    answer: object,
) -> dict[str, object]:
    """Return the description of a request."""
    found: dict[str, object] = {"summary": summary, "parameters": [*parameters(path, queries)]}
    if body is not None:
        found["requestBody"] = {"content": {"application/json": {"schema": body}}}
    if method == "post" and path not in OPEN:
        found["security"] = [{"token": []}]
    kind = next((kind for kind, files in FILES if answer is files), "application/json")
    error = {
        "description": "A refusal.",
        "content": {"application/json": {"schema": component("error")}},
    }
    good: dict[str, object] = {"description": "Success."}
    if answer is not None:
        good["content"] = {kind: {"schema": answer}}
    # An upload without a valid game has the same body.
    more: dict[str, object] = {"422": good} if path == "/uploads" else {}
    if "after" in queries or path.endswith("/analysis"):
        more["204"] = {"description": "No news."}
    if path.endswith("/rematch"):
        asked = {"application/json": {"schema": TURN}}
        more["200"] = {"description": "It is asked for, declined or withdrawn.", "content": asked}
    return {**found, "responses": {str(status): good, **more, "default": error}}


def parameters(path: str, queries: tuple[str, ...]) -> Iterator[object]:
    """Yield the parameters of a request."""
    if "{id}" in path:
        yield {"in": "path", "name": "id", "required": True, "schema": TEXT}
    for name in queries:
        yield {"in": "query", "name": name, "schema": TEXT}
    yield LANG


if __name__ == "__main__":
    for file, content in descriptions().items():
        file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
