"""What `synth verify` tells: the answers about a file or a folder as they come, a table at the end, and documents."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import put_text
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.streams import advise, say
from synth_checker.errors import InputError
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth.cli.verify_parts.output_options import OutputOptions
    from synth_kernels.verification import VerificationRequest, Verified
    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.folder import KernelOutcome


def verify_and_print(
    source_given: Path | None,
    request: VerificationRequest,
    output: OutputOptions,
    *,
    with_candidates: bool,
    launches: Path | None,
    reading: Sequence[str] = (),
) -> int:
    """Verify a file, a folder or the launches of a file, tell the answers, and return the exit code.

    `reading` has the options by which files are read, as words of the command line.

    Raises:
        InputError: there is nothing to verify, or sizes beside those of launches.
    """
    from synth_kernels.verification import exit_code
    from synth_kernels.views.folder import folder_lines
    from synth_kernels.views.next_steps import next_lines

    if (source := source_given or launches) is None:
        raise InputError("expected a file or a folder of kernels, such as scan.cl, or --from-launch FILE")
    outcomes: list[KernelOutcome] = []
    if launches is None:
        answers = _answers(source, request, output.cache)
    else:
        answers = _recorded(source_given, request, launches, output.cache)
    for answer in answers:
        outcomes.append(answer)
        if output.prints:
            _print(answer, output, brief=source.is_dir(), with_candidates=with_candidates)
        elif answer.verified is None:
            say(answer.fault)
    if output.sarif is not None:
        put_text(_sarif(outcomes), output.sarif, force=output.force)
    if not output.prints:
        each = [answered.verified for answered in outcomes if answered.verified is not None]
        put_text(_written(source, each, output.form, with_candidates=with_candidates), output.out, force=output.force)
    elif source.is_dir() and not output.as_json:
        print_lines(folder_lines(outcomes))
    elif launches is None and not output.as_json:
        advise(next_lines(source, outcomes, reading))
    return exit_code([verified.verdict for verified in outcomes])


def _answers(source: Path, request: VerificationRequest, cache: Path | None) -> Iterator[KernelOutcome]:
    """Yield what comes of each kernel. A bar shows how many kernels of a file, or files of a folder, are done."""
    from synth_kernels.verification import verify_file
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.folder import KernelOutcome, kernel_files, verify_files

    kept_answers = None if cache is None else Cache(cache, request["solver"])
    if not source.is_dir():
        with progress_bar("synth verify", "kernel") as show:
            for verified in verify_file(
                source,
                **request,
                cache=kept_answers,
                begun=lambda done, kernels, name: show(done, kernels, running=name),
            ):
                show.clear()
                yield KernelOutcome(source, 0.0, verified)
        return
    paths = kernel_files(source)
    with progress_bar("synth verify", "file") as show:
        for outcome in verify_files(paths, request, kept_answers):
            show(paths.index(outcome.path), len(paths), running=outcome.path.name)
            show.clear()
            yield outcome
        show(len(paths), len(paths))


def _recorded(
    source: Path | None, request: VerificationRequest, launches: Path, cache: Path | None
) -> Iterator[KernelOutcome]:
    """Yield what comes of each launch. Their sizes and values count, but one without a local size may get one."""
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.folder import KernelOutcome
    from synth_kernels.verification.recorded_launches import verify_recorded

    kept_answers = None if cache is None else Cache(cache, request["solver"])
    yield from (
        KernelOutcome(verified.path, 0.0, verified)
        for verified in verify_recorded(launches, source, kept_answers, **request)
    )


def _print(outcome: KernelOutcome, output: OutputOptions, *, brief: bool, with_candidates: bool) -> None:
    """Print the answer about a kernel. Of a folder, only those with something to tell are printed."""
    from synth_kernels.verification.answer import answer_of

    if outcome.verified is None:
        say(outcome.fault)
    elif output.as_json or not brief or with_candidates or outcome.verdict != "verified":
        answer = answer_of(outcome.verified, with_candidates=with_candidates)
        if output.as_json:
            print_json(answer)
        else:
            print_lines([*_lines(answer, with_candidates=with_candidates), *[""] * brief])


def _lines(answer: VerifiedKernel, *, with_candidates: bool) -> Iterator[str]:
    from synth_kernels.views.candidates import candidate_lines
    from synth_kernels.views.kernel import kernel_lines

    yield from kernel_lines(answer)
    if with_candidates:
        yield from candidate_lines(answer)


def _written(source: Path, verified_kernels: list[Verified], form: str, *, with_candidates: bool) -> str:
    from synth_documents.html import html_of
    from synth_documents.markdown import markdown_of
    from synth_kernels.verification.answer import answer_of
    from synth_kernels.views.document import kernel_document

    answers = [answer_of(verified, with_candidates=with_candidates) for verified in verified_kernels]
    if form == "text":
        return "".join(
            f"{shown(line)}\n" for answer in answers for line in _lines(answer, with_candidates=with_candidates)
        )
    document = kernel_document(source, answers, with_candidates=with_candidates)
    return html_of(document) if form == "html" else markdown_of(document, {})


def _sarif(outcomes: Sequence[KernelOutcome]) -> str:
    from importlib.metadata import version

    from synth_kernels.views.sarif import sarif_of

    return json.dumps(sarif_of(outcomes, version("progress-synth")), indent=2) + "\n"
