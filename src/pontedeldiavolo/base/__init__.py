"""Foundations: enums, errors with codes, messages, argument checks, base classes of values."""
