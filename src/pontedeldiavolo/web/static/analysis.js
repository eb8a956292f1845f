// @ts-check
/** Analyses by the computer: of one position in a game, or of the whole game. */

import { byId, filled, make, numbered } from "./dom.js";
import { isolated } from "./view.js";
import { Progress } from "./progress.js";
import { Review, decimal } from "./review.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {{value: number, actions: string[]}} Line */
/** @typedef {{ply?: number, value?: number, lines?: Line[], svg?: string, moves?: string, values?: (number | null)[], mistakes?: import("./review.js").Mistake[]}} Found */

const WHOLE_GAME = -1;
const RETRY = 2000;
const OUTDATED = 409;

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
    this.progress = new Progress("searching", "searched");
    this.movesDone = byId("searched-moves", HTMLElement);
    /** What was found last. @type {Found | null} */
    this.found = null;
    /** Whether the results wait, out of sight, until the reader returns to the game. */
    this.isHeld = false;
    /** @type {AbortController | null} */
    this.waiting = null;
    /** The ply that the picture shows. */
    this.ply = WHOLE_GAME;
    this.analyse.addEventListener("click", () => void this.start(this.page.moments.replay?.at ?? 0));
    this.review.addEventListener("click", () => void this.start(WHOLE_GAME));
    this.stop.addEventListener("click", () => {
      void this.page.requestGame("POST", "/analyses", { body: {} });
    });
  }

  /** Discard the results, because the game has changed. */
  clear() {
    if (this.isHeld) return;
    this.waiting?.abort();
    this.waiting = null;
    this.found = null;
    this.ply = WHOLE_GAME;
    this.progress.end();
    this.movesDone.textContent = "";
    this.expected.replaceChildren();
    this.lines.replaceChildren();
    this.reviewed.clear();
    this.text.textContent = "";
    this.bar.hidden = this.stop.hidden = true;
    this.showMoment();
  }

  /** Show the results for the ply that is shown. */
  showMoment() {
    const { view } = this.page;
    const { replay } = this.page.moments;
    const isMain = replay?.line === 0;
    const isEnd = view?.ending === "scored" && replay && replay.at === replay.steps.length - 1;
    const isWaiting = this.waiting !== null;
    this.analyse.disabled = isWaiting || !isMain || Boolean(isEnd);
    this.review.disabled = isWaiting;
    this.reviewed.showMoment();
    this.expected.hidden = this.isHeld || this.ply === WHOLE_GAME || !isMain || replay.at !== this.ply;
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
    this.showMoment();
    const word = ply === WHOLE_GAME ? "reviewing" : "analysing";
    this.text.textContent = page.words[word] ?? "";
    this.progress.begin(0);
    if (ply === WHOLE_GAME) this.progress.share = 0;
    this.progress.tick(page.words);
    this.progress.seconds.scrollIntoView({ block: "nearest" });
    let { status, data } = await page.requestGame("POST", "/analyses", { body: { ply } });
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
      ({ status, data } = await page.requestGame("GET", "/analysis", { signal: waiting.signal, query: { done } }));
      if (status !== 0) this.text.textContent = page.words[word] ?? "";
      if (data.total === undefined) continue;
      done = String(data.done);
      const values = { done, total: String(data.total) };
      this.movesDone.textContent = filled(page.words["reviewed-moves"] ?? "", values);
      this.progress.share = data.done / data.total;
      this.progress.tick(page.words);
    }
    if (waiting.signal.aborted) return;
    if (this.isHeld) {
      this.waiting = null;
      this.found = status === 200 ? data : null;
      return;
    }
    this.clear();
    if (status === 200) this.show(data);
    else this.text.textContent = data.error ?? page.words["no-response"] ?? "";
  }

  /** Hide the results, and keep them and a running search, while the board shows something else. */
  hold() {
    this.isHeld = true;
    byId("analysis", HTMLElement).hidden = true;
  }

  /** Request the results again: variations may have been kept meanwhile, or the language has changed. */
  async renew() {
    if (!this.found) return;
    const { status, data } = await this.page.requestGame("GET", "/analysis");
    // The server refuses it if the actions have changed, and does not keep it for ever.
    if (status === OUTDATED) this.found = null;
    else if (status === 200 && data.svg !== undefined) this.found = data;
  }

  /** Show the results again, beside the game as it is shown now. */
  resume() {
    const { found, page, reviewed } = this;
    const { chosen, tab } = reviewed;
    this.isHeld = false;
    byId("analysis", HTMLElement).hidden = !page.view?.can_analyse;
    if (this.waiting === null) this.clear();
    if (found) this.show(found);
    if (found?.mistakes) reviewed.restore(tab, chosen);
    this.showMoment();
  }

  /** Forget the analysis, because another game is shown. */
  discard() {
    this.isHeld = false;
    this.clear();
  }

  /** @param {Found} found */
  show(found) {
    const { ply, value, lines, svg, moves, values, mistakes } = found;
    const { page } = this;
    this.found = found;
    if (mistakes && values && svg !== undefined && moves !== undefined) {
      this.text.textContent = page.words[mistakes.length > 0 ? "worst" : "nothing-worse"] ?? "";
      page.showPicture(svg, moves);
      this.reviewed.open(values, mistakes);
    } else if (lines && ply !== undefined && value !== undefined) {
      const name = isolated(String(page.view?.players[0]?.["name"] ?? ""));
      this.text.textContent = filled(page.words["value"] ?? "", { name, value: signed(value) });
      this.bar.hidden = false;
      const share = this.bar.firstElementChild;
      // White is on the left, as everywhere on the page.
      const forWhite = page.view?.players[0]?.["side"] === "red" ? -value : value;
      if (share instanceof HTMLElement) share.style.width = `${50 * (1 + forWhite)}%`;
      this.expected.innerHTML = svg ?? "";
      this.ply = ply;
      this.lines.replaceChildren(...lines.map((line, place) => this.row(line, place)));
      this.choose(0);
    }
    this.showMoment();
  }

  /**
   * Return the row of a line: a button that shows its pieces.
   *
   * @param {Line} line
   * @param {number} place
   */
  row({ value, actions }, place) {
    const button = make("button", "", make("b", "", signed(value)), numbered(actions));
    button.type = "button";
    button.addEventListener("click", () => this.choose(place));
    return make("li", "", button);
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
