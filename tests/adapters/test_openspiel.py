"""The game of OpenSpiel: OpenSpiel's own checks, and comparisons with the core."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import planes
from support.checks import wrong_type
from support.environments import NAMES, RULES, code_of, side_of

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: nox -s adapters")

import pyspiel
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from pontedeldiavolo.adapters.openspiel import PlayoutEvaluator, game_string

NAME = "python_pontedeldiavolo"
SMALL = pdd.Rules(pdd.Board(4, 4))
MORE_RULES = [
    pdd.Rules(),
    pdd.Rules(pdd.Board(64, 2), 2**31 - 1, 0, (pdd.Tiebreak.BRIDGES, pdd.Tiebreak.ISLANDS)),
    *(pdd.presets.by_name(name) for name in pdd.presets.names()),
]


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_random_simulations(rules: pdd.Rules) -> None:
    game = pyspiel.load_game(game_string(rules))
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    observer = pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    assert observer is None


@pytest.mark.slow
@pytest.mark.parametrize("side", [10, 18])
def test_random_simulations_on_large_boards(side: int) -> None:
    game = pyspiel.load_game(f"{NAME}(width={side},height={side})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_is_played_again() -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    text = generate_playthrough.playthrough(f"{NAME}(width=3,height=3)", [], seed=1)
    assert "IsTerminal() = True" in text
    for line in (
        "NumDistinctActions() = 28",
        "InformationStateTensorShape() = observation: [27, 3, 3], history: [13]",
        "ObservationTensorShape() = [27, 3, 3]",
    ):
        assert line in text.splitlines()
    said = f"{NAME}(bridges=-1,height=3,tiebreaks=islands-bridges,tiles=-1,width=3)"
    assert f'ToString() = "{said}"' in text.splitlines()
    parameters = generate_playthrough._playthrough_params(text.splitlines())
    assert generate_playthrough.playthrough(**parameters) == text


def won(first: Any, second: Any, game: Any) -> list[float]:
    """Return the returns of a game between two bots."""
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action((first, second)[state.current_player()].step(state))
    found: list[float] = state.returns()
    return found


def test_the_bot_of_openspiel_plays() -> None:
    game = pyspiel.load_game(game_string(SMALL))
    random = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(game, 2, 8, rollouts, random_state=random)
    assert sum(won(bot, bot, game)) == 0


@pytest.mark.slow
def test_playouts_beat_chance() -> None:
    game = pyspiel.load_game(game_string(SMALL))
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 40, PlayoutEvaluator(8), random_state=random)
    chance = pyspiel.make_uniform_random_bot(1, 1), pyspiel.make_uniform_random_bot(0, 2)
    total = sum(won(bot, chance[0], game)[0] + won(chance[1], bot, game)[1] for _ in range(6))
    assert total >= 6


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
@given(seed=st.integers(0, 10**6))
def test_every_moment(rules: pdd.Rules, seed: int) -> None:
    rng = Random(seed)
    space = pdd.StepSpace(rules.board)
    game = pyspiel.load_game(game_string(rules))
    assert game.num_distinct_actions() == len(space)
    state = game.new_initial_state()
    node: pdd.Node = pdd.GameState.initial(rules)
    seen = make_observation(game)
    known = make_observation(game, INFO_STATE_OBS_TYPE)
    history: list[int] = []
    while True:
        assert str(state) == pdd.format_state(node)
        assert pdd.parse_node(str(state)) == node
        assert state.is_terminal() == node.is_over
        assert bytes(state.legal_actions_mask()) == space.legal_mask(node)
        for seat in pdd.Seat:
            expected = planes(node, side_of(node, seat))
            seen.set_from(state, seat.index)
            assert np.array_equal(seen.dict["observation"], expected)
            assert state.observation_tensor(seat.index) == expected.ravel().tolist()
            known.set_from(state, seat.index)
            assert np.array_equal(known.dict["observation"], expected)
            row = [code + 1 for code in history]
            assert known.dict["history"].tolist() == row + [0] * (rules.max_steps - len(row))
            assert known.string_from(state, seat.index) == state.history_str()
        outcome = node.outcome
        if outcome is not None:
            break
        assert node.seat_to_move is not None
        assert state.current_player() == node.seat_to_move.index
        assert state.returns() == [0, 0]
        code = code_of(node, rng)
        assert state.action_to_string(code) == pdd.format_action(space.decode(code))
        assert state.string_to_action(pdd.format_action(space.decode(code))) == code
        history.append(code)
        state.apply_action(code)
        node = node.step(space.decode(code))
    assert state.returns() == [outcome.value(seat) for seat in pdd.Seat]
    assert len(history) <= game.max_game_length() == rules.max_steps


@pytest.mark.parametrize("rules", [*RULES, *MORE_RULES])
def test_strings_say_rules_in_full(rules: pdd.Rules) -> None:
    text = game_string(rules)
    _, _, said = text.partition("(")
    assert all(not set("=, /|*") & set(part.partition("=")[2]) for part in said[:-1].split(","))
    game = pyspiel.load_game(text)
    assert game.rules == rules
    assert pyspiel.load_game(str(game)).rules == rules
    state = game.new_initial_state()
    again, kept = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.rules == rules
    assert str(kept) == str(state)


def test_rules_left_out_are_the_defaults() -> None:
    assert pyspiel.load_game(NAME).rules == pdd.Rules()
    assert pyspiel.load_game(f"{NAME}(width=6,tiles=7)").rules == pdd.Rules(pdd.Board(6, 10), 7)
    assert pyspiel.load_game(NAME, {"height": 3}).rules == pdd.Rules(pdd.Board(10, 3))
    assert pyspiel.load_game(game_string()).rules == pdd.Rules()


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("width=0", "the width must be 1 to 64"),
        ("height=65", "the height must be 1 to 64"),
        ("tiles=-2", "must not be negative"),
        ("tiebreaks=points", "tiebreaks are as in islands-bridges, or none, not points"),
        ("tiebreaks=islands-islands", "a tie-break is repeated"),
    ],
)
def test_impossible_parameters_of_a_game_string_are_refused(said: str, problem: str) -> None:
    with pytest.raises(pdd.InvalidRulesError, match=problem):
        pyspiel.load_game(f"{NAME}({said})")


def test_rules_that_a_game_string_cannot_express() -> None:
    with wrong_type("rules"):
        game_string(pdd.Board())  # type: ignore[arg-type]
    with pytest.raises(pdd.PonteError, match="no numbers above 2,147,483,647"):
        game_string(pdd.Rules(tiles_per_color=2**31))


def test_an_illegal_action_changes_nothing() -> None:
    state = pyspiel.load_game(game_string(SMALL)).new_initial_state()
    state.apply_action(0)
    before = str(state)
    with pytest.raises(pdd.IllegalActionError):
        state.apply_action(0)
    with pytest.raises(pdd.PonteError, match="code 100000 is outside"):
        state.apply_action(100000)
    assert str(state) == before
    assert state.history() == [0]


def test_states_are_copied_in_the_midst_of_a_turn() -> None:
    state = pyspiel.load_game(game_string(SMALL)).new_initial_state()
    for code in (0, 1, state.string_to_action("a1")):
        state.apply_action(code) if code in state.legal_actions() else None
    for kept in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert str(kept) == str(state)
        assert kept.history() == state.history()
        kept.apply_action(kept.legal_actions()[0])
        assert str(kept) != str(state)


def test_observers() -> None:
    game = pyspiel.load_game(game_string(SMALL))
    state = game.new_initial_state()
    hidden = pyspiel.IIGObservationType(
        public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
    )
    nothing = make_observation(game, hidden)
    nothing.set_from(state, 0)
    assert (nothing.tensor, nothing.dict, nothing.string_from(state, 0)) == (None, {}, "")
    with pytest.raises(pdd.PonteError, match="observers have no parameters: a"):
        make_observation(game, params={"a": 1})
    assert state.observation_string(0) == str(state)


def test_values_are_those_of_playouts() -> None:
    game = pyspiel.load_game(game_string(SMALL))
    state = game.new_initial_state()
    values = PlayoutEvaluator(400, seed=1).evaluate(state)
    assert values.shape == (2,)
    assert values.sum() == pytest.approx(0)
    assert np.array_equal(values, PlayoutEvaluator(400, seed=1).evaluate(state))
    assert not np.array_equal(values, PlayoutEvaluator(400, seed=2).evaluate(state))
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert PlayoutEvaluator(4).evaluate(state).tolist() == state.returns()


def test_priors_are_equal() -> None:
    state = pyspiel.load_game(game_string(SMALL)).new_initial_state()
    prior = PlayoutEvaluator().prior(state)
    assert [action for action, _ in prior] == state.legal_actions()
    assert {chance for _, chance in prior} == {1 / len(prior)}


def test_arguments_that_are_refused() -> None:
    with wrong_type("playouts"):
        PlayoutEvaluator("1")  # type: ignore[arg-type]
    with pytest.raises(pdd.PonteError, match="playouts must be 1 or more, not 0"):
        PlayoutEvaluator(0)
    with wrong_type("seed"):
        PlayoutEvaluator(seed=None)  # type: ignore[arg-type]
    with pytest.raises(pdd.PonteError, match="seed must not be negative: -1"):
        PlayoutEvaluator(seed=-1)
    for call in (PlayoutEvaluator().evaluate, PlayoutEvaluator().prior):
        with wrong_type("state"):
            call(pdd.GameState.initial())  # type: ignore[arg-type]
