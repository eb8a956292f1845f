"""Dates are read as people and programs write them, in any language that sites speak."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pontedeldiavolo.records import dates

ITALIAN_AUTUMN = "ottobre novembre dicembre"
# Months, short months, and ways to write a day.
LANGUAGES: dict[str, tuple[str, str, list[str]]] = {
    "en": (
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        ["{month} {day}, {year}", "Sunday, {month} {day}, {year}", "{day:02} {month} {year}"],
    ),
    "de": (
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        ["{day}. {month} {year}", "Sonntag, {day}. {month} {year} 15:04 Uhr"],
    ),
    "fr": (
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        ["{day} {month} {year}", "dimanche {day} {month} {year} à 15:04:05"],
    ),
    "es": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        [
            "{day} {month} {year}",
            "{day} de {month} de {year}",
            "domingo {day} de {month} de {year}",
        ],
    ),
    "it": (
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre " + ITALIAN_AUTUMN,
        "gen feb mar apr mag giu lug ago set ott nov dic",
        ["{day} {month} {year}", "{day}-{month}-{year}", "domenica {day} {month} {year}"],
    ),
    "pt": (
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "Jan Fev Mar Abr Mai Jun Jul Ago Set Out Nov Dez",
        ["Domingo, {day} de {month} de {year}", "{day}/{month}/{year}"],
    ),
    "nl": (
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        ["{day} {month} {year}", "{day}-{month}-{year} 15:04:05", "zondag {day} {month} {year}"],
    ),
}
NUMBERS = [
    *("{day:02}.{month:02}.{year}", "{day}.{month}.{year} 15:04:05", "{year}-{month}-{day}"),
    *("{year}年{month}月{day}日", "{year}年{month}月{day}日 星期日", "{year}년 {month}월 {day}일"),
    *("{year}. {month}. {day}", "{year}. {month}. {day}. 오후 3:04", "{year}/{month:02}/{day:02}"),
    "{year}-{month:02}-{day:02}T15:04:05Z",
]
DAYS = st.dates(date(1000, 1, 1), date(9999, 12, 31))


def tag(day: date) -> str:
    return day.isoformat().replace("-", ".")


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=DAYS)
def test_months_are_words(language: str, day: date) -> None:
    names, short_names, forms = LANGUAGES[language]
    for months, form in product((names, short_names), forms):
        month = months.split()[day.month - 1]
        text = form.format(day=day.day, month=month, year=day.year)
        assert (dates.from_text(text), text) == (tag(day), text)
        assert dates.from_text(text.upper()) == tag(day)


@pytest.mark.parametrize("form", NUMBERS)
@given(day=DAYS)
def test_months_are_numbers(form: str, day: date) -> None:
    text = form.format(day=day.day, month=day.month, year=day.year)
    assert (dates.from_text(text), text) == (tag(day), text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("April 5, 2016", "2016.04.05"), ("11 fe\u0301vrier 2017", "2017.02.11")),
        *(("1er février 2017", "2017.02.01"), ("5 avr.\u00a02016", "2016.04.05")),
        ("Tue Oct 23 20:15:00 PDT 2007", "2007.10.23"),
        ("at 7 past 2000, 6 mai 2017", "2017.05.06"),
        *(("2017", "2017.??.??"), ("2017-04", "2017.04.??"), ("2017-4/27", "2017.??.??")),
    ],
)
def test_dates_of_files(text: str, expected: str) -> None:
    assert dates.from_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("05/04/2016", "05-04-2016", "5 4 2016", "05.04.16", "4/5/16", "Apr 5 '16"),
        *("31 février 2017", "February 29, 2017", "2017年2月31日", "2017-13-01", "31.04.2017"),
        *("0. August 2017", "5 Brumaire 2017", "5 avril 20171", "15 avril", "1.2.3.2017"),
        *("平成29年4月27日", "x20170427", "", "soon"),
    ],
)
def test_an_uncertain_day_is_no_date(text: str) -> None:
    assert dates.from_text(text) is None


def test_long_texts_are_not_looked_through() -> None:
    text = "5 avril 2016"
    assert dates.from_text(text.rjust(200)) == "2016.04.05"
    assert dates.from_text(text.rjust(201)) is None
    assert dates.from_text("2016" + " " * 1000 + text) == "2016.??.??"
