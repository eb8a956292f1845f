"""Parsers and formatters of cells, actions, steps, rules, states, half turns and set-ups."""
