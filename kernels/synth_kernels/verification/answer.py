"""The answer of `synth verify` about a kernel, with the places of the source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.modular.effects import calls_of
from synth_kernels.premises import source_notes
from synth_kernels.program import UnreadKernel
from synth_kernels.source_place import SourcePlace
from synth_kernels.subject import Subject
from synth_kernels.verdict_premises import premises_of, sizes_of
from synth_kernels.verification.candidates import JudgedCandidate, candidates_of
from synth_kernels.verification.contracts import ContractLine, contract_of
from synth_kernels.verification.faults import KernelFault, fault_of
from synth_kernels.verification.records import VerifiedLaunch
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from synth_kernels.reports import KernelReport
    from synth_kernels.verification import Verified


class ProvedLoop(NamedTuple):
    """A loop of a verified kernel: the place of its test, and how it was proved.

    `way` is `invariants`, `over-approximation`, `normalisation`, `compensation` or `unrolling`.
    """

    file: str
    line: int
    column: int
    way: str


@dataclass(frozen=True, slots=True)
class VerifiedKernel:
    """A kernel and the verdict on it. `reason` says why the verdict is `unknown` or `stopped`.

    A size that is null may be any. `not_reached` are lines that no run reaches in the rounds of --unroll. `recorded` is
    the launch of `--from-launch`, or null. `rests_on` is what the verdict rests on, and `notes` are remarks about the
    source. `loops` says how each loop of a verified kernel was proved. `candidates` are there if they were asked for.
    With --modular, `function` says that this is a function and no kernel, `calls` are the functions that it calls, and
    `contract` is its contract, with the refuted candidates if they were asked for.

    For views, `launches` are the sizes in words, and `start` is a place for what has none. `is_read` says that the
    kernel has nothing that is not supported, `declared` that a function has only a contract, and `is_maximal` that the
    solver gave up on no candidate.
    """

    file: str
    kernel: str
    verdict: str
    reason: str
    local_size: tuple[int | None, ...] = ()
    groups: tuple[int | None, ...] = ()
    recorded: VerifiedLaunch | None = None
    counterexamples: list[KernelFault] = field(default_factory=list)
    not_reached: list[SourcePlace] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rests_on: list[str] = field(default_factory=list)
    loops: list[ProvedLoop] = field(default_factory=list)
    candidates: list[JudgedCandidate] = field(default_factory=list)
    function: bool = False
    calls: list[str] = field(default_factory=list)
    contract: list[ContractLine] = field(default_factory=list)
    launches: str = field(default="", metadata=HIDDEN)
    start: SourcePlace = field(kw_only=True, metadata=HIDDEN)
    is_read: bool = field(default=True, metadata=HIDDEN)
    declared: bool = field(default=False, metadata=HIDDEN)
    is_maximal: bool = field(default=True, metadata=HIDDEN)

    @property
    def verdict_in_short(self) -> str:
        """The verdict, and whether no fault was confirmed."""
        faults = self.counterexamples
        return f"{self.verdict}{', not confirmed' if faults and not any(fault.confirmed for fault in faults) else ''}"


def answer_of(verified: Verified, *, with_candidates: bool = False) -> VerifiedKernel:
    """Return the answer about a kernel."""
    kernel, launch, report = verified.kernel, verified.launch, verified.report
    file = str(verified.path)
    if isinstance(kernel, UnreadKernel) or launch is None:
        place = kernel.place if isinstance(kernel, UnreadKernel) else SourcePlace(file, 0)
        return VerifiedKernel(
            file, kernel.name, report.verdict, report.reason, function=is_function(verified), start=place, is_read=False
        )
    subject = Subject(verified.path, kernel, launch)
    contract = contract_of(subject, report)
    return VerifiedKernel(
        file,
        kernel.name,
        report.verdict,
        report.reason,
        launch.local,
        launch.groups,
        verified.recorded,
        [fault_of(subject, counterexample) for counterexample in report.counterexamples],
        _unreached_places(subject, report),
        source_notes(kernel),
        premises_of(verified),
        _loops(subject, report),
        candidates_of(subject, report) if with_candidates and not verified.options.unroll else [],
        is_function(verified),
        list(dict.fromkeys(call.unit.rpartition("#")[0] for call in calls_of(kernel))),
        [line for line in contract if with_candidates or line.outcome in {"given", "kept"}],
        launches=sizes_of(launch).text,
        start=SourcePlace(file, 0 if kernel.places else kernel.blocks[0].first_line),
        declared=kernel.function is not None and kernel.function.declared,
        is_maximal=not report.inferred.dropped,
    )


def is_function(verified: Verified) -> bool:
    """Return whether this is a function that is not inlined, and no kernel."""
    kernel = verified.kernel
    return kernel.is_function if isinstance(kernel, UnreadKernel) else kernel.function is not None


def _loops(subject: Subject, report: KernelReport) -> list[ProvedLoop]:
    """Return how each loop of a verified kernel was proved, in the order of their lines."""
    places = ((subject.place(subject.kernel.block(header).end.line), way) for header, way in report.loops)
    loops = [ProvedLoop(place.file, place.line, place.column, way) for place, way in places]
    return sorted(loops, key=lambda loop: loop[:3])


def _unreached_places(subject: Subject, report: KernelReport) -> list[SourcePlace]:
    """Return the places that no run reaches while each loop makes only so many rounds.

    Of a line that some run reaches, it is the first such column, and otherwise 0.
    """
    if not report.unreached:
        return []
    lines = [step.line for block in subject.kernel.blocks for step in (*block.instructions, block.end)]
    places = {line: (place.file, place.line, place.column) for line in lines if (place := subject.place(line)).line}
    reached = {places[line] for line in places.keys() - set(report.unreached)}
    never = {places[line] for line in report.unreached if line in places} - reached
    partly = {place[:2] for place in reached}
    first = {place[:2]: place for place in sorted(never, reverse=True)}
    return [SourcePlace(*line, first[line][2] if line in partly else 0) for line in sorted(first)]
