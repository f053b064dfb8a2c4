"""The commands outside groups as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_backends.emission import EmissionSummary
from synth_campaigns.answers.status import CampaignStatus
from synth_checker.programs.program import Program
from synth_corpus.manifest import ManifestFields
from synth_kernels.verification.answer import VerifiedKernel
from synth_litmus.explanation.answer import ExplainAnswer
from synth_litmus.facts.program_facts import CheckAnswer
from synth_litmus.facts.program_facts import ShowAnswer
from synth_litmus.facts.shrink_facts import ShrinkAnswer
from synth_search.completeness.answer import Completeness
from synth_search.crosscheck.answer import Crosscheck
from synth_search.directed.answer import DirectionAnswer
from synth_search.directed.answer import FindAnswer
from synth_search.enumeration.answer import CountAnswer
from synth_search.lattice.answer import LatticeAnswer
from synth_search.suites.answer import Suite

def enumerate(
    sizes: str | Iterable[str] | None = None,
    *,
    bounds: str | Iterable[str] | None = None,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    model: str | Iterable[str] | None = None,
    minimal: bool = False,
    unique_behaviour: bool = False,
    up_to: str | Iterable[str] | None = None,
    engine: str = 'auto',
    solver: str | None = None,
    jobs: int | None = None,
    out: str | None = None,
    count_only: bool = False,
    expect: int | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    force: bool = False,
) -> ManifestFields | CountAnswer:
    """Enumerate all progress litmus tests of a size, with their verdicts, and save them as a corpus."""

def check(
    source: str | PathLike[str] | Program,
    *,
    model: str | Iterable[str] | None = None,
    expect: str | None = None,
    certify: bool = False,
    corpus: str | None = None,
) -> builtins.list[CheckAnswer]:
    """Print the verdicts of programs, their normal forms, and the rules that they break."""

def show(
    source: str | PathLike[str] | Program,
    *,
    corpus: str | None = None,
) -> ShowAnswer:
    """Show one program: its name, its text, the kind of each instruction, its idioms, the rules, and its verdicts."""

def explain(
    source: str | PathLike[str] | Program,
    *,
    model: str,
    svg: str | PathLike[str] | None = None,
    force: bool = False,
    corpus: str | None = None,
) -> builtins.list[ExplainAnswer]:
    """Explain a verdict: show step by step how a program may hang, or say why it always ends."""

def lts(
    source: str | PathLike[str] | Program,
    *,
    model: str | None = None,
    format: str | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
    corpus: str | None = None,
) -> object:
    """Write the states that a program reaches and the steps between them, alone or together with a model."""

def shrink(
    source: str | PathLike[str] | Program,
    *,
    keep: str | Iterable[str] | Mapping[str, object] | None = None,
    model: str | Iterable[str] | None = None,
    without: str | Iterable[str] | None = None,
    corpus: str | None = None,
) -> ShrinkAnswer:
    """Reduce a program to the minimal tests among its sub-programs that have its verdicts, and show each step."""

def find(
    sizes: str | Iterable[str] | None = None,
    *,
    pass_: str | Iterable[str] | None = None,
    fail: str | Iterable[str] | None = None,
    bounds: str | Iterable[str] | None = None,
    first: bool = True,
    least: bool = False,
    contains: str | Iterable[str] | None = None,
    uses: int | None = None,
    no_exchange_branches: bool = False,
    silent_thread: bool = False,
    thread_symmetric: bool = False,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    engine: str = 'auto',
    jobs: int | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> FindAnswer:
    """Find tests that pass some verdicts and fail others, in growing bounds, the smallest first."""

def separate(
    first: str,
    second: str,
    *,
    bounds: str | Iterable[str] = ['2x2..3x4'],
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    threads: int = 5,
    jobs: int | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
) -> builtins.list[DirectionAnswer]:
    """Find the smallest test that passes A and fails B, and the smallest test that passes B and fails A."""

def suite(
    *,
    model: str | Iterable[str] | None = None,
    size: int | None = None,
    redundancy: int = 1,
    cover: str | Iterable[str] | None = None,
    from_: str | Iterable[str] | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> builtins.list[Suite]:
    """Choose a smallest conformance suite for a verdict, and say why each test is in it."""

def emit(
    tests: str | Iterable[str],
    *,
    target: str | Iterable[str],
    out: str | PathLike[str],
    mapping: str | None = None,
    instances: int | None = None,
    stress: str = '0',
    per_file: int | None = None,
    width: int = 1,
    stress_shape: str = 'add',
    model: str | Iterable[str] | None = None,
    force: bool = False,
    corpus: str | None = None,
) -> EmissionSummary:
    """Write tests in normal form as programs for one or more targets, with everything that builds and runs them."""

def explore(
    folders: str | Iterable[str],
    *,
    out: str | PathLike[str] | None = None,
    serve: bool = False,
    force: bool = False,
) -> str | None:
    """Write one HTML file that shows the tests of corpora, and what campaigns found, in a browser."""

def certify(
    source: str | None = None,
    *,
    bounds: str | Iterable[str] | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> Completeness:
    """Prove that a list has all tests of a question and nothing else. To check the proof, call synth audit."""

def audit(
    certificate: str | PathLike[str],
    *,
    checker: str = 'native',
) -> Completeness:
    """Check a certificate without trusting who made it, and print what it proves and what you must still trust."""

def crosscheck(
    sizes: str | Iterable[str] | None = None,
    *,
    bounds: str | Iterable[str] | None = None,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    model: str | Iterable[str] | None = None,
    engine: str | Iterable[str] | None = None,
    all_verdicts: bool = False,
    jobs: int | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
) -> Crosscheck:
    """Compare the tests that different engines find, and the verdicts of the C++ core with those of its Python twin."""

def lattice(
    sizes: str | Iterable[str] | None = None,
    *,
    bounds: str | Iterable[str] | None = None,
    model: str | Iterable[str] | None = None,
    locations: int = 2,
    values: int = 2,
    without: str | Iterable[str] | None = None,
    threads: int = 5,
    format: str | None = None,
    jobs: int | None = None,
    memory: str | int | None = None,
    time_limit: str | float | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> LatticeAnswer:
    """Order verdicts by what they guarantee, with a proof for each pair: inclusion of fair sets, or the smallest test."""

def verify(
    source: str | PathLike[str] | None = None,
    *,
    kernel: str | Iterable[str] | None = None,
    local_size: str | int | Sequence[int] | None = None,
    num_groups: str | int | Sequence[int] | None = None,
    global_size: str | int | Sequence[int] | None = None,
    global_offset: str | int | Sequence[int] | None = None,
    warp: int | None = None,
    waits_fence: bool = False,
    barrier_sites: str = 'same',
    from_launch: str | PathLike[str] | None = None,
    define: str | Iterable[str] | Mapping[str, object] | None = None,
    include: str | Iterable[str] | None = None,
    standard: str = '',
    instantiate: str | Iterable[str] | None = None,
    compiled_by: str = '',
    pointer_bits: int | None = None,
    overflow: str = 'wrap',
    args: str | Iterable[str] | None = None,
    arrays: str | Iterable[str] | None = None,
    unroll: int | None = None,
    only: str = '',
    no_annotations: bool = False,
    only_requires: bool = False,
    invariants_as_candidates: bool = False,
    no_infer: bool = False,
    omit: str | Iterable[str] | None = None,
    rules: str | Iterable[str] | None = None,
    loops: str | Iterable[str] | None = None,
    engine: str = 'H',
    show_candidates: bool = False,
    k_induction_depth: int = 0,
    asymmetric_asserts: bool = False,
    modular: bool = False,
    optimise: bool = False,
    no_benign: bool = False,
    array_bounds: bool = False,
    state: str = 'auto',
    adversarial_abstraction: bool = False,
    equality_abstraction: bool = False,
    encoding: str = 'watched',
    solver: str = 'z3',
    time_limit: str | float | None = None,
    memory: str | int | None = None,
    format: str = 'text',
    out: str | PathLike[str] | None = None,
    force: bool = False,
    sarif: str | PathLike[str] | None = None,
    cache: str | PathLike[str] | None = None,
    measure: bool = False,
    banks: str = '',
    intervals: bool = False,
    equals: str = '',
    assert_: bool = False,
    float: str = '',
    assume_least: bool = False,
) -> builtins.list[VerifiedKernel]:
    """Prove that kernels have no data race and no divergent barrier, or show two threads that have one."""

def probe(
    *,
    device: str | None = None,
    launches: int = 20,
    out: str | PathLike[str] | None = None,
    time_limit: str | float | None = None,
    yes: bool = False,
) -> CampaignStatus:
    """Say what a device is seen to do: check it, run the most telling tests, and answer on one screen."""

def report(
    folders: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    format: str = 'html',
    model: str | Iterable[str] | None = None,
    patterns: bool = False,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> str | None:
    """Write a report about devices: what was claimed, on which evidence, and what was not tested."""

def plot(
    name: str,
    folders: str | Iterable[str],
    *,
    aliases: bool = False,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> str | None:
    """Draw a figure of corpora, campaigns or jobs as SVG."""
