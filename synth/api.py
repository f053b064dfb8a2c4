"""The functions of the Python interface that accept more kinds of arguments than the functions they call."""

from __future__ import annotations

import time
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import check_number, check_type, list_of_texts
from synth_checker.nearest import check_known
from synth_litmus.facts.check import Check, check_programs
from synth_litmus.inputs.models import given_verdicts, split_words
from synth_litmus.inputs.questions import Given, program_given, programs_given
from synth_search.enumeration.runs import Enumeration
from synth_search.enumeration.saved import corpus_at
from synth_search.enumeration.saved import save as save_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_analysis.answers.analysis import Analysis
    from synth_corpus.manifest import Manifest
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Abstraction, Only
    from synth_kernels.verification import Verified
    from synth_litmus.explanation import Explanation


def check(program: Given, models: str | Iterable[str] | None = None) -> Check:
    """Return the normal form of a program, the rules that it breaks, and its verdicts.

    `program` is a `Program`, its text, its id or name, or the path of a file that holds it. The rules and verdicts are
    those of the program as you give it. The field `normal_form` of the result has those of its normal form.

    `models` names models or verdicts. The name of a model stands for both of its forms, weak and strong. Models of your
    own are written as in `question`. With None you get all eleven verdicts.

    Raises:
        InputError: the program or a name can't be read.
        LimitError: the program is too large to decide.
    """
    return check_all([program_given(program)], models)[0]


def check_all(programs: Given | Iterable[Given], models: str | Iterable[str] | None = None) -> list[Check]:
    """Check many programs as `check` does; one call is much faster than a call for each program.

    A single file or corpus stands for all programs in it. The results come in the order of the programs.

    Raises:
        InputError: a program or a name can't be read.
        LimitError: a program is too large to decide.
    """
    judged, forms = (None, None) if models is None else given_verdicts(split_words(list_of_texts("models", models)))
    return check_programs(programs_given(programs), forms, judged)


def explain(program: Given, verdict: str) -> Explanation:
    """Return an explanation of why a program passes or fails one verdict, such as `"OBE.weak"`.

    The explanation holds a certificate, which proves the verdict, and sentences that say what the certificate shows.
    `program` is given as in `check`. For a model of your own, write the verdict as `"NAME.weak = EXPRESSION"`,
    `"(EXPRESSION).weak"` or `"FILE:NAME.weak"`.

    Raises:
        InputError: the program can't be read, or there is no such verdict.
        LimitError: the program is too large to decide or to certify.
    """
    from synth_litmus.explanation import explain as explain_program

    return explain_program(program_given(program), verdict)


def analyse(
    campaigns: PathLike[str] | str | Iterable[PathLike[str] | str], models: str | Iterable[str] | None = None
) -> Analysis:
    """Return what the launches of one or more campaigns say about each device.

    `campaigns` has the folder of a campaign, or several folders. `models` names models as in `check`. With None you get
    the models of the paper.

    Raises:
        InputError: a folder holds no campaign, two folders hold the same one, or a word names no model.
        ResourceError: reading the results failed.
    """
    import os

    from synth_analysis.answers.analysis import analysis_of

    paths = [campaigns] if isinstance(campaigns, (str, os.PathLike)) else campaigns
    folders = [as_path("campaigns", folder) for folder in paths]
    return analysis_of(folders, [] if models is None else split_words(list_of_texts("models", models)))


def save(enumeration: Enumeration, folder: PathLike[str] | str, *, force: bool = False) -> Manifest:
    """Write the tests of an enumeration into a folder as a corpus, and return the manifest of that corpus.

    With `force`, the new corpus replaces any corpus in the folder.

    Raises:
        InputError: the folder holds something other than a corpus that answers the same question, or with `force`
            something that is no corpus.
        ResourceError: writing failed.
    """
    check_type("enumeration", enumeration, Enumeration, "a result of synth.enumerate_tests")
    place = as_path("folder", folder)
    corpus_at(place, enumeration.question, force=force)
    return save_corpus(enumeration, place)


def as_path(what: str, path: PathLike[str] | str) -> Path:
    """Return a path-like argument as a `Path`.

    `what` names the argument in the error message.

    Raises:
        InputError: the argument is neither a string nor a path.
    """
    import os

    check_type(what, path, (str, os.PathLike), "a path")
    return Path(path)


def verify(  # noqa: PLR0913
    source: str | PathLike[str],
    launch: Launch | None = None,
    *,
    kernel: str | Iterable[str] = (),
    define: str | Iterable[str] = (),
    include: str | Iterable[str] = (),
    standard: str = "",
    instantiate: str | Iterable[str] = (),
    no_benign: bool = False,
    bounds: bool = False,
    state: Abstraction = "auto",
    only: Only = "",
    unroll: int = 0,
    no_infer: bool = False,
    time_limit: float | None = None,
) -> list[Verified]:
    """Verify the GPU kernels of a file: no data race, and no barrier that only some threads reach.

    `source` is the path of a file in OpenCL C, CUDA or HIP, or of typed programs. `launch` has the sizes. None stands
    for launches of all sizes in one dimension. The other arguments mean what the options of `synth verify` mean.
    `time_limit` is in seconds, for all kernels together. The results come in the order of the file.

    Raises:
        InputError: the file or an argument is wrong.
        UserError: the time limit was reached before the kernels were read.
        ResourceError: the file needs packages of the extra `kernels`, which are not installed.
    """
    from synth_kernels.candidates.rules import ALL
    from synth_kernels.kernel_file import SourceOptions
    from synth_kernels.launch import Launch as LaunchClass
    from synth_kernels.launch_sizes import Sizing
    from synth_kernels.pair.options import ABSTRACTIONS, ONLY, Options
    from synth_kernels.verification import verify_file

    check_type("source", source, (str, PathLike), "the path of a file")
    check_type("launch", launch, (LaunchClass, type(None)), "a Launch, or None for all sizes")
    for what, word, words in (("state", state, ABSTRACTIONS), ("only", only, ("", *ONLY))):
        check_known(what, word, words)
    check_number("unroll", unroll, 0)
    sizing = Sizing()
    if launch is not None:
        local, groups = (None if sizes == (None,) else sizes for sizes in (launch.local, launch.groups))
        sizing = Sizing(
            local,
            groups,
            offset=launch.offset,
            fixed=dict(launch.scalars),
            warp=launch.warp,
            waits_fence=launch.waits_fence,
        )
    how = SourceOptions(
        tuple(list_of_texts("define", define)),
        tuple(list_of_texts("include", include)),
        standard,
        tuple(list_of_texts("instantiate", instantiate)),
    )
    options = Options(not no_benign, bounds, state, only=only, unroll=unroll, rules=() if no_infer else ALL)
    ends = None if time_limit is None else time.monotonic() + time_limit
    return list(
        verify_file(
            Path(source),
            sizing,
            names=split_words(list_of_texts("kernel", kernel)),
            how=how,
            options=options,
            seconds_left=lambda: None if ends is None else ends - time.monotonic(),
        )
    )
