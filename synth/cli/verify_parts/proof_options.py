"""The options of `synth verify` that say what is proved of kernels, and how."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from synth.cli.shared.question_options import Memory, TimeLimit, words
from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_workers.stop import parse_memory, parse_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.claim_selection import Claims
    from synth_kernels.pair.options import Abstraction, Encoding, Only, Options


class ClaimOptions(NamedTuple):
    """Which faults are looked for, and which claims about a kernel help to prove that there are none."""

    unroll: Annotated[
        int | None,
        typer.Option(
            help="Unroll loops N times and look for faults, without a proof for more rounds.",
            metavar="N",
            min=1,
            max=64,
        ),
    ] = None
    only: Annotated[
        str,
        typer.Option(
            help="divergence: check barriers and assertions only. intra-group: report no races between groups.",
            metavar="divergence|intra-group",
        ),
    ] = ""
    no_annotations: Annotated[bool, typer.Option("--no-annotations", help="Ignore all annotations.")] = False
    only_requires: Annotated[
        bool, typer.Option("--only-requires", help="Ignore all annotations but preconditions.")
    ] = False
    as_candidates: Annotated[
        bool,
        typer.Option(
            "--invariants-as-candidates", help="Treat each invariant as a candidate: ignore it if it does not hold."
        ),
    ] = False
    no_infer: Annotated[bool, typer.Option("--no-infer", help="Look for no invariants, and ignore candidates.")] = False
    omit: Annotated[
        list[str] | None,
        typer.Option("--omit", "--omit-infer", help="Make no candidates by these rules.", metavar="RULE,..."),
    ] = None
    rules: Annotated[
        list[str] | None,
        typer.Option(help="Make candidates by these rules only.  [default: all]", metavar="RULE,..."),
    ] = None

    def check(self) -> None:
        """Raise InputError if --only has another word than those that it takes."""
        from synth_kernels.pair.options import ONLY

        if self.only:
            check_known("only", self.only, ONLY)

    def claims(self) -> Claims:
        """Return which annotations count, and what they count as."""
        from synth_kernels.claim_selection import Claims

        return Claims(
            "none" if self.no_annotations else "requires" if self.only_requires else "all",
            self.as_candidates,
            not self.no_infer,
        )


class LoopOptions(NamedTuple):
    """How loops are proved, and what is proved of calls and of the code that LLVM makes."""

    loops: Annotated[
        list[str] | None,
        typer.Option(
            help="Prove loops in these ways only: invariants, over-approximation, normalisation, compensation.  "
            "[default: all]",
            metavar="WAY,...",
        ),
    ] = None
    engine: Annotated[
        str,
        typer.Option(
            help="What refutes candidates: H (Houdini), engines before it such as 'LU(2);H', or beside it such as "
            "portfolio, which is 'DYN||SBASE||H'. All keep the same candidates.",
            metavar="ENGINES",
        ),
    ] = "H"
    show_candidates: Annotated[
        bool,
        typer.Option(
            "--show-candidates", help="Show the candidates: which ones are kept, and when others were refuted."
        ),
    ] = False
    depth: Annotated[
        int,
        typer.Option(
            "--k-induction-depth",
            help="Prove what holds in a loop from N more rounds before, by k-induction.",
            metavar="N",
            min=0,
            max=16,
        ),
    ] = 0
    asymmetric: Annotated[
        bool,
        typer.Option(
            "--asymmetric-asserts",
            help="Check claims about single threads for the first of the two threads only, which is any of them.",
        ),
    ] = False
    modular: Annotated[
        bool,
        typer.Option(
            "--modular",
            "--no-inline",
            help="Do not inline functions: verify each by itself, and use only its contract (__requires, __ensures) at "
            "calls.  [C and C++ only]",
        ),
    ] = False
    optimise: Annotated[
        bool,
        typer.Option(
            "--optimise",
            help="Let LLVM optimise the kernel first, which may delete and merge accesses.  [C and C++ only]",
        ),
    ] = False

    def ways(self) -> tuple[bool, tuple[str, ...]]:
        """Return whether to look for invariants of loops, and the other ways to prove them."""
        from synth_kernels.loop_proofs.attempts import INVARIANTS, WAYS

        chosen = words(self.loops)
        for word in chosen:
            check_known("loops", word, (INVARIANTS, *WAYS))
        return not chosen or INVARIANTS in chosen, tuple(way for way in WAYS if not chosen or way in chosen)


class AccessOptions(NamedTuple):
    """Which accesses are faults, and what is known of memory."""

    no_benign: Annotated[
        bool,
        typer.Option("--no-benign", "--no-benign-tolerance", help="Count two writes of the same value as a race, too."),
    ] = False
    bounds: Annotated[
        bool,
        typer.Option(
            "--array-bounds", "--bounds", "--check-array-bounds", help="Check also that no access is outside its array."
        ),
    ] = False
    state: Annotated[
        str,
        typer.Option(
            help="What is known of the contents of arrays: adversarial (nothing), equality (threads of a group read "
            "the same), or auto (equality where it matters).",
            metavar="WORD",
        ),
    ] = "auto"
    adversarial: Annotated[bool, typer.Option("--adversarial-abstraction", help="The same as --state adversarial.")] = (
        False
    )
    equality: Annotated[bool, typer.Option("--equality-abstraction", help="The same as --state equality.")] = False
    encoding: Annotated[
        str,
        typer.Option(
            help="How the solver looks for races: watched (it chooses one place in memory), or seed (it chooses an "
            "access for each array and kind). Both give the same verdicts.",
            metavar="WORD",
        ),
    ] = "watched"

    def abstraction(self) -> Abstraction:
        """Return what --state says, or one of GPUVerify's options in its place."""
        from synth_kernels.pair.options import ABSTRACTIONS

        check_known("state", self.state, ABSTRACTIONS)
        abstractions: set[Abstraction] = {word for word in ABSTRACTIONS if word == self.state != "auto"}
        if self.adversarial:
            abstractions.add("adversarial")
        if self.equality:
            abstractions.add("equality")
        if len(abstractions) > 1:
            raise InputError("found two words for what is known of arrays, adversarial and equality; give one of them")
        return abstractions.pop() if abstractions else "auto"

    def places(self) -> Encoding:
        """Return how the solver looks for races, as --encoding says."""
        from synth_kernels.pair.options import ENCODINGS

        check_known("encoding", self.encoding, ENCODINGS)
        return next(word for word in ENCODINGS if word == self.encoding)


