// @ts-check
/** The form for a new game: three ways to play, chips for what most people choose, and the rest. */

import { byId, filled } from "./dom.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {{value: string, text: string, title?: string, isOff?: boolean}} Choice */
/** @typedef {{name: string, text: string, isAvailable: boolean}} Level */
/** @typedef {"computer" | "both" | "link"} Way */

const DEFAULT_LEVEL = "level-2";
const DEFAULT_RULES = "board-game-arena";
/** The rules with a chip, and what is written on it; the empty text stands for a word. */
const BOARDS = { [DEFAULT_RULES]: "10 × 10", "abstract-play-8": "8 × 8", brettspielnetz: "12 × 12", original: "" };
/** The minutes of each player and the seconds for each action that have a chip. */
const CLOCKS = ["", "5+5", "10+5", "15+10"];
/** The chip for what has no chip of its own. It is shown only while it is chosen. */
const OTHER = "other";

/**
 * Show chips, of which one is chosen.
 *
 * @param {string} name - the name of the radio buttons; their group is `name-chips`
 * @param {Choice[]} choices
 * @param {string} chosen
 */
function showChips(name, choices, chosen) {
  byId(`${name}-chips`, HTMLElement).replaceChildren(
    ...choices.map(({ value, text, title = "", isOff = false }) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      const face = document.createElement("span");
      input.type = "radio";
      input.name = name;
      input.value = value;
      input.checked = value === chosen;
      input.disabled = isOff;
      face.textContent = text;
      label.title = title;
      label.append(input, face);
      return label;
    }),
  );
}

/**
 * Return the value of the radio button that is chosen.
 *
 * @param {string} name
 */
function chosenOf(name) {
  const found = document.querySelector(`input[name=${name}]:checked`);
  return found instanceof HTMLInputElement ? found.value : "";
}

