// @ts-check
/**
 * Views of a game, from what the server sends: the whole game once, then only what has changed. A
 * change says which version it belongs to, which plies stay, and what each new ply adds.
 *
 * @typedef {{move: string, pieces: Record<string, string>, ended: [number, string, number, number][], cells: Record<string, string>}} Ply
 *   The item in the list of moves, the pieces by the number of their group in the picture, the
 *   parts that end (group, first cell, turns from and until), and the names of cells.
 * @typedef {{columns: number, rows: number, left: number, top: number, width: number, height: number, ratio: number}} Grid
 * @typedef {{picture: [string, string], texts: string[], groups: [string, string][], list: [string, string], ghosts: Record<string, [string, string]>, grid: Grid, rows: string[][], rules: string}} Frame
 * @typedef {{targets: string, conflicts: Record<string, string>, buildable: string}} SentChoices
 * @typedef {{id: string, version: number, base: number | null, language: string, plies_kept: number, plies: Ply[], frame?: Frame, choices: SentChoices | null, other_actions: string[], snapshot: any}} ViewUpdate
 * @typedef {{frame: Frame, plies: Ply[], groups: string[], items: string, names: Record<string, string>}} Drawn
 */

/** @typedef {import("./cells.js").Shown} Shown */
/**
 * What the server says of a game besides its board.
 *
 * @typedef {{
 *   id: string,
 *   version: number,
 *   language: string,
 *   seats_taken: number,
 *   people_stamp: string,
 *   names: Record<string, string | null>,
 *   time_control: string | null,
 *   present: Record<string, boolean | null>,
 *   rules: string,
 *   ending: string | null,
 *   sentence: string,
 *   seats: Record<string, string>,
 *   yours: string[],
 *   seconds_left: Record<string, number>,
 *   seat_on_clock: string | null,
 *   can_analyse: boolean,
 *   can_try: boolean,
 *   can_abort: boolean,
 *   can_undo: boolean,
 *   can_give_time: boolean,
 *   given_seconds: Record<string, number>,
 *   is_thinking: boolean,
 *   is_preparing: boolean,
 *   failure: {error: string, code: string, number: number} | null,
 *   draw_offer: string | null,
 *   undo_request: string | null,
 *   undo_request_count: number | null,
 *   rematch_request: string | null,
 *   asked_already: string[],
 *   can_request_undo: boolean,
 *   declined: {what: string, seat: string} | null,
 *   thinking: {level: string, seconds: number, expected_seconds: number | null} | null,
 *   rematch_id: string | null,
 *   other_actions: string[],
 *   players: Record<string, string | number | null>[],
 *   movesHtml: string,
 *   drawn: Drawn,
 * }} About
 */
/** @typedef {Shown & About} View */

/** The seats, in the order of the players of a view. */
export const SEATS = /** @type {const} */ (["first", "second"]);
const OF_CHANGES = new Set(["base", "plies_kept", "plies", "frame"]);

/**
 * Return the view after a change; `null` if the change does not belong to the old view, so that
 * the whole view must be fetched. If the page already has this version or a newer one, keep its board.
 *
 * @param {any} view - the view before; `null` without one
 * @param {any} change - a change, or a whole view as the server sends it
 * @returns {any}
 */
export function nextView(view, change) {
  if (change.base === null) return viewOf(change, partsOfWhole(change));
  const isOfGame = view !== null && view.id === change.id && view.language === change.language;
  if (!isOfGame) return null;
  if (view.version > change.version) return view;
  if (view.version === change.version) return viewOf(change, view.drawn);
  if (view.version !== change.base || change.plies_kept > view.drawn.plies.length) return null;
  return viewOf(change, withPlies(view.drawn, change));
}

/**
 * Return whether a view is newer than the one shown: responses may overtake each other.
 *
 * @param {View | null} old
 * @param {View} view
 */
export function isNewer(old, view) {
  if (!old) return true;
  if (view.version !== old.version) return view.version > old.version;
  if (view.language !== old.language || view.people_stamp !== old.people_stamp) return true;
  return view.seats_taken > old.seats_taken || view.failure?.number !== old.failure?.number;
}

/**
 * Return whether two views of a game have the same board and the same choices.
 *
 * @param {View} one
 * @param {View} other
 */
export function isSame(one, other) {
  const areChoices = (one.choices === null) === (other.choices === null) && String(one.other_actions) === String(other.other_actions);
  return areChoices && one.drawn.items === other.drawn.items && one.ending === other.ending && String(one.yours) === String(other.yours);
}

/**
 * Return whether it is the turn of a reader who plays one seat.
 *
 * @param {View} view
 */
export function isYourTurn({ yours, snapshot }) {
  return yours.length === 1 && yours[0] === snapshot.seat_to_move;
}

