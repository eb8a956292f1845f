"""Limits of reading, and bounded errors for any number of faults."""

from __future__ import annotations

import gc
import io
import json
import pickle
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast
from weakref import ref

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, messages, records
from pontedeldiavolo.records import Format, abstract_play, read, sgf
from pontedeldiavolo.records.abstract_play.reader import OWN_TAGS
from support.checks import Index, error_of, marked, refused, told
from support.samples import BAD, BOARDSPACE, GAMES, MODULES, page

every_writer = pytest.mark.parametrize("form", BAD)
ONE = {form: page(form, GAMES[:1]) for form in BAD}


def errors_of(source: Any, limits: Limits | None = None, **more: Any) -> list[str]:
    """Return the expectations of all errors."""
    found = read(source, limits=limits, **more)
    return [each.expected for each in found if isinstance(each, pdd.RecordError)]


def test_limits_are_numbers() -> None:
    assert Limits() == Limits(64, 1_000_000, None, 1_000, 50)
    assert Limits(None, None, None, None, None) == Limits.NONE
    assert type(Limits(games=cast("Any", Index(3))).games) is int
    for name in ("side", "characters", "games", "errors", "depth"):
        lowest = 1 if name == "side" else 0
        assert getattr(Limits(**{name: lowest}), name) == lowest
        with pytest.raises(pdd.PonteError, match=f"^{name} is {lowest} or more, not"):
            Limits(**{name: lowest - 1})
        for wrong in (True, 1.0, "1"):
            with pytest.raises(TypeError, match=f"^{name} must be a whole number"):
                Limits(**{name: cast("Any", wrong)})


@every_writer
def test_boards_have_no_larger_side(form: Format) -> None:
    assert list(read(ONE[form], format=form, limits=Limits(side=8))) == GAMES[:1]
    (said,) = errors_of(ONE[form], Limits(side=7), format=form)
    assert "a board of at most 7x7" in said


def test_boards_without_a_size_are_ten_cells_wide() -> None:
    for source in (BOARDSPACE, "1. a1,b1 *", "(;PD[a1,b1])"):
        assert errors_of(source, Limits(side=10)) == []
        assert errors_of(source, Limits(side=9)) == ["a board of at most 9x9"]


def test_the_board_of_a_start_counts_before_the_state_is_read() -> None:
    # The invalid text after the rules is not read.
    rules = "64x64 tiles=unlimited bridges=unlimited tiebreaks=none"
    for text in (f'[Start "{rules} rows=?"]\n*', f"(;PDSTART[{rules} rows=?])"):
        assert errors_of(text, Limits(side=63)) == ["a board of at most 63x63"]
        assert errors_of(text) != ["a board of at most 63x63"]


@every_writer
def test_games_have_no_more_characters(form: Format) -> None:
    two = ONE[form].decode()
    one = two.rstrip()
    text = f"{one}\n\n{two}"
    most = len(one) - 1
    assert list(read(text, format=form, limits=Limits(characters=len(two)))) == GAMES[:1] * 2
    said = errors_of(text, Limits(characters=most), format=form)
    assert [each.endswith(f" of at most {most} characters") for each in said] == [True] * 2


def test_a_list_of_moves_that_is_too_long_is_one_error() -> None:
    for end in ("", "\n"):
        (error,) = read("a1,b1 red\n" * 9 + end, format=Format.MOVES, limits=Limits(characters=50))
        assert isinstance(error, pdd.RecordError)
        assert (error.line, error.column) == (1, 1)


@every_writer
def test_no_more_games_or_errors_are_read(form: Format) -> None:
    text = "\n".join(page(form, [game]).decode() for game in GAMES)
    assert list(read(text, format=form, limits=Limits(games=3))) == GAMES
    *games, last = read(text, format=form, limits=Limits(games=2))
    assert games == GAMES[:2]
    number, line, _, expected = told(last)
    assert (number, expected) == (3, "the end: the limit of games is 2")
    assert text.splitlines()[line - 1].strip()
    text = "\n".join([BAD[form]] * 4 + [ONE[form].decode()])
    assert len(list(read(text, format=form, limits=Limits(errors=4)))) == 5
    _, _, last = read(text, format=form, limits=Limits(errors=2))
    assert told(last)[::3] == (3, "no more errors than 2; reading stops here")
    assert getattr(last, "__cause__", last) is None


