"""Fuzz one target in this process, instrumented: ``python -m tests.fuzz.worker sgf …``.

The arguments after the target go to libFuzzer.
"""

from __future__ import annotations

import sys

import atheris


def main() -> None:
    """Fuzz until the time is over or a fault is found."""
    name = sys.argv.pop(1)
    # Modules that readers load at their first call must be instrumented as well.
    with atheris.instrument_imports(include=["pontedeldiavolo"]):
        from .targets import TARGETS  # noqa: PLC0415
    target = TARGETS[name]
    with atheris.instrument_imports(include=["pontedeldiavolo"]):
        for data in (b"", b"a1"):
            target.run(data)
    atheris.Setup(sys.argv, target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
