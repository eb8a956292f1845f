"""A Hypothesis strategy for games with variations, comments, NAGs and annotations."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import pontedeldiavolo as pdd
from pontedeldiavolo.game.line import Path
from pontedeldiavolo.testing.strategies import states
from support.strategies import SMALL_RULES, games

# Texts of comments: any printable text, with many characters that need an escape.
TEXTS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")) | st.sampled_from("{}\\;%()[]$ \nn"),
    max_size=30,
)
# Also texts that look like annotations.
PIECES = st.sampled_from(("[%", "[%clk 1]", "[%emt", "\\[%clk 2]", " ", "]", "[%x y\\]", "\n"))
COMMENTS = TEXTS | st.lists(PIECES | TEXTS, max_size=5).map("".join)
NAMES = st.sampled_from(("clk", "emt", "eval")) | st.text("abyz", min_size=1, max_size=3)
VALUES = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="]")
    | st.sampled_from("{}\\;%()[$ :.0"),
    max_size=10,
) | st.sampled_from(("0:09:58", "1:00:00.25", "0:00:00"))
ANNOTATIONS = st.dictionaries(NAMES, VALUES, max_size=3)
NAGS = st.lists(st.integers(0, 255), max_size=3)


@st.composite
def annotated_games(draw: DrawFn) -> pdd.Game:
    """Return games with additions as a person makes them, in any order."""
    if draw(st.booleans()):
        game = draw(games(SMALL_RULES))
    else:
        game = pdd.Game.new(start=draw(states(SMALL_RULES)))
    for _ in range(draw(st.integers(0, 6))):
        paths: list[Path] = [path for path, _ in game.walk()]
        match draw(st.sampled_from(("comment", "marks", "variation", "longer", "play"))):
            case "comment":
                path = draw(st.sampled_from([(), *paths]))
                game = game.with_comment(draw(COMMENTS), path)
            case "marks" if paths:
                path = draw(st.sampled_from(paths))
                game = game.with_nags(draw(NAGS), path)
                game = game.with_annotations(draw(ANNOTATIONS), path)
            case "variation" if paths:
                path = draw(st.sampled_from(paths))
                state = game.state_before(path)
                actions = [draw(st.sampled_from(state.legal_actions))]
                after = state.apply(actions[0])
                if not after.is_over and draw(st.booleans()):
                    actions.append(draw(st.sampled_from(after.legal_actions)))
                game = game.with_variation(path, actions, draw(COMMENTS))
            case "longer" if paths:
                path = draw(st.sampled_from(paths))[:-1]
                state = game.state_at(path)
                if path and not state.is_over:
                    game = game.play(draw(st.sampled_from(state.legal_actions)), path)
            case "play" if game.ending is None:
                game = game.play(draw(st.sampled_from(game.state.legal_actions)))
    return game
