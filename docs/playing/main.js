// @ts-check
/** The page as the documentation has it: the rules run in a worker of the reader's browser. */

import { Page } from "./page.js";

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").ServerResponse} ServerResponse */

/**
 * Return the transport to a worker.
 *
 * @param {Worker} worker
 * @returns {Transport}
 */
function overWorker(worker) {
  /** @type {Map<number, (response: ServerResponse) => void>} */
  const waiting = new Map();
  let last = 0;
  let isReady = false;
  /**
   * Note how far the worker is. If it cannot start, no request is answered: the reason stays.
   *
   * @param {string} status
   * @param {number} loaded
   */
  function note(status, loaded) {
    if (status === "ready") isReady = true;
    if (status === "failed") waiting.clear();
    report(status, loaded);
  }
  worker.addEventListener("message", ({ data: [number, status, data] }) => {
    if (number === 0) note(status, data);
    waiting.get(number)?.({ status, data });
    waiting.delete(number);
  });
  worker.addEventListener("error", () => {
    if (!isReady) note("failed", 0);
    for (const resolve of waiting.values()) resolve({ status: 0, data: {} });
    waiting.clear();
  });
  return (method, path, { query = {}, body, token = "", signal } = {}) =>
    new Promise((resolve) => {
      const end = () => resolve({ status: 0, data: {} });
      signal?.addEventListener("abort", end, { once: true });
      // Nobody else plays here: there is no news to wait for.
      if (query["after"]) return;
      last += 1;
      waiting.set(last, (response) => {
        // The signal lasts as long as the game is shown: it must not keep every response.
        signal?.removeEventListener("abort", end);
        resolve(response);
      });
      worker.postMessage([last, method, path, query, body ? JSON.stringify(body) : "", token]);
    });
}

/**
 * Say how much is loaded, or that loading failed.
 *
 * @param {string} status
 * @param {number} loaded - bytes
 */
function report(status, loaded) {
  const place = document.getElementById("message");
  if (!place) return;
  if (status === "progress") {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    const [part, all] = [Math.min(loaded, BYTES), BYTES].map((bytes) =>
      (bytes / 1e6).toLocaleString(language, digits),
    );
    place.textContent = PROGRESS[language].replace("{part}", `${part}`).replace("{all}", `${all}`);
  } else if (status === "failed") {
    const link = document.createElement("a");
    link.href = WAY[language].page;
    link.textContent = WAY[language].text;
    place.replaceChildren(`${FAILED[language]} `, link);
  }
}

/**
 * Begin a game with the state that the address names, if it names one; against a computer if the
 * address names its level.
 *
 * @param {Transport} request
 */
async function beginAsAsked(request) {
  const [, asked] = location.hash.split("#new?");
  const parameters = new URLSearchParams(asked);
  const start = parameters.get("start");
  if (!start) return;
  const opponent = parameters.get("opponent") ?? "none";
  const seat = parameters.get("seat") ?? "both";
  const body = { rules: "board-game-arena", start, opponent, seat };
  const { status, data } = await request("POST", "/games", { body });
  if (status !== 201) return;
  localStorage.setItem(`ponte-${data.id}`, data.token);
  history.replaceState(null, "", `#${data.id}`);
}

/**
 * What is said before the page's own words can be asked for; index.html has the same. The build puts
 * the size of the files in the place of the word between two at signs.
 */
const LOADING = {
  de: "Python und die Regeln werden geladen: @size@, nur beim ersten Mal.",
  en: "Loading Python and the rules: @size@, once.",
};
/** The number of bytes that the worker fetches; the build writes it here. */
const BYTES = Number("@bytes@");
/** What is said while the files arrive. */
const PROGRESS = {
  de: "Python und die Regeln werden geladen, nur beim ersten Mal: {part} von {all} MB.",
  en: "Loading Python and the rules, once: {part} of {all} MB.",
};
/** What is said if Python does not start. */
const FAILED = {
  de: "Python und die Regeln ließen sich nicht laden. Prüfe die Verbindung und lade dann die Seite neu.",
  en: "Python and the rules could not be loaded. Check your connection, then load the page again.",
};
/** The way to play without this page. */
const WAY = {
  de: { page: "../../de/spielen.html", text: "So spielst du auf deinem eigenen Rechner" },
  en: { page: "../../howto/play.html", text: "How to play on your own machine" },
};
/** What is said of a game that an earlier page has had. */
const GONE = {
  de: "Diese Partie gibt es nicht mehr: Sie bestand nur, solange ihre Seite geöffnet war.",
  en: "This game is gone: it lasted as long as its page was open.",
};
const spoken = localStorage.getItem("ponte-language") ?? navigator.language;
const language = spoken.startsWith("de") ? "de" : "en";
document.documentElement.lang = language;
/** Start Python, and open the page. */
async function begin() {
  const message = document.getElementById("message");
  if (message) message.textContent = LOADING[language];
  const request = overWorker(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  const page = new Page(request, false);
  const isGone = location.hash !== "" && !location.hash.startsWith("#new");
  if (isGone) history.replaceState(null, "", location.pathname);
  await beginAsAsked(request);
  await page.open();
  document.getElementById("waiting-board")?.remove();
  if (isGone) page.showMessage(GONE[language]);
}

// guard.js has said why the page cannot start, if it cannot.
if (!document.documentElement.dataset["obstacle"]) await begin();
