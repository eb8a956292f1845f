// @ts-check
/** The dialog with the rules on one page. */

import { byId } from "./cells.js";

/** @typedef {import("./board.js").Page} Page */
/** @typedef {{heading: string, text: string, boards: {svg: string, caption: string}[]}} Section */

/** The dialog. */
export class Rules {
  dialog = byId("how", HTMLDialogElement);

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Show the summary of the rules. */
  async show() {
    const { page } = this;
    const { status, data } = await page.ask("GET", "/rules", { query: page.query });
    if (status !== 200) {
      page.refuse(data);
      return;
    }
    byId("how-title", HTMLElement).textContent = data.title;
    const text = byId("how-text", HTMLElement);
    text.replaceChildren();
    for (const { heading, text: paragraph, boards } of data.sections) {
      const [head, body, pictures] = ["h3", "p", "div"].map((name) => document.createElement(name));
      if (!head || !body || !pictures) continue;
      head.textContent = heading;
      body.textContent = paragraph;
      pictures.innerHTML = boards.join("");
      text.append(head, body, pictures);
    }
    this.dialog.showModal();
  }

  listen() {
    for (const each of document.querySelectorAll("#show-rules, [data-opens=rules]")) {
      each.addEventListener("click", () => void this.show());
    }
  }
}
