"""Tags and the numbers in violations: mappings that do not change."""

from __future__ import annotations

import pickle

import pytest

import pontedeldiavolo as pdd


def test_tags_are_an_immutable_mapping() -> None:
    tags = pdd.Game.new(tags={"Event": "Cup", "Site": "Venice"}).tags
    assert tags == {"Event": "Cup", "Site": "Venice"}
    assert list(tags) == ["Event", "Site"]
    assert (len(tags), tags["Site"], tags.get("Round")) == (2, "Venice", None)
    assert hash(tags) == hash(pdd.Game.new(tags={"Site": "Venice", "Event": "Cup"}).tags)
    assert repr(tags) == "{'Event': 'Cup', 'Site': 'Venice'}"
    assert pickle.loads(pickle.dumps(tags)) == tags
    for name in ("anything", "_items"):
        with pytest.raises(AttributeError):
            setattr(tags, name, {})
        with pytest.raises(AttributeError):
            delattr(tags, name)
    with pytest.raises(TypeError, match="does not support item assignment"):
        tags["Event"] = "Other"  # type: ignore[index]
