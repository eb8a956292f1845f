"""The command ``validate``, which reads files of any format."""

from __future__ import annotations

from click.testing import CliRunner

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.cli.main import main

from .agreement import agree


def check_command(data: bytes) -> None:
    """Check that the exit status of ``validate`` says what a reader of the same bytes finds."""
    run = CliRunner().invoke(main, ["validate", "-q", "-"], input=data, catch_exceptions=False)
    try:
        results = list(records.read(data, limits=pdd.Limits(errors=None)))
    except UnicodeDecodeError:
        agree("the status of what is no text", run.exit_code, 2)
        return
    faults = sum(isinstance(each, pdd.RecordError) for each in results) or not results
    agree("the exit status", run.exit_code, 1 if faults else 0)
    told = [line for line in run.stdout.splitlines() if line.startswith("standard input:")]
    agree("how many faults are told", len(told), int(faults))
