"""Games that were read: every format writes them, and reads back what it wrote."""

from __future__ import annotations

import io
from functools import partial

import pontedeldiavolo as pdd
from pontedeldiavolo import json, records
from pontedeldiavolo.records import Format, abstract_play, sgf
from pontedeldiavolo.rules.actions import ChooseColor

from .agreement import agree, attempt


def check_game(game: pdd.Game) -> None:
    """Check that a game is legal and that every format can hold it as it says."""
    state = game.start
    for action in game.actions:
        state = state.apply(action)
    agree("played once more", state, game.state)
    _check_record(game)
    agree("what SGF loses", sgf.losses(game), ())
    agree("in SGF", sgf.loads(sgf.dumps(game)), game)
    agree("as a document", json.loads(json.dumps(game)), game)
    for form in (Format.ABSTRACT_PLAY, Format.MOVES):
        _check_foreign(game, form)


def _check_record(game: pdd.Game) -> None:
    text = records.dumps(game)
    errors: list[pdd.RecordError] = []
    agree("as a record", records.loads(text), game)
    agree("read leniently", records.loads(text, errors), game)
    agree("errors in what was written", errors, [])
    agree("written again", records.dumps(records.loads(text)), text)


def _check_foreign(game: pdd.Game, form: Format) -> None:
    """Check that a format which is made for less refuses a game, or loses what it says."""
    losses = records.losses(game, form)
    file = io.StringIO()
    written = attempt(partial(records.write, [game], file, form))
    if isinstance(written, pdd.PonteError):
        return
    agree(f"how often {form} is told", records.detect(file.getvalue()) in (form, None), True)  # noqa: FBT003
    found = list(records.read(file.getvalue(), format=form))
    agree(f"how many games {form} gives back", len(found), 1)
    if not losses:
        agree(f"given back by {form}", found[0], game)
    if not isinstance(found[0], pdd.Game):
        raise found[0]
    agree(f"what {form} keeps", _moves(found[0]), _moves(game))
    if form is Format.ABSTRACT_PLAY:
        agree("read by its own verb", abstract_play.loads(file.getvalue()), found[0])


def _moves(game: pdd.Game) -> list[pdd.Action]:
    """Return the actions without the choice, which the last move of a list does not show."""
    return [action for action in game.actions if not isinstance(action, ChooseColor)]
