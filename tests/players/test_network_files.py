"""Files of networks: a damaged one is refused, and a small one cannot ask for much memory."""

from __future__ import annotations

import io
import tracemalloc
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import LearnedPlayer, learned, save_network
from pontedeldiavolo.players.network_file import DIGEST, digest_of_arrays
from support.checks import error_of
from support.paths import DATA

STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
START = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
Arrays = dict[str, npt.NDArray[Any]]


def written(path: Path, arrays: dict[str, Any]) -> None:
    np.savez(path, **arrays)


def arrays_of(path: Path) -> Arrays:
    with np.load(path) as file:
        return dict(file)


def with_digest(arrays: Arrays) -> Arrays:
    return arrays | {DIGEST: np.array(digest_of_arrays(arrays))}


def weights_of(player: LearnedPlayer) -> list[bytes]:
    """Return all that the answers of a player depend on."""
    layers = [layer.tobytes() for layer in player._layers]
    return [*layers, player._outputs_of_codes.tobytes(), repr(player.rules).encode()]


GOOD = weights_of(LearnedPlayer(STORED))


def is_refused(path: Path, data: bytes) -> bool:
    """Tell whether a file is refused; fail if it is not, and has other weights."""
    path.write_bytes(data)
    try:
        player = LearnedPlayer(path)
    except pdd.PonteError as error:
        code = error.code
    else:
        assert weights_of(player) == GOOD
        return False
    assert code == "invalid-network"
    return True


def compressed(path: Path) -> bytes:
    file = io.BytesIO()
    arrays: dict[str, Any] = {**arrays_of(path)}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def flips(data: bytes, places: Iterable[int]) -> Iterator[bytes]:
    """Iterate over copies of a file, each with one flipped bit of one of these bytes."""
    rng = Random(1)
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.randrange(8)
        yield bytes(damaged)


def test_no_flipped_byte_changes_an_answer(tmp_path: Path) -> None:
    data = STORED.read_bytes()
    found = [is_refused(tmp_path / "net.npz", each) for each in flips(data, range(0, 6_000, 61))]
    # The archive has dates and other bytes that mean nothing to a network.
    assert sum(found) > 0.7 * len(found)


@pytest.mark.slow
@pytest.mark.parametrize("data", [STORED.read_bytes(), compressed(STORED)], ids=["plain", "packed"])
def test_no_flipped_byte_at_all_changes_an_answer(tmp_path: Path, data: bytes) -> None:
    found = [is_refused(tmp_path / "net.npz", each) for each in flips(data, range(len(data)))]
    assert sum(found) > 0.5 * len(found)


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    data = STORED.read_bytes()
    for size in range(0, len(data), 97):
        assert is_refused(tmp_path / "net.npz", data[:size])


def test_arrays_without_their_digest_are_refused(tmp_path: Path) -> None:
    """An array was exchanged, and the archive has the right checksums."""
    path = tmp_path / "net.npz"
    arrays = arrays_of(STORED)
    other_weights = arrays["layer0"].copy()
    other_weights[0, 0] += 1
    changes: list[Arrays] = [
        {"layer0": other_weights},
        {"layer0": arrays["layer0"].astype(np.float32)},
        {"places": arrays["places"][::-1].copy()},
        {"places": arrays["places"].astype(np.int64)},
        {"rules": np.array("3x3 tiles=unlimited bridges=unlimited tiebreaks=none")},
        {"more": np.zeros(1)},
        {DIGEST: np.array(arrays[DIGEST].item().upper())},
        {DIGEST: np.array("")},
        {DIGEST: np.array(1)},
    ]
    for change in changes:
        written(path, {**arrays, **change})
        error = error_of(pdd.PonteError, LearnedPlayer, path)
        assert error.code == "invalid-network"
        assert error.values["part"] == DIGEST
    del arrays[DIGEST]
    written(path, arrays)
    assert error_of(pdd.PonteError, LearnedPlayer, path).values["part"] == DIGEST


