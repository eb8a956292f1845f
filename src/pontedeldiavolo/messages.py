"""Words and sentences for people, in English and in German.

A catalogue is a mapping to texts. For a :class:`Rule` it has a template of :meth:`str.format`,
which may use ``{cells}`` and ``{bridges}``, and the violation's own values by name. For members of
the other enumerations it has their word, and for codes such as ``"won-time"`` the templates of
sentences about games, whose first letter is made a capital.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias, cast, get_args, runtime_checkable

from pontedeldiavolo.checks import require_iterable, require_type
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.vocabulary import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak

__all__ = [
    "ENGLISH",
    "GERMAN",
    "Catalog",
    "Counted",
    "Explainable",
    "Played",
    "Word",
    "explain",
    "explain_all",
    "result",
    "word",
]

Catalog: TypeAlias = Mapping[Hashable, str]
"""Texts by rule, by member of another enumeration, or by the code of a sentence."""

Word: TypeAlias = Color | Seat | Phase | Tiebreak | DecidedBy | Ending
"""What has a word in a catalogue."""

ENGLISH: Final[Catalog] = MappingProxyType(
    {
        Rule.GAME_OVER: "The game is over.",
        Rule.WRONG_PHASE: "This cannot be done at this point of the game.",
        Rule.OFF_BOARD: "Off the {width}×{height} board: {cells}.",
        Rule.SAME_CELL: "A pair needs two different cells, not {cells} twice.",
        Rule.OCCUPIED: "Already taken by a tile: {cells}.",
        Rule.BLOCKED: "Blocked, because a bridge passes over it: {cells} (under {bridges}).",
        Rule.GROUP_TOO_LARGE: "A group of {size} would be connected, and {limit} is the most: "
        "{cells}.",
        Rule.ISLAND_TOUCHED: "The island {island} would be touched by tiles of its own colour: "
        "{touching}.",
        Rule.NO_PARTNER: "No second tile could legally follow one on {cells}.",
        Rule.NOT_A_BRIDGE_SHAPE: "A bridge spans two cells straight, two cells diagonally, or a "
        "knight's move; these ends do not: {cells}.",
        Rule.NOT_YOUR_TILE: "No tile of yours to rest a bridge on: {cells}.",
        Rule.END_USED: "A tile carries one bridge only, and these carry one already: {cells}.",
        Rule.TILE_BENEATH: "Tiles lie beneath the bridge: {cells}.",
        Rule.CROSSES: "Bridges must not cross; in the way: {bridges}.",
        Rule.NO_TILES_LEFT: "A pair takes {needed} tiles from the supply; left: {left}.",
        Rule.NO_BRIDGES_LEFT: "No bridges are left in the supply.",
        Rule.PAIR_EXISTS: "Passing is not allowed while a legal pair of tiles exists.",
        Rule.ENDS_DIFFER: "A bridge needs tiles of one colour on both ends: {bridges}.",
        Rule.BOARD_MISMATCH: "The position is on {width}×{height}, the rules are for "
        "{rules_width}×{rules_height}.",
        Rule.TILES_EXCEED_SUPPLY: "{count} tiles of one colour lie on the board; the supply is "
        "{supply}.",
        Rule.BRIDGES_EXCEED_SUPPLY: "{count} bridges stand on the board; the supply is {supply}.",
        Rule.NOT_AN_OPENING: "The opening is played on an empty board.",
        Rule.NOT_A_COLOR_CHOICE: "Colours are chosen when exactly two white tiles lie on the "
        "board, or none where none could be placed.",
        Rule.NOT_A_LAST_TURN: "Red has the last turn only when white cannot place a pair of tiles.",
        Rule.NOT_OVER: "The game is over only when a colour cannot place a pair of tiles.",
        Rule.WRONG_TURN: "This colour cannot be the one to move in this phase.",
        Rule.WRONG_OWNERS: "Colours have owners after the choice, and none before.",
        Color.WHITE: "white",
        Color.RED: "red",
        Seat.FIRST: "player 1",
        Seat.SECOND: "player 2",
        Phase.OPENING: "opening",
        Phase.COLOR_CHOICE: "choice of a colour",
        Phase.PLAY: "play",
        Phase.LAST_TURN: "last turn",
        Phase.OVER: "end",
        Tiebreak.ISLANDS: "islands",
        Tiebreak.BRIDGES: "bridges",
        DecidedBy.POINTS: "points",
        DecidedBy.ISLANDS: "islands",
        DecidedBy.BRIDGES: "bridges",
        DecidedBy.NOTHING: "nothing",
        Ending.SCORED: "counting",
        Ending.RESIGNATION: "resignation",
        Ending.TIME: "time",
        Ending.AGREEMENT: "agreement",
        Ending.ADJUDICATION: "adjudication",
        "state-opening": "{player} opens the game with two white tiles.",
        "state-color-choice": "{player} chooses a colour.",
        "state-play": "{color} to move ({player}).",
        "state-no-pair": "{color} to move ({player}); no two tiles can be placed.",
        "state-second-tile": "{color} to move ({player}): a second tile, the first is on {cell}.",
        "state-last-turn": "{color} has the last turn ({player}).",
        "state-over": "The game is over.",
        "last-tiles": "{color} placed tiles on {a} and {b}.",
        "last-tile": "{color} placed a tile on {cell}.",
        "last-bridge": "{color} built a bridge from {a} to {b}.",
        "last-choice": "{player} chose {color}.",
        "last-pass": "{color} passed.",
        "legal": "{action} is legal.",
        "illegal": "{action} is not legal.",
        "legal-tiles": "Both cells are free water, no group grows beyond four tiles, and no island "
        "is touched.",
        "legal-tile": "The cell is free water, and a second tile can follow.",
        "legal-bridge": "Both ends are free tiles of the mover's colour, no tile lies beneath, and "
        "no bridge is crossed.",
        "legal-choice": "White's first two tiles lie on the board, and the colour is chosen now.",
        "legal-pass": "There is no legal pair of tiles.",
        "unfinished": "The game goes on.",
        "won-points": "{winner} wins by points, {more} to {less}.",
        "won-islands": "{winner} wins by islands, {more} to {less}, with equal points ({points}).",
        "won-bridges": "{winner} wins by bridges, {more} to {less}, with equal points ({points}).",
        "won-resignation": "{winner} wins by resignation.",
        "won-time": "{winner} wins on time.",
        "won-agreement": "{winner} wins by agreement.",
        "won-adjudication": "{winner} wins by adjudication.",
        "drawn-scored": "The game is a draw with equal points ({points}).",
        "drawn-ended": "The game is a draw ({ending}).",
    }
)
"""All words and sentences in English."""

GERMAN: Final[Catalog] = MappingProxyType(
    {
        Rule.GAME_OVER: "Das Spiel ist zu Ende.",
        Rule.WRONG_PHASE: "Das ist zu diesem Zeitpunkt des Spiels nicht möglich.",
        Rule.OFF_BOARD: "Nicht auf dem {width}×{height}-Brett: {cells}.",
        Rule.SAME_CELL: "Ein Paar braucht zwei verschiedene Felder, nicht zweimal {cells}.",
        Rule.OCCUPIED: "Schon mit einem Stein belegt: {cells}.",
        Rule.BLOCKED: "Blockiert, weil eine Brücke darüber führt: {cells} (unter {bridges}).",
        Rule.GROUP_TOO_LARGE: "{size} Steine wären verbunden, höchstens {limit} sind erlaubt: "
        "{cells}.",
        Rule.ISLAND_TOUCHED: "Die Insel {island} würde von Steinen ihrer Farbe berührt: "
        "{touching}.",
        Rule.NO_PARTNER: "Auf einen Stein auf {cells} könnte kein zweiter regelgerecht folgen.",
        Rule.NOT_A_BRIDGE_SHAPE: "Eine Brücke führt zwei Felder geradeaus, zwei Felder schräg "
        "oder einen Rösselsprung weit; diese Enden passen nicht: {cells}.",
        Rule.NOT_YOUR_TILE: "Kein eigener Stein, auf dem eine Brücke ruhen könnte: {cells}.",
        Rule.END_USED: "Ein Stein trägt nur eine Brücke, und diese tragen schon eine: {cells}.",
        Rule.TILE_BENEATH: "Unter der Brücke liegen Steine: {cells}.",
        Rule.CROSSES: "Brücken dürfen sich nicht kreuzen; im Weg: {bridges}.",
        Rule.NO_TILES_LEFT: "Ein Paar braucht {needed} Steine aus dem Vorrat; übrig: {left}.",
        Rule.NO_BRIDGES_LEFT: "Im Vorrat ist keine Brücke mehr.",
        Rule.PAIR_EXISTS: "Passen ist nicht erlaubt, solange zwei Steine gelegt werden können.",
        Rule.ENDS_DIFFER: "Eine Brücke braucht an beiden Enden Steine einer Farbe: {bridges}.",
        Rule.BOARD_MISMATCH: "Die Stellung ist auf {width}×{height}, die Regeln gelten für "
        "{rules_width}×{rules_height}.",
        Rule.TILES_EXCEED_SUPPLY: "{count} Steine einer Farbe liegen auf dem Brett; der Vorrat "
        "ist {supply}.",
        Rule.BRIDGES_EXCEED_SUPPLY: "{count} Brücken stehen auf dem Brett; der Vorrat ist "
        "{supply}.",
        Rule.NOT_AN_OPENING: "Die Eröffnung beginnt auf leerem Brett.",
        Rule.NOT_A_COLOR_CHOICE: "Die Farbe wird gewählt, wenn genau zwei weiße Steine auf dem "
        "Brett liegen, oder keiner, wo keine zwei liegen können.",
        Rule.NOT_A_LAST_TURN: "Rot hat nur dann den letzten Zug, wenn Weiß keine zwei Steine "
        "legen kann.",
        Rule.NOT_OVER: "Das Spiel ist nur zu Ende, wenn eine Farbe keine zwei Steine legen kann.",
        Rule.WRONG_TURN: "Diese Farbe kann in dieser Phase nicht am Zug sein.",
        Rule.WRONG_OWNERS: "Farben haben nach der Wahl Besitzer, und vorher keine.",
        Color.WHITE: "Weiß",
        Color.RED: "Rot",
        Seat.FIRST: "Spieler 1",
        Seat.SECOND: "Spieler 2",
        Phase.OPENING: "Eröffnung",
        Phase.COLOR_CHOICE: "Farbwahl",
        Phase.PLAY: "Spiel",
        Phase.LAST_TURN: "letzter Zug",
        Phase.OVER: "Ende",
        Tiebreak.ISLANDS: "Inseln",
        Tiebreak.BRIDGES: "Brücken",
        DecidedBy.POINTS: "Punkte",
        DecidedBy.ISLANDS: "Inseln",
        DecidedBy.BRIDGES: "Brücken",
        DecidedBy.NOTHING: "nichts",
        Ending.SCORED: "Auszählung",
        Ending.RESIGNATION: "Aufgabe",
        Ending.TIME: "Zeit",
        Ending.AGREEMENT: "Einigung",
        Ending.ADJUDICATION: "Schiedsspruch",
        "state-opening": "{player} eröffnet das Spiel mit zwei weißen Steinen.",
        "state-color-choice": "{player} wählt eine Farbe.",
        "state-play": "{color} ist am Zug ({player}).",
        "state-no-pair": "{color} ist am Zug ({player}); zwei Steine können nicht gelegt werden.",
        "state-second-tile": "{color} ist am Zug ({player}): ein zweiter Stein, der erste ist auf "
        "{cell}.",
        "state-last-turn": "{color} hat den letzten Zug ({player}).",
        "state-over": "Das Spiel ist zu Ende.",
        "last-tiles": "{color} hat Steine auf {a} und {b} gelegt.",
        "last-tile": "{color} hat einen Stein auf {cell} gelegt.",
        "last-bridge": "{color} hat eine Brücke von {a} nach {b} gebaut.",
        "last-choice": "{player} hat {color} gewählt.",
        "last-pass": "{color} hat gepasst.",
        "legal": "{action} ist erlaubt.",
        "illegal": "{action} ist nicht erlaubt.",
        "legal-tiles": "Beide Felder sind freies Wasser, keine Gruppe wächst über vier Steine, und "
        "keine Insel wird berührt.",
        "legal-tile": "Das Feld ist freies Wasser, und ein zweiter Stein kann folgen.",
        "legal-bridge": "Beide Enden sind freie Steine der Farbe am Zug, darunter liegt kein "
        "Stein, und keine Brücke wird gekreuzt.",
        "legal-choice": "Die ersten zwei weißen Steine liegen, und jetzt wird die Farbe gewählt.",
        "legal-pass": "Es gibt kein erlaubtes Paar von Steinen.",
        "unfinished": "Das Spiel geht weiter.",
        "won-points": "{winner} gewinnt nach Punkten, {more} zu {less}.",
        "won-islands": "{winner} gewinnt nach Inseln, {more} zu {less}, bei gleich vielen Punkten "
        "({points}).",
        "won-bridges": "{winner} gewinnt nach Brücken, {more} zu {less}, bei gleich vielen Punkten "
        "({points}).",
        "won-resignation": "{winner} gewinnt durch Aufgabe.",
        "won-time": "{winner} gewinnt durch Zeitüberschreitung.",
        "won-agreement": "{winner} gewinnt durch Einigung.",
        "won-adjudication": "{winner} gewinnt durch Schiedsspruch.",
        "drawn-scored": "Das Spiel ist unentschieden bei gleich vielen Punkten ({points}).",
        "drawn-ended": "Das Spiel ist unentschieden ({ending}).",
    }
)
"""All words and sentences in German."""


@runtime_checkable
class Explainable(Protocol):
    """What a sentence is made of. A :class:`Violation` is one; this module knows no other class."""

    @property
    @abstractmethod
    def rule(self) -> Rule:
        """Which rule is broken."""

    @property
    @abstractmethod
    def cells(self) -> Iterable[object]:
        """The cells at fault."""

    @property
    @abstractmethod
    def bridges(self) -> Iterable[object]:
        """The bridges in the way."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, int | str]:
        """The numbers and words of the sentence, by name."""


