# python -m pontedeldiavolo.testing.conformance conformance.json python examples/conformance.py
"""Answer the requests of the conformance vectors through the public API, one JSON line each."""

import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pontedeldiavolo as pdd

Request = dict[str, Any]
Answer = dict[str, Any]
UNSUPPORTED: Answer = {"unsupported": True}
COMPILED = all(map(find_spec, ("numpy", "numba")))


def count(asked: Request) -> Answer:
    """Count the legal actions of a state."""
    return {"count": len(pdd.parse_state(asked["state"]).legal_actions)}


def legal(asked: Request) -> Answer:
    """List the legal actions of a state."""
    state = pdd.parse_state(asked["state"])
    return {"actions": [pdd.format_action(each) for each in state.legal_actions]}


def steps(asked: Request) -> Answer:
    """List the legal steps of a state or half turn, and their numbers."""
    node = pdd.parse_node(asked["node"])
    space = pdd.StepSpace(node.rules.board)
    texts = [pdd.format_action(each) for each in node.legal_steps]
    codes = [code for code, legal in enumerate(space.legal_mask(node)) if legal]
    return {"steps": texts, "codes": codes, "size": len(space)}


def violations(asked: Request) -> Answer:
    """Name the rules that an action or a single tile breaks."""
    state = pdd.parse_state(asked["state"])
    text = asked["action"]
    is_tile = text.isalnum() and text[-1].isdigit()
    found = state.violations(pdd.parse_step(text) if is_tile else pdd.parse_action(text))
    return {"violations": sorted({each.code.value for each in found})}


def apply(asked: Request) -> Answer:
    """Play a legal action."""
    state = pdd.parse_state(asked["state"]).apply(pdd.parse_action(asked["action"]))
    return {"state": pdd.format_state(state)}


def step(asked: Request) -> Answer:
    """Play a legal step of a state or half turn."""
    node = pdd.parse_node(asked["node"])
    return {"node": pdd.format_state(node.step(pdd.parse_step(asked["step"])))}


def score(asked: Request) -> Answer:
    """Give the score of a state and, at the end, its result."""
    state = pdd.parse_state(asked["state"])
    found: Answer = {}
    for color in pdd.Color:
        now = state.score(color)
        found[color.value] = [now.points, now.islands, now.bridges]
    outcome = state.outcome
    found["winner"] = outcome and (outcome.winner.value if outcome.winner else "draw")
    found["decided_by"] = outcome and outcome.decided_by.value
    return found


def game(asked: Request) -> Answer:
    """Play a whole game; count the legal actions on the way."""
    state = pdd.GameState.initial(pdd.parse_rules(asked["rules"]))
    counts = []
    for text in asked["actions"]:
        counts.append(len(state.legal_actions))
        state = state.apply(pdd.parse_action(text))
    found = score({"state": pdd.format_state(state)})
    del found["decided_by"]
    return {"counts": counts, **found}


def perft(asked: Request) -> Answer:
    """Count the sequences of actions."""
    start = pdd.GameState.initial(pdd.parse_rules(asked["rules"]))
    return {"count": pdd.perft(start, asked["depth"])}


def solve(asked: Request) -> Answer:
    """Give the value for the seat to move and all best actions."""
    if not COMPILED:
        return UNSUPPORTED
    found = pdd.players.Solver().solve(pdd.parse_state(asked["state"]))
    if found is None:
        return UNSUPPORTED
    return {"value": found.value, "best": [pdd.format_action(each) for each in found.best]}


def read(asked: Request) -> Answer:
    """Read a state or half turn, and write it in canonical form."""
    try:
        return {"node": pdd.format_state(pdd.parse_node(asked["text"]))}
    except pdd.PonteError:
        return {"error": True}


def setup(asked: Request) -> Answer:
    """Name the rules that a diagram breaks."""
    try:
        faults = pdd.parse_setup(asked["text"]).violations()
    except pdd.PonteError:
        return {"error": True}
    return {"violations": sorted({each.code.value for each in faults})}


def record(asked: Request) -> Answer:
    """Read a record."""
    try:
        found = pdd.records.loads(asked["text"])
    except pdd.PonteError:
        return {"error": True}
    return {
        "rules": pdd.format_rules(found.rules),
        "tags": dict(found.tags),
        "actions": [pdd.format_action(each) for each in found.actions],
        "state": pdd.format_state(found.state),
        "result": found.result,
    }


def canonical(asked: Request) -> Answer:
    """Give the canonical form of a state or half turn."""
    return {"node": pdd.format_state(pdd.parse_node(asked["node"]).canonical())}


def keys(asked: Request) -> Answer:
    """Give the keys of a state or half turn."""
    node = pdd.parse_node(asked["node"])
    return {
        "packed": node.packed().hex(),
        "canonical": node.canonical_packed().hex(),
        "without_owners": node.packed(owners=False).hex(),
    }


def hashed(asked: Request) -> Answer:
    """Give the 64-bit number of a state or half turn."""
    if not COMPILED:
        return UNSUPPORTED
    games = pdd.batch.GameBatch.from_states([pdd.parse_node(asked["node"])])
    return {"hash": f"{games.hashes()[0]:016x}"}


KINDS: dict[str, Callable[[Request], Answer]] = {
    "apply": apply,
    "canonical": canonical,
    "count": count,
    "game": game,
    "hash": hashed,
    "keys": keys,
    "legal": legal,
    "perft": perft,
    "read": read,
    "record": record,
    "score": score,
    "setup": setup,
    "solve": solve,
    "step": step,
    "steps": steps,
    "violations": violations,
}


def answer(asked: Request) -> Answer:
    """Answer a request; unknown kinds are not supported."""
    kind = KINDS.get(asked["do"])
    return kind(asked) if kind else UNSUPPORTED


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
