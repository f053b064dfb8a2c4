"""What to check of a kernel, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from synth_kernels.program import Space

#: How much is known of what arrays hold; `contents` explains the words.
Abstraction: TypeAlias = Literal["adversarial", "equality", "auto"]
ABSTRACTIONS: tuple[Abstraction, ...] = ("adversarial", "equality", "auto")
#: How accesses are kept that no barrier has ordered yet: `watched_location` and `chosen_accesses` explain the words.
Encoding: TypeAlias = Literal["watched", "seed"]
ENCODINGS: tuple[Encoding, ...] = ("watched", "seed")
#: Which checks to make: all, those of barriers, or all but races between groups; or of races, only those, or only
#: races with atomic accesses.
Only: TypeAlias = Literal["", "divergence", "intra-group", "between groups", "with atomics"]
#: Where threads may race.
SHARED: frozenset[Space] = frozenset({"local", "global"})
#: Those that a user may ask for.
ONLY: tuple[Only, ...] = ("divergence", "intra-group")


@dataclass(frozen=True, slots=True)
class Options:
    """What to check of a kernel, and how.

    `tolerate_benign`: two writes of the same value are no race. `check_bounds`: each access must be inside its array.
    `abstraction` says how much is known of what arrays hold, and `encoding` how races are found. `only` leaves out some
    checks. With `unroll`, loops are unrolled so many times instead of cut, to look for faults. `rules` are those that
    make candidates (`synth_kernels.candidates`), and `engine` names those that refute candidates
    (`synth_kernels.refutation.engine_names`). `ways` are further ways to prove loops (`synth_kernels.loop_proofs`).
    With a `depth`, loops are proved by k-induction (`synth_kernels.induction`). With `asymmetric`, claims about single
    threads are checked for thread 1 only. If the barriers of a group are `one_barrier`, threads meet wherever they
    wait. With `counts_barriers`, arrivals at barriers that are one object are counted (`arrival_counts`). In memory
    that is `apart`, others may store at any time, so that a proof needs no check of races there. `enters_always` is a
    fault that tests plant: to assume that some thread enters each loop.
    """

    tolerate_benign: bool = True
    check_bounds: bool = False
    abstraction: Abstraction = "auto"
    encoding: Encoding = "watched"
    only: Only = ""
    unroll: int = 0
    rules: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    engine: str = "H"
    asymmetric: bool = False
    depth: int = 0
    enters_always: bool = False
    one_barrier: bool = False
    counts_barriers: bool = False
    apart: frozenset[Space] = frozenset()

    @property
    def unchecked(self) -> frozenset[Space]:
        """The memory in which not all races are looked for."""
        return {"divergence": SHARED, "intra-group": SHARED - {"local"}}.get(self.only, frozenset())


DEFAULT = Options()
