"""Links in code and signatures."""

from __future__ import annotations

import sys

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import code_links  # the path to it is set above

SCALARS = "https://numpy.org/doc/stable/reference/arrays.scalars.html"
TYPING = "https://numpy.org/doc/stable/reference/typing.html"
INVENTORY = (ROOT / "docs" / "numpy.inv").read_text("utf-8").splitlines()[3:]


@pytest.mark.parametrize(
    ("written", "anchor"),
    [
        (f"{SCALARS}#np.bool_", f"{SCALARS}#numpy.bool"),
        (f"{SCALARS}#np.int8", f"{SCALARS}#numpy.int8"),
        (f"{TYPING}#npt.NDArray", f"{TYPING}#numpy.typing.NDArray"),
        (f"{TYPING}#ArrayLike", f"{TYPING}#numpy.typing.ArrayLike"),
        (f"{SCALARS}#numpy.bool", f"{SCALARS}#numpy.bool"),
        (SCALARS, SCALARS),
        ("https://docs.python.org/3/a.html#np.int8", "https://docs.python.org/3/a.html#np.int8"),
    ],
)
def test_a_link_to_numpy_has_an_anchor_of_its_page(written: str, anchor: str) -> None:
    assert code_links.with_anchor(written) == anchor


def test_every_name_of_the_inventory_has_an_anchor_with_its_full_name() -> None:
    for line in INVENTORY:
        name, _, page = line.split()
        address = f"https://numpy.org/doc/stable/{page}#{name}"
        assert code_links.with_anchor(address).partition("#")[2].startswith("numpy."), name
