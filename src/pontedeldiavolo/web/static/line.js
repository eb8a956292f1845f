// @ts-check
/** The status line: whose turn it is, what the player is asked, why something was refused. */

import { sideOf } from "./cards.js";
import { byId, filled } from "./dom.js";
import { Progress } from "./progress.js";
import { seatAt } from "./moves.js";
import { changeOf, isYourTurn, mustChooseColor, nameOf, opponentOf, startingName, wordOfUndo } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */
/**
 * What the line shows: its look, the seat that its notch points at, a headline, a text below it,
 * and the buttons that it offers.
 * @typedef {{look: string, seat: string | null, head: string, text: string, acts?: string[]}} LineContent
 */

/** The line. */
export class Line {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.box = byId("line", HTMLElement);
    this.refusal = byId("refusal", HTMLElement);
    this.head = byId("headline", HTMLElement);
    this.text = byId("state", HTMLElement);
    this.otherLevel = byId("other-level", HTMLSelectElement);
    /** Why the last request was refused, until something newer is said. */
    this.refused = "";
    /** The longer reason, which the reader can ask for. */
    this.reason = "";
    /** What the other player has undone or withdrawn in the version that is shown: a word of the page. */
    this.change = "";
    this.why = byId("why", HTMLButtonElement);
    /** How long the computer has been thinking. */
    this.progress = new Progress("wait", "waited");
  }

  /** Show the content of the line as it is now. */
  show() {
    const { view } = this.page;
    const { isNow } = this.page.moments;
    if (!view) return;
    const content = this.content(view);
    this.box.hidden = view.ending !== null && isNow && !this.refused;
    this.box.className = `status-line ${content.look}`;
    this.box.classList.toggle("of-right", sideOf(view, content.seat) === 1);
    // A text that has not changed must not be read out again.
    const texts = [[this.refusal, this.refused], [this.head, this.refused ? "" : content.head], [this.text, this.refused ? "" : content.text]];
    for (const [element, text] of /** @type {[HTMLElement, string][]} */ (texts)) {
      if (element.textContent !== text) element.textContent = text;
    }
    this.why.hidden = this.refused === "" || this.reason === "";
    const isThinking = content.look.includes("thinking");
    this.head.classList.toggle("dots", isThinking);
    this.showProgress(isThinking ? view : null);
    byId("watching", HTMLElement).hidden = view.yours.length > 0 || view.ending !== null;
    const acts = new Set(content.acts);
    for (const each of this.box.querySelectorAll("[data-action], [data-command]")) {
      const name = each.getAttribute("data-action") ?? each.getAttribute("data-command") ?? "";
      each.toggleAttribute("hidden", !acts.has(name));
    }
    const isBridge = this.page.clicks.unconfirmedAction !== null && this.page.cells.isBridge;
    const now = this.box.querySelector("[data-command=now]");
    if (now) now.textContent = this.page.words[this.page.trial.isOn ? "to-trial" : view.ending ? "back-end" : "back"] ?? "";
    const place = this.box.querySelector("[data-command=place]");
    if (place) place.textContent = this.page.words[isBridge ? "confirm-bridge" : "confirm-yes"] ?? "";
  }

  /**
   * Note what the other player has undone or withdrawn, until the next version.
   *
   * @param {View | null} old
   * @param {View} view
   */
  note(old, view) {
    if (old?.version !== view.version) this.change = old ? changeOf(old, view) : "";
  }

  /** Show after a while that a response is still to come. */
  beginWait() {
    if (this.progress.began === null) this.progress.begin(0);
  }

  /**
   * Show how long the computer has been thinking, and how long it will.
   *
   * @param {View | null} view - `null` if it is not thinking
   */
  showProgress(view) {
    const { page, progress } = this;
    if (view === null) {
      if (!page.isBusy) progress.end();
      return;
    }
    const since = (window.performance.now() - page.viewedAt) / 1000;
    const { seconds = 0, expected_seconds: expected = null } = view.thinking ?? {};
    // Nobody knows how long a search takes that is being prepared.
    progress.begin(seconds + since, view.is_preparing ? null : expected);
    progress.tick(page.words);
  }

  /**
   * Return what the line shows: the newest and most urgent thing.
   *
   * @param {View} view
   * @returns {LineContent}
   */
  content(view) {
    const { page } = this;
    const { words } = page;
    const now = this.turn(view);
    if (this.refused) return { ...now, look: "refused" };
    const { isLost, obstacle } = page.news;
    if (isLost) return { ...now, look: "refused", head: words["no-connection"] ?? "", text: obstacle };
    if (obstacle) return { ...now, look: "refused", head: obstacle };
    if (!page.moments.isNow) return this.past(view);
    if (view.failure) return { ...now, look: "refused", head: view.failure.error };
    const { unconfirmedAction } = page.clicks;
    if (unconfirmedAction) {
      const [a = "", b = ""] = unconfirmedAction;
      const word = page.cells.isBridge ? "ask-bridge" : "ask-tiles";
      return { ...now, look: "", head: filled(words[word] ?? "", { a, b }), text: [this.asked(view), this.gifts(view)].filter(Boolean).join(" "), acts: ["forget", "place"] };
    }
    const { firstClick } = page.cells;
    const chosen = firstClick === null ? null : this.afterFirstClick(view, now, firstClick);
    if (page.trial.isOn) return chosen ?? page.trial.lineContent(view, now);
    const head = this.asked(view);
    if (head && chosen) {
      // The second click would decline the offer, so the reader must see it before.
      return { ...chosen, look: "offer", head, acts: ["decline", "accept"] };
    }
    if (chosen) return chosen;
    if (head) {
      // The other player may have asked for this instead of accepting the reader's own offer.
      const text = [this.gifts(view), this.answerOf(view), now.head].filter(Boolean).join(" ");
      return { look: "offer", seat: view.yours[0] ?? null, head, text, acts: ["decline", "accept", ...view.other_actions] };
    }
    const request = this.request(view);
    if (!request) return now;
    const text = [this.gifts(view), /\?$/.test(now.head) ? now.head : `${now.head}.`].filter(Boolean).join(" ");
    return { look: "offer", seat: view.yours[0] ?? null, head: request, text, acts: ["withdraw", ...view.other_actions] };
  }

  /**
   * Say whose turn it is, and what has happened last.
   *
   * @param {View} view
   * @returns {LineContent}
   */
  turn(view) {
    const { words } = this.page;
    const { seat_to_move: seat, to_move: color, sentences } = view.snapshot;
    const last = sentences.last ?? "";
    const isYours = view.yours.includes(seat);
    const name = startingName(view, seat);
    const hint = this.page.cells.isWide ? words["wide-board"] : "";
    const text = [this.gifts(view), hint || last || sentences.state, this.answerOf(view)].filter(Boolean).join(" ");
    const content = { look: isYours ? "" : "quiet", seat, text, acts: view.other_actions };
    if (view.is_thinking) {
      const head = filled(words["thinking"] ?? "", { name });
      const wait = view.is_preparing ? words["preparing"] ?? "" : `${text} ${this.expected(view)}`.trim();
      return { ...content, look: "quiet thinking", head, text: wait };
    }
    if (mustChooseColor(view)) return { ...content, head: words["ask-color"] ?? "" };
    if (view.seats[seat] === "free") return { ...content, head: words["waiting"] ?? "" };
    if (isYourTurn(view)) return { ...content, head: words["your-turn"] ?? "" };
    const word = view.yours.length > 1 && color ? `turn-${color}` : "turn-of";
    return { ...content, head: filled(words[word] ?? "", { name }) };
  }

  /**
   * Return what the other player asks the reader; nothing if nothing is asked.
   *
   * @param {View} view
   */
  asked(view) {
    const asking = view.draw_offer ?? view.undo_request;
    if (asking === null || view.yours.length !== 1 || asking === view.yours[0]) return "";
    const word = view.draw_offer ? "draw-offered" : wordOfUndo(view);
    return filled(this.page.words[word] ?? "", { name: startingName(view, asking) });
  }

  /**
   * Return what the reader asks the other player; nothing if nothing is asked.
   *
   * @param {View} view
   */
  request({ draw_offer: draw, undo_request: undo, yours }) {
    const asking = draw ?? undo;
    if (yours.length !== 1 || asking !== yours[0]) return "";
    return this.page.words[draw ? "draw-waiting" : "undo-waiting"] ?? "";
  }

  /**
   * Say what the other player has declined, undone or withdrawn.
   *
   * @param {View} view
   */
  answerOf(view) {
    const { declined, yours } = view;
    const [seat] = yours;
    if (this.change && seat) return filled(this.page.words[this.change] ?? "", { name: startingName(view, opponentOf(seat)) });
    if (yours.length !== 1 || !declined || declined.seat === yours[0]) return "";
    return filled(this.page.words[`${declined.what}-declined`] ?? "", { name: startingName(view, declined.seat) });
  }

  /**
   * Say who has given whom time since the last turn.
   *
   * @param {View} view
   */
  gifts(view) {
    const { words } = this.page;
    const said = Object.entries(view.given_seconds).map(([seat, seconds]) => {
      const giver = seat === "first" ? "second" : "first";
      const word = view.yours.length !== 1 ? "time-given" : view.yours[0] === seat ? "time-to-you" : "time-from-you";
      return filled(words[word] ?? "", { giver: startingName(view, giver), name: nameOf(view, seat), count: String(seconds) });
    });
    return view.ending ? "" : said.join(" ");
  }

  /**
   * Say how long such a move of the computer takes, if that is long enough to be said.
   *
   * @param {View} view
   */
  expected({ thinking }) {
    const usual = Math.round(thinking?.expected_seconds ?? 0);
    return usual < 2 ? "" : filled(this.page.words["expected-seconds"] ?? "", { count: String(usual) });
  }

  /**
   * Say what the second click can be.
   *
   * @param {View} view
   * @param {LineContent} now
   * @param {string} firstClick
   * @returns {LineContent}
   */
  afterFirstClick(view, now, firstClick) {
    const { cells, clicks, words, languages } = this.page;
    const names = new Intl.ListFormat(languages.code, { type: "disjunction" });
    const values = { cell: firstClick, ends: names.format(cells.secondTargets) };
    const kind = cells.isBridge ? "bridge" : "tile";
    const head = words[`second-${kind}`] ?? "";
    const hint = filled(words[`second-${kind}-hint${clicks.isTouch ? "-touch" : ""}`] ?? "", values);
    return { ...now, look: "", head, text: [this.gifts(view), hint].filter(Boolean).join(" "), acts: [] };
  }

  /**
   * Return what has happened at a moment, without the points, which the cards have.
   *
   * @param {HTMLElement} item - of the list of moves
   */
  happened({ dataset }) {
    const { announcement = "", white = "" } = dataset;
    const points = white.split(" ")[0] || "0";
    const at = announcement.lastIndexOf(`${this.page.words["white"]} ${points}, `);
    // That of a variation begins with its number in the list, which says nothing here.
    const from = this.page.moments.variation ? announcement.indexOf(". ") + 1 : 0;
    return announcement.slice(from, at < 0 ? undefined : at).trim();
  }

  /**
   * Name the earlier moment that is shown, and whose turn it is. What has happened since it was
   * chosen comes first.
   *
   * @param {View} view
   * @returns {LineContent}
   */
  past(view) {
    const { words } = this.page;
    const { replay } = this.page.moments;
    const item = replay?.item;
    const values = { turn: item?.dataset["turn"] ?? "", last: String(view.snapshot.turn) };
    const news = this.news(view);
    if (news) {
      const text = [this.gifts(view), news.text, view.snapshot.sentences.last].filter(Boolean).join(" ");
      return { ...this.turn(view), look: "then news", head: news.head, text, acts: news.acts };
    }
    const turn = isYourTurn(view) ? `${words["your-turn"]}.` : "";
    const text = [this.gifts(view), item ? this.happened(item) : "", turn].filter(Boolean).join(" ");
    const { moments, trial } = this.page;
    const more = [...(moments.canDrop ? ["drop"] : []), ...(trial.isOn && trial.canKeep ? ["keep"] : [])];
    const seat = replay ? seatAt(view, replay) : null;
    const head = filled(words[moments.variation ? "in-variation" : "earlier"] ?? "", values);
    return { look: more.length > 0 ? "then keeps" : "then", seat, head, text, acts: [...more, "now"] };
  }

  /**
   * Return what the other player asks, or has done since an earlier moment was chosen; `null` for
   * nothing.
   *
   * @param {View} view
   */
  news(view) {
    const { seen } = this.page.moments;
    const asked = this.asked(view);
    // The tools lead back to the game: a third button here would move them.
    if (asked) return { head: asked, text: "", acts: ["decline", "accept"] };
    const acts = ["now"];
    if (!seen) return null;
    if (view.ending && !seen.ending) return { head: view.sentence, text: "", acts };
    const [before, after] = [seen, view].map((each) => each.drawn.plies.length);
    if (!this.change && before === after && view.snapshot.last === seen.snapshot.last && view.ending === seen.ending) return null;
    const name = startingName(view, opponentOf(view.yours[0]));
    const hasMoved = Number(after) > Number(before) && isYourTurn(view);
    // The sentence on a choice of colour says who has chosen.
    const isNamed = view.snapshot.sentences.last?.startsWith(name);
    const text = hasMoved && !isNamed ? filled(this.page.words["moved"] ?? "", { name }) : this.answerOf(view);
    return { head: this.turn(view).head, text, acts };
  }

  /**
   * Show the ways on if the computer has failed; the sentence on it belongs to the state.
   *
   * @param {View} view
   */
  showFailure({ failure, yours }) {
    const { start, words } = this.page;
    byId("failed", HTMLElement).hidden = failure === null || yours.length === 0;
    // Another level could not save its move, either.
    byId("other-levels", HTMLElement).hidden = failure?.code === "computer-not-saved";
    const levels = start.levels.filter(({ isAvailable }) => isAvailable);
    const others = levels.map(({ name, text }) => new Option(text, name));
    this.otherLevel.replaceChildren(new Option(`${words["level"]} …`, ""), ...others);
  }

  listen() {
    const { page } = this;
    this.why.addEventListener("click", () => {
      this.refused = this.reason;
      this.reason = "";
      this.show();
      page.cells.focus();
    });
    this.otherLevel.addEventListener("change", () => {
      const opponent = this.otherLevel.value;
      if (opponent) void page.runWhenIdle(() => page.sendChange("/answer", { opponent }));
    });
  }
}
