// @ts-check
// The games of a page: controls, words, links, keys and the index.
import { arrange, colorOf, fade, keepInView, lettering, make } from "./parts.js";
import { Replay, attribute } from "./replay.js";

const PAUSE = 1500;

/** The digits in the letters of the pictures. @type {Record<string, [number, string]>} */
const FONT = Object.fromEntries(
  attribute(document.body, "data-digits").split("|").map((text, digit) => {
    const [width = "", ...strokes] = text.split(" ");
    return [digit, [Number(width), strokes.join(" ")]];
  }),
);

/** A game with controls, cards, and with what is said of the step that is shown. */
class Player extends Replay {
  /**
   * @param {HTMLElement} section - contains the picture, the controls and the list of moves
   * @param {(name: string) => void} tell - called with the name of each step that is shown
   */
  constructor(section, tell) {
    super(section, tell);
    this.slider = /** @type {HTMLInputElement} */ (section.querySelector(".controls input"));
    this.player = /** @type {HTMLElement} */ (section.querySelector("[data-do=play]"));
    this.status = /** @type {HTMLElement} */ (section.querySelector(".status-line"));
    this.result = /** @type {HTMLElement | null} */ (section.querySelector(".result"));
    this.cards = /** @type {HTMLElement} */ (section.querySelector(".cards"));
    this.isScored = this.cards.classList.contains("tally");
    this.lastTurn = attribute(this.item, "data-turn");
    this.timer = 0;
    /** @type {HTMLElement} */ (section.querySelector(".controls")).hidden = false;
    const list = section.querySelector("ol[data-line='0']");
    if (list) arrange(list);
    for (const item of section.querySelectorAll("li[data-took]")) {
      item.querySelector("a")?.append(make("span", "time", attribute(item, "data-took")));
    }
    for (const sign of section.querySelectorAll(".nag[aria-label]")) sign.setAttribute("title", attribute(sign, "aria-label"));
    const box = section.querySelector(".moves");
    box?.addEventListener("scroll", () => fade(box), { passive: true });
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
    this.showCards();
    this.showStatus();
    this.showControls();
    this.keepInView();
  }

  /** Scroll only the list. */
  keepInView() {
    const box = this.section.querySelector(".moves");
    if (box) keepInView(box);
  }

  /** Whether the end of the game is shown. */
  get isEnd() {
    return this.line === 0 && this.at === this.steps.length - 1;
  }

  /** Show the points, the clocks and the turn of the step on the cards. */
  showCards() {
    const isTally = this.isScored && this.isEnd;
    this.cards.classList.toggle("tally", isTally);
    const { mover } = this;
    const before = this.steps.slice(0, this.at + 1).reverse();
    for (const card of this.cards.children) {
      const seat = attribute(card, "data-seat");
      card.classList.toggle("now", seat === mover && !isTally);
      const clock = card.querySelector(".clock");
      const last = before.find(({ item }) => item.hasAttribute(`data-clock-${seat}`));
      if (clock) clock.textContent = last ? attribute(last.item, `data-clock-${seat}`) : "";
      const [points = "0", networks = ""] = this.scoreOf(card.classList.contains("red") ? "red" : "white");
      const box = card.querySelector(".points");
      if (box?.textContent !== points) box?.replaceChildren(lettering(points, FONT));
      const sorted = networks.split("+").sort((one, other) => Number(other) - Number(one));
      const sum = card.querySelector(".sum");
      if (sum) sum.textContent = sorted.length > 1 ? sorted.join(" + ") : "";
    }
  }

  /** The seat that has the turn: if the step does not say it, the other colour than that of the step. */
  get mover() {
    const color = colorOf(this.item) === "red" ? "white" : "red";
    return attribute(this.item, "data-mover") || attribute(this.cards.querySelector(`.card.${color}`), "data-seat");
  }

  /** @param {string} color */
  scoreOf(color) {
    return attribute(this.item, `data-${color}`).split(" ");
  }

