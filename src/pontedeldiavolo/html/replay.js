// @ts-check
// Shows and hides the parts of a game on a page. It does not implement rules and draws nothing.
// Pages of games, which contain it as text, and the page for playing share it.

/**
 * A step of the replay: an item in a list of moves, and the line that it belongs to.
 * @typedef {{line: number, item: HTMLElement}} Step
 *
 * A part of the picture: its line, the turns from and until which it is shown, and its key in
 * the list of parts that a variation removes.
 * @typedef {{element: Element, line: number, from: number, until: number, key: string}} Part
 */

const PAUSE = 1500;

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };

/**
 * @param {Element | null} element
 * @param {string} name
 */
export function attribute(element, name) {
  return element?.getAttribute(name) ?? "";
}

export class Replay {
  /**
   * @param {HTMLElement} section - contains the picture, the controls and the list of moves
   * @param {(name: string) => void} tell - called with the name of each step that is shown
   */
  constructor(section, tell) {
    this.section = section;
    this.tell = tell;
    /** @type {Map<number, HTMLElement>} */
    this.lists = new Map();
    for (const list of section.querySelectorAll("ol[data-line]")) {
      this.lists.set(Number(attribute(list, "data-line")), /** @type {HTMLElement} */ (list));
    }
    this.parts = [...section.querySelectorAll("svg [data-line]")].flatMap((group) => {
      const line = Number(attribute(group, "data-line"));
      group.removeAttribute("display");
      return [...group.querySelectorAll("[data-turn], [data-from]")].map((element) =>
        Replay.part(element, line),
      );
    });
    this.slider = /** @type {HTMLInputElement} */ (section.querySelector(".controls input"));
    this.player = /** @type {HTMLElement} */ (section.querySelector("[data-do=play]"));
    this.timer = 0;
    this.line = 0;
    this.steps = this.course(0);
    this.at = this.steps.length - 1;
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
   * @param {Element} element
   * @param {number} line
   * @returns {Part}
   */
  static part(element, line) {
    const [kind, color] = element.classList;
    const from = attribute(element, "data-turn") || attribute(element, "data-from");
    const until = attribute(element, "data-until");
    // The points of a network belong to the network, whose classes come in the same order.
    const name = kind === "points" ? "network" : kind;
    const key = `${name} ${color} ${attribute(element, "data-cells")}`;
    return { element, line, from: Number(from), until: until ? Number(until) : Infinity, key };
  }

  /**
   * Return all steps of a line, including those before it.
   * @param {number} line
   * @returns {Step[]}
   */
  course(line) {
    const list = this.lists.get(line);
    if (!list) return [];
    const own = [...list.children].map((item) => ({
      line,
      item: /** @type {HTMLElement} */ (item),
    }));
    if (line === 0) return own;
    const base = this.course(Number(attribute(list, "data-base")));
    return [...base.slice(0, Number(attribute(list, "data-kept"))), ...own];
  }

  /**
   * Show a step of a line; numbers that are too small or too large give the first or last one.
   * @param {number} line
   * @param {number} at
   */
  show(line, at) {
    this.line = line;
    this.steps = this.course(line);
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    this.showParts();
    this.showWords();
    this.showMarks();
  }

  /**
   * Show the parts line by line: up to the turn at which the next line branches off, without
   * those that later lines have removed.
   */
  showParts() {
    /** @type {Map<number, number>} */
    const ends = new Map();
    for (const { line, item } of this.steps.slice(0, this.at + 1)) {
      ends.set(line, Number(attribute(item, "data-turn")));
    }
    /** @type {Map<string, number>} */
    const gone = new Map();
    for (const [line, end] of ends) {
      const said = attribute(this.lists.get(line) ?? null, "data-gone");
      for (const each of said ? said.split(";") : []) {
        const [turn, ...rest] = each.split(" ");
        // The last line that removes it decides, for all lines before.
        if (Number(turn) <= end) gone.set(rest.join(" "), line);
      }
    }
    for (const { element, line, from, until, key } of this.parts) {
      const end = ends.get(line) ?? -1;
      const there = from <= end && end < until && line >= (gone.get(key) ?? 0);
      if (there) element.removeAttribute("display");
      else element.setAttribute("display", "none");
    }
    this.showTable();
  }

  /** The item of the step that is shown. */
  get item() {
    const step = this.steps[this.at];
    if (!step) throw new Error("the game has no moves");
    return step.item;
  }

  showWords() {
    const { item } = this;
    for (const link of this.section.querySelectorAll("[aria-current]")) {
      link.removeAttribute("aria-current");
    }
    item.querySelector("a")?.setAttribute("aria-current", "step");
    this.keepInView(item);
    const said = attribute(item, "data-say");
    this.write(".said", said);
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
    this.slider.setAttribute("aria-valuetext", said);
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

  /**
   * Scroll only the list.
   * @param {HTMLElement} item
   */
  keepInView(item) {
    const box = this.section.querySelector(".moves");
    const link = item.querySelector("a");
    if (!box || !link) return;
    const outer = box.getBoundingClientRect();
    const inner = link.getBoundingClientRect();
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
  }

  /** Put the frames around the cells of the last action. */
  showMarks() {
    const places = attribute(this.item, "data-marks").split(" ");
    this.section.querySelectorAll("svg .last").forEach((mark, number) => {
      if (places[number]) {
        mark.setAttribute("transform", `translate(${places[number]})`);
        mark.removeAttribute("display");
      } else {
        mark.setAttribute("display", "none");
      }
    });
  }

  /**
   * Return the parts of the picture that are shown, of one kind.
   * @param {string} selector
   */
  shown(selector) {
    return this.parts
      .map((part) => part.element)
      .filter((each) => each.matches(selector) && !each.hasAttribute("display"));
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

  /**
   * Carry out a command of the controls.
   * @param {string} what
   */
  act(what) {
    if (what === "play") {
      if (this.timer) this.pause();
      else this.play();
      return;
    }
    this.pause();
    const last = this.steps.length - 1;
    const places = { first: 0, previous: this.at - 1, next: this.at + 1, last };
    this.go(places[/** @type {keyof typeof places} */ (what)]);
  }

  /**
   * Show the step that an element of the list is; return whether it is one.
   * @param {Element} item
   */
  showItem(item) {
    const list = item.parentElement;
    if (!list?.hasAttribute("data-line")) return false;
    const line = Number(attribute(list, "data-line"));
    this.pause();
    this.show(
      line,
      this.course(line).findIndex((step) => step.item === item),
    );
    return true;
  }

  /**
   * Handle a key that has a meaning.
   * @param {KeyboardEvent} event
   */
  press(event) {
    const what = KEYS[event.key];
    if (!what || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const on = event.target instanceof Element ? event.target : document.body;
    // The space bar activates a button that has the focus.
    if (on.matches("button") && what === "play") return;
    event.preventDefault();
    this.act(what);
  }

  /** @param {number} at */
  go(at) {
    this.show(this.line, at);
    this.tell(this.item.id);
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
