// @ts-check
/**
 * The page: it shows what it is given, and asks about every click. It knows no rule and draws
 * nothing.
 */

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").More} More */
/** @typedef {{columns: number, rows: number, left: number, top: number, width: number, height: number, ratio: number}} Grid */
/** @typedef {{cell: string, name: string}} Named */
/** @typedef {{svg: string, grid: Grid, cells: Named[][], targets: string[], table: any}} Shown */
/** @typedef {{id: string, version: number, taken: number, rules: string, ending: string | null, sentence: string, seats: Record<string, string>, yours: string[], can_take_back: boolean, others: string[], players: Record<string, string | number>[]}} About */
/** @typedef {Shown & About} View */

const RETRY = 2000;
const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/**
 * Return an element of the page.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${id}`);
  return found;
}

/**
 * Return all buttons that a selector finds.
 *
 * @param {string} selector
 * @returns {HTMLButtonElement[]}
 */
function buttons(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLButtonElement);
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Wait until somebody can see the page. */
async function visible() {
  while (document.hidden) {
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  }
}

/**
 * Tell whether somebody who was here with the keyboard is nowhere now.
 *
 * @param {Element | null} element
 */
function isGone(element) {
  const isOff = element instanceof HTMLButtonElement && element.disabled;
  return element !== null && (isOff || element.closest("[hidden]") !== null);
}

/**
 * Return what a language is called in itself.
 *
 * @param {string} code
 */
