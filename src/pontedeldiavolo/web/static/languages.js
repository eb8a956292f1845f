// @ts-check
/** The language of the page, and its words. */

import { byId, make, nameButton } from "./dom.js";

const KEY = "ponte-language";

/**
 * Return the name of a language in that language.
 *
 * @param {string} code
 */
function nameOf(code) {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The choice of a language. */
export class Languages {
  choice = byId("language", HTMLSelectElement);
  /** The other languages on the start page. */
  others = byId("languages", HTMLElement);
  /** The change of the language that is under way, or was the last one. @type {Promise<void>} */
  changing = Promise.resolve();

  constructor() {
    const language = localStorage.getItem(KEY) ?? navigator.language.replace(/-.*/, "");
    this.choice.replaceChildren(new Option(nameOf(language), language));
  }

  /** The code of the chosen language. */
  get code() {
    return this.choice.value;
  }

  /**
   * Offer the languages of the server, and write its words on the page.
   *
   * @param {Record<string, string>} languages - their names by their codes
   * @param {Record<string, string>} words
   */
  show(languages, words) {
    if (this.choice.options.length === 1) {
      const spoken = this.code;
      const names = Object.entries(languages);
      this.choice.replaceChildren(...names.map(([code, name]) => new Option(name, code)));
      // In another language the server has answered in the first one.
      if (spoken in languages) this.choice.value = spoken;
    }
    document.documentElement.lang = this.code;
    const others = [...this.choice.options].filter(({ value }) => value !== this.code);
    this.others.replaceChildren(...others.map((option) => this.button(option)));
    this.others.hidden = others.length === 0;
    for (const each of document.querySelectorAll("[data-word]")) {
      each.textContent = words[each.getAttribute("data-word") ?? ""] ?? "";
    }
    for (const each of document.querySelectorAll("[data-label]")) {
      nameButton(each, words[each.getAttribute("data-label") ?? ""] ?? "");
    }
  }

  /**
   * Return a button for another language. Readers who do not know the words of the page know its name.
   *
   * @param {HTMLOptionElement} option
   */
  button({ value, text }) {
    const button = make("button", "link", text);
    button.type = "button";
    button.lang = value;
    button.addEventListener("click", () => {
      this.choice.value = value;
      this.choice.dispatchEvent(new Event("change"));
      // The button goes.
      this.choice.focus();
    });
    return button;
  }

  /** Return to the language of the page, because its words in the chosen one did not come. */
  keep() {
    this.choice.value = document.documentElement.lang;
    localStorage.setItem(KEY, this.code);
  }

  /** @param {() => Promise<void>} change - called after another one has been chosen */
  listen(change) {
    this.choice.addEventListener("change", () => {
      localStorage.setItem(KEY, this.code);
      this.changing = this.changing.then(change);
    });
  }
}