def archive_of(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def array_file(head: str, data: bytes = b"", version: bytes = b"\1\0") -> bytes:
    """Return a file of one array with this head, whatever it says."""
    text = head.encode() + b"\n"
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text + data


HEAD = "{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}"
HEADS = [
    HEAD.format("<f4", "(100000000000,)"),
    HEAD.format("<f4", f"({10**400},)"),
    HEAD.format("<f4", f"({2**62}, {2**62})"),
    HEAD.format("<f4", "(-1,)"),
    HEAD.format("<f4", "(-1, -1)"),
    HEAD.format("<f4", "(0, -1)"),
    HEAD.format("<f4", "(True,)"),
    HEAD.format("<f4", "(1.5,)"),
    HEAD.format("<f4", "'x'"),
    HEAD.format("<f4", "(" * 900 + ")" * 900),
    HEAD.format("|O", "()"),
    HEAD.format("|V8", "(1,)"),
    HEAD.format("<U0", "(5,)"),
    HEAD.format("<U999999999", "(1,)"),
    HEAD.format("<M8[ns]", "(1,)"),
    HEAD.format("nonsense", "(1,)"),
    "{'descr': [('a', '<f4'), ('b', '|O')], 'fortran_order': False, 'shape': (1,), }",
    "{'descr': 5, 'fortran_order': 7, 'shape': (1,), }",
    *("", "{", "[]", "5", "{}", "{1: 2}", "lambda: 0", "'", "(((", "\0", "a.b", "{'descr': 5L}"),
    "[" * 5_000,
    "-" * 5_000 + "1",
]


def test_odd_heads_of_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    files = [array_file(head, bytes(8)) for head in HEADS]
    files += [b"", b"\x93NUMPY", array_file(HEADS[0])[:20], b"\x93NUMPY\1\0\xff\xff{"]
    files += [array_file(HEAD.format("<f4", "(1,)"), bytes(8)), array_file("", b"", b"\3\0")]
    with warnings.catch_warnings():
        # NumPy warns of heads that look as if Python 2 had written them.
        warnings.simplefilter("ignore")
        for data in files:
            assert is_refused(path, archive_of({"format.npy": data})), data[:90]


def test_odd_texts_are_refused(tmp_path: Path) -> None:
    arrays = arrays_of(STORED)
    no_text = np.frombuffer(b"\xff" * 100, "<U25", 1).reshape(())
    surrogate = np.array("\ud800")
    for name in ("format", "rules", DIGEST):
        for text in (no_text, surrogate):
            changed = {**arrays, name: text}
            if name != DIGEST:
                changed = with_digest(changed)
            written(tmp_path / "net.npz", changed)
            error = error_of(pdd.PonteError, LearnedPlayer, tmp_path / "net.npz")
            assert error.code in ("invalid-network", "size-or-preset")


def peak_of(path: Path) -> int:
    """Return the most memory that opening a file takes, in bytes."""
    error_of(pdd.PonteError, LearnedPlayer, path)
    tracemalloc.start()
    try:
        error_of(pdd.PonteError, LearnedPlayer, path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


ZEROS = bytes(80_000_000)


def with_size(data: bytes, size: int) -> bytes:
    """Return an archive whose members state another size."""
    real = len(ZEROS).to_bytes(4, "little")
    assert data.count(real) == 2
    return data.replace(real, size.to_bytes(4, "little"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [len(ZEROS), 4_000_000, 100, 0, (1 << 32) - 2])
def test_a_small_file_takes_little_memory(tmp_path: Path, size: int) -> None:
    path = tmp_path / "net.npz"
    path.write_bytes(with_size(archive_of({"format.npy": ZEROS}), size))
    assert peak_of(path) < 12_000_000


@pytest.mark.slow
def test_many_members_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    part = array_file(HEAD.format("|u1", "(9000000,)"), ZEROS[:9_000_000])
    path.write_bytes(archive_of({f"{number}.npy": part for number in range(9)}))
    assert peak_of(path) < 12_000_000
    with path.open("wb") as file:
        file.truncate(1 << 34)
    assert peak_of(path) < 300_000_000


def test_networks_are_written_as_they_are_read(tmp_path: Path) -> None:
    arrays = arrays_of(STORED)
    layers = [arrays[f"layer{number}"] for number in range(4)]
    rules = pdd.Rules(pdd.Board(3, 3))
    path = tmp_path / "file without a suffix"
    save_network(path, rules, sizes=arrays["sizes"], places=arrays["places"], layers=layers)
    assert path.read_bytes() == STORED.read_bytes()
    assert LearnedPlayer(path).choose(START) == LearnedPlayer(STORED).choose(START)
    wrong: list[dict[str, Any]] = [
        {"path": 5},
        {"rules": "3x3"},
        {"layers": [np.array([None])]},
        {"layers": [[1, 2]]},
        {"places": [True]},
    ]
    given = {"path": path, "rules": rules, "sizes": (2, 4, 9, 4), "places": [1], "layers": layers}
    for change in wrong:
        with pytest.raises(TypeError):
            save_network(**{**given, **change})
    assert path.read_bytes() == STORED.read_bytes()


def test_the_network_of_the_package_is_written_alike(tmp_path: Path) -> None:
    arrays = arrays_of(Path(str(learned.INCLUDED)))
    layers = [arrays[f"layer{number}"] for number in range(7)]
    rules = pdd.parse_rules(arrays["rules"].item())
    path = tmp_path / "net.npz"
    save_network(path, rules, sizes=arrays["sizes"], places=arrays["places"], layers=layers)
    assert path.read_bytes() == learned.INCLUDED.read_bytes()
