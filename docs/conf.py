"""The configuration of Sphinx for the documentation.

These commands build the pages and test their examples. Both treat warnings as errors::

    sphinx-build -n -W docs docs/_build/html
    sphinx-build -W -b doctest docs docs/_build/doctest

The build fetches only Pyodide from the network, for the boards on which readers can play; without
it these boards are omitted. The package need not be installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any

from attrs import fields_dict, has
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.autodoc.mock import mock
from sphinx.util import logging
from sphinx.util.inspect import TypeAliasForwardRef

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))

import boards
import code_links
import downloads
import drawing
import error_codes
import exercises
import guides
import layout
import measured
import metadata
import playing
import runnable
import translations

import pontedeldiavolo

DOCS = Path(__file__).parent

project = "pontedeldiavolo"
author = "The pontedeldiavolo maintainers"
copyright = author
version = pontedeldiavolo.__version__
release = version

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "metadata",
]
# These add copy buttons and links to code, and descriptions for search engines and other sites. The
# documentation can be built without them.
OPTIONAL = ("sphinx_codeautolink", "sphinx_copybutton", "sphinxext.opengraph")
extensions += [name for name in OPTIONAL if find_spec(name.partition(".")[0]) is not None]
copybutton_prompt_text = r">>> |\.\.\. |\.\.\.$|\$ "
copybutton_prompt_is_regexp = True
copybutton_here_doc_delimiter = "END"
# Names in code are links to their entries; the blocks of a page belong together.
codeautolink_concat_default = True
codeautolink_disable_link_titles = True
codeautolink_inventory_map = code_links.public_names()
codeautolink_global_preface = "import pontedeldiavolo as pdd"

exclude_patterns = ["_build", "templates", "explanation/speed_table.md"]

urls = metadata.urls_of_project()
project_summary = (
    "A Python library for the board game Ponte del Diavolo: rules, records, pictures, players, "
    "web services, batch simulation and reinforcement learning."
)

DOWNLOADS = DOCS / "_build" / "downloads"
downloads.write(DOWNLOADS)
(DOWNLOADS / "boards.css").write_text(drawing.style_sheet(), "utf-8")
html_theme = "furo"
# The changelog gives a date to each released version.
is_released = f"\n## [{release}] - 2" in (DOCS.parent / "CHANGELOG.md").read_text("utf-8")
html_title = project
html_context = {"is_released": is_released}
html_baseurl = urls.get("Documentation", "")
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["assets", "_build/downloads"]
html_css_files = ["site.css", "boards.css"]
html_js_files = [("site.js", {"loading_method": "defer"})]
html_search_scorer = str(DOCS / "scorer.js")
templates_path = ["templates"]
html_favicon = "assets/icon.svg"
html_logo = "assets/icon.svg"
ogp_site_url = html_baseurl
ogp_description_length = 160
ogp_social_cards = {"enable": False}
if html_baseurl:
    ogp_image = f"{html_baseurl.rstrip('/')}/_static/card.png"
    ogp_image_alt = "A board with islands and bridges"
# Furo puts these buttons at the top of a page; ours is the link to the page in the other language.
html_theme_options: dict[str, Any] = {"top_of_page_buttons": ["view"]}
if "Repository" in urls:
    html_theme_options |= {
        "source_repository": urls["Repository"],
        "source_branch": "main",
        "source_directory": "docs/",
        "top_of_page_buttons": ["view", "edit"],
    }
html_theme_options["footer_icons"] = metadata.footer_links(urls)

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

# The link check does not find these files, because the build writes them later.
# tests/docs/test_site.py checks the links to them.
linkcheck_ignore = [r"(\.\./)+_static/"]

# These short inventories have only the names that signatures mention, so the build fetches none.
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable", "numpy.inv"),
    "python": ("https://docs.python.org/3", "python.inv"),
}

autodoc_member_order = "bysource"
# The reference describes adapters also if their frameworks are not installed.
autodoc_mock_imports = [
    name for name in ("gymnasium", "open_spiel", "pettingzoo", "pyspiel") if find_spec(name) is None
]
# Links in code need the adapters too, also in a build that reads none of their pages again.
with mock(autodoc_mock_imports):
    for name in ("gymnasium", "openspiel", "pettingzoo"):
        import_module(f"pontedeldiavolo.adapters.{name}")
autodoc_preserve_defaults = True
autodoc_type_aliases = {
    "Action": "~pontedeldiavolo.Action",
    "npt.ArrayLike": "~numpy.typing.ArrayLike",
    "npt.DTypeLike": "~numpy.typing.DTypeLike",
    # In overloads, Sphinx looks for names without their modules.
    "ArrayLike": "~numpy.typing.ArrayLike",
    "Evaluate": "Evaluate",
    "Node": "~pontedeldiavolo.Node",
    "Step": "~pontedeldiavolo.Step",
}
napoleon_numpy_docstring = False

# Every example may use ``pdd``. With find_spec an example is skipped where a package is missing.
doctest_global_setup = """
from importlib.util import find_spec

