// @ts-check
/** An invitation: the link for the other player, and what a visitor sees who opens it. */

import { byId, filled, make } from "./dom.js";
import { copy, isLocal } from "./share.js";
import { SEATS, isolated, playerAt } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */

/** The milliseconds for which the button says that the link was copied. */
const COPIED = 2000;

/** The invitation. */
export class Invitation {
  sheet = byId("invited", HTMLElement);
  visitor = byId("visitor", HTMLInputElement);
  join = byId("join", HTMLButtonElement);
  /** The IDs of the games that the visitor only wants to watch. @type {Set<string>} */
  watched = new Set();
  /** What the title of the page says to an invited visitor. */
  title = "";

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Show what the view offers: to a player the link, to a visitor a seat.
   *
   * @param {View} view
   */
  show(view) {
    const { isShared, words } = this.page;
    const free = SEATS.filter((seat) => view.seats[seat] === "free");
    const isOpen = isShared && free.length > 0 && view.ending === null;
    const isVisitor = view.yours.length === 0;
    const isInvited = isOpen && isVisitor && !this.watched.has(view.id);
    byId("invitation", HTMLElement).hidden = !isOpen || isVisitor;
    byId("link", HTMLInputElement).value = location.href.replace(/(#[^/]*).*/, "$1");
    byId("link-local", HTMLElement).hidden = !isLocal();
    byId("game", HTMLElement).classList.toggle("invited", isInvited);
    this.sheet.hidden = !isInvited;
    this.join.hidden = !isOpen || !isVisitor || isInvited;
    this.title = "";
    if (!isInvited) return;
    const host = SEATS.map((seat) => view.names[seat]).find(Boolean);
    this.title = (host ? filled(words["invited-by"] ?? "", { name: isolated(host) }) : words["invited"]) ?? "";
    byId("invited-title", HTMLElement).textContent = this.title;
    byId("facts", HTMLElement).replaceChildren(...this.facts(view, free).map((fact) => make("li", "", fact)));
    for (const seat of SEATS) {
      const button = this.button(seat);
      button.hidden = !free.includes(seat);
      button.textContent = words[`sit-${seat}`] ?? "";
    }
  }

  /** @param {string} seat */
  button(seat) {
    return /** @type {HTMLButtonElement} */ (this.sheet.querySelector(`[data-seat=${seat}]`));
  }

  /**
   * Return what the visitor should know of the game.
   *
   * @param {View} view
   * @param {string[]} free - the free seats
   */
  facts(view, free) {
    /** @type {(name: string, values?: Record<string, string>) => string} */
    const text = (name, values = {}) => filled(this.page.words[`fact-${name}`] ?? "", values);
    const [size = "", tiles = "", bridges = ""] = view.rules.split(" ").map((part) => part.split("=").at(-1) ?? "");
    const facts = [size.replace("x", " × ")];
    // A supply without a limit is usual.
    if (tiles !== "unlimited") facts.push(text("tiles", { count: tiles }));
    if (bridges !== "unlimited") facts.push(text("bridges", { count: bridges }));
    const [seconds = "", increment = ""] = view.time_control?.split("+") ?? [];
    const minutes = new Intl.NumberFormat(this.page.languages.code).format(Number(seconds) / 60);
    facts.push(view.time_control ? text("clock", { minutes, seconds: increment }) : text("no-clock"));
    const seat = free.length === 1 ? free[0] : undefined;
    const color = playerAt(view, seat ?? null)["color"];
    if (seat && color) facts.push(text("color", { color: String(color) }));
    else if (seat) facts.push(text(seat === "first" ? "begin" : "choose"));
    return facts;
  }

  /** @param {string} seat */
  async sitDown(seat) {
    const { page } = this;
    const request = `${page.gameId} ${seat}`;
    const name = this.visitor.value;
    page.start.keepName(name);
    const body = { seat, name, key: page.keyOf(request) };
    const { status, data } = await page.requestGame("POST", "/seats", { body });
    if (status !== 201) {
      await page.reloadAndRefuse(status, data);
      return;
    }
    page.keys.delete(request);
    localStorage.setItem(`ponte-${page.gameId}`, data.token);
    page.show(data);
    // The request that waits for news was sent without the token of the seat.
    void page.news.watch();
  }

  async copyLink() {
    const { words } = this.page;
    const link = byId("link", HTMLInputElement);
    link.select();
    await copy(link.value, byId("invitation", HTMLElement));
    const button = byId("copy", HTMLButtonElement);
    for (const each of [byId("note", HTMLElement), button]) each.textContent = words["copied"] ?? "";
    setTimeout(() => (button.textContent = words["copy"] ?? ""), COPIED);
  }

  listen() {
    const { page } = this;
    this.visitor.value = page.start.name;
    for (const seat of SEATS) {
      this.button(seat).addEventListener("click", () => void page.runUnlessBusy(() => this.sitDown(seat)));
    }
    this.visitor.addEventListener("keydown", ({ key }) => {
      if (key === "Enter") SEATS.map((seat) => this.button(seat)).find((each) => !each.hidden)?.click();
    });
    const goOn = () => {
      if (page.view) page.showSeats(page.view);
    };
    byId("watch", HTMLButtonElement).addEventListener("click", () => {
      this.watched.add(page.gameId);
      goOn();
      page.cells.focus();
    });
    this.join.addEventListener("click", () => {
      this.watched.delete(page.gameId);
      goOn();
      this.visitor.focus();
    });
  }
}