def endless() -> Iterator[str]:
    while True:
        yield '[Event "x"]\n'
        yield "?\n"


def test_an_endless_file_of_errors_ends() -> None:
    for stream in (partial(records.iter_games, on_error="yield"), records.iter_records, read):
        assert len(list(stream(endless()))) == 1_001
    assert len(list(records.iter_headers(endless(), limits=Limits(games=7)))) == 8


def test_streams_of_games_raise_what_ends_them_early() -> None:
    modules: list[Any] = [records, sgf, abstract_play]
    for module in modules:
        text = "\n".join(module.dumps(game) for game in GAMES)
        games = module.iter_games(text, "skip", limits=Limits(games=2))
        assert [next(games), next(games)] == GAMES[:2]
        with pytest.raises(pdd.RecordError, match="the limit of games is 2"):
            next(games)
    # Skipped invalid games are not counted.
    text = '[Event "x"]\n?\n' * 5_000 + '[Event "y"]\n1. a1,b1 *'
    with pytest.warns(UserWarning, match="^5000 bad games skipped$"):
        assert len(list(records.iter_games(text, "skip", limits=Limits(errors=0)))) == 1


@every_writer
def test_readers_of_one_game_respect_the_limit_of_games(form: Format) -> None:
    if form not in MODULES:
        return
    for function in (MODULES[form].load, MODULES[form].loads):
        assert function(ONE[form], limits=Limits(games=1)) == GAMES[0]
        error = refused(function, ONE[form], limits=Limits(games=0))
        assert error.expected == "the end: the limit of games is 0"


@every_writer
def test_a_limit_does_not_hide_how_many_games_were_skipped(form: Format) -> None:
    if form not in MODULES:
        return
    text = "\n".join([BAD[form], ONE[form].decode(), BAD[form], ONE[form].decode()])
    games = MODULES[form].iter_games(text, "skip", limits=Limits(games=3))
    with (
        pytest.warns(UserWarning, match="^2 bad games skipped$") as caught,
        pytest.raises(pdd.RecordError, match="the limit of games is 3"),
    ):
        list(games)
    assert len(caught) == 1


@pytest.mark.parametrize(
    "text",
    [
        "1. a1,b1 (2. red (2. white",
        "1. a1,b1 )",
        ") 1. a1,b1",
        "?",
        '[Result "x"]\n1. a1,b1 *',
        '[Result "x"]\n[Termination "resignation"]\n1. a1,b1 *',
        '[Result "draw"]\n1. a1,b1* draw',
    ],
)
def test_a_fault_is_one_error(text: str) -> None:
    errors: list[pdd.RecordError] = []
    results = [*records.iter_games(text, "yield", errors)]
    errors += [each for each in results if isinstance(each, pdd.RecordError)]
    places = [(each.line, each.column) for each in errors]
    assert places
    assert len({*places}) == len(places)


@pytest.mark.parametrize(
    "read_one", [records.loads, lambda text, *a, **k: records.load(io.StringIO(text), *a, **k)]
)
def test_a_lenient_list_has_no_more_errors(read_one: Callable[..., pdd.Game]) -> None:
    text = "1. a1,b1 " + "(a1,a1) " * 5 + "(?) " * 5 + "*"
    errors: list[pdd.RecordError] = []
    assert len(read_one(text, errors, limits=Limits(errors=10)).actions) == 1
    assert len(errors) == 10
    for most in (0, 3, 7, 9):
        errors = []
        with pytest.raises(
            pdd.RecordError, match=f"no more errors than {most}; reading stops here"
        ):
            read_one(text, errors, limits=Limits(errors=most))
        assert len(errors) == most


def test_errors_in_a_list_and_errors_that_are_yielded_are_counted_together() -> None:
    text = '[Event "x"]\n1. a1,b1 (?) *\n\n[Rules "?"]\n*\n\n' * 5
    for most in range(8):
        errors: list[pdd.RecordError] = []
        limits = Limits(errors=most)
        *results, last = records.iter_games(text, "yield", errors, limits=limits)
        bad = [each for each in results if isinstance(each, pdd.RecordError)]
        assert len(errors) + len(bad) == most
        assert told(last)[3] == f"no more errors than {most}; reading stops here"
    errors = []
    results = [*records.iter_games(text, "yield", errors, limits=Limits(errors=10))]
    assert (len(results), len(errors)) == (10, 5)


