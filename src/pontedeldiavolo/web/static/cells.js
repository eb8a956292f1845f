// @ts-check
/**
 * The board on the page: a picture, ghosts of pieces over it, and a button for each cell. It looks
 * up the server's data on the next two clicks, and does not implement the rules.
 */

import { isReachedByKeys } from "./keys.js";
import { byId, filled } from "./dom.js";

/** @typedef {import("./view.js").Grid} Grid */
/** @typedef {{cell: string, name: string}} Named */
/**
 * What can be clicked: cells of first tiles, the cells that exclude each, bridges, and pictures of the pieces.
 *
 * @typedef {{firstCells: string[], targets: string[], conflicts: Record<string, string[]>, buildable: string[], ghosts: string}} Choices
 */
/** @typedef {{svg: string, grid: Grid, cells: Named[][], snapshot: any, choices: Choices | null}} Shown */
/** @typedef {{code: string, text: string, cells: Record<string, string[]>, bridges: string[]}} Violation */

const MAX_COLUMNS_ON_PHONES = 13;
/** The size of the points of networks, compared with that in other pictures. */
const BADGE = 1.35;
/** Cells narrower than this, in pixels, ask a finger for a confirmation. */
const SMALL_CELL = 40;
/** The offsets of the neighbours of a cell: rows downwards, and columns to the right. */
const SIDES = /** @type {Record<string, [number, number]>} */ ({ top: [-1, 0], bottom: [1, 0], left: [0, -1], right: [0, 1] });
/** The offsets by which keys move the focus, likewise. */
const KEY_OFFSETS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** The board. */
export class Cells {
  /**
   * @param {(cell: string, event: MouseEvent, isTouch: boolean) => void} click - called with the
   *   cell that is clicked, and whether a finger has clicked
   * @param {() => boolean} isNow - returns whether the picture shows the game as it is now
   * @param {() => void} resized - called when the board has become wider than its frame, or not any more
   */
  constructor(click, isNow, resized) {
    this.table = byId("cells", HTMLTableElement);
    this.ghosts = byId("ghosts", HTMLElement);
    this.picture = byId("picture", HTMLElement);
    this.frame = byId("frame", HTMLElement);
    this.isMoved = false;
    this.frame.addEventListener("scroll", () => (this.isMoved = true), { once: true });
    this.overflows = false;
    // To measure it whenever the line speaks would force the browser to lay out the page each time.
    const observer = new ResizeObserver(() => {
      const overflows = this.frame.scrollWidth > this.frame.clientWidth;
      if (overflows !== this.overflows) {
        this.overflows = overflows;
        resized();
      }
    });
    for (const each of [this.frame, byId("board", HTMLElement)]) observer.observe(each);
    /** @type {Shown | null} */
    this.view = null;
    /** @type {Record<string, string>} */
    this.words = {};
    /** @type {string | null} */
    this.firstClick = null;
    /** @type {string[]} */
    this.secondTargets = [];
    /**
     * The second click, if it waits for a confirmation.
     *
     * @type {string | null}
     */
    this.unconfirmedCell = null;
    /** @type {string | null} */
    this.hovered = null;
    this.isNow = isNow;
    this.row = 0;
    this.column = 0;
    this.listen(click);
  }

  /**
   * Show a board.
   *
   * @param {Shown} view
   * @param {Record<string, string>} words
   */
  show(view, words) {
    this.view = view;
    this.words = words;
    this.picture.innerHTML = view.svg;
    this.picture.firstElementChild?.removeAttribute("role");
    this.ghosts.innerHTML = view.choices?.ghosts ?? "";
    const { columns, rows } = view.grid;
    if (this.table.rows.length !== rows || this.table.rows[0]?.cells.length !== columns) {
      this.layOut(view.grid);
    }
    this.table.setAttribute("aria-label", `${words["board"]} ${columns}×${rows}`);
    this.choose(null);
  }

  /**
   * Return the cells that can follow a click on a cell; none if it is refused.
   *
   * @param {string} cell
   */
  targetsAfter(cell) {
    const ends = this.bridgesFrom(cell).map(([, end]) => end);
    if (ends.length > 0) return ends;
    const { targets = [], conflicts = {} } = this.view?.choices ?? {};
    if (!targets.includes(cell)) return [];
    const others = new Set([cell, ...(conflicts[cell] ?? [])]);
    return targets.filter((each) => !others.has(each));
  }

