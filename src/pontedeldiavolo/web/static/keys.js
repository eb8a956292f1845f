// @ts-check
/** The keyboard outside the dialogs and fields of the page. */

/** @typedef {import("./page.js").Page} Page */

/** The fields in which keys write. */
const FIELDS = "input:not([type=range], [type=checkbox]), select, textarea, [contenteditable]";

/** The class of the page while the focus is where keys have moved it, not where a click was. */
const BY_KEYS = "by-keys";

/**
 * Return whether an element has the focus because somebody has gone there with keys. After a click
 * the arrows step through the game, although most browsers leave the focus on what was clicked.
 *
 * @param {Element} element
 */
export function isReachedByKeys(element) {
  return document.documentElement.classList.contains(BY_KEYS) && element.contains(document.activeElement);
}

/** Remember whether the focus is moved by keys or by clicks. */
export function watchFocus() {
  const { classList } = document.documentElement;
  // Before all other handlers of an event, which ask for the result.
  document.addEventListener("focusin", ({ target }) => {
    classList.toggle(BY_KEYS, target instanceof Element && target.matches(":focus-visible"));
  }, true);
  document.addEventListener("pointerdown", () => classList.remove(BY_KEYS), true);
}

/**
 * Carry out a key. Where the focus is does not matter, except in dialogs, in fields, and in parts of
 * the page that were reached by keys.
 *
 * @param {Page} page
 * @param {KeyboardEvent} event
 */
export function press(page, event) {
  const { target, key } = event;
  const isFree = document.querySelector("dialog[open]") === null && page.view !== null;
  if (!isFree || event.altKey || event.ctrlKey || event.metaKey) return;
  const element = target instanceof Element ? target : document.body;
  if (element.matches(FIELDS)) return;
  if (key === "Escape") {
    void page.runUnlessBusy(async () => page.clicks.forget());
    return;
  }
  const { replay } = page.moments;
  const turn = { ",": "previous", ".": "next" }[key];
  if (turn) replay?.act(turn);
  else if (isReachedByKeys(page.cells.table)) page.cells.press(event);
  else if (element.closest("#moves")) replay?.press(event);
  else {
    const direction = { ArrowLeft: "previous", ArrowRight: "next" }[key];
    if (!direction) return;
    event.preventDefault();
    replay?.act(direction);
  }
}
