// @ts-check
/**
 * The page: it shows the server's data, and sends a request for every action. It does not
 * implement the rules and draws no pictures.
 */

import { Analysis } from "./analysis.js";
import { Cards } from "./cards.js";
import { Cells } from "./cells.js";
import { Clicks } from "./clicks.js";
import { Games } from "./games.js";
import { Invitation } from "./invitation.js";
import { press, watchFocus } from "./keys.js";
import { Languages } from "./languages.js";
import { Line } from "./line.js";
import { Moments } from "./moments.js";
import { NEXT_MOVE, arrive, countUp, fadeRings, land, lightUp } from "./motion.js";
import { Moves, seatAt } from "./moves.js";
import { News, RETRY } from "./news.js";
import { Notifications } from "./notifications.js";
import { buttons, byId, fillTile, filled } from "./dom.js";
import { People } from "./people.js";
import { Questions } from "./questions.js";
import { showResult, titleOf } from "./result.js";
import { Rules } from "./rules.js";
import { Share, partsOfAddress } from "./share.js";
import { Sounds, soundOf } from "./sounds.js";
import { Start } from "./start.js";
import { Theme } from "./theme.js";
import { Tools } from "./tools.js";
import { Trial } from "./trial.js";
import { SEATS, isNewer, isSame, isYourTurn, keepChange, keptChange, nextView } from "./view.js";

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").ServerResponse} ServerResponse */
/** @typedef {import("./transport.js").RequestOptions} RequestOptions */
/** @typedef {import("./view.js").View} View */

/** The statuses of responses after which the next one may be another: none, or one of a busy server. */
const UNAVAILABLE = new Set([0, 502, 503, 504]);
/** Fields of a view on which a refusal may rest; when one changes, its sentence is removed. */
const REFUSAL_GROUNDS = /** @type {const} */ (["version", "yours", "seats", "names", "can_give_time", "failure"]);
/** The milliseconds between two looks at the clocks. */
const TICK = 200;
const NAME = "Ponte del Diavolo";