/**
 * Return which word of the page says what a seat asks to undo: its last turn, or that and what followed.
 *
 * @param {View} view
 */
export function wordOfUndo({ undo_request_count: count }) {
  return count === 1 ? "undo-asked" : "undo-asked-more";
}

/**
 * Return what the other player has done to the game besides a move, for a reader who plays one
 * seat: a word of the page, or nothing. The word is of a turn that was undone, or of an offer or a
 * request that was withdrawn.
 *
 * @param {View} old
 * @param {View} view
 */
export function changeOf(old, view) {
  const [seat] = view.yours;
  if (view.yours.length !== 1) return "";
  const { draw_offer: draw, undo_request: undo, rematch_request: rematch } = old;
  const isPlayed = view.drawn.plies.length > old.drawn.plies.length || view.ending !== old.ending;
  if (view.drawn.plies.length < old.drawn.plies.length && !view.ending) {
    // After an undo, it is the turn of the player who has undone.
    if (view.snapshot.seat_to_move !== seat) return "undone";
    return undo === seat ? "undo-allowed" : "";
  }
  const asked = { draw, undo, rematch };
  const isAnswered = view.declined !== null || view.draw_offer || view.undo_request || view.rematch_request || view.rematch_id;
  if (isPlayed || isAnswered) return "";
  const what = Object.entries(asked).find(([, asking]) => asking !== null && asking !== seat)?.[0];
  return what ? `${what}-withdrawn` : "";
}

/**
 * Return whether a game waits for another player.
 *
 * @param {View} view
 */
export function isOpen({ seats, ending }) {
  return ending === null && Object.values(seats).includes("free");
}

/**
 * Store what the other player has done to the game in a version, until a later one is shown.
 *
 * @param {View} view
 * @param {string} change - a word of the page, or nothing
 */
export function keepChange({ id, version }, change) {
  const key = `ponte-news-${id}`;
  if (change) localStorage.setItem(key, `${version} ${change}`);
  else localStorage.removeItem(key);
}

/**
 * Return what the other player has done to the game in the version that is shown, if that was stored.
 *
 * @param {View} view
 */
export function keptChange({ id, version }) {
  const [of, change] = (localStorage.getItem(`ponte-news-${id}`) ?? "").split(" ");
  return of === String(version) ? (change ?? "") : "";
}

/**
 * Return whether the reader must choose a colour now.
 *
 * @param {View} view
 */
export function mustChooseColor({ yours, snapshot }) {
  return snapshot.phase === "color-choice" && yours.includes(snapshot.seat_to_move);
}

/**
 * Return the other seat.
 *
 * @param {string | undefined} seat
 */
export function opponentOf(seat) {
  return seat === "first" ? "second" : "first";
}

/**
 * Return the player at a seat.
 *
 * @param {View} view
 * @param {string | null} seat - the first one without it
 */
