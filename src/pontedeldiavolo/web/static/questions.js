// @ts-check
/** The dialogs that ask before something is lost: a game by resignation, a result by playing on. */

import { buttons, byId, filled } from "./dom.js";
import { isOpen, startingName } from "./view.js";

/** @typedef {import("./page.js").Page} Page */

/** The questions. */
export class Questions {
  resignation = byId("sure", HTMLDialogElement);
  dialog = byId("question", HTMLDialogElement);
  /** What is done if the answer is yes. @type {() => Promise<unknown>} */
  work = async () => {};

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Ask whether the reader resigns, or which of two players who share the screen. Without another
   * player, there is only an invitation to withdraw.
   */
  askResign() {
    const { page } = this;
    const { view, words } = page;
    if (view && isOpen(view) && view.can_abort) {
      this.ask("uninvite", () => page.sendChange("/abort"));
      return;
    }
    const isBoth = (view?.yours.length ?? 0) > 1;
    byId("sure-title", HTMLElement).textContent = words[isBoth ? "resign-who" : "resign-sure"] ?? "";
    for (const each of buttons("#sure button[value]")) {
      if (view && /first|second/.test(each.value)) each.textContent = filled(words["resign-name"] ?? "", { name: startingName(view, each.value) });
      const isOther = each.value === "abort" ? !view?.can_abort : (each.value === "yes") === isBoth;
      each.hidden = each.value !== "" && isOther;
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
    this.ask("undo", () => page.sendChange("/undo"));
  }

  /**
   * Ask before something is done that cannot be undone.
   *
   * @param {string} key - of the words of the question and of both answers
   * @param {() => Promise<unknown>} work - what is done if the answer is yes
   */
  ask(key, work) {
    const { words } = this.page;
    byId("question-title", HTMLElement).textContent = words[`${key}-sure`] ?? "";
    for (const each of buttons("#question button")) each.textContent = words[`${key}-${each.value || "cancel"}`] ?? "";
    this.work = work;
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  listen() {
    const { page } = this;
    this.resignation.addEventListener("close", () => {
      const seat = this.resignation.returnValue;
      const send = () => (seat === "abort" ? page.sendChange("/abort") : page.sendChange("/resignation", seat === "yes" ? {} : { seat }));
      if (seat) void page.runWhenIdle(send);
    });
    this.dialog.addEventListener("close", () => {
      if (this.dialog.returnValue) void page.runWhenIdle(this.work);
    });
  }
}
