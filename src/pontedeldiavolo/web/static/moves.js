// @ts-check
/** The list of moves in rows of pairs: white's on the left, red's on the right. */

import { byId, filled } from "./cells.js";
import { make, tile } from "./parts.js";

/** @typedef {import("./board.js").View} View */
/** @typedef {import("./replay.js").Replay} Replay */

/**
 * Return the colour of a move in the list; an empty text for the start and the choice of colour.
 *
 * @param {Element | undefined} item
 */
function colorOf(item) {
  return ["white", "red"].find((color) => item?.classList.contains(color)) ?? "";
}

/**
 * Return the seat that has the turn at the moment that is shown; `null` after the last move.
 *
 * @param {View} view
 * @param {Replay} replay
 */
export function seatAt({ players, table }, { steps, at, line }) {
  if (line === 0 && at === steps.length - 1) return table.seat_to_move;
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
  }

  /**
   * Show a list of moves that the server has written.
   *
   * @param {string} html
   * @param {Record<string, string>} words
   */
  show(html, words) {
    this.box.innerHTML = html;
    const list = this.box.querySelector("ol[data-line='0']");
    if (!list) return;
    // Comments and variations need the whole width.
    const isPlain = list.querySelector(".comment, .variation") === null;
    this.box.classList.toggle("pairs", isPlain);
    if (isPlain) this.arrange(list, words);
  }

  /**
   * Put the moves into rows, and shorten their texts to what the rows do not say.
   *
   * @param {Element} list
   * @param {Record<string, string>} words
   */
  arrange(list, words) {
    const heads = ["white", "red"].map((color) => make("span", color, tile(color), words[color] ?? ""));
    const head = make("div", "heads", ...heads, make("span", "sum", words["points"] ?? ""));
    head.ariaHidden = "true";
    list.before(head);
    let row = 1;
    let last = "";
    let before = "0–0";
    let points = before;
    /** @type {HTMLElement | null} */
    let opening = null;
    for (const item of list.querySelectorAll("li")) {
      const color = item.classList[0] ?? "";
      const link = item.querySelector("a");
      if (!link) continue;
      const isChoice = !color && item.previousElementSibling !== null;
      // The choice of colour has a row of its own, between the moves before and after it.
      const isNew = isChoice || (color !== "" && !(color === "red" && last === "white"));
      if (isNew) {
        row += 1;
        before = points;
      }
      item.style.setProperty("--row", String(row));
      item.classList.toggle("choice", isChoice);
      item.classList.toggle("opens", isNew && !isChoice);
      const turn = item.dataset["turn"] ?? "";
      if (isNew && !isChoice) opening = item;
      if (!isChoice) opening?.setAttribute("data-turns", item === opening ? turn : `${opening.dataset["turn"]}–${turn}`);
      if (isChoice) {
        this.tellChoice(link, words);
        opening = null;
      }
      last = isChoice ? "" : color;
      const score = item.querySelector(".score");
      points = score?.textContent ?? points;
      // The points of a row are those after its last move.
      score?.classList.toggle("changed", points !== before);
      this.shorten(link, color);
    }
  }

  /**
   * Say who has chosen which colour.
   *
   * @param {Element} link
   * @param {Record<string, string>} words
   */
  tellChoice(link, words) {
    const color = link.querySelector("b")?.textContent ?? "";
    const name = link.firstChild?.textContent?.trim() ?? "";
    const who = name.slice(0, 1).toUpperCase() + name.slice(1);
    link.textContent = filled(words["takes"] ?? "", { name: who, color });
  }

  /**
   * Hide what the place of a move says, and show a bridge by its picture.
   *
   * @param {Element} link
   * @param {string} color - empty for the start and the choice of colour
   */
  shorten(link, color) {
    const text = link.firstChild;
    const action = link.querySelector("b");
    if (!color || !action || text === action || !text) return;
    text.replaceWith(make("span", "hide", text.textContent ?? ""));
    const written = action.textContent ?? "";
    if (/^[a-z]+\d+-/.test(written)) {
      action.textContent = written.replace("-", "–");
      action.before(make("i", "arc"));
    } else {
      action.textContent = written.replace(",", " ");
    }
  }

  /** Make the list one Tab stop, and scroll its current entry into view. */
  step() {
    for (const link of this.box.querySelectorAll("a")) {
      link.setAttribute("tabindex", link.hasAttribute("aria-current") ? "0" : "-1");
    }
    const box = this.box.querySelector(".moves");
    const link = box?.querySelector("[aria-current]");
    if (!box || !link) return;
    const outer = box.getBoundingClientRect();
    const inner = link.getBoundingClientRect();
    const head = box.querySelector(".heads")?.getBoundingClientRect().height ?? 0;
    if (inner.top < outer.top + head) box.scrollTop -= outer.top + head - inner.top;
    if (inner.left < outer.left || inner.right > outer.right) {
      box.scrollLeft += inner.right - outer.right + outer.width / 3;
    }
  }
}