@runtime_checkable
class _Scored(Protocol):
    """What a colour has scored. A :class:`Score` is one."""

    @property
    @abstractmethod
    def points(self) -> int:
        """Its points."""

    @property
    @abstractmethod
    def islands(self) -> int:
        """Its islands."""

    @property
    @abstractmethod
    def bridges(self) -> int:
        """Its bridges."""


@runtime_checkable
class Counted(Protocol):
    """The result of a game that was played out. An :class:`Outcome` is one."""

    @property
    @abstractmethod
    def winner(self) -> Color | None:
        """The winning colour, ``None`` for a draw."""

    @property
    @abstractmethod
    def decided_by(self) -> DecidedBy:
        """What decided."""

    @property
    @abstractmethod
    def white(self) -> object:
        """White's :class:`Score`."""

    @property
    @abstractmethod
    def red(self) -> object:
        """Red's :class:`Score`."""


class _Node(Protocol):
    """Where a game stands."""

    @property
    @abstractmethod
    def outcome(self) -> Counted | None:
        """How it came out, if it was played out."""

    @abstractmethod
    def color_of(self, seat: Seat, /) -> Color | None:
        """Return the colour that *seat* owns, if it owns one."""


@runtime_checkable
class Played(Protocol):
    """A game, played out or not. A :class:`Game` is one."""

    @property
    @abstractmethod
    def ending(self) -> Ending | None:
        """How it ended, ``None`` while it goes on."""

    @property
    @abstractmethod
    def winning_seat(self) -> Seat | None:
        """Who won, ``None`` for a draw and while it goes on."""

    @property
    @abstractmethod
    def state(self) -> _Node:
        """Where it stands."""


