// @ts-check
/** Analyses by the computer: of one position in a game, or of the whole game. */

import { byId, filled } from "./cells.js";
import { Review, decimal } from "./review.js";

/** @typedef {import("./board.js").Page} Page */
/** @typedef {{value: number, text: string}} Line */
/** @typedef {{ply?: number, value?: number, lines?: Line[], svg?: string, moves?: string, values?: (number | null)[], mistakes?: import("./review.js").Mistake[]}} Found */

const WHOLE_GAME = -1;
const RETRY = 2000;

/**
 * Return the text of a value.
 *
 * @param {number} value
 */
function signed(value) {
  const rounded = Math.round(100 * value) / 100;
  return `${rounded < 0 ? "−" : "+"}${decimal(Math.abs(rounded))}`;
}

/** The part of the page for analyses. */
export class Analysis {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.text = byId("found", HTMLElement);
    this.bar = byId("bar", HTMLElement);
    this.lines = byId("lines", HTMLElement);
    this.reviewed = new Review(page);
    this.expected = byId("expected", HTMLElement);
    this.analyse = byId("analyse", HTMLButtonElement);
    this.review = byId("review", HTMLButtonElement);
    this.stop = byId("stop-analysis", HTMLButtonElement);
    /** @type {AbortController | null} */
    this.waiting = null;
    /** The ply that the picture shows. */
    this.ply = WHOLE_GAME;
    this.analyse.addEventListener("click", () => void this.start(this.page.replay?.at ?? 0));
    this.review.addEventListener("click", () => void this.start(WHOLE_GAME));
    this.stop.addEventListener("click", () => {
      void this.page.askGame("POST", "/analyses", { body: {} });
    });
  }

  /** Discard the results, because the game has changed. */
  clear() {
    this.waiting?.abort();
    this.waiting = null;
    this.ply = WHOLE_GAME;
    this.expected.replaceChildren();
    this.lines.replaceChildren();
    this.reviewed.clear();
    this.text.textContent = "";
    this.bar.hidden = this.stop.hidden = true;
    this.step();
  }

  /** Show the results for the ply that is shown. */
  step() {
    const { replay, view } = this.page;
    const isMain = replay?.line === 0;
    const isEnd = view?.ending === "scored" && replay && replay.at === replay.steps.length - 1;
    const isWaiting = this.waiting !== null;
    this.analyse.disabled = isWaiting || !isMain || Boolean(isEnd);
    this.review.disabled = isWaiting;
    this.reviewed.step();
    this.expected.hidden = this.ply === WHOLE_GAME || !isMain || replay.at !== this.ply;
  }

  /**
   * Ask for an analysis, and wait for it.
   *
   * @param {number} ply
   */
  async start(ply) {
    this.clear();
    const { page } = this;
    const waiting = (this.waiting = new AbortController());
    this.step();
    this.text.textContent = page.words["analysing"] ?? "";
    let { status, data } = await page.askGame("POST", "/analyses", { body: { ply } });
    if (status === 202) status = 204;
    if (waiting.signal.aborted) return;
    // An analysis cannot be stopped before it has started.
    this.stop.hidden = status !== 204;
    // Without a response, nobody knows what has become of the analysis: ask until there is one.
    let done = "0";
    while ((status === 204 || status === 0 || data.total !== undefined) && !waiting.signal.aborted) {
      if (status === 0) {
        this.text.textContent = page.words["unreachable"] ?? "";
        await new Promise((done) => setTimeout(done, RETRY));
      }
      ({ status, data } = await page.askGame("GET", "/analysis", { signal: waiting.signal, query: { done } }));
      if (status === 204) this.text.textContent = page.words["analysing"] ?? "";
      if (data.total === undefined) continue;
      done = String(data.done);
      const values = { done, total: String(data.total) };
      this.text.textContent = filled(page.words["reviewing"] ?? "", values);
    }
    if (waiting.signal.aborted) return;
    this.clear();
    if (status === 200) this.show(data);
    else this.text.textContent = data.error ?? page.words["unreachable"] ?? "";
  }

  /** @param {Found} found */
  show({ ply, value, lines, svg, moves, values, mistakes }) {
    const { page } = this;
    if (mistakes && values && svg !== undefined && moves !== undefined) {
      this.text.textContent = page.words[mistakes.length > 0 ? "worst" : "nothing-worse"] ?? "";
      page.showPicture(svg, moves);
      this.reviewed.open(values, mistakes);
    } else if (lines && ply !== undefined && value !== undefined) {
      const name = String(page.view?.players[0]?.["name"] ?? "");
      this.text.textContent = filled(page.words["value"] ?? "", { name, value: signed(value) });
      this.bar.hidden = false;
      const share = this.bar.firstElementChild;
      if (share instanceof HTMLElement) share.style.width = `${50 * (1 + value)}%`;
      this.expected.innerHTML = svg ?? "";
      this.ply = ply;
      this.list(lines.map((line, place) => [`${signed(line.value)} ${line.text}`, () => this.choose(place)]));
      this.choose(0);
    }
    this.step();
  }

  /** @param {[string, () => void][]} items */
  list(items) {
    this.lines.replaceChildren(
      ...items.map(([text, work]) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", work);
        item.append(button);
        return item;
      }),
    );
  }

  /**
   * Show the pieces of a line.
   *
   * @param {number} chosen
   */
  choose(chosen) {
    this.lines.querySelectorAll("button").forEach((button, place) => {
      button.setAttribute("aria-pressed", String(place === chosen));
    });
    this.expected.querySelectorAll(".line").forEach((line, place) => {
      line.classList.toggle("shown", place === chosen);
    });
  }
}
