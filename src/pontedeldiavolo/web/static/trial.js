// @ts-check
/** Moves that the reader tries on the board, beside the game: the server judges them and stores nothing. */

import { messageOf } from "./notifications.js";
import { buttons, byId, filled } from "./dom.js";
import { isNewer } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./line.js").LineContent} LineContent */

/**
 * The actions of the game that come first, the own moves after them, and other lines of own moves
 * from the start of the game.
 *
 * @typedef {{ply: number, tried: string[], others: string[][]}} Lines
 */

/** What the browser stores own moves under, before the ID of the game. */
const STORED = "ponte-own-";
/** The most characters of stored lines: a request takes little more. */
const MAX_STORED = 12_000;

/**
 * Return whether a line begins with another one.
 *
 * @param {string[]} line
 * @param {string[]} start
 */
function beginsWith(line, start) {
  return start.every((action, place) => action === line[place]);
}

/** The board for own moves. */
export class Trial {
  mark = byId("trial", HTMLElement);
  button = byId("try", HTMLButtonElement);
  item = byId("menu-try", HTMLButtonElement);
  /** The game as it is, while moves are tried beside it. @type {View | null} */
  game = null;
  /** @type {Lines} */
  lines = { ply: 0, tried: [], others: [] };
  /** What undoing brings back, the latest last. @type {Lines[]} */
  past = [];
  /** Whether an earlier moment is to be gone on from, and nothing was played there yet. */
  isBranching = false;
  /** The moment of the game at which the trial began. */
  begunAt = 0;
  /** The mistake of a review whose better line was shown when the trial began. @type {number | null} */
  mistake = null;
  /** The game when the trial began. @type {View | null} */
  before = null;
  /** Whether a move was tried since the line has shown the latest news. */
  isNewsOld = false;
  /** Whether the record has what was tried. */
  isKept = false;
  /** A message until the next move. */
  note = "";

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
    const { tried, others } = this.lines;
    return tried.length + others.length > 0 && (this.game?.yours.length ?? 0) > 0 && !this.isKept;
  }

  /** The other line that is shown; `undefined` if there is none, or if the record has it. */
  get other() {
    const { all, variation } = this.page.moments;
    const shown = String(all);
    return variation ? this.lines.others.find((each) => String(each) === shown) : undefined;
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

  /** Begin at the moment that is shown. Moves that were tried from there before come back. */
  async begin() {
    const { page } = this;
    const { course, line, ownPly, replay } = page.moments;
    const { view } = page;
    if (!view || !replay) return;
    if (this.isOn) {
      if (!page.moments.isNow) await this.branch();
    } else {
      const others = this.stored(view).filter((each) => !beginsWith(course, each));
      const old = others.find((each) => each.length > line.length && beginsWith(each, line));
      const left = old?.findIndex((action, place) => action !== course[place]) ?? ownPly;
      this.before = view;
      this.begunAt = ownPly;
      this.mistake = replay.line === 0 ? null : page.analysis.reviewed.chosen;
      const tried = (old ?? line).slice(left);
      if ((await this.show(view, { ply: left, tried, others })) && old) {
        this.note = page.words["trial-resumed"] ?? "";
        page.statusLine.show();
      }
    }
    page.cells.focus();
  }

  /**
   * Go on at the earlier moment that is shown: what followed becomes a variation of the next move.
   *
   * @returns {Promise<boolean>} whether the board shows this moment as the present now
   */
  async branch() {
    const { game, isBranching, lines, page, past } = this;
    if (!game) return false;
    const { course, line, ownPly } = page.moments;
    const ply = Math.min(ownPly, lines.ply);
    const others = lines.tried.length > 0 ? [course, ...lines.others] : lines.others;
    const branched = { ply, tried: line.slice(ply), others };
    const isShown = await this.show(game, branched, {}, isBranching ? past : [...past, lines]);
    if (isShown) this.isBranching = true;
    return isShown;
  }

  /**
   * Show the board after tried moves, and one more if there is one.
   *
   * @param {View} game
   * @param {Lines} lines
   * @param {object} [more] - the action or the cells that were clicked
   * @param {Lines[]} [past] - what undoing brings back then
   * @returns {Promise<boolean>} whether they could be shown
   */
  async show(game, lines, more = {}, past = this.past) {
    const { page } = this;
    const judged = await this.judge(game, lines, more);
    if (!judged) return false;
    // The game may have gone on while the server judged.
    this.game ??= game;
    this.isNewsOld = this.news !== null;
    this.lines = judged.lines;
    this.past = past;
    this.isBranching = this.isKept = false;
    this.note = "";
    page.view = judged.view;
    page.forgetRefusal();
    page.analysis.hold();
    page.cells.show(judged.view, page.words);
    page.moments.open(judged.view.movesHtml);
    this.refresh();
    this.store(game);
    return true;
  }

  /**
   * Return the lines that were tried beside a game before, from its start.
   *
   * @param {View} game
   * @returns {string[][]}
   */
  stored({ id }) {
    return JSON.parse(sessionStorage.getItem(STORED + id) ?? "[]");
  }

  /**
   * Let the browser remember what was tried until it closes the page, unless the record has it.
   *
   * @param {View} game
   */
  store({ id }) {
    const { others, tried } = this.lines;
    const own = this.isKept ? [] : [...(tried.length > 0 ? [this.page.moments.course] : []), ...others];
    while (JSON.stringify(own).length > MAX_STORED) own.pop();
    sessionStorage.setItem(STORED + id, JSON.stringify(own));
  }

  /**
   * Let the server judge moves; say why it refuses them.
   *
   * @param {View} game
   * @param {Lines} lines
   * @param {object} more
   * @returns {Promise<{view: View, lines: Lines} | null>}
   */
  async judge(game, lines, more) {
    const { page } = this;
    const body = { ...lines, ...more };
    const response = await page.requestChange("/trial", body);
    if (response === null) return null;
    const { status, data } = response;
    if (status !== 200) {
      page.refuse(data);
      return null;
    }
    // The language has changed meanwhile.
    if (data.language !== page.languages.code) return this.judge(game, lines, more);
    return { view: data, lines: { ply: data.ply, tried: data.tried, others: data.others } };
  }

  /** Show what depends on whether moves are being tried. */
  refresh() {
    const { page, isOn } = this;
    for (const id of ["board", "status", "side"]) byId(id, HTMLElement).classList.toggle("trial", isOn);
    this.mark.hidden = !isOn;
    for (const item of document.querySelectorAll("#moves ol[data-line='0'] > li")) {
      const place = [...(item.parentElement?.children ?? [])].indexOf(item);
      item.classList.toggle("tried", isOn && place > this.lines.ply);
    }
    if (!isOn || !page.view) return;
    page.tools.show(page.view, "both");
    page.tools.undo.disabled = this.past.length + this.lines.tried.length === 0;
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
    await this.show(this.game, this.lines);
    return null;
  }

  /**
   * Try one more move, or undo the last change: what would change the game in the game itself.
   *
   * @param {string} path
   * @param {object} more
   * @returns {Promise<boolean>} whether the change was made
   */
  async change(path, more) {
    const { game, lines, past } = this;
    if (!game) return false;
    if (path === "/undo") {
      const before = past.at(-1) ?? { ...lines, tried: lines.tried.slice(0, -1) };
      return this.show(game, before, {}, past.slice(0, -1));
    }
    return path === "/actions" && this.show(game, lines, more, this.isBranching ? past : [...past, lines]);
  }

  /** Forget the other line that is shown; undoing brings it back. */
  async forget() {
    const { game, lines, other, past } = this;
    if (!game || !other) return;
    const others = lines.others.filter((each) => each !== other);
    await this.show(game, { ...lines, others }, {}, [...past, lines]);
  }

  /** Write the tried moves into the record of the game. */
  async keep() {
    const { game, page } = this;
    if (!game) return;
    const body = { version: game.version, ...this.lines };
    const { status, data } = await page.requestGame("POST", "/variations", { body });
    if (this.game?.id !== game.id) return;
    if (status !== 200) {
      page.refuse(data);
      return;
    }
    // It is shown when the reader returns.
    if (isNewer(this.game, data)) this.game = data;
    this.isKept = true;
    this.note = page.words["trial-kept"] ?? "";
    this.store(game);
    page.statusLine.show();
  }

  /** Return to the game: to the moment at which the trial began, or to what has happened since. */
  async leave() {
    const { begunAt, page, mistake } = this;
    await page.analysis.renew();
    const { game, news } = this;
    if (!game) return;
    this.drop();
    page.view = null;
    page.show(game);
    page.analysis.resume();
    const { reviewed } = page.analysis;
    if (!news && mistake !== null && reviewed.mistakes.length > 0) reviewed.choose(mistake);
    else if (!news) page.moments.show(begunAt);
    page.cells.focus();
  }

  /** Leave the tried moves, because another game is shown; the browser remembers them. */
  drop() {
    this.game = null;
    this.before = null;
    this.lines = { ply: 0, tried: [], others: [] };
    this.past = [];
    this.note = "";
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
    const turn = this.page.moments.replay?.course(0)[this.lines.ply]?.item.dataset["turn"] ?? "";
    const from = filled(words["trial-from"] ?? "", { turn });
    const own = this.lines.tried.length === 0 ? (words["trial-about"] ?? "") : [last, isOver ? state : ""].filter(Boolean).join(" ");
    const { news } = this;
    const headline = news ? filled(words["trial-news"] ?? "", { news: news.head }) : "";
    const isNew = news !== null && !this.isNewsOld;
    const head = isNew ? headline : from;
    const text = this.note || (isNew ? news.text : [own, headline].filter(Boolean).join(" "));
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
