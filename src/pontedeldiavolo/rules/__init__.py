"""The rules as values: options, actions, what can be broken, how a game comes out."""
