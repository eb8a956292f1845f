// @ts-check
/** My games: the games of this browser as cards, those that wait for the player first. */

import { byId, filled, make } from "./dom.js";
import { SEATS, isolated } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */
/** @typedef {{id: string, yours: string[], version: number, at: number, rematch_id?: string | null}} Kept */
/** @typedef {{id: string, version: number, seats: string[], names: string[], points: number[] | null, turn: number, seat_to_move: string | null, ending: string | null, winner: string | null, rematch_id: string | null}} Summary */

const MINE = "ponte-games";
const MAX_GAMES = 50;
/** The games that are shown before the button for all of them is pressed. */
const FEW = 2;
/** The seconds of the units of time in which a card says when a game was changed. */
const UNITS = /** @type {const} */ ([["day", 86_400], ["hour", 3_600], ["minute", 60]]);
const MAX_DAYS = 7;
/** The milliseconds in which a game that has been removed can be brought back. */
const REGRET = 6_000;
/** The milliseconds after which it is looked again whether the note is still used. */
const LATER = 1_000;
const CROSS = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>';

/** The list. */
export class Games {
  nav = byId("mine", HTMLElement);
  list = byId("my-games", HTMLElement);
  all = byId("all-games", HTMLButtonElement);
  /** What the server last said of them. @type {Map<string, Summary>} */
  summaries = new Map();
  isWhole = false;
  /** Whether the browser has refused to store the list. */
  isFull = false;
  /** What stands in the place of the game that was removed last. @type {{note: HTMLLIElement, place: number} | null} */
  removed = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** The games stored in this browser, latest first. */
  get kept() {
    /** @type {Kept[]} */
    const found = JSON.parse(localStorage.getItem(MINE) ?? "[]");
    // An older page has stored less.
    return found.map((each) => ({ ...each, yours: each.yours ?? [], version: each.version ?? 0 }));
  }

  /** @param {Kept[]} games */
  store(games) {
    try {
      localStorage.setItem(MINE, JSON.stringify(games.slice(0, MAX_GAMES)));
    } catch (error) {
      // The storage of the browser is full. The game can still be played, so the page says this only once.
      if (!this.isFull) this.page.fail(error);
      this.isFull = true;
    }
  }

  /**
   * Store a game that is played in this browser.
   *
   * @param {View} view
   */
  keep({ id, version, yours, rematch_id }) {
    if (!this.page.isShared || yours.length === 0) return;
    const old = this.kept.find((each) => each.id === id);
    const at = old?.version === version ? old.at : Date.now();
    this.store([{ id, version, yours, at, rematch_id }, ...this.kept.filter((each) => each.id !== id)]);
  }

  /** @param {string} id */
  forget(id) {
    this.store(this.kept.filter((each) => each.id !== id));
  }

  /** Show the list with what is known, and then with what the server says. */
  async show() {
    const { kept, page } = this;
    // Without a server, a game ends with its page.
    if (!page.isShared) return;
    this.draw();
    if (kept.length === 0 || page.view) return;
    const query = { ...page.query, games: kept.map(({ id }) => id).join(",") };
    const { status, data } = await page.request("GET", "/summaries", { query });
    if (status !== 200) return;
    const asked = new Set(kept.map(({ id }) => id));
    for (const id of asked) this.summaries.delete(id);
    // Summaries of other games stay: a game that was removed from the list can be brought back.
    for (const each of /** @type {Summary[]} */ (data.games)) this.summaries.set(each.id, each);
    // A game that has been removed from the server cannot be opened.
    this.store(this.kept.filter(({ id }) => this.summaries.has(id) || !asked.has(id)));
    if (this.addRematches()) await this.show();
    else this.draw();
  }

  /**
   * Return a rematch of a game. It has the same tokens, and the players have changed their seats.
   *
   * @param {{id: string, yours: string[]}} game
   * @param {string} id - of the rematch
   * @returns {Kept}
   */
  rematchOf(game, id) {
    localStorage.setItem(`ponte-${id}`, localStorage.getItem(`ponte-${game.id}`) ?? "");
    const yours = game.yours.length > 1 ? game.yours : SEATS.filter((seat) => seat !== game.yours[0]);
    return { id, yours, version: 0, at: Date.now() };
  }

