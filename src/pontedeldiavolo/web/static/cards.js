// @ts-check
/** The cards of both players: white's on the left, red's on the right. */

import { byId, filled } from "./cells.js";
import { draw, letters, make, tile } from "./parts.js";

/** @typedef {import("./board.js").View} View */
/** @typedef {import("./replay.js").Replay} Replay */

const SEATS = /** @type {const} */ (["first", "second"]);
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

/**
 * Return the name of a player where a sentence or a line begins. What a person has entered stays as it is.
 *
 * @param {View} view
 * @param {string | null} seat
 */
export function startingName({ players, names }, seat) {
  const name = String(players[seat === "second" ? 1 : 0]?.["name"] ?? "");
  return names[seat ?? "first"] ? name : name.slice(0, 1).toUpperCase() + name.slice(1);
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
   * @param {Replay | null} replay
   */
  show(view, replay) {
    const isEnd = view.ending !== null;
    const cards = places(view).map((place) => this.card(view, place, isEnd ? replay : null));
    this.box.replaceChildren(...cards);
  }

  /**
   * Return the card of a player.
   *
   * @param {View} view
   * @param {number} place
   * @param {Replay | null} ended - the moments of a game that has ended
   */
  card(view, place, ended) {
    const { words } = this;
    const seat = SEATS[place] ?? "first";
    const player = view.players[place] ?? {};
    const side = String(player["side"] ?? "both");
    const card = make("article", `card ${side}`);
    card.dataset["seat"] = seat;
    card.classList.toggle("live", view.ending === null && view.table.seat_to_move === seat);
    const color = make("span", "hide", player["color"] ? `${player["color"]}, ` : "");
    const clock = make("span", "clock");
    clock.dataset["clock"] = seat;
    clock.hidden = !(seat in view.clocks);
    // What does not fit into the row is left out, so the most important comes first.
    const more = make("p", "more", clock);
    const isOwn = view.yours.length === 1 && view.yours[0] === seat;
    const [whole, level] = this.nameOf(view, place);
    const role = isOwn ? words["you"] : level;
    if (role) more.append(make("span", "role", role));
    const left = player["tiles_left"] ?? null;
    if (left !== null) more.append(make("span", "left", filled(words["tiles-left"] ?? "", { count: String(left) })));
    more.append(make("span", "sum"));
    if (ended) more.append(this.networks(side, ended));
    card.append(tile(side), color, make("h3", "name", whole ?? ""), ...this.presence(view, seat), make("p", "points"), more);
    return card;
  }

  /**
   * Return the name on a card, and the level of a computer.
   *
   * @param {View} view
   * @param {number} place
   */
  nameOf(view, place) {
    const { words } = this;
    const seat = SEATS[place] ?? "first";
    if (view.seats[seat] === "free") return [words["seat-free"] ?? "", ""];
    const name = startingName(view, seat);
    const isComputer = !["free", "person"].includes(view.seats[seat] ?? "");
    const [, kind, number] = (isComputer && /^(.+) (\d+)$/.exec(name)) || [];
    return kind && number ? [kind, `${words["level"]} ${number}`] : [name, ""];
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
   * @param {Replay} replay
   */
  networks(side, replay) {
    const list = make("ul", "nets");
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
      list.append(item);
    }
    return list;
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
  step(replay, seat, isResult) {
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
      const sum = card.querySelector(".sum");
      // The points of a single network are the sum: then the number of its islands says more.
      if (sum) sum.textContent = sorted.length > 1 ? sorted.join(" + ") : this.islands(replay, color);
    }
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
      if (!(seat in view.clocks)) continue;
      const isRunning = seat === view.running;
      const left = Math.max(0, (view.clocks[seat] ?? 0) - (isRunning ? spent : 0));
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
