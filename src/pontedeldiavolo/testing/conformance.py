"""Compare an implementation of the rules, in any language, with stored answers.

``python -m pontedeldiavolo.testing.conformance conformance.json COMMAND [ARGUMENT ...]`` starts a
program, writes each request as a line of JSON to its standard input, and reads an answer, another
line of JSON, from its standard output. The answer ``{"unsupported": true}`` skips a request. The
exit status is 1 if an answer is wrong or missing.

>>> from pontedeldiavolo.testing import conformance
>>> vector = conformance.Vector({"do": "perft", "rules": "3x3", "depth": 1}, {"count": 36})
>>> vector.verdict({"count": 35})
'failed'
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, cast, final

from attrs import frozen

from pontedeldiavolo.base.errors import (
    items_of,
    real_number,
    require_items,
    require_mapping,
    require_path,
    require_sequence,
)
from pontedeldiavolo.base.values import ImmutableValue

__all__ = ["Vector", "load", "run"]


def __dir__() -> list[str]:
    return __all__


VERSION: Final = 1
"""The version of the file of vectors."""


@final
@frozen(order=False)
class Vector(ImmutableValue):
    """A request and the right answer, as JSON objects."""

    request: Mapping[str, object]
    answer: Mapping[str, object]

    def __attrs_post_init__(self) -> None:
        require_mapping(self.request, object, "request")
        require_mapping(self.answer, object, "answer")

    def verdict(self, found: object) -> Literal["passed", "failed", "unsupported"]:
        """Return the result of comparing an answer with the right one, which must match exactly."""
        if found == {"unsupported": True}:
            return "unsupported"
        is_right = json.dumps(found, sort_keys=True) == json.dumps(self.answer, sort_keys=True)
        return "passed" if is_right else "failed"


def load(path: str | os.PathLike[str]) -> list[Vector]:
    """Return the vectors in a file.

    Raises:
        ValueError: If the file is not JSON, has another version, or contains an invalid vector.
        OSError: If the file cannot be read.
    """
    require_path(path, "path")
    try:
        document: object = json.loads(Path(path).read_text("utf-8"))
    except RecursionError:
        raise ValueError("expected vectors, which are not nested deeply") from None
    members: dict[str, object] = document if isinstance(document, dict) else {}
    version = members.get("version")
    if type(version) is not int or version != VERSION:
        raise ValueError(f"expected vectors of version {VERSION}: {version!r:.40}")
    rows = members.get("vectors")
    if isinstance(rows, list):
        return [_vector(row, number) for number, row in enumerate(rows)]
    raise ValueError("expected a list of vectors")


def _vector(row: object, number: int) -> Vector:
    """Return the vector of a row.

    Raises:
        ValueError: If it has no request with a text ``do``, or no answer that is an object.
    """
    match row:
        case {"request": {"do": str()} as request, "answer": dict() as answer}:
            return Vector(request, answer)
    raise ValueError(f"expected a request that says what to do, and an answer: vectors[{number}]")


def run(
    command: Sequence[str], vectors: Iterable[Vector], *, seconds: float = 60.0
) -> list[tuple[Vector, object]]:
    """Start a program, without a shell, and return its answers, each with its vector.

    If an answer is missing, late or not JSON, it is ``None``, and no further request is sent.

    Args:
        command: The program and its arguments.
        vectors: The requests with the right answers.
        seconds: The maximum time for each answer.
    """
    require_sequence(command, "str", "command")
    require_items(command, (str, os.PathLike), "command")
    asked = items_of(vectors, Vector, "vectors")
    limit = real_number(seconds, "seconds")
    found: list[tuple[Vector, object]] = []

    async def ask() -> None:
        process = await create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=2**24)
        for vector in asked:
            answer = await _ask(process, vector.request, limit)
            found.append((vector, answer))
            if answer is None:
                break
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    asyncio.run(ask())
    return found


async def _ask(process: Process, request: Mapping[str, object], seconds: float) -> object:
    """Return the answer to a request, or ``None``."""
    to = cast("asyncio.StreamWriter", process.stdin)
    try:
        async with asyncio.timeout(seconds):
            to.write(f"{json.dumps(request)}\n".encode())
            await to.drain()
            return json.loads(await cast("asyncio.StreamReader", process.stdout).readline())
    except (OSError, ValueError, RecursionError):
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare a program with a file of vectors; return the exit status."""
    parser = argparse.ArgumentParser("pontedeldiavolo.testing.conformance")
    parser.add_argument("--seconds", type=float, default=60.0, help="the time for each answer")
    parser.add_argument("vectors", help="the file with the requests and answers")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the program, with arguments")
    wanted = parser.parse_args(arguments)
    vectors = load(wanted.vectors)
    found = run(wanted.command, vectors, seconds=wanted.seconds)
    counts = Counter[tuple[object, str]]()
    for vector, answer in found:
        verdict = vector.verdict(answer)
        counts[vector.request["do"], verdict] += 1
        if verdict == "failed":
            wrong = {"request": vector.request, "right": vector.answer, "answer": answer}
            sys.stdout.write(f"{json.dumps(wrong)}\n")
    for (kind, each), count in sorted(counts.items(), key=str):
        sys.stdout.write(f"{kind:10} {each:11} {count:6,}\n")
    return int(len(found) < len(vectors) or any(each == "failed" for _, each in counts))


if __name__ == "__main__":
    sys.exit(main())