/** The form. */
export class Start {
  form = byId("start", HTMLFormElement);
  rules = byId("rules", HTMLSelectElement);
  rulesText = byId("rules-text", HTMLInputElement);
  minutes = byId("minutes", HTMLInputElement);
  increment = byId("increment", HTMLInputElement);
  nameField = byId("name", HTMLInputElement);
  setup = byId("setup", HTMLTextAreaElement);
  file = byId("file", HTMLInputElement);
  more = byId("more", HTMLDetailsElement);
  refusal = byId("start-refusal", HTMLElement);
  /** The levels of the computer, the weakest first. @type {Level[]} */
  levels = [];

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.nameField.value = localStorage.getItem("ponte-name") ?? "";
    // Without a server, nobody can be invited.
    for (const each of document.querySelectorAll(".way:has([value=link])")) {
      each.toggleAttribute("hidden", !page.isShared);
    }
  }

  /** @returns {Way} */
  get way() {
    return /** @type {Way} */ (chosenOf("way"));
  }

  /** The name that the player has entered. */
  get name() {
    return this.nameField.value;
  }

  /** @param {string} name */
  keepName(name) {
    localStorage.setItem("ponte-name", name);
    this.nameField.value = name;
  }

  focus() {
    document.querySelector("input[name=way]:checked")?.closest("input")?.focus();
  }

  // Showing

  /**
   * Offer what the server offers, in its words.
   *
   * @param {string[]} rules - the names of known rules
   * @param {Record<string, boolean>} levels - whether each level can be played
   */
  offer(rules, levels) {
    const { words } = this.page;
    const old = this.rules.options.length ? this.rules.value : DEFAULT_RULES;
    const options = rules.map((name) => new Option(words[`preset-${name}`] ?? name, name));
    this.rules.replaceChildren(...options, new Option(words["other-rules"], ""));
    this.rules.value = old;
    const level = chosenOf("level") || localStorage.getItem("ponte-opponent");
    this.levels = Object.entries(levels)
      .map(([name, isAvailable]) => ({ name, text: words[`opponent-${name}`] ?? name, isAvailable }))
      // On a page without a server, nothing can be installed.
      .filter(({ isAvailable }) => isAvailable || this.page.isShared);
    const isKnown = this.levels.some(({ name, isAvailable }) => name === level && isAvailable);
    const chips = this.levels.map(({ name, text, isAvailable }, number) => ({
      value: name,
      text: String(number + 1),
      title: isAvailable ? text : filled(words["needs-batch"] ?? "", { level: text }),
      isOff: !isAvailable,
    }));
    showChips("level", chips, isKnown && level ? level : DEFAULT_LEVEL);
    const begins = ["first", "second", "random"].map((value) => ({ value, text: words[`begins-${value}`] ?? "" }));
    showChips("begins", begins, chosenOf("begins") || "first");
    this.showBoards();
    this.showClocks();
    this.show();
  }

  /** Show which rules are chosen. */
  showBoards() {
    const { words } = this.page;
    const { value } = this.rules;
    const chips = Object.entries(BOARDS).map(([name, text]) => ({ value: name, text: text || (words["original"] ?? "") }));
    const size = this.rulesText.value.split(" ")[0] ?? "";
    const known = this.rules.selectedOptions[0]?.text.split(":")[0] ?? "";
    const other = { value: OTHER, text: value ? known : size.replace("x", " × ") };
    const isOther = !(value in BOARDS);
    showChips("board", isOther ? [...chips, other] : chips, isOther ? OTHER : value);
    for (const id of ["other", "sizes"]) byId(id, HTMLElement).hidden = value !== "";
  }

  /** Show which clock is chosen. */
  showClocks() {
    const minutes = this.minutes.value;
    const value = minutes && `${minutes}+${this.increment.value || 0}`;
    const isOther = !CLOCKS.includes(value);
    const chips = CLOCKS.map((each) => ({ value: each, text: each.replace("+", " + ") || (this.page.words["no-clock"] ?? "") }));
    const other = { value: OTHER, text: value.replace("+", " + ") };
    showChips("clock", isOther ? [...chips, other] : chips, isOther ? OTHER : value);
  }

  /** Show what belongs to the chosen way, and what the button does. */
  show() {
    const { words } = this.page;
    const { way } = this;
    const level = chosenOf("level");
    const number = String(this.levels.findIndex(({ name }) => name === level) + 1);
    const [, about = ""] = this.levels.find(({ name }) => name === level)?.text.split(/: (.*)/) ?? [];
    byId("level-about", HTMLElement).textContent = filled(words["level-about"] ?? "", { number, about });
    byId("level-chips", HTMLElement).hidden = way !== "computer";
    byId("begins-row", HTMLElement).hidden = way === "both";
    const name = byId("name-row", HTMLElement);
    name.hidden = way === "both";
    // An invitation says whose it is, so the name belongs to the card.
    const place = way === "link" ? document.querySelector(".way:has([value=link])") : this.more;
    if (name.parentElement !== place) this.more.querySelector("summary")?.after(name);
    if (way === "link") place?.append(name);
    byId("begin", HTMLButtonElement).textContent = filled(words[`begin-${way}`] ?? "", { number });
  }

  forgetRefusal() {
    this.refusal.textContent = "";
    this.setup.removeAttribute("aria-invalid");
  }

  /** @param {string} text */
  refuse(text) {
    this.refusal.textContent = text;
    this.refusal.scrollIntoView({ block: "nearest" });
  }

  // The request

  /**
   * Return the seats of the player. A request that is sent again has the same key, so it also has
   * the same seat.
   *
   * @param {string} key - random
   */
  seatFor(key) {
    const begins = chosenOf("begins");
    if (this.way === "both") return "both";
    if (begins !== "random") return begins;
    return key.charCodeAt(0) % 2 ? "first" : "second";
  }

  /** What the server is told of the new game. */
  get wish() {
    const minutes = this.minutes.valueAsNumber;
    return {
      ...(minutes ? { time_control: `${Math.ceil(60 * minutes)}+${this.increment.valueAsNumber || 0}` } : {}),
      rules: this.rules.value || this.rulesText.value,
      start: this.setup.value,
      to_move: byId("to-move", HTMLSelectElement).value,
      opponent: this.way === "computer" ? chosenOf("level") : "none",
      name: this.way === "both" ? "" : this.name,
    };
  }

  async begin() {
    const { page } = this;
    this.forgetRefusal();
    const { wish } = this;
    const request = JSON.stringify({ ...wish, way: this.way, begins: chosenOf("begins") });
    const key = page.keyOf(request);
    const body = { ...wish, seat: this.seatFor(key), key };
    const { signal } = page.leaving;
    const { status, data } = await page.request("POST", "/games", { body, query: page.query, signal });
    signal.throwIfAborted();
    const isBadStart = status !== 201 && data.field === "start";
    this.setup.setAttribute("aria-invalid", String(isBadStart));
    if (status !== 201) {
      this.refuse(data.error ?? page.words["no-response"] ?? "");
      if (isBadStart) {
        this.more.open = true;
        this.setup.focus();
      }
      return;
    }
    page.keys.delete(request);
    localStorage.setItem(`ponte-${data.id}`, data.token);
    if (this.way === "computer") localStorage.setItem("ponte-opponent", wish.opponent);
    location.hash = data.id;
  }

  // Event listeners

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.page.runUnlessBusy(() => this.begin());
    });
    // Another wish may be granted.
    this.form.addEventListener("input", () => this.forgetRefusal());
    this.form.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "radio") this.choose(target);
    });
    this.rules.addEventListener("change", () => this.showBoards());
    for (const each of [this.minutes, this.increment]) each.addEventListener("input", () => this.showClocks());
    byId("sizes", HTMLElement).addEventListener("input", () => {
      /** @param {string} id */
      const number = (id) => byId(id, HTMLInputElement).value || "unlimited";
      const supply = `tiles=${number("tiles")} bridges=${number("bridges")}`;
      this.rulesText.value = `${number("columns")}x${number("rows")} ${supply} tiebreaks=islands,bridges`;
      this.showBoards();
    });
    this.rulesText.addEventListener("input", () => this.showBoards());
    this.nameField.addEventListener("change", () => this.keepName(this.name));
    this.setup.addEventListener("input", () => this.offerMover());
    this.file.addEventListener("change", async () => {
      const file = this.file.files?.[0];
      if (!file) return;
      this.setup.value = await file.text();
      this.offerMover();
    });
  }

  /**
   * Take over what a chip or a card says.
   *
   * @param {HTMLInputElement} radio
   */
  choose({ name, value }) {
    if (name === "board" && value !== OTHER) {
      this.rules.value = value;
      // The chip for other rules goes; those that stay keep the focus.
      for (const each of document.querySelectorAll(`[name=board][value=${OTHER}]`)) each.parentElement?.remove();
      for (const id of ["other", "sizes"]) byId(id, HTMLElement).hidden = true;
    }
    if (name === "clock" && value !== OTHER) {
      const [minutes = "", increment] = value.split("+");
      this.minutes.value = minutes;
      if (increment) this.increment.value = increment;
      for (const each of document.querySelectorAll(`[name=clock][value=${OTHER}]`)) each.parentElement?.remove();
    }
    this.show();
  }

  /** Ask for the player to move, unless the text says it: that of a state or a record does. */
  offerMover() {
    const text = this.setup.value.trim();
    byId("mover", HTMLElement).hidden = !text || /rows=|^[[({]|^\d+\./i.test(text);
  }
}
