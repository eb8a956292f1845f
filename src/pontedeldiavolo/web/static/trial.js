// @ts-check
/** Moves that the reader tries on the board, beside the game: the server judges them and stores nothing. */

import { messageOf } from "./notifications.js";
import { buttons, byId, filled } from "./dom.js";
import { isNewer } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./line.js").LineContent} LineContent */

/** The board for own moves. */
export class Trial {
  mark = byId("trial", HTMLElement);
  button = byId("try", HTMLButtonElement);
  item = byId("menu-try", HTMLButtonElement);
  /** The game as it is, while moves are tried beside it. @type {View | null} */
  game = null;
  /** The number of its actions before the tried ones. */
  ply = 0;
  /** The turn after these. */
  turn = "";
  /** @type {string[]} */
  tried = [];
  /** The mistake of a review whose better line was shown when the trial began. @type {number | null} */
  mistake = null;
  /** The game when the trial began. @type {View | null} */
  before = null;
  /** Whether a move was tried since the line has shown the latest news. */
  isNewsOld = false;
  /** The message that a variation was kept. */
  keptMessage = "";

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Whether the board shows tried moves, and not the game. */
  get isOn() {
    return this.game !== null;
  }

  /** Whether there are tried moves that the reader may keep. */
  get canKeep() {
    return this.tried.length > 0 && (this.game?.yours.length ?? 0) > 0 && !this.keptMessage;
  }

  /** What has happened in the game since the trial began; `null` for nothing. */
  get news() {
    const { before, game, page } = this;
    if (!before || !game) return null;
    return messageOf(before, game, page.words) ?? this.changeOf(before, game);
  }

  /**
   * Offer the board for own moves where the server allows it.
   *
   * @param {View} view
   */
  offer(view) {
    this.item.hidden = !view.can_try;
    // During a game, other tools have its place.
    this.button.hidden = !view.can_try || view.ending === null;
  }

  /** Begin at the moment that is shown: of the game, or of moves that were tried before. */
  async begin() {
    const { page } = this;
    const { replay } = page.moments;
    const { view } = page;
    if (!view || !replay) return;
    const at = page.moments.ownPly;
    const { besides } = page.moments;
    if (!this.game) {
      this.ply = at;
      this.before = view;
      this.mistake = replay.line === 0 ? null : page.analysis.reviewed.chosen;
      this.turn = replay.course(0)[at]?.item.dataset["turn"] ?? "";
    }
    const kept = this.game ? this.tried.slice(0, Math.max(0, at - this.ply)) : [];
    await this.show(this.game ?? view, [...kept, ...besides]);
    page.cells.focus();
  }

  /** Go on at the earlier moment that is shown: the next move replaces those that followed. */
  async branch() {
    const { game, page, tried } = this;
    if (!game) return;
    const { besides, ownPly } = page.moments;
    const kept = tried.slice(0, Math.max(0, ownPly - this.ply));
    if (ownPly < this.ply) {
      this.ply = ownPly;
      this.turn = page.moments.replay?.course(0)[ownPly]?.item.dataset["turn"] ?? "";
    }
    await this.show(game, [...kept, ...besides]);
  }

  /**
   * Show the board after tried moves, and one more if there is one.
   *
   * @param {View} game
   * @param {string[]} tried
   * @param {object} [more] - the action or the cells that were clicked
   * @returns {Promise<boolean>} whether they could be shown
   */
  async show(game, tried, more = {}) {
    const { page } = this;
    const judged = await this.judge(game, tried, more);
    if (!judged) return false;
    // The game may have gone on while the server judged.
    this.game ??= game;
    this.isNewsOld = this.news !== null;
    this.tried = judged.tried;
    this.keptMessage = "";
    page.view = judged.view;
    page.forgetRefusal();
    page.analysis.hold();
    page.cells.show(judged.view, page.words);
    page.moments.open(judged.view.movesHtml);
    this.refresh();
    return true;
  }

  /**
   * Let the server judge moves; say why it refuses them.
   *
   * @param {View} game
   * @param {string[]} tried
   * @param {object} more
   * @returns {Promise<{view: View, tried: string[]} | null>}
   */
  async judge(game, tried, more) {
    const { page } = this;
    const body = { ply: this.ply, tried, ...more };
    const response = await page.requestChange("/trial", body);
    if (response === null) return null;
    const { status, data } = response;
    if (status !== 200) {
      page.refuse(data);
      return null;
    }
    // The language has changed meanwhile.
    if (data.language !== page.languages.code) return this.judge(game, tried, more);
    return { view: data, tried: data.tried };
  }

  /** Show what depends on whether moves are being tried. */
  refresh() {
    const { page, isOn } = this;
    for (const id of ["board", "status", "side"]) byId(id, HTMLElement).classList.toggle("trial", isOn);
    this.mark.hidden = !isOn;
    for (const item of document.querySelectorAll("#moves ol[data-line='0'] > li")) {
      const place = [...(item.parentElement?.children ?? [])].indexOf(item);
      item.classList.toggle("tried", isOn && place > this.ply);
    }
    if (!isOn || !page.view) return;
    page.tools.show(page.view, "both");
    page.tools.undo.disabled = this.tried.length === 0;
    for (const each of buttons("#resign, #draw, #rename, #undo-ended, #try")) each.hidden = true;
    const label = `${page.words["trial"]}: ${page.cells.table.getAttribute("aria-label")}`;
    page.cells.table.setAttribute("aria-label", label);
    page.showTitle();
    page.statusLine.show();
  }

