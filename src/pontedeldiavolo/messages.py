"""A sentence for every violation, in English and in German.

A catalogue is a mapping from :class:`Rule` to a template of :meth:`str.format`. Every template
may use ``{cells}`` and ``{bridges}``, and the violation's own values by name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from pontedeldiavolo.checks import require_iterable, require_type
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.vocabulary import Rule

__all__ = ["ENGLISH", "GERMAN", "Explainable", "explain", "explain_all"]

ENGLISH: Final[Mapping[Rule, str]] = MappingProxyType(
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
    }
)
"""Every rule in English."""

GERMAN: Final[Mapping[Rule, str]] = MappingProxyType(
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
    }
)
"""Every rule in German."""


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


def explain(violation: Explainable, catalog: Mapping[Rule, str] = ENGLISH) -> str:
    """Return the sentence that *catalog* has for *violation*.

    Raises:
        TypeError: If *violation* is not a :class:`Violation` or *catalog* not a mapping.
        PonteError: If the catalogue lacks the rule, or its template asks for an unknown value.
    """
    if not isinstance(violation, Explainable):
        raise TypeError(f"violation must be Violation, not {type(violation).__name__}")
    require_type(catalog, Mapping, "catalog")
    values = {
        **violation.values,
        "cells": ", ".join(map(str, violation.cells)),
        "bridges": ", ".join(map(str, violation.bridges)),
    }
    try:
        return catalog[violation.rule].format(**values)
    except (LookupError, ValueError, AttributeError, TypeError) as error:
        raise PonteError(f"the catalogue cannot explain {violation.rule.value}: {error}") from error


def explain_all(violations: Iterable[Explainable]) -> str:
    """Return the English sentences for all *violations*, as error messages show them.

    Raises:
        TypeError: If *violations* is not iterable, or one of them not a :class:`Violation`.
    """
    require_iterable(violations, "violations")
    return " ".join(map(explain, violations))
