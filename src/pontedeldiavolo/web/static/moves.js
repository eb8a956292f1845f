// @ts-check
/** The list of moves in rows of pairs: white's on the left, red's on the right. */

import { byId } from "./dom.js";
import { arrange, colorOf, fade, keepInView } from "./parts.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./replay.js").Replay} Replay */

/**
 * Return the seat that has the turn at the moment that is shown; `null` after the last move.
 *
 * @param {View} view
 * @param {Replay} replay
 */
export function seatAt({ players, snapshot }, { steps, at, line }) {
  if (line === 0 && at === steps.length - 1) return snapshot.seat_to_move;
  const next = steps[at + 1]?.item;
  const choice = steps.findIndex(({ item }, place) => place > 0 && colorOf(item) === "");
  const areChosen = players.some((player) => "side" in player);
  // Before the choice only the first player has moved.
  if (at + 1 <= choice || !areChosen) return at + 1 === choice ? "second" : "first";
  const color = colorOf(next) || (colorOf(steps[at]?.item) === "red" ? "white" : "red");
  return players.findIndex((player) => player["side"] === color) === 1 ? "second" : "first";
}

/** The list of moves. */
export class Moves {
  constructor() {
    this.box = byId("moves", HTMLElement);
    // What stands beside the list leaves it another height.
    new ResizeObserver(() => this.keepInView()).observe(this.box);
    this.box.addEventListener("scroll", () => this.fade(), { capture: true, passive: true });
  }

  /**
   * Show a list of moves that the server has written.
   *
   * @param {string} html
   */
  show(html) {
    this.box.innerHTML = html;
    const list = this.box.querySelector("ol[data-line='0']");
    if (list) arrange(list);
  }

  /** Make the list one Tab stop, and show its current entry. */
  showMoment() {
    for (const link of this.box.querySelectorAll("a")) {
      link.setAttribute("tabindex", link.hasAttribute("aria-current") ? "0" : "-1");
    }
    this.keepInView();
  }

  /** Scroll the current entry of the list into view. */
  keepInView() {
    const box = this.box.querySelector(".moves");
    if (box) keepInView(box);
  }

  /** Note at which ends the row of a phone goes on. */
  fade() {
    const box = this.box.querySelector(".moves");
    if (box) fade(box);
  }
}
