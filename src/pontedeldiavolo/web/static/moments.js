// @ts-check
/** The moments of a game: the page shows the game as it is now, an earlier moment, or a variation. */

import { byId, filled } from "./dom.js";
import { Replay } from "./replay.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */

/**
 * Return the actions of steps; the first step is the start.
 *
 * @param {import("./replay.js").Step[]} steps
 */
function actionsOf(steps) {
  return steps.slice(1).map(({ item }) => item.dataset["action"] ?? "");
}

/** The moments, of which one is shown. */
export class Moments {
  back = byId("back", HTMLButtonElement);
  /** The last view that was shown as the present, not as an earlier moment. @type {View | null} */
  seen = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Replay | null} */
    this.replay = null;
  }

  /** Whether the game is shown as it is now. */
  get isNow() {
    const { replay } = this;
    return replay === null || (replay.line === 0 && replay.at === replay.steps.length - 1);
  }

  /** The place of the earlier moment that is shown; infinite if the game is shown as it is now. */
  get earlier() {
    return this.replay?.line === 0 && !this.isNow ? this.replay.at : Infinity;
  }

  /** The number of actions of the game itself that lead to what is shown: a variation follows them. */
  get ownPly() {
    const { at = 0, steps = [] } = this.replay ?? {};
    return steps.slice(0, at + 1).filter(({ line }) => line === 0).length - 1;
  }

  /** The actions from the start to what is shown. */
  get line() {
    return this.all.slice(0, this.replay?.at);
  }

  /** The actions of the line that is shown: the game itself, or a variation with what leads to it. */
  get all() {
    return actionsOf(this.replay?.steps ?? []);
  }

  /** The actions of the game itself, or of the own moves that are shown in its place. */
  get course() {
    return actionsOf(this.replay?.course(0) ?? []);
  }

  /** The variation that is shown, in the list of moves; `null` for a moment of the game itself. */
  get variation() {
    return this.replay?.item.closest(".variation") ?? null;
  }

  /**
   * Read the moments from the list of moves, and show one.
   *
   * @param {string} moves
   * @param {number} [at] - its place; the last one without it
   */
  open(moves, at = Infinity) {
    const { page } = this;
    page.moves.show(moves);
    this.replay = new Replay(byId("game", HTMLElement), () => page.showMoment());
    if (page.view) page.cards.show(page.view, page.trial.game ?? page.view);
    this.replay.show(0, at);
    page.showMoment();
    page.showClocks();
  }

  /**
   * Show a moment of the game itself.
   *
   * @param {number} ply
   */
  show(ply) {
    this.replay?.show(0, ply);
    this.page.showMoment();
  }

  /** Show the game as it is now, not an earlier moment or the end of a variation. */
  showNow() {
    this.show(Infinity);
  }

  /**
   * Show a variation of an action.
   *
   * @param {number} ply
   * @param {number} number - its number among the variations of the action, from 0
   */
  showVariation(ply, number) {
    const first = this.variationOf(ply, number)?.querySelector("li");
    if (first && this.replay?.showItem(first)) this.page.showMoment();
  }

  /**
   * Return a variation of an action in the list of moves, if there is one.
   *
   * @param {number} ply
   * @param {number} number - its number among the variations of the action, from 0
   */
  variationOf(ply, number) {
    const item = this.replay?.course(0)[ply]?.item;
    return [...(item?.querySelectorAll(":scope > .variation") ?? [])][number];
  }

  /** Whether the variation that is shown can be deleted: not one that a review has found. */
  get canDrop() {
    const { page, variation } = this;
    if (page.trial.isOn) return page.trial.other !== undefined;
    const { mistakes } = page.analysis.reviewed;
    const isFound = mistakes.some((each) => this.variationOf(each.ply, each.variation) === variation);
    return variation !== null && !isFound && Boolean(page.view?.can_try && page.view.yours.length > 0);
  }

  /**
   * Note that a game is shown as it is now, if it is.
   *
   * @param {View} view
   */
  see(view) {
    if (this.isNow) this.seen = view;
  }

  /**
   * Mark the board if it shows an earlier moment, and lead back to the game from there.
   *
   * @param {View} view
   */
  mark(view) {
    const { isNow, page } = this;
    this.see(view);
    if (!isNow) page.forgetRefusal();
    for (const id of ["board", "status"]) byId(id, HTMLElement).classList.toggle("past", !isNow);
    this.back.hidden = isNow;
    const text = page.words[page.trial.isOn ? "back-to-trial" : view.ending ? "back-to-end" : "back-to-game"] ?? "";
    const label = this.back.querySelector("span");
    if (label) label.textContent = filled(text, { turn: this.replay?.item.dataset["turn"] ?? "" });
  }

  listen() {
    byId("moves", HTMLElement).addEventListener("click", (event) => {
      if (!(event.target instanceof Element)) return;
      const item = event.target.closest("a")?.closest("li");
      if (!item) return;
      event.preventDefault();
      if (this.replay?.showItem(item)) this.page.showMoment();
    });
  }
}
