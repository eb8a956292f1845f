// @ts-check
/** The cards of both players: white's on the left, red's on the right. */

import { blink } from "./motion.js";
import { byId, draw, filled, letters, make, tile } from "./dom.js";
import { SEATS, startingName } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./replay.js").Replay} Replay */

const SHORT_SECONDS = 20;
const LAST_SECONDS = 10;

/**
 * Return the places of the players in the view, the left one first.
 *
 * @param {View} view
 */
export function places({ players }) {
  return players[0]?.["side"] === "red" ? [1, 0] : [0, 1];
}

/**
 * Return the side of a seat on the page: 0 for the left one, 1 for the right one.
 *
 * @param {View} view
 * @param {string | null} seat
 */
export function sideOf(view, seat) {
  return places(view).indexOf(seat === "second" ? 1 : 0);
}

/**
 * Return seconds as a clock shows them.
 *
 * @param {number} seconds
 */
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const digits = [hours, minutes, whole % 60].slice(hours ? 0 : 1);
  return digits.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}

/** The cards. */
export class Cards {
  /** @param {Record<string, string>} words */
  constructor(words) {
    this.words = words;
    this.box = byId("cards", HTMLElement);
  }

  /**
   * Show the players of a game.
   *
   * @param {View} view
   * @param {View} [game] - the one whose moves are tried: its view has a person on each seat
   */
  show(view, game = view) {
    this.box.replaceChildren(...places(view).map((place) => this.card(view, place, game.seats)));
  }

  /**
   * Return the card of a player.
   *
   * @param {View} view
   * @param {number} place
   * @param {View["seats"]} seats
   */
  card(view, place, seats) {
    const { words } = this;
    const seat = SEATS[place] ?? "first";
    const player = view.players[place] ?? {};
    const side = String(player["side"] ?? "both");
    const card = make("article", `card ${side}`);
    card.dataset["seat"] = seat;
    card.classList.toggle("live", view.ending === null && view.snapshot.seat_to_move === seat);
    const color = make("span", "hide", player["color"] ? `${player["color"]}, ` : "");
    const clock = make("span", "clock");
    clock.dataset["clock"] = seat;
    clock.hidden = !(seat in view.seconds_left);
    // What does not fit into the row is left out, so the most important comes first.
    const more = make("p", "more", clock);
    const isOwn = view.yours.length === 1 && view.yours[0] === seat;
    if (isOwn) more.append(make("span", "role", words["you"] ?? ""));
    const left = player["tiles_left"] ?? null;
    if (left !== null) more.append(make("span", "left", filled(words["tiles-left"] ?? "", { count: String(left) })));
    more.append(make("span", "sum"));
    more.append(make("ul", "nets"));
    const name = view.seats[seat] === "free" ? (words["seat-free"] ?? "") : startingName(view, seat);
    const isEntered = seats[seat] === "person";
    card.append(tile(side), color, make("h3", isEntered ? "name" : "name whole", name), ...this.presence(view, seat), make("p", "points"), more);
    return card;
  }

  /**
   * Return the sign that tells whether the other player is here, if the page knows.
   *
   * @param {View} view
   * @param {string} seat
   */
  presence(view, seat) {
    if (view.seats[seat] === "free") return [make("span", "here away")];
    const isThere = view.present[seat] ?? null;
    if (isThere === null || view.yours.includes(seat)) return [];
    const text = this.words[isThere ? "here" : "away"] ?? "";
    const sign = make("span", isThere ? "here" : "here away", make("span", "hide", text));
    sign.title = text;
    return [sign];
  }

