"""Tables and figures of the pages agree with the project and with measurements."""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest

from pontedeldiavolo.base.install import IS_RELEASED
from pontedeldiavolo.web.routes import ROUTES
from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import measured  # the path to it is set above
import metadata  # likewise

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTS = PROJECT["optional-dependencies"].items()
EXTRAS = {name: sorted(re.split(r"[<>=]", each)[0] for each in needed) for name, needed in LISTS}
FILES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path for path in FILES if "_build" not in path.parts]
INSTALLED = re.compile(r"pip install[^\n`]*?(?:pontedeldiavolo|\.)\[([\w,]+)\]")


def test_the_table_of_extras_is_that_of_the_project() -> None:
    page = (ROOT / "docs" / "start" / "installation.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", page, re.MULTILINE)
    assert {name: sorted(needed.split(", ")) for name, needed in rows} == EXTRAS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_install_extras_that_exist(path: Path) -> None:
    for names in INSTALLED.findall(path.read_text("utf-8")):
        assert set(names.split(",")) <= EXTRAS.keys()


DOCS = ROOT / "docs"
PAGE = (DOCS / "howto" / "web-service.md").read_text("utf-8")
SERVE = (DOCS / "reference" / "serve.md").read_text("utf-8")


def test_every_refusal_of_the_example_is_shown() -> None:
    source = (ROOT / "examples" / "server.py").read_text("utf-8")
    page = PAGE.partition("## Push")[0]
    shown = {*re.findall(r'(?s)\n(\d{3}) \{\s*"error": .*?"code": "([\w-]+)"', page)}
    raised = {*re.findall(r'SiteError\((\d+), "([\w-]+)"', source)}
    assert len(raised) > 10
    assert raised <= shown


def test_every_request_of_the_own_page_is_in_a_table() -> None:
    documented = {*re.findall(r"^\| `(GET|POST) (/\S*)` \|", PAGE + SERVE, re.MULTILINE)}
    served = {(each.method, each.path.replace("{game}", "{id}")) for each in ROUTES}
    assert documented == served | {("POST", "/uploads"), ("POST", "/games/{id}/draw")}


def filled(text: str, page: str = "page") -> str:
    source = [text]
    measured.fill_marks(None, page, source)
    return source[0]


def test_rows_of_a_table_of_speeds_are_chosen() -> None:
    found = filled("@measured speed: Complete random games: turns per second | 10×10@")
    head, _dashes, *rows = found.split("\n")
    # A single row is shown as a column.
    assert head == "| case | 10×10 |"
    assert rows[0].startswith("| apply_unchecked | ")
    figures = " | ".join(row.split(" | ")[1].removesuffix(" |") for row in rows)
    table = (ROOT / "docs/explanation/speed_table.md").read_text("utf-8")
    assert f"| 10×10 | {figures} |" in table
    whole = filled("@measured speed: Complete random games: turns per second@")
    assert whole.startswith("| case | apply_unchecked | apply | plain |")
    assert len(whole.split("\n")) > 6


def test_targets_are_left_out() -> None:
    assert "target" not in filled("@measured speed: Times and sizes@")


@pytest.mark.parametrize("rest", ["No such table", "Times and sizes | nothing begins so"])
def test_what_no_table_has_is_an_error(rest: str) -> None:
    with pytest.raises(ValueError, match=r"^(speed_table\.md has no table|no row of)"):
        filled(f"@measured speed: {rest}@")


@pytest.mark.parametrize(
    "mark",
    [
        *("@measured nothing@", "@figure nothing@", "@figure nothing/at all@"),
        *("@figure self-play/nothing@", "@figure self-play/drawn | nothing@"),
        "@figure mutants/interval/2@",
    ],
)
def test_figures_without_a_measurement_are_errors(mark: str) -> None:
    with pytest.raises(
        ValueError, match=r"^no (table|figure) has the name 'nothing|'self-play|'mut"
    ):
        filled(mark)


def test_instructions_and_advice_have_a_row_for_each_figure() -> None:
    assert filled("@measured instructions@").count("\n") == 1 + len(measured.TASKS)
    assert "| centre | `white` | " in filled("@measured advice@")


@pytest.mark.parametrize("name", ["kernels", "kernel instructions", "first uses", "versions"])
def test_compiled_code_has_a_column_for_each_kind_of_processor(name: str) -> None:
    head, _dashes, *rows = filled(f"@measured {name}@").split("\n")
    assert all(kind in head for kind in ("AVX2", "x86-64"))
    assert all(row.count("|") == head.count("|") for row in rows)
    assert len(rows) >= 3


def test_figures_are_those_of_the_files() -> None:
    table = (ROOT / "docs/explanation/speed_table.md").read_text("utf-8")
    rows = {
        cells[1].strip(): cells[2:]
        for cells in (x.split("|") for x in table.split("\n"))
        if cells[1:]
    }
    sizes = json.loads((ROOT / "benchmarks/sizes.json").read_text("utf-8"))
    assert filled("@figure state bytes@") == f"{sizes['games']['10×10']['state']:,}"
    longest = sizes["pages"]["most"]
    assert filled("at most @figure page bytes@ bytes") == f"at most {longest:,} bytes"
    snapshot = float(rows["`json.snapshot`"][0]) / 1000
    assert filled("@figure snapshot ms@") == f"{snapshot:.1f}"
    games = (ROOT / "tests/data/games.jsonl").read_text("utf-8")
    assert filled("@figure recorded games@") == str(len(games.splitlines()))
    found = json.loads((ROOT / "docs/game/self_play.json").read_text("utf-8"))
    assert filled("@figure self-play/drawn@ of @figure self-play/games@") == (
        f"{found['drawn']} of {found['games']:,}"
    )
    share = 100 * found["drawn"] / found["games"]
    assert filled("@figure self-play/rows/drawn games | share@") == f"{share:.1f} %"