  /** Say what has happened; at the end of the game the result says it. */
  showStatus() {
    const { item, status } = this;
    const turn = attribute(item, "data-turn");
    const remark = item.querySelector(":scope > .comment")?.textContent ?? "";
    const signs = [...item.querySelectorAll(":scope > a > .nag[aria-label]")];
    const judgement = signs.map((sign) => attribute(sign, "aria-label")).join(", ");
    const isResult = this.isEnd && this.result !== null;
    if (this.result) this.result.hidden = !isResult;
    status.hidden = isResult && !remark;
    const isRed = this.cards.lastElementChild?.classList.contains("now") ?? false;
    status.classList.toggle("of-right", isRed);
    status.classList.toggle("then", !this.isEnd);
    const values = { turn, last: this.lastTurn, white: this.scoreOf("white")[0] ?? "", red: this.scoreOf("red")[0] ?? "" };
    this.write(".turn", filled(attribute(status, "data-turn"), values));
    this.write(".judgement", judgement && `${judgement.slice(0, 1).toUpperCase()}${judgement.slice(1)}.`);
    this.write(".announcement", attribute(item, "data-announcement"));
    const took = filled(attribute(status, "data-took"), { time: attribute(item, "data-took") });
    this.write(".took", item.hasAttribute("data-took") ? `(${took})` : "");
    this.write(".score-in-words", filled(attribute(status, "data-score"), values));
    this.write(".remark", remark);
    const box = status.querySelector(".remark");
    // A part that scrolls can be reached by keys.
    box?.toggleAttribute("tabindex", false);
    if (box && box.scrollHeight > box.clientHeight) box.setAttribute("tabindex", "0");
  }

  /** Show the place of the step on the slider and on the curve. */
  showControls() {
    const { item } = this;
    const turn = attribute(item, "data-turn");
    this.write(".at", this.isEnd ? turn : `${turn}/${this.lastTurn}`);
    const now = this.curve?.querySelector(".now");
    now?.setAttribute("transform", `translate(${this.at},0)`);
    now?.setAttribute("display", this.line === 0 ? "inline" : "none");
    this.slider.max = String(this.steps.length - 1);
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", attribute(item, "data-announcement"));
    for (const button of this.section.querySelectorAll(".tools [data-do]")) {
      const what = attribute(button, "data-do");
      const isOff = ["first", "previous"].includes(what) ? this.at === 0 : ["next", "last"].includes(what) && this.at === this.steps.length - 1;
      button.setAttribute("aria-disabled", String(isOff));
    }
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
    const columns = [...table.querySelectorAll("thead th")];
    for (const row of table.querySelectorAll("tbody tr")) {
      const [head, ...cells] = row.children;
      cells.forEach((cell, x) => {
        const name = `${columns[x]?.textContent}${head?.textContent}`;
        const text = (words.get(name) ?? [attribute(table, "data-water")]).join(", ");
        if (cell.textContent !== text) cell.textContent = text;
      });
    }
  }

  /** @param {string} what */
  act(what) {
    if (what === "networks") {
      this.showNetworks();
      return;
    }
    if (what === "play" && !this.timer) {
      this.play();
      return;
    }
    this.pause();
    if (what !== "play") super.act(what);
  }

  /** Show the networks and their points, or hide them. */
  showNetworks() {
    const isHidden = this.section.classList.toggle("bare-board");
    this.section.querySelector("[data-do=networks]")?.setAttribute("aria-pressed", String(!isHidden));
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
    this.showPlaying("pause");
    this.timer = window.setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.steps.length - 1) this.pause();
    }, PAUSE);
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.showPlaying("play");
  }

  /**
   * Name the button after what it does next.
   * @param {"play" | "pause"} what
   */
  showPlaying(what) {
    const name = attribute(this.player, `data-${what}`);
    this.player.classList.toggle("plays", what === "pause");
    this.player.setAttribute("aria-label", name);
    this.player.title = name;
  }
}

/**
 * Return a text with its values.
 * @param {string} text
 * @param {Record<string, string>} values
 */
function filled(text, values) {
  return text.replace(/{([a-z]+)}/g, (whole, name) => values[name] ?? whole);
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
  window.addEventListener("load", () =>
    setTimeout(() => {
      window.scrollTo(0, 0);
      current.keepInView();
    }),
  );
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
