// The types of JSON documents in use: tsc must accept all of it, and refuse what is marked.
import type {
  Document,
  Line,
  Snapshot,
  Variation,
} from "../../src/pontedeldiavolo/json/pontedeldiavolo";

export async function load(url: string): Promise<Snapshot> {
  const document: Document<"snapshot"> = await (await fetch(url)).json();
  return document.value;
}

export function movesOf(document: Document): string[] {
  return document.kind === "game" ? document.value.line.moves.map((move) => move.action) : [];
}

export const cell: Document = { format: "pontedeldiavolo", version: 1, kind: "cell", value: "a1" };
// @ts-expect-error: no such kind
export const cells: Document = { format: "pontedeldiavolo", version: 1, kind: "cells", value: [] };
// @ts-expect-error: not a value of its kind
export const blue: Document = { format: "pontedeldiavolo", version: 1, kind: "color", value: "blue" };
export const variation: Variation = { moves: [{ action: "a1,b2" }] };
export const line: Line = variation;
// @ts-expect-error: a variation has a move
export const empty: Variation = { moves: [] };