def test_every_check_of_the_page_is_measured() -> None:
    commands = runpy.run_path(str(ROOT / "tools" / "checks.py"))["commands"]
    page = (ROOT / "docs" / "explanation" / "correctness.md").read_text("utf-8")
    found = json.loads((ROOT / "docs/explanation/checks.json").read_text("utf-8"))["checks"]
    assert [title for title, _words in commands(page)] == [*found]
    assert all(each["tests"] >= 1 for each in found.values())


def test_figures_of_german_pages_are_german() -> None:
    text = "@figure advice/search@, @figure snapshot ms@, @figure advice/date@"
    assert re.fullmatch(r"\d+,\d{3}, \d\.\d, \d{4}-\d\d-\d\d", filled(text))
    assert re.fullmatch(
        r"\d+\.\d{3}, \d,\d, \d\d?\. [A-ZÄ][a-zä]+ \d{4}", filled(text, "de/strategie")
    )


def test_the_load_of_a_hostile_client_is_in_both_languages() -> None:
    """The German table contains no English words."""
    found = json.loads((ROOT / "benchmarks" / "load.json").read_text("utf-8"))
    english, german = (filled("@measured load@", page) for page in ("howto/play", "de/spielen"))
    assert f"load of {found['load']}; {found['date']};" in english
    load = str(found["load"]).replace(".", ",")
    assert re.search(rf"Last von {load}; \d\d?\. [A-ZÄ][a-zä]+ \d{{4}};", german)
    for name, each in found["attacks"].items():
        row = f"{each['alone']:.1f} | {each['attacked']:.1f} | {each['ratio']:.1f} |"
        assert f"| {name} | {row}" in english
        assert row.replace(".", ",") in german
        assert name not in german
    assert found["date"] in english
    assert found["machine"] in german


def test_every_mark_of_the_pages_is_filled() -> None:
    for page in PAGES:
        name = page.relative_to(ROOT / "docs").as_posix() if page.parent != ROOT else ""
        text = filled(page.read_text("utf-8"), name)
        assert not re.search("@(?:measured|figure)", text), page


def test_the_readme_has_the_figures_of_the_files() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert measured.with_figures(readme) == readme
    _before, found, _after = re.split(r"<!-- (?:end of )?figures -->\n", readme)
    assert measured.with_figures(readme.replace(found, "7 MB\n")) == readme


def test_the_figures_of_compilation_are_those_of_the_package() -> None:
    [seconds] = re.findall(r'"processor_seconds": (\d+)', measured.COMPILATION.read_text("utf-8"))
    assert filled("@figure compilation/processor_seconds@") == seconds
    assert float(filled("@figure compilation/loading_seconds@")) < float(seconds) / 10


FOLDERS = ("src", "docs", "examples", "benchmarks", "tools")
WITH_COMMANDS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "noxfile.py")),
    *(path for name in FOLDERS for path in sorted((ROOT / name).rglob("*.*"))),
]
BY_NAME = re.compile(r"pip install (?:-\S+ )*'?pontedeldiavolo\b(?!\S* @ git\+)")


def test_no_command_installs_a_package_that_is_not_released() -> None:
    """Somebody else could publish a package of that name before the first release."""
    found = {
        path.relative_to(ROOT).as_posix(): BY_NAME.findall(path.read_text("utf-8"))
        for path in WITH_COMMANDS
        if path.suffix in {".md", ".py", ".toml", ".js", ".ts", ".html", ".json"}
        if not {"_build", "node_modules", "compatibility"} & {*path.parts}
    }
    if IS_RELEASED:
        assert "README.md" in found
        return
    # The page about installing, and the readme, say when the package will have that name.
    both = [f"{name}.md" for name in metadata.BOTH_SOURCES]
    allowed = {"README.md": 1, **{f"docs/{name}": 2 for name in both}}
    assert {name: len(each) for name, each in found.items() if each} == allowed


@pytest.mark.parametrize("source", [".", "pontedeldiavolo"])
def test_pages_install_the_package_from_one_source(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pontedeldiavolo.base.install.SOURCE", source)
    text = "`pip install '.[batch]'`\n$ pip install .\n"
    page = [text]
    metadata.fill_install_commands(None, "howto/batch", page)
    assert page == [
        text.replace("install '.", f"install '{source}").replace(" .\n", f" {source}\n")
    ]
    page = [text]
    metadata.fill_install_commands(None, "start/installation", page)
    assert page == [text]


def test_the_longer_searches_name_the_best_openings_of_the_strategy_pages() -> None:
    values = measured.opening_values(measured.OPENINGS)
    assert sorted(values, key=values.__getitem__)[-2:] == ["e5,f5", "e4,e5"]


def test_short_searches_of_the_opening_book_rate_white_too_high() -> None:
    """The page says so; otherwise it would have to say why the order of the openings differs."""
    assert measured.short_search_excess() > 0


@pytest.mark.parametrize("page", ["start/installation", "howto/play", "de/spielen"])
def test_a_known_address_replaces_what_says_that_there_is_none(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    source = [before]
    monkeypatch.setattr(metadata, "urls_of_project", dict)
    metadata.fill_address(None, page, source)
    assert source == [before]
    assert metadata.NO_ADDRESS.search(before)
    urls = {"Repository": "https://example.invalid/code"}
    monkeypatch.setattr(metadata, "urls_of_project", lambda: urls)
    metadata.fill_address(None, page, source)
    [paragraph] = metadata.NO_ADDRESS.findall(before)
    assert source[0] == before.replace(paragraph, "").replace(
        "git clone ADDRESS ", "git clone https://example.invalid/code "
    )
