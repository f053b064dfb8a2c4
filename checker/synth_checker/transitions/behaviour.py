"""Behaviour: what a program does, whatever its memory and program locations are called (definitions, section 6).

Behaviour-equivalent programs have the same verdict under every model. The canonical form, the minimised automaton of
the LTS, is made by the C++ core; `synth_checker.twin.behaviour` makes the same from the sentence of the definitions.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

from synth_checker.chunks import in_chunks
from synth_checker.errors import check_ids, check_type
from synth_checker.programs.ids import Ids

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Hexadecimal digits of a hash, 128 bits: among a billion behaviours, two with the same are not to be expected.
HASH_DIGITS = 32


@dataclass(frozen=True, slots=True, repr=False)
class Behaviour:
    """A minimised automaton: per state, numbered breadth-first from the start, its successor by each live thread.

    `successors[state]` holds pairs (thread, state), by rising thread id; the live set is the threads in it.
    """

    threads: int
    successors: tuple[tuple[tuple[int, int], ...], ...]

    def __repr__(self) -> str:
        return f"<Behaviour of {self.threads} threads, {len(self.successors)} states>"


def behaviour(id_: str) -> Behaviour:
    """The behaviour of the program with this id.

    Raises:
        InputError: the id can't be read.
        LimitError: the program has more states than can be explored.
    """
    check_type("id", id_, str, "the id of a program")
    (form,) = canonical_forms([id_])
    threads, states, *words = struct.unpack(f"<{len(form) // 4}I", form)
    left = iter(words)
    successors = []
    for _ in range(states):
        live = next(left)
        successors.append(tuple((t, next(left)) for t in range(threads) if live >> t & 1))
    return Behaviour(threads, tuple(successors))


def behaviour_hashes(ids: Sequence[str]) -> list[str]:
    """For each program, given by its id, a hash of its behaviour: equal for behaviour-equivalent programs.

    It is the start, `HASH_DIGITS` hexadecimal digits long, of the SHA-256 of the canonical form as `canonical_forms`
    writes it. Raises as `behaviour` does.
    """
    check_ids(ids)
    return [hashlib.sha256(form).hexdigest()[:HASH_DIGITS] for form in canonical_forms(ids)]


def first_of_classes(ids: Ids, *, jobs: int = 1) -> Ids:
    """Of programs that are behaviour-equivalent the one with the least id, examined in `jobs` threads.

    Raises:
        LimitError: a program has more states than can be explored.
    """
    from synth_checker import _native

    packed, seen, first = ids.packed, _native.BehaviourSet(), _native.IdCollector()

    def examined(begin: int, end: int) -> tuple[bytes, bytes]:
        lines = packed.lines(begin, end)
        return lines, _native.behaviour_hashes(lines)

    for lines, behaviours in in_chunks(examined, len(ids), jobs):
        first.add(b"".join(compress(lines.splitlines(keepends=True), seen.insert(behaviours))))
    return Ids(first)


def canonical_forms(ids: Sequence[str]) -> list[bytes]:
    """For each program, given by its id, the canonical form of its behaviour as bytes.

    All numbers are unsigned, of 32 bits, little-endian: the number of threads; the number of states; and for each state
    its live set, bit t for thread t, and by rising thread id the number of its successor by each live thread. States
    are numbered breadth-first from the start, which is 0. Raises as `behaviour` does.
    """
    from synth_checker import _native

    return _native.behaviours(ids)
