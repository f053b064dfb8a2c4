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
from synth_backends.emission import EmissionSummary
from synth_backends.result_line import ResultFields
from synth_campaigns.answers.bundled import BundleAnswerFields
from synth_campaigns.answers.collected import CollectedFields
from synth_campaigns.answers.status import CampaignFields
from synth_campaigns.export import LaunchLine
from synth_corpus.diff_answer import DiffLine
from synth_corpus.import_report import ReportFields
from synth_corpus.manifest import ManifestFields
from synth_corpus.record import RecordFields
from synth_corpus.schema import schema_of, schema_texts, write_schemas
from synth_corpus.verify_answer import VerifyLine
from synth_devices.device_list import DeviceDetails, DeviceEntry
from synth_devices.health import Health
from synth_devices.simulated.answer import PowerFields, PresetFields, SimulationFields
from synth_devices.simulated.schedule_answer import AttackAnswer, ReplayAnswer
from synth_jobs.answer import StatusFields
from synth_jobs.garbage import RemovedFiles
from synth_jobs.job_list import ListedJob
from synth_jobs.plan import PlanFields
from synth_kernels.needs.answer import NeedsFields
from synth_kernels.needs.device_results import NeedFields
from synth_kernels.questions.assumptions import AssumptionFields
from synth_kernels.questions.banks import BankFields
from synth_kernels.questions.equality import AssertFields, EqualsFields
from synth_kernels.questions.intervals import IntervalsFields
from synth_kernels.verification.answer import KernelFields
from synth_kernels.verification.records import RecordedLaunchFields
from synth_litmus.explanation.answer import ExplainFields
from synth_litmus.facts.model_facts import EqualFields, KnownModelFields, ModelDescriptionFields
from synth_litmus.facts.program_facts import CheckFields, ShowFields
from synth_litmus.facts.shrink_facts import ShrinkFields
from synth_machines.answers.answer import ComponentFields, DecidedFields, ObligationFields
from synth_machines.answers.comparison import ComparedComponentFields
from synth_machines.answers.gpu_tests import LitmusRunFields
from synth_machines.answers.gpu_times import RunFields
from synth_machines.answers.guarantees import GuaranteesFields
from synth_machines.answers.traces import ReplayFields, TraceFields
from synth_search.completeness.answer import Completeness
from synth_search.crosscheck.answer import CrosscheckFields
from synth_search.directed.answer import DirectionFields, FindFields
from synth_search.enumeration.answer import CountFields
from synth_search.lattice.answer import LatticeFields
from synth_search.suites.answer import SuiteFields

FOLDER = Path(__file__).parent / "schemas"
#: The type of the JSON of each command, by the name of the command.
ANSWERS: dict[str, object] = {
    "audit": Completeness,
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
    "certify": Completeness,
    "check": CheckFields,
    "corpus-diff": DiffLine,
    "corpus-import": ReportFields,
    "corpus-validate": VerifyLine,
    "crosscheck": CrosscheckFields,
    "device-health": Health,
    "device-list": list[DeviceEntry],
    "device-show": DeviceDetails,
    "emit": EmissionSummary,
    "enumerate-count-only": CountFields,
    "explain": ExplainFields,
    "find": FindFields,
    "job-gc": RemovedFiles,
    "job-list": list[ListedJob],
    "job-plan": PlanFields,
    "job-resume": StatusFields,
    "job-start": StatusFields,
    "job-status": StatusFields,
    "job-stop": StatusFields,
    "job-work": StatusFields,
    "kernel-check": NeedsFields,
    "kernel-explain": NeedsFields,
    "kernel-need": NeedFields,
    "lattice": LatticeFields,
    "machine-animate": TraceFields,
    "machine-validate": list[ComponentFields],
    "machine-compare": ComparedComponentFields,
    "machine-guarantees": GuaranteesFields,
    "machine-obligations": ObligationFields,
    "machine-replay": ReplayFields,
    "machine-run": RunFields,
    "machine-run-test": LitmusRunFields,
    "machine-prove": DecidedFields,
    "model-equal": EqualFields,
    "model-list": KnownModelFields,
    "model-show": ModelDescriptionFields,
    "separate": list[DirectionFields],
    "show": ShowFields,
    "shrink": ShrinkFields,
    "sim-attack": AttackAnswer,
    "sim-list": list[PresetFields],
    "sim-power": PowerFields,
    "sim-replay": ReplayAnswer,
    "sim-run": SimulationFields,
    "sim-show": PresetFields,
    "suite": SuiteFields,
    "verify": KernelFields,
    "verify-assert": AssertFields,
    "verify-assume-least": AssumptionFields,
    "verify-banks": BankFields,
    "verify-equals": EqualsFields,
    "verify-intervals": IntervalsFields,
}
#: The types of answers that have a schema elsewhere: those of a manifest, of records, and of a campaign.
OF_FILES: dict[str, object] = {
    "corpus-info": ManifestFields,
    "corpus-list": RecordFields,
    "corpus-merge": ManifestFields,
    "corpus-sample": RecordFields,
    "enumerate": ManifestFields,
    "probe": CampaignFields,
}
#: The commands that print an object for each program, test, fault, component and so on, one a line.
MANY = frozenset(
    {
        *("campaign-export", "check", "corpus-diff", "corpus-list", "corpus-query", "corpus-sample", "corpus-validate"),
        *("machine-compare", "machine-obligations", "machine-prove", "model-list", "verify"),
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
