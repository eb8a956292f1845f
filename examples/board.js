/** @typedef {import("../src/pontedeldiavolo/json/pontedeldiavolo").Snapshot} Snapshot */

/** Return the column and the row of a cell. @type {(cell: string) => [number, number]} */
function at(cell) {
  const [, letters = "", row = ""] = /([a-z]+)(\d+)/.exec(cell) ?? [];
  return [[...letters].reduce((sum, each) => 26 * sum + each.charCodeAt(0) - 96, 0), Number(row)];
}

/** Return the cells for a second click. @type {(snapshot: Snapshot, first: string) => string[]} */
export function partners({ targets, conflicts, buildable }, first) {
  if (targets.includes(first))
    return targets.filter((cell) => cell !== first && !conflicts[first]?.includes(cell));
  const bridges = buildable.map((bridge) => bridge.split("-"));
  return bridges.filter((ends) => ends.includes(first)).flat().filter((end) => end !== first);
}

/**
 * Draw a snapshot, and send the actions that clicks make.
 * @param {SVGSVGElement} svg
 * @param {HTMLElement} buttons Shows what no click on the board can say: a colour or a pass.
 * @param {Snapshot} snapshot
 * @param {(action: string) => void} play
 * @param {Record<string, string>} words The texts of the buttons, where they differ from the actions.
 */
export function show(svg, buttons, snapshot, play, words = {}, first = "") {
  const { width, height } = snapshot.board;
  /** @type {(cell: string, size: number, fill: string) => string} */
  const square = (cell, size, fill) => {
    const [x, y] = at(cell);
    const corner = `x="${x - size / 2}" y="${height - y - size / 2}"`;
    return `<rect ${corner} width="${size}" height="${size}" fill="${fill}"/>`;
  };
  /** @type {(bridge: string) => string} */
  const arch = (bridge) => {
    const points = bridge.split("-").map(at).map(([x, y]) => `${x},${height - y}`);
    return `<polyline points="${points.join(" ")}" stroke="#222" stroke-width="0.2"/>`;
  };
  svg.setAttribute("viewBox", `0.5 -0.5 ${width} ${height}`);
  svg.style.background = "#2f6c86";
  svg.innerHTML = [
    ...snapshot.blocked.map((cell) => square(cell, 1, "#1b4151")),
    ...snapshot.white.tiles.map((cell) => square(cell, 0.9, "#f2e6c9")),
    ...snapshot.red.tiles.map((cell) => square(cell, 0.9, "#b2402f")),
    ...[...snapshot.white.bridges, ...snapshot.red.bridges].map(arch),
    ...(first ? partners(snapshot, first) : snapshot.targets).map((cell) => square(cell, 0.2, "#fff")),
  ].join("");
  svg.onclick = (event) => {
    const point = new DOMPoint(event.x, event.y).matrixTransform(svg.getScreenCTM()?.inverse());
    const [x, y] = [Math.round(point.x), height - Math.round(point.y)];
    const letters = x > 26 ? String.fromCharCode(96 + Math.floor((x - 1) / 26)) : "";
    const cell = `${letters}${String.fromCharCode(97 + ((x - 1) % 26))}${y}`;
    const sign = snapshot.targets.includes(first) ? "," : "-";
    if (first && partners(snapshot, first).includes(cell)) play(`${first}${sign}${cell}`);
    else {
      const isFirst = cell !== first && partners(snapshot, cell).length > 0;
      show(svg, buttons, snapshot, play, words, isFirst ? cell : "");
    }
  };
  const choices = snapshot.other_actions.map((action) => {
    const button = document.createElement("button");
    button.textContent = words[action] ?? action;
    button.onclick = () => play(action);
    return button;
  });
  buttons.replaceChildren(...choices);
}
