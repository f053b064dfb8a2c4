"""The commands below `synth machine` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_machines.answers.answer import ComponentSummary
from synth_machines.answers.answer import DecidedObligation
from synth_machines.answers.answer import StatedObligation
from synth_machines.answers.comparison import ComponentComparison
from synth_machines.answers.gpu_times import KernelTimes
from synth_machines.answers.guarantees import Guarantees
from synth_machines.answers.traces import ReplayAnswer
from synth_machines.answers.traces import TraceFields

def show(
    source: str | PathLike[str],
    *,
    component: str | None = None,
    style: str = 'camille',
) -> str | None:
    """Print contexts and machines as text, with symbols of Unicode and one line for each part."""

def validate(
    source: str | PathLike[str],
    *,
    component: str | None = None,
) -> builtins.list[ComponentSummary]:
    """Check that components refer to what is there, and that all formulas are well typed."""

def obligations(
    source: str | PathLike[str],
    *,
    component: str | None = None,
    as_: str = 'definition',
) -> builtins.list[StatedObligation]:
    """Print all proof obligations, with the names that Rodin gives."""

def prove(
    source: str | PathLike[str],
    *,
    component: str | None = None,
    obligation: str | None = None,
    seconds: float = 20.0,
    confirm: bool = False,
    proofs: str | PathLike[str] | None = None,
    steps: int = 12,
    jobs: int | None = None,
    time_limit: str | float | None = None,
) -> builtins.list[DecidedObligation]:
    """Prove each obligation for all values, or refute it with a state."""

def animate(
    source: str | PathLike[str],
    *,
    component: str | None = None,
    set: str | Iterable[str] | Mapping[str, object] | None = None,
    limit: str | Iterable[str] | None = None,
    seed: int | None = None,
    steps: int = 100,
    graph: str | PathLike[str] | None = None,
    states: int = 200,
    proofs: str | PathLike[str] | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> TraceFields:
    """Step through a machine in a setting: a size for each carrier set, and values of constants."""

def replay(
    source: str | PathLike[str],
    trace: str | PathLike[str],
    *,
    preset: str | None = None,
    workgroups: int | None = None,
) -> ReplayAnswer:
    """Check each step of a trace: its guards hold, and its actions allow the values that it chooses."""

def run(
    *,
    threads: int | None = None,
    test: str | None = None,
    steps: int = 100,
    multiprocessors: int = 16,
    warp: int = 32,
    c: int = 1,
    duration: int = 1,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> KernelTimes:
    """Print when threads, blocks and the kernel start and end, in one run of the machines @gpu."""

def guarantees(
    source: str | PathLike[str],
    *,
    component: str | None = None,
    setting: str | Iterable[str] | Mapping[str, object] | None = None,
    model: str | Iterable[str] | None = None,
    fairness: str | None = None,
    reading: str | PathLike[str] | None = None,
    tests: str | Iterable[str] | None = None,
    prove: bool = False,
    seconds: float = 20.0,
    jobs: int | None = None,
) -> Guarantees:
    """Say which progress models a machine guarantees as a scheduler, if its runs are fair."""

def export(
    source: str | PathLike[str],
    folder: str | PathLike[str],
    *,
    as_: str = 'rodin',
    force: bool = False,
) -> str | None:
    """Write contexts and machines as a project of Rodin."""

def compare(
    project: str | PathLike[str],
    *,
    as_: str = 'rodin',
    prove: bool = False,
    verdicts: bool = False,
    hypotheses: bool = False,
    seconds: float = 5.0,
) -> builtins.list[ComponentComparison]:
    """Say which names and goals of obligations differ from Rodin's, and what Rodin's provers had done."""
