"""The colours of a page: each theme's, as variables that its style sheet uses."""

from __future__ import annotations

from functools import cache

from pontedeldiavolo.svg.themes import COLORS, DARK, LIGHT, PRINT, Theme


@cache
def rules_of_colors() -> str:
    """Return the rules for all themes.

    A picture has the colours of the light theme in attributes, and rules win over attributes: so
    one picture serves all themes.
    """
    tints = "".join(
        f'.network[stroke="{tint}"]{{stroke:var(--tint-{place})}}'
        for place, tint in enumerate(LIGHT.tints)
    )
    return (
        f"{_rule(LIGHT)}@media (prefers-color-scheme:dark){{{_rule(DARK)}}}"
        f"@media print{{{_rule(PRINT)}}}{tints}\n"
    )


def _rule(theme: Theme) -> str:
    named = [f"--{name.replace('_', '-')}:{getattr(theme, name)}" for name in COLORS]
    # A theme may have fewer tints; they are used in turn.
    tints = [
        f"--tint-{place}:{theme.tints[place % len(theme.tints)]}"
        for place in range(len(LIGHT.tints))
    ]
    return f":root{{{';'.join((*named, *tints))}}}"
