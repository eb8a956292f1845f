// @ts-check
/** The tools under the line, and the menu: what a player can do besides playing. */

import { buttons, byId, filled, nameButton } from "./dom.js";
import { isOpen } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */

const CONFIRM = "ponte-confirm";
const COORDINATES = "ponte-coordinates";

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
    this.coordinates = byId("coordinates", HTMLInputElement);
    this.coordinates.checked = localStorage.getItem(COORDINATES) !== "false";
    this.coordinates.addEventListener("change", () => {
      localStorage.setItem(COORDINATES, String(this.coordinates.checked));
      this.showCoordinates();
    });
    this.showCoordinates();
    byId("show-menu", HTMLButtonElement).addEventListener("click", () => this.menu.showModal());
    // A button of the menu does its work on the page below.
    for (const each of this.menu.querySelectorAll("button[type=button]")) {
      each.addEventListener("click", () => this.menu.close());
    }
    this.networks.addEventListener("click", () => this.showNetworks(!this.areNetworksShown));
    byId("tools", HTMLElement).addEventListener("click", ({ target }) => {
      const what = target instanceof Element ? target.closest("[data-do]")?.getAttribute("data-do") : null;
      if (what) page.moments.replay?.act(what);
    });
  }

  get areNetworksShown() {
    return this.networks.getAttribute("aria-pressed") === "true";
  }

  /** Show or hide the letters and numbers beside the board, as the reader has chosen. */
  showCoordinates() {
    byId("board", HTMLElement).classList.toggle("unlabelled", !this.coordinates.checked);
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
    nameButton(this.resign, words[isOpen(view) && view.can_abort ? "uninvite" : "resign"] ?? "");
    const isRequest = !view.can_undo && view.can_request_undo;
    const undo = isRequest ? "ask-undo" : view.is_thinking && view.can_undo ? "stop" : "undo";
    nameButton(this.undo, words[undo] ?? "");
    const hasNothing = (!view.can_undo && !isRequest) || view.undo_request === you;
    this.disable(this.undo, hasNothing, isRequest && view.asked_already.includes("undo"));
    byId("undo-ended", HTMLButtonElement).hidden = !isEnd || !view.can_undo;
    const draw = byId("draw", HTMLButtonElement);
    for (const each of buttons(".give-time")) each.hidden = !view.can_give_time;
    draw.hidden = isEnd || you === "none" || isOpen(view);
    const isOffered = view.draw_offer !== null && view.draw_offer !== you;
    // The computer may be asked again and again.
    const isBetweenPeople = Object.values(view.seats).every((each) => each === "person");
    this.disable(draw, view.draw_offer === you, isBetweenPeople && !isOffered && view.asked_already.includes("draw"));
    const word = you === "both" ? "draw-agree" : isOffered ? "draw-accept" : "draw";
    draw.textContent = words[word] ?? "";
    byId("you", HTMLElement).textContent = `${words[`you-${you}`]} ${this.aboutRules(view.rules)}`;
    const { bridges_left: bridges } = view.snapshot;
    const supply = byId("supply", HTMLElement);
    supply.hidden = bridges === null;
    supply.textContent = bridges === null ? "" : filled(words["bridges-left"] ?? "", { count: bridges });
  }

  /**
   * Disable a button, or enable it.
   *
   * @param {HTMLButtonElement} button
   * @param {boolean} hasNothing - whether there is nothing for it to do
   * @param {boolean} isAsked - whether the reader has asked in vain, and may ask again later; the button says so
   */
  disable(button, hasNothing, isAsked) {
    button.disabled = hasNothing || isAsked;
    // Beside the name of a button, its title is the accessible description.
    button.title = (isAsked ? this.page.words["ask-again"] : button.ariaLabel) ?? "";
  }

  /**
   * Return a sentence about rules.
   *
   * @param {string} rules
   */
  aboutRules(rules) {
    const { words } = this.page;
    const [size = "", ...options] = rules.split(" ");
    const values = Object.fromEntries(options.map((option) => option.split("=")));
    for (const [key, value] of Object.entries(values)) {
      const named = value.split(",").map((/** @type {string} */ word) => words[`tiebreak-${word}`] ?? words[word] ?? word);
      values[key] = value === "none" ? words["no-tiebreaks"] : named.join(", ");
    }
    return filled(words["about-rules"] ?? "", { size: size.replace("x", "×"), ...values });
  }

  /** Show the number of the turn on the board, and which buttons lead to other turns. */
  showMoment() {
    const { view } = this.page;
    const { replay, isNow } = this.page.moments;
    if (!replay || !view) return;
    const turn = replay.item.dataset["turn"] ?? "";
    this.at.textContent = isNow ? turn : `${turn}/${view.snapshot.turn}`;
    const last = replay.steps.length - 1;
    for (const each of document.querySelectorAll("#tools [data-do]")) {
      const isBack = ["first", "previous"].includes(each.getAttribute("data-do") ?? "");
      each.setAttribute("aria-disabled", String(isBack ? replay.at === 0 : replay.at === last));
    }
  }
}
