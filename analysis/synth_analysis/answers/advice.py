"""The answer of `synth campaign next`: which launches tell most about what a device guarantees, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.belief import Belief, earlier_of, entropy
from synth_analysis.device_results import check_device, opened_devices
from synth_analysis.evidence import Costs, Evidence, is_telling, signatures_of
from synth_analysis.hypotheses import hypotheses_of
from synth_analysis.next_test import Candidate, proposals
from synth_backends.mapping import read_mapping
from synth_checker.errors import InputError
from synth_checker.models import library, verdict_names, verdicts_in
from synth_checker.relations.antichains import fairest, least_fair
from synth_devices.remote_devices import ELSEWHERE
from synth_litmus.inputs.named_tests import ids_in, names_of
from synth_storage.answer_json import HIDDEN, answer_from

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_analysis.device_results import DeviceResults
    from synth_analysis.next_test import Cost, Proposal

#: The corpora from which a test is chosen, besides the tests of the campaigns.
CORPORA = ("@minimal/2x2", "@minimal/2x3", "@minimal/2x4", "@minimal/3x3", "@minimal/3x4")


class _Device(NamedTuple):
    """A device, what campaigns saw of it, and how its next launches are made."""

    results: DeviceResults
    kind: str
    launches: int
    is_relaxed: bool
    mappings: list[str]
    costs: dict[str, Cost]

    @property
    def name(self) -> str:
        """The name that the first campaign has for the device."""
        return self.results.name

    def evidence(self, signatures: dict[str, int]) -> Evidence:
        """Return what the launches say about what the device guarantees."""
        evidence = Evidence(self.is_relaxed)
        for cell in self.results.cells:
            evidence.add(cell.cell, signatures[cell.cell.test], cell.hung, cell.counted - cell.hung)
        return evidence


class AdviceRequest(NamedTuple):
    """For which device to choose, from which corpora and mappings, and how many launches come next.

    What is empty or None has a default.
    """

    device: str | None = None
    corpora: Sequence[str] = ()
    mappings: Sequence[str] = ()
    launches: int | None = None


class PossibleGuarantee(NamedTuple):
    """What a device may guarantee: the fairest verdicts of a set, and how probable that is.

    `guarantees` has several such sets if no test tells them apart.
    """

    guarantees: tuple[tuple[str, ...], ...]
    probability: float


class TestProposal(NamedTuple):
    """Launches of a test, and what they are worth.

    - `passes` has the least fair verdicts that the test passes, and `fails` the fairest that it fails.
    - `hangs` is how probable it is that a launch hangs.
    - `bits` is how much the entropy falls on average, and `seconds` how long this takes on average.
    """

    test: str
    name: str
    mapping: str
    launches: int
    passes: tuple[str, ...]
    fails: tuple[str, ...]
    hangs: float
    bits: float
    seconds: float


@dataclass(frozen=True, slots=True)
class DeviceAdvice:
    """What a device may guarantee, and what to launch next, the best first.

    - `launches` is how many launches say what it may guarantee.
    - `earlier` names the other devices of the same kind that were heeded.
    - `open_bits` is the entropy of the hypotheses, of which the most probable comes first.
    - `proposals` has the best test of each signature under each mapping.
    """

    device: str
    driver: str
    launches: int
    earlier: list[str]
    open_bits: float
    hypotheses: list[PossibleGuarantee]
    proposals: list[TestProposal]
    #: Whether `synth campaign run` can run the proposals.
    is_here: bool = field(metadata=HIDDEN)


def advice_of(folders: Sequence[Path], request: AdviceRequest) -> list[DeviceAdvice]:
    """Return what to launch next on the devices of some campaigns, the devices in the order of the folders.

    Raises:
        InputError: a folder holds no campaign, none of them has this device, or a corpus or mapping is unknown.
        ResourceError: reading the results failed.
    """
    mappings = [_mapping(word) for word in request.mappings]
    with opened_devices(folders) as results:
        check_device(results, request.device)
        devices = [_device(result, mappings) for result in results]
    tests = {id_ for corpus in request.corpora or CORPORA for id_ in ids_in(corpus)}
    ran = {cell.cell.test for other in devices for cell in other.results.cells}
    signatures = signatures_of(tests | ran)
    choice = sorted(tests if request.corpora else tests | ran)
    evidence = [device.evidence(signatures) for device in devices]
    return [
        _advice(place, devices, evidence, _candidates(device, choice, signatures, mappings, request.launches))
        for place, device in enumerate(devices)
        if request.device in {None, device.name}
    ]


def _device(results: DeviceResults, more: Sequence[str]) -> _Device:
    """Return a device with what its campaigns say besides its cells. `more` are further mappings."""
    cells = [result.cell for result in results.cells if result.cell.across == "workgroups"]
    mappings = list(dict.fromkeys(cell.setting.mapping for cell in cells))
    costs: dict[str, Cost] = {}
    for _, name, settings, store, _ in results.places:
        launches = settings.launches
        kind = name if store.kind(name) == "bundle" else store.kind(name)
        is_relaxed = store.is_relaxed(name)
        own_costs = Costs(store.seconds(name), launches.timeout_s, decides=store.decides(name))
        costs |= {mapping: own_costs.under(mapping) for mapping in (*mappings, *more)}
    return _Device(results, kind, launches.declared, is_relaxed, mappings, costs)


def _mapping(word: str) -> str:
    mapping = read_mapping(word)
    if mapping.kind.across != "workgroups":
        raise InputError(
            f"mapping: found {word}, whose threads share a workgroup, but verdicts speak of workgroups; choose another"
        )
    return mapping.name


def _candidates(
    device: _Device, tests: Sequence[str], signatures: dict[str, int], mappings: Sequence[str], launches: int | None
) -> list[Candidate]:
    return [
        Candidate(test, signatures[test], mapping, launches or device.launches)
        for test in tests
        if is_telling(test, is_relaxed=device.is_relaxed)
        for mapping in mappings or device.mappings
    ]


def _advice(
    place: int, devices: Sequence[_Device], evidence: Sequence[Evidence], candidates: Sequence[Candidate]
) -> DeviceAdvice:
    device, own = devices[place], evidence[place]
    if not candidates:
        raise InputError(f"{device.name}: found no test that tells what the device guarantees, expected at least one")
    others = [k for k, other in enumerate(devices) if k != place and other.kind == device.kind and evidence[k].groups]
    belief = Belief(
        hypotheses_of({candidate.signature for candidate in candidates} | {signature for signature, _ in own.groups}),
        earlier_of(evidence[k].groups for k in others),
        own.groups,
    )
    probabilities = belief.probabilities()
    ranked = sorted(zip(belief.hypotheses, probabilities, strict=True), key=lambda weighted: -weighted[1])
    ranking = proposals(belief, candidates, device.costs, own.tests)
    called = names_of({proposal.candidate.test for proposal in ranking})
    launched = sum(cell.counted for cell in device.results.cells)
    return DeviceAdvice(
        device.name,
        device.results.driver,
        launched,
        [devices[k].name for k in others],
        entropy(probabilities),
        [PossibleGuarantee(hypothesis.names, probability) for hypothesis, probability in ranked],
        [_proposal(best, called[best.candidate.test]) for best in ranking],
        device.kind not in ELSEWHERE,
    )


def _proposal(best: Proposal, name: str) -> TestProposal:
    passes, fails = _edges(best.candidate.signature)
    return answer_from(TestProposal, best.candidate, best.worth, name=name, passes=passes, fails=fails)


def _edges(signature: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the least fair verdicts of a signature, and the fairest ones that it lacks."""
    passed = verdicts_in(signature)
    return least_fair(passed), fairest([name for name in verdict_names(library()) if name not in passed])
