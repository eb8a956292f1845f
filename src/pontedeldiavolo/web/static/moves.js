// @ts-check
/** The list of moves in rows of pairs: white's on the left, red's on the right. */

import { byId, filled, make, tile, written } from "./dom.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./replay.js").Replay} Replay */

/** The pixels between the current entry and what ends the list above and below. */
const GAP = 6;

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
   * @param {Record<string, string>} words
   */
  show(html, words) {
    this.box.innerHTML = html;
    const list = this.box.querySelector("ol[data-line='0']");
    if (!list) return;
    for (const item of list.querySelectorAll("li")) this.shorten(item, words);
    const heads = ["white", "red"].map((color) => make("span", color, tile(color), words[color] ?? ""));
    const head = make("div", "heads", ...heads, make("span", "sum", words["points"] ?? ""));
    head.ariaHidden = "true";
    list.before(head);
    this.arrange(list);
  }

  /**
   * Put the moves of the game into rows of two, and what is said of a move and its variations into
   * rows below it.
   *
   * @param {Element} list
   */
  arrange(list) {
    let row = 1;
    let last = "";
    let before = "0–0";
    let points = before;
    /** @type {HTMLElement | null} */
    let opening = null;
    for (const item of list.children) {
      if (!(item instanceof HTMLElement)) continue;
      const color = colorOf(item);
      const isChoice = !color && item.previousElementSibling !== null;
      // The choice of colour has a row of its own, between the moves before and after it.
      const isNew = isChoice || (color !== "" && !(color === "red" && last === "white"));
      if (isNew) {
        row += 1;
        before = points;
        opening = isChoice ? null : item;
      }
      item.style.setProperty("--row", String(row));
      item.classList.toggle("choice", isChoice);
      item.classList.toggle("opens", opening === item);
      const turn = item.dataset["turn"] ?? "";
      opening?.setAttribute("data-turns", item === opening ? turn : `${opening.dataset["turn"]}–${turn}`);
      last = color;
      const score = item.querySelector(":scope > .score");
      points = score?.textContent ?? points;
      // The points of a row are those after its last move.
      score?.classList.toggle("changed", points !== before);
      const below = item.querySelectorAll(":scope > :is(.comment, .variation)");
      for (const each of below) {
        row += 1;
        if (each instanceof HTMLElement) each.style.setProperty("--row", String(row));
      }
      if (below.length > 0) {
        // The game goes on in a new row.
        item.classList.add("cut");
        last = "";
      }
    }
  }

  /**
   * Shorten the text of an entry to what its place does not say.
   *
   * @param {HTMLElement} item
   * @param {Record<string, string>} words
   */
  shorten(item, words) {
    const link = item.querySelector("a");
    const text = link?.firstChild;
    const action = link?.querySelector("b");
    if (!link || !text || !action) return;
    const color = colorOf(item);
    const said = action.textContent ?? "";
    // Words are those of the language: a pass, or a colour that was chosen.
    const choice = said.toLowerCase() === words["white"]?.toLowerCase() ? "white" : "red";
    item.dataset["action"] = /\d/.test(said) ? said : color ? "pass" : choice;
    if (color) {
      text.replaceWith(make("span", "hide", text.textContent ?? ""));
      action.replaceChildren(...written(action.textContent ?? ""));
      if (item.closest(".variation")) {
        const turn = make("span", "soft", item.dataset["turn"] ?? "");
        // The hidden text has it, too.
        turn.ariaHidden = "true";
        link.prepend(turn, tile(color));
      }
    } else {
      // Who has chosen which colour.
      const name = text.textContent?.trim() ?? "";
      const who = name.slice(0, 1).toUpperCase() + name.slice(1);
      link.textContent = filled(words["takes"] ?? "", { name: who, color: action.textContent ?? "" });
    }
    const sign = item.querySelector(":scope > .nag");
    if (sign) link.append(sign);
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
    const link = box?.querySelector("[aria-current]");
    if (!box || !link) return;
    const outer = box.getBoundingClientRect();
    const inner = link.getBoundingClientRect();
    const head = (box.querySelector(".heads")?.getBoundingClientRect().height ?? 0) + GAP;
    if (inner.top < outer.top + head) box.scrollTop -= outer.top + head - inner.top;
    else if (inner.bottom + GAP > outer.bottom) box.scrollTop += inner.bottom + GAP - outer.bottom;
    if (inner.left < outer.left || inner.right > outer.right) {
      box.scrollLeft += inner.right - outer.right + outer.width / 3;
    }
    this.fade();
  }

  /** Note at which ends the row of a phone goes on. */
  fade() {
    const box = this.box.querySelector(".moves");
    if (!box) return;
    box.classList.toggle("goes-before", box.scrollLeft > 0);
    box.classList.toggle("goes-after", box.scrollLeft + box.clientWidth + 1 < box.scrollWidth);
  }
}
