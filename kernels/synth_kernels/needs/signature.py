"""From a kernel to litmus tests, and to what a campaign says about the promises that the kernel needs.

The *signature* of a kernel is the list of its verdicts: it passes those that all its launches pass. A litmus test with
the same signature ends under the same promises as the kernel, and may hang under the same ones. So such a test asks a
device what the kernel asks, in a few instructions. Only minimal tests are named, because the others show nothing more
(definitions, section 6).

A campaign makes a claim about each verdict of a device (`synth_campaigns.claims`). Each of the least fair verdicts that
a kernel passes is enough for it. So a device violates what the kernel needs only if it violates all of these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.id_layout import thread_and_instruction_count
from synth_checker.programs.ids import Ids
from synth_checker.question import Bound, Question
from synth_checker.reductions.shrink import size_of
from synth_checker.wanted import Wanted
from synth_corpus.shipped import NAMES
from synth_corpus.store import CORPUS, write_corpus
from synth_litmus.inputs.named_tests import ids_in
from synth_storage.folders import check_place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_kernels.needs import Needs

#: The corpora of minimal tests that ship.
MINIMAL = tuple(name for name in NAMES if name.startswith("@minimal/"))


def tests_like(needs: Needs) -> list[str]:
    """Return the ids of the minimal litmus tests that have the signature of a kernel, the smallest first.

    If the signature is unknown, there are none.
    """
    if needs.is_open:
        return []
    wanted = Wanted(needs.passed, needs.failed, models=needs.query.known_models)
    return sorted(wanted.among(sorted({id_ for name in MINIMAL for id_ in ids_in(name)})), key=size_of)


def check_suite_place(out: Path) -> None:
    """Check that `write_suite` can write into a folder; call it before a long run.

    Raises:
        InputError: the folder can't be used.
    """
    check_place(out, CORPUS)


def write_suite(ids: Sequence[str], kernel: str, out: Path) -> None:
    """Write litmus tests as a corpus, which `synth campaign run` takes. `kernel` is the kernel with their signature.

    Raises:
        InputError: there is no test, or the folder can't be used.
        ResourceError: writing failed.
    """
    from synth_corpus.test_sets import SetOfTests, manifest_of

    if not ids:
        why = f"no minimal litmus test that ships is known to have the verdicts of {kernel}"
        raise InputError(f"{out}: found nothing to write, because {why}")
    bounds = tuple(Bound(*thread_and_instruction_count(id_)) for id_ in ids)
    tests = SetOfTests(question=Question(bounds, minimal=True), ids=Ids(ids))
    counted = manifest_of(tests.question, len(tests), tests.splits(), tests.signatures(), complete=False)
    write_corpus(out, tests.records(), replace(counted, run={"chosen": f"tests with the verdicts of {kernel}"}))
