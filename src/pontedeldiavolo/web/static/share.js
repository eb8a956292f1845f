// @ts-check
/** What a reader passes on: a link to a moment, its picture, a replay page, an animation, the record. */

import { byId, filled, make } from "./dom.js";
import { startingName } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {{error: string, code: string}} Obstacle */

/** The milliseconds for which a button says that something was copied. */
const COPIED = 2000;
/** The milliseconds in which an animation must be drawn. */
const LONG = 300_000;
/** The hosts of a server that runs for its own machine alone. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);
const DATE = /^\[Date "(\d{4})\.(\d{2})\.(\d{2})"\]$/m;

/** Return whether the address of the page leads other machines nowhere. */
export function isLocal() {
  return LOCAL.has(location.hostname);
}

/**
 * Return the ID of the game in an address, and the number of actions of the moment if it names one.
 *
 * @param {string} hash - such as `#id` or `#id/12`
 * @returns {[string, number | null]}
 */
export function partsOfAddress(hash) {
  const [id = "", ply = ""] = hash.slice(1).split("/");
  return [id, /^\d+$/.test(ply) ? Number(ply) : null];
}

/**
 * Save a file.
 *
 * @param {Blob} file
 * @param {string} name
 */
function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Copy a text.
 *
 * @param {string} text
 * @param {HTMLElement} box - an element that can have the focus now: a field in it is copied from
 */
export async function copy(text, box) {
  // Browsers allow the clipboard only in secure contexts: not over HTTP in a local network.
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const held = document.activeElement;
  const field = make("textarea", "hide");
  field.value = text;
  box.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (held instanceof HTMLElement) held.focus();
}

/**
 * Return an SVG picture as a PNG, which the browser draws.
 *
 * @param {Blob} picture
 * @returns {Promise<Blob>}
 */
