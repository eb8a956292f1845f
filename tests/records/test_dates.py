"""Dates are read in the form of ISO 8601, and as this library's tags have them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontedeldiavolo.records import dates


@given(st.dates(date(1000, 1, 1)))
def test_a_day_is_the_same_in_both_forms(day: date) -> None:
    iso = day.isoformat()
    tag = iso.replace("-", ".")
    for text in (iso, f"{iso}T15:04:05Z", f"{iso} 15:04", iso.replace("-", "/"), tag):
        assert dates.from_iso(text) == tag
    assert dates.to_iso(tag) == iso


@pytest.mark.parametrize(
    ("iso", "tag"),
    [("2017", "2017.??.??"), ("2017-04", "2017.04.??"), ("2016-02-29", "2016.02.29")],
)
def test_parts_may_be_unknown(iso: str, tag: str) -> None:
    assert dates.from_iso(iso) == tag
    assert dates.to_iso(tag) == iso


@pytest.mark.parametrize(
    "text",
    [
        *("2017-13-01", "2017-02-29", "2017-00", "20170427", "x2017-04-27", "27.04.2017", "", "1"),
        *("April 27, 2017", "27 avril 2017", "Thu Apr 27 20:15:00 CEST 2017"),
    ],
)
def test_other_texts_are_no_dates(text: str) -> None:
    assert dates.from_iso(text) is None


@pytest.mark.parametrize(
    "tag", ["2017", "2017-04-27", "2017.??.27", "2017.02.30", "????.??.??", ""]
)
def test_other_tags_are_no_dates(tag: str) -> None:
    assert dates.to_iso(tag) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("2007-10-23T20:15:00Z", True), ("2007-10-23T20:15:00.123+02:00", True)),
        *(("2007-10-23", False), ("2007-10-23T25:15:00Z", False), ("2007-10-23T20:15:00", False)),
    ],
)
def test_times(text: str, expected: bool) -> None:  # noqa: FBT001 - a value of the table
    assert dates.is_time(text) is expected
