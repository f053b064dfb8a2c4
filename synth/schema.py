"""JSON Schemas of the answers that commands print with `--json`, made from the types of these answers.

They lie in `schemas/` for users, with a file for each command; `make schemas` writes them again. If a command prints
several objects, one a line, the schema is that of a line. `result-line` is the schema of what emitted programs print.
"""

from __future__ import annotations

from pathlib import Path

from synth_analysis.answers.advice import DeviceAdvice
from synth_analysis.answers.analysis_json import AnalysisAnswer
from synth_analysis.answers.scheduler import DeviceExplanation
from synth_analysis.tables.answer import TableAnswer
from synth_analysis.tables.comparison import ComparisonAnswer
from synth_backends.emission import EmissionSummary
from synth_backends.result_line import ResultFields
from synth_campaigns.answers.bundled import BundleAnswer
from synth_campaigns.answers.collected import CollectedAnswer
from synth_campaigns.answers.status import CampaignStatus
from synth_campaigns.export import LaunchLine
from synth_corpus.diff_answer import DiffLine
from synth_corpus.import_report import ImportReport
from synth_corpus.manifest import ManifestFields
from synth_corpus.record import RecordFields
from synth_corpus.schema import schema_of, schema_texts, write_schemas
from synth_corpus.verify_answer import VerifyLine
from synth_devices.device_list import DeviceDetails, DeviceEntry
from synth_devices.health import Health
from synth_devices.simulated.answer import PresetAnswer, SimulationAnswer
from synth_devices.simulated.power import Power
from synth_devices.simulated.schedule_answer import AttackAnswer, ReplayedSchedule
from synth_jobs.answer import StatusAnswer
from synth_jobs.garbage import RemovedFiles
from synth_jobs.job_list import ListedJob
from synth_jobs.plan import Plan
from synth_kernels.needs.answer import NeedsAnswer
from synth_kernels.needs.device_results import NeedWithResults
from synth_kernels.questions.assumptions import AssumptionAnswer
from synth_kernels.questions.banks import BankAnswer
from synth_kernels.questions.equality import AssertionAnswer, EqualityAnswer
from synth_kernels.questions.intervals import IntervalsAnswer
from synth_kernels.verification.answer import VerifiedKernel
from synth_kernels.verification.records import RecordedLaunchFields
from synth_litmus.explanation.answer import ExplainAnswer
from synth_litmus.facts.model_facts import EqualAnswer, KnownModels, ModelDescription
from synth_litmus.facts.program_facts import CheckAnswer, ShowAnswer
from synth_litmus.facts.shrink_facts import ShrinkAnswer
from synth_machines.answers.answer import ComponentSummary, DecidedObligation, StatedObligation
from synth_machines.answers.comparison import ComponentComparison
from synth_machines.answers.gpu_tests import LitmusRun
from synth_machines.answers.gpu_times import KernelTimes
from synth_machines.answers.guarantees import Guarantees
from synth_machines.answers.traces import ReplayAnswer, TraceFields
from synth_search.completeness.answer import Completeness
from synth_search.crosscheck.answer import Crosscheck
from synth_search.directed.answer import DirectionAnswer, FindAnswer
from synth_search.enumeration.answer import CountAnswer
from synth_search.lattice.answer import LatticeAnswer
from synth_search.suites.answer import Suite

FOLDER = Path(__file__).parent / "schemas"
#: The type of the JSON of each command, by the name of the command.
ANSWERS: dict[str, object] = {
    "audit": Completeness,
    "campaign-analyse": AnalysisAnswer,
    "campaign-bundle": BundleAnswer,
    "campaign-collect": CollectedAnswer,
    "campaign-compare": ComparisonAnswer,
    "campaign-explain": list[DeviceExplanation],
    "campaign-export": LaunchLine,
    "campaign-import": CampaignStatus,
    "campaign-next": list[DeviceAdvice],
    "campaign-run": CampaignStatus,
    "campaign-status": CampaignStatus,
    "campaign-table": TableAnswer,
    "certify": Completeness,
    "check": CheckAnswer,
    "corpus-diff": DiffLine,
    "corpus-import": ImportReport,
    "corpus-validate": VerifyLine,
    "crosscheck": Crosscheck,
    "device-health": Health,
    "device-list": list[DeviceEntry],
    "device-show": DeviceDetails,
    "emit": EmissionSummary,
    "enumerate-count-only": CountAnswer,
    "explain": ExplainAnswer,
    "find": FindAnswer,
    "job-gc": RemovedFiles,
    "job-list": list[ListedJob],
    "job-plan": Plan,
    "job-resume": StatusAnswer,
    "job-start": StatusAnswer,
    "job-status": StatusAnswer,
    "job-stop": StatusAnswer,
    "job-work": StatusAnswer,
    "kernel-check": NeedsAnswer,
    "kernel-explain": NeedsAnswer,
    "kernel-need": NeedWithResults,
    "lattice": LatticeAnswer,
    "machine-animate": TraceFields,
    "machine-validate": list[ComponentSummary],
    "machine-compare": ComponentComparison,
    "machine-guarantees": Guarantees,
    "machine-obligations": StatedObligation,
    "machine-replay": ReplayAnswer,
    "machine-run": KernelTimes,
    "machine-run-test": LitmusRun,
    "machine-prove": DecidedObligation,
    "model-equal": EqualAnswer,
    "model-list": KnownModels,
    "model-show": ModelDescription,
    "separate": list[DirectionAnswer],
    "show": ShowAnswer,
    "shrink": ShrinkAnswer,
    "sim-attack": AttackAnswer,
    "sim-list": list[PresetAnswer],
    "sim-power": Power,
    "sim-replay": ReplayedSchedule,
    "sim-run": SimulationAnswer,
    "sim-show": PresetAnswer,
    "suite": Suite,
    "verify": VerifiedKernel,
    "verify-assert": AssertionAnswer,
    "verify-assume-least": AssumptionAnswer,
    "verify-banks": BankAnswer,
    "verify-equals": EqualityAnswer,
    "verify-intervals": IntervalsAnswer,
}
#: The types of answers that have a schema elsewhere: those of a manifest, of records, and of a campaign.
OF_FILES: dict[str, object] = {
    "corpus-info": ManifestFields,
    "corpus-list": RecordFields,
    "corpus-merge": ManifestFields,
    "corpus-sample": RecordFields,
    "enumerate": ManifestFields | CountAnswer,
    "probe": CampaignStatus,
}
#: The commands that print an object for each program, test, fault, component and so on, one a line.
MANY = frozenset(
    {
        *("check", "corpus-diff", "corpus-list", "corpus-query", "corpus-sample", "corpus-validate"),
        *("explain", "machine-compare", "machine-obligations", "machine-prove", "sim-run", "suite", "verify"),
    }
)
#: The type of the JSON that others print: a line of an emitted program.
#: And a line of a file of launches, which `synth kernel record` writes and `synth verify --from-launch` reads.
LINES: dict[str, object] = {"launch-line": RecordedLaunchFields, "result-line": ResultFields}


def schemas() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    return schema_texts({name: schema_of(kind) for name, kind in (ANSWERS | LINES).items()})


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