import pontedeldiavolo as pdd
"""

# The output of examples must match exactly, including the messages of errors.
doctest_default_flags = 0

_PROTOCOLS = ("HasCode", "HasEnding", "HasOutcome")
nitpick_ignore_regex = [("py:class", r"(hypothesis\..*|.*\.)?(SearchStrategy|Given|Ex)")]
nitpick_ignore = [
    # Classes of frameworks; the page about the adapters links to their documentation.
    ("py:class", "pettingzoo.AECEnv"),
    ("py:class", "pettingzoo.utils.env.AECEnv"),
    ("py:class", "gymnasium.vector.vector_env.AutoresetMode"),
    ("py:exc", "ResetNeeded"),
    # OpenSpiel creates states of this internal class.
    ("py:class", "PonteState"),
    ("py:class", "pontedeldiavolo.adapters.openspiel.PonteState"),
    # Type aliases, which Sphinx does not resolve within a tuple.
    ("py:class", "Infos"),
    ("py:class", "Observation"),
    ("py:class", "np.float32"),
    ("py:class", "np.float64"),
    ("py:class", "numpy.float32"),
    ("py:class", "numpy.generic"),
    # In overloads, Sphinx does not find the module of this name.
    ("py:class", "PathLike"),
    # The internal base class of bridges and of actions with two cells.
    ("py:class", "pontedeldiavolo.board.cell.CellPair"),
    # A dictionary that computes its values when they are looked up; users only read it.
    ("py:class", "pontedeldiavolo.board.geometry.LazyTable"),
    # Sphinx resolves this alias alone, but not in a union with None.
    ("py:class", "npt.ArrayLike"),
    ("py:class", "numpy.typing.DTypeLike"),
    # An alias for a function; the description of the argument explains it.
    ("py:class", "Evaluate"),
    # The attributes that messages.explain and messages.result use; the functions say what has them.
    *(("py:class", f"pontedeldiavolo.base.messages.{each}") for each in _PROTOCOLS),
    # Tables of a board: dictionaries that fill themselves.
    ("py:class", "pontedeldiavolo.board.geometry.LazyTable"),
    # A bridge, or the action that builds it.
    ("py:class", "pontedeldiavolo.board.cell.CellPair"),
    # An internal protocol for generators of NumPy.
    ("py:class", "pontedeldiavolo.state.legal_actions.NumpyGenerator"),
    # Type variables.
    ("py:class", "pontedeldiavolo.json.documents.T"),
    ("py:class", "R"),
    ("py:class", "pontedeldiavolo.batch.feature_planes.R"),
    # Views of legal actions, which users never name. They have the methods of LegalActions.
    ("py:class", "pontedeldiavolo.state.legal_actions.Pairs"),
    ("py:class", "pontedeldiavolo.state.Pairs"),
    ("py:class", "pontedeldiavolo.Pairs"),
    ("py:class", "pontedeldiavolo.state.legal_actions.NonTileActions"),
]

MADE_ELSEWHERE = frozenset(
    f"pontedeldiavolo.{name}"
    for name in (
        "CellSet",
        "Game",
        "GameState",
        "LegalActions",
        "LegalSteps",
        "Position",
        "Symmetry",
        "Violation",
        "batch.GameBatch",
        "batch.Playouts",
        "batch.Replays",
        "html.Html",
        "records.Header",
        "records.Record",
        "svg.Svg",
    )
)
"""Classes that users obtain from methods: their constructors are not public."""

FROZEN_MAPPING = re.compile(r"~?(?:pontedeldiavolo\.base\.values\.)?FrozenMapping\[")
"""An internal immutable mapping, which the reference shows as a ``Mapping``."""

GENERIC = {"ActionSpace": "Action", "LegalSteps": "Step", "StepSpace": "Step", "records": "Game"}
"""Generic classes and modules, and the type that the reference shows for their variable."""

TYPE_VARIABLE = re.compile(r"pontedeldiavolo(?:\.\w+)+\.T\b")

ATTRS_DEFAULT = re.compile(r"attr_dict\['(\w+)'\]\.default")
"""A default value in the source of a constructor generated by attrs."""

SOURCES = ("S0", "S1", "S2", "S3", "S4")
"""The texts that docstrings and pages cite; sources.md describes them."""

CITATION = re.compile(rf"\[((?:{'|'.join(SOURCES)})(?:, (?:{'|'.join(SOURCES)}))*)\]")
CLASS_OR_MEMBER = re.compile(r":(class|attr|meth):`([A-Z]\w*)((?:\.\w+)?)`")
QUALIFIED = re.compile(r"\bpontedeldiavolo\.(\w+)(?:\.\w+)*\.([A-Z]\w*)")
INLINE = ("attribute", "data", "property")


def readable(text: str) -> str:
    """Return a part of a signature with public types."""
    return FROZEN_MAPPING.sub("~collections.abc.Mapping[str, ", text)


def link_names(match: re.Match[str]) -> str:
    """Return a reference to a public name, which Sphinx resolves in any module."""
    role, name, member = match.groups()
    if name not in pontedeldiavolo.__all__:
        return match.group()
    return f":{role}:`{name}{member} <pontedeldiavolo.{name}{member}>`"


def link_citations(match: re.Match[str]) -> str:
    """Return ``[S0]`` or ``[S3, S4]`` as links to the descriptions of these texts."""
    labels = match.group(1).split(", ")
    return ", ".join(f":ref:`[{label}] <{label.lower()}>`" for label in labels)


def link_citations_in_markdown(match: re.Match[str]) -> str:
    """Return the same as :func:`link_citations`, for Markdown."""
    labels = match.group(1).split(", ")
    return ", ".join(rf"[\[{label}\]](/game/sources.md#{label.lower()})" for label in labels)


def prepare_docstring(
    _app: Sphinx, what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Link names and citations, before Napoleon reads the docstring."""
    lines[:] = [
        CITATION.sub(link_citations, CLASS_OR_MEMBER.sub(link_names, line)) for line in lines
    ]
    if what in INLINE:
        # Napoleon would read the words before a colon as a type, but they are prose. An empty
        # comment at the beginning prevents that.
        lines[:0] = ["..", ""]


