"""The flags of GPUVerify, so that its users move over by changing one word.

A flag with a counterpart becomes that. A flag that can't change a verdict gives a warning. A flag that
changes what a proof says, and has no counterpart, is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.shared.command_class import SynthCommand
from synth.cli.shared.streams import say
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Context

#: Flags as our options have them. `{}` stands for the value of the flag.
_OURS = {
    "--findbugs": "--unroll=2",
    "--loop-unwind": "--unroll={}",
    "--only-divergence": "--only=divergence",
    "--only-intra-group": "--only=intra-group",
    "--timeout": "--time-limit={}",
    "--warp-sync": "--warp={}",
    "--memout": "--memory={}M",
}
#: Flags that change how GPUVerify works and what it prints, but no verdict. Here they do nothing.
_WITHOUT_EFFECT = {
    *("--call-site-analysis", "--debug", "--dynamic-analysis", "--gen-smt2", "--infer-info"),
    *("--infer-config-file", "--keep-temps", "--no-loop-predicate-invariants", "--no-smart-predication"),
    *(
        "--no-source-loc-infer",
        "--no-uniformity-analysis",
        "--parallel-inference",
        "--print-loop-statements",
    ),
    *("--race-instrumenter", "--scheduling", "--show-intercepted", "--silent", "--staged-inference"),
    *("--testsuite", "--time", "--time-as-csv", "--verbose", "--verify"),
}
#: Those of the flags above and below that take a value.
_WITH_VALUE = {
    *("--infer-config-file", "--loop-unwind", "--memout", "--race-instrumenter", "--scheduling"),
    "--timeout",
    "--warp-sync",
}
#: Flags that change what is proven, and what to do instead.
_MISSING = {
    "--atomic": "leave it out: the value that an atomic operation returns is always arbitrary",
    "--boogie-file": "leave it out: synth does not use Boogie",
    "--boogie-opt": "leave it out: synth does not use Boogie",
    "--bugle-opt": "leave it out: synth does not use Bugle",
    "--clang-opt": "use -D and -I for definitions and folders",
    "--cruncher-opt": "leave it out: synth does not use Boogie",
    "--math-int": "leave it out: numbers are bit-vectors",
    "--no-barrier-access-checks": "leave it out",
    "--no-constant-write-checks": "leave it out: writes to constant memory are always reported",
    "--no-refined-atomics": "leave it out: the value that an atomic operation returns is always arbitrary",
    "--only-log": "leave it out: both threads are always followed",
    "--opt-level": "use --optimise, which lets LLVM delete and merge accesses",
    "--stop-at-bc": "leave it out",
    "--stop-at-bpl": "leave it out",
    "--stop-at-cbpl": "leave it out",
    "--stop-at-gbpl": "leave it out",
    "--stop-at-opt": "leave it out",
    "--vcgen-opt": "leave it out: synth does not use Boogie",
}


def translate_flags(words: list[str]) -> Iterator[str]:
    """Yield words of a command line, with flags of GPUVerify as our options have them.

    Raises:
        InputError: a flag is missing here.
    """
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield word
            yield from rest
            return
        flag, equals, value = word.partition("=")
        if flag in _WITH_VALUE and not equals:
            value = next(rest, "")
        if flag in _MISSING:
            raise InputError(f"found {flag}, which synth does not have yet; {_MISSING[flag]}")
        if flag in _WITHOUT_EFFECT or word == "--solver=cvc4":
            say(f"{flag} is ignored: it can't change a verdict")
        else:
            yield _OURS[flag].format(value) if flag in _OURS else word


class CommandWithFlags(SynthCommand):
    """A command that also takes the flags of GPUVerify."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the words of the command line."""
        return super().parse_args(ctx, list(translate_flags(args)))
