// @ts-check
/** The dialog with the rules on one page. */

import { byId, draw, make } from "./dom.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {{action: string, is_legal: boolean, reasons: string[]}} Note */
/** @typedef {{svg: string, notes: Note[]}} Board */
/** @typedef {{heading: string, text: string, boards: Board[]}} Section */

/** A tick and a cross. */
const SIGNS = { legal: "M-4.5 .5l3 3.5l6-7.5", illegal: "M-3.5-3.5l7 7m0-7l-7 7" };

/**
 * Return whether an action is legal, as the name of a class.
 *
 * @param {Note} note
 * @returns {"legal" | "illegal"}
 */
function kindOf({ is_legal: isLegal }) {
  return isLegal ? "legal" : "illegal";
}

/**
 * Mark in the picture of a board, which is shown, what is legal and what is not.
 *
 * @param {Element} board
 * @param {Note[]} notes
 */
function judge(board, notes) {
  const picture = board.querySelector("svg");
  for (const note of notes) {
    const [start = "", end] = note.action.split("–");
    const selector = end ? `.arrow[data-cell=${start}][data-to=${end}]` : `.highlight[data-cell=${start}]`;
    const mark = /** @type {SVGGraphicsElement | null} */ (board.querySelector(selector));
    if (!mark) continue;
    const { x, y, width, height } = mark.getBBox();
    const kind = kindOf(note);
    mark.classList.add(kind);
    const transform = `translate(${x + width / 2} ${y + height / 2})`;
    picture?.append(draw("g", { class: `verdict ${kind}`, transform }, draw("circle", { r: "7.5" }), draw("path", { d: SIGNS[kind] })));
  }
}

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
  for (const note of notes) {
    const item = make("li", kindOf(note));
    item.append(make("b", "", note.action), note.is_legal ? "" : ` ${note.reasons.join(" ")}`);
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
    const theme = page.theme.isDark ? "dark" : "light";
    const { status, data } = await page.request("GET", "/rules", { query: { ...page.query, theme } });
    if (status !== 200) {
      page.refuse(data);
      return;
    }
    this.text.replaceChildren(...data.sections.map((/** @type {Section} */ each) => this.section(each)));
    this.dialog.showModal();
    const boards = data.sections.flatMap((/** @type {Section} */ each) => each.boards);
    for (const [place, each] of this.text.querySelectorAll("figure").entries()) judge(each, boards[place].notes);
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
