"""Calls that type checkers must refuse: they report an exemption that is not needed.

This file is never run.
"""

from __future__ import annotations

import pontedeldiavolo as pdd


def values(cell: pdd.Cell, score: pdd.Score, cells: pdd.CellSet) -> None:
    pdd.Cell("c", 4)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.Cell(2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    pdd.Cell(2, 3, 4)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    cell.column = 3  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    _ = cell.file  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    _ = cell < 3  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    _ = cell <= pdd.PlaceTile(cell)  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    _ = pdd.Pass() > cell  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    _ = pdd.Bridge(cell, cell) >= pdd.BuildBridge(cell, cell)  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    pdd.Board(10.0)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.Bridge(cell, (3, 4))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.PlaceTiles(cell, None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.ChooseColor("white")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.Pass(cell)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    pdd.Rules((10, 10))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.Rules(tiebreaks=["islands"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    pdd.Rules(tiles=40)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    _ = score < pdd.Score(0, 0, 0)  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    _ = pdd.Color.WHITE < pdd.Color.RED  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    pdd.Setup(pdd.Board(), white=["a1"])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    _ = cells & [cell]  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
    cells.add(cell)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    cells.bits = 3  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def states(state: pdd.GameState, half: pdd.HalfTurn, cell: pdd.Cell) -> None:
    state.apply("d4,g7")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    state.apply(pdd.PlaceTile(cell))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    state.step(pdd.PlaceTiles(cell, cell))  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    state.step(pdd.PlaceTile(cell)).apply(pdd.Pass())  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    _ = state.outcome.winner  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    _ = state.to_move.opponent  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    state.phase = pdd.Phase.OVER  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    state.owner(pdd.Seat.FIRST)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    state.is_legal(cell)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.GameState.from_position(state.position, pdd.Rules())  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    pdd.GameState.from_position(state)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    half.apply(pdd.Pass())  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    pdd.perft(state)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def views(state: pdd.GameState, cell: pdd.Cell) -> None:
    legal = state.legal_actions
    legal[0] = pdd.Pass()  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    _ = legal["a1"]  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    legal.append(pdd.Pass())  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    legal.sample(7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.ActionSpace(pdd.Board()).encode(pdd.PlaceTile(cell))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.StepSpace(pdd.Board()).encode(pdd.PlaceTiles(cell, cell))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.ActionSpace(pdd.Board()).legal_mask(state.step(pdd.PlaceTile(cell)))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def games(game: pdd.Game) -> None:
    game.play(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    game.play(pdd.PlaceTile(pdd.Cell(0, 0)))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    game.tags["Event"] = "Another"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    game.end("time")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    game.move_at("0")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    game.with_nags(["!"], (0,))  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    pdd.Move(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.Line([pdd.Pass()])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    pdd.parse_cell(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.format_action("a1,b2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def submodules(state: pdd.GameState) -> None:
    _ = pdd.no_such_submodule  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    pdd.text.render("w . r")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.text.render(state, "ascii")  # type: ignore[call-arg, arg-type]  # pyright: ignore[reportCallIssue]
    pdd.messages.explain("occupied")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.messages.explain(pdd.Violation(pdd.ViolationCode.OCCUPIED), {"occupied": 1})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.messages.word(pdd.ViolationCode.OCCUPIED)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.messages.result(state)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.presets.by_name(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.records.loads(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.records.dumps(state)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.records.iter_games([], on_error="ignore")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    pdd.json.dumps(object())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.json.snapshot(state.position)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.json.snapshot(state, last="d4,g7")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.json.loads("{}", "GameState")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    pdd.batch.GameBatch.initial(size="4096")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.batch.GameBatch.initial().playout()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    pdd.batch.GamePool(pdd.Rules(), "4096")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pdd.batch.GamePool(pdd.Rules(), 4096, 1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def classes() -> None:
    """Public classes are final."""

    class Cell(pdd.Cell):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        pass

    class Views(pdd.LegalActions):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        pass

    class Error(pdd.NotationError):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        pass

    class Pools(pdd.batch.GamePool):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        pass

    class Games(pdd.batch.GameBatch):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
        pass
