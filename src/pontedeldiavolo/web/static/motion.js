// @ts-check
/** Motion on the board: pieces arrive, networks light up. None if the reader wants less of it. */

import { letters } from "./dom.js";

/** @typedef {import("./replay.js").Replay} Replay */

const TILE = 160;
const BRIDGE = 220;
const SECOND_PIECE = 90;
/** The shortest time in milliseconds between two moves, so that they are seen as two. */
export const NEXT_MOVE = 400;
const NETWORK = 250;
const RING = 200;
/** The longest time in which all networks light up. */
const ALL_NETWORKS = 1500;
const EASE = "ease-out";

/** Whether things may move. */
export function mayMove() {
  return window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
}

/**
 * Let the pieces of some turns arrive, one move after the other.
 *
 * @param {Element} picture
 * @param {number} after - the last turn whose pieces were there before
 * @param {number} wait - the milliseconds before the first move
 */
export function arrive(picture, after, wait) {
  if (!mayMove()) return;
  /** @type {Map<number, Element[]>} */
  const turns = new Map();
  for (const each of picture.querySelectorAll("[data-turn]:not([display])")) {
    const turn = Number(each.getAttribute("data-turn"));
    if (turn > after) turns.set(turn, [...(turns.get(turn) ?? []), each]);
  }
  const sorted = [...turns].sort(([one], [other]) => one - other);
  sorted.forEach(([, pieces], move) => arriveTogether(pieces, wait + NEXT_MOVE * move));
}

/**
 * Let the pieces of one move arrive.
 *
 * @param {Element[]} pieces - with their rims, shadows and planks
 * @param {number} delay
 */
function arriveTogether(pieces, delay) {
  const tiles = pieces.filter((each) => each.classList.contains("tile"));
  const bridge = pieces.find((each) => each.classList.contains("bridge"));
  const [from = "", to = ""] = bridge?.getAttribute("data-bridge")?.split("-") ?? [];
  // A bridge between two rows of the same column is drawn upwards, any other one to the right.
  const isUpright = from.replace(/\d/g, "") === to.replace(/\d/g, "");
  const hidden = isUpright ? "inset(100% -20px -20px -20px)" : "inset(-20px 100% -20px -20px)";
  for (const piece of pieces) {
    const timing = { duration: TILE, delay, easing: EASE, fill: /** @type {const} */ ("backwards") };
    const place = tiles.indexOf(piece);
    if (bridge) {
      piece.animate({ clipPath: [hidden, "inset(-20px)"] }, { ...timing, duration: BRIDGE });
    } else if (place < 0) {
      piece.animate({ opacity: [0, 0, 1] }, { ...timing, duration: TILE + SECOND_PIECE * (tiles.length - 1) });
    } else {
      const frames = { opacity: [0, 1], transform: ["translateY(-6px) scale(1.15)", "none"] };
      piece.animate(frames, { ...timing, delay: delay + SECOND_PIECE * place });
    }
  }
}

/**
 * Let a part of the page fade and come back.
 *
 * @param {Element} part
 */
export function blink(part) {
  if (mayMove()) part.animate({ opacity: [1, 0.2, 1] }, { duration: 2 * NETWORK, easing: EASE });
}

/**
 * Let the rings of an earlier turn fade.
 *
 * @param {Replay} replay
 * @param {number} turn
 */
export function fadeRings(replay, turn) {
  if (!mayMove()) return;
  const old = replay.steps.findLast(({ item }) => Number(item.dataset["turn"]) === turn);
  const ring = replay.section.querySelector("svg .last");
  for (const place of old?.item.dataset["marks"]?.split(" ").filter(Boolean) ?? []) {
    const copy = /** @type {Element | undefined} */ (ring?.cloneNode(true));
    if (!copy) return;
    copy.setAttribute("transform", `translate(${place})`);
    copy.removeAttribute("display");
    ring?.parentElement?.append(copy);
    copy.animate({ opacity: [1, 0] }, { duration: RING, fill: "forwards" }).addEventListener("finish", () => copy.remove());
  }
}

/**
 * Let the numbers of a score count up from 0.
 *
 * @param {Element} score - whose numbers are in the letters of the pictures
 * @param {number} duration
 */
export function countUp(score, duration) {
  if (!mayMove() || duration === 0) return;
  const begin = window.performance.now();
  const parts = [...score.querySelectorAll(".nums > *")].map((box) => ({ box, points: Number(box.textContent) }));
  const numbers = parts.filter(({ points }) => points > 0);
  const drawFrame = () => {
    const share = Math.min(1, (window.performance.now() - begin) / duration);
    for (const { box, points } of numbers) {
      const shown = String(Math.round(share * points));
      if (box.textContent !== shown) box.replaceChildren(...letters(shown).childNodes);
    }
    if (share < 1) window.requestAnimationFrame(drawFrame);
  };
  drawFrame();
}

/**
 * Let the networks that count light up, from the smallest to the largest; return how long it takes.
 *
 * @param {Replay} replay
 */
export function lightUp(replay) {
  if (!mayMove()) return 0;
  /** @param {Element} each */
  const points = (each) => Number(each.getAttribute("data-points"));
  const networks = replay.shown(".network").sort((one, other) => points(one) - points(other));
  const badges = replay.shown(".points");
  const interval = Math.min(NETWORK, ALL_NETWORKS / Math.max(1, networks.length));
  networks.forEach((network, place) => {
    const cells = network.getAttribute("data-cells");
    const own = badges.filter((badge) => badge.getAttribute("data-cells") === cells);
    for (const each of [network, ...own]) {
      each.animate({ opacity: [0, 1] }, { duration: NETWORK, delay: interval * place, fill: "backwards" });
    }
  });
  return interval * networks.length;
}

/**
 * Let the result land.
 *
 * @param {Element} result
 * @param {number} delay
 */
export function land(result, delay) {
  if (!mayMove()) return;
  const frames = { opacity: [0, 1], transform: ["translateY(-.5rem)", "none"] };
  // The panel itself is there at once: a gap between the cards and the tools would look broken.
  const parts = [...result.children].filter(({ id }) => id !== "score");
  for (const each of parts) each.animate(frames, { duration: 300, delay, easing: EASE, fill: "backwards" });
}
