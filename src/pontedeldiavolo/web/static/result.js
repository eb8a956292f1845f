// @ts-check
/** The result of a game, and the buttons that lead on from it. */

import { sideOf, startingName } from "./cards.js";
import { byId, filled } from "./cells.js";
import { letters, make } from "./parts.js";

/** @typedef {import("./board.js").View} View */

/**
 * Return the word for a result: for the reader, or for people who play or watch both sides.
 *
 * @param {View} view
 */
function wordOf(view) {
  const { winning_seat: winner } = view.table;
  if (winner === null) return "drawn";
  if (view.yours.length === 1) return winner === view.yours[0] ? "won" : "lost";
  return String(view.players[winner === "second" ? 1 : 0]?.["side"] ?? winner);
}

/**
 * Return the points at the end, white's first; none if the points have not decided.
 *
 * @param {View} view
 */
function pointsOf(view) {
  const points = ["white", "red"].map((color) => view.players.find((each) => each["side"] === color)?.["points"] ?? null);
  return view.ending === "scored" && !points.includes(null) ? points.map(Number) : [];
}

/**
 * Return the title of the page at the end.
 *
 * @param {View} view
 * @param {Record<string, string>} words
 */
export function titleOf(view, words) {
  const points = pointsOf(view);
  const right = view.yours.length === 1 ? (view.yours[0] ?? null) : view.table.winning_seat;
  // The reader's points come first, or else the winner's.
  if (points.length > 0 && sideOf(view, right) === 1) points.reverse();
  return [words[`title-${wordOf(view)}`], points.join(" : ")].filter(Boolean).join(" ");
}

/**
 * Show the result, or hide it while the game goes on.
 *
 * @param {View} view
 * @param {Record<string, string>} words
 * @param {boolean} isShown
 */
export function showResult(view, words, isShown) {
  const box = byId("result", HTMLElement);
  box.hidden = !isShown || view.ending === null;
  if (view.ending === null) return;
  const { winning_seat: winner } = view.table;
  const side = winner === null ? "draw" : (view.players[winner === "second" ? 1 : 0]?.["side"] ?? "draw");
  // The colours of the winner are for those who do not lose.
  box.className = wordOf(view) === "lost" ? "lost" : String(side);
  const outcome = byId("outcome", HTMLElement);
  const text = words[`result-${wordOf(view)}`] ?? "";
  if (outcome.textContent !== text) outcome.replaceChildren(letters(text));
  const { declined } = view;
  const isDeclined = declined?.what === "rematch";
  const news = isDeclined ? filled(words["rematch-declined"] ?? "", { name: startingName(view, declined.seat) }) : "";
  const reason = byId("reason", HTMLElement);
  reason.textContent = [view.sentence, news].filter(Boolean).join(" ");
  byId("decline-rematch", HTMLElement).hidden = view.next === null || view.yours.length !== 1 || isDeclined;
  const [white, red] = pointsOf(view);
  const score = byId("score", HTMLElement);
  score.hidden = white === undefined || red === undefined;
  // Where different points stand beside the winner, the sentence is needed by those only who do not see them.
  reason.classList.toggle("hide", !score.hidden && white !== red && news === "");
  const parts = [String(white), "–", String(red)].map((each) => letters(each));
  const winning = side === "white" ? 0 : 2;
  parts.forEach((part, place) => {
    part.className = side !== "draw" && place !== winning ? "fainter" : "";
  });
  score.replaceChildren(make("span", "nums", ...parts));
}
