// @ts-check
// Parts that pages of games and the page for playing share: elements, letters, rows of moves.

const SVG = "http://www.w3.org/2000/svg";
/** The space between two letters. */
const LETTER_GAP = 2.2;
/** The pixels between the current entry and what ends the list above and below. */
const LIST_GAP = 6;

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
 * Return a text in the letters of the pictures; screen readers get it as text.
 *
 * @param {string} text
 * @param {Record<string, [number, string]>} font - the width and the strokes of each letter
 */
export function lettering(text, font) {
  let x = 0;
  const paths = [...text].map((letter) => {
    const [width, d] = font[letter] ?? font["-"] ?? [0, ""];
    const path = `M${x.toFixed(1)} 0${d}`;
    x += width + LETTER_GAP;
    return path;
  });
  const viewBox = `-1 -11 ${(x - LETTER_GAP + 2).toFixed(1)} 14.5`;
  const drawn = draw("svg", { class: "letters", viewBox, "aria-hidden": "true" });
  drawn.append(draw("path", { d: paths.join("") }));
  return make("span", "", drawn, make("span", "hide", text));
}

/**
 * Return the colour of a move in the list; an empty text for the start and the choice of colour.
 *
 * @param {Element | undefined} item
 */
export function colorOf(item) {
  return ["white", "red"].find((color) => item?.classList.contains(color)) ?? "";
}

/**
 * Put the moves of a game into rows of two, and what is said of a move and its variations into
 * rows below it.
 *
 * @param {Element} list
 */
export function arrange(list) {
  let row = 1;
  let last = "";
  let before = "0–0";
  let points = before;
  /** @type {HTMLElement | null} */
  let opening = null;
  for (const item of list.children) {
    if (!(item instanceof HTMLElement)) continue;
    const color = colorOf(item);
    const isChoice = !color && item.previousElementSibling !== null;
    // The choice of colour has a row of its own, between the moves before and after it.
    const isNew = isChoice || (color !== "" && !(color === "red" && last === "white"));
    if (isNew) {
      row += 1;
      before = points;
      opening = isChoice ? null : item;
    }
    item.style.setProperty("--row", String(row));
    item.classList.toggle("choice", isChoice);
    item.classList.toggle("opens", opening === item);
    const turn = item.dataset["turn"] ?? "";
    opening?.setAttribute("data-turns", item === opening ? turn : `${opening.dataset["turn"]}–${turn}`);
    last = color;
    const score = item.querySelector(":scope > .score");
    points = score?.textContent ?? points;
    // The points of a row are those after its last move.
    score?.classList.toggle("changed", points !== before);
    const below = item.querySelectorAll(":scope > :is(.comment, .variation)");
    for (const each of below) {
      row += 1;
      if (each instanceof HTMLElement) each.style.setProperty("--row", String(row));
    }
    if (below.length > 0) {
      // The game goes on in a new row.
      item.classList.add("cut");
      last = "";
    }
  }
}

/**
 * Scroll the current entry of a list into view.
 *
 * @param {Element} box
 */
export function keepInView(box) {
  const link = box.querySelector("[aria-current]");
  if (!link) return;
  const outer = box.getBoundingClientRect();
  const inner = link.getBoundingClientRect();
  const head = (box.querySelector(".heads")?.getBoundingClientRect().height ?? 0) + LIST_GAP;
  if (inner.top < outer.top + head) box.scrollTop -= outer.top + head - inner.top;
  else if (inner.bottom + LIST_GAP > outer.bottom) box.scrollTop += inner.bottom + LIST_GAP - outer.bottom;
  if (inner.left < outer.left || inner.right > outer.right) {
    box.scrollLeft += inner.right - outer.right + outer.width / 3;
  }
  fade(box);
}

/**
 * Note at which ends the row of a phone goes on.
 *
 * @param {Element} box
 */
export function fade(box) {
  box.classList.toggle("goes-before", box.scrollLeft > 0);
  box.classList.toggle("goes-after", box.scrollLeft + box.clientWidth + 1 < box.scrollWidth);
}