/** Return a new secret: the key of a request. */
function newKey() {
  const bytes = window.crypto.getRandomValues(new Uint8Array(24));
  return window.btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
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
 * Return whether an error only says that the reader has left the game that an operation was about.
 *
 * @param {unknown} error
 */
function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * Return all that a refusal may say something of.
 *
 * @param {View} view
 */
function groundsOf(view) {
  return JSON.stringify(REFUSAL_GROUNDS.map((name) => view[name]));
}

/**
 * Return a response about a game; none if it is a page of something between the browser and the
 * server, such as the login of a network: the server sends no text with this status.
 *
 * @param {ServerResponse} response
 * @returns {ServerResponse}
 */
function ofServer(response) {
  return response.status === 200 && typeof response.data === "string" ? { status: 0, data: {} } : response;
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
  /** @type {Record<string, string>} */
  words = {};
  /** @type {View | null} */
  view = null;
  /** The time at which the view arrived, for the clocks. */
  viewedAt = 0;
  isBusy = false;
  /** The time at which the page has said that a request got no response; 0 if it does not say so. */
  unansweredAt = 0;
  /** The operation that runs, or ran last. @type {Promise<unknown>} */
  running = Promise.resolve();
  /** Ends the requests about a game, and the operation that waits for them, when the reader leaves it. */
  leaving = new AbortController();
  message = byId("message", HTMLElement);

  /**
   * @param {Transport} request
   * @param {boolean} [isShared] - whether other browsers can see its games
   */
  constructor(request, isShared = true) {
    this.request = request;
    this.isShared = isShared;
    this.clicks = new Clicks(this);
    this.cells = new Cells(
      (cell, event, isTouch) => this.clicks.add(cell, event, isTouch),
      () => this.moments.isNow,
      () => this.statusLine.show(),
    );
    this.cards = new Cards(this.words);
    this.statusLine = new Line(this);
    this.tools = new Tools(this);
    this.moves = new Moves();
    this.moments = new Moments(this);
    this.news = new News(this);
    this.analysis = new Analysis(this);
    this.start = new Start(this);
    this.games = new Games(this);
    this.rules = new Rules(this);
    this.invitation = new Invitation(this);
    this.people = new People(this);
    this.share = new Share(this);
    this.trial = new Trial(this);
    this.questions = new Questions(this);
    this.languages = new Languages();
    this.sounds = new Sounds();
    this.notifications = new Notifications(this);
    this.theme = new Theme();
  }

  /** The ID of the game in the page's URL. */
  get gameId() {
    return partsOfAddress(location.hash)[0];
  }

  get token() {
    return localStorage.getItem(`ponte-${this.gameId}`) ?? "";
  }

  /** What identifies the board that is shown: clicks are meant for it. */
  get boardShown() {
    return { view: this.view, triedCount: this.trial.lines.tried.length, isNow: this.moments.isNow };
  }

  /**
   * Return whether the board still shows what it has shown: a click means the same, and a refusal
   * is still true. Offers may have come and gone, and the language may be another one.
   *
   * @param {{view: View | null, triedCount: number, isNow: boolean}} before
   */
  isStillShown({ view, triedCount, isNow }) {
    if (view === null || this.view === null || view.id !== this.view.id) return false;
    if (triedCount !== this.trial.lines.tried.length || isNow !== this.moments.isNow) return false;
    return view.version === this.view.version || isSame(view, this.view);
  }

  /** The view of the game itself: the board may show moves that are tried beside it. */
  get game() {
    return this.trial.game ?? this.view;
  }

  /** The query parameters of every request. */
  get query() {
    return { lang: this.languages.code };
  }

  /**
   * Show a message, such as why something was refused: in the line of a game, or else above the page.
   *
   * @param {string} text - empty to remove the message
   * @param {string} [reason] - the longer reason, if there is one
   * @param {import("./cells.js").Violation[]} [violations] - those whose cells are marked until the next message
   */
  showMessage(text, reason = "", violations = []) {
    this.message.textContent = this.view ? "" : text;
    this.statusLine.refused = this.view ? text : "";
    this.statusLine.reason = reason;
    this.unansweredAt = 0;
    this.cells.blame(violations);
    this.statusLine.show();
  }

  /** Forget why something was refused, and remove its marks from the board. */
  forgetRefusal() {
    this.statusLine.refused = "";
    this.statusLine.reason = "";
    this.cells.blame([]);
  }

  /**
   * Show why a request was refused.
   *
   * @param {{error?: string, violations?: import("./cells.js").Violation[]}} data - the response, if there is one
   */
  refuse({ error, violations = [] }) {
    const [first] = violations;
    const short = first && this.words[`refused-${first.code}`];
    const whole = error ?? this.words["no-response"] ?? "";
    // The marks explain the short sentence: they are on the cells that the longer one names.
    this.showMessage(short ?? whole, short ? whole : "", violations);
    if (error === undefined) this.unansweredAt = window.performance.now();
    if (this.view) this.sounds.play("refused");
    (this.view ? this.statusLine.box : this.message).scrollIntoView({ block: "nearest" });
  }

  /**
   * Report a fault of the page itself, and let it go on. This never throws.
   *
   * @param {unknown} error
   */
  fail(error) {
    if (isAbort(error)) return;
    console.error(error);
    const text = filled(this.words["page-failed"] ?? "{error}", { error: String(error) });
    try {
      this.showMessage(text);
    } catch (other) {
      console.error(other);
      // Above the page, a message needs nothing else.
      this.message.textContent = text;
    }
  }

  // Requests

  /**
   * Send a request about the game that is shown; changes of the game become views. If the reader
   * leaves the game meanwhile, this throws an `AbortError`, so that nothing follows.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options] - with a signal of its own, the request ends with that one
   * @returns {Promise<ServerResponse>}
   */
  async requestGame(method, path, options = {}) {
    const { signal } = this.leaving;
    const response = await this.requestView(method, path, { signal, ...options });
    if (!options.signal) signal.throwIfAborted();
    return response;
  }

  /**
   * Send a request about the game that is shown; changes of the game become views.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions & {signal: AbortSignal}} options
   * @returns {Promise<ServerResponse>}
   */
  async requestView(method, path, options) {
    const { token } = this;
    const { signal } = options;
    const game = `/games/${encodeURIComponent(this.gameId)}`;
    const query = { ...this.query, ...options.query };
    const sent = await this.request(method, `${game}${path}`, { ...options, query, token });
    // Only records and pictures are text.
    const response = method === "GET" && path ? sent : ofServer(sent);
    if (!response.data?.plies) return response;
    const view = nextView(this.game, response.data);
    if (view !== null) return { ...response, data: view };
    // The page has missed a version, or has another language now.
    const get = async () => ofServer(await this.request("GET", game, { query: this.query, token, signal }));
    let whole = await get();
    // A change was made, so the reader must not be told to try again: only its result is missing.
    while (method !== "GET" && UNAVAILABLE.has(whole.status) && !signal.aborted) {
      await new Promise((done) => setTimeout(done, RETRY));
      whole = await get();
    }
    return whole.status === 200 ? { ...response, data: nextView(null, whole.data) } : whole;
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

  /**
   * Request a change, and show the result.
   *
   * @param {string} path
   * @param {object} [more]
   * @returns {Promise<boolean>} whether the change was made
   */
  async sendChange(path, more = {}) {
    if (this.trial.isOn) return this.trial.change(path, more);
    const { view } = this;
    const body = { version: view?.version ?? 0, ...more };
    const response = await this.requestChange(path, body);
    if (response === null) return false;
    const { status, data } = response;
    if (status === 204) {
      // It was aborted.
      this.games.forget(this.gameId);
      await this.goToStart();
      return true;
    }
    if (status === 201) {
      this.goToRematch(data.id);
      return true;
    }
    if (status !== 200) {
      await this.reloadAndRefuse(status, data);
      return false;
    }
    const isInNews = this.view !== view && data.version <= (this.view?.version ?? 0);
    // News already shows this version or a newer one; keep it: it also knows who has come since.
    if (!isInNews && isNewer(view, data)) this.show(data);
    // News leaves an earlier moment on the board; the reader's own change leads to the present.
    else if (view && this.view && !isSame(view, this.view) && !this.moments.isNow) this.moments.showNow();
    return true;
  }

  /**
   * Request a change, and show why the action is refused if it is.
   *
   * @param {string} path
   * @param {object} body
   * @returns {Promise<ServerResponse | null>} the response; `null` after a refused action
   */
  async requestChange(path, body) {
    const { boardShown, query } = this;
    const response = await this.requestGame("POST", path, { body });
    const { status, data } = response;
    const isRefused = Boolean(data.refused);
    if (!isRefused && (status < 400 || status >= 500)) return response;
    await this.languages.changing;
    // The sentence and the marks say nothing about another board than the one that was clicked.
    if (isRefused && !this.isStillShown(boardShown)) return null;
    // The sentence is in the language before: as nothing was changed, it can be asked for again.
    if (query.lang !== this.languages.code) return this.requestChange(path, body);
    if (!isRefused) return response;
    this.refuse(data.refused);
    return null;
  }

  /**
   * Show why a change was refused. If the game has gone on, show it before.
   *
   * @param {number} status
   * @param {{error?: string}} data
   */
  async reloadAndRefuse(status, data) {
    // If the game cannot be shown, the reader must read why.
    if (status === 409 && (await this.reload()) !== null) return;
    this.refuse(data);
  }

  /**
   * Run an operation; drop it if another one is running, whose result the user has not seen yet.
   *
   * @param {() => Promise<unknown>} work
   */
  async runUnlessBusy(work) {
    const { signal } = this.leaving;
    // A click during a change of the language is meant for the same position.
    await this.languages.changing;
    if (!this.isBusy && !signal.aborted) await this.run(work);
  }

  /**
   * Run an operation as soon as no other one is running: a click on a cell, or an answer given in
   * a dialog. Drop it if the reader has left the game by then.
   *
   * @param {() => Promise<unknown>} work
   * @param {() => boolean} [isMeant] - whether it is still to be run then
   */
  async runWhenIdle(work, isMeant = () => true) {
    const { signal } = this.leaving;
    await this.languages.changing;
    while (this.isBusy && !signal.aborted) await this.running.catch(() => {});
    if (!signal.aborted && isMeant()) await this.run(work);
  }

  /**
   * Run an operation, and let the page be busy until it ends or the reader leaves the game. The
   * sentence of an earlier refusal is removed.
   *
   * @param {() => Promise<unknown>} work
   */
  async run(work) {
    const { signal } = this.leaving;
    const carryOut = async () => {
      try {
        this.showMessage("");
        this.cells.table.ariaBusy = "true";
        // On a page without a server, the computer chooses its move before the response comes.
        this.statusLine.beginWait();
        await work();
      } finally {
        if (!signal.aborted) this.becomeIdle();
      }
    };
    this.isBusy = true;
    this.running = carryOut();
    await this.running;
  }

  /** Be ready for the next operation. */
  becomeIdle() {
    this.isBusy = false;
    this.cells.table.ariaBusy = "false";
    this.statusLine.show();
  }

  /**
   * Load the words of the chosen language, and write them on the page.
   *
   * @returns {Promise<boolean>} whether they have come
   */
  async loadWords() {
    const { status, data } = await this.request("GET", "/words", { query: this.query });
    if (status !== 200) {
      this.showMessage(this.words["no-response"] ?? "The server cannot be reached. Load the page again.");
      return false;
    }
    this.words = data.words;
    this.cards.words = this.words;
    this.languages.show(data.languages, this.words);
    this.start.offer(data.rules, data.levels);
    this.share.obstacle = data.no_animation;
    if (data.failure) this.showMessage(data.failure.error);
    return true;
  }

  // Showing

  /** Show the game in the page's URL, or else the form for a new game. */
  async openAddress() {
    const [id, ply] = partsOfAddress(location.hash);
    if (this.view?.id === id && ply !== null) {
      this.moments.show(ply);
      return;
    }
    const held = document.activeElement;
    this.leaving.abort();
    this.leaving = new AbortController();
    this.news.stop();
    this.trial.drop();
    this.view = null;
    this.analysis.discard();
    this.showMessage("");
    if (!document.hidden) this.notifications.forget();
    this.becomeIdle();
    this.showGame(false);
    byId("front", HTMLElement).hidden = this.gameId !== "";
    if (id) await this.reload();
    // The user may have left the game meanwhile.
    if (id !== this.gameId) return;
    // For an unknown game, show only the form for another one.
    byId("front", HTMLElement).hidden = this.view !== null;
    void this.games.show();
    if (this.view && ply !== null) this.moments.show(ply);
    if (isGone(held)) (this.view ? this.cells : this.start).focus();
    if (this.view) void this.news.watch();
  }

  /** Show the page in the language that has been chosen. */
  async changeLanguage() {
    this.showMessage("");
    this.start.forgetRefusal();
    this.cells.table.ariaBusy = "true";
    try {
      if (!(await this.loadWords())) {
        this.languages.keep();
        return;
      }
      await this.refresh();
      if (!this.view) void this.games.show();
    } catch (error) {
      this.fail(error);
    } finally {
      this.cells.table.ariaBusy = String(this.isBusy);
    }
  }

  /** Show the same game in another language. */
  async refresh() {
    if (!this.view) return;
    // The response to the waiting request would be in the old language.
    this.news.stop();
    const failure = this.trial.isOn ? await this.trial.translate() : await this.translate();
    void this.news.watch(failure);
  }

  /**
   * Show the game in the chosen language, with its analysis.
   *
   * @returns {Promise<{error?: string} | null>} why this has failed, if it has
   */
  async translate() {
    await this.analysis.renew();
    this.analysis.hold();
    const failure = await this.reload();
    this.analysis.resume();
    return failure;
  }

  /** @param {boolean} isShown */
  showGame(isShown) {
    byId("game", HTMLElement).hidden = !isShown;
    byId("main", HTMLElement).classList.toggle("playing", isShown);
  }

  /**
   * Fetch the game, and show it.
   *
   * @returns {Promise<{error?: string} | null>} why it cannot be shown, if it cannot
   */
  async reload() {
    const id = this.gameId;
    let { status, data } = await this.requestGame("GET", "");
    // If the response to another request has overtaken this one, ask again.
    if (status === 200 && this.view?.id === id && this.view.version > data.version) {
      ({ status, data } = await this.requestGame("GET", ""));
    }
    if (status === 404) this.games.forget(id);
    if (status !== 200) {
      this.refuse(data);
      return data;
    }
    this.show(data);
    return null;
  }

  /**
   * Show a view.
   *
   * @param {View} view
   * @param {boolean} [keepsMoment] - whether an earlier moment stays on the board if it is shown
   */
  show(view, keepsMoment = false) {
    const held = document.activeElement;
    const old = this.view?.id === view.id ? this.view : null;
    const isSameVersion = old?.version === view.version;
    const hasEnded = view.ending !== null && old?.ending === null;
    if (!old || (view.ending && !old.ending)) this.tools.showNetworks(view.ending !== null);
    const shownFor = window.performance.now() - this.viewedAt;
    this.view = view;
    this.viewedAt = window.performance.now();
    if (!old || groundsOf(old) !== groundsOf(view)) this.forgetRefusal();
    this.statusLine.note(old, view);
    // A reload forgets what has been said, and the reader may not have seen it.
    if (old) keepChange(view, this.statusLine.change);
    else this.statusLine.change = keptChange(view);
    this.showGame(true);
    this.message.textContent = "";
    this.showSeats(view);
    // If only people or offers have come or gone, the first click, the moment and the review stay.
    const isSameBoard = old !== null && old.language === view.language && isSame(old, view);
    const { firstClick, secondTargets, unconfirmedCell } = this.cells;
    if (isSameBoard) this.showPeople(view, old);
    else this.showBoard(view, keepsMoment ? this.moments.earlier : Infinity);
    // In another language it is the same position, with the same clicks.
    if (!isSameBoard && isSameVersion && firstClick !== null) {
      this.cells.choose(firstClick, secondTargets);
      this.cells.showUnconfirmed(unconfirmedCell);
    }
    this.statusLine.show();
    this.games.keep(view);
    this.showTitle();
    if (old) this.notifications.tell(old, view);
    if (old && old.version < view.version) this.celebrate(old, view, shownFor);
    if (isGone(held)) this.cells.focus();
    // Scroll to the result: a player who has resigned may be further down the page.
    if (hasEnded) byId("result", HTMLElement).scrollIntoView({ block: "nearest" });
    // The other player has accepted the rematch.
    if (old?.rematch_request && old.rematch_request === view.yours[0] && view.rematch_id) this.goToRematch(view.rematch_id);
  }

  /**
   * Show what depends on the seat of the reader.
   *
   * @param {View} view
   */
  showSeats(view) {
    const you = view.yours.length > 1 ? "both" : (view.yours[0] ?? "none");
    this.invitation.show(view);
    this.people.rename.hidden = you === "none";
    this.tools.show(view, you);
    this.trial.offer(view);
    this.statusLine.showFailure(view);
    byId("look-back", HTMLButtonElement).hidden = !view.can_analyse;
  }

  /**
   * Show who plays and who is there.
   *
   * @param {View} view
   * @param {View} old
   */
  showPeople(view, old) {
    this.cells.view = view;
    // A new name is written into the list, too, unless a review is there.
    if (view.movesHtml !== old.movesHtml && !this.analysis.whole) this.moments.open(view.movesHtml, this.moments.earlier);
    else this.cards.show(view, this.trial.game ?? view);
    this.moments.see(view);
    this.showCards(view);
    showResult(view, this.words, this.moments.isNow, this.statusLine.change);
    this.showClocks();
    const given = SEATS.filter((seat) => (view.given_seconds[seat] ?? 0) > (old.given_seconds[seat] ?? 0));
    for (const seat of given) this.cards.stress(seat);
  }

  /**
   * Show the points and the turn of the moment on the cards.
   *
   * @param {View} view
   */
  showCards(view) {
    const { replay, isNow } = this.moments;
    if (replay) this.cards.showMoment(replay, seatAt(view, replay), isNow && view.ending !== null);
  }

  /** Show the title of the page: what has happened unseen, or else what the page shows. */
  showTitle() {
    const { view } = this;
    const { news } = this.notifications;
    if (news) document.title = `● ${news} – ${NAME}`;
    else if (this.trial.isOn) document.title = `${this.words["trial"]} – ${NAME}`;
    else document.title = view ? this.invitation.title || this.title(view) : NAME;
  }

  /**
   * Return the title of the page of a game.
   *
   * @param {View} view
   */
  title(view) {
    if (view.ending) return titleOf(view, this.words);
    return isYourTurn(view) ? `● ${this.words["your-turn"]} – ${NAME}` : NAME;
  }

  /**
   * Let news be seen and heard.
   *
   * @param {View} old
   * @param {View} view
   * @param {number} shownFor - the milliseconds for which the old view was shown
   */
  celebrate(old, view, shownFor) {
    const { replay, isNow } = this.moments;
    const hasMoved = view.snapshot.turn > old.snapshot.turn;
    if (hasMoved && isYourTurn(view) && !view.ending) this.sounds.play("turn", isNow ? 0.25 : 0);
    if (!isNow || !replay) return;
    const isOthers = !view.yours.includes(old.snapshot.seat_to_move);
    if (hasMoved) {
      arrive(this.cells.picture, old.snapshot.turn, isOthers ? Math.max(0, NEXT_MOVE - shownFor) : 0);
      fadeRings(replay, old.snapshot.turn);
    }
    if (view.ending && !old.ending) {
      const lasts = lightUp(replay);
      countUp(byId("score", HTMLElement), lasts);
      land(byId("result", HTMLElement), lasts);
    }
    if (hasMoved || view.ending) this.sounds.play(soundOf(old, view));
  }

  /**
   * Show the board and the list of moves, from which the moments are read: the one at a place is
   * then shown, with all that belongs to it.
   *
   * @param {View} view
   * @param {number} at - the place of the moment to show
   */
  showBoard(view, at) {
    this.cells.show(view, this.words);
    byId("analysis", HTMLElement).hidden = !view.can_analyse;
    this.moments.open(view.movesHtml, at);
    this.analysis.clear();
  }

  /**
   * Show the game with variations.
   *
   * @param {string} svg
   * @param {string} moves
   */
  showPicture(svg, moves) {
    this.cells.picture.innerHTML = svg;
    this.moments.open(moves);
  }

  /** Show all that belongs to the moment that is shown. */
  showMoment() {
    const { view } = this;
    const { replay, isNow } = this.moments;
    if (!replay || !view) return;
    this.showCards(view);
    this.cells.placePoints(replay);
    this.cells.markLine([], []);
    this.analysis.reviewed.forgetChoice();
    if (!isNow && this.cells.firstClick !== null) this.clicks.forget();
    else this.cells.drawGhosts();
    this.moments.mark(view);
    this.tools.showMoment();
    this.analysis.showMoment();
    showResult(view, this.words, isNow, this.statusLine.change);
    this.statusLine.show();
    // The height that is left for the list is known only now.
    this.moves.showMoment();
  }

  /** Show how much time has passed. */
  tick() {
    this.showClocks();
    for (const each of [this.statusLine.progress, this.analysis.progress]) each.tick(this.words);
  }

  /** Show the current clocks; the server decides when a player has lost on time. */
  showClocks() {
    const { view } = this;
    if (!view || this.news.isLost) return;
    const spent = (window.performance.now() - this.viewedAt) / 1000;
    const isUp = this.cards.tick(view, spent, () => this.sounds.play("tick"));
    // Without a server that sends news, only a request ends the game.
    if (isUp && !this.isShared) void this.runUnlessBusy(() => this.reload());
  }

  // What buttons do

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
    const isUndo = Boolean(this.view?.undo_request);
    const answer = isUndo || !isAccepted ? { answer: isAccepted ? "accept" : "decline" } : {};
    await this.sendChange(isUndo ? "/undo" : "/draw", answer);
  }

  /** Withdraw the offer of a draw, or the request to undo. */
  async withdraw() {
    await this.sendChange(this.view?.undo_request ? "/undo" : "/draw", { answer: "withdraw" });
  }

  /** Delete the variation that is shown: from the record, or from the own moves, where undoing brings it back. */
  async askToDrop() {
    const { moments, questions, trial } = this;
    if (trial.isOn) await trial.forget();
    else if (moments.canDrop) questions.ask("drop", () => this.drop(moments.all, moments.ownPly));
  }

  /**
   * Delete a variation from the record, and show where it began.
   *
   * @param {string[]} line - its actions from the start of the game
   * @param {number} ply
   */
  async drop(line, ply) {
    const { analysis, moments } = this;
    analysis.hold();
    await this.sendChange("/variations/removal", { line });
    await analysis.renew();
    analysis.resume();
    moments.show(ply);
  }

  /** Go to the rematch, ask for one, or accept it. */
  async rematch() {
    if (this.view?.rematch_id) this.goToRematch(this.view.rematch_id);
    else await this.sendChange("/rematch");
  }

  /** @param {string} id - of the rematch */
  goToRematch(id) {
    if (this.view) this.games.keepRematch(this.view, id);
    location.hash = id;
  }

  async goToStart() {
    location.hash = "";
  }

  listen() {
    /** What buttons do, by their IDs. */
    const works = /** @type {Record<string, () => Promise<unknown>>} */ ({
      undo: () => this.questions.undo(),
      "undo-ended": () => this.questions.undo(),
      resign: async () => this.questions.askResign(),
      uninvite: async () => this.questions.askResign(),
      draw: () => this.sendChange("/draw"),
      back: async () => this.moments.showNow(),
      another: () => this.goToStart(),
      "other-game": () => this.goToStart(),
      "look-back": () => this.lookBack(),
      rematch: () => this.rematch(),
      "decline-rematch": () => this.sendChange("/rematch", { answer: "decline" }),
      "withdraw-rematch": () => this.sendChange("/rematch", { answer: "withdraw" }),
      "try-again": () => this.sendChange("/answer"),
      copy: () => this.invitation.copyLink(),
    });
    for (const [id, work] of Object.entries(works)) {
      byId(id, HTMLButtonElement).addEventListener("click", () => void this.runUnlessBusy(work));
    }
    for (const each of buttons(".give-time")) {
      each.addEventListener("click", () => void this.runUnlessBusy(() => this.sendChange("/time")));
    }
    for (const each of buttons("[data-action]")) {
      const action = each.dataset["action"];
      each.addEventListener("click", () => void this.runUnlessBusy(() => this.sendChange("/actions", { action })));
    }
    /** What the buttons of the line do. */
    const acts = /** @type {Record<string, () => Promise<unknown>>} */ ({
      forget: async () => this.clicks.forget(),
      place: () => this.clicks.confirm(),
      decline: () => this.answerOffer(false),
      accept: () => this.answerOffer(true),
      withdraw: () => this.withdraw(),
      now: async () => this.moments.showNow(),
      drop: () => this.askToDrop(),
      keep: () => this.trial.keep(),
      leave: async () => this.trial.leave(),
    });
    for (const each of buttons("[data-command]")) {
      const act = acts[each.dataset["command"] ?? ""];
      if (act) each.addEventListener("click", () => void this.runUnlessBusy(act));
    }
    watchFocus();
    document.addEventListener("keydown", (event) => press(this, event));
    this.languages.listen(() => this.changeLanguage());
    // Handlers of events do not wait for the work that they start: its errors arrive here.
    addEventListener("unhandledrejection", (event) => {
      if (isAbort(event.reason)) event.preventDefault();
      this.fail(event.reason);
    });
    addEventListener("hashchange", () => void this.openAddress());
    const { moments, statusLine, questions, start, games, rules, invitation, people, share, trial, notifications, theme } = this;
    for (const each of [moments, statusLine, questions, start, games, rules, invitation, people, share, trial, notifications, theme]) each.listen();
  }

  async open() {
    document.querySelectorAll("svg.tile").forEach(fillTile);
    await this.loadWords();
    // Without words, nothing but the message could be read.
    if (Object.keys(this.words).length === 0) return;
    this.listen();
    window.setInterval(() => this.tick(), TICK);
    await this.openAddress();
  }
}
