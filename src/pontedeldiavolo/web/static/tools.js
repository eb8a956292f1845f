// @ts-check
/** The tools under the line, and the menu: what a player can do besides playing. */

import { byId, filled } from "./cells.js";

/** @typedef {import("./board.js").Page} Page */
/** @typedef {import("./board.js").View} View */

const CONFIRM = "ponte-confirm";

/** The tools. */
export class Tools {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.at = byId("at", HTMLElement);
    this.menu = byId("menu", HTMLDialogElement);
    this.networks = byId("networks", HTMLButtonElement);
    this.undo = byId("undo", HTMLButtonElement);
    this.resign = byId("resign", HTMLButtonElement);
    this.confirm = byId("confirm", HTMLInputElement);
    this.confirm.checked = localStorage.getItem(CONFIRM) !== "false";
    this.confirm.addEventListener("change", () => {
      localStorage.setItem(CONFIRM, String(this.confirm.checked));
    });
    byId("show-menu", HTMLButtonElement).addEventListener("click", () => this.menu.showModal());
    // A button of the menu does its work on the page below.
    for (const each of this.menu.querySelectorAll("button[type=button]")) {
      each.addEventListener("click", () => this.menu.close());
    }
    this.networks.addEventListener("click", () => this.showNetworks(!this.areNetworksShown));
    byId("tools", HTMLElement).addEventListener("click", ({ target }) => {
      const what = target instanceof Element ? target.closest("[data-do]")?.getAttribute("data-do") : null;
      if (what) page.replay?.act(what);
    });
  }

  get areNetworksShown() {
    return this.networks.getAttribute("aria-pressed") === "true";
  }

  /** @param {boolean} areShown */
  showNetworks(areShown) {
    this.networks.setAttribute("aria-pressed", String(areShown));
    byId("board", HTMLElement).classList.toggle("bare", !areShown);
  }

  /**
   * Show what can be done in a game.
   *
   * @param {View} view
   * @param {string} you - the seat of the reader, `both` or `none`
   */
  show(view, you) {
    const { words } = this.page;
    const isEnd = view.ending !== null;
    this.undo.hidden = this.resign.hidden = isEnd || you === "none";
    const isRequest = !view.can_undo && view.can_request_undo;
    this.undo.disabled = (!view.can_undo && !isRequest) || view.undo_request === you;
    const undo = isRequest ? "ask-undo" : view.is_thinking && view.can_undo ? "stop" : "undo";
    this.label(this.undo, words[undo] ?? "");
    byId("undo-ended", HTMLButtonElement).hidden = !isEnd || !view.can_undo;
    const draw = byId("draw", HTMLButtonElement);
    draw.hidden = isEnd || you === "none" || Object.values(view.seats).includes("free");
    draw.disabled = view.draw_offer === you;
    const isOffered = view.draw_offer !== null && view.draw_offer !== you;
    const word = you === "both" ? "draw-agree" : isOffered ? "draw-accept" : "draw";
    draw.textContent = words[word] ?? "";
    const { bridges_left: bridges } = view.table;
    const supply = byId("supply", HTMLElement);
    supply.hidden = bridges === null;
    supply.textContent = bridges === null ? "" : filled(words["bridges-left"] ?? "", { count: bridges });
  }

  /**
   * Give a button of one picture its name, which the pointer shows, too.
   *
   * @param {Element} button
   * @param {string} text
   */
  label(button, text) {
    button.setAttribute("aria-label", text);
    button.setAttribute("title", text);
  }

  /** Show which turn is shown, and what can be reached from there. */
  step() {
    const { replay, view, isNow } = this.page;
    if (!replay || !view) return;
    const turn = replay.item.dataset["turn"] ?? "";
    this.at.textContent = isNow ? turn : `${turn}/${view.table.turn}`;
    const last = replay.steps.length - 1;
    for (const each of document.querySelectorAll("#tools [data-do]")) {
      const isBack = ["first", "previous"].includes(each.getAttribute("data-do") ?? "");
      each.setAttribute("aria-disabled", String(isBack ? replay.at === 0 : replay.at === last));
    }
  }
}
