// @ts-check
/** News of a game: what others do, and whether the server is there. */

import { isNewer } from "./view.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./view.js").View} View */

/** The milliseconds between two requests to a server that does not respond. */
export const RETRY = 2000;
/** The milliseconds between two requests for news after several that have brought no new version. */
const PAUSE = 1000;
/** The pause of a hidden window between two requests; browsers make it longer after a few minutes. */
const HIDDEN_PAUSE = 5000;
/**
 * The number of requests without a new version, one after another, before the first pause. So a
 * quick move is shown without delay after an arrival, which is no new version.
 */
const QUICK = 4;

/**
 * Pause, or wait until the page is visible again if that is sooner.
 *
 * @param {number} milliseconds
 */
async function pauseWhileHidden(milliseconds) {
  const shown = new AbortController();
  await new Promise((done) => {
    setTimeout(done, milliseconds);
    document.addEventListener("visibilitychange", done, { signal: shown.signal });
  });
  shown.abort();
}

/** The news of the game that is shown. */
export class News {
  /** Whether the server does not respond: then the clocks stop. */
  isLost = false;
  /** Why no news comes: empty if it comes. */
  obstacle = "";
  /** @type {AbortController | null} */
  watching = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Stop waiting for news. */
  stop() {
    this.watching?.abort();
  }

  /**
   * Wait for actions of others while this game is shown.
   *
   * @param {{error?: string} | null} [obstacle] - why the game could not be shown in another language
   */
  async watch(obstacle = null) {
    const { page } = this;
    const watching = new AbortController();
    this.stop();
    this.watching = watching;
    this.isLost = false;
    this.obstacle = "";
    let idle = 0;
    if (obstacle) {
      this.interrupted(obstacle);
      await new Promise((done) => setTimeout(done, RETRY));
    }
    for (;;) {
      if (watching.signal.aborted || !page.game) return;
      const { version, seats_taken, failure, people_stamp } = page.game;
      const failureSeen = String(failure?.number ?? "");
      // Browsers limit simultaneous requests to a server, so those of hidden windows do not wait.
      const wait = document.hidden ? "no" : "yes";
      const seen = { after: String(version), seats_taken: String(seats_taken), failure_seen: failureSeen, people_stamp, wait };
      // Without a version the server does not wait for news: it reports at once that it is back, or
      // shows the game in the language of the page.
      const query = this.obstacle || page.game.language !== page.languages.code ? {} : seen;
      const askedAt = window.performance.now();
      const { status, data } = await this.request(query, watching.signal);
      if (watching.signal.aborted) return;
      if (status === 200 && data.language !== page.game.language) {
        // A change of the language is under way, or the last one has failed.
        await page.languages.changing;
        if (watching.signal.aborted) return;
        this.resumed(page.game, data);
        void page.refresh();
        return;
      }
      if (status === 200 && isNewer(page.game, data)) this.show(data);
      // Each of several servers responds at once with its own presence, or with an older version.
      idle = status === 200 && page.game.version <= version ? idle + 1 : 0;
      if (status === 404 && data.error) {
        page.games.forget(page.game.id);
        page.refuse({ error: page.words["game-gone"] ?? "" });
        return;
      }
      if (status === 200 || status === 204) {
        this.resumed(page.game, data);
        // The server responds again.
        if (page.unansweredAt && page.unansweredAt < askedAt) page.showMessage("");
      }
      else this.interrupted(data);
      const pause = this.obstacle ? RETRY : idle > QUICK ? PAUSE : 0;
      if (document.hidden) await pauseWhileHidden(HIDDEN_PAUSE);
      else if (pause) await new Promise((done) => setTimeout(done, pause));
    }
  }

  /**
   * Request news. If the page cannot read the response, this reports it, and returns no response:
   * the next request is for the whole game.
   *
   * @param {Record<string, string>} query
   * @param {AbortSignal} signal
   * @returns {Promise<import("./page.js").ServerResponse>}
   */
  async request(query, signal) {
    try {
      return await this.page.requestGame("GET", "", { query, signal });
    } catch (error) {
      this.page.fail(error);
      return { status: 0, data: {} };
    }
  }

  /**
   * Show a newer view. If that fails, the page goes on waiting for news.
   *
   * @param {View} view
   */
  show(view) {
    try {
      if (this.page.trial.isOn) this.page.trial.update(view);
      else this.page.show(view, true);
    } catch (error) {
      this.page.fail(error);
    }
  }

  /**
   * Say that the server does not respond, or why it cannot show the game.
   *
   * @param {{error?: string}} data - the response; without a reason it is not the server's
   */
  interrupted({ error }) {
    this.isLost = error === undefined;
    this.obstacle = error ?? this.page.words["unreachable"] ?? "";
    this.page.statusLine.show();
  }

  /**
   * Go on after the server has shown the game again.
   *
   * @param {View} view
   * @param {View} data - the response
   */
  resumed(view, { seconds_left, seat_on_clock }) {
    if (!this.obstacle) return;
    this.isLost = false;
    this.obstacle = "";
    Object.assign(view, { seconds_left, seat_on_clock });
    this.page.viewedAt = window.performance.now();
    this.page.showMessage("");
  }
}