class LimitOptions(NamedTuple):
    """Which solver proves, and for how long."""

    solver: Annotated[str, typer.Option(help="The solver: z3, bitwuzla or cvc5.", metavar="SOLVER")] = "z3"
    time_limit: TimeLimit = None
    memory: Memory = None

    def seconds_left(self, begun: float) -> Callable[[], float | None]:
        """Return what tells how many seconds are left, or None for any number. The call began at a time `begun`."""
        if self.time_limit is None:
            return lambda: None
        ends = begun + parse_time(self.time_limit)
        return lambda: ends - time.monotonic()

    @property
    def most_bytes(self) -> int:
        """How much memory a process may use, or 0 for any."""
        return 0 if self.memory is None else parse_memory(self.memory)


def pair_options(claims: ClaimOptions, proof: LoopOptions, access: AccessOptions, *, one_barrier: bool) -> Options:
    """Return how two threads are proved to have no fault.

    Raises:
        InputError: an option has another word than those that it takes.
    """
    from synth_kernels.candidates.rules import chosen_rules
    from synth_kernels.pair.options import Options
    from synth_kernels.refutation.engine_names import engines

    infers, ways = proof.ways()
    return Options(
        tolerate_benign=not access.no_benign,
        check_bounds=access.bounds,
        abstraction=access.abstraction(),
        encoding=access.places(),
        only=cast("Only", claims.only),
        unroll=claims.unroll or 0,
        rules=chosen_rules(words(claims.rules), words(claims.omit)) if infers and not claims.no_infer else (),
        ways=ways,
        engine=str(engines(proof.engine)),
        asymmetric=proof.asymmetric,
        depth=proof.depth,
        one_barrier=one_barrier,
    )
