"""Options of `synth verify` that leave another one without effect: they can't stand together.

Where an option asks for what happens anyway, such as `--no-infer` beside `--unroll`, both may stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer import Context

    from synth.cli.verify_parts.question_options import QuestionOptions


class _Exclusion(NamedTuple):
    """What is said on the command line, the options that it leaves without effect, and why."""

    option: str
    idle: tuple[str, ...]
    because: str


_TYPED = "a file of typed programs"
_UNROLLED = ("--loops", "--k-induction-depth", "--engine", "--rules", "--show-candidates", "--invariants-as-candidates")
_MEASURED = (
    "--unroll",
    "--loops",
    "--k-induction-depth",
    "--engine",
    "--only",
    "--show-candidates",
    "--sarif",
    "--cache",
)
_READ = ("--optimise", "--define", "--include", "--standard", "--modular")
_ROWS = (
    _Exclusion("--unroll", _UNROLLED, "unrolled loops are not proved, and need no invariants"),
    _Exclusion("--no-infer", ("--rules", "--engine", "--show-candidates"), "there are no candidates"),
    _Exclusion("--loops without invariants", ("--rules",), "rules only make invariants"),
    _Exclusion("--no-annotations", ("--only-requires", "--invariants-as-candidates"), "no annotation is left"),
    _Exclusion("--only-requires", ("--invariants-as-candidates",), "no invariant is left"),
    _Exclusion("--only divergence", ("--array-bounds", "--no-benign", "--encoding"), "no access is checked"),
    _Exclusion("--measure", _MEASURED, "all rules and engines are measured, each in the same way"),
    _Exclusion(
        "--banks",
        ("--loops", "--engine", "--array-bounds", "--no-benign", "--encoding"),
        "banks do not depend on it",
    ),
    _Exclusion(
        "--assume-least without --equals",
        ("--loops", "--engine"),
        "loops are proved by invariants, and Houdini looks for them",
    ),
    _Exclusion("--from-launch", ("--global-offset",), "each launch in the file has an offset of its own"),
    _Exclusion(_TYPED, _READ, "nothing compiles a typed program"),
)
#: What the inlining of functions needs, and --modular does without.
_INLINED = (
    *(
        "--unroll",
        "--array-bounds",
        "--warp",
        "--k-induction-depth",
        "--engine",
        "--encoding seed",
        "--loops",
        "--optimise",
    ),
    *("--from-launch", "--cache", "--measure"),
)
#: What belongs to the verification of kernels, and to no other question; and those of them that do if it is not only
#: asked which barriers a kernel needs.
_OF_PROOFS = (
    *("--warp", "--waits-fence", "--k-induction-depth", "--asymmetric-asserts", "--only", "--sarif", "--cache"),
    *("--show-candidates", "--measure", "--unroll"),
)
_WITH_BARRIERS = {"--asymmetric-asserts", "--unroll"}


def check_together(ctx: Context) -> None:
    """Check the options of a call.

    Raises:
        InputError: an option would have no effect beside another one.
    """
    options = set(_changed_options(ctx))
    for row in _ROWS:
        for idle in row.idle:
            if row.option in options and idle in options:
                raise InputError(
                    f"found {idle} beside {row.option}, where it has no effect: {row.because}; leave it out"
                )


def check_beside_modular(ctx: Context, questions: QuestionOptions) -> None:
    """Refuse options that do not go with --modular.

    Raises:
        InputError: one of them is there.
    """
    options = set(_changed_options(ctx))
    refused = [option for option in _INLINED if option in options]
    for name in [*refused, *["a question such as --banks"] * questions.any()]:
        raise InputError(f"found --modular and {name}, expected one of them; without --modular, functions are inlined")


def check_beside_question(ctx: Context, questions: QuestionOptions) -> None:
    """Refuse options that no question takes.

    Raises:
        InputError: one of them is there.
    """
    options = set(_changed_options(ctx))
    for name in _OF_PROOFS:
        if name in options and not (questions.is_of_barriers and name in _WITH_BARRIERS):
            raise InputError(f"{name} belongs to the verification of kernels; leave it out to ask another question")


def _changed_options(ctx: Context) -> Iterator[str]:
    """Yield the options that have another value than by default."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if value and value != param.default:
            yield param.opts[0]
            yield f"{param.opts[0]} {value}"
    if (loops := ctx.params["loops"]) and "invariants" not in ",".join(loops).split(","):
        yield "--loops without invariants"
    if ctx.params["assumes"] and not ctx.params["equals"]:
        yield "--assume-least without --equals"
    if getattr(ctx.params["source"], "suffix", "") == ".kernel":
        yield _TYPED
