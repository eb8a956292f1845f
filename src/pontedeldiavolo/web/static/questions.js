// @ts-check
/** The dialogs that ask before something is lost: a game by resignation, a result by playing on. */

import { buttons, byId, filled } from "./dom.js";
import { startingName } from "./view.js";

/** @typedef {import("./page.js").Page} Page */

/** The questions. */
export class Questions {
  resignation = byId("sure", HTMLDialogElement);
  undoing = byId("undo-sure", HTMLDialogElement);

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ask whether the reader resigns, or which of two players who share the screen. */
  askResign() {
    const { view, words } = this.page;
    const isBoth = (view?.yours.length ?? 0) > 1;
    byId("sure-title", HTMLElement).textContent = words[isBoth ? "resign-who" : "resign-sure"] ?? "";
    for (const each of buttons("#sure button[value]")) {
      if (view && /first|second/.test(each.value)) each.textContent = filled(words["resign-name"] ?? "", { name: startingName(view, each.value) });
      each.hidden = each.value !== "" && (each.value === "yes") === isBoth;
    }
    this.resignation.returnValue = "";
    this.resignation.showModal();
  }

  /** Undo; after the end only if the user is sure, because the result and its review would go. */
  async undo() {
    const { page } = this;
    const { view } = page;
    if (!view?.ending) {
      const isAsked = !view?.can_undo && view?.can_request_undo;
      await page.sendChange("/undo", isAsked ? { answer: "ask" } : {});
      return;
    }
    this.undoing.returnValue = "";
    this.undoing.showModal();
  }

  listen() {
    const { page } = this;
    this.resignation.addEventListener("close", () => {
      const seat = this.resignation.returnValue;
      if (seat) void page.runWhenIdle(() => page.sendChange("/resignation", seat === "yes" ? {} : { seat }));
    });
    this.undoing.addEventListener("close", () => {
      if (this.undoing.returnValue) void page.runWhenIdle(() => page.sendChange("/undo"));
    });
  }
}
