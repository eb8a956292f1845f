"""Compare the public names with those of earlier versions: ``python tools/public_api.py``.

It also counts the names of ``pontedeldiavolo`` and its lazy submodules, which a user may have to
learn. The names, parameters and bases of each version are in ``tests/data/compatibility``. The
program needs griffe. ``--write`` writes the file of this version, after a change that is intended.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import griffe

ROOT: Final = Path(__file__).parents[1]
STORED: Final = ROOT / "tests" / "data" / "compatibility"
PACKAGE: Final = "pontedeldiavolo"
THIS: Final = STORED / "0.1.0" / "public_api.json"

Names = dict[str, Any]


def lazy_names_of(found: Any) -> set[str]:
    """Return the names that a package imports for type checkers, and loads on first use."""
    return {
        name
        for name, path in found.imports.items()
        if not name.startswith("_")
        and path.startswith(f"{PACKAGE}.")
        and not path.startswith(f"{PACKAGE}.base.lazy.")
    }


def names_of(found: Any) -> Names:
    """Return the public names of a module."""
    names = sorted(map(str, found.exports)) if found.exports else sorted(lazy_names_of(found))
    return {name: described(found.members[name]) for name in names if name in found.members}


def described(found: Any) -> Names:
    """Return the kind of an object, and its parameters, bases or members."""
    found = found.final_target if found.is_alias else found
    if found.is_module:
        return {"members": names_of(found)}
    if found.is_class:
        public = {
            name: described(each)
            for name, each in sorted(found.all_members.items())
            if not name.startswith("_") or name == "__init__"
            if not each.is_alias or each.final_target.path.startswith(PACKAGE)
        }
        return {"bases": list(map(str, found.bases)), "members": public}
    if found.is_function:
        return {
            "parameters": [
                [each.name, each.kind.name, None if each.default is None else str(each.default)]
                for each in found.parameters
                if each.name != "draw"  # Hypothesis passes this one to strategies
            ]
        }
    return {}


def rebuilt(name: str, names: Names) -> Any:
    """Return a griffe object from its description."""
    if "parameters" in names:
        parameters = [
            griffe.Parameter(each, kind=griffe.ParameterKind[kind], default=default)
            for each, kind, default in names["parameters"]
        ]
        return griffe.Function(name, parameters=griffe.Parameters(*parameters))
    if "bases" in names:
        found: Any = griffe.Class(name, bases=names["bases"])
    elif "members" in names:
        found = griffe.Module(name, filepath=Path(f"{name}.py"))
    else:
        return griffe.Attribute(name)
    for each, inner in names["members"].items():
        found.set_member(each, rebuilt(each, inner))
    return found


def current() -> Names:
    """Return the description of the package as it is."""
    package = griffe.load(PACKAGE, search_paths=[ROOT / "src"], allow_inspection=False)
    return {"members": names_of(package)}


def is_module(names: Names) -> bool:
    """Report whether a description is that of a module."""
    return "members" in names and "bases" not in names


def count(package: Names) -> int:
    """Return the number of public names in a package and in each of its lazy submodules.

    A module within a submodule, such as ``records.sgf``, is one name of that submodule.
    """
    members = package["members"].values()
    submodules = [each for each in members if is_module(each)]
    return len(members) - len(submodules) + sum(len(each["members"]) for each in submodules)


def text() -> str:
    """Return the content of the file of this version."""
    return json.dumps(current(), separators=(",", ":")) + "\n"


def main(words: list[str]) -> int:
    """Print all changes that break programs; return 1 if there are any."""
    now = current()
    if "--write" in words:
        THIS.write_text(text(), "utf-8")
    breaks = [
        f"since {path.parent.name}: {change.obj.path}: {change.kind.value}"
        for path in sorted(STORED.glob("*/public_api.json"))
        for change in griffe.find_breaking_changes(
            rebuilt(PACKAGE, json.loads(path.read_text("utf-8"))), rebuilt(PACKAGE, now)
        )
    ]
    print("\n".join(breaks) or "no public name was removed or changed")
    print(f"{count(now)} public names")
    return int(bool(breaks))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