  /**
   * Return the bridges that can be built from a cell, each with its other end.
   *
   * @param {string} cell
   * @returns {[string, string][]}
   */
  bridgesFrom(cell) {
    const { buildable = [] } = this.view?.choices ?? {};
    return buildable
      .filter((bridge) => bridge.split("-").includes(cell))
      .map((bridge) => [bridge, bridge.split("-").find((end) => end !== cell) ?? cell]);
  }

  /**
   * Show the first click of a turn, and where the second one may go.
   *
   * @param {string | null} firstClick
   * @param {string[]} [secondTargets]
   */
  choose(firstClick, secondTargets = []) {
    this.firstClick = firstClick;
    this.secondTargets = secondTargets;
    this.markUnconfirmed(null);
    const targets = new Set(firstClick === null ? (this.view?.choices?.firstCells ?? []) : secondTargets);
    this.view?.cells.forEach((line, row) => {
      line.forEach(({ cell, name }, column) => {
        const button = this.button(row, column);
        const isTarget = targets.has(cell);
        const word = this.words[cell === firstClick ? "first" : isTarget ? "target" : ""];
        const label = word ? filled(word, { what: name }) : name;
        button.dataset["cell"] = cell;
        button.setAttribute("aria-label", label);
        button.setAttribute("aria-pressed", String(cell === firstClick));
        button.classList.toggle("target", isTarget);
      });
    });
    this.table.classList.toggle("choosing", firstClick !== null);
    this.table.classList.toggle("bridging", this.isBridge);
    this.blame([]);
    this.drawGhosts();
  }

  /** Whether the first click is on an end of a bridge. */
  get isBridge() {
    return this.firstClick !== null && this.bridgesFrom(this.firstClick).length > 0;
  }

  /** Whether a finger easily hits the wrong cell. */
  get areSmall() {
    return this.button(0, 0).getBoundingClientRect().width < SMALL_CELL;
  }

  /** Whether the board is wider than its frame, and nobody has moved it yet. */
  get isWide() {
    return !this.isMoved && this.overflows;
  }

  /**
   * Show the second click of a turn that waits for a confirmation.
   *
   * @param {string | null} cell
   */
  showUnconfirmed(cell) {
    this.markUnconfirmed(cell);
    this.drawGhosts();
  }

  /**
   * Mark the cell of that click.
   *
   * @param {string | null} cell
   */
  markUnconfirmed(cell) {
    this.unconfirmedCell = cell;
    const place = cell === null ? null : this.find(cell);
    for (const old of this.table.querySelectorAll(".unconfirmed")) old.classList.remove("unconfirmed");
    if (place) this.button(...place).classList.add("unconfirmed");
  }

  /** Draw the ghosts of the clicked piece, and of the piece that a click would add. */
  drawGhosts() {
    for (const old of this.ghosts.querySelectorAll(".shown")) old.remove();
    if (!this.isNow()) return;
    const { firstClick, hovered } = this;
    const bridges = firstClick === null ? [] : this.bridgesFrom(firstClick);
    if (firstClick !== null && bridges.length === 0) this.addGhost("tile", firstClick, "clicked");
    const chosen = this.unconfirmedCell ?? hovered;
    for (const [bridge, end] of bridges) this.addGhost(bridge, null, end === chosen ? "near" : "far");
    if (this.unconfirmedCell && bridges.length === 0) this.addGhost("tile", this.unconfirmedCell, "clicked");
    if (this.unconfirmedCell) return;
    if (hovered === null) return;
    const isTile = this.view?.choices?.targets.includes(hovered);
    if (firstClick === null) {
      if (isTile) this.addGhost("tile", hovered, "near");
      for (const [bridge] of this.bridgesFrom(hovered)) this.addGhost(bridge, null, "far");
    } else if (bridges.length === 0 && this.secondTargets.includes(hovered)) {
      this.addGhost("tile", hovered, "near");
    }
  }

  /**
   * Add a copy of a piece that the server has drawn.
   *
   * @param {string} name
   * @param {string | null} cell - the place of a tile, which the server draws on the first cell
   * @param {string} kind
   */
  addGhost(name, cell, kind) {
    const svg = this.ghosts.firstElementChild;
    const drawn = svg?.querySelector(`[data-ghost="${name}"]`);
    if (!(svg instanceof SVGSVGElement) || !drawn || !this.view) return;
    const copy = /** @type {Element} */ (drawn.cloneNode(true));
    copy.classList.add("shown", kind);
    copy.removeAttribute("data-ghost");
    const place = cell === null ? null : this.find(cell);
    if (place) {
      const { columns, rows, width } = this.view.grid;
      const unit = (svg.viewBox.baseVal.width * width) / columns;
      const [row, column] = place;
      copy.setAttribute("transform", `translate(${unit * column},${unit * (row - rows + 1)})`);
    }
    svg.append(copy);
  }

