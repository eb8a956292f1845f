"""TypeScript types of all JSON documents: `python docs/typescript.py` writes them into the package.

The JSON schema defines the types, and a test compares the file with the schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pontedeldiavolo as pdd

TYPES: Final = Path(pdd.json.__file__).with_name("pontedeldiavolo.d.ts")
"""The file of the package to write."""

HEAD: Final = """\
/** Types of the JSON documents of the Python library pontedeldiavolo, made of its JSON schema. */

/** A document of any kind, or of the kinds that are named: `Document<"game">`. */
export type Document<K extends keyof Kinds = keyof Kinds> = {
  [P in K]: { format: "pontedeldiavolo"; version: %d; kind: P; value: Kinds[P] };
}[K];

/** The type of the value of each kind of documents. */
export interface Kinds {
%s}
"""


def name_of(reference: str) -> str:
    """Return the name of the type for a reference: ``GameState`` for ``game-state``."""
    return reference.rpartition("/")[2].title().replace("-", "")


def type_of(part: dict[str, Any], indent: str = "") -> str:
    """Return the type of a part of the schema."""
    found: Iterable[str] = ()
    match part:
        case {"$ref": reference} | {"allOf": [{"$ref": reference}]}:
            found = [name_of(reference)]
        case {"enum": values}:
            found = map(json.dumps, values)
        case {"const": value}:
            found = [json.dumps(value)]
        case {"anyOf": parts} | {"oneOf": parts}:
            found = (type_of(each, indent) for each in parts)
        case {"type": list(kinds)}:
            found = (type_of({**part, "type": kind}, indent) for kind in kinds)
        case {"type": "array"}:
            found = [list_type_of(part, indent)]
        case {"type": "object", "properties": fields}:
            lines = "".join(fields_of(fields, part["required"], f"{indent}  "))
            found = [f"{{\n{lines}{indent}}}"]
        case {"type": "object", "additionalProperties": values}:
            found = [f"{{ [name: string]: {type_of(values, indent)} }}"]
        case {"type": name}:
            found = ["number" if name == "integer" else str(name)]
    return " | ".join(found)


def list_type_of(part: dict[str, Any], indent: str) -> str:
    """Return the type of a list, which may have a minimum length, or one length only."""
    item = type_of(part["items"], indent)
    item = f"({item})" if " " in item else item
    if "minItems" not in part:
        return f"{item}[]"
    more = [] if "maxItems" in part else [f"...{item}[]"]
    return f"[{', '.join([item] * part['minItems'] + more)}]"


def fields_of(fields: dict[str, Any], required: list[str], indent: str) -> Iterator[str]:
    """Yield the lines with the fields of an object."""
    for name, part in fields.items():
        yield from comment_of(part, indent)
        mark = "" if name in required else "?"
        yield f"{indent}{name}{mark}: {type_of(part, indent)};\n"


def comment_of(part: dict[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a comment if there is a description."""
    if "description" in part:
        yield f"{indent}/** {part['description']} */\n"


def written(schema: Any) -> str:
    """Return the content of the file for a schema."""
    envelopes = [each["properties"] for each in schema["oneOf"]]
    kinds = "".join(
        f'  "{each["kind"]["const"]}": {type_of(each["value"])};\n' for each in envelopes
    )
    parts = [HEAD % (pdd.json.VERSION, re.sub(r'"(\w+)":', r"\1:", kinds))]
    for name, part in schema["$defs"].items():
        how = "interface {} {}" if "properties" in part else "type {} = {};"
        text = how.format(name_of(name), type_of(part))
        parts.append(f"{''.join(comment_of(part))}export {text}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    TYPES.write_text(written(pdd.json.schema()), "utf-8")
