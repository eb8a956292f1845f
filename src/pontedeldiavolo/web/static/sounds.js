// @ts-check
/** Sounds, made by the browser. They are off until somebody wants them. */

import { byId } from "./dom.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{pitch: number, at?: number, lasts?: number, loud?: number, wave?: OscillatorType}} Tone */

const KEY = "ponte-sounds";
const WHITE = 440;
/** A third below white's. */
const RED = 349;
/** Each sound as tones, with their starts in seconds. None lasts longer than 0.6 seconds. */
const SOUNDS = /** @type {Record<string, Tone[]>} */ ({
  white: [{ pitch: WHITE }],
  red: [{ pitch: RED }],
  "white-island": [{ pitch: WHITE * 0.75 }, { pitch: WHITE * 0.75, at: 0.12 }],
  "red-island": [{ pitch: RED * 0.75 }, { pitch: RED * 0.75, at: 0.12 }],
  bridge: [{ pitch: 300 }, { pitch: 330, at: 0.07 }, { pitch: 360, at: 0.14 }],
  refused: [{ pitch: 110, lasts: 0.12 }],
  turn: [{ pitch: 523, wave: "sine", lasts: 0.2, loud: 0.08 }, { pitch: 659, at: 0.18, wave: "sine", lasts: 0.3, loud: 0.08 }],
  tick: [{ pitch: 900, lasts: 0.03, loud: 0.08 }],
  won: [{ pitch: 784, wave: "sine", lasts: 0.6 }, { pitch: 1175, wave: "sine", lasts: 0.5, loud: 0.07 }],
  lost: [{ pitch: 294, wave: "sine", lasts: 0.6 }],
});

/**
 * Return the sound of the latest action of a game.
 *
 * @param {View} old
 * @param {View} view
 */
export function soundOf(old, view) {
  if (view.ending && !old.ending) {
    const { winning_seat: winner } = view.snapshot;
    return view.yours.length === 1 && winner !== null && winner !== view.yours[0] ? "lost" : "won";
  }
  if (/^[a-z]+\d+-/.test(view.snapshot.last ?? "")) return "bridge";
  const color = view.snapshot.to_move === "white" ? "red" : "white";
  /** @param {View} each */
  const islands = ({ players }) => players.reduce((sum, player) => sum + Number(player["islands"] ?? 0), 0);
  return islands(view) > islands(old) ? `${color}-island` : color;
}

/** The sounds. */
export class Sounds {
  constructor() {
    this.switch = byId("sounds", HTMLInputElement);
    this.switch.checked = localStorage.getItem(KEY) === "true";
    /** @type {AudioContext | null} */
    this.audio = null;
    this.switch.addEventListener("change", () => {
      localStorage.setItem(KEY, String(this.switch.checked));
      this.play("white");
    });
  }

  /**
   * Play a sound, if sounds are on.
   *
   * @param {string} name
   * @param {number} [delay] - in seconds
   */
  play(name, delay = 0) {
    if (!this.switch.checked) return;
    this.audio ??= new AudioContext();
    for (const tone of SOUNDS[name] ?? []) this.sound(this.audio, tone, delay);
  }

  /**
   * @param {AudioContext} audio
   * @param {Tone} tone
   * @param {number} delay
   */
  sound(audio, { pitch, at = 0, lasts = 0.09, loud = 0.15, wave = "triangle" }, delay) {
    const source = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + delay + at;
    source.type = wave;
    source.frequency.setValueAtTime(pitch, start);
    // A knock falls in pitch while it dies away, as wood does.
    if (wave === "triangle") source.frequency.exponentialRampToValueAtTime(pitch / 2, start + lasts);
    volume.gain.setValueAtTime(loud, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
    source.connect(volume).connect(audio.destination);
    source.start(start);
    source.stop(start + lasts);
  }
}
