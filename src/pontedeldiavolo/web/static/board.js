// @ts-check
/**
 * The page: it shows the server's data, and sends a request for every action. It does not
 * implement the rules and draws no pictures.
 */

import { Analysis } from "./analysis.js";
import { Cards } from "./cards.js";
import { Cells, byId, filled } from "./cells.js";
import { Games } from "./games.js";
import { Invitation } from "./invitation.js";
import { Line } from "./line.js";
import { arrive, land, lightUp } from "./motion.js";
import { Moves, seatAt } from "./moves.js";
import { fillTile } from "./parts.js";
import { People } from "./people.js";
import { Replay } from "./replay.js";
import { showResult, titleOf } from "./result.js";
import { Rules } from "./rules.js";
import { Sounds, soundOf } from "./sounds.js";
import { Start } from "./start.js";
import { Tools } from "./tools.js";
import { changed } from "./view.js";

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").Answer} Answer */
/** @typedef {import("./transport.js").More} More */
/** @typedef {import("./cells.js").Shown} Shown */
/**
 * What the server says of a game besides its board.
 *
 * @typedef {{
 *   id: string,
 *   version: number,
 *   taken: number,
 *   people: string,
 *   names: Record<string, string | null>,
 *   clock: string | null,
 *   present: Record<string, boolean | null>,
 *   rules: string,
 *   ending: string | null,
 *   sentence: string,
 *   seats: Record<string, string>,
 *   yours: string[],
 *   clocks: Record<string, number>,
 *   running: string | null,
 *   can_analyse: boolean,
 *   can_undo: boolean,
 *   is_thinking: boolean,
 *   is_preparing: boolean,
 *   failure: {error: string, code: string, number: number} | null,
 *   draw_offer: string | null,
 *   undo_request: string | null,
 *   can_request_undo: boolean,
 *   declined: {what: string, seat: string} | null,
 *   thinking: {level: string, seconds: number, expected_seconds: number | null} | null,
 *   next: string | null,
 *   others: string[],
 *   players: Record<string, string | number | null>[],
 *   moves: string,
 * }} About
 */
/** @typedef {Shown & About} View */

const RETRY = 2000;
/** The shortest time between two requests for news if the first one has brought no new version. */
const PAUSE = 1000;
/** The number of such requests in a row that need no pause: people come, and then they move. */
const QUICK = 4;
const TICK = 200;
/** The shortest time in milliseconds between a move and the answer to it. */
const NEXT_MOVE = 400;
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
 * Return whether two views of a game have the same board and the same choices.
 *
 * @param {View} one
 * @param {View} other
 */
