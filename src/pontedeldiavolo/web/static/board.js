// @ts-check
/**
 * The page: it shows the server's data, and sends a request for every action. It does not
 * implement the rules and draws no pictures.
 */

import { Analysis } from "./analysis.js";
import { Cells, byId, filled } from "./cells.js";
import { Replay } from "./replay.js";
import { changed } from "./view.js";

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").Answer} Answer */
/** @typedef {import("./transport.js").More} More */
/** @typedef {import("./cells.js").Shown} Shown */
/** @typedef {{id: string, version: number, taken: number, rules: string, ending: string | null, sentence: string, seats: Record<string, string>, yours: string[], clocks: Record<string, number>, running: string | null, can_analyse: boolean, can_undo: boolean, is_thinking: boolean, is_preparing: boolean, failure: {error: string, code: string, number: number} | null, draw_offer: string | null, next: string | null, others: string[], players: Record<string, string | number | null>[], moves: string}} About */
/** @typedef {Shown & About} View */

const RETRY = 2000;
const TICK = 200;
const SHORT_SECONDS = 20;
const MINE = "ponte-games";
const MAX_GAMES = 50;
const NAME = "Ponte del Diavolo";

/**
 * Return all buttons that a selector finds.
 *
 * @param {string} selector
 * @returns {HTMLButtonElement[]}
 */
function buttons(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLButtonElement);
}

/**
 * Return seconds as a clock shows them.
 *
 * @param {number} seconds
 */
function clockText(seconds) {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const digits = parts.map((part) => String(part).padStart(2, "0"));
  return (parts[0] ? digits : digits.slice(1)).join(":");
}

