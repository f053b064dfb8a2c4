"""JSON Schemas of the answers that commands print with `--json`, made from the types of these answers.

They lie in `schemas/` for users, with a file for each command; `make schemas` writes them again. If a command prints
several objects, one a line, the schema is that of a line. `result-line` is the schema of what emitted programs print.
"""

from __future__ import annotations

from pathlib import Path

from synth_analysis.answers.advice import AdviceFields
from synth_analysis.answers.analysis_json import AnalysisFields
from synth_analysis.answers.scheduler import ExplanationFields
from synth_analysis.tables.answer import TableFields
from synth_analysis.tables.comparison import ComparedFields
from synth_backends.result_line import ResultFields
from synth_campaigns.answers.bundled import BundleAnswerFields
from synth_campaigns.answers.collected import CollectedFields
from synth_campaigns.answers.status import CampaignFields
from synth_campaigns.export import LaunchLine
from synth_corpus.diff_answer import DiffLine
from synth_corpus.import_report import ReportFields
from synth_corpus.schema import schema_of, schema_texts, write_schemas
from synth_corpus.verify_answer import VerifyLine
from synth_devices.device_list import DeviceDetails, DeviceEntry
from synth_devices.health import Health
from synth_devices.simulated.answer import PowerFields, PresetFields, SimulationFields
from synth_jobs.answer import StatusFields
from synth_jobs.plan import PlanFields
from synth_kernels.needs.answer import NeedsAnswer
from synth_kernels.needs.device_results import NeedWithResults
from synth_kernels.questions.assumptions import AssumptionAnswer
from synth_kernels.questions.banks import BankAnswer
from synth_kernels.questions.equality import AssertionAnswer, EqualityAnswer
from synth_kernels.questions.intervals import IntervalsAnswer
from synth_kernels.verification.answer import VerifiedKernel
from synth_kernels.verification.records import RecordedLaunchFields
from synth_litmus.explanation.answer import ExplainFields
from synth_litmus.facts.model_facts import EqualFields, KnownModelFields, ModelDescriptionFields
from synth_litmus.facts.program_facts import CheckFields, ShowFields
from synth_litmus.facts.shrink_facts import ShrinkFields
from synth_machines.answers.answer import ComponentSummary, DecidedObligation, StatedObligation
from synth_machines.answers.comparison import ComponentComparison
from synth_machines.answers.gpu_tests import LitmusRun
from synth_machines.answers.gpu_times import KernelTimes
from synth_machines.answers.guarantees import Guarantees
from synth_machines.answers.traces import ReplayAnswer, TraceFields
from synth_search.crosscheck.answer import CrosscheckFields
from synth_search.directed.answer import DirectionFields, FindFields
from synth_search.enumeration.answer import CountFields
from synth_search.lattice.answer import LatticeFields
from synth_search.suites.answer import SuiteFields

FOLDER = Path(__file__).parent / "schemas"
#: The type of the JSON of each command, by the name of the command.
ANSWERS: dict[str, object] = {
    "campaign-analyse": AnalysisFields,
    "campaign-bundle": BundleAnswerFields,
    "campaign-collect": CollectedFields,
    "campaign-compare": ComparedFields,
    "campaign-explain": list[ExplanationFields],
    "campaign-export": LaunchLine,
    "campaign-import": CampaignFields,
    "campaign-next": list[AdviceFields],
    "campaign-run": CampaignFields,
    "campaign-status": CampaignFields,
    "campaign-table": TableFields,
    "check": CheckFields,
    "corpus-diff": DiffLine,
    "corpus-import": ReportFields,
    "corpus-verify": VerifyLine,
    "crosscheck": CrosscheckFields,
    "device-check": Health,
    "device-list": list[DeviceEntry],
    "device-show": DeviceDetails,
    "enumerate-count-only": CountFields,
    "explain": ExplainFields,
    "find": FindFields,
    "job-plan": PlanFields,
    "job-status": StatusFields,
    "kernel-check": NeedsAnswer,
    "kernel-explain": NeedsAnswer,
    "kernel-need": NeedWithResults,
    "lattice": LatticeFields,
    "machine-animate": TraceFields,
    "machine-check": list[ComponentSummary],
    "machine-compare": ComponentComparison,
    "machine-guarantees": Guarantees,
    "machine-obligations": StatedObligation,
    "machine-replay": ReplayAnswer,
    "machine-run": KernelTimes,
    "machine-run-test": LitmusRun,
    "machine-prove": DecidedObligation,
    "model-equal": EqualFields,
    "model-list": KnownModelFields,
    "model-show": ModelDescriptionFields,
    "separate": list[DirectionFields],
    "show": ShowFields,
    "shrink": ShrinkFields,
    "sim-list": list[PresetFields],
    "sim-power": PowerFields,
    "sim-run": SimulationFields,
    "sim-show": PresetFields,
    "suite": SuiteFields,
    "verify": VerifiedKernel,
    "verify-assert": AssertionAnswer,
    "verify-assume-least": AssumptionAnswer,
    "verify-banks": BankAnswer,
    "verify-equals": EqualityAnswer,
    "verify-intervals": IntervalsAnswer,
}
#: The type of the JSON that others print: a line of an emitted program.
#: And a line of a file of launches, which `synth kernel record` writes and `synth verify --from-launch` reads.
LINES: dict[str, object] = {"launch-line": RecordedLaunchFields, "result-line": ResultFields}


def schemas() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    return schema_texts({name: schema_of(kind) for name, kind in (ANSWERS | LINES).items()})


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