  /**
   * Return the row, from the top, and the column of a cell.
   *
   * @param {string} cell
   * @returns {[number, number] | null}
   */
  find(cell) {
    for (const [row, line] of (this.view?.cells ?? []).entries()) {
      const column = line.findIndex((each) => each.cell === cell);
      if (column >= 0) return [row, column];
    }
    return null;
  }

  /**
   * Mark the cells of an action that was played, where a better line is shown, and the order in
   * which the pieces of that line come. The first of them are on the board.
   *
   * @param {string[]} played
   * @param {{cells: string[], color: string}[]} line - the colour is empty for bridges
   */
  markLine(played, line) {
    // Points would be taken for the numbers of the line.
    byId("board", HTMLElement).classList.toggle("numbered", line.length > 0);
    for (const old of this.table.querySelectorAll(".was, [data-number]")) {
      old.classList.remove("was");
      for (const name of ["data-number", "data-line-color"]) old.removeAttribute(name);
    }
    for (const place of played.map((each) => this.find(each))) if (place) this.button(...place).classList.add("was");
    for (const [number, { cells, color }] of line.entries()) {
      for (const place of cells.map((each) => this.find(each))) {
        if (!place) continue;
        const { dataset } = this.button(...place);
        dataset["number"] ??= String(number + 1);
        if (number > 0) dataset["lineColor"] ??= color;
      }
    }
  }

  /**
   * Put the points of each network on a tile that carries no bridge, so that they hide none.
   *
   * @param {import("./replay.js").Replay} replay
   */
  placePoints(replay) {
    const { grid } = this.view ?? {};
    const svg = this.picture.firstElementChild;
    if (!grid || !(svg instanceof SVGSVGElement)) return;
    const { width, height } = svg.viewBox.baseVal;
    const ends = new Set(replay.shown(".bridge").flatMap((each) => each.getAttribute("data-bridge")?.split("-") ?? []));
    for (const badge of replay.shown(".points")) {
      const cells = badge.getAttribute("data-cells")?.split(" ") ?? [];
      const [row, column] = this.find(cells.find((each) => !ends.has(each)) ?? "") ?? [];
      const plate = badge.querySelector("rect");
      if (row === undefined || column === undefined || !plate) continue;
      /** @param {string} name */
      const number = (name) => Number(plate.getAttribute(name));
      const x = width * (grid.left + (grid.width * (column + 0.5)) / grid.columns);
      const y = height * (grid.top + (grid.height * (row + 0.5)) / grid.rows);
      const middle = [number("x") + number("width") / 2, number("y") + number("height") / 2];
      badge.setAttribute("transform", `translate(${x} ${y}) scale(${BADGE}) translate(${-(middle[0] ?? 0)} ${-(middle[1] ?? 0)})`);
    }
  }

  /**
   * Mark the cells and bridges for which an action is refused, by their roles.
   *
   * @param {Violation[]} violations
   */
  blame(violations) {
    for (const old of this.table.querySelectorAll("[data-roles]")) {
      for (const name of ["data-roles", "data-joins"]) old.removeAttribute(name);
    }
    for (const old of this.picture.querySelectorAll(".culprit")) old.classList.remove("culprit");
    for (const { cells, bridges } of violations) {
      for (const [role, names] of Object.entries(cells)) {
        for (const place of names.map((name) => this.find(name))) {
          const button = place && this.button(...place);
          if (!button) continue;
          button.dataset["roles"] = `${button.dataset["roles"] ?? ""} ${role}`.trim();
          const joins = new Set([...(button.dataset["joins"]?.split(" ") ?? []), ...this.joins(place, names)]);
          button.dataset["joins"] = [...joins].join(" ").trim();
        }
      }
      for (const bridge of bridges) {
        const drawn = this.picture.querySelectorAll(`.bridge[data-bridge="${bridge}"]`);
        for (const each of drawn) each.classList.add("culprit");
      }
    }
  }

  /**
   * Return the sides on which a cell touches others: there they have one outline.
   *
   * @param {[number, number]} place
   * @param {string[]} names - of the cells that belong together
   */
  joins([row, column], names) {
    const cells = this.view?.cells ?? [];
    return Object.entries(SIDES).flatMap(([side, [down, right]]) => {
      const beside = cells[row + down]?.[column + right]?.cell;
      return beside !== undefined && names.includes(beside) ? [side] : [];
    });
  }

