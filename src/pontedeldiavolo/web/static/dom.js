// @ts-check
/** Small parts of the page: elements, texts, tiles, and the letters of the pictures. */

import { FONT } from "./letters.js";

const SVG = "http://www.w3.org/2000/svg";
const GAP = 2.2;
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
 * Return a name for the middle of a text. One that is written from right to left is isolated, so
 * that it does not turn the signs around it.
 *
 * @param {string} name
 */
export function isolated(name) {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(name) ? `\u2068${name}\u2069` : name;
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
 * Create an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, className = "", ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
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
 * Create an SVG element.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...Node} children
 */
export function draw(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
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
  let x = 0;
  const paths = [...text].map((letter) => {
    const [width, d] = FONT[letter] ?? FONT["-"] ?? [0, ""];
    const path = `M${x.toFixed(1)} 0${d}`;
    x += width + GAP;
    return path;
  });
  const viewBox = `-1 -11 ${(x - GAP + 2).toFixed(1)} 14.5`;
  const drawn = draw("svg", { class: "letters", viewBox, "aria-hidden": "true" });
  drawn.append(draw("path", { d: paths.join("") }));
  return make("span", "", drawn, make("span", "hide", text));
}