async function drawn(picture) {
  const image = document.createElement("img");
  image.src = URL.createObjectURL(picture);
  try {
    await image.decode();
    const canvas = make("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return await new Promise((done, fail) =>
      canvas.toBlob((found) => (found ? done(found) : fail(new Error("the picture is empty"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** The dialog. */
export class Share {
  dialog = byId("share", HTMLDialogElement);
  moment = byId("share-moment", HTMLElement);
  preview = byId("share-preview", HTMLImageElement);
  link = byId("share-link", HTMLInputElement);
  note = byId("share-note", HTMLElement);
  animation = byId("share-gif", HTMLButtonElement);
  /** Why the server draws no animations. @type {Obstacle | null} */
  obstacle = null;
  /** The IDs of the buttons whose work is being done. @type {Set<string>} */
  working = new Set();
  record = "";
  picture = new Blob();
  ply = 0;
  turn = "";
  /** What the server is told of the moment. @type {Record<string, string>} */
  query = {};

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ask what the reader wants to pass on of the moment that is shown. */
  async open() {
    const { page } = this;
    const { game, moments, trial, words } = page;
    const { isNow, ownPly, replay } = moments;
    if (!game || !replay) return;
    // Only the game has addresses: the link leads to where moves beside it begin.
    this.ply = trial.isOn ? Math.min(ownPly, trial.lines.ply) : ownPly;
    this.turn = replay.course(0)[this.ply]?.item.dataset["turn"] ?? "";
    const isBeside = this.ply < replay.at;
    const isEnd = isNow && !trial.isOn;
    const tried = trial.isOn && isBeside ? moments.line.slice(this.ply).join(" ") : "";
    this.query = { ply: String(this.ply), ...(tried ? { tried } : {}) };
    const values = { turn: this.turn, last: String(game.snapshot.turn) };
    const about = filled(words[tried ? "share-tried" : isBeside ? "share-variation" : "earlier"] ?? "", values);
    this.moment.textContent = isEnd && game.ending ? game.sentence : about;
    byId("share-link-about", HTMLElement).textContent = isBeside ? filled(words["share-link-about"] ?? "", values) : "";
    const address = location.href.replace(/#.*/, "");
    this.link.value = `${address}#${page.gameId}${isEnd ? "" : `/${this.ply}`}`;
    byId("share-address", HTMLElement).hidden = !page.isShared;
    byId("share-local", HTMLElement).hidden = !isLocal();
    this.animation.hidden = this.obstacle !== null || !page.isShared;
    byId("share-obstacle", HTMLElement).textContent = page.isShared ? (this.obstacle?.error ?? "") : "";
    this.showNote("");
    const [record, picture] = await Promise.all([
      page.requestGame("GET", "/record", { query: this.query }),
      page.requestGame("GET", "/picture", { query: this.query }),
    ]);
    const refused = [record, picture].find(({ status }) => status !== 200);
    if (refused) {
      page.refuse(refused.data);
      return;
    }
    this.record = record.data;
    this.picture = new Blob([picture.data], { type: "image/svg+xml" });
    URL.revokeObjectURL(this.preview.src);
    this.preview.src = URL.createObjectURL(this.picture);
    this.dialog.showModal();
  }

  /**
   * Return the name of a file: the game, the players, the date, and for a picture the turn.
   *
   * @param {string} kind
   * @param {boolean} [isMoment] - whether it shows one moment
   */
  fileName(kind, isMoment = false) {
    const { view } = this.page;
    const names = view ? ["first", "second"].map((seat) => startingName(view, seat)) : [];
    const date = DATE.exec(this.record)?.slice(1).join("-") ?? "";
    const parts = ["ponte", ...names, date, isMoment ? this.turn : ""];
    const words = parts.map((part) => part.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-"));
    return `${words.map((word) => word.replace(/^-|-$/g, "")).filter(Boolean).join("-")}.${kind}`;
  }

  /** @param {string} text */
  showNote(text) {
    this.note.textContent = text;
  }

  saveSvg() {
    save(this.picture, this.fileName("svg", true));
  }

  async savePng() {
    save(await drawn(this.picture), this.fileName("png", true));
  }

  saveRecord() {
    save(new Blob([this.record], { type: "text/plain" }), this.fileName("pdd"));
  }

  async saveReplay() {
    await this.saveFrom("/replay", "text/html", "html");
  }

  async saveAnimation() {
    this.showNote(this.page.words["drawing"] ?? "");
    await this.saveFrom("/animation", "image/gif", "gif", { patience: LONG });
  }

  /**
   * Save what the server makes of the game.
   *
   * @param {string} path
   * @param {string} type
   * @param {string} kind
   * @param {import("./transport.js").RequestOptions} [options]
   */
  async saveFrom(path, type, kind, options = {}) {
    const { page } = this;
    const { status, data } = await page.requestGame("GET", path, { query: this.query, ...options });
    this.showNote(status === 200 ? "" : (data.error ?? page.words["no-response"] ?? ""));
    if (status === 200) save(new Blob([data], { type }), this.fileName(kind));
  }

  /**
   * Copy a text, and say so.
   *
   * @param {string} text
   * @param {HTMLElement} button
   */
  async copy(text, button) {
    const { words } = this.page;
    const before = button.textContent;
    await copy(text, this.dialog);
    const copied = words["copied"] ?? "";
    this.showNote(copied);
    button.textContent = copied;
    setTimeout(() => (button.textContent = before), COPIED);
  }

  /**
   * Do the work of a button, unless it is being done already.
   *
   * @param {string} id
   * @param {() => void | Promise<void>} work
   */
  async once(id, work) {
    if (this.working.has(id)) return;
    this.working.add(id);
    try {
      await work();
    } finally {
      this.working.delete(id);
    }
  }

  listen() {
    /** @type {Record<string, (button: HTMLElement) => void | Promise<void>>} */
    const works = {
      "open-share": () => this.open(),
      "share-copy": (button) => this.copy(this.link.value, button),
      "share-svg": () => this.saveSvg(),
      "share-png": () => this.savePng(),
      "share-page": () => this.saveReplay(),
      "share-gif": () => this.saveAnimation(),
      "share-record": () => this.saveRecord(),
      "copy-record": (button) => this.copy(this.record, button),
    };
    for (const [id, work] of Object.entries(works)) {
      const button = byId(id, HTMLButtonElement);
      button.addEventListener("click", () => void this.once(id, () => work(button)));
    }
    this.link.addEventListener("focus", () => this.link.select());
  }
}
