"""Positions, turns, land and networks can be read from a picture."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from pontedeldiavolo.testing.strategies import positions, states
from support.pictures import EXAMPLE, names, parse, parts, position_in, titles
from support.strategies import SMALL_RULES, Player, games, play_out, share

COLORS = {color: color.value for color in pdd.Color}
TINTS = {"white": svg.LIGHT.white_tints, "red": svg.LIGHT.red_tints}


def cells_of(element: ET.Element) -> frozenset[pdd.Cell]:
    return frozenset(map(pdd.parse_cell, element.attrib["data-cells"].split()))


def there(element: ET.Element, turn: int) -> bool:
    """Return whether a part is visible after a turn."""
    until = element.get("data-until")
    return int(element.attrib["data-from"]) <= turn and (until is None or turn < int(until))


@given(positions())
@share(0.4)
def test_a_position_can_be_read_back(position: pdd.Position) -> None:
    root = parse(svg.render(position))
    told = titles(root)
    assert position_in(root) == position
    assert sorted(names(parts(root, "blocked"))) == sorted(map(str, position.blocked))
    # Every cell occurs once.
    found = [name for kind in ("cell", "blocked", "tile") for name in names(parts(root, kind))]
    assert sorted(found) == sorted(map(str, position.board))
    for color, word in COLORS.items():
        assert names(parts(root, "bridge", word)) == [*map(str, position.bridges(color))]
        sandbanks = [each for each in position.groups(color) if not each.is_island]
        for kind, groups in (("island", position.islands(color)), ("sandbank", sandbanks)):
            drawn = parts(root, "land", word, kind)
            assert [*map(cells_of, drawn)] == [each.cells for each in groups]
            assert {told[each] for each in drawn} <= {f"{word} {kind}"}


@given(position=positions(), is_setup=st.booleans())
@share(0.3)
def test_networks_can_be_read_back(position: pdd.Position, *, is_setup: bool) -> None:
    root = parse(svg.render(position.setup() if is_setup else position, networks=True))
    for color, word in COLORS.items():
        networks = [each for each in position.networks(color) if each.points or each.bridges]
        for kind, wanted in (("network", networks), ("points", [n for n in networks if n.points])):
            drawn = parts(root, kind, word)
            assert [(cells_of(each), int(each.attrib["data-points"])) for each in drawn] == [
                (frozenset().union(*(group.cells for group in each.groups)), each.points)
                for each in wanted
            ]
        tints = [each.attrib["stroke"] for each in parts(root, "network", word)]
        assert len({*tints}) == len(tints) or len(tints) > len(TINTS[word])
        assert {*tints} <= {*TINTS[word]}


@given(states(SMALL_RULES), st.data())
@share(0.3)
def test_a_half_turn_can_be_read_back(state: pdd.GameState, data: st.DataObject) -> None:
    tiles = [*state.legal_actions.first_tiles]
    if not tiles or state.to_move is None:
        return
    half = state.step(pdd.PlaceTile(data.draw(st.sampled_from(tiles))))
    root = parse(svg.render(half, targets=True))
    assert position_in(root) == state.position
    (first,) = parts(root, "first")
    assert first.attrib["data-cell"] == str(half.placed_tile)
    assert first in parts(root, state.to_move.value)
    assert names(parts(root, "target")) == [*map(str, half.second_tiles)]


@given(states(SMALL_RULES))
@share(0.3)
def test_targets_of_a_state_can_be_read_back(state: pdd.GameState) -> None:
    root = parse(svg.render(state, targets=True))
    legal = state.legal_actions
    wanted = [*map(str, legal.first_tiles), *(str(each.bridge) for each in legal.bridges)]
    assert names(parts(root, "target")) == wanted


@given(games())
@share(0.3)
def test_every_turn_of_a_game_can_be_read_back(game: pdd.Game) -> None:
    root = parse(svg.render(game, networks=True))
    turns = [game.start.turn, *(ply.turn for ply in game.plies)]
    for turn, state in zip(turns, game.states(), strict=True):
        position = state.position
        assert position_in(root, turn) == position
        blocked = [each for each in parts(root, "blocked") if there(each, turn)]
        assert sorted(names(blocked)) == sorted(map(str, position.blocked))
        for color, word in COLORS.items():
            drawn = [each for each in parts(root, "land", word) if there(each, turn)]
            groups = position.groups(color)
            assert {*map(cells_of, drawn)} == {each.cells for each in groups}
            assert len(drawn) == len(groups)
            points = [each for each in parts(root, "points", word) if there(each, turn)]
            worth = sum(int(each.attrib["data-points"]) for each in points)
            assert worth == position.score(color).points
    # Every piece occurs once, and the picture shows the end.
    assert position_in(root) == game.state.position
    pieces = names([*parts(root, "tile"), *parts(root, "bridge")])
    assert len({*pieces}) == len(pieces)
    for element in root.iter():
        shown = "none" if "data-until" in element.attrib else None
        assert element.get("display") == shown


def check_tints(game: pdd.Game) -> int:
    """Check the tints of networks turn by turn; return how often networks were joined."""
    root = parse(svg.render(game, networks=True))
    turns = [game.start.turn, *(ply.turn for ply in game.plies)]
    completed: dict[frozenset[pdd.Cell], int] = {}
    before: dict[str, dict[frozenset[pdd.Cell], str]] = {"white": {}, "red": {}}
    joined = 0
    for turn, state in zip(turns, game.states(), strict=True):
        for color, word in COLORS.items():
            for island in state.position.islands(color):
                completed.setdefault(frozenset(island.cells), turn)
            drawn = [each for each in parts(root, "network", word) if there(each, turn)]
            now = {cells_of(each): each.attrib["stroke"] for each in drawn}
            assert {*now.values()} <= {*TINTS[word]}
            assert len({*now.values()}) == len(now) or len(now) > len(TINTS[word])
            for cells, tint in now.items():
                # The oldest island of a network gives its tint and its turn.
                old = [
                    (min((completed[each] for each in completed if each <= part), default=99), was)
                    for part, was in before[word].items()
                    if part <= cells
                ]
                joined += len(old) > 1
                assert not old or tint in {was for age, was in old if age == min(old)[0]}
            before[word] = now
    return joined


@given(games())
@share(0.4)
def test_networks_keep_their_tints(game: pdd.Game) -> None:
    check_tints(game)


def test_joined_networks_have_the_tint_of_the_oldest_island() -> None:
    builders = [Player(Random(seed), builder=True, settler=True) for seed in range(4)]
    plays = [play_out(pdd.Rules(), player) for player in builders]
    assert sum(check_tints(play) for play in plays) > 4


def test_a_game_that_starts_from_a_position() -> None:
    start = pdd.GameState.from_position(EXAMPLE, to_move=pdd.Color.RED)
    game = pdd.Game.new(start=start).play("c2,e4").play("a5-b3")
    root = parse(svg.render(game))
    assert position_in(root, start.turn) == EXAMPLE
    assert position_in(root, start.turn + 1) == game.state_before((1,)).position
    assert position_in(root, start.turn + 2) == game.state.position