def test_a_lenient_stream_ends_with_its_list() -> None:
    text = '[Event "x"]\n1. a1,b1 (?) (?) *\n\n' * 3
    errors: list[pdd.RecordError] = []
    for stream in (partial(records.iter_games, on_error="yield"), records.iter_records):
        errors.clear()
        one, last = stream(text, errors=errors, limits=Limits(errors=3))
        assert not isinstance(one, pdd.RecordError)
        number, *_, expected = told(last)
        assert (number, expected) == (2, "no more errors than 3; reading stops here")
        assert len(errors) == 3
    errors.clear()
    games = records.iter_games(text, "skip", errors, limits=Limits(errors=3))
    next(games)
    with pytest.raises(pdd.RecordError, match="no more errors than 3"):
        next(games)
    (header, *_) = records.iter_headers(text, limits=Limits(errors=1))
    bad = "1. a1,b1 (a1,a1) (a1,a1) *"
    (record, *_) = records.iter_records(bad, limits=Limits(errors=1))
    assert isinstance(header, records.Header)
    assert isinstance(record, records.Record)
    for read_one in (header.record, record.game):
        assert refused(read_one, []).expected == "no more errors than 1; reading stops here"


@pytest.mark.parametrize("form", [Format.PDD, Format.SGF, Format.JSON])
def test_variations_lie_no_deeper(form: Format) -> None:
    game = GAMES[0].with_variation((0,), ["a1,b1"]).with_variation((0, 0, 0), ["a1,b2"])
    text = page(form, [game])
    assert list(read(text, format=form, limits=Limits(depth=2))) == [game]
    for depth in (0, 1):
        (said,) = errors_of(text, Limits(depth=depth), format=form)
        assert f"variations at most {depth} deep in each other" in said


def test_documents_have_limits_too() -> None:
    board = pdd.Board(12, 9)
    text = pdd.json.dumps(board)
    line = GAMES[0].with_variation((0,), ["a1,b1"]).line
    assert pdd.json.loads(text, limits=Limits(side=12)) == board
    no_depth = Limits(depth=0)
    deep = "variations at most 0 deep"
    for document, limits, expected in (
        (text, Limits(side=11), "a board of at most 11x11"),
        (text, Limits(characters=10), "a text of at most 10 characters"),
        (pdd.json.dumps(line), no_depth, deep),
        (pdd.json.dumps(line.moves[0]), no_depth, deep),
    ):
        with pytest.raises(pdd.json.JsonError, match=expected):
            pdd.json.loads(document, limits=limits)


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__


LONG = "x" * 5_000
FAULTY = {
    Format.PDD: [
        *(f'[Event "{LONG}"]\n1. a1,b1 ? {{{LONG}}} *', f'[Event "{LONG}\n1. a1,b1 *'),
        *(f"1. a1,b1 {{{LONG}}} (a1,a1) *", f'[Rules "{LONG}"]\n*'),
    ],
    Format.SGF: [f"(;C[{LONG}];PD[a1,a1]C[{LONG}])", f"(;C[{LONG}];PD[{LONG}])", f"(;RU[{LONG}])"],
    Format.BOARDSPACE: [BOARDSPACE.decode().replace("Start", LONG)],
    Format.ABSTRACT_PLAY: [f'{{"header": {{"a": "{LONG}"}}}}', f'{{"header": {LONG}'],
    Format.MOVES: [f"size-8 a1,b1 {LONG}", f"a1,b1 a1,a1 {LONG}"],
    Format.JSON: [
        f'{{"format": {LONG}}}',
        ONE[Format.JSON].decode().replace("{}", json.dumps({"A": LONG + "\n" + LONG})),
    ],
}


@pytest.mark.parametrize(
    ("form", "text"), [(form, each) for form in FAULTY for each in FAULTY[form]]
)
def test_errors_hold_neither_tracebacks_nor_texts(form: Format, text: str) -> None:
    results: list[object] = [*read(text, format=form)]
    if form is Format.PDD:
        records.loads(text.replace("Rules", "Site"), cast("list[pdd.RecordError]", results))
        results += records.iter_records(text)
    found = [each for each in results if isinstance(each, pdd.RecordError)]
    assert found
    for error in found:
        for each in causes(error):
            assert (each.__context__, each.__traceback__) == (None, None)
            assert not hasattr(each, "doc")
            if isinstance(each, pdd.NotationError):
                assert len(each.text) <= 200
                assert 0 <= each.offset <= len(each.text)
            assert len(str(each)) < 500