function isSame(one, other) {
  const areChoices = (one.clicks === null) === (other.clicks === null) && String(one.others) === String(other.others);
  return areChoices && one.moves === other.moves && one.ending === other.ending && String(one.yours) === String(other.yours);
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
    this.lostText = "";
    /** The language of the game that is shown. */
    this.shownIn = "";
    /**
     * The cells of an action that waits for a confirmation.
     *
     * @type {[string, string] | null}
     */
    this.pending = null;
    this.isBusy = false;
    /** The version of the game when it was last shown as it is now. */
    this.seen = 0;
    /** @type {Promise<void>} */
    this.clicks = Promise.resolve();
    /** @type {AbortController | null} */
    this.watching = null;
    // Two quick clicks are a pair: the second one waits for the response to the first.
    this.cells = new Cells((cell, isTouch) => {
      const position = this.position;
      this.clicks = this.clicks.then(async () => {
        // A third click was meant for the position before: not for the other player's turn.
        if (this.position === position) await this.alone(() => this.click(cell, isTouch));
      });
    });
    this.cards = new Cards(this.words);
    this.line = new Line(this);
    this.tools = new Tools(this);
    this.moves = new Moves();
    this.analysis = new Analysis(this);
    this.start = new Start(this);
    this.games = new Games(this);
    this.rules = new Rules(this);
    this.invitation = new Invitation(this);
    this.people = new People(this);
    this.language = byId("language", HTMLSelectElement);
    this.message = byId("message", HTMLElement);
    this.sounds = new Sounds();
    this.resignDialog = byId("sure", HTMLDialogElement);
    this.undoDialog = byId("undo-sure", HTMLDialogElement);
    const language = localStorage.getItem("ponte-language") ?? navigator.language.replace(/-.*/, "");
    this.language.replaceChildren(new Option(nameOf(language), language));
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

  /** The query parameters of every request. */
  get query() {
    return { lang: this.language.value };
  }

  /**
   * Say why something was refused: in the line of a game, or else above the page.
   *
   * @param {string} text - empty to say nothing any more
   */
  say(text) {
    this.message.textContent = this.view ? "" : text;
    this.line.refused = this.view ? text : "";
    this.line.show();
  }

  /**
   * Show why a request was refused.
   *
   * @param {{error?: string}} data - the response, if there is one
   */
  refuse({ error }) {
    this.say(error ?? this.words["unreachable"] ?? "");
    if (this.view) this.sounds.play("refused");
    (this.view ? this.line.box : this.message).scrollIntoView({ block: "nearest" });
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
    for (const each of document.querySelectorAll("[data-label]")) {
      this.tools.label(each, this.words[each.getAttribute("data-label") ?? ""] ?? "");
    }
    this.cards.words = this.words;
    this.start.offer(data.rules, data.levels);
    if (data.failure) this.say(data.failure.error);
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
    byId("front", HTMLElement).hidden = this.id !== "";
    if (id) await this.reload();
    // The user may have left the game meanwhile.
    if (id !== this.id) return;
    // For an unknown game, show only the form for another one.
    byId("front", HTMLElement).hidden = this.view !== null;
    void this.games.show();
    if (isGone(held)) (this.view ? this.cells : this.start).focus();
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

  /** Fetch the game, and show it. */
  async reload() {
    const { id } = this;
    const { status, data } = await this.askGame("GET", "");
    if (id !== this.id) return;
    if (status === 404) this.games.forget(id);
    if (status === 200) this.show(data);
    else this.refuse(data);
  }

  /** Wait for actions of others while this game is shown. */
  async watch() {
    const watching = new AbortController();
    this.watching?.abort();
    this.watching = watching;
    this.isLost = false;
    let idle = 0;
    for (;;) {
      // Browsers limit simultaneous requests to a server, so hidden windows must not use them.
      await visible();
      if (watching.signal.aborted || !this.view) return;
      const { version, taken, failure, people } = this.view;
      const failed = String(failure?.number ?? "");
      const seen = { after: String(version), taken: String(taken), failed, people };
      // After a lost connection, report at once that the server is back, even without news.
      const query = this.isLost ? {} : seen;
      const { status, data } = await this.askGame("GET", "", { query, signal: watching.signal });
      if (watching.signal.aborted) return;
      if (status === 200 && this.isNews(data)) this.show(data, true);
      // Two servers never agree on who is there, and a server may have an older version.
      idle = status === 200 && this.view.version <= version ? idle + 1 : 0;
      if (status === 200 || status === 204) {
        const wasLost = this.isLost;
        this.isLost = false;
        if (wasLost) {
          Object.assign(this.view, { clocks: data.clocks, running: data.running });
          this.viewedAt = window.performance.now();
          this.say("");
        }
      } else {
        this.isLost = true;
        this.lostText = data.error ?? this.words["unreachable"] ?? "";
        this.line.show();
      }
      const pause = this.isLost ? RETRY : idle > QUICK ? PAUSE : 0;
      if (pause) await new Promise((done) => setTimeout(done, pause));
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
    if (view.people !== old.people) return true;
    return view.taken > old.taken || view.failure?.number !== old.failure?.number;
  }

  /**
   * Show a view.
   *
   * @param {View} view
   * @param {boolean} [isNews] - whether others have caused it: then an earlier moment stays
   */
  show(view, isNews = false) {
    const held = document.activeElement;
    const old = this.view?.id === view.id ? this.view : null;
    const goesOn = old?.version === view.version;
    const hasEnded = view.ending !== null && old?.ending === null;
    if (!old || (view.ending && !old.ending)) this.tools.showNetworks(view.ending !== null);
    const shownFor = window.performance.now() - this.viewedAt;
    this.view = view;
    this.viewedAt = window.performance.now();
    if (!goesOn) {
      // What was said of the last version is not true of this one.
      this.line.refused = "";
    }
    this.showGame(true);
    this.message.textContent = "";
    this.showSeats(view);
    // If only people or offers have come or gone, the first click, the moment and the review stay.
    const { value: language } = this.language;
    const isSameBoard = language === this.shownIn && old !== null && isSame(old, view);
    this.shownIn = language;
    const { first, second } = this.cells;
    if (isSameBoard) this.showPeople(view);
    else this.showBoard(view, isNews ? this.earlier : Infinity);
    // In another language it is the same position, and the same click.
    if (!isSameBoard && goesOn && first !== null) this.cells.choose(first, second);
    this.line.show();
    this.games.keep(view);
    document.title = this.invitation.title || this.title(view);
    if (old && old.version < view.version) this.celebrate(old, view, shownFor);
    if (isGone(held)) this.cells.focus();
    // Scroll to the result: a player who has resigned may be further down the page.
    if (hasEnded) byId("result", HTMLElement).scrollIntoView({ block: "nearest" });
  }

  /**
   * Show what depends on the seat of the reader.
   *
   * @param {View} view
   */
  showSeats(view) {
    const you = view.yours.length > 1 ? "both" : (view.yours[0] ?? "none");
    byId("you", HTMLElement).textContent = `${this.words[`you-${you}`]} ${this.aboutRules(view.rules)}`;
    this.invitation.show(view);
    this.people.rename.hidden = you === "none";
    this.tools.show(view, you);
    this.showFailure(view);
    const rematch = byId("rematch", HTMLButtonElement);
    rematch.hidden = you === "none";
    byId("look-back", HTMLButtonElement).hidden = !view.can_analyse;
    rematch.textContent = this.words[view.next ? "rematch-begun" : "rematch"] ?? "";
  }

  /**
   * Show who plays and who is there.
   *
   * @param {View} view
   */
  showPeople(view) {
    this.cells.shown = view;
    this.cards.show(view, this.replay);
    if (this.replay) this.stepCards(view, this.replay);
    showResult(view, this.words, this.isNow);
    this.showClocks();
  }

  /**
   * Let the cards follow the moment that is shown.
   *
   * @param {View} view
   * @param {Replay} replay
   */
  stepCards(view, replay) {
    this.cards.step(replay, seatAt(view, replay), this.isNow && view.ending !== null);
  }

  /**
   * Return the title of the page.
   *
   * @param {View} view
   */
  title(view) {
    if (view.ending) return titleOf(view, this.words);
    const isTurn = view.yours.length === 1 && view.yours[0] === view.table.seat_to_move;
    return isTurn ? `● ${this.words["your-turn"]} – ${NAME}` : NAME;
  }

  /**
   * Let news be seen and heard.
   *
   * @param {View} old
   * @param {View} view
   * @param {number} shownFor - the milliseconds for which the old view was shown
   */
  celebrate(old, view, shownFor) {
    if (!this.isNow || !this.replay) return;
    const hasMoved = view.table.turn > old.table.turn;
    const isOthers = !view.yours.includes(old.table.seat_to_move);
    if (hasMoved) arrive(this.cells.picture, old.table.turn, isOthers ? Math.max(0, NEXT_MOVE - shownFor) : 0);
    if (view.ending && !old.ending) land(byId("result", HTMLElement), lightUp(this.replay));
    if (hasMoved || view.ending) this.sounds.play(soundOf(old, view));
    const isYourTurn = view.yours.length === 1 && view.yours[0] === view.table.seat_to_move;
    if (hasMoved && isYourTurn && !view.ending) this.sounds.play("turn", 0.25);
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
    this.moves.show(moves, this.words);
    this.replay = new Replay(byId("game", HTMLElement), () => this.step());
    if (this.view) this.cards.show(this.view, this.replay);
    this.replay.show(0, at);
    this.step();
    this.showClocks();
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
   * Show a moment of the game itself.
   *
   * @param {number} ply
   */
  showMoment(ply) {
    this.replay?.pause();
    this.replay?.show(0, ply);
    this.step();
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
   * Show the ways on if the computer has failed; the sentence on it belongs to the state.
   *
   * @param {View} view
   */
  showFailure({ failure, yours }) {
    byId("failed", HTMLElement).hidden = failure === null || yours.length === 0;
    // Another level could not save its move, either.
    byId("other-levels", HTMLElement).hidden = failure?.code === "computer-not-saved";
    const levels = this.start.levels.filter(({ isAvailable }) => isAvailable);
    const others = levels.map(({ name, text }) => new Option(text, name));
    this.otherLevel.replaceChildren(new Option(`${this.words["level"]} …`, ""), ...others);
  }

  /** Look for what was better in a game that has ended. */
  async lookBack() {
    byId("analysis", HTMLElement).scrollIntoView({ block: "nearest" });
    byId("review", HTMLButtonElement).click();
  }

  /**
   * Answer the offer of a draw, or the request to undo.
   *
   * @param {boolean} isAccepted
   */
  async answerOffer(isAccepted) {
    if (this.view?.undo_request) await this.change("/undo", { answer: isAccepted ? "accept" : "decline" });
    else await this.change("/draw", isAccepted ? {} : { answer: "decline" });
  }

  /** Decline the rematch that the other player has begun. */
  async declineRematch() {
    await this.change("/rematch", { answer: "decline" });
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

  /** Show all that belongs to the moment that is shown. */
  step() {
    const { replay, view, isNow } = this;
    if (!replay || !view) return;
    this.stepCards(view, replay);
    this.cells.placePoints(replay);
    this.cells.markPlayed([]);
    this.cells.isNow = isNow;
    if (!isNow && this.cells.first !== null) this.forget();
    else this.cells.draw();
    this.showPast(view, replay);
    this.tools.step();
    this.analysis.step();
    showResult(view, this.words, isNow);
    this.line.show();
    // The list has the room that the rest leaves to it.
    this.moves.step();
  }

  /**
   * Mark the board if it shows an earlier moment, and lead back to the game from there.
   *
   * @param {View} view
   * @param {Replay} replay
   */
  showPast(view, replay) {
    const { isNow } = this;
    if (isNow) this.seen = view.version;
    else {
      this.line.refused = "";
      this.cells.blame([]);
    }
    byId("board", HTMLElement).classList.toggle("past", !isNow);
    byId("status", HTMLElement).classList.toggle("past", !isNow);
    const back = byId("back", HTMLButtonElement);
    back.hidden = isNow;
    const text = this.words[view.ending ? "back-to-end" : "back-to-game"] ?? "";
    const values = { turn: replay.item.dataset["turn"] ?? "" };
    const label = back.querySelector("span");
    if (label) label.textContent = filled(text, values);
  }

  /** Show the current clocks; the server decides when a player has lost on time. */
  showClocks() {
    const { view } = this;
    if (!view || this.isLost) return;
    const spent = (window.performance.now() - this.viewedAt) / 1000;
    const isUp = this.cards.tick(view, spent, () => this.sounds.play("tick"));
    // Without a server that sends news, only a request ends the game.
    if (isUp && !this.isShared) void this.alone(() => this.reload());
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

  /**
   * @param {string} cell
   * @param {boolean} [isTouch] - whether a finger has clicked it
   */
  async click(cell, isTouch = false) {
    this.say("");
    const { cells, view, pending } = this;
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
    if (pending?.[1] === cell) {
      await this.place();
      return;
    }
    if (cell === first) {
      this.forget();
      return;
    }
    const second = cells.after(cell);
    const isOther = first !== null && !cells.second.includes(cell) && cells.bridgesFrom(cell).length > 0;
    if (view?.clicks && second.length > 0 && (first === null || isOther)) {
      this.pending = null;
      cells.choose(cell, second);
      this.line.show();
      return;
    }
    if (first !== null && cells.second.includes(cell) && isTouch && cells.areSmall && this.tools.confirm.checked) {
      this.pending = [first, cell];
      cells.hold(cell);
      this.line.show();
      return;
    }
    // The server knows the rules: it plays the action, or says why it cannot be played.
    await this.change("/actions", { cells: first === null ? [cell] : [first, cell] });
  }

  /** Play the action that waits for a confirmation. */
  async place() {
    const { pending } = this;
    this.pending = null;
    if (pending) await this.change("/actions", { cells: pending });
  }

  /** Say that a colour is to be chosen first, and where. */
  askForColor() {
    const choices = byId("choices", HTMLElement);
    this.refuse({ error: this.words["choose-first"] ?? "" });
    choices.classList.remove("asked");
    // Without this the animation would not start again.
    void choices.offsetWidth;
    choices.classList.add("asked");
  }

  /** Take the first click back. */
  forget() {
    this.pending = null;
    if (this.cells.first === null || !this.view) return;
    this.cells.choose(null);
    this.line.show();
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
      const isAsked = !this.view?.can_undo && this.view?.can_request_undo;
      await this.change("/undo", isAsked ? { answer: "ask" } : {});
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
    for (const each of [byId("note", HTMLElement), button]) each.textContent = this.words["copied"] ?? "";
    setTimeout(() => (button.textContent = this.words["copy"] ?? ""), RETRY);
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
    on("undo-ended", () => this.undo());
    on("another", async () => {
      location.hash = "";
    });
    on("look-back", async () => this.lookBack());
    on("rematch", () => this.rematch());
    on("decline-rematch", () => this.declineRematch());
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
    /** @type {Record<string, () => Promise<void>>} */
    const acts = {
      forget: async () => this.forget(),
      place: () => this.place(),
      decline: () => this.answerOffer(false),
      accept: () => this.answerOffer(true),
      now: async () => this.showNow(),
    };
    for (const each of buttons("[data-act]")) {
      each.addEventListener("click", () => void this.alone(acts[each.dataset["act"] ?? ""] ?? (async () => {})));
    }
    document.addEventListener("keydown", (event) => this.press(event));
    this.listenToMoves();
    this.listenToChoices();
    for (const each of [this.start, this.games, this.rules, this.invitation, this.people]) each.listen();
  }

  listenToMoves() {
    byId("moves", HTMLElement).addEventListener("click", (event) => {
      if (!(event.target instanceof Element)) return;
      const item = event.target.closest("a")?.closest("li");
      if (!item) return;
      event.preventDefault();
      if (this.replay?.showItem(item)) this.step();
    });
  }

  listenToChoices() {
    this.resignDialog.addEventListener("close", () => void this.alone(() => this.resign()));
    this.undoDialog.addEventListener("close", () => {
      if (this.undoDialog.returnValue) void this.alone(() => this.change("/undo"));
    });
    this.otherLevel.addEventListener("change", () => {
      const opponent = this.otherLevel.value;
      if (opponent) void this.alone(() => this.change("/answer", { opponent }));
    });
    this.language.addEventListener("change", async () => {
      localStorage.setItem("ponte-language", this.language.value);
      this.say("");
      await this.loadWords();
      await this.refresh();
      if (!this.view) void this.games.show();
    });
    addEventListener("hashchange", () => void this.arrive());
  }

  async open() {
    document.querySelectorAll("svg.tile").forEach(fillTile);
    await this.loadWords();
    this.listen();
    window.setInterval(() => this.showClocks(), TICK);
    await this.arrive();
  }
}
