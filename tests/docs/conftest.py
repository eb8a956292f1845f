"""Fixtures of these tests."""

from support.console import environment

__all__ = ["environment"]