def test_an_excerpt_is_the_text_around_the_fault() -> None:
    for before, after in ((0, 500), (50, 500), (500, 500), (500, 50), (500, 0), (10, 10)):
        text = f"1. a1,b1 {{{'x' * before}}} ? {{{'y' * after}}} *"
        cause = refused(records.loads, text).__cause__
        assert isinstance(cause, pdd.NotationError)
        assert cause.text in text
        assert cause.text[cause.offset] == "?"
        assert len(cause.text) == min(60, len(text))


def test_texts_that_are_too_long_to_be_read_are_not_made() -> None:
    long = "x" * 1_000_001
    said = "has 1,000,001 characters; at most 1,000,000 are allowed"
    with pytest.raises(pdd.PonteError, match=f"^the tag A {said}"):
        GAMES[0].with_tags({"A": long})
    with pytest.raises(pdd.PonteError, match=f"^a comment {said}"):
        GAMES[0].with_comment(long)
    report = ONE[Format.ABSTRACT_PLAY].decode()
    site = '"site": {"name": ""'
    document = ONE[Format.JSON].decode()
    for text, path in (
        (report.replace(site, f'{site[:-1]}{long}"'), "header.site.name"),
        (report.replace(site, f'{site}, "gameid": {"1" * len(long)}'), "header.site.gameid"),
        (
            report.replace('"players"', f'"{OWN_TAGS}": {{"A": "{long}"}}, "players"'),
            f"header.{OWN_TAGS}.A",
        ),
        (document.replace('"tags": {}', '"tags": {"A": "' + long + '"}'), "value.tags.A"),
    ):
        (said,) = errors_of(text, Limits.NONE)
        assert "at most 1,000,000 are allowed" in said
        assert said.endswith(f" ({path})")


CLICKS = "(;GM[pontedeldiavolo]P0[id a];P0[Start P0]"
TOO_LONG = {
    Format.PDD: [
        *('[First "A"]\n1. d4,g7 red\n‸{@} *', "{#}\n‸{#}\n1. d4,g7 *", "1. d4,g7 {#}\n ‸{#} *"),
        *("1. d4,g7 (1. a1,b1 {#} ‸{#}) *", "1. d4,g7 ;#\n‸;#\n*", "1. d4,g7 ‸{[%clk @]} *"),
        *("1. d4,g7 {#} *\n‸{#}", '[A "b"]\n‸{@}\n1. d4,g7 *', "1. d4,g7 (‸{@} 1. a1,b1) *"),
        '[B "c"]\n[A ‸"@"]\n1. d4,g7 *',
    ],
    Format.SGF: [
        *("(;FF[4]\nC[‸@])", "(;FF[4]C[#]\n;C[‸#];PD[d4,g7])", "(;PD[d4,g7]N[#]C[‸#])"),
        *(
            "(;PD[d4,g7](;PD[red]C[‸#])(;C[#]))",
            "(;PD[d4,g7](;PD[red])(;C[#])(‸;C[#]))",
            "(;PD[d4,g7]PDANNOTATIONS[a:b][‸clk:@])",
        ),
        *("(;EV[‸@])", "(;PDTAGS[A:b][‸B:@])", "(;KM[‸@])", "(;PB[‸@])", "(;DT[‸@])"),
    ],
    Format.BOARDSPACE: [
        *(f"{CLICKS}C[‸@])", f"{CLICKS}C[#]C[x];C[‸#])", f"{CLICKS};P0[‸id @])"),
        *(CLICKS.replace("P0[id", f"{name}[‸@]P0[id") + ")" for name in ("GN", "DT", "TC")),
    ],
}


