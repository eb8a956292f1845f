// @ts-check
/** Clicks on cells: two of them are a turn, which the page sends to the server. */

import { byId } from "./dom.js";
import { mustChooseColor } from "./view.js";

/** @typedef {import("./page.js").Page} Page */

/** The clicks of the turn that is being played. */
export class Clicks {
  /** Whether the last click was on an earlier moment. */
  ledBackToNow = false;
  /** The number of actions that were clicked, but not played. Each one drops the clicks that wait. */
  unplayedCount = 0;
  /** Whether the last click was made with a finger. */
  isTouch = false;
  /** @type {Promise<void>} */
  queue = Promise.resolve();

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * The cells of an action that waits for a confirmation. They are those of the board, so the
   * question ends when the board shows something else.
   *
   * @returns {[string, string] | null}
   */
  get unconfirmedAction() {
    const { firstClick, unconfirmedCell } = this.page.cells;
    return firstClick === null || unconfirmedCell === null ? null : [firstClick, unconfirmedCell];
  }

  /**
   * Wait for earlier clicks and for the running operation, then carry out the click. If the board
   * has changed by then, or an action was not played, ignore it: it was meant for another board.
   *
   * @param {string} cell
   * @param {MouseEvent} event
   * @param {boolean} isTouch - whether a finger has clicked
   */
  add(cell, event, isTouch) {
    const { page, unplayedCount } = this;
    // The second click of a double click, of which the first one has led back to the game.
    if (event.detail > 1 && this.ledBackToNow) return;
    this.ledBackToNow = false;
    const { boardShown } = page;
    const isMeant = () => unplayedCount === this.unplayedCount && page.isStillShown(boardShown);
    const click = () => page.runWhenIdle(() => this.click(cell, isTouch), isMeant);
    this.queue = this.queue.then(click).catch((error) => page.fail(error));
  }

  /**
   * Carry out a click.
   *
   * @param {string} cell
   * @param {boolean} isTouch
   */
  async click(cell, isTouch) {
    const { page } = this;
    const { cells } = page;
    this.isTouch = isTouch;
    if (page.trial.isOn && !page.moments.isNow && !(await page.trial.branch())) {
      this.unplayedCount += 1;
      return;
    }
    switch (this.meaningOf(cell)) {
      case "return":
        this.ledBackToNow = true;
        page.moments.showNow();
        break;
      case "color":
        this.askForColor();
        break;
      case "first":
        cells.choose(cell, cells.targetsAfter(cell));
        page.statusLine.show();
        break;
      case "take-back":
        this.forget();
        break;
      case "ask":
        cells.showUnconfirmed(cell);
        page.statusLine.show();
        break;
      case "confirm":
        await this.confirm();
        break;
      case "send":
        // The server knows the rules: it plays the action, or says why it cannot be played. It does
        // not offer second cells: a first click is sent only if none can follow it.
        await this.send(cells.firstClick === null ? [cell] : [cells.firstClick, cell]);
    }
  }

  /**
   * Return what a click on a cell means now.
   *
   * @param {string} cell
   * @returns {"return" | "color" | "first" | "take-back" | "ask" | "confirm" | "send"}
   */
  meaningOf(cell) {
    const { page, unconfirmedAction } = this;
    const { cells, moments, tools, view } = page;
    const { firstClick } = cells;
    if (!moments.isNow) return "return";
    if (view && mustChooseColor(view)) return "color";
    if (firstClick === null) return cells.targetsAfter(cell).length > 0 ? "first" : "send";
    if (cell === firstClick) return "take-back";
    if (unconfirmedAction?.[1] === cell) return "confirm";
    if (cells.secondTargets.includes(cell)) {
      const isRisky = this.isTouch && cells.areSmall && tools.confirm.checked;
      return isRisky ? "ask" : "send";
    }
    // An end of another bridge begins another turn.
    return cells.bridgesFrom(cell).length > 0 ? "first" : "send";
  }

  /**
   * Send the cells that were clicked.
   *
   * @param {string[]} cells
   */
  async send(cells) {
    let isPlayed = false;
    try {
      isPlayed = await this.page.sendChange("/actions", { cells });
    } finally {
      if (!isPlayed) this.unplayedCount += 1;
    }
  }

  /** Play the action that waits for a confirmation. */
  async confirm() {
    const { page, unconfirmedAction } = this;
    page.cells.showUnconfirmed(null);
    if (unconfirmedAction) await this.send(unconfirmedAction);
  }

  /** Say that a colour is to be chosen first, and where. */
  askForColor() {
    const { page } = this;
    const choices = byId("choices", HTMLElement);
    page.refuse({ error: page.words["choose-first"] ?? "" });
    choices.classList.remove("asked");
    // Without this the animation would not start again.
    void choices.offsetWidth;
    choices.classList.add("asked");
  }

  /** Take the first click back. */
  forget() {
    const { cells, statusLine, view } = this.page;
    if (cells.firstClick === null || !view) return;
    cells.choose(null);
    statusLine.show();
  }
}
