// @ts-check
/** The review of a game: a curve for the reader, the mistakes on it, and what was better. */

import { isReachedByKeys } from "./keys.js";
import { byId, draw, filled, make, numbered, tile, written } from "./dom.js";
import { startingName } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {{ply: number, turn: number, seat: string, side: string | null, action: string, sign: string, better: string[], variation: number, before: number, after: number}} Mistake */

const WIDTH = 400;
const HEIGHT = 84;
/** The least value that reaches the edge of the curve. */
const LEAST = 0.2;
/** The most mistakes that have marks on the curve. */
const MARKS = 8;

/**
 * Return the cells that an action names.
 *
 * @param {string} action
 */
function cellsOf(action) {
  return action.match(/[a-z]+\d+/g) ?? [];
}

/**
 * Return the cells of each action of a better line, with the colour of their tiles.
 *
 * @param {Mistake} mistake
 */
function piecesOf({ better, side }) {
  // Only the choice of a colour, which red's move follows, and a pass have no cells.
  let color = cellsOf(better[0] ?? "").length > 0 ? (side ?? "white") : "red";
  return better.map((action, place) => {
    const cells = cellsOf(action);
    const piece = { cells, color: action.includes("-") ? "" : color };
    if (cells.length > 0 || place > 1) color = color === "white" ? "red" : "white";
    return piece;
  });
}

/**
 * Return the values before the first action and after each one. A search of the position after
 * the best action knows more of the position before than a search of that: so each mistake
 * corrects the value before it.
 *
 * @param {(number | null)[]} after - the values after each action, for the first player
 * @param {Mistake[]} mistakes
 */
function curveOf(after, mistakes) {
  const curve = [null, ...after];
  for (const { ply, seat, before } of mistakes) {
    const value = before / 50 - 1;
    curve[ply - 1] = seat === "first" ? value : -value;
  }
  return curve;
}