@pytest.mark.parametrize(
    ("form", "template"), [(form, each) for form in TOO_LONG for each in TOO_LONG[form]]
)
def test_a_text_that_is_too_long_has_its_place(form: Format, template: str) -> None:
    text, offset = marked(template.replace("@", "x" * 1_000_001).replace("#", "y" * 600_000))
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    (error,) = read(text, format=form, limits=Limits.NONE)
    assert isinstance(error, pdd.RecordError)
    assert (error.line, error.column) == (line, column)
    assert error.expected.startswith("what a game can have: ")
    assert error.expected.endswith(" characters; at most 1,000,000 are allowed")
    if form is Format.PDD:
        errors: list[pdd.RecordError] = []
        game = records.loads(text, errors, limits=Limits.NONE)
        assert [told(each) for each in errors] == [told(error)]
        # Only the text and the rest of its line of play are left out.
        assert game.actions[:1] == (pdd.parse_action("d4,g7"),)
        (header,) = records.iter_headers(text, limits=Limits.NONE)
        # Reading a header ends at the first action.
        is_before = "d4,g7" not in template.partition("‸")[0]
        assert isinstance(header, pdd.RecordError) is is_before


def test_a_byte_order_mark_begins_a_record() -> None:
    one = '\ufeff[First "Ada"]\n1. a1,b1 *\n'
    assert [each.number for each in records.iter_headers(one * 3)] == [1, 2, 3]
    assert len(list(records.iter_games(one * 3))) == 3
    for form in BAD:
        text = "\ufeff" + page(form).decode().rstrip() + "\n\n"
        for source in (text * 3, text.encode() * 3):
            assert list(read(source, format=form)) == GAMES * 3
    for form in (Format.SGF, Format.JSON):
        text = ONE[form].decode().rstrip()
        assert list(read(f"{text}\ufeff{text}", format=form)) == GAMES[:1] * 2
        # The games after a truncated game are still read.
        bad, good = read(f"{text[:-1]}\n\ufeff{text}", format=form)
        assert (told(bad)[0], good) == (1, GAMES[0])
    # In a comment it is an ordinary character.
    for word in ("b", "[b]\n"):
        game = records.loads(f"1. a1,b1 {{a\n\ufeff{word}}} *")
        assert game.line.moves[0].comment == f"a \ufeff{word}".strip()


BOARD = pdd.Board(64, 64)
BUILT = [
    pdd.Bridge(pdd.Cell(column, row), pdd.Cell(column + 2, row + 1))
    for row in range(32)
    for column in range(60)
]
START = (
    f"64x64 tiles=unlimited bridges=unlimited tiebreaks=none rows={'/'.join(['64'] * 64)} "
    f"built={','.join(map(str, BUILT))} phase=play to-move=white white=first"
)


def test_a_set_up_lists_all_violations_and_its_message_ten() -> None:
    setup = pdd.Setup(BOARD, bridges=BUILT[:40])
    faults = setup.violations()
    assert len(faults) > 30
    error = error_of(pdd.InvalidPositionError, setup.position)
    assert error.violations == faults
    named = messages.explain(faults[:10])
    assert str(error) == f"{named} And {len(faults) - 10} more."
    assert messages.explain(error) == str(error)
    german = messages.explain(error, "de")
    assert german.endswith(f" Und {len(faults) - 10} weitere.")
    assert pickle.loads(pickle.dumps(error)).violations == faults


def test_ten_faults_are_all_named() -> None:
    (fault,) = pdd.parse_setup(".\nwhite b1").violations()
    for count in (1, 10):
        error = pdd.InvalidPositionError([fault] * count)
        assert str(error) == messages.explain([fault] * count)
    assert str(pdd.IllegalActionError([fault] * 12)).endswith(" And 2 more.")
    assert str(pdd.IllegalActionError([fault] * 12, row=3)).startswith("row 3: ")


DOCUMENT = pdd.json.dumps(pdd.Setup(BOARD, bridges=BUILT)).replace('"setup"', '"position"', 1)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *((pdd.parse_state, START), (records.loads, f'[Start "{START}"]\n*')),
        *((sgf.loads, f"(;PDSTART[{START}])"), (pdd.json.loads, DOCUMENT)),
    ],
)
def test_readers_stop_at_a_hundred_faults(read: Callable[[str], object], text: str) -> None:
    start = time.process_time()
    error = error_of(pdd.PonteError, read, text)
    assert time.process_time() - start < 2
    assert "And at least 90 more." in str(error)
    assert len(str(error)) < 1_500
    assert {len(getattr(each, "violations", ())) for each in causes(error)} <= {0, 100}