export function playerAt({ players }, seat) {
  return players[seat === "second" ? 1 : 0] ?? {};
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
 * Return the name of a player where a sentence or a line begins. What a person has entered stays as it is.
 *
 * @param {View} view
 * @param {string | null} seat
 */
export function startingName(view, seat) {
  const name = String(playerAt(view, seat)["name"] ?? "");
  return view.names[seat ?? "first"] ? isolated(name) : name.slice(0, 1).toUpperCase() + name.slice(1);
}

/**
 * Return the name of a player for the middle of a text.
 *
 * @param {View} view
 * @param {string} seat
 */
export function nameOf(view, seat) {
  return isolated(String(playerAt(view, seat)["name"] ?? ""));
}

/**
 * Return HTML with the names of the players in the places of `&first;` and `&second;`.
 *
 * @param {string} html
 * @param {View} view
 */
function withNames(html, view) {
  return html.replace(/(\. |"|<a>)?&(first|second);/g, (_, before, seat) => {
    const name = before ? startingName(view, seat) : nameOf(view, seat);
    return (before ?? "") + name.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  });
}

/**
 * Return the parts of a whole view.
 *
 * @param {ViewUpdate & {frame: Frame}} change
 * @returns {Drawn}
 */
function partsOfWhole({ frame, plies }) {
  return withAll({ frame, plies: [], groups: frame.groups.map(() => ""), items: "", names: {} }, plies);
}

/**
 * Return the parts after a change. If plies were taken back, the parts are put together again.
 *
 * @param {Drawn} drawn
 * @param {ViewUpdate} change
 * @returns {Drawn}
 */
function withPlies(drawn, { plies_kept: keptCount, plies }) {
  const { frame } = drawn;
  if (keptCount === drawn.plies.length) return withAll(drawn, plies);
  const groups = frame.groups.map(() => "");
  const empty = { frame, plies: [], groups, items: "", names: {} };
  return withAll(empty, [...drawn.plies.slice(0, keptCount), ...plies]);
}

/**
 * Return the parts with more plies.
 *
 * @param {Drawn} drawn
 * @param {Ply[]} plies
 * @returns {Drawn}
 */
function withAll(drawn, plies) {
  const groups = [...drawn.groups];
  for (const { pieces, ended } of plies) {
    for (const [number, cell, from, until] of ended) {
      const start = `(data-cells="${cell}(?: [^"]*)?"(?: data-points="[0-9]+")? data-from="${from}")`;
      // Without a second condition, a part that has ended already would end again.
      const part = new RegExp(`${start}(?! data-until)`);
      groups[number] = (groups[number] ?? "").replace(part, `$1 data-until="${until}" display="none"`);
    }
    for (const [number, piece] of Object.entries(pieces)) {
      const whole = piece.replace(/&([0-9]+);/g, (_, text) => drawn.frame.texts[text] ?? "");
      groups[Number(number)] += whole;
    }
  }
  return {
    ...drawn,
    groups,
    plies: [...drawn.plies, ...plies],
    items: drawn.items + plies.map((ply) => ply.move).join(""),
    names: Object.assign({}, drawn.names, ...plies.map((ply) => ply.cells)),
  };
}

/**
 * Return the view that a change and the parts make.
 *
 * @param {ViewUpdate} change
 * @param {Drawn} drawn
 */
function viewOf(change, drawn) {
  const about = Object.fromEntries(Object.entries(change).filter(([name]) => !OF_CHANGES.has(name)));
  const { frame, groups, items, names } = drawn;
  const { choices } = change;
  const [head, tail] = frame.picture;
  const [before, after] = frame.list;
  const layers = frame.groups.map(([open, close], number) => `${open}${groups[number]}${close}`);
  const lists = listed(choices);
  return {
    ...about,
    drawn,
    rules: frame.rules,
    svg: `${head}${layers.join("")}${tail}`,
    movesHtml: withNames(`${before}${items}${after}`, /** @type {any} */ (about)),
    grid: frame.grid,
    cells: frame.rows.map((row) => row.map((cell) => ({ cell, name: names[cell] ?? "" }))),
    choices: choices && {
      ...lists,
      firstCells: [...lists.targets, ...new Set(lists.buildable.flatMap((each) => each.split("-")))],
      ghosts: ghosts(frame, lists.buildable, change.snapshot.to_move),
    },
  };
}

/**
 * Return what can be chosen, as lists.
 *
 * @param {SentChoices | null} choices
 * @returns {{targets: string[], conflicts: Record<string, string[]>, buildable: string[]}}
 */
function listed(choices) {
  /** @param {string} [text] */
  const words = (text) => (text ? text.split(" ") : []);
  const conflicts = Object.entries(choices?.conflicts ?? {});
  return {
    targets: words(choices?.targets),
    conflicts: Object.fromEntries(conflicts.map(([cell, others]) => [cell, words(others)])),
    buildable: words(choices?.buildable),
  };
}

/**
 * Return pictures of pieces that the next action can add: a tile on the first cell, and bridges.
 *
 * @param {Frame} frame
 * @param {string[]} bridges
 * @param {string} color
 */
function ghosts(frame, bridges, color) {
  const { grid, rows } = frame;
  const [head = ""] = frame.picture;
  const box = /viewBox="0 0 ([0-9]+)/.exec(head);
  const unit = Math.round((Number(box?.[1]) * grid.width) / grid.columns);
  /** @type {Record<string, [number, number]>} */
  const places = {};
  rows.forEach((row, y) => row.forEach((cell, x) => (places[cell] = [x, y])));
  /** @param {string} cell */
  const place = (cell) => places[cell] ?? [0, 0];
  const drawn = bridges.map((bridge) => {
    const [a = "", b = ""] = bridge.split("-");
    const [x, y] = place(a);
    const [toX, toY] = place(b);
    // Rows are counted from the top, offsets from the bottom.
    const [cell, arch] = frame.ghosts[`${toX - x},${y - toY}`] ?? ["", ""];
    const [atX, atY] = place(cell);
    const move = `translate(${unit * (x - atX)},${unit * (y - atY)})`;
    return `<g class="ghost" data-ghost="${bridge}"><g transform="${move}">${arch}</g></g>`;
  });
  const tile = `<g class="ghost" data-ghost="tile">${frame.ghosts[color]?.[1] ?? ""}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${/viewBox="[^"]*"/.exec(head)?.[0] ?? ""}>`;
  return `${svg}${tile}${drawn.join("")}</svg>`;
}
