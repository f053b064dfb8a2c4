"""What `synth verify` tells: the answers about a file or a folder as they come, a table at the end, and documents."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import put_text
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.streams import say
from synth_checker.errors import InputError
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.verification import VerificationRequest, Verified
    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.folder import KernelOutcome


@dataclass(frozen=True, slots=True)
class VerifyOutput:
    """How to tell the answers, as the options of `synth verify` say.

    `cache` is the folder that keeps answers. `launches` is a file of launches to verify.
    """

    form: str
    out: Path | None
    force: bool
    as_json: bool
    with_candidates: bool
    sarif: Path | None
    cache: Path | None
    launches: Path | None = None

    @property
    def prints(self) -> bool:
        """Whether answers appear as they come."""
        return self.form == "text" and self.out is None


def verify_and_print(source_given: Path | None, request: VerificationRequest, output: VerifyOutput) -> int:
    """Verify a file, a folder or launches, tell the answers, and return the exit code.

    Raises:
        InputError: there is nothing to verify, or sizes beside those of launches.
    """
    from synth_kernels.verification import exit_code
    from synth_kernels.views.folder import folder_lines

    if (source := source_given or output.launches) is None:
        msg = "expected a file or a folder of kernels, such as scan.cl, or --from-launch FILE"
        raise InputError(msg)
    outcomes: list[KernelOutcome] = []
    if output.launches is None:
        answers = _answers(source, request, output.cache)
    else:
        answers = _recorded(source_given, request, output.launches, output.cache)
    for answer in answers:
        outcomes.append(answer)
        if output.prints:
            _print(answer, output, brief=source.is_dir())
        elif answer.verified is None:
            say(answer.fault)
    if output.sarif is not None:
        put_text(_sarif(outcomes), output.sarif, force=output.force)
    if not output.prints:
        each = [answered.verified for answered in outcomes if answered.verified is not None]
        put_text(_written(source, each, output), output.out, force=output.force)
    elif source.is_dir() and not output.as_json:
        print_lines(folder_lines(outcomes))
    return exit_code([verified.verdict for verified in outcomes])


def _answers(source: Path, request: VerificationRequest, cache: Path | None) -> Iterator[KernelOutcome]:
    """Yield what comes of each kernel. With a folder, a bar shows how many files are done."""
    from synth_kernels.verification import verify_file
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.folder import KernelOutcome, kernel_files, verify_files

    kept_answers = None if cache is None else Cache(cache, request["solver"])
    if not source.is_dir():
        yield from (
            KernelOutcome(source, 0.0, verified) for verified in verify_file(source, **request, cache=kept_answers)
        )
        return
    paths = kernel_files(source)
    with progress_bar("synth verify", "file") as show:
        for outcome in verify_files(paths, request, kept_answers):
            show(paths.index(outcome.path), len(paths), 0, outcome.path.name)
            yield outcome
        show(len(paths), len(paths), 0)


def _recorded(
    source: Path | None, request: VerificationRequest, launches: Path, cache: Path | None
) -> Iterator[KernelOutcome]:
    """Yield what comes of each launch. Their sizes and values count, but one without a local size may get one."""
    from synth_kernels.verification.cache import Cache
    from synth_kernels.verification.folder import KernelOutcome
    from synth_kernels.verification.recorded import verify_recorded

    kept_answers = None if cache is None else Cache(cache, request["solver"])
    yield from (
        KernelOutcome(verified.path, 0.0, verified)
        for verified in verify_recorded(launches, source, kept_answers, **request)
    )


def _print(outcome: KernelOutcome, output: VerifyOutput, *, brief: bool) -> None:
    """Print the answer about a kernel. Of a folder, only those with something to tell are printed."""
    from synth_kernels.verification.answer import answer_of

    if outcome.verified is None:
        say(outcome.fault)
    elif output.as_json or not brief or output.with_candidates or outcome.verdict != "verified":
        answer = answer_of(outcome.verified, with_candidates=output.with_candidates)
        if output.as_json:
            print_json(answer)
        else:
            print_lines([*_lines(answer, with_candidates=output.with_candidates), *[""] * brief])


def _lines(answer: VerifiedKernel, *, with_candidates: bool) -> Iterator[str]:
    from synth_kernels.views.candidates import candidate_lines
    from synth_kernels.views.kernel import kernel_lines

    yield from kernel_lines(answer)
    if with_candidates:
        yield from candidate_lines(answer)


def _written(source: Path, verified_kernels: list[Verified], output: VerifyOutput) -> str:
    from synth_documents.html import html_of
    from synth_documents.markdown import markdown_of
    from synth_kernels.verification.answer import answer_of
    from synth_kernels.views.document import kernel_document

    answers = [answer_of(verified, with_candidates=output.with_candidates) for verified in verified_kernels]
    if output.form == "text":
        return "".join(
            f"{shown(line)}\n" for answer in answers for line in _lines(answer, with_candidates=output.with_candidates)
        )
    document = kernel_document(source, answers, with_candidates=output.with_candidates)
    return html_of(document) if output.form == "html" else markdown_of(document, {})


def _sarif(outcomes: Sequence[KernelOutcome]) -> str:
    from importlib.metadata import version

    from synth_kernels.views.sarif import sarif_of

    return json.dumps(sarif_of(outcomes, version("progress-synth")), indent=2) + "\n"
