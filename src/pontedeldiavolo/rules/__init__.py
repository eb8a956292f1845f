"""The rules as values: options, actions, violations, scores and outcomes."""