/** Return a new secret: the key of a request. */
function newKey() {
  const bytes = window.crypto.getRandomValues(new Uint8Array(24));
  return window.btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** Wait until the page is visible. */
async function visible() {
  while (document.hidden) {
    await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
  }
}

/**
 * Return whether an element that had the focus is now disabled or hidden.
 *
 * @param {Element | null} element
 */
function isGone(element) {
  const isOff = element instanceof HTMLButtonElement && element.disabled;
  return element !== null && (isOff || element.closest("[hidden]") !== null);
}

/**
 * Return the name of a language in that language.
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

/** The page, with the transport for its requests. */
export class Page {
  /**
   * The keys of requests that have not succeeded yet. A request that is repeated, because its
   * response was lost, has the same key, and creates nothing twice.
   *
   * @type {Map<string, string>}
   */
  keys = new Map();
  otherLevel = byId("other-level", HTMLSelectElement);

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
    /** @type {Replay | null} */
    this.replay = null;
    /** The time at which the view arrived, for the clocks. */
    this.viewedAt = 0;
    /** Whether the server does not respond: then the clocks stop. */
    this.isLost = false;
    this.isBusy = false;
    /** The version of the game when it was last shown as it is now. */
    this.seen = 0;
    /** @type {Promise<void>} */
    this.clicks = Promise.resolve();
    /** @type {AbortController | null} */
    this.watching = null;
    // Two quick clicks are a pair: the second one waits for the response to the first.
    this.cells = new Cells((cell) => {
      const position = this.position;
      this.clicks = this.clicks.then(async () => {
        // A third click was meant for the position before: not for the other player's turn.
        if (this.position === position) await this.alone(() => this.click(cell));
      });
    });
    this.analysis = new Analysis(this);
    this.language = byId("language", HTMLSelectElement);
    this.message = byId("message", HTMLElement);
    this.state = byId("state", HTMLElement);
    this.networks = byId("networks", HTMLInputElement);
    this.sounds = byId("sounds", HTMLInputElement);
    this.sounds.checked = localStorage.getItem("ponte-sounds") === "true";
    /** @type {AudioContext | null} */
    this.audio = null;
    this.resignDialog = byId("sure", HTMLDialogElement);
    this.rules = byId("rules", HTMLSelectElement);
    this.seat = byId("seat", HTMLSelectElement);
    this.opponent = byId("opponent", HTMLSelectElement);
    this.setup = byId("setup", HTMLTextAreaElement);
    this.visitor = byId("visitor", HTMLInputElement);
    this.undoDialog = byId("undo-sure", HTMLDialogElement);
    const language = localStorage.getItem("ponte-language") ?? navigator.language.replace(/-.*/, "");
    this.language.replaceChildren(new Option(nameOf(language), language));
    this.offerSeats();
  }

  /** The ID of the game in the page's URL. */
  get id() {
    return location.hash.slice(1);
  }

  get token() {
    return localStorage.getItem(`ponte-${this.id}`) ?? "";
  }

  /** The game that is shown, and its version. */
  get position() {
    return `${this.view?.id} ${this.view?.version}`;
  }

  /** The name that the player has entered. */
  get name() {
    return byId("name", HTMLInputElement).value;
  }

  /** The query parameters of every request. */
  get query() {
    return { lang: this.language.value };
  }

  /** @param {string} text */
  say(text) {
    this.message.textContent = text;
  }

  /**
   * Show why a request was refused.
   *
   * @param {{error?: string}} data - the response, if there is one
   */
  refuse({ error }) {
    this.say(error ?? this.words["unreachable"] ?? "");
    this.message.scrollIntoView({ block: "nearest" });
  }

  /**
   * Send a request about the game that is shown; changes of the game become views.
   *
   * @param {string} method
   * @param {string} path
   * @param {More} [more]
   * @returns {Promise<Answer>}
   */
  async askGame(method, path, more = {}) {
    const game = `/games/${encodeURIComponent(this.id)}`;
    const { token } = this;
    const query = { ...this.query, ...more.query };
    const answer = await this.ask(method, `${game}${path}`, { ...more, query, token });
    if (!answer.data?.plies) return answer;
    const view = changed(this.view, answer.data);
    if (view !== null) return { ...answer, data: view };
    // The page has missed a version, or has another language now.
    const whole = await this.ask("GET", game, { query: this.query, token });
    return whole.status === 200 ? { ...answer, data: changed(null, whole.data) } : whole;
  }

  /**
   * Return the key of a request: the same one until the request has succeeded.
   *
   * @param {string} request
   */
  keyOf(request) {
    const key = this.keys.get(request) ?? newKey();
    this.keys.set(request, key);
    return key;
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
    this.rules.replaceChildren(...data.rules.map((/** @type {string} */ name) => new Option(this.words[`preset-${name}`] ?? name, name)), other);
    this.rules.value = chosen;
    this.offerLevels(data.levels);
    if (data.failure) this.say(data.failure.error);
  }

  /**
   * Offer the levels of the computer, the weakest first.
   *
   * @param {Record<string, boolean>} levels - whether each one can be played
   */
  offerLevels(levels) {
    const isFirst = this.opponent.options.length === 1;
    const chosen = isFirst ? localStorage.getItem("ponte-opponent") : this.opponent.value;
    while (this.opponent.options.length > 1) this.opponent.remove(1);
    for (const [name, isAvailable] of Object.entries(levels)) {
      // On a page without a server, nothing can be installed.
      if (!isAvailable && !this.isShared) continue;
      const level = this.words[`opponent-${name}`] ?? name;
      const text = isAvailable ? level : filled(this.words["needs-batch"] ?? "", { level });
      const option = new Option(text, name);
      option.disabled = !isAvailable;
      this.opponent.add(option);
    }
    const known = [...this.opponent.options].find((option) => option.value === chosen && !option.disabled);
    this.opponent.value = known?.value ?? "none";
    this.offerSeats();
  }

  // Showing

  /** Show the game in the page's URL, or else the form for a new game. */
  async arrive() {
    const { id } = this;
    const held = document.activeElement;
    this.watching?.abort();
    this.view = null;
    this.analysis.clear();
    this.say("");
    document.title = NAME;
    this.showGame(false);
    byId("mine", HTMLElement).hidden = true;
    byId("start", HTMLElement).hidden = this.id !== "";
    if (id) await this.reload();
    // The user may have left the game meanwhile.
    if (id !== this.id) return;
    // For an unknown game, show only the form for another one.
    byId("start", HTMLElement).hidden = this.view !== null;
    this.showMine();
    if (isGone(held)) (this.view ? this.cells : this.rules).focus();
    if (this.view) void this.watch();
  }

  /** Show the same game in another language or in other colours. */
  async refresh() {
    this.cells.choose(null);
    if (!this.view) return;
    await this.reload();
    // The response to the waiting request would be in the old language.
    void this.watch();
  }

  /** @param {boolean} isShown */
  showGame(isShown) {
    byId("game", HTMLElement).hidden = !isShown;
    byId("main", HTMLElement).classList.toggle("playing", isShown);
  }

  /** The games stored in this browser, latest first. */
  get mine() {
    /** @type {{id: string, text: string, at: number}[]} */
    const found = JSON.parse(localStorage.getItem(MINE) ?? "[]");
    return found;
  }

  /**
   * Store a game in this browser's list of games, with a text if given.
   *
   * @param {string} id
   * @param {string} [text]
   */
  keep(id, text) {
    const others = this.mine.filter((each) => each.id !== id);
    const own = text === undefined ? [] : [{ id, text, at: Date.now() }];
    localStorage.setItem(MINE, JSON.stringify([...own, ...others].slice(0, MAX_GAMES)));
  }

  /**
   * Store a game that is played in this browser.
   *
   * @param {View} view
   */
  keepView(view) {
    if (!this.isShared || view.yours.length === 0) return;
    const { columns, rows } = view.grid;
    const names = view.players.map((player) => player["name"]).join(" – ");
    this.keep(view.id, `${names}, ${columns}×${rows}: ${this.sentence(view)}`);
  }

  /** Show links to the games of this browser. */
  showMine() {
    const { mine } = this;
    byId("mine", HTMLElement).hidden = mine.length === 0 || this.view !== null;
    const dates = new Intl.DateTimeFormat(this.language.value, { dateStyle: "medium", timeStyle: "short" });
    byId("my-games", HTMLElement).replaceChildren(
      ...mine.map(({ id, text, at }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = `#${id}`;
        link.textContent = `${dates.format(at)}: ${text}`;
        item.append(link);
        return item;
      }),
    );
  }

  /** Fetch the game, and show it. */
  async reload() {
    const { id } = this;
    const { status, data } = await this.askGame("GET", "");
    if (id !== this.id) return;
    if (status === 404) this.keep(id);
    if (status === 200) this.show(data);
    else this.refuse(data);
  }

  /** Wait for actions of others while this game is shown. */
  async watch() {
    const watching = new AbortController();
    this.watching?.abort();
    this.watching = watching;
    this.isLost = false;
    for (;;) {
      // Browsers limit simultaneous requests to a server, so hidden windows must not use them.
      await visible();
      if (watching.signal.aborted || !this.view) return;
      const { version, taken, failure } = this.view;
      const failed = String(failure?.number ?? "");
      const seen = { after: String(version), taken: String(taken), failed };
      // After a lost connection, report at once that the server is back, even without news.
      const query = this.isLost ? {} : seen;
      const { status, data } = await this.askGame("GET", "", { query, signal: watching.signal });
      if (watching.signal.aborted) return;
      if (status === 200 && this.isNews(data)) this.show(data, true);
      if (status === 200 || status === 204) {
        if (this.isLost) {
          this.say("");
          Object.assign(this.view, { clocks: data.clocks, running: data.running });
          this.viewedAt = window.performance.now();
        }
        this.isLost = false;
      } else {
        this.isLost = true;
        this.say(data.error ?? this.words["unreachable"] ?? "");
        await new Promise((done) => setTimeout(done, RETRY));
      }
    }
  }

  /**
   * Return whether a view is newer than the one shown: responses may overtake each other.
   *
   * @param {View} view
   */
  isNews(view) {
    const old = this.view;
    if (!old || view.version !== old.version) return !old || view.version > old.version;
    return view.taken > old.taken || view.failure?.number !== old.failure?.number;
  }

  /**
   * Show a view.
   *
   * @param {View} view
   * @param {boolean} [isNews] - whether others have caused it: then an earlier moment stays
   */
  show(view, isNews = false) {
    // If only a seat has been taken, keep the first click.
    const held = document.activeElement;
    const goesOn = this.view?.id === view.id && this.view.version === view.version;
    // What was said of the last version is not true of this one.
    if (!goesOn) this.say("");
    if (this.view?.id !== view.id || (view.ending && !this.view.ending)) {
      this.showNetworks(view.ending !== null);
    }
    if (this.view?.id === view.id && this.view.version < view.version) this.sound(view.ending !== null);
    const hasEnded = view.ending !== null && this.view?.ending === null;
    this.view = view;
    this.viewedAt = window.performance.now();
    this.showGame(true);
    const you = view.yours.length > 1 ? "both" : (view.yours[0] ?? "none");
    byId("you", HTMLElement).textContent = `${this.words[`you-${you}`]} ${this.aboutRules(view.rules)}`;
    for (const each of buttons("[data-action]")) {
      each.hidden = !view.others.includes(each.dataset["action"] ?? "");
    }
    for (const each of buttons("[data-seat]")) {
      each.hidden = view.seats[each.dataset["seat"] ?? ""] !== "free" || you !== "none";
    }
    byId("visitor-name", HTMLElement).hidden = buttons("[data-seat]").every((each) => each.hidden);
    const back = byId("undo", HTMLButtonElement);
    back.disabled = !view.can_undo;
    const undo = view.ending ? "undo-ended" : view.is_thinking && view.can_undo ? "stop" : "undo";
    back.textContent = this.words[undo] ?? "";
    byId("resign", HTMLButtonElement).disabled = view.ending !== null || you === "none";
    this.showOffers(view, you);
    this.showFailure(view);
    byId("invitation", HTMLElement).hidden =
      !this.isShared || !Object.values(view.seats).includes("free");
    byId("link", HTMLInputElement).value = location.href;
    if (!goesOn || this.cells.first === null) this.showBoard(view, isNews ? this.earlier : Infinity);
    const isTurn = view.yours.includes(view.table.seat_to_move) && you !== "both";
    this.keepView(view);
    document.title = isTurn ? `● ${this.words["your-turn"]} – ${NAME}` : NAME;
    if (isGone(held)) this.cells.focus();
    // Scroll to the result: a player who has resigned may be further down the page.
    if (hasEnded) this.state.scrollIntoView({ block: "nearest" });
  }

  /**
   * Play a short tone if sounds are on, and a different one at the end.
   *
   * @param {boolean} isEnd
   */
  sound(isEnd) {
    if (!this.sounds.checked) return;
    this.audio ??= new AudioContext();
    const { audio } = this;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const end = audio.currentTime + (isEnd ? 0.8 : 0.2);
    tone.frequency.value = isEnd ? 330 : 520;
    volume.gain.setValueAtTime(0.15, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(end);
  }

  /** The place of the earlier moment that is shown; infinite if the game is shown as it is now. */
  get earlier() {
    return this.replay?.line === 0 && !this.isNow ? this.replay.at : Infinity;
  }

  /** Whether the game is shown as it is now. */
  get isNow() {
    return this.replay === null || (this.replay.line === 0 && this.replay.at === this.replay.steps.length - 1);
  }

  /** Show the game as it is now, not an earlier moment or the end of a variation. */
  showNow() {
    this.replay?.pause();
    this.replay?.show(0, Infinity);
    this.step();
  }

  /**
   * @param {View} view
   * @param {number} at - the place of the moment to show
   */
  showBoard(view, at) {
    this.showScores(view);
    this.cells.show(view, this.words);
    byId("analysis", HTMLElement).hidden = !view.can_analyse;
    this.showMoments(view.moves, at);
    this.analysis.clear();
  }

  /**
   * @param {string} moves
   * @param {number} [at] - the place of the moment to show
   */
  showMoments(moves, at = Infinity) {
    this.replay?.pause();
    byId("moves", HTMLElement).innerHTML = moves;
    this.replay = new Replay(byId("game", HTMLElement), () => this.step());
    this.replay.show(0, at);
    this.step();
  }

  /**
   * Show the game with variations.
   *
   * @param {string} svg
   * @param {string} moves
   */
  showPicture(svg, moves) {
    this.cells.picture.innerHTML = svg;
    this.showMoments(moves);
  }

  /**
   * Show the last variation of an action.
   *
   * @param {number} ply
   */
  showBetter(ply) {
    const item = this.replay?.course(0)[ply]?.item;
    const first = [...(item?.querySelectorAll(":scope > .variation") ?? [])].at(-1)?.querySelector("li");
    if (first && this.replay?.showItem(first)) this.step();
  }

  /**
   * Show the buttons for a draw and for a rematch.
   *
   * @param {View} view
   * @param {string} you - the seat of the reader, `both` or `none`
   */
  showOffers(view, you) {
    const draw = byId("draw", HTMLButtonElement);
    const isAlone = Object.values(view.seats).some((name) => name !== "person");
    draw.hidden = view.ending !== null || you === "none" || (isAlone && you !== "both");
    draw.disabled = view.draw_offer === you;
    const isOffered = view.draw_offer !== null && view.draw_offer !== you;
    const word = you === "both" ? "draw-agree" : isOffered ? "draw-accept" : "draw";
    draw.textContent = this.words[word] ?? "";
    const rematch = byId("rematch", HTMLButtonElement);
    rematch.hidden = you === "none" || (view.ending === null && view.next === null);
    rematch.textContent = this.words[view.next ? "rematch-begun" : "rematch"] ?? "";
  }

  /**
   * Show the ways on if the computer has failed; the sentence on it belongs to the state.
   *
   * @param {View} view
   */
  showFailure({ failure, yours }) {
    byId("failed", HTMLElement).hidden = failure === null || yours.length === 0;
    // Another level could not save its move, either.
    byId("other-levels", HTMLElement).hidden = failure?.code === "computer-not-saved";
    const levels = [...this.opponent.options].filter((option) => option.value !== "none" && !option.disabled);
    const others = levels.map((option) => new Option(option.text, option.value));
    this.otherLevel.replaceChildren(new Option("…", ""), ...others);
  }

  /** Go to the rematch, with the same tokens. */
  async rematch() {
    const body = { version: this.view?.version ?? 0 };
    const { status, data } = await this.askGame("POST", "/rematch", { body });
    if (status !== 201) {
      this.refuse(data);
      return;
    }
    localStorage.setItem(`ponte-${data.id}`, this.token);
    location.hash = data.id;
  }

  /** @param {boolean} isShown */
  showNetworks(isShown) {
    this.networks.checked = isShown;
    byId("board", HTMLElement).classList.toggle("bare", !isShown);
  }

  /**
   * Return the sentences on the state of a game; a result begins with what it means for the user.
   *
   * @param {View} view
   */
  sentence(view) {
    const { last, state } = view.table.sentences;
    const wait = this.words[view.is_preparing ? "preparing" : "thinking"];
    const thinking = view.is_thinking ? wait : view.failure?.error;
    const offering = view.players[["first", "second"].indexOf(view.draw_offer ?? "")];
    const offer = offering && filled(this.words["draw-offered"] ?? "", { name: String(offering["name"]) });
    if (!view.ending) return [last, state, thinking, offer].filter(Boolean).join(" ");
    const [you, ...others] = view.yours;
    if (!you || others.length > 0) return view.sentence;
    const { winning_seat: winner } = view.table;
    const key = winner === null ? "drawn" : winner === you ? "won" : "lost";
    const points = view.players.map((player) => player["points"] ?? null);
    if (you === "second") points.reverse();
    const score = view.ending !== "scored" || points.includes(null) ? "." : ` ${points.join(" : ")}.`;
    return `${this.words[key]}${score} ${view.sentence}`;
  }

  /**
   * Return a sentence about rules.
   *
   * @param {string} rules
   */
  aboutRules(rules) {
    const [size = "", ...options] = rules.split(" ");
    const values = Object.fromEntries(options.map((option) => option.split("=")));
    for (const [key, value] of Object.entries(values)) {
      const words = value
        .split(",")
        .map(
          (/** @type {string} */ word) =>
            this.words[`tiebreak-${word}`] ?? this.words[word] ?? word,
        );
      values[key] = value === "none" ? this.words["no-tiebreaks"] : words.join(", ");
    }
    return filled(this.words["about-rules"] ?? "", { size: size.replace("x", "×"), ...values });
  }

  /** Show the summary of the rules. */
  async showRules() {
    const { status, data } = await this.ask("GET", "/rules", { query: this.query });
    if (status !== 200) {
      this.refuse(data);
      return;
    }
    byId("how-title", HTMLElement).textContent = data.title;
    const text = byId("how-text", HTMLElement);
    text.replaceChildren();
    for (const { heading, text: paragraph, boards } of data.sections) {
      const [head, body, pictures] = ["h3", "p", "div"].map((name) => document.createElement(name));
      if (!head || !body || !pictures) continue;
      head.textContent = heading;
      body.textContent = paragraph;
      pictures.innerHTML = boards.join("");
      text.append(head, body, pictures);
    }
    byId("how", HTMLDialogElement).showModal();
  }

  /** Show the sentence for the ply that is shown. */
  step() {
    const { replay, view } = this;
    if (!replay || !view) return;
    // The list is one Tab stop; within it, arrow keys move the focus.
    for (const link of document.querySelectorAll("#moves a")) {
      link.setAttribute("tabindex", link.hasAttribute("aria-current") ? "0" : "-1");
    }
    const { isNow } = this;
    this.cells.isNow = isNow;
    if (!isNow && this.cells.first !== null) this.cells.choose(null);
    else this.cells.draw();
    byId("board", HTMLElement).classList.toggle("past", !isNow);
    this.showPast(view, replay);
    this.analysis.step();
    this.state.textContent = isNow ? this.sentence(view) : (replay.item.dataset["say"] ?? "");
    for (const { side } of view.players) {
      for (const [name, kind] of [["islands", "island"], ["bridges", "bridge"]]) {
        const count = replay.shown(`.${kind}.${side}`).length;
        if (side) replay.write(`[data-color=${side}] .${name}`, String(count));
      }
    }
    for (const each of document.querySelectorAll("#scores .tiles_left, #supply")) {
      each.classList.toggle("unseen", !isNow);
    }
  }

  /**
   * Say over the board that an earlier moment is shown, and what has happened since it was chosen.
   *
   * @param {View} view
   * @param {Replay} replay
   */
  showPast(view, replay) {
    const back = byId("back", HTMLButtonElement);
    back.hidden = this.isNow;
    if (this.isNow) {
      this.seen = view.version;
      return;
    }
    const { version, sentence, ending, table } = view;
    const values = { turn: replay.item.dataset["turn"] ?? "", last: String(table.turn) };
    const news = version === this.seen ? "" : ending ? sentence : table.sentences.last;
    const where = filled(this.words["earlier"] ?? "", values);
    back.textContent = `${news || where} ${this.words["back"]}`;
  }

  /** @param {View} view */
  showScores(view) {
    const body = byId("scores", HTMLTableElement).tBodies[0];
    const isLimited = view.players.some((player) => (player["tiles_left"] ?? null) !== null);
    byId("tiles-left", HTMLElement).hidden = !isLimited;
    body?.replaceChildren(
      ...view.players.map((player, number) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        const seat = ["first", "second"][number] ?? "";
        const you = view.yours.length === 1 && view.yours[0] === seat ? ` (${this.words["you"]})` : "";
        head.textContent = [`${player["name"]}${you}`, player["color"]].filter(Boolean).join(", ");
        row.append(head);
        const clock = document.createElement("span");
        clock.dataset["clock"] = seat;
        clock.className = "clock";
        head.append(clock);
        row.dataset["color"] = String(player["side"] ?? "");
        const columns = ["worth", "networks", "islands", "bridges"];
        for (const key of isLimited ? [...columns, "tiles_left"] : columns) {
          const cell = row.insertCell();
          cell.className = key;
          cell.textContent = String(player[key] ?? "–");
        }
        return row;
      }),
    );
    this.showClocks();
    const { bridges_left: bridges } = view.table;
    const supply = bridges === null ? "" : filled(this.words["bridges-left"] ?? "", { count: bridges });
    byId("supply", HTMLElement).textContent = supply;
  }

  /** Show the current clocks; the server decides when a player has lost on time. */
  showClocks() {
    const { view } = this;
    if (!view || this.isLost) return;
    for (const each of document.querySelectorAll("[data-clock]")) {
      const seat = each.getAttribute("data-clock") ?? "";
      const isRunning = seat === view.running;
      const spent = isRunning ? (window.performance.now() - this.viewedAt) / 1000 : 0;
      const left = Math.max(0, (view.clocks[seat] ?? 0) - spent);
      each.textContent = seat in view.clocks ? clockText(left) : "";
      each.toggleAttribute("hidden", !(seat in view.clocks));
      each.classList.toggle("running", isRunning);
      each.classList.toggle("short", isRunning && left < SHORT_SECONDS);
      // Without a server that sends news, only a request ends the game.
      if (isRunning && left === 0 && !this.isShared) void this.alone(() => this.reload());
    }
  }

  // Clicking

  /**
   * Run one operation at a time: clicks in the meantime are not meant for its result.
   *
   * @param {() => Promise<void>} work
   */
  async alone(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.cells.table.ariaBusy = "true";
    try {
      await work();
    } finally {
      this.isBusy = false;
      this.cells.table.ariaBusy = "false";
    }
  }

  /** @param {string} cell */
  async click(cell) {
    this.say("");
    const { cells, view } = this;
    if (!cells.isNow) {
      this.showNow();
      return;
    }
    cells.blame([]);
    if (view?.others.includes("white")) {
      this.askForColor();
      return;
    }
    const { first } = cells;
    if (cell === first) {
      this.forget();
      return;
    }
    const second = first === null ? cells.after(cell) : [];
    if (second.length === 0 || !view?.clicks) {
      // The server knows the rules: it plays the action, or says why it cannot be played.
      await this.change("/actions", { cells: first === null ? [cell] : [first, cell] });
      return;
    }
    const isBridge = cells.bridgesFrom(cell).length > 0;
    cells.choose(cell, second);
    const names = new Intl.ListFormat(this.language.value, { type: "disjunction" });
    const values = { cell, ends: names.format(second) };
    this.state.textContent = filled(view.clicks[isBridge ? "bridge" : "tile"], values);
  }

  /** Say that a colour is to be chosen first, and where. */
  askForColor() {
    this.refuse({ error: this.words["choose-first"] ?? "" });
    const choices = byId("choices", HTMLElement);
    choices.classList.remove("asked");
    // Without this the animation would not start again.
    void choices.offsetWidth;
    choices.classList.add("asked");
  }

  /** Take the first click back. */
  forget() {
    if (this.cells.first === null || !this.view) return;
    this.cells.choose(null);
    this.step();
  }

  /**
   * Request a change, and show the result.
   *
   * @param {string} path
   * @param {object} [more]
   */
  async change(path, more = {}) {
    const view = this.view;
    const body = { version: view?.version ?? 0, ...more };
    const { status, data } = await this.askGame("POST", path, { body });
    // Meanwhile the user may have left the game, or the game may have gone on.
    if (this.view?.id !== view?.id) return;
    if (status === 200 && data.refused) {
      this.cells.blame(data.refused.violations ?? []);
      this.refuse(data.refused);
      return;
    }
    if (status === 200) {
      if (this.isNews(data)) this.show(data);
      return;
    }
    if (status === 409) await this.reload();
    this.refuse(data);
  }

  /** @param {string} seat */
  async sitDown(seat) {
    const request = `${this.id} ${seat}`;
    const name = this.visitor.value;
    localStorage.setItem("ponte-name", name);
    byId("name", HTMLInputElement).value = name;
    const body = { seat, name, key: this.keyOf(request) };
    const { status, data } = await this.askGame("POST", "/seats", { body });
    if (status === 201) {
      this.keys.delete(request);
      localStorage.setItem(`ponte-${this.id}`, data.token);
      this.show(data);
    } else {
      this.refuse(data);
    }
  }

  /** Ask for a confirmation. */
  askResign() {
    const isBoth = (this.view?.yours.length ?? 0) > 1;
    byId("sure-title", HTMLElement).textContent =
      this.words[isBoth ? "resign-who" : "resign-sure"] ?? "";
    for (const each of buttons("#sure button[value]")) {
      each.hidden = each.value !== "" && (each.value === "yes") === isBoth;
    }
    this.resignDialog.returnValue = "";
    this.resignDialog.showModal();
  }

  /** Undo; after the end only if the user is sure, because the result and its review would go. */
  async undo() {
    if (!this.view?.ending) {
      await this.change("/undo");
      return;
    }
    this.undoDialog.returnValue = "";
    this.undoDialog.showModal();
  }

  async resign() {
    const seat = this.resignDialog.returnValue;
    if (seat) await this.change("/resignation", seat === "yes" ? {} : { seat });
  }

  async saveRecord() {
    const { status, data } = await this.askGame("GET", "/record");
    if (status !== 200) {
      this.refuse(data);
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([data], { type: "text/plain" }));
    link.download = "ponte-del-diavolo.pdd";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async copyLink() {
    const link = byId("link", HTMLInputElement);
    link.select();
    // Browsers allow the clipboard only in secure contexts: not over HTTP in a local network.
    if (navigator.clipboard) await navigator.clipboard.writeText(link.value);
    else document.execCommand("copy");
    const button = byId("copy", HTMLButtonElement);
    // The message can be out of view.
    for (const each of [this.message, button]) each.textContent = this.words["copied"] ?? "";
    setTimeout(() => (button.textContent = this.words["copy"] ?? ""), RETRY);
  }

  async begin() {
    const text = byId("rules-text", HTMLInputElement).value;
    const minutes = byId("minutes", HTMLInputElement).valueAsNumber;
    const increment = byId("increment", HTMLInputElement).valueAsNumber || 0;
    const body = {
      ...(minutes ? { clock: `${Math.ceil(60 * minutes)}+${increment}` } : {}),
      rules: this.rules.value || text,
      start: this.setup.value,
      to_move: byId("to-move", HTMLSelectElement).value,
      opponent: this.opponent.value,
      seat: this.seat.value,
      name: this.seat.value === "both" ? "" : this.name,
    };
    const request = JSON.stringify(body);
    const { status, data } = await this.ask("POST", "/games", {
      body: { ...body, key: this.keyOf(request) },
      query: this.query,
    });
    const isBadStart = status !== 201 && data.field === "start";
    this.setup.setAttribute("aria-invalid", String(isBadStart));
    if (status !== 201) {
      this.refuse(data);
      if (isBadStart) this.setup.focus();
      return;
    }
    this.keys.delete(request);
    localStorage.setItem(`ponte-${data.id}`, data.token);
    localStorage.setItem("ponte-opponent", this.opponent.value);
    location.hash = data.id;
  }

  // The keyboard

  /**
   * Carry out a key. Where the focus is does not matter, except in dialogs and in fields, because
   * a click gives a button no focus in some browsers.
   *
   * @param {KeyboardEvent} event
   */
  press(event) {
    const { target, key } = event;
    const isFree = document.querySelector("dialog[open]") === null && this.view !== null;
    if (!isFree || event.altKey || event.ctrlKey || event.metaKey) return;
    const element = target instanceof Element ? target : document.body;
    const fields = "input:not([type=range], [type=checkbox]), select, textarea, [contenteditable]";
    if (element.matches(fields)) return;
    if (key === "Escape") {
      void this.alone(async () => this.forget());
      return;
    }
    const turn = { ",": "previous", ".": "next" }[key];
    if (turn) this.replay?.act(turn);
    else if (this.cells.table.contains(element)) this.cells.press(event);
    else if (element.closest("#moves")) this.replay?.press(event);
    else this.pressElsewhere(event);
  }

  /**
   * Step with the left and the right arrow key, where these have no other meaning.
   *
   * @param {KeyboardEvent} event
   */
  pressElsewhere(event) {
    const turn = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
    if (!turn) return;
    event.preventDefault();
    this.replay?.act(turn);
  }

  // Event listeners

  listen() {
    /** @type {(id: string, work: () => Promise<void>) => void} */
    const on = (id, work) => {
      byId(id, HTMLButtonElement).addEventListener("click", () => {
        this.say("");
        void this.alone(work);
      });
    };
    on("undo", () => this.undo());
    on("back", async () => this.showNow());
    on("draw", () => this.change("/draw"));
    on("rematch", () => this.rematch());
    on("try-again", () => this.change("/answer"));
    on("resign", async () => this.askResign());
    on("record", () => this.saveRecord());
    on("copy", () => this.copyLink());
    on("other-game", async () => {
      location.hash = "";
    });
    for (const each of buttons("[data-action]")) {
      each.addEventListener("click", () => {
        const action = each.dataset["action"];
        void this.alone(() => this.change("/actions", { action }));
      });
    }
    for (const each of buttons("[data-seat]")) {
      each.addEventListener("click", () => {
        void this.alone(() => this.sitDown(each.dataset["seat"] ?? ""));
      });
    }
    document.addEventListener("keydown", (event) => this.press(event));
    this.networks.addEventListener("change", () => this.showNetworks(this.networks.checked));
    this.sounds.addEventListener("change", () => {
      localStorage.setItem("ponte-sounds", String(this.sounds.checked));
    });
    this.listenToMoves();
    this.listenToChoices();
    this.listenToRules();
  }

  /** Offer the seats that can be taken against the chosen opponent. */
  offerSeats() {
    const isPerson = this.opponent.value === "none";
    for (const each of this.seat.options) {
      // If no other person can join, one person plays both seats.
      const isOffered = each.value === "both" ? isPerson : !isPerson || this.isShared;
      each.disabled = each.hidden = !isOffered;
    }
    if (this.seat.selectedOptions[0]?.disabled ?? true) this.seat.value = isPerson ? "both" : "first";
  }

  listenToMoves() {
    byId("moves", HTMLElement).addEventListener("click", (event) => {
      if (!(event.target instanceof Element)) return;
      const what = event.target.closest("[data-do]")?.getAttribute("data-do");
      if (what) this.replay?.act(what);
      const item = event.target.closest("a")?.closest("li");
      if (!item) return;
      event.preventDefault();
      if (this.replay?.showItem(item)) this.step();
    });
  }

  listenToRules() {
    this.rules.addEventListener("change", () => {
      for (const id of ["other", "sizes"]) byId(id, HTMLElement).hidden = this.rules.value !== "";
    });
    byId("sizes", HTMLElement).addEventListener("input", () => {
      /** @param {string} id */
      const number = (id) => byId(id, HTMLInputElement).value || "unlimited";
      const [columns, rows] = [number("columns"), number("rows")];
      const supply = `tiles=${number("tiles")} bridges=${number("bridges")}`;
      byId("rules-text", HTMLInputElement).value = `${columns}x${rows} ${supply} tiebreaks=islands,bridges`;
    });
    byId("name", HTMLInputElement).value = localStorage.getItem("ponte-name") ?? "";
    this.visitor.value = this.name;
    byId("name", HTMLInputElement).addEventListener("change", () => {
      localStorage.setItem("ponte-name", this.name);
      this.visitor.value = this.name;
    });
    byId("show-rules", HTMLButtonElement).addEventListener("click", () => void this.showRules());
  }

  listenToChoices() {
    this.resignDialog.addEventListener("close", () => void this.alone(() => this.resign()));
    this.undoDialog.addEventListener("close", () => {
      if (this.undoDialog.returnValue) void this.alone(() => this.change("/undo"));
    });
    byId("start", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.say("");
      void this.alone(() => this.begin());
    });
    const offerMover = () => {
      // The text of a state or a record contains the player to move.
      const text = this.setup.value.trim();
      byId("mover", HTMLElement).hidden = !text || /rows=|^[[({]|^\d+\./i.test(text);
    };
    this.setup.addEventListener("input", offerMover);
    byId("file", HTMLInputElement).addEventListener("change", async ({ target }) => {
      const file = target instanceof HTMLInputElement ? target.files?.[0] : null;
      if (!file) return;
      this.setup.value = await file.text();
      offerMover();
    });
    this.opponent.addEventListener("change", () => this.offerSeats());
    this.otherLevel.addEventListener("change", () => {
      const opponent = this.otherLevel.value;
      if (opponent) void this.alone(() => this.change("/answer", { opponent }));
    });
    this.language.addEventListener("change", async () => {
      localStorage.setItem("ponte-language", this.language.value);
      this.say("");
      await this.loadWords();
      await this.refresh();
    });
    addEventListener("hashchange", () => void this.arrive());
  }

  async open() {
    await this.loadWords();
    this.listen();
    window.setInterval(() => this.showClocks(), TICK);
    await this.arrive();
  }
}