  /**
   * Create the buttons over the picture.
   *
   * @param {Grid} grid
   */
  layOut(grid) {
    // A larger board would leave no space for the rest on a phone's screen.
    const stays = grid.rows <= grid.columns && grid.columns <= MAX_COLUMNS_ON_PHONES;
    this.frame.classList.toggle("stays", stays);
    this.frame.classList.toggle("scrolls", grid.columns > MAX_COLUMNS_ON_PHONES);
    const { style } = byId("game", HTMLElement);
    style.setProperty("--columns", String(grid.columns));
    style.setProperty("--rows", String(grid.rows));
    style.setProperty("--ratio", String(grid.ratio));
    style.setProperty("--above", String(grid.top));
    style.setProperty("--below", String(1 - grid.top - grid.height));
    for (const name of /** @type {const} */ (["left", "top", "width", "height"])) {
      style.setProperty(`--${name}`, `${100 * grid[name]}%`);
    }
    const body = document.createElement("tbody");
    for (let row = 0; row < grid.rows; row++) {
      const line = body.insertRow();
      for (let column = 0; column < grid.columns; column++) {
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        line.insertCell().append(button);
      }
    }
    this.table.replaceChildren(body);
    this.row = grid.rows - 1;
    this.column = 0;
    this.button(this.row, this.column).tabIndex = 0;
  }

  /**
   * Return the button of a cell.
   *
   * @param {number} row - from the top
   * @param {number} column
   * @returns {HTMLButtonElement}
   */
  button(row, column) {
    const found = this.table.rows[row]?.cells[column]?.firstElementChild;
    if (!(found instanceof HTMLButtonElement)) throw new Error(`no cell at ${row}, ${column}`);
    return found;
  }

  /** Set the focus on the cell that had it last. The page stays where it is: nobody has gone there. */
  focus() {
    this.button(this.row, this.column).focus({ preventScroll: true });
  }

  /**
   * Move to another cell with a key.
   *
   * @param {KeyboardEvent} event
   */
  press(event) {
    const offset = KEY_OFFSETS[/** @type {keyof typeof KEY_OFFSETS} */ (event.key)];
    if (!offset || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [down = 0, right = 0] = offset;
    const rows = this.table.rows.length;
    const columns = this.table.rows[0]?.cells.length ?? 0;
    const row = Math.min(Math.max(this.row + down, 0), rows - 1);
    const column = Math.min(Math.max(this.column + right, 0), columns - 1);
    this.button(row, column).focus();
  }

  /**
   * Make Tab return to the cell that had the focus.
   *
   * @param {HTMLButtonElement} button
   */
  remember(button) {
    const cell = button.closest("td");
    const line = cell?.parentElement;
    if (!(line instanceof HTMLTableRowElement) || !cell) return;
    this.button(this.row, this.column).tabIndex = -1;
    this.row = line.rowIndex;
    this.column = cell.cellIndex;
    button.tabIndex = 0;
  }

  /** @param {(cell: string, event: MouseEvent, isTouch: boolean) => void} click */
  listen(click) {
    /** @param {Event} event */
    const buttonOf = ({ target }) => (target instanceof Element ? target.closest("button") : null);
    /** @param {string | null} cell */
    const hover = (cell) => {
      if (cell === this.hovered) return;
      this.hovered = cell;
      this.drawGhosts();
    };
    let pointerType = "";
    // Whether a key was pressed at a cell whose focus is not shown: it must not play there.
    let isBlind = false;
    this.table.addEventListener("keydown", () => (isBlind = !isReachedByKeys(this.table)));
    this.table.addEventListener("pointerdown", (event) => {
      pointerType = event.pointerType;
      isBlind = false;
    });
    // A touch that scrolls the page ends without a click.
    this.table.addEventListener("pointercancel", () => (pointerType = ""));
    this.table.addEventListener("click", (event) => {
      if (isBlind && event.detail === 0) return;
      const cell = buttonOf(event)?.dataset["cell"];
      // In some browsers, a click does not say which pointer it comes from.
      const isTouch = pointerType === "touch";
      // A key clicks without a pointer.
      pointerType = "";
      if (cell) click(cell, event, isTouch);
    });
    this.table.addEventListener("focusin", (event) => {
      const button = buttonOf(event);
      if (!button) return;
      this.remember(button);
      if (isReachedByKeys(button)) hover(button.dataset["cell"] ?? null);
    });
    this.table.addEventListener("focusout", () => hover(null));
    this.table.addEventListener("pointerover", (event) => {
      // Touch screens have no hovering.
      if (event.pointerType !== "touch") hover(buttonOf(event)?.dataset["cell"] ?? null);
    });
    this.table.addEventListener("pointerleave", () => hover(null));
  }
}
