"""Files of weights: a damaged one is refused, and a small one cannot ask for much memory."""

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
from pontedeldiavolo.players import load_weights, save_weights, weights_file
from pontedeldiavolo.players.weights_file import DIGEST, digest_of_arrays
from support.checks import error_of
from support.paths import DATA, ROOT

STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
Arrays = dict[str, npt.NDArray[Any]]


def written(path: Path, arrays: dict[str, Any]) -> None:
    np.savez(path, **arrays)


def arrays_of(path: Path) -> Arrays:
    with np.load(path) as file:
        return dict(file)


def with_digest(arrays: Arrays) -> Arrays:
    return arrays | {DIGEST: np.array(digest_of_arrays(arrays))}


def answer_of(path: Path) -> list[bytes]:
    """Return all that is read from a file, as bytes."""
    rules, arrays = load_weights(path)
    parts = [f"{name} {array.dtype} {array.shape}".encode() for name, array in arrays.items()]
    return [repr(rules).encode(), *parts, *(array.tobytes() for array in arrays.values())]


GOOD = answer_of(STORED)


def is_refused(path: Path, data: bytes) -> bool:
    """Tell whether a file is refused; fail if it is not, and has other weights."""
    path.write_bytes(data)
    try:
        answer = answer_of(path)
    except pdd.PonteError as error:
        code = error.code
    else:
        assert answer == GOOD
        return False
    assert code == "invalid-weights"
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


@pytest.mark.nightly
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
        error = error_of(pdd.PonteError, load_weights, path)
        assert error.code == "invalid-weights"
        assert error.values["part"] == DIGEST
    del arrays[DIGEST]
    written(path, arrays)
    assert error_of(pdd.PonteError, load_weights, path).values["part"] == DIGEST


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
            error = error_of(pdd.PonteError, load_weights, tmp_path / "net.npz")
            assert error.code in ("invalid-weights", "size-or-preset")


def peak_of(path: Path) -> int:
    """Return the most memory that opening a file takes, in bytes."""
    error_of(pdd.PonteError, load_weights, path)
    tracemalloc.start()
    try:
        error_of(pdd.PonteError, load_weights, path)
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


@pytest.mark.parametrize("stored", [STORED, ROOT / "examples" / "7x7.npz"])
def test_weights_are_written_as_they_are_read(tmp_path: Path, stored: Path) -> None:
    path = tmp_path / "file without a suffix"
    rules, arrays = load_weights(stored)
    save_weights(path, rules, arrays)
    assert path.read_bytes() == stored.read_bytes()


def test_arrays_of_other_types_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    rules = pdd.Rules(pdd.Board(3, 3))
    wrong: list[dict[str, Any]] = [
        {"path": 5},
        {"rules": "3x3"},
        {"arrays": [1, 2]},
        {"arrays": {5: [1, 2]}},
        {"arrays": {"a": [None]}},
        {"arrays": {"a": [True]}},
        {"arrays": {"a": np.zeros(2, "M8[s]")}},
    ]
    given: dict[str, Any] = {"path": path, "rules": rules, "arrays": {"a": [1]}}
    for change in wrong:
        with pytest.raises(TypeError):
            save_weights(**given | change)
    for name in ("format", "rules", "planes_version", DIGEST, "file", "allow_pickle"):
        with pytest.raises(pdd.PonteError, match=f"cannot have the name '{name}'"):
            save_weights(path, rules, {name: [1]})
    assert not path.exists()
    with pytest.raises(TypeError):
        load_weights(5)  # type: ignore[arg-type]  # it is tested
    with pytest.raises(OSError, match="none"):
        load_weights(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("format", "pontedeldiavolo network 1", "^format: missing, damaged"),
        ("format", "pontedeldiavolo network 3", "^format: missing, damaged"),
        ("format", 1, "^format: "),
        ("planes_version", 1, "^planes_version: "),
        ("planes_version", [2], "^planes_version: "),
        ("planes_version", None, "^planes_version: "),
        ("rules", "3 by 3", "expected"),
        ("layer1", np.full((41, 4), None), "^net.npz: "),
        ("more", np.zeros(999), "^net.npz: "),
    ],
)
def test_wrong_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: Any, why: str
) -> None:
    arrays: dict[str, Any] = {**arrays_of(STORED), name: value}
    changed = {key: np.asarray(each) for key, each in arrays.items() if each is not None}
    written(tmp_path / "net.npz", with_digest(changed))
    monkeypatch.setattr(weights_file, "MAX_BYTES", 10_000)
    with pytest.raises(pdd.PonteError, match=why):
        load_weights(tmp_path / "net.npz")