function nameOf(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The page, with whatever answers its questions. */
export class Page {
  /**
   * @param {Transport} ask
   * @param {boolean} [isShared] - whether other browsers can see its games
   */
  constructor(ask, isShared = true) {
    this.ask = ask;
    this.isShared = isShared;
    /** @type {Record<string, string>} */
    this.words = {};
    /** @type {View | null} */
    this.view = null;
    /** @type {string | null} */
    this.first = null;
    this.isBusy = false;
    /** @type {Promise<void>} */
    this.clicks = Promise.resolve();
    this.row = 0;
    this.column = 0;
    /** @type {AbortController | null} */
    this.watching = null;
    this.language = byId("language", HTMLSelectElement);
    this.message = byId("message", HTMLElement);
    this.cells = byId("cells", HTMLTableElement);
    this.sure = byId("sure", HTMLDialogElement);
    this.rules = byId("rules", HTMLSelectElement);
    this.seat = byId("seat", HTMLSelectElement);
    this.opponent = byId("opponent", HTMLSelectElement);
    this.setup = byId("setup", HTMLTextAreaElement);
    const language = localStorage.getItem("ponte-language") ?? navigator.language.replace(/-.*/, "");
    this.language.replaceChildren(new Option(nameOf(language), language));
    this.offerSeats();
  }

  /** The game that the address names. */
  get id() {
    return location.hash.slice(1);
  }

  get token() {
    return localStorage.getItem(`ponte-${this.id}`) ?? "";
  }

  /** What goes with every question. */
  get query() {
    return { lang: this.language.value, theme: dark.matches ? "dark" : "light" };
  }

  /** @param {string} text */
  say(text) {
    this.message.textContent = text;
  }

  /**
   * Ask about the game that is shown.
   *
   * @param {string} method
   * @param {string} path
   * @param {More} [more]
   */
  askGame(method, path, more = {}) {
    const query = { ...this.query, ...more.query };
    return this.ask(method, `/games/${encodeURIComponent(this.id)}${path}`, {
      ...more,
      query,
      token: this.token,
    });
  }

  // Words

  async loadWords() {
    const { status, data } = await this.ask("GET", "/words", { query: this.query });
    if (status !== 200) {
      this.say(this.words["unreachable"] ?? "The server cannot be reached.");
      return;
    }
    this.words = data.words;
    if (this.language.options.length === 1) {
      const spoken = this.language.value;
      const names = Object.entries(data.languages);
      this.language.replaceChildren(...names.map(([code, name]) => new Option(String(name), code)));
      // In another language the server has answered in the first one.
      if (spoken in data.languages) this.language.value = spoken;
    }
    document.documentElement.lang = this.language.value;
    for (const each of document.querySelectorAll("[data-word]")) {
      each.textContent = this.words[each.getAttribute("data-word") ?? ""] ?? "";
    }
    const chosen = this.rules.options.length ? this.rules.value : "board-game-arena";
    const other = new Option(this.words["other-rules"], "");
    this.rules.replaceChildren(...data.rules.map((/** @type {string} */ name) => new Option(name)), other);
    this.rules.value = chosen;
  }

  // Showing

  /** Show what the address names: a game, or what a new one can begin with. */
  async arrive() {
    const { id } = this;
    const held = document.activeElement;
    this.watching?.abort();
    this.view = null;
    this.first = null;
    this.say("");
    byId("start", HTMLElement).hidden = this.id !== "";
    byId("game", HTMLElement).hidden = true;
    if (id) await this.reload();
    // Somebody may be elsewhere by now.
    if (id !== this.id) return;
    if (isGone(held)) (this.view ? this.button(this.row, this.column) : this.rules).focus();
    if (this.view) void this.watch();
  }

  /** Show the same game in other words or colours. */
  async refresh() {
    this.first = null;
    if (this.view) await this.reload();
  }

  /** Fetch the game, and show it. */
  async reload() {
    const { id } = this;
    const { status, data } = await this.askGame("GET", "");
    if (id !== this.id) return;
    if (status === 200) this.show(data);
    else this.say(data.error ?? this.words["unreachable"] ?? "");
  }

  /** Wait for what others do, as long as this game is shown. */
  async watch() {
    const watching = new AbortController();
    this.watching?.abort();
    this.watching = watching;
    let isLost = false;
    for (;;) {
      // A browser asks a server few things at a time: windows that nobody sees are not to use them.
      await visible();
      if (watching.signal.aborted || !this.view) return;
      const { version, taken } = this.view;
      // Whoever has lost the server wants to know at once that it is there, news or not.
      const query = isLost ? {} : { after: String(version), taken: String(taken) };
      const { status, data } = await this.askGame("GET", "", { query, signal: watching.signal });
      if (watching.signal.aborted) return;
      if (status === 200 && this.isNews(data)) this.show(data);
      if (status === 200 || status === 204) {
        if (isLost) this.say("");
        isLost = false;
      } else {
        isLost = true;
        this.say(data.error ?? this.words["unreachable"] ?? "");
        await new Promise((done) => setTimeout(done, RETRY));
      }
    }
  }

  /**
   * Tell whether a game is further than what is shown: answers may overtake each other.
   *
   * @param {View} view
   */
  isNews(view) {
    const old = this.view;
    return !old || view.version > old.version || (view.version === old.version && view.taken > old.taken);
  }

  /** @param {View} view */
  show(view) {
    // Somebody who has sat down does not disturb a click.
    const held = document.activeElement;
    const goesOn = this.view?.id === view.id && this.view.version === view.version;
    this.view = view;
    byId("game", HTMLElement).hidden = false;
    if (!goesOn || !this.first) {
      this.first = null;
      this.showBoard(view);
      const { last, state } = view.table.sentences;
      const parts = view.ending ? [view.sentence] : [last, state];
      byId("state", HTMLElement).textContent = parts.filter(Boolean).join(" ");
    }
    const you = view.yours.length > 1 ? "both" : (view.yours[0] ?? "none");
    byId("you", HTMLElement).textContent = `${this.words[`you-${you}`]} ${view.rules}`;
    for (const each of buttons("[data-action]")) {
      each.hidden = !view.others.includes(each.dataset["action"] ?? "");
    }
    for (const each of buttons("[data-seat]")) {
      each.hidden = view.seats[each.dataset["seat"] ?? ""] !== "free" || you !== "none";
    }
    byId("take-back", HTMLButtonElement).disabled = !view.can_take_back;
    byId("resign", HTMLButtonElement).disabled = view.ending !== null || you === "none";
    byId("invitation", HTMLElement).hidden =
      !this.isShared || !Object.values(view.seats).includes("free");
    byId("link", HTMLInputElement).value = location.href;
    this.showScores(view);
    if (isGone(held)) this.button(this.row, this.column).focus();
  }

  /** @param {View} view */
  showScores(view) {
    const body = byId("scores", HTMLTableElement).tBodies[0];
    body?.replaceChildren(
      ...view.players.map((player) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = String(player["name"]);
        row.append(head);
        for (const key of ["color", "points", "islands", "bridges"]) {
          row.insertCell().textContent = String(player[key] ?? "–");
        }
        return row;
      }),
    );
  }

  /** @param {Shown} shown */
  showBoard(shown) {
    const picture = new DOMParser().parseFromString(shown.svg, "image/svg+xml").documentElement;
    picture.removeAttribute("role");
    byId("picture", HTMLElement).replaceChildren(picture);
    const { columns, rows } = shown.grid;
    if (this.cells.rows.length !== rows || this.cells.rows[0]?.cells.length !== columns) {
      this.layOut(shown.grid);
    }
    this.cells.setAttribute("aria-label", `${this.words["board"]} ${columns}×${rows}`);
    const targets = new Set(shown.targets);
    shown.cells.forEach((line, row) => {
      line.forEach(({ cell, name }, column) => {
        const button = this.button(row, column);
        button.dataset["cell"] = cell;
        button.title = name;
        button.setAttribute("aria-label", name);
        button.setAttribute("aria-pressed", String(cell === this.first));
        button.classList.toggle("target", targets.has(cell));
      });
    });
  }

  /**
   * Make the buttons over the picture.
   *
   * @param {Grid} grid
   */
  layOut(grid) {
    const style = byId("board", HTMLElement).style;
    style.setProperty("--columns", String(grid.columns));
    style.setProperty("--rows", String(grid.rows));
    style.setProperty("--ratio", String(grid.ratio));
    for (const name of /** @type {const} */ (["left", "top", "width", "height"])) {
      style.setProperty(`--${name}`, `${100 * grid[name]}%`);
    }
    const body = document.createElement("tbody");
    for (let row = 0; row < grid.rows; row++) {
      const line = body.insertRow();
      for (let column = 0; column < grid.columns; column++) {
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        line.insertCell().append(button);
      }
    }
    this.cells.replaceChildren(body);
    this.row = grid.rows - 1;
    this.column = 0;
    this.button(this.row, this.column).tabIndex = 0;
  }

  /**
   * Return the button of a cell.
   *
   * @param {number} row - from the top
   * @param {number} column
   * @returns {HTMLButtonElement}
   */
  button(row, column) {
    const found = this.cells.rows[row]?.cells[column]?.firstElementChild;
    if (!(found instanceof HTMLButtonElement)) throw new Error(`no cell at ${row}, ${column}`);
    return found;
  }

  // Clicking

  /**
   * Do one thing after the other: what is clicked meanwhile is not meant for what comes then.
   *
   * @param {() => Promise<void>} work
   */
  async alone(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.cells.ariaBusy = "true";
    try {
      await work();
    } finally {
      this.isBusy = false;
      this.cells.ariaBusy = "false";
    }
  }

  /** @param {string} cell */
  async click(cell) {
    this.say("");
    if (cell === this.first) {
      this.forget();
      return;
    }
    const body = this.first ? { first: this.first, cell } : { cell };
    const data = await this.change("/clicks", body);
    if (data?.first) {
      this.first = data.first;
      this.showBoard(data);
      const { state } = data.table.sentences;
      byId("state", HTMLElement).textContent = state;
    }
  }

  /** Take the first click back. */
  forget() {
    if (!this.first || !this.view) return;
    this.first = null;
    this.show(this.view);
  }

  /**
   * Ask for a change, and show what comes of it.
   *
   * @param {string} path
   * @param {object} [more]
   * @returns {Promise<any>} the answer to a first click; nothing else needs to be looked at
   */
  async change(path, more = {}) {
    const view = this.view;
    const body = { version: view?.version ?? 0, ...more };
    const { status, data } = await this.askGame("POST", path, { body });
    // Somebody may have gone elsewhere meanwhile, or the game may have gone on.
    if (this.view?.id !== view?.id) return undefined;
    if (status === 200 && data.version) {
      if (this.isNews(data)) this.show(data);
    } else if (status === 200) return this.view?.version === view?.version ? data : undefined;
    else {
      this.say(data.error ?? this.words["unreachable"] ?? "");
      if (status === 409) await this.reload();
    }
    return undefined;
  }

  /** @param {string} seat */
  async sitDown(seat) {
    const { status, data } = await this.askGame("POST", "/seats", { body: { seat } });
    if (status === 201) {
      localStorage.setItem(`ponte-${this.id}`, data.token);
      this.show(data);
    } else {
      this.say(data.error ?? this.words["unreachable"] ?? "");
    }
  }

  /** Ask whether somebody means it. */
  askResign() {
    const isBoth = (this.view?.yours.length ?? 0) > 1;
    byId("sure-title", HTMLElement).textContent =
      this.words[isBoth ? "resign-who" : "resign-sure"] ?? "";
    for (const each of buttons("#sure button[value]")) {
      each.hidden = each.value !== "" && (each.value === "yes") === isBoth;
    }
    this.sure.returnValue = "";
    this.sure.showModal();
  }

  async resign() {
    const seat = this.sure.returnValue;
    if (seat) await this.change("/resignation", seat === "yes" ? {} : { seat });
  }

  async saveRecord() {
    const { status, data } = await this.askGame("GET", "/record");
    if (status !== 200) {
      this.say(data.error ?? this.words["unreachable"] ?? "");
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data], { type: "text/plain" }));
    link.download = "ponte-del-diavolo.pdd";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async begin() {
    const text = byId("rules-text", HTMLInputElement).value;
    const body = {
      rules: this.rules.value || text,
      start: this.setup.value,
      to_move: byId("to-move", HTMLSelectElement).value,
      opponent: this.opponent.value,
      seat: this.seat.value,
    };
    const { status, data } = await this.ask("POST", "/games", { body, query: this.query });
    if (status !== 201) {
      this.say(data.error ?? this.words["unreachable"] ?? "");
      return;
    }
    localStorage.setItem(`ponte-${data.id}`, data.token);
    location.hash = data.id;
  }

  // The keyboard

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") {
      void this.alone(async () => this.forget());
      return;
    }
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [down = 0, right = 0] = step;
    const rows = this.cells.rows.length;
    const columns = this.cells.rows[0]?.cells.length ?? 0;
    const row = Math.min(Math.max(this.row + down, 0), rows - 1);
    const column = Math.min(Math.max(this.column + right, 0), columns - 1);
    this.button(row, column).focus();
  }

  /**
   * Let Tab come back to the cell where somebody was.
   *
   * @param {Element | null} target
   */
  remember(target) {
    const cell = target?.closest("td");
    const line = cell?.parentElement;
    if (!(line instanceof HTMLTableRowElement) || !cell) return;
    this.button(this.row, this.column).tabIndex = -1;
    this.row = line.rowIndex;
    this.column = cell.cellIndex;
    this.button(this.row, this.column).tabIndex = 0;
  }

  // What the page listens to

  listen() {
    /** @type {(id: string, work: () => Promise<void>) => void} */
    const on = (id, work) => {
      byId(id, HTMLButtonElement).addEventListener("click", () => {
        this.say("");
        void this.alone(work);
      });
    };
    on("take-back", async () => void (await this.change("/take-back")));
    on("resign", async () => this.askResign());
    on("record", () => this.saveRecord());
    on("other-game", async () => {
      location.hash = "";
    });
    for (const each of buttons("[data-action]")) {
      each.addEventListener("click", () => {
        const action = each.dataset["action"];
        void this.alone(async () => void (await this.change("/actions", { action })));
      });
    }
    for (const each of buttons("[data-seat]")) {
      each.addEventListener("click", () => {
        void this.alone(() => this.sitDown(each.dataset["seat"] ?? ""));
      });
    }
    this.cells.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      const cell = button?.dataset["cell"];
      // Two quick clicks are a pair: the second one waits for the answer to the first.
      if (cell) this.clicks = this.clicks.then(() => this.alone(() => this.click(cell)));
    });
    this.cells.addEventListener("focusin", (event) => {
      this.remember(event.target instanceof Element ? event.target : null);
    });
    byId("game", HTMLElement).addEventListener("keydown", (event) => {
      const isOnBoard = event.target instanceof Node && this.cells.contains(event.target);
      if (isOnBoard || event.key === "Escape") this.press(event);
    });
    this.listenToChoices();
  }

  /** Offer the seats that can be taken against the chosen opponent. */
  offerSeats() {
    const isPerson = this.opponent.value === "none";
    for (const each of this.seat.options) {
      // Where nobody else can sit down, one person plays both seats.
      const isOffered = each.value === "both" ? isPerson : !isPerson || this.isShared;
      each.disabled = each.hidden = !isOffered;
    }
    if (this.seat.selectedOptions[0]?.disabled ?? true) this.seat.value = isPerson ? "both" : "first";
  }

  listenToChoices() {
    this.sure.addEventListener("close", () => void this.alone(() => this.resign()));
    byId("start", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.say("");
      void this.alone(() => this.begin());
    });
    this.rules.addEventListener("change", () => {
      byId("other", HTMLElement).hidden = this.rules.value !== "";
    });
    this.setup.addEventListener("input", () => {
      // The text of a state says itself who is to move.
      const text = this.setup.value;
      byId("mover", HTMLElement).hidden = !text.trim() || text.toLowerCase().includes("rows=");
    });
    this.opponent.addEventListener("change", () => this.offerSeats());
    this.language.addEventListener("change", async () => {
      localStorage.setItem("ponte-language", this.language.value);
      this.say("");
      await this.loadWords();
      await this.refresh();
    });
    dark.addEventListener("change", () => void this.refresh());
    addEventListener("hashchange", () => void this.arrive());
  }

  async open() {
    await this.loadWords();
    this.listen();
    await this.arrive();
  }
}