def public_reference(match: re.Match[str]) -> str:
    """Return the public name of a class, in the package or in a lazy submodule."""
    submodule = "" if match[2] in pontedeldiavolo.__all__ else f"{match[1]}."
    return f"~pontedeldiavolo.{submodule}{match[2]}"


def finish_docstring(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Move the types that Napoleon has found to their attributes, and show public types."""
    finished: list[str] = []
    attribute = 0
    for line in lines:
        if line.startswith(".. attribute::"):
            attribute = len(finished) + 1
        if line.startswith("   :type:"):
            finished.insert(attribute, QUALIFIED.sub(public_reference, readable(line)))
        else:
            finished.append(line)
    lines[:] = finished


def link_citations_of_page(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Turn ``[S0]`` in a Markdown page into a link, except in blocks of code."""
    lines = []
    in_code = False
    for line in source[0].split("\n"):
        in_code ^= line.startswith("```")
        lines.append(line if in_code else CITATION.sub(link_citations_in_markdown, line))
    source[0] = "\n".join(lines)


def prepare_signature(
    _app: Sphinx,
    _what: str,
    name: str,
    obj: object,
    _options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """Show public types, and omit constructors that users do not call."""
    if name in MADE_ELSEWHERE or (isinstance(obj, type) and issubclass(obj, Enum)):
        return ("", None)
    if signature and isinstance(obj, type) and has(obj):
        defaults = fields_dict(obj)
        signature = ATTRS_DEFAULT.sub(lambda found: repr(defaults[found[1]].default), signature)
    of = f"pontedeldiavolo.{GENERIC.get(name.split('.')[1])}"
    return (
        signature and TYPE_VARIABLE.sub(of, readable(signature)),
        returns and TYPE_VARIABLE.sub(of, readable(returns)),
    )


def name_of_alias(alias: TypeAliasForwardRef) -> str:
    """Return the text for an alias within another type."""
    return alias.name


def public_names() -> Iterator[str]:
    """Yield the public names of the package and its lazy submodules."""
    for name in dir(pontedeldiavolo):
        yield name
        module = getattr(pontedeldiavolo, name)
        if isinstance(module, ModuleType):
            yield from (f"{name}.{each}" for each in module.__all__)


def require_every_name(_app: Sphinx, env: BuildEnvironment) -> None:
    """Warn about public names without an entry; Sphinx itself warns about a second one."""
    documented = env.domains.python_domain.objects
    for name in public_names():
        if f"pontedeldiavolo.{name}" not in documented:
            logging.getLogger(__name__).warning("public, but not documented: %s", name)


def fetch_pyodide(app: Sphinx) -> None:
    """Fetch Pyodide for the boards on which readers can play, or log why that failed."""
    boards.pyodide = None
    if app.builder.format != "html":
        return
    try:
        boards.pyodide = playing.fetched(DOCS / "_build")
        measured.download_size = playing.size_of(boards.pyodide)
    except playing.MissingError as error:
        logging.getLogger(__name__).info("no board can be played on in these pages: %s", error)


def build_playing(app: Sphinx, error: Exception | None) -> None:
    """Build the page for playing after all others."""
    if error is None and boards.pyodide is not None:
        playing.build(Path(app.outdir) / playing.PLACE, boards.pyodide)


def forget_signature(_app: Sphinx, obj: object, _bound_method: object) -> None:
    """Delete the signature that Sphinx caches on the function of a bound method.

    Otherwise each further method that shares the function would be shown with one argument less.
    """
    if isinstance(obj, MethodType):
        vars(obj.__func__).pop("__signature__", None)


def nest_module_lists(
    _app: Sphinx, page: str, _template: str, context: dict[str, str], _doctree: object
) -> None:
    """Put nested lists of modules into list items, as HTML requires and screen readers expect.

    Sphinx writes a nested list after the item of its module, directly into the outer list.
    """
    if page == "_modules/index":
        body = context["body"].replace("</li>\n<ul>", "\n<ul>")
        *nested, outer = body.split("</ul>")[:-1]
        context["body"] = "</ul></li>".join([*nested, outer]) + "</ul>"


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    # Sphinx shows its own placeholder for an alias. Only this change also affects properties.
    TypeAliasForwardRef.__repr__ = name_of_alias
    downloads.setup(app)
    drawing.setup(app)
    error_codes.setup(app)
    exercises.setup(app)
    guides.setup(app)
    runnable.setup(app)
    app.add_directive("board", boards.Board)
    app.add_directive("play-now", boards.PlayNow)
    app.add_directive("openings", boards.Openings)
    app.connect("autodoc-process-docstring", prepare_docstring, priority=400)
    app.connect("autodoc-process-docstring", finish_docstring, priority=600)
    app.connect("autodoc-before-process-signature", forget_signature, priority=1)
    app.connect("autodoc-process-signature", prepare_signature)
    app.connect("source-read", boards.fill_marks)
    app.connect("source-read", measured.fill_marks)
    app.connect("source-read", link_citations_of_page)
    app.connect("doctree-read", boards.show_code_plainly, priority=boards.BEFORE_LINKS)
    app.connect("doctree-read", boards.draw_examples)
    app.connect("doctree-read", layout.arrange, priority=layout.AFTER_PICTURES)
    app.connect("doctree-resolved", code_links.correct_anchors)
    app.connect("html-page-context", translations.link_languages, priority=translations.LATE)
    app.connect("html-page-context", nest_module_lists)
    app.connect("builder-inited", fetch_pyodide)
    app.connect("build-finished", build_playing)
    app.connect("build-finished", translations.translate_labels)
    app.connect("env-check-consistency", require_every_name)
