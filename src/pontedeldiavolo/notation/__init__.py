"""Cells, actions, steps, rules, states, half turns and set-ups as text, and back."""
