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

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/**
 * @param {Element | null} element
 * @param {string} name
 */
export function attribute(element, name) {
  return element?.getAttribute(name) ?? "";
}

export class Replay {
  /**
   * @param {HTMLElement} section - contains the picture and the list of moves
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
    // Links lead to steps for this script alone.
    for (const item of section.querySelectorAll("ol[data-line] > li")) {
      item.querySelector("a")?.setAttribute("href", `#${item.id}`);
    }
    this.parts = [...section.querySelectorAll("svg [data-line]")].flatMap((group) => {
      const line = Number(attribute(group, "data-line"));
      group.removeAttribute("display");
      return [...group.querySelectorAll("[data-turn], [data-from]")].map((element) =>
        Replay.part(element, line),
      );
    });
    this.line = 0;
    this.steps = this.course(0);
    this.at = this.steps.length - 1;
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
    this.showCurrent();
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
  }

  /** The item of the step that is shown. */
  get item() {
    const step = this.steps[this.at];
    if (!step) throw new Error("the game has no moves");
    return step.item;
  }

  /** Mark the link of the step that is shown. */
  showCurrent() {
    for (const link of this.section.querySelectorAll("[aria-current]")) {
      link.removeAttribute("aria-current");
    }
    this.item.querySelector("a")?.setAttribute("aria-current", "step");
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

  /**
   * Carry out a command.
   * @param {string} what
   */
  act(what) {
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
    event.preventDefault();
    this.act(what);
  }

  /** @param {number} at */
  go(at) {
    this.show(this.line, at);
    this.tell(this.item.id);
  }
}
