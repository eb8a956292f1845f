// @ts-check
// The games of a page: controls, words, links, keys and the index.
import { Replay, attribute } from "./replay.js";

const PAUSE = 1500;

/** A game with controls and with what is said of the step that is shown. */
class Player extends Replay {
  /**
   * @param {HTMLElement} section - contains the picture, the controls and the list of moves
   * @param {(name: string) => void} tell - called with the name of each step that is shown
   */
  constructor(section, tell) {
    super(section, tell);
    this.slider = /** @type {HTMLInputElement} */ (section.querySelector(".controls input"));
    this.player = /** @type {HTMLElement} */ (section.querySelector("[data-do=play]"));
    this.timer = 0;
    /** @type {HTMLElement} */ (section.querySelector(".controls")).hidden = false;
    this.curve = /** @type {SVGElement | null} */ (section.querySelector(".curve"));
    this.curve?.addEventListener("click", (event) => {
      const { left = 0, width = 1 } = this.curve?.getBoundingClientRect() ?? {};
      this.pause();
      this.show(0, Math.round(((event.clientX - left) / width) * (this.course(0).length - 1)));
      this.tell(this.item.id);
    });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.slider.value));
    });
  }

  /**
   * @param {number} line
   * @param {number} at
   */
  show(line, at) {
    super.show(line, at);
    this.showTable();
    this.showWords();
    this.keepInView();
  }

  showWords() {
    const { item } = this;
    const announcement = attribute(item, "data-announcement");
    this.write(".announcement", announcement);
    this.write(".remark", item.querySelector(":scope > .comment")?.textContent ?? "");
    for (const color of ["white", "red"]) {
      const [points = "", networks = ""] = attribute(item, `data-${color}`).split(" ");
      this.write(`[data-color=${color}] .worth`, points);
      const sorted = networks.split("+").sort((one, other) => Number(other) - Number(one));
      this.write(`[data-color=${color}] .networks`, sorted.join(" + "));
    }
    const now = this.curve?.querySelector(".now");
    now?.setAttribute("transform", `translate(${this.at},0)`);
    now?.setAttribute("display", this.line === 0 ? "inline" : "none");
    this.slider.max = String(this.steps.length - 1);
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", announcement);
  }

  /**
   * @param {string} where
   * @param {string} text
   */
  write(where, text) {
    const element = this.section.querySelector(where);
    // Unchanged text must not be read out again.
    if (element && element.textContent !== text) element.textContent = text;
  }

  /** Scroll only the list. */
  keepInView() {
    const box = this.section.querySelector(".moves");
    const link = this.item.querySelector("a");
    if (!box || !link) return;
    const outer = box.getBoundingClientRect();
    const inner = link.getBoundingClientRect();
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
  }

  /** Update the table to match the picture. */
  showTable() {
    const table = this.section.querySelector(".cells-in-words");
    if (!table) return;
    /** @type {Map<string, string[]>} */
    const words = new Map();
    /**
     * @param {string} cell
     * @param {string} word
     */
    const add = (cell, word) => words.set(cell, [...(words.get(cell) ?? []), word]);
    for (const color of ["white", "red"]) {
      for (const tile of this.shown(`.tile.${color}`)) {
        add(attribute(tile, "data-cell"), attribute(table, `data-${color}`));
      }
    }
    for (const island of this.shown(".island")) {
      for (const cell of attribute(island, "data-cells").split(" ")) {
        add(cell, attribute(table, "data-island"));
      }
    }
    for (const bridge of this.shown(".bridge")) {
      const ends = attribute(bridge, "data-bridge").split("-");
      ends.forEach((cell, number) =>
        add(cell, attribute(table, "data-bridge-to").replace("{cell}", ends[1 - number] ?? "")),
      );
    }
    for (const water of this.shown(".blocked")) {
      add(attribute(water, "data-cell"), attribute(table, "data-blocked"));
    }
    for (const cell of table.querySelectorAll("td[data-cell]")) {
      const there = words.get(attribute(cell, "data-cell")) ?? [attribute(table, "data-water")];
      const text = there.join(", ");
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  /** @param {string} what */
  act(what) {
    if (what === "play" && !this.timer) {
      this.play();
      return;
    }
    this.pause();
    if (what !== "play") super.act(what);
  }

  /** @param {Element} item */
  showItem(item) {
    this.pause();
    return super.showItem(item);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const isButton = event.target instanceof Element && event.target.matches("button");
    // The space bar activates a button that has the focus.
    if (event.key !== " " || isButton || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      super.press(event);
      return;
    }
    event.preventDefault();
    this.act("play");
  }

  /** Play automatically, from the start if this is the end. */
  play() {
    this.go(this.at === this.steps.length - 1 ? 0 : this.at + 1);
    this.player.textContent = attribute(this.player, "data-pause");
    this.timer = window.setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.steps.length - 1) this.pause();
    }, PAUSE);
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.player.textContent = attribute(this.player, "data-play");
  }
}

/**
 * Put the name of the step that is shown into the URL.
 * @param {string} name
 */
function tell(name) {
  try {
    history.replaceState(null, "", `#${name}`);
  } catch {
    // Some frames have no URL, and browsers refuse to change it too often.
  }
}

const games = [...document.querySelectorAll("section.game")].map(
  (section) => new Player(/** @type {HTMLElement} */ (section), tell),
);
let current = /** @type {Player} */ (games[0]);

/** @param {Player} game */
function turnTo(game) {
  if (game !== current) current.pause();
  current = game;
  for (const each of games) each.section.hidden = each !== game;
  for (const link of document.querySelectorAll("nav a")) {
    if (attribute(link, "href") === `#${game.section.id}`) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

/**
 * Show the game or step that a link names. Other names are ignored.
 * @param {string} name
 */
function follow(name) {
  const target = document.getElementById(name);
  const game = games.find((each) => target !== null && each.section.contains(target));
  if (!target || !game) return false;
  if (target === game.section) {
    turnTo(game);
    return true;
  }
  if (!target.parentElement?.hasAttribute("data-line")) return false;
  turnTo(game);
  return game.showItem(target);
}

document.documentElement.classList.add("scripted");
for (const game of games) game.show(0, Infinity);
turnTo(current);
if (follow(location.hash.slice(1))) {
  // The browser scrolls to the turn in the list, which may move the board out of view.
  window.addEventListener("load", () => current.section.scrollIntoView());
}
window.addEventListener("hashchange", () => follow(location.hash.slice(1)));

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest("button");
  if (button) current.act(attribute(button, "data-do"));
  const name = attribute(event.target.closest("a"), "href").slice(1);
  // The board stays in place: only links from outside scroll to a turn in the list.
  if (name && !event.ctrlKey && !event.metaKey && !event.shiftKey && follow(name)) {
    event.preventDefault();
    tell(name);
  }
});

document.addEventListener("keydown", (event) => current.press(event));
