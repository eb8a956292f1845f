"""Play one game in every form, and compare all forms after every action.

The forms are the core, the slow reference, batch, pool, game tree, records, JSON, snapshot, picture
and site. Copies, pickles, texts and packed bytes are compared as well, and replace the state.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool
from pontedeldiavolo.testing import strategies
from rules import test_against_reference as slow
from support.batches import require_equal_rows, require_equal_values
from support.checks import assert_same_legality
from support.games import random_game
from support.http_client import Guest
from support.pictures import parse, position_in
from support.strategies import SMALL_RULES, attempts

COPIES: dict[str, Any] = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "json": lambda state: pdd.json.loads(pdd.json.dumps(state), pdd.GameState),
    "packed": lambda state: pdd.GameState.unpack(state.rules, state.packed()),
    "text": lambda state: pdd.parse_state(pdd.format_state(state)),
    **{
        f"pickle {number}": lambda state, number=number: pickle.loads(pickle.dumps(state, number))
        for number in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
    # The pieces are added in reverse order, because their order must not matter.
    "pieces": lambda state: pdd.GameState.from_position(
        pdd.Position.from_pieces(
            state.rules.board,
            reversed(state.position.setup().white),
            reversed(state.position.setup().red),
            reversed(state.position.setup().bridges),
        ),
        rules=state.rules,
        to_move=state.to_move,
        white_owner=state.owner(pdd.Color.WHITE),
        phase=state.phase,
    ),
}
"""Functions that return an equal state."""

NUMBERS = st.integers(0, 2**16 - 1)


class Everything(RuleBasedStateMachine):
    """A game in all forms, with actions, undo, copies and symmetries."""

    # Some games are over or nearly over, so that some examples reach the end.
    @initialize(game=strategies.games(SMALL_RULES))
    def begin(self, game: pdd.Game) -> None:
        self.game = pdd.Game.new(game.rules)
        self.states = [self.game.state]
        self.begin_others()
        for action in game.actions:
            self.advance(action)
            self.core_is_the_reference()

    def begin_others(self) -> None:
        """Replay the game in the forms without undo and symmetries."""
        self.reference = slow.beginning(self.game.rules)
        self.batch = GameBatch.initial(self.game.rules)
        self.guest = Guest().seated(rules=pdd.format_rules(self.game.rules))
        for action in self.game.actions:
            self.play_others(action)
        self.pool = GamePool.from_games(self.batch, autoreset=False)

    def play_others(self, action: pdd.Action) -> list[int]:
        """Play an action in the forms with texts or numbers; return the numbers of its steps."""
        text = pdd.format_action(action)
        space = self.batch.space
        self.reference.play(text)
        self.guest.play(text)
        steps: list[pdd.Step] = (
            [*map(pdd.PlaceTile, action.cells)] if isinstance(action, pdd.PlaceTiles) else [action]
        )
        codes = list(map(space.encode, steps))
        for code in codes:
            self.batch = self.batch.step([code])
        return codes

    @property
    def state(self) -> pdd.GameState:
        return self.states[-1]

    @precondition(lambda self: not self.state.is_over)
    @rule(number=NUMBERS, builder=st.booleans(), settler=st.booleans())
    def play(self, number: int, *, builder: bool, settler: bool) -> None:
        self.advance(strategies.chosen(self.state, number, builder=builder, settler=settler))

    def advance(self, action: pdd.Action) -> None:
        before = self.state
        text = pdd.format_state(self.state)
        self.states.append(before.apply(action))
        assert self.state == before.apply_unchecked(action) != before
        assert pdd.format_state(before) == text
        if isinstance(action, pdd.PlaceTiles):
            for first, second in (action.cells, action.cells[::-1]):
                half = before.step(pdd.PlaceTile(first))
                assert (half.state, half.placed_tile) == (before, first)
                assert list(half.legal_steps) == [*map(pdd.PlaceTile, half.second_tiles)]
                assert half.second_tiles == before.legal_actions.second_tiles(first)
                assert pdd.HalfTurn.unpack(half.rules, half.packed()) == half
                assert pdd.parse_node(pdd.format_state(half)) == half
                assert half.step(pdd.PlaceTile(second)) == self.state
        self.game = self.game.play(pdd.format_action(action))
        for code in self.play_others(action):
            self.pool.step([code])

    @precondition(lambda self: len(self.states) > 1)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        most = len(self.states) - 1
        count = data.draw(st.just(most) | st.integers(1, most))
        del self.states[-count:]
        undone = self.game.undo(count)
        assert undone.actions == self.game.actions[: len(undone.actions)]
        self.game = undone
        self.begin_others()

    @rule(name=st.sampled_from(sorted(COPIES)))
    def copy(self, name: str) -> None:
        same = COPIES[name](self.state)
        assert type(same) is pdd.GameState
        assert (same, hash(same), repr(same)) == (self.state, hash(self.state), repr(self.state))
        assert (same.turn, same.outcome) == (self.state.turn, self.state.outcome)
        assert same.legal_actions == self.state.legal_actions
        assert_same_legality(same, self.state)
        self.states[-1] = same

    @rule(place=st.integers(0, 7))
    def turn(self, place: int) -> None:
        symmetries = self.state.rules.board.symmetries
        symmetry = symmetries[place % len(symmetries)]
        actions = [action.transform(symmetry) for action in self.game.actions]
        before = self.state
        self.game = pdd.Game.from_actions(self.game.rules, actions)
        self.states = [*self.game.states()]
        assert self.state == before.transform(symmetry)
        assert self.state.canonical() == before.canonical()
        assert self.state.canonical_packed() == before.canonical_packed()
        self.begin_others()

    @rule(data=st.data())
    def attempt(self, data: st.DataObject) -> None:
        action = data.draw(attempts(self.state))
        rules = slow.assert_same_judgement(self.state, self.reference, action)
        if rules:
            play: Any = self.state.step if isinstance(action, pdd.PlaceTile) else self.state.apply
            with pytest.raises(pdd.IllegalActionError) as caught:
                play(action)
            assert caught.value.violations == self.state.violations(action)
            assert str(caught.value) == " ".join(map(pdd.messages.explain, caught.value.violations))

    @invariant()
    def core_is_the_reference(self) -> None:
        slow.assert_same_state(self.state, self.reference)
        slow.assert_same_legal_actions(self.state, self.reference)
        choices = sum(isinstance(action, pdd.ChooseColor) for action in self.game.actions)
        assert self.state.turn == len(self.game.actions) - choices

    @invariant()
    def batch_and_pool_are_the_core(self) -> None:
        require_equal_rows(self.batch, [self.state])
        require_equal_values(self.batch, [self.state])
        assert np.array_equal(self.pool.legal_mask, self.batch.legal_mask())
        assert self.pool.games.states() == (self.state,)
        space = pdd.ActionSpace(self.state.rules.board)
        marked = [code for code, bit in enumerate(space.legal_mask(self.state)) if bit]
        assert [*map(space.decode, marked)] == [*self.state.legal_actions]

    @invariant()
    def game_and_its_forms_are_the_core(self) -> None:
        game = self.game
        state = self.state
        assert [*game.states()] == self.states
        assert not game.undo(len(game.actions)).actions
        assert pdd.records.loads(pdd.records.dumps(game)) == game
        assert pdd.json.loads(pdd.json.dumps(game)) == game
        shown: Any = pdd.json.snapshot(game)["value"]
        assert {*shown["targets"]} == {*map(str, state.legal_actions.first_tiles)}
        assert shown["result"] == game.result
        assert position_in(parse(pdd.svg.render(state))) == state.position
        seen = self.guest.get()
        assert seen["snapshot"].items() >= {"turn": state.turn, "phase": shown["phase"]}.items()
        assert seen["snapshot"] == {name: shown[name] for name in seen["snapshot"]}
        assert self.guest.record().actions == game.actions


def test_whole_games() -> None:
    # Hypothesis rarely generates crowded boards.
    for seed in range(6):
        machine = Everything()
        machine.begin(random_game(f"5x{4 + seed % 2}", seed))
        machine.game_and_its_forms_are_the_core()


TestEverything = Everything.TestCase
TestEverything.settings = settings(
    # A nightly run tries a hundred times as many.
    max_examples=settings().max_examples if settings().max_examples > 500 else 25,
    stateful_step_count=25,
    deadline=None,
)
