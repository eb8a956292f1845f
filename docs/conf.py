"""The configuration of Sphinx for the documentation.

Two commands, from the project's root; both stop at the first thing that is not right::

    sphinx-build -n -W docs docs/_build/html
    sphinx-build -W -b doctest docs docs/_build/doctest

Nothing is fetched from the network but Pyodide, for the board that can be played on; without it
that board is left out. The package need not be installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import MethodType, ModuleType

from attrs import fields_dict, has
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.inspect import TypeAliasForwardRef

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))

import boards
import downloads
import error_codes
import guides
import measured
import metadata
import playing
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
# These add copy buttons to code, and descriptions for search engines and other sites. The
# documentation can be built without them.
OPTIONAL = ("sphinx_copybutton", "sphinxext.opengraph")
extensions += [name for name in OPTIONAL if find_spec(name.partition(".")[0]) is not None]
copybutton_prompt_text = r">>> |\.\.\. |\.\.\.$|\$ "
copybutton_prompt_is_regexp = True
copybutton_here_doc_delimiter = "END"

exclude_patterns = ["_build", "templates", "explanation/speed_table.md"]

urls = metadata.urls_of_project()
project_summary = (
    "A Python library for the board game Ponte del Diavolo: rules, records, pictures, players, "
    "web services, batch simulation and reinforcement learning."
)

DOWNLOADS = DOCS / "_build" / "downloads"
downloads.write(DOWNLOADS)
html_theme = "furo"
# A version without a date in the changelog is not released.
is_released = f"\n## [{release}] - 2" in (DOCS.parent / "CHANGELOG.md").read_text("utf-8")
html_title = f"pontedeldiavolo {release}{'' if is_released else ' (unreleased)'}"
html_baseurl = urls.get("Documentation", "")
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["assets", "_build/downloads"]
html_css_files = ["site.css"]
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
html_theme_options = {"source_repository": urls["Repository"]} if "Repository" in urls else {}
if html_theme_options:
    html_theme_options |= {"source_branch": "main", "source_directory": "docs/"}

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

# The build makes these files; tests/docs/test_site.py follows the links to them.
linkcheck_ignore = [r"(\.\./)+_static/"]

# The names of other libraries that signatures mention, in files that people can read: links to
# their documentation without fetching whole inventories.
intersphinx_mapping = {
    "numpy": ("https://numpy.org/doc/stable", "numpy.inv"),
    "python": ("https://docs.python.org/3", "python.inv"),
}

autodoc_member_order = "bysource"
# Frameworks that are not installed: their adapters are shown all the same.
autodoc_mock_imports = [
    name for name in ("gymnasium", "open_spiel", "pettingzoo", "pyspiel") if find_spec(name) is None
]
autodoc_preserve_defaults = True
autodoc_type_aliases = {
    "Action": "~pontedeldiavolo.Action",
    "npt.ArrayLike": "~numpy.typing.ArrayLike",
    "npt.DTypeLike": "~numpy.typing.DTypeLike",
    # In overloads, names without dots are found alone.
    "ArrayLike": "~numpy.typing.ArrayLike",
    "Evaluate": "Evaluate",
    "Node": "~pontedeldiavolo.Node",
    "Step": "~pontedeldiavolo.Step",
}
napoleon_numpy_docstring = False

# All examples know ``pdd``; find_spec is for those that need what may not be installed.
doctest_global_setup = """
from importlib.util import find_spec