  /**
   * Tell what has happened in the game, without leaving the tried moves.
   *
   * @param {View} view - the game as it is now
   */
  update(view) {
    const { game, news, page } = this;
    if (!game) return;
    this.game = view;
    page.notifications.tell(game, view);
    const isNew = this.news !== null && (this.news.head !== news?.head || this.news.text !== news.text);
    if (isNew) {
      this.isNewsOld = false;
      page.sounds.play("turn");
    }
    page.statusLine.show();
  }

  /**
   * Return what has changed for somebody who plays both seats, or whose player of the library has
   * failed; `null` if nothing has changed on the board.
   *
   * @param {View} old
   * @param {View} view
   */
  changeOf(old, view) {
    const { statusLine } = this.page;
    if (view.failure && view.failure.number !== old.failure?.number) return { head: view.failure.error, text: "" };
    const isSame = view.snapshot.turn === old.snapshot.turn && view.snapshot.last === old.snapshot.last && view.ending === old.ending;
    if (isSame) return null;
    if (view.ending) return { head: view.sentence, text: "" };
    return { head: statusLine.turn(view).head, text: view.snapshot.sentences.last ?? "" };
  }

  /**
   * Show the same in another language.
   *
   * @returns {Promise<{error?: string} | null>} why this has failed, if it has
   */
  async translate() {
    const { page } = this;
    const { status, data } = await page.requestGame("GET", "");
    // The reader may have returned to the game meanwhile.
    if (!this.isOn) return page.translate();
    if (status !== 200) {
      page.refuse(data);
      return data;
    }
    this.game = /** @type {View} */ (data);
    await this.show(this.game, this.tried);
    return null;
  }

  /**
   * Try one more move, or take the last one back: what would change the game in the game itself.
   *
   * @param {string} path
   * @param {object} more
   * @returns {Promise<boolean>} whether the change was made
   */
  async change(path, more) {
    if (!this.game) return false;
    if (path === "/undo") return this.show(this.game, this.tried.slice(0, -1));
    return path === "/actions" && this.show(this.game, this.tried, more);
  }

  /** Write the tried moves into the record of the game. */
  async keep() {
    const { game, page } = this;
    if (!game) return;
    const body = { version: game.version, ply: this.ply, tried: this.tried };
    const { status, data } = await page.requestGame("POST", "/variations", { body });
    if (this.game?.id !== game.id) return;
    if (status !== 200) {
      page.refuse(data);
      return;
    }
    // It is shown when the reader returns.
    if (isNewer(this.game, data)) this.game = data;
    this.keptMessage = page.words["trial-kept"] ?? "";
    page.statusLine.show();
  }

  /** Return to the game: to the moment at which the trial began, or to what has happened since. */
  async leave() {
    const { page, ply, mistake } = this;
    await page.analysis.renew();
    const { game, news } = this;
    if (!game) return;
    this.drop();
    page.view = null;
    page.show(game);
    page.analysis.resume();
    const { reviewed } = page.analysis;
    if (!news && mistake !== null && reviewed.mistakes.length > 0) reviewed.choose(mistake);
    else if (!news) page.moments.show(ply);
    page.cells.focus();
  }

  /** Forget the tried moves, because another game is shown. */
  drop() {
    this.game = null;
    this.before = null;
    this.tried = [];
    this.keptMessage = "";
    this.refresh();
  }

  /**
   * Return what the line says about the tried moves.
   *
   * @param {View} view
   * @param {LineContent} now - what the line would show in a game
   * @returns {LineContent}
   */
  lineContent(view, now) {
    const { words } = this.page;
    const { last, state } = view.snapshot.sentences;
    const isOver = view.snapshot.phase === "over";
    const from = filled(words["trial-from"] ?? "", { turn: this.turn });
    const own = this.tried.length === 0 ? (words["trial-about"] ?? "") : [last, isOver ? state : ""].filter(Boolean).join(" ");
    const { news } = this;
    const headline = news ? filled(words["trial-news"] ?? "", { news: news.head }) : "";
    const isNew = news !== null && !this.isNewsOld;
    const head = isNew ? headline : from;
    const text = this.keptMessage || (isNew ? news.text : [own, headline].filter(Boolean).join(" "));
    const acts = [...(isOver ? [] : view.other_actions), ...(this.canKeep ? ["keep"] : []), "leave"];
    return { ...now, look: news ? "trial news" : "trial", head, text, acts };
  }

  listen() {
    const { page } = this;
    for (const each of [this.button, this.item]) {
      each.addEventListener("click", () => void page.runUnlessBusy(() => this.begin()));
    }
  }
}