  /**
   * Return a row for each network that counts, with its colour in the picture.
   *
   * @param {string} side
   * @param {Replay} replay - at the moment that counts
   */
  networks(side, replay) {
    const rows = [];
    /** @param {Element} each */
    const cellsOf = (each) => each.getAttribute("data-cells")?.split(" ") ?? [];
    const islands = replay.shown(`.island.${side}`).map((each) => cellsOf(each)[0] ?? "");
    /** @param {Element} each */
    const pointsOf = (each) => Number(each.getAttribute("data-points"));
    const found = replay.shown(`.network.${side}`).filter((each) => pointsOf(each) > 0);
    for (const network of found.sort((one, other) => pointsOf(other) - pointsOf(one))) {
      const cells = new Set(cellsOf(network));
      const count = islands.filter((cell) => cells.has(cell)).length;
      const points = pointsOf(network);
      const stroke = network.getAttribute("stroke") ?? "none";
      const swatch = draw("svg", { class: "swatch", viewBox: "0 0 16 16", "aria-hidden": "true" });
      swatch.append(draw("path", { class: "network", stroke, d: "M3 3h10v10h-10z" }));
      const item = make("li", "", this.counted(count), " ", make("b", "", String(points)));
      item.prepend(swatch);
      rows.push(item);
    }
    return rows;
  }

  /** @param {number} count - of islands */
  counted(count) {
    return filled(this.words[count === 1 ? "one-island" : "some-islands"] ?? "", { count: String(count) });
  }

  /**
   * Return how many islands a colour has at the moment that is shown; nothing before the first.
   *
   * @param {Replay} replay
   * @param {string} color
   */
  islands(replay, color) {
    const count = replay.shown(`.island.${color}`).length;
    return count === 0 ? "" : this.counted(count);
  }

  /**
   * Show the points of the moment that is shown.
   *
   * @param {Replay} replay
   * @param {string | null} seat - the one that has the turn then
   * @param {boolean} isResult - whether the result is shown, which has the points
   */
  showMoment(replay, seat, isResult) {
    const { item } = replay;
    this.box.classList.toggle("tally", isResult);
    for (const card of this.box.querySelectorAll(".card")) {
      card.classList.toggle("now", !isResult && card.getAttribute("data-seat") === seat);
    }
    for (const color of ["white", "red"]) {
      const card = this.box.querySelector(`.card.${color}`);
      const [points = "0", networks = ""] = (item.dataset[color] ?? "").split(" ");
      const box = card?.querySelector(".points");
      if (!card || !box) continue;
      if (box.textContent !== points) box.replaceChildren(letters(points));
      const sorted = networks.split("+").sort((one, other) => Number(other) - Number(one));
      card.querySelector(".nets")?.replaceChildren(...(isResult ? this.networks(color, replay) : []));
      const sum = card.querySelector(".sum");
      // The points of a single network are the sum: then the number of its islands says more.
      if (sum) sum.textContent = sorted.length > 1 ? sorted.join(" + ") : this.islands(replay, color);
    }
  }

  /**
   * Draw the eye to a clock that has been given time.
   *
   * @param {string} seat
   */
  stress(seat) {
    const clock = this.box.querySelector(`[data-clock=${seat}]`);
    if (clock) blink(clock);
  }

  /**
   * Show the current clocks; return whether the time of a player is up.
   *
   * @param {View} view
   * @param {number} spent - the seconds since the view arrived
   * @param {() => void} [tick] - called in each of the last seconds of the reader
   */
  tick(view, spent, tick = () => {}) {
    let isUp = false;
    for (const each of this.box.querySelectorAll("[data-clock]")) {
      const seat = each.getAttribute("data-clock") ?? "";
      if (!(seat in view.seconds_left)) continue;
      const isRunning = seat === view.seat_on_clock;
      const left = Math.max(0, (view.seconds_left[seat] ?? 0) - (isRunning ? spent : 0));
      const text = clockText(left);
      const isNew = each.textContent !== text;
      if (isNew) each.textContent = text;
      if (isNew && isRunning && left <= LAST_SECONDS && view.yours.includes(seat)) tick();
      each.classList.toggle("running", isRunning);
      each.classList.toggle("short", isRunning && left < SHORT_SECONDS);
      isUp ||= isRunning && left === 0;
    }
    return isUp;
  }
}