def explain(violation: Explainable, catalog: Catalog | Mapping[Rule, str] = ENGLISH) -> str:
    """Return the sentence that *catalog* has for *violation*.

    Raises:
        TypeError: If *violation* is not a :class:`Violation` or *catalog* not a mapping.
        PonteError: If the catalogue lacks the rule, or its template asks for an unknown value.
    """
    if not isinstance(violation, Explainable):
        raise TypeError(f"violation must be Violation, not {type(violation).__name__}")
    values = {
        **violation.values,
        "cells": ", ".join(map(str, violation.cells)),
        "bridges": ", ".join(map(str, violation.bridges)),
    }
    return filled(cast(Catalog, catalog), violation.rule, values)


def explain_all(
    violations: Iterable[Explainable], catalog: Catalog | Mapping[Rule, str] = ENGLISH
) -> str:
    """Return the sentences that *catalog* has for all *violations*, joined by blanks.

    Raises:
        TypeError: If *violations* is not iterable, one of them not a :class:`Violation`, or
            *catalog* not a mapping.
        PonteError: If the catalogue cannot explain one of them.
    """
    require_iterable(violations, "violations")
    require_type(catalog, Mapping, "catalog")
    return " ".join(explain(violation, catalog) for violation in violations)


def word(member: Word, catalog: Catalog = ENGLISH) -> str:
    """Return the word that *catalog* has for a colour, a seat, a phase and so on.

    Raises:
        TypeError: If *member* is not a member of such an enumeration, or *catalog* not a mapping.
        PonteError: If the catalogue lacks it.
    """
    require_type(member, get_args(Word), "member")
    require_type(catalog, Mapping, "catalog")
    try:
        found = catalog[member]
    except LookupError as error:
        raise PonteError(f"the catalogue has no word for {member}") from error
    if not isinstance(found, str):
        raise PonteError(f"the catalogue has no word for {member}, but a {type(found).__name__}")
    return found


