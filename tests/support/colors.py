"""Contrast and colour blindness, worked out from colours as they are written."""

from __future__ import annotations

from math import dist

Rgb = tuple[float, float, float]

# How people without red, without green and without blue cones see: Machado, Oliveira and
# Fernandes 2009, for linear light, complete loss.
BLIND: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def linear(color: str) -> Rgb:
    """Return the light of a colour, from 0 to 1 each."""
    red, green, blue = (_light(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return red, green, blue


def _light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(color: str) -> float:
    """Return the relative luminance, as WCAG defines it."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio, as WCAG defines it: 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def difference(one: str, other: str, sight: str) -> float:
    """Return how far apart two colours look to somebody: the distance in CIELAB."""
    return dist(_lab(_seen(linear(one), sight)), _lab(_seen(linear(other), sight)))


def _seen(light: Rgb, sight: str) -> Rgb:
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True))))
        for row in BLIND[sight]
    )
    return red, green, blue


def _lab(light: Rgb) -> Rgb:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    i, j, k = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    )
    return 116 * j - 16, 500 * (i - j), 200 * (j - k)
