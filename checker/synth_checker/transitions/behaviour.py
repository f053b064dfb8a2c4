"""Behaviour of programs: what a program does, apart from how its memory locations are named (definitions, section 6).

Two programs are behaviour-equivalent if their transition systems are bisimilar. Such programs have the same verdict
under every model. The C++ core computes the canonical form of a behaviour, which is the minimised automaton of the
program's transition system. `synth_checker.twin.behaviour` computes the same form directly from the definition.
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

#: Hexadecimal digits of a hash, which has 128 bits. Among a billion behaviours, no two are likely to share a hash.
HASH_DIGITS = 32


@dataclass(frozen=True, slots=True, repr=False)
class Behaviour:
    """The behaviour of a program: a minimised automaton whose steps are labelled with threads.

    States are numbered breadth-first, and the start state is 0. `successors[state]` holds a pair (thread, next state)
    for each thread that is live in that state, in the order of the thread ids.
    """

    threads: int
    successors: tuple[tuple[tuple[int, int], ...], ...]

    def __repr__(self) -> str:
        return f"<Behaviour of {self.threads} threads, {len(self.successors)} states>"


def behaviour(id_: str) -> Behaviour:
    """Return the behaviour of the program with this id.

    Raises:
        InputError: the id cannot be read.
        LimitError: the program has more states than can be explored.
    """
    check_type("id", id_, str, "the id of a program")
    (form,) = canonical_forms([id_])
    threads, states, *words = struct.unpack(f"<{len(form) // 4}I", form)
    remaining = iter(words)
    successors = []
    for _ in range(states):
        live = next(remaining)
        successors.append(tuple((t, next(remaining)) for t in range(threads) if live >> t & 1))
    return Behaviour(threads, tuple(successors))


def behaviour_hashes(ids: Sequence[str]) -> list[str]:
    """Return a hash of the behaviour of each program in `ids`. Behaviour-equivalent programs have equal hashes.

    A hash is the first `HASH_DIGITS` hexadecimal digits of the SHA-256 of what `canonical_forms` returns for the
    program.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program has more states than can be explored.
    """
    check_ids(ids)
    return [hashlib.sha256(form).hexdigest()[:HASH_DIGITS] for form in canonical_forms(ids)]


def first_of_classes(ids: Ids, *, jobs: int = 1) -> Ids:
    """Return, of each set of behaviour-equivalent programs, the program with the least id.

    `jobs` is the number of operating-system threads that compute the behaviours.

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
    """Return the canonical form of the behaviour of each program in `ids`, as bytes.

    The bytes are unsigned 32-bit numbers, little-endian. First come the number of threads and the number of states.
    Then each state has its set of live threads as a bit mask, where bit t stands for thread t. After the mask come the
    numbers of the state's successors by each live thread, in the order of the thread ids. States are numbered
    breadth-first from the start, which is 0.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program has more states than can be explored.
    """
    from synth_checker import _native

    return _native.behaviours(ids)