def result(game: Played | Counted, catalog: Catalog = ENGLISH) -> str:
    """Return how a game came out, or that it goes on, as a sentence of *catalog*.

    Args:
        game: A :class:`Game` or an :class:`Outcome`.
        catalog: Where words and sentences are from.

    Raises:
        TypeError: If *game* is neither, or *catalog* not a mapping.
        PonteError: If the catalogue lacks a word or a sentence, or its template asks for an
            unknown value.
    """
    if isinstance(game, Counted):
        return _counted(game, catalog)
    if not isinstance(game, Played):
        raise TypeError(f"game must be Game or Outcome, not {type(game).__name__}")
    ending, seat, outcome = game.ending, game.winning_seat, game.state.outcome
    if outcome is not None:
        return _counted(outcome, catalog)
    if ending is None:
        return sentence(catalog, "unfinished")
    if seat is None:
        return sentence(catalog, "drawn-ended", ending=ending)
    return sentence(catalog, f"won-{ending.value}", winner=game.state.color_of(seat) or seat)


def _counted(outcome: Counted, catalog: Catalog) -> str:
    """Return the sentence for a game that was played out."""
    scores = _score(outcome.white), _score(outcome.red)
    winner, reason, points = outcome.winner, outcome.decided_by, scores[0].points
    if winner is None:
        return sentence(catalog, "drawn-scored", points=points)
    numbers = {
        DecidedBy.POINTS: [score.points for score in scores],
        DecidedBy.ISLANDS: [score.islands for score in scores],
        DecidedBy.BRIDGES: [score.bridges for score in scores],
    }.get(reason, [0, 0])
    more, less = numbers[winner.index], numbers[winner.opponent.index]
    values = {"more": more, "less": less, "points": points}
    return sentence(catalog, f"won-{reason.value}", winner=winner, **values)


