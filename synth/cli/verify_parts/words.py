"""The words that options of `synth verify` take, and what they mean to the package that verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.shared.question_options import check_word
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_kernels.pair.options import Abstraction, Encoding


def loop_proof_options(chosen: Sequence[str]) -> tuple[bool, tuple[str, ...]]:
    """Return whether to look for invariants of loops, and the other ways to prove them."""
    from synth_kernels.loop_proofs.attempts import INVARIANTS, WAYS

    for word in chosen:
        check_word("loops", word, (INVARIANTS, *WAYS))
    return not chosen or INVARIANTS in chosen, tuple(way for way in WAYS if not chosen or way in chosen)


def encoding_of(word: str) -> Encoding:
    """Return what --encoding says."""
    from synth_kernels.pair.options import ENCODINGS

    check_word("encoding", word, ENCODINGS)
    return next(encoding for encoding in ENCODINGS if encoding == word)


def abstraction_of(state: str, adversarial: bool, equality: bool) -> Abstraction:
    """Return what --state says, or one of GPUVerify's options in its place."""
    from synth_kernels.pair.options import ABSTRACTIONS

    check_word("state", state, ABSTRACTIONS)
    abstractions: set[Abstraction] = {abstraction for abstraction in ABSTRACTIONS if abstraction == state != "auto"}
    if adversarial:
        abstractions.add("adversarial")
    if equality:
        abstractions.add("equality")
    if len(abstractions) > 1:
        raise InputError("found two words for what is known of arrays, adversarial and equality; give one of them")
    return abstractions.pop() if abstractions else "auto"


def refuse_beside_modular(others: Mapping[str, object]) -> None:
    """Refuse options that do not go with --modular.

    Raises:
        InputError: one of them is there.
    """
    for name, value in others.items():
        if value:
            raise InputError(
                f"found --modular and {name}, expected one of them; without --modular, functions are inlined"
            )
