// @ts-check
/** The colours of the page: those of the system, or light or dark ones that the reader has chosen. */

import { byId } from "./dom.js";

const KEY = "ponte-theme";
const DARK = "(prefers-color-scheme: dark)";
/** Conditions that hold always and never, in the place of the one on the system. */
const CONDITIONS = /** @type {Record<string, string>} */ ({ dark: "(min-width: 0)", light: "(max-width: 0)" });

/**
 * Return the media rules of the page's own style sheets that have the dark colours.
 *
 * @returns {CSSMediaRule[]}
 */
function darkRules() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.filter((rule) => rule instanceof window.CSSMediaRule).filter((rule) => rule.media.mediaText.includes(DARK));
}

/** The choice of the colours. */
export class Theme {
  choice = byId("theme", HTMLSelectElement);
  /** The rules, with their conditions in the style sheets. @type {[CSSMediaRule, string][]} */
  rules = darkRules().map((rule) => [rule, rule.media.mediaText]);

  constructor() {
    const stored = localStorage.getItem(KEY) ?? "";
    this.choice.value = stored in CONDITIONS ? stored : "system";
    this.apply();
  }

  /** The condition of what is shown in dark colours. */
  get darkCondition() {
    return CONDITIONS[this.choice.value] ?? DARK;
  }

  /** Whether the page has dark colours now. */
  get isDark() {
    return window.matchMedia(this.darkCondition).matches;
  }

  /** Give the page the colours that were chosen. */
  apply() {
    const condition = this.darkCondition;
    for (const [rule, original] of this.rules) rule.media.mediaText = original.replace(DARK, condition);
    for (const each of document.querySelectorAll("source")) each.media = condition;
    // Fields and scroll bars are drawn by the browser.
    document.documentElement.style.colorScheme = this.choice.value in CONDITIONS ? this.choice.value : "";
  }

  listen() {
    this.choice.addEventListener("change", () => {
      localStorage.setItem(KEY, this.choice.value);
      this.apply();
    });
  }
}
