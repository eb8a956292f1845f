"""Monte Carlo tree search: UCT with RAVE, compiled."""
