// @ts-check
/** Notifications of what has happened in a game while its page is hidden: by the system, and by the title. */

import { byId, filled } from "./dom.js";
import { titleOf } from "./result.js";
import { changeOf, isYourTurn, opponentOf, startingName, wordOfUndo } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */
/** @typedef {{head: string, text: string}} Message */

const KEY = "ponte-notifications";

/**
 * Return whether a seat has the turn now and did not have it before, or has it again.
 *
 * @param {View} old
 * @param {View} view
 */
function hasTurn(old, view) {
  const [seat] = view.yours;
  const { seat_to_move: now, turn } = view.snapshot;
  return now === seat && (old.snapshot.seat_to_move !== seat || turn !== old.snapshot.turn);
}

/**
 * Return the seat that asks for something.
 *
 * @param {View} view
 */
function askedOf({ draw_offer: draw, undo_request: undo, rematch_request: rematch }) {
  return draw ?? undo ?? rematch;
}

/**
 * Return the most important thing that others have done between two views of a game; `null` if
 * there is nothing that its player waits for. Somebody who plays both seats, or who watches, waits
 * for nobody.
 *
 * @param {View} old
 * @param {View} view
 * @param {Record<string, string>} words
 * @returns {Message | null}
 */
export function messageOf(old, view, words) {
  const [seat] = view.yours;
  if (view.yours.length !== 1 || seat === undefined) return null;
  const other = opponentOf(seat);
  const last = view.snapshot.sentences.last ?? "";
  const named = (/** @type {string} */ word) => filled((words[word] ?? "").replace(/\.$/, ""), { name: startingName(view, other) });
  const { declined } = view;
  if (view.ending && !old.ending) return { head: titleOf(view, words), text: view.sentence };
  if (view.draw_offer === other && old.draw_offer !== other) return { head: named("draw-offered"), text: last };
  if (view.undo_request === other && old.undo_request !== other) return { head: named(wordOfUndo(view)), text: last };
  if (view.rematch_id && !old.rematch_id && old.rematch_request === seat) return { head: named("rematch-accepted"), text: "" };
  if (view.rematch_request === other && old.rematch_request !== other) return { head: named("rematch-asked"), text: view.sentence };
  if (!view.ending && hasTurn(old, view)) return { head: words["your-turn"] ?? "", text: last };
  if (declined?.seat === other && old.declined?.what !== declined.what) return { head: named(`${declined.what}-declined`), text: "" };
  if (old.version !== view.version && changeOf(old, view) === "undone") return { head: named("undone"), text: last };
  if (view.seats_taken > old.seats_taken) return { head: named("joined"), text: last };
  return null;
}

/** The notifications. They are off until the player wants them; only then the browser asks for consent. */
export class Notifications {
  switch = byId("notifications", HTMLInputElement);
  /** Whether the player wants them: the browser may not. */
  areWanted = localStorage.getItem(KEY) === "true";
  note = byId("notifications-note", HTMLElement);
  /** What the title of the page says of the game until the page is seen. */
  news = "";
  /** Whether the browser has refused to make a notification: phones need a service worker. */
  isRefused = false;
  /** @type {Notification | null} */
  shown = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.show();
  }

  /**
   * Whether the browser shows notifications of this page: `granted`, `denied`, `default` if the
   * player has not answered, or `none` where there are none.
   */
  get consent() {
    const hasSome = window.isSecureContext && "Notification" in window && !this.isRefused;
    return hasSome ? window.Notification.permission : "none";
  }

  /** Whether they are shown. */
  get areOn() {
    return this.areWanted && this.consent === "granted";
  }

  /** Show whether they are on, and how the player can have them. */
  show() {
    const { consent } = this;
    this.switch.checked = this.areOn;
    const isObstacle = consent === "denied" || consent === "none" || this.areWanted;
    this.note.textContent = this.page.words[`notifications-${isObstacle ? consent : "about"}`] ?? "";
  }

  /** Turn them on or off. */
  async toggle() {
    this.areWanted = this.switch.checked;
    localStorage.setItem(KEY, String(this.areWanted));
    if (this.areWanted && this.consent === "default") await window.Notification.requestPermission();
    this.show();
  }

  /**
   * Tell a player who does not see the page what others have done.
   *
   * @param {View} old
   * @param {View} view
   */
  tell(old, view) {
    const message = document.hidden ? messageOf(old, view, this.page.words) : null;
    // What was asked is not asked any more, or the turn has passed.
    const isOver = (askedOf(old) && !askedOf(view)) || (isYourTurn(old) && !isYourTurn(view));
    if (!message && isOver) this.forget();
    if (!message) return;
    this.news = message.head;
    this.page.showTitle();
    const isShown = this.areOn && this.notify(message, view.id);
    // A move and the end have their own sounds.
    if (!isShown && !view.ending && view.snapshot.turn === old.snapshot.turn) this.page.sounds.play("turn");
  }

  /**
   * Let the system show a message; return whether it does.
   *
   * @param {Message} message
   * @param {string} id - of the game: its next message takes the place of this one
   */
  notify({ head, text }, id) {
    const { code } = this.page.languages;
    try {
      // Without "renotify" the next message would replace this one without a sound.
      const options = { body: text, tag: `ponte-${id}`, renotify: true, lang: code };
      this.shown = new window.Notification(head, options);
    } catch {
      // Browsers on phones have the constructor, and throw.
      this.isRefused = true;
      this.show();
      return false;
    }
    this.shown.addEventListener("click", () => {
      window.focus();
      this.forget();
    });
    return true;
  }

  /** Forget what was told, because the player sees the page now. */
  forget() {
    this.shown?.close();
    this.shown = null;
    this.news = "";
    this.page.showTitle();
  }

  listen() {
    this.switch.addEventListener("change", () => void this.toggle());
    byId("show-menu", HTMLButtonElement).addEventListener("click", () => this.show());
    // The player may allow them while the menu is open.
    const query = window.navigator.permissions?.query({ name: "notifications" });
    void query?.then((status) => status.addEventListener("change", () => this.show()), () => {});
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.forget();
    });
  }
}
