// @ts-check
/** The line that speaks: whose turn it is, what is asked, why something was refused. */

import { sideOf, startingName } from "./cards.js";
import { byId, filled } from "./cells.js";
import { seatAt } from "./moves.js";

/** @typedef {import("./board.js").Page} Page */
/** @typedef {import("./board.js").View} View */
/**
 * What the line says: its look, the seat that its notch points at, a headline, a text below it,
 * and the buttons that it offers.
 * @typedef {{look: string, seat: string | null, head: string, text: string, acts?: string[]}} Speech
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
    /** Why the last request was refused, until something newer is said. */
    this.refused = "";
  }

  /** Say what is true now. */
  show() {
    const { view, isNow } = this.page;
    if (!view) return;
    const speech = this.speech(view);
    this.box.hidden = view.ending !== null && isNow && !this.refused;
    this.box.className = `say ${speech.look}`;
    this.box.classList.toggle("of-right", sideOf(view, speech.seat) === 1);
    // A text that has not changed must not be read out again.
    const texts = [[this.refusal, this.refused], [this.head, this.refused ? "" : speech.head], [this.text, this.refused ? "" : speech.text]];
    for (const [element, text] of /** @type {[HTMLElement, string][]} */ (texts)) {
      if (element.textContent !== text) element.textContent = text;
    }
    this.head.classList.toggle("dots", speech.look.includes("thinking"));
    byId("watching", HTMLElement).hidden = view.yours.length > 0 || view.ending !== null;
    const acts = new Set(speech.acts);
    for (const each of this.box.querySelectorAll("[data-action], [data-act]")) {
      const name = each.getAttribute("data-action") ?? each.getAttribute("data-act") ?? "";
      each.toggleAttribute("hidden", !acts.has(name));
    }
    const isBridge = this.page.pending !== null && this.page.cells.isBridge;
    const now = this.box.querySelector("[data-act=now]");
    if (now) now.textContent = this.page.words[view.ending ? "back-end" : "back"] ?? "";
    const place = this.box.querySelector("[data-act=place]");
    if (place) place.textContent = this.page.words[isBridge ? "confirm-bridge" : "confirm-yes"] ?? "";
  }

  /**
   * Return what is to be said: the newest and most urgent thing.
   *
   * @param {View} view
   * @returns {Speech}
   */
  speech(view) {
    const { page } = this;
    const { words } = page;
    const now = this.turn(view);
    if (this.refused) return { ...now, look: "refused" };
    if (page.isLost) return { ...now, look: "refused", head: words["no-connection"] ?? "", text: page.lostText };
    if (!page.isNow && page.replay) return this.past(view);
    if (view.failure) return { ...now, look: "refused", head: view.failure.error };
    const you = view.yours.length === 1 ? view.yours[0] : null;
    if (page.pending) {
      const [a = "", b = ""] = page.pending;
      const word = page.cells.isBridge ? "ask-bridge" : "ask-tiles";
      return { ...now, look: "", head: filled(words[word] ?? "", { a, b }), text: "", acts: ["forget", "place"] };
    }
    if (page.cells.first !== null) return this.half(now, page.cells.first);
    const asking = view.draw_offer ?? view.undo_request;
    if (asking && you && asking !== you) {
      const word = view.draw_offer ? "draw-offered" : "undo-asked";
      const head = filled(words[word] ?? "", { name: startingName(view, asking) });
      return { look: "offer", seat: you, head, text: now.head, acts: ["decline", "accept", ...view.others] };
    }
    return now;
  }

  /**
   * Say whose turn it is, and what has happened last.
   *
   * @param {View} view
   * @returns {Speech}
   */
  turn(view) {
    const { words } = this.page;
    const { seat_to_move: seat, to_move: color, sentences } = view.table;
    const last = sentences.last ?? "";
    const isYours = view.yours.includes(seat);
    const name = startingName(view, seat);
    const text = [last || sentences.state, this.offers(view)].filter(Boolean).join(" ");
    const speech = { look: isYours ? "" : "quiet", seat, text, acts: view.others };
    if (view.is_thinking) {
      const head = filled(words["thinking"] ?? "", { name });
      const wait = view.is_preparing ? words["preparing"] ?? "" : `${text} ${this.expected(view)}`.trim();
      return { ...speech, look: "quiet thinking", head, text: wait };
    }
    if (isYours && view.table.phase === "color-choice") return { ...speech, head: words["ask-color"] ?? "" };
    if (view.seats[seat] === "free") return { ...speech, head: words["waiting"] ?? "" };
    if (view.yours.length === 1 && isYours) return { ...speech, head: words["your-turn"] ?? "" };
    const word = view.yours.length > 1 && color ? `turn-${color}` : "turn-of";
    return { ...speech, head: filled(words[word] ?? "", { name }) };
  }

  /**
   * Say what has become of offers and requests.
   *
   * @param {View} view
   */
  offers(view) {
    const { draw_offer: draw, undo_request: undo, declined, yours } = view;
    const { words } = this.page;
    if (yours.length !== 1) return "";
    if (draw !== null && draw === yours[0]) return words["draw-waiting"] ?? "";
    if (undo !== null && undo === yours[0]) return words["undo-waiting"] ?? "";
    if (!declined || declined.seat === yours[0]) return "";
    return filled(words[`${declined.what}-declined`] ?? "", { name: startingName(view, declined.seat) });
  }

  /**
   * Say how long the computer will think, if that is long enough to be said.
   *
   * @param {View} view
   */
  expected({ thinking }) {
    const left = Math.round((thinking?.expected_seconds ?? 0) - (thinking?.seconds ?? 0));
    return left < 2 ? "" : filled(this.page.words["expected-seconds"] ?? "", { count: String(left) });
  }

  /**
   * Say what the second click can be.
   *
   * @param {Speech} now
   * @param {string} first
   * @returns {Speech}
   */
  half(now, first) {
    const { cells, words, language } = this.page;
    const names = new Intl.ListFormat(language.value, { type: "disjunction" });
    const values = { cell: first, ends: names.format(cells.second) };
    const kind = cells.isBridge ? "bridge" : "tile";
    const head = words[`second-${kind}`] ?? "";
    return { ...now, look: "", head, text: filled(words[`second-${kind}-hint`] ?? "", values), acts: [] };
  }

  /**
   * Return what has happened at a moment, without the points, which the cards have.
   *
   * @param {HTMLElement} item - of the list of moves
   */
  happened({ dataset }) {
    const { say = "", white = "" } = dataset;
    const points = white.split(" ")[0] || "0";
    const at = say.lastIndexOf(`${this.page.words["white"]} ${points}, `);
    return at < 0 ? say : say.slice(0, at).trim();
  }

  /**
   * Name the earlier moment that is shown, and say what has happened since it was chosen.
   *
   * @param {View} view
   * @returns {Speech}
   */
  past(view) {
    const { page } = this;
    const { replay, words } = page;
    const item = replay?.item;
    const values = { turn: item?.dataset["turn"] ?? "", last: String(view.table.turn) };
    const isNews = view.version !== page.seen;
    const news = view.ending ? view.sentence : view.table.sentences.last;
    const text = (isNews ? news : item && this.happened(item)) ?? "";
    const head = filled(words["earlier"] ?? "", values);
    const seat = replay ? seatAt(view, replay) : null;
    return { look: isNews ? "then news" : "then", seat, head, text, acts: ["now"] };
  }
}
