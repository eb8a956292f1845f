// @ts-check
/** Motion on the board: pieces arrive, networks light up. None if the reader wants less of it. */

/** @typedef {import("./replay.js").Replay} Replay */

const TILE = 160;
const BRIDGE = 220;
const SECOND_PIECE = 90;
/** The time between two moves, so that they are seen as two. */
const NEXT_MOVE = 400;
const NETWORK = 250;
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
  const step = Math.min(NETWORK, ALL_NETWORKS / Math.max(1, networks.length));
  networks.forEach((network, place) => {
    const cells = network.getAttribute("data-cells");
    const own = badges.filter((badge) => badge.getAttribute("data-cells") === cells);
    for (const each of [network, ...own]) {
      each.animate({ opacity: [0, 1] }, { duration: NETWORK, delay: step * place, fill: "backwards" });
    }
  });
  return step * networks.length;
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
  for (const each of result.children) each.animate(frames, { duration: 300, delay, easing: EASE, fill: "backwards" });
}
