// @ts-check
/** How far something is that takes a while: a bar, and the seconds, beside the texts that are read out. */

import { byId, filled } from "./dom.js";

/** The seconds after which a wait is shown, unless it is known to take long. */
const SHORT = 1;

/** A bar and the seconds. */
export class Progress {
  /** @type {number | null} */
  began = null;
  /** The seconds that the whole will take; `null` if nobody knows. @type {number | null} */
  expected = null;
  /** The share that is done, if it is counted and not only expected. @type {number | null} */
  share = null;

  /**
   * @param {string} bar - the ID of the bar
   * @param {string} seconds - the ID of the text
   */
  constructor(bar, seconds) {
    this.bar = byId(bar, HTMLElement);
    this.seconds = byId(seconds, HTMLElement);
  }

  /**
   * Begin, or correct what is known.
   *
   * @param {number} before - the seconds that have gone by
   * @param {number | null} [expected] - the seconds that the whole will take
   */
  begin(before, expected = null) {
    this.began = window.performance.now() - 1000 * before;
    this.expected = expected;
    this.share = null;
  }

  /** Hide it: the thing is done. */
  end() {
    this.began = null;
    this.bar.hidden = this.seconds.hidden = true;
  }

  /**
   * Show how far it is now.
   *
   * @param {Record<string, string>} words
   */
  tick(words) {
    if (this.began === null) return;
    const spent = (window.performance.now() - this.began) / 1000;
    const isShort = spent < SHORT && (this.expected ?? 0) < 2 * SHORT && this.share === null;
    this.bar.hidden = this.seconds.hidden = isShort;
    if (isShort) return;
    const text = filled(words["seconds"] ?? "", { count: String(Math.floor(spent)) });
    if (this.seconds.textContent !== text) this.seconds.textContent = text;
    // What takes longer than expected has no known end.
    const guess = this.expected !== null && spent < this.expected ? spent / this.expected : null;
    const share = this.share ?? guess;
    const inner = this.bar.firstElementChild;
    this.bar.classList.toggle("endless", share === null);
    if (inner instanceof HTMLElement) inner.style.width = share === null ? "" : `${100 * share}%`;
    if (share === null) this.bar.removeAttribute("aria-valuenow");
    else this.bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  }
}
