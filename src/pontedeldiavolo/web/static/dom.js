// @ts-check
/** Small parts of the page: elements, texts, tiles, and the letters of the pictures. */

import { FONT } from "./letters.js";
import { draw, lettering, make } from "./parts.js";

export { draw, make };

const EDGE = "M7 4h26a3 3 0 0 1 3 3v26a3 3 0 0 1-3 3h-26a3 3 0 0 1-3-3v-26a3 3 0 0 1 3-3z";
const TOP = "M8.2 6.2h23.6a2 2 0 0 1 2 2v21.6a2 2 0 0 1-2 2h-23.6a2 2 0 0 1-2-2v-21.6a2 2 0 0 1 2-2z";
const INLAY = "M11 10.5h18v16.5h-18z";
const HALF = "M33.5 6.5v23a2 2 0 0 1-2 2h-23z";

/**
 * Return a text with its values.
 *
 * @param {string} text
 * @param {Record<string, string>} values
 */
export function filled(text, values) {
  return text.replace(/{([a-z]+)}/g, (whole, name) => values[name] ?? whole);
}

/**
 * Return an element of the page.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${id}`);
  return found;
}

/**
 * Return all buttons that a selector finds.
 *
 * @param {string} selector
 * @returns {HTMLButtonElement[]}
 */
export function buttons(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLButtonElement);
}

/**
 * Give a button of one picture its name, which the pointer shows, too.
 *
 * @param {Element} button
 * @param {string} text
 */
export function nameButton(button, text) {
  button.setAttribute("aria-label", text);
  button.setAttribute("title", text);
}

/**
 * Return an action as the page writes it: the tiles with a space, a bridge with its picture.
 *
 * @param {string} action - as records write it, or a word such as *pass*
 * @returns {(Node | string)[]}
 */
export function written(action) {
  const [one = "", other] = action.split("-");
  return other === undefined ? [action.replace(",", " ")] : [make("i", "arc"), `${one}–${other}`];
}

/**
 * Return actions one after another, with the numbers that their pieces have on the board.
 *
 * @param {string[]} actions
 */
export function numbered(actions) {
  const items = actions.map((action, place) => make("span", "", make("span", "num", String(place + 1)), ...written(action)));
  return make("span", "numbers", ...items);
}

/**
 * Put the paths of a tile into its picture.
 *
 * @param {Element} svg
 */
export function fillTile(svg) {
  const isBoth = svg.classList.contains("both");
  const paths = { r: EDGE, b: TOP, ...(isBoth ? { h: HALF } : { i: INLAY }) };
  svg.replaceChildren(...Object.entries(paths).map(([name, d]) => draw("path", { class: name, d })));
  return svg;
}

/**
 * Return a picture of a tile.
 *
 * @param {string} color - `white`, `red`, or `both` before the colours are chosen
 */
export function tile(color) {
  return fillTile(draw("svg", { class: `tile ${color}`, viewBox: "0 0 40 40", "aria-hidden": "true" }));
}

/**
 * Return a text in the letters of the pictures; screen readers get it as text.
 *
 * @param {string} text
 */
export function letters(text) {
  return lettering(text, FONT);
}