  /**
   * Store the rematch to which the page leads, before it is loaded: the player may leave it at once.
   *
   * @param {View} view - the game before
   * @param {string} id - of the rematch
   */
  keepRematch(view, id) {
    if (view.yours.length === 0) return;
    const rematch = this.rematchOf(view, id);
    const { kept, page } = this;
    if (page.isShared && !kept.some((each) => each.id === id)) this.store([rematch, ...kept]);
  }

  /**
   * Add the rematches that others have accepted meanwhile, each once; return whether there are any.
   */
  addRematches() {
    /** @type {Kept[]} */
    const added = [];
    const games = this.kept.map((game) => {
      const rematchId = this.summaries.get(game.id)?.rematch_id ?? game.rematch_id ?? null;
      const isNew = rematchId !== null && rematchId !== game.rematch_id && !this.kept.some(({ id }) => id === rematchId);
      if (isNew) added.push(this.rematchOf(game, rematchId));
      return { ...game, rematch_id: rematchId };
    });
    this.store([...added, ...games]);
    return added.length > 0;
  }

  /**
   * Return whether a game waits for the player.
   *
   * @param {Kept} game
   */
  isWaiting({ id, yours }) {
    const seat = this.summaries.get(id)?.seat_to_move;
    // A user who plays both seats waits for nobody.
    return Boolean(seat) && yours.length === 1 && yours[0] === seat;
  }

  draw() {
    const { kept } = this;
    const sorted = kept.sort((one, other) => other.at - one.at);
    const waiting = sorted.filter((each) => this.isWaiting(each));
    const games = [...waiting, ...sorted.filter((each) => !waiting.includes(each))];
    this.nav.hidden = (games.length === 0 && !this.removed) || this.page.view !== null;
    document.body.classList.toggle("has-waiting-games", waiting.length > 0);
    this.all.hidden = this.isWhole || games.length <= FEW;
    this.all.textContent = filled(this.page.words["all-games"] ?? "", { count: String(games.length) });
    const items = (this.isWhole ? games : games.slice(0, FEW)).map((each) => this.card(each));
    if (this.removed) items.splice(this.removed.place, 0, this.removed.note);
    const active = document.activeElement;
    const held = active?.closest("li");
    const isFocused = held && this.list.contains(held);
    this.list.replaceChildren(...items);
    if (!isFocused) return;
    // The new card of the same game has the focus, or the note, which stands for no game.
    const same = items.find((each) => each.dataset["game"] === held.dataset["game"]);
    const part = same?.querySelector(active?.localName ?? "a");
    if (part instanceof HTMLElement) part.focus();
  }

  /**
   * Return the name of the opponent, or both names in a game that the player plays alone.
   *
   * @param {Kept} game
   */
  names({ id, yours }) {
    const { seats, names } = this.summaries.get(id) ?? {};
    if (!seats || !names) return this.page.words["game"] ?? "";
    const others = yours.length === 1 ? names.filter((_, place) => seats[place] !== yours[0]) : names;
    // At the start of a line, the word for a player without a name is a heading.
    return others.map((name) => isolated(name.slice(0, 1).toUpperCase() + name.slice(1))).join(" – ");
  }

  /** @param {Kept} game */
  card(game) {
    const { words } = this.page;
    const summary = this.summaries.get(game.id);
    const item = make("li", "card saved");
    item.dataset["game"] = game.id;
    const names = this.names(game);
    const picture = make("picture");
    const source = make("source");
    const image = make("img");
    const path = `games/${encodeURIComponent(game.id)}/picture`;
    source.media = this.page.theme.darkCondition;
    source.srcset = `${path}?theme=dark`;
    image.alt = "";
    image.loading = "lazy";
    image.src = path;
    picture.append(source, image);
    const text = make("div");
    const link = make("a", "", names);
    link.href = `#${game.id}`;
    text.append(link, make("small", "soft", this.about(game, summary)));
    const remove = make("button", "bare");
    remove.type = "button";
    remove.innerHTML = CROSS;
    remove.title = filled(words["remove-game"] ?? "", { names });
    remove.setAttribute("aria-label", remove.title);
    remove.addEventListener("click", () => this.remove(game, item));
    item.append(picture, text);
    if (this.isWaiting(game)) item.append(make("span", "pill", words["your-turn"] ?? ""));
    item.append(remove);
    return item;
  }

