// @ts-check
// The games of a page: links, keys and the index.
import { Replay, attribute } from "./replay.js";

/**
 * Put the name of the step that is shown into the URL.
 * @param {string} name
 */
function tell(name) {
  try {
    history.replaceState(null, "", `#${name}`);
  } catch {
    // Some frames have no URL, and browsers refuse to change it too often.
  }
}

const games = [...document.querySelectorAll("section.game")].map(
  (section) => new Replay(/** @type {HTMLElement} */ (section), tell),
);
let current = /** @type {Replay} */ (games[0]);

/** @param {Replay} game */
function turnTo(game) {
  if (game !== current) current.pause();
  current = game;
  for (const each of games) each.section.hidden = each !== game;
  for (const link of document.querySelectorAll("nav a")) {
    if (attribute(link, "href") === `#${game.section.id}`) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

/**
 * Show the game or step that a link names. Other names are ignored.
 * @param {string} name
 */
function follow(name) {
  const target = document.getElementById(name);
  const game = games.find((each) => target !== null && each.section.contains(target));
  if (!target || !game) return false;
  if (target === game.section) {
    turnTo(game);
    return true;
  }
  if (!target.parentElement?.hasAttribute("data-line")) return false;
  turnTo(game);
  return game.showItem(target);
}

document.documentElement.classList.add("scripted");
for (const game of games) game.show(0, Infinity);
turnTo(current);
if (follow(location.hash.slice(1))) {
  // The browser scrolls to the turn in the list, which may move the board out of view.
  window.addEventListener("load", () => current.section.scrollIntoView());
}
window.addEventListener("hashchange", () => follow(location.hash.slice(1)));

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest("button");
  if (button) current.act(attribute(button, "data-do"));
  const name = attribute(event.target.closest("a"), "href").slice(1);
  // The board stays in place: only links from outside scroll to a turn in the list.
  if (name && !event.ctrlKey && !event.metaKey && !event.shiftKey && follow(name)) {
    event.preventDefault();
    tell(name);
  }
});

document.addEventListener("keydown", (event) => current.press(event));
