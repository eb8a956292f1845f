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
 * @typedef {{targets: string, conflicts: Record<string, string>, buildable: string, tile: string, bridge: string}} Choices
 * @typedef {{id: string, version: number, base: number | null, language: string, kept: number, plies: Ply[], controls?: string, frame?: Frame, choices: Choices | null, others: string[], table: any}} Change
 * @typedef {{frame: Frame, controls: string, plies: Ply[], groups: string[], items: string, names: Record<string, string>}} Parts
 */

const OF_CHANGES = new Set(["base", "kept", "plies", "frame", "controls"]);

/**
 * Return the view after a change, and `null` if the change does not belong to the old view: then
 * the whole view is needed. A change that the old view has already leaves the board as it is.
 *
 * @param {any} view - the view before; `null` without one
 * @param {any} change - a change, or a whole view as the server sends it
 * @returns {any}
 */
export function changed(view, change) {
  if (change.base === null) return viewOf(change, start(change));
  const isOfGame = view !== null && view.id === change.id && view.language === change.language;
  if (!isOfGame) return null;
  if (view.version > change.version) return view;
  if (view.version === change.version) return viewOf(change, view.parts);
  if (view.version !== change.base || change.kept > view.parts.plies.length) return null;
  return viewOf(change, withPlies(view.parts, change));
}

/**
 * Return the parts of a whole view.
 *
 * @param {Change & {frame: Frame, controls: string}} change
 * @returns {Parts}
 */
function start({ frame, controls, plies }) {
  return withAll({ frame, controls, plies: [], groups: frame.groups.map(() => ""), items: "", names: {} }, plies);
}

/**
 * Return the parts after a change. If plies were taken back, they are put together anew.
 *
 * @param {Parts} parts
 * @param {Change} change
 * @returns {Parts}
 */
function withPlies(parts, { kept, plies, controls = parts.controls }) {
  const { frame } = parts;
  if (kept === parts.plies.length) return withAll({ ...parts, controls }, plies);
  const groups = frame.groups.map(() => "");
  const empty = { frame, controls, plies: [], groups, items: "", names: {} };
  return withAll(empty, [...parts.plies.slice(0, kept), ...plies]);
}

/**
 * Return the parts with more plies.
 *
 * @param {Parts} parts
 * @param {Ply[]} plies
 * @returns {Parts}
 */
function withAll(parts, plies) {
  const groups = [...parts.groups];
  for (const { pieces, ended } of plies) {
    for (const [number, cell, from, until] of ended) {
      const start = `(data-cells="${cell}(?: [^"]*)?"(?: data-points="[0-9]+")? data-from="${from}")`;
      // Without a second condition, a part that has ended already would end again.
      const part = new RegExp(`${start}(?! data-until)`);
      groups[number] = (groups[number] ?? "").replace(part, `$1 data-until="${until}" display="none"`);
    }
    for (const [number, drawn] of Object.entries(pieces)) {
      const whole = drawn.replace(/&([0-9]+);/g, (_, text) => parts.frame.texts[text] ?? "");
      groups[Number(number)] += whole;
    }
  }
  return {
    ...parts,
    groups,
    plies: [...parts.plies, ...plies],
    items: parts.items + plies.map((ply) => ply.move).join(""),
    names: Object.assign({}, parts.names, ...plies.map((ply) => ply.cells)),
  };
}

/**
 * Return the view that a change and the parts make.
 *
 * @param {Change} change
 * @param {Parts} parts
 */
function viewOf(change, parts) {
  const about = Object.fromEntries(Object.entries(change).filter(([name]) => !OF_CHANGES.has(name)));
  const { frame, groups, items, controls, names } = parts;
  const { choices } = change;
  const [head, tail] = frame.picture;
  const [before, after] = frame.list;
  const drawn = frame.groups.map(([open, close], number) => `${open}${groups[number]}${close}`);
  const lists = listed(choices);
  const table = { ...change.table, others: change.others, ...lists };
  return {
    ...about,
    parts,
    rules: frame.rules,
    table,
    svg: `${head}${drawn.join("")}${tail}`,
    moves: `${controls}${before}${items}${after}`,
    grid: frame.grid,
    cells: frame.rows.map((row) => row.map((cell) => ({ cell, name: names[cell] ?? "" }))),
    clicks: choices && {
      targets: [...lists.targets, ...new Set(lists.buildable.flatMap((each) => each.split("-")))],
      ghosts: ghosts(frame, lists.buildable, table.to_move),
      tile: choices.tile,
      bridge: choices.bridge,
    },
  };
}

/**
 * Return what can be chosen, as lists.
 *
 * @param {Choices | null} choices
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
    // Rows are counted from the top, steps from the bottom.
    const [cell, arch] = frame.ghosts[`${toX - x},${y - toY}`] ?? ["", ""];
    const [atX, atY] = place(cell);
    const move = `translate(${unit * (x - atX)},${unit * (y - atY)})`;
    return `<g class="ghost" data-ghost="${bridge}"><g transform="${move}">${arch}</g></g>`;
  });
  const tile = `<g class="ghost" data-ghost="tile">${frame.ghosts[color]?.[1] ?? ""}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${/viewBox="[^"]*"/.exec(head)?.[0] ?? ""}>`;
  return `${svg}${tile}${drawn.join("")}</svg>`;
}