/** The review. */
export class Review {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.box = byId("reviewed", HTMLElement);
    this.graph = byId("graph", HTMLElement);
    this.tabs = byId("tabs", HTMLElement);
    this.list = byId("lapses", HTMLElement);
    /** The values before the first action and after each one. @type {(number | null)[]} */
    this.values = [];
    /** @type {Mistake[]} */
    this.mistakes = [];
    this.tab = "yours";
    /** @type {number | null} */
    this.chosen = null;
    this.graph.addEventListener("click", (event) => this.go(event));
    for (const each of this.tabs.querySelectorAll("button")) {
      each.addEventListener("click", () => {
        this.tab = each.value;
        this.show();
      });
      each.addEventListener("keydown", (event) => this.turn(event, each));
    }
  }

  /** The seat of the reader; the first one for people who play or watch both. */
  get seat() {
    const { yours = [] } = this.page.view ?? {};
    return yours.length === 1 ? (yours[0] ?? "first") : "first";
  }

  /** The number of actions on the curve. */
  get last() {
    return Math.max(1, this.values.length - 1);
  }

  /** @param {boolean} isShown */
  toggle(isShown) {
    this.box.hidden = !isShown;
    byId("side", HTMLElement).classList.toggle("reviewing", isShown);
  }

  clear() {
    this.toggle(false);
    this.mistakes = [];
    this.chosen = null;
  }

  /**
   * Open the review of a game.
   *
   * @param {(number | null)[]} values - after each action, for the first player
   * @param {Mistake[]} mistakes - the worst first
   */
  open(values, mistakes) {
    this.values = curveOf(values, mistakes);
    this.mistakes = mistakes;
    this.chosen = null;
    const isOne = this.page.view?.yours.length === 1;
    this.tab = isOne && mistakes.some((each) => each.seat === this.seat) ? "yours" : "all";
    this.toggle(true);
    this.show();
    // On a phone the review opens below what is in view.
    byId("lapses", HTMLElement).firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Show the tab and the mistake that were shown before.
   *
   * @param {string} tab
   * @param {number | null} chosen
   */
  restore(tab, chosen) {
    this.tab = tab;
    this.chosen = chosen;
    this.show();
  }

  /** The mistakes of the chosen tab. */
  get listed() {
    if (this.tab === "all") return this.mistakes;
    return this.mistakes.filter((each) => (each.seat === this.seat) === (this.tab === "yours"));
  }

  show() {
    const { words, view } = this.page;
    const name = (/** @type {boolean} */ isOwn) => {
      const seat = (this.seat === "first") === isOwn ? "first" : "second";
      return view ? startingName(view, seat) : "";
    };
    const isOne = view?.yours.length === 1;
    for (const each of this.tabs.querySelectorAll("button")) {
      const own = this.mistakes.filter(({ seat }) => (seat === this.seat) === (each.value === "yours"));
      const count = each.value === "all" ? this.mistakes.length : own.length;
      const word = isOne || each.value === "all" ? words[`tab-${each.value}`] : name(each.value === "yours");
      each.replaceChildren(word ?? "", " ", make("small", "", String(count)));
      each.ariaSelected = String(each.value === this.tab);
      each.tabIndex = each.value === this.tab ? 0 : -1;
    }
    this.drawGraph(filled(words["leads"] ?? "", { name: name(true) }), filled(words["leads"] ?? "", { name: name(false) }));
    this.list.replaceChildren(...this.listed.map((mistake) => this.row(mistake)));
    if (this.listed.length === 0) this.list.append(make("p", "soft", words["nothing-worse"] ?? ""));
  }

  /**
   * Return the row of a mistake: a button that shows what was better.
   *
   * @param {Mistake} mistake
   */
  row(mistake) {
    const { words } = this.page;
    const { ply, turn, action, sign, better, side, before, after } = mistake;
    const isChosen = ply === this.chosen;
    const played = make("b", "", `${turn}. `, ...written(action), sign);
    const line = make("span", "better", words["better"] ?? "", isChosen ? numbered(better) : make("span", "", ...written(better[0] ?? "")));
    const chances = make("span", "soft", make("span", "hide", words["chance"] ?? ""), ` ${before} → ${after} %`);
    chances.title = words["chance"] ?? "";
    const row = make("button", "lapse", tile(side ?? "both"), played, line, chances);
    row.type = "button";
    row.ariaPressed = String(isChosen);
    if (isChosen && /\d/.test(action)) row.append(make("small", "played", words["played"] ?? ""));
    row.addEventListener("click", () => this.choose(ply));
    return row;
  }

  /**
   * Show what was better than an action.
   *
   * @param {number} ply
   */
  choose(ply) {
    const mistake = this.mistakes.find((each) => each.ply === ply);
    // Whatever the board shows next ends the choice.
    if (mistake) this.page.moments.showVariation(ply, mistake.variation);
    this.chosen = ply;
    if (mistake && !this.listed.includes(mistake)) this.tab = "all";
    this.show();
    if (mistake) this.page.cells.markLine(cellsOf(mistake.action), piecesOf(mistake));
    this.list.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Draw the curve: upwards is good for the reader.
   *
   * @param {string} above
   * @param {string} below
   */
  drawGraph(above, below) {
    const sign = this.seat === "first" ? 1 : -1;
    const { last } = this;
    const x = (/** @type {number} */ ply) => (WIDTH * ply) / last;
    // The largest value reaches the edge: the curve of an even game would be flat.
    const most = Math.max(LEAST, ...this.values.map((value) => Math.abs(value ?? 0)));
    const y = (/** @type {number} */ value) => (HEIGHT / 2) * (1 - (0.8 * sign * value) / most);
    const known = this.values.flatMap((value, place) => (value === null ? [] : [`${x(place).toFixed(1)} ${y(value).toFixed(1)}`]));
    const start = `M${known.join("L")}`;
    const first = known[0]?.split(" ")[0] ?? "0";
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const ends = known.at(-1)?.split(" ")[0] ?? "0";
    svg.append(
      draw("path", { class: "area", d: `M${first} ${HEIGHT / 2}L${known.join("L")}L${ends} ${HEIGHT / 2}z` }),
      draw("path", { class: "axis", d: `M0 ${HEIGHT / 2}h${WIDTH}` }),
      draw("path", { class: "now", d: `M0 0v${HEIGHT}` }),
      draw("path", { class: "values", d: start }),
    );
    const marks = this.listed.slice(0, MARKS).map((mistake) => {
      const mark = make("button", "mark", tile(mistake.side ?? "both"));
      mark.type = "button";
      mark.ariaLabel = filled(this.page.words["turn-number"] ?? "", { turn: String(mistake.turn) });
      mark.ariaPressed = String(mistake.ply === this.chosen);
      mark.style.left = `${(100 * mistake.ply) / last}%`;
      mark.style.top = `${(100 * y(this.values[mistake.ply] ?? 0)) / HEIGHT}%`;
      mark.addEventListener("click", (event) => {
        event.stopPropagation();
        this.choose(mistake.ply);
      });
      return mark;
    });
    this.graph.replaceChildren(make("span", "above", above), make("span", "below", below), make("div", "plot", svg, ...marks));
    this.showMoment();
  }

  /** Choose no mistake, because the board no longer shows what was better. */
  forgetChoice() {
    if (this.chosen === null) return;
    this.chosen = null;
    this.show();
  }

  /** Mark the moment that is shown on the curve. */
  showMoment() {
    const { replay, ownPly } = this.page.moments;
    const now = this.graph.querySelector(".now");
    if (!replay || !now) return;
    const ply = this.chosen ?? ownPly;
    now.setAttribute("transform", `translate(${(WIDTH * ply) / this.last} 0)`);
  }

  /**
   * Show the moment of the curve that was clicked.
   *
   * @param {MouseEvent} event
   */
  go(event) {
    const { left = 0, width = 1 } = this.graph.querySelector("svg")?.getBoundingClientRect() ?? {};
    const ply = Math.round(((event.clientX - left) / width) * this.last);
    this.page.moments.show(ply);
  }

  /**
   * Go from tab to tab with the arrow keys.
   *
   * @param {KeyboardEvent} event
   * @param {HTMLButtonElement} tab
   */
  turn(event, tab) {
    const tabs = [...this.tabs.querySelectorAll("button")];
    const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!offset || !isReachedByKeys(tab)) return;
    event.preventDefault();
    event.stopPropagation();
    const other = tabs[(tabs.indexOf(tab) + offset + tabs.length) % tabs.length];
    other?.click();
    other?.focus();
  }
}