  /**
   * Return what a card says below the names; the player's points come first.
   *
   * @param {Kept} game
   * @param {Summary} [summary]
   */
  about(game, summary) {
    const { words } = this.page;
    const { yours, at } = game;
    const when = this.when(at);
    if (!summary?.names) return when;
    const { ending, winner, points, turn, seats } = summary;
    const isTurned = yours.length === 1 && seats[1] === yours[0];
    const score = (isTurned ? [...(points ?? [])].reverse() : points)?.join("–") ?? "";
    const isTheirs = !ending && yours.length === 1 && !this.isWaiting(game);
    const waiting = isTheirs ? filled(words["waiting-for"] ?? "", { name: this.names(game) }) : "";
    const turns = turn && filled(words["turn-number"] ?? "", { turn: String(turn) });
    const key = winner === null ? "game-drawn" : yours.length > 1 ? "game-over" : yours[0] === winner ? "game-won" : "game-lost";
    const state = ending ? (words[key] ?? "") : turns;
    return [waiting, state, ending && ending !== "scored" ? "" : score, when].filter(Boolean).join(" · ");
  }

  /**
   * Return a time in words: how long ago, or the date.
   *
   * @param {number} at
   */
  when(at) {
    const language = this.page.languages.code;
    const seconds = (Date.now() - at) / 1000;
    const [unit, length] = UNITS.find((each) => seconds >= each[1]) ?? ["second", 1];
    if (unit === "day" && seconds >= MAX_DAYS * length) {
      return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(at);
    }
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    return relative.format(unit === "second" ? 0 : -Math.floor(seconds / length), unit);
  }

  /**
   * Remove a game from the list; it stays on the server. For a few seconds it can be brought back.
   *
   * @param {Kept} game
   * @param {Element} item
   */
  remove(game, item) {
    const { words } = this.page;
    const place = [...this.list.children].filter((each) => each !== this.removed?.note).indexOf(item);
    const undo = make("button", "", words["keep-game"] ?? "");
    undo.type = "button";
    undo.addEventListener("click", () => this.bringBack(game));
    const status = make("span", "", filled(words["removed-game"] ?? "", { names: this.names(game) }));
    status.setAttribute("role", "status");
    const note = make("li", "card saved removed", status, undo);
    this.removed = { note, place };
    this.forget(game.id);
    this.draw();
    undo.focus();
    setTimeout(() => this.settle(note), REGRET);
  }

  /** @param {Kept} game */
  bringBack(game) {
    const place = this.removed?.place ?? 0;
    this.removed = null;
    this.store([game, ...this.kept.filter(({ id }) => id !== game.id)]);
    this.draw();
    this.list.children[place]?.querySelector("button")?.focus();
  }

  /**
   * Remove the note of a removed game, unless it is used.
   *
   * @param {HTMLElement} note
   */
  settle(note) {
    if (note !== this.removed?.note) return;
    if (note.matches(":hover, :has(:focus-visible)")) {
      setTimeout(() => this.settle(note), LATER);
      return;
    }
    const hadFocus = note.contains(document.activeElement);
    const next = note.nextElementSibling ?? note.previousElementSibling;
    this.removed = null;
    note.remove();
    this.nav.hidden ||= this.kept.length === 0;
    if (!hadFocus) return;
    const button = next?.querySelector("button");
    if (button) button.focus();
    else this.page.start.focus();
  }

  listen() {
    this.all.addEventListener("click", () => {
      this.isWhole = true;
      const shown = this.list.children.length;
      this.draw();
      this.list.children[shown]?.querySelector("a")?.focus();
    });
  }
}
