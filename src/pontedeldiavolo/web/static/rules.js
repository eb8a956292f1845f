// @ts-check
/** The dialog with the rules on one page. */

import { byId } from "./cells.js";
import { make } from "./parts.js";

/** @typedef {import("./board.js").Page} Page */
/** @typedef {{action: string, is_legal: boolean, reasons: string[]}} Note */
/** @typedef {{svg: string, notes: Note[]}} Board */
/** @typedef {{heading: string, text: string, boards: Board[]}} Section */

/**
 * Return a board, with what it shows below it.
 *
 * @param {Board} board
 */
function figure({ svg, notes }) {
  const found = make("figure");
  found.innerHTML = svg;
  if (notes.length === 0) return found;
  const caption = make("figcaption");
  const list = make("ul");
  for (const { action, is_legal: isLegal, reasons } of notes) {
    const item = make("li", isLegal ? "legal" : "illegal");
    item.append(make("b", "", action), isLegal ? "" : ` ${reasons.join(" ")}`);
    list.append(item);
  }
  caption.append(list);
  found.append(caption);
  return found;
}

/** The dialog. */
export class Rules {
  dialog = byId("how", HTMLDialogElement);
  text = byId("how-text", HTMLElement);

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Show the rules in the language and the colours of the page. */
  async show() {
    const { page } = this;
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const { status, data } = await page.ask("GET", "/rules", { query: { ...page.query, theme } });
    if (status !== 200) {
      page.refuse(data);
      return;
    }
    byId("how-title", HTMLElement).textContent = data.title;
    this.text.replaceChildren(...data.sections.map((/** @type {Section} */ each) => this.section(each)));
    this.dialog.showModal();
    this.text.scrollTop = 0;
  }

  /** @param {Section} section */
  section({ heading, text, boards }) {
    const found = make("section");
    const words = make("div");
    words.append(make("h3", "", heading), make("p", "", text));
    found.append(words, ...boards.map(figure));
    return found;
  }

  listen() {
    for (const each of document.querySelectorAll("#show-rules, [data-opens=rules]")) {
      each.addEventListener("click", () => void this.show());
    }
    // A click beside the dialog closes it.
    this.dialog.addEventListener("click", ({ target }) => {
      if (target === this.dialog) this.dialog.close();
    });
  }
}
