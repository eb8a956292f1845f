// A board for React: it shows a snapshot and sends the actions that clicks make.
import { useState } from "react";

import type { Snapshot } from "../src/pontedeldiavolo/json/pontedeldiavolo";
import { partners } from "./board.js";

type Props = {
  snapshot: Snapshot;
  play: (action: string) => void;
  /** Texts for "white", "red", "pass", "water" and "blocked" in another language. */
  words?: Record<string, string>;
};

// The unit of the picture is a cell, so a browser's own ring would be as wide as a cell.
const FOCUS = "g { outline: none; cursor: pointer } g:focus-visible rect { stroke: #fff; stroke-width: 0.06px }";

/** Return the letters of a column, counted from 0: a to z, then aa, ab and so on. */
function letters(column: number): string {
  const last = String.fromCharCode(97 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

export function Board({ snapshot, play, words = {} }: Props) {
  const [choice, setChoice] = useState({ snapshot, cell: "" });
  // A new snapshot makes an old first click void.
  const first = choice.snapshot === snapshot ? choice.cell : "";
  const { width, height } = snapshot.board;
  const next = first ? partners(snapshot, first) : snapshot.targets;

  function click(cell: string) {
    const isSecond = first !== "" && partners(snapshot, first).includes(cell);
    if (isSecond) play(`${first}${snapshot.targets.includes(first) ? "," : "-"}${cell}`);
    setChoice({ snapshot, cell: isSecond || cell === first ? "" : cell });
  }

  const colors = { water: "#2f6c86", blocked: "#1b4151", white: "#f2e6c9", red: "#b2402f" };
  const places = Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)] as const;
    const cell = `${letters(x)}${height - y}`;
    const kind = snapshot.white.tiles.includes(cell) ? "white"
      : snapshot.red.tiles.includes(cell) ? "red"
      : snapshot.blocked.includes(cell) ? "blocked" : "water";
    return { cell, kind, x, y } as const;
  });
  const cells = places.map(({ cell, kind, x, y }) => (
    <g key={cell} role="button" tabIndex={0} aria-label={`${cell}, ${words[kind] ?? kind}`}
      aria-pressed={cell === first} onClick={() => click(cell)}
      onKeyDown={(event) => event.key === "Enter" && click(cell)}>
      <rect x={x + 0.03} y={y + 0.03} width={0.94} height={0.94} fill={colors[kind]} />
      {(cell === first || next.includes(cell)) && (
        <circle cx={x + 0.5} cy={y + 0.5} r={cell === first ? 0.25 : 0.1} fill="#fff" />
      )}
    </g>
  ));
  const bridges = [...snapshot.white.bridges, ...snapshot.red.bridges].map((bridge) => {
    const ends = places.filter(({ cell }) => bridge.split("-").includes(cell));
    const points = ends.map(({ x, y }) => `${x + 0.5},${y + 0.5}`).join(" ");
    return (
      <polyline key={bridge} points={points} stroke="#222" strokeWidth={0.2} pointerEvents="none" />
    );
  });
  return (
    <figure>
      <svg viewBox={`0 0 ${width} ${height}`}>
        <style>{FOCUS}</style>
        {cells}
        {bridges}
      </svg>
      <figcaption>
        {snapshot.sentences.result ?? snapshot.sentences.state}{" "}
        {snapshot.other_actions.map((action) => (
          <button key={action} onClick={() => play(action)}>{words[action] ?? action}</button>
        ))}
      </figcaption>
    </figure>
  );
}