def test_a_kept_error_holds_ten_faults() -> None:
    start = pdd.json.dumps(pdd.Game.new(pdd.Rules(BOARD)))
    built = ", ".join(f'"{bridge}"' for bridge in BUILT)
    (error,) = records.read(start.replace('"bridges": []', f'"bridges": [{built}]'))
    assert isinstance(error, pdd.RecordError)
    assert "And at least 90 more." in str(error)
    assert [len(each.violations) for each in causes(error) if hasattr(each, "violations")] == [10]


@pytest.mark.parametrize(
    "text",
    [
        *("1. d4;g7 *", f"1. d4;g7 {{{'y' * 300}}} *", "[A]\n*", '[Rules "1x"]\n*'),
        *('[Result "x"]\n*', "2. d4,g7 *", "1. d4,k4 *", "1. d4,h8 (pass!) 2. d4,a1 *"),
    ],
    ids=["action", "comment", "tag", "rules", "result", "number", "off board", "taken"],
)
def test_an_error_of_one_fault_takes_little_memory(text: str) -> None:
    page = "\n\n".join([f'[Event "x"]\n{text}'] * 200)
    # The shared tables exist already.
    list(records.read(page[: 20 * len(text)]))
    gc.collect()
    tracemalloc.start()
    kept = list(records.read(page, limits=Limits.NONE))
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(kept) == 200
    assert all(isinstance(each, pdd.RecordError) for each in kept)
    assert size / len(kept) < 600


def test_reading_that_is_given_up_keeps_no_file() -> None:
    class File(io.BytesIO):
        """A file whose lifetime a test can observe."""

    gc.collect()
    gc.disable()
    try:
        for reader in (read, records.iter_games, records.iter_headers):
            file = File(ONE[Format.PDD] * 10)
            watched = ref(file)
            found = iter(reader(file))
            next(found)
            del found, file
            assert watched() is None
    finally:
        gc.enable()


MAX_SUPPLY = 2**53 - 1


def test_every_format_holds_the_largest_supply_and_no_larger_one() -> None:
    rules = pdd.Rules(tiles_per_color=MAX_SUPPLY, bridges=MAX_SUPPLY)
    text = pdd.format_rules(rules)
    game = pdd.Game.new(rules)
    assert pdd.parse_rules(text) == rules
    for module in (records, records.sgf, pdd.json):
        written = module.dumps(game)
        assert module.loads(written) == game
        too_large = str(MAX_SUPPLY + 1)
        larger = error_of(pdd.PonteError, module.loads, written.replace(str(MAX_SUPPLY), too_large))
        assert module is pdd.json or larger.code == "at-most"
    assert pdd.json.snapshot(game.state)["kind"] == "snapshot"
    for name in ("tiles_per_color", "bridges"):
        error = error_of(pdd.InvalidRulesError, evolve, rules, **{name: MAX_SUPPLY + 1})
        assert (error.code, error.values) == ("large-supply", {"name": name, "max": MAX_SUPPLY})
        assert "höchstens 9.007.199" in messages.explain(error, "de")


def test_empty_lines_around_a_game_are_not_part_of_it() -> None:
    for form, module in MODULES.items():
        if form not in BAD:
            continue
        text = ONE[form].decode().rstrip()
        limits = Limits(characters=len(text) + 1)
        for before, after in (("", "\n"), ("\n \n", "\n\n \n"), ("\n" * 2000, "\n \n" * 2000)):
            for source in (f"{before}{text}{after}", (before + text + after).splitlines()):
                assert list(module.iter_games(source, limits=limits)) == GAMES[:1]
                assert module.load(source, limits=limits) == GAMES[0]
            between = after + "\n"
            two = f"{before}{text}{between}{text}{after}"
            assert list(module.iter_games(two, limits=limits)) == GAMES[:1] * 2


def test_empty_lines_within_a_game_are_part_of_it() -> None:
    text = "1. d4,g7" + "\n" * 50 + "red *"
    assert len(list(records.iter_games(text, limits=Limits(characters=len(text))))) == 1
    for most in (9, 30, 57, len(text) - 1):
        (said,) = errors_of(text, Limits(characters=most))
        assert said == f"a game of at most {most} characters"
    [header] = records.iter_headers(text + "\n \n")
    assert header.text == text + "\n"  # type: ignore[union-attr]
