// @ts-check
/** The dialog in which people change their names. */

import { byId } from "./dom.js";
import { SEATS } from "./view.js";

/** @typedef {import("./page.js").Page} Page */

/** The dialog. */
export class People {
  dialog = byId("people", HTMLDialogElement);
  rename = byId("rename", HTMLButtonElement);

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {string} seat */
  field(seat) {
    return byId(`name-${seat}`, HTMLInputElement);
  }

  /** Open the dialog with the names of the seats of the reader. */
  open() {
    const { view } = this.page;
    if (!view) return;
    for (const seat of SEATS) {
      const field = this.field(seat);
      field.value = view.names[seat] ?? "";
      field.closest("p")?.toggleAttribute("hidden", !view.yours.includes(seat));
    }
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  /** Send the names that have changed. */
  async save() {
    const { page } = this;
    const { view } = page;
    if (!view || !this.dialog.returnValue) return;
    for (const seat of view.yours) {
      const name = this.field(seat).value.trim();
      if (name === (view.names[seat] ?? "")) continue;
      if (view.yours.length === 1) page.start.keepName(name);
      const { status, data } = await page.requestGame("POST", "/name", { body: { seat, name } });
      if (page.view?.id !== view.id) return;
      if (status === 200) page.show(data, true);
      else page.refuse(data);
    }
  }

  listen() {
    this.rename.addEventListener("click", () => {
      byId("menu", HTMLDialogElement).close();
      this.open();
    });
    // Not a submit button: Enter in a field would press it, the first one.
    this.dialog.querySelector(".bar button")?.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => void this.page.runWhenIdle(() => this.save()));
  }
}
