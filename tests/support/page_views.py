"""Views of a game made from changes, as the page's script ``view.js`` makes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

View = dict[str, Any]


def changed(view: View | None, change: Mapping[str, Any]) -> View | None:
    """Return the view after a change; ``None`` if the change does not belong to the old view."""
    if change["base"] is None:
        return view_of(change, all_parts(change, change["frame"], []))
    if view is None or (view["id"], view["language"]) != (change["id"], change["language"]):
        return None
    parts = view["drawn"]
    if view["version"] > change["version"]:
        return view
    if view["version"] == change["version"]:
        return view_of(change, parts)
    if view["version"] != change["base"] or change["plies_kept"] > len(parts["plies"]):
        return None
    kept = parts["plies"][: change["plies_kept"]]
    return view_of(change, all_parts(change, parts["frame"], kept))


def all_parts(change: Mapping[str, Any], frame: View, kept: Iterable[View]) -> dict[str, Any]:
    """Return the parts of a view, put together from the start."""
    plies = [*kept, *change["plies"]]
    groups = ["" for _ in frame["groups"]]
    names: dict[str, str] = {}
    for ply in plies:
        for number, cell, since, until in ply["ended"]:
            start = f'data-cells="{cell}( [^"]*)?"( data-points="[0-9]+")? data-from="{since}"'
            end = f' data-until="{until}" display="none"'
            text = groups[number]
            [found] = re.finditer(f"{start}(?! data-until)", text)
            groups[number] = f"{text[: found.end()]}{end}{text[found.end() :]}"
        for number, drawn in ply["pieces"].items():
            texts = re.split("&([0-9]+);", drawn)
            texts[1::2] = [frame["texts"][int(text)] for text in texts[1::2]]
            groups[int(number)] += "".join(texts)
        names |= ply["cells"]
    items = "".join(ply["move"] for ply in plies)
    return {
        "frame": frame,
        "plies": plies,
        "groups": groups,
        "items": items,
        "names": names,
    }


def view_of(change: Mapping[str, Any], parts: dict[str, Any] | None = None) -> View:
    """Return the view that a change and the parts make; without parts, only what it says itself."""
    choices = change["choices"]
    shown = choices and listed(choices)
    hidden = ("base", "plies_kept", "plies", "frame")
    about = {name: value for name, value in change.items() if name not in hidden}
    if parts is None:
        return {**about, "choices": shown}
    frame = parts["frame"]
    if shown:
        shown["ghosts"] = ghosts(frame, shown["buildable"], change["snapshot"]["to_move"])
    layers = zip(frame["groups"], parts["groups"], strict=True)
    drawn = "".join(f"{start}{content}{end}" for (start, end), content in layers)
    return {
        **about,
        "drawn": parts,
        "rules": frame["rules"],
        "svg": f"{frame['picture'][0]}{drawn}{frame['picture'][1]}",
        "movesHtml": with_names(f"{frame['list'][0]}{parts['items']}{frame['list'][1]}", change),
        "grid": frame["grid"],
        "cells": [
            [{"cell": cell, "name": parts["names"][cell]} for cell in row] for row in frame["rows"]
        ],
        "choices": shown,
    }


def with_names(html: str, about: Mapping[str, Any]) -> str:
    """Return HTML with the names of the players in the places that are kept for them."""

    def name(found: re.Match[str]) -> str:
        before, seat = found[1] or "", found[2]
        text: str = about["players"][seat == "second"]["name"]
        starts = before and about["names"][seat] is None
        return before + escape(text[:1].upper() + text[1:] if starts else text)

    return re.sub(r'(\. |"|<a>)?&(first|second);', name, html)


def listed(choices: View) -> View:
    """Return what can be chosen, as lists."""
    targets = choices["targets"].split()
    buildable = choices["buildable"].split()
    ends = dict.fromkeys(end for bridge in buildable for end in bridge.split("-"))
    return {
        "targets": targets,
        "conflicts": {cell: text.split() for cell, text in choices["conflicts"].items()},
        "buildable": buildable,
        "firstCells": [*targets, *ends],
    }


def ghosts(frame: View, bridges: Iterable[str], color: str) -> str:
    """Return pictures of pieces that the next action can add."""
    head = frame["picture"][0]
    found = re.search(r'viewBox="0 0 ([0-9]+)[^"]*"', head)
    assert found is not None
    unit = round(int(found[1]) * frame["grid"]["width"] / frame["grid"]["columns"])
    rows = enumerate(frame["rows"])
    places = {cell: (x, y) for y, row in rows for x, cell in enumerate(row)}
    drawn = [f'<g class="ghost" data-ghost="tile">{frame["ghosts"][color][1]}</g>']
    for bridge in bridges:
        a, b = bridge.split("-")
        (x, y), (to_x, to_y) = places[a], places[b]
        cell, arch = frame["ghosts"][f"{to_x - x},{y - to_y}"]
        at_x, at_y = places[cell]
        move = f"translate({unit * (x - at_x)},{unit * (y - at_y)})"
        drawn.append(f'<g class="ghost" data-ghost="{bridge}"><g transform="{move}">{arch}</g></g>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" {found[0]}>{"".join(drawn)}</svg>'
