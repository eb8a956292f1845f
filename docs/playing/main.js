// @ts-check
/** The page as the documentation has it: the rules run in a worker of the reader's browser. */

import { Page } from "./board.js";

/** @typedef {import("./transport.js").Transport} Transport */
/** @typedef {import("./transport.js").Answer} Answer */

/**
 * Return the transport to a worker.
 *
 * @param {Worker} worker
 * @returns {Transport}
 */
function overWorker(worker) {
  /** @type {Map<number, (answer: Answer) => void>} */
  const waiting = new Map();
  let last = 0;
  worker.addEventListener("message", ({ data: [number, status, data] }) => {
    waiting.get(number)?.({ status, data });
    waiting.delete(number);
  });
  worker.addEventListener("error", () => {
    for (const answer of waiting.values()) answer({ status: 0, data: {} });
    waiting.clear();
  });
  return (method, path, { query = {}, body, token = "", signal } = {}) =>
    new Promise((answer) => {
      if (query["after"]) {
        // Nobody else plays here: there is no news to wait for.
        signal?.addEventListener("abort", () => answer({ status: 0, data: {} }));
        return;
      }
      last += 1;
      waiting.set(last, answer);
      worker.postMessage([last, method, path, query, body ? JSON.stringify(body) : "", token]);
    });
}

/**
 * Begin a game with the state that the address names, if it names one.
 *
 * @param {Transport} ask
 */
async function beginAsAsked(ask) {
  const [, asked] = location.hash.split("#new?");
  const start = new URLSearchParams(asked).get("start");
  if (!start) return;
  const body = { rules: "board-game-arena", start, opponent: "none", seat: "both" };
  const { status, data } = await ask("POST", "/games", { body });
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
/** What is said of a game that an earlier page has had. */
const GONE = {
  de: "Diese Partie gibt es nicht mehr: Sie bestand, solange ihre Seite offen war.",
  en: "This game is gone: it lasted as long as its page was open.",
};
const spoken = localStorage.getItem("ponte-language") ?? navigator.language;
const language = spoken.startsWith("de") ? "de" : "en";
document.documentElement.lang = language;
const message = document.getElementById("message");
if (message) message.textContent = LOADING[language];
const ask = overWorker(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
const page = new Page(ask, false);
const isGone = location.hash !== "" && !location.hash.startsWith("#new");
if (isGone) history.replaceState(null, "", location.pathname);
await beginAsAsked(ask);
await page.open();
if (isGone) page.say(GONE[language]);