import pontedeldiavolo as pdd
"""

# Examples must match to the letter, errors and their messages included.
doctest_default_flags = 0

_PROTOCOLS = ("HasCode", "HasEnding", "HasOutcome")
nitpick_ignore_regex = [("py:class", r"(hypothesis\..*|.*\.)?(SearchStrategy|Given|Ex)")]
nitpick_ignore = [
    # What frameworks have: links to them are in the page about them.
    ("py:class", "pettingzoo.AECEnv"),
    ("py:class", "pettingzoo.utils.env.AECEnv"),
    ("py:class", "gymnasium.vector.vector_env.AutoresetMode"),
    ("py:exc", "ResetNeeded"),
    # States of OpenSpiel are made by games, and of a class of our own within.
    ("py:class", "PonteState"),
    ("py:class", "pontedeldiavolo.adapters.openspiel.PonteState"),
    # Dictionaries of arrays, and what is in these: within a tuple, Sphinx leaves names as they are.
    ("py:class", "Infos"),
    ("py:class", "Observation"),
    ("py:class", "np.float32"),
    ("py:class", "np.float64"),
    ("py:class", "numpy.float32"),
    ("py:class", "numpy.generic"),
    # Sphinx finds it by its full name, but not beside None.
    ("py:class", "npt.ArrayLike"),
    ("py:class", "numpy.typing.DTypeLike"),
    # A function from games to arrays, which the argument's description explains.
    ("py:class", "Evaluate"),
    # The attributes that messages.explain and messages.result use; the functions say what has them.
    *(("py:class", f"pontedeldiavolo.base.messages.{each}") for each in _PROTOCOLS),
    # The method of a generator of NumPy that is used.
    ("py:class", "pontedeldiavolo.state.legal_actions.NumpyGenerator"),
    # The type that is asked for.
    ("py:class", "pontedeldiavolo.json.documents.T"),
    # Any type of NumPy's numbers.
    ("py:class", "R"),
    ("py:class", "pontedeldiavolo.batch.feature_planes.R"),
    # What a colour's pairs of tiles and a state's other actions are: views that are obtained from
    # legal actions and never named by users. They have the methods of LegalActions.
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
"""Classes that other methods make: their constructors are no part of the interface."""

FROZEN_MAPPING = re.compile(r"~?(?:pontedeldiavolo\.base\.values\.)?FrozenMapping\[")
"""An immutable mapping from names: all that readers need to know of it is that it is a mapping."""

GENERIC = {"ActionSpace": "Action", "LegalSteps": "Step", "StepSpace": "Step", "records": "Game"}
"""Generic classes and modules, and the type that takes the place of their variable."""

TYPE_VARIABLE = re.compile(r"pontedeldiavolo(?:\.\w+)+\.T\b")

ATTRS_DEFAULT = re.compile(r"attr_dict\['(\w+)'\]\.default")
"""A default in the source of a constructor that attrs has written."""

SOURCES = ("S0", "S1", "S2", "S3", "S4")
"""The texts that docstrings and pages cite, as described in sources.md."""

CITATION = re.compile(rf"\[((?:{'|'.join(SOURCES)})(?:, (?:{'|'.join(SOURCES)}))*)\]")
CLASS_OR_MEMBER = re.compile(r":(class|attr|meth):`([A-Z]\w*)((?:\.\w+)?)`")
QUALIFIED = re.compile(r"\bpontedeldiavolo\.(\w+)(?:\.\w+)*\.([A-Z]\w*)")
INLINE = ("attribute", "data", "property")


def readable(text: str) -> str:
    """Return a piece of a signature as readers see it."""
    return FROZEN_MAPPING.sub("~collections.abc.Mapping[str, ", text)


def link_names(match: re.Match[str]) -> str:
    """Return a reference to a public name that is found from any module."""
    role, name, member = match.groups()
    if name not in pontedeldiavolo.__all__:
        return match.group()
    return f":{role}:`{name}{member} <pontedeldiavolo.{name}{member}>`"


def link_citations(match: re.Match[str]) -> str:
    """Return ``[S0]`` or ``[S3, S4]`` as links to what is said about these texts."""
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
        # Napoleon takes what comes before a colon for a type, but this package writes prose: an
        # empty comment in front makes Napoleon look no further.
        lines[:0] = ["..", ""]


def public_reference(match: re.Match[str]) -> str:
    """Return the public name of a class: in the package, or in the lazy submodule that has it."""
    submodule = "" if match[2] in pontedeldiavolo.__all__ else f"{match[1]}."
    return f"~pontedeldiavolo.{submodule}{match[2]}"


def finish_docstring(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Put the types that Napoleon has found beside the attributes, as readers see them."""
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
    """Turn ``[S0]`` in a Markdown page into a link, outside blocks of code."""
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
    """Show types as readers see them, and no constructors that users do not call."""
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
    """Return what stands for an alias within another type."""
    return alias.name


def public_names() -> Iterator[str]:
    """Iterate over the public names of the package and its lazy submodules."""
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
    """Have Pyodide at hand, or say why not: then no board can be played on."""
    boards.pyodide = None
    if app.builder.format != "html":
        return
    try:
        boards.pyodide = playing.fetched(DOCS / "_build")
        measured.download_size = playing.size_of(boards.pyodide)
    except playing.MissingError as error:
        logging.getLogger(__name__).info("no board can be played on in these pages: %s", error)


def build_playing(app: Sphinx, error: Exception | None) -> None:
    """Make the page of the board, once all others are made."""
    if error is None and boards.pyodide is not None:
        playing.build(Path(app.outdir) / playing.PLACE, boards.pyodide)


def forget_signature(_app: Sphinx, obj: object, _bound_method: object) -> None:
    """Forget the signature that Sphinx keeps on the function of a bound method.

    Each time that the method of another format is documented, it would lack one more argument.
    """
    if isinstance(obj, MethodType):
        vars(obj.__func__).pop("__signature__", None)


def nest_module_lists(
    _app: Sphinx, page: str, _template: str, context: dict[str, str], _doctree: object
) -> None:
    """Put nested lists of modules into items, as HTML demands and screen readers expect.

    Sphinx writes a nested list after the item of its module, directly into the outer list.
    """
    if page == "_modules/index":
        body = context["body"].replace("</li>\n<ul>", "\n<ul>")
        *nested, outer = body.split("</ul>")[:-1]
        context["body"] = "</ul></li>".join([*nested, outer]) + "</ul>"


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    # Sphinx writes its own stand-in for an alias into types; nothing else reaches properties.
    TypeAliasForwardRef.__repr__ = name_of_alias
    downloads.setup(app)
    error_codes.setup(app)
    guides.setup(app)
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
    app.connect("doctree-read", boards.draw_examples)
    app.connect("html-page-context", translations.link_languages)
    app.connect("html-page-context", nest_module_lists)
    app.connect("builder-inited", fetch_pyodide)
    app.connect("build-finished", build_playing)
    app.connect("env-check-consistency", require_every_name)