def _score(score: object) -> _Scored:
    # To pyright, a field with a converter fits no protocol: so it is told here.
    if not isinstance(score, _Scored):
        raise TypeError(f"score must be Score, not {type(score).__name__}")
    return score


def sentence(catalog: Catalog, code: str, **values: Word | int | str) -> str:
    """Return a sentence about a game, with the words of *catalog* for members of enumerations.

    Raises:
        TypeError: If *catalog* is not a mapping.
        PonteError: If it lacks a word or the sentence, or a template asks for an unknown value.
    """
    shown = {
        name: word(value, catalog) if isinstance(value, Enum) else value
        for name, value in values.items()
    }
    text = filled(catalog, code, shown)
    return text[:1].upper() + text[1:]


def filled(catalog: Catalog, key: Rule | str, values: Mapping[str, int | str]) -> str:
    """Return a template of *catalog* with its values.

    Raises:
        TypeError: If *catalog* is not a mapping.
        PonteError: If it lacks the template, or this asks for an unknown value.
    """
    require_type(catalog, Mapping, "catalog")
    try:
        return catalog[key].format(**values)
    except (LookupError, ValueError, AttributeError, TypeError) as error:
        name = key.value if isinstance(key, Rule) else key
        raise PonteError(f"the catalogue cannot explain {name}: {error}") from error
