// @ts-check
/** The result of a game, and the buttons that lead on from it. */

import { sideOf } from "./cards.js";
import { byId, filled, letters, make } from "./dom.js";
import { opponentOf, playerAt, startingName } from "./view.js";

/** @typedef {import("./view.js").View} View */

/**
 * Return the word for a result: for the reader, or for people who play or watch both sides. Before
 * the choice of colours the winner has none, and the word is empty.
 *
 * @param {View} view
 */
function wordOf(view) {
  const { winning_seat: winner } = view.snapshot;
  if (winner === null) return "drawn";
  if (view.yours.length === 1) return winner === view.yours[0] ? "won" : "lost";
  return String(playerAt(view, winner)["side"] ?? "");
}

/**
 * Return the sentence that says who has won.
 *
 * @param {View} view
 * @param {Record<string, string>} words
 */
function outcomeOf(view, words) {
  const word = wordOf(view);
  return word ? (words[`result-${word}`] ?? "") : filled(words["name-wins"] ?? "", { name: startingName(view, view.snapshot.winning_seat) });
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
  const right = view.yours.length === 1 ? (view.yours[0] ?? null) : view.snapshot.winning_seat;
  // The reader's points come first, or else the winner's.
  if (points.length > 0 && sideOf(view, right) === 1) points.reverse();
  return [outcomeOf(view, words), points.join(" : ")].filter(Boolean).join(" ");
}

/**
 * Show what can be done about a rematch, and return a sentence on it.
 *
 * @param {View} view
 * @param {Record<string, string>} words
 * @param {string} change - what the other player has undone or withdrawn: a word of the page
 */
function showRematch(view, words, change) {
  const { asked_already: asked, declined, rematch_id: rematchId, yours } = view;
  const asking = rematchId ? null : view.rematch_request;
  const you = yours.length === 1 ? yours[0] : null;
  const isYours = asking !== null && asking === you;
  const isTheirs = asking !== null && asking !== you;
  const rematch = byId("rematch", HTMLButtonElement);
  rematch.hidden = !rematchId && !isTheirs && (yours.length === 0 || isYours || asked.includes("rematch"));
  rematch.textContent = words[rematchId ? "rematch-begun" : isTheirs ? "rematch-accept" : "rematch"] ?? "";
  // The other one can still ask.
  byId("another", HTMLElement).classList.toggle("main", rematch.hidden && !isYours);
  byId("decline-rematch", HTMLElement).hidden = !isTheirs || you === null;
  byId("withdraw-rematch", HTMLElement).hidden = !isYours;
  if (isYours) return words["rematch-waiting"] ?? "";
  const declining = declined?.what === "rematch" ? declined.seat : null;
  if (declining !== null && declining === you) return words["rematch-you-declined"] ?? "";
  const word = isTheirs ? "rematch-asked" : declining ? "rematch-declined" : change;
  return filled(words[word] ?? "", { name: startingName(view, asking ?? declining ?? opponentOf(you ?? undefined)) });
}

/**
 * Show the result, or hide it while the game goes on.
 *
 * @param {View} view
 * @param {Record<string, string>} words
 * @param {boolean} isShown
 * @param {string} change - what the other player has undone or withdrawn: a word of the page
 */
export function showResult(view, words, isShown, change) {
  const box = byId("result", HTMLElement);
  box.hidden = !isShown || view.ending === null;
  if (view.ending === null) return;
  const { winning_seat: winner } = view.snapshot;
  const side = winner === null ? "draw" : (playerAt(view, winner)["side"] ?? "draw");
  // The colours of the winner are for those who do not lose.
  box.className = `result ${wordOf(view) === "lost" ? "lost" : side}`;
  const outcome = byId("outcome", HTMLElement);
  const text = outcomeOf(view, words);
  // The letters of the pictures are too few for names.
  if (outcome.textContent !== text) outcome.replaceChildren(wordOf(view) ? letters(text) : text);
  const news = showRematch(view, words, change);
  const reason = byId("reason", HTMLElement);
  reason.textContent = [view.sentence, news].filter(Boolean).join(" ");
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
