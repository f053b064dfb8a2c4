"""JSON Schemas of the answers that commands print with `--json`, made from the types of these answers.

They lie in `schemas/` for users, with a file for each command; `make schemas` writes them again. If a command prints
several objects, one a line, the schema is that of a line. `result-line` is the schema of what emitted programs print.
"""

from __future__ import annotations

from pathlib import Path

from synth.campaigning.advising import AdviceFields
from synth.campaigning.analysis_answer import AnalysisFields
from synth.campaigning.answer import CampaignFields
from synth.campaigning.bundling import BundleAnswerFields
from synth.campaigning.collecting import CollectedFields
from synth.campaigning.explaining import ExplanationFields
from synth.crosschecking.answer import CrosscheckFields
from synth.directed.answer import DirectionFields, FindFields
from synth.enumeration.answer import CountFields
from synth.exchange.import_report import ReportFields
from synth.explaining.answer import ExplainFields
from synth.inspecting.answer import HealthFields, ListedFields, ShownFields
from synth.jobs.answer import StatusFields
from synth.jobs.planning import PlanFields
from synth.judging.answer import CheckFields, ShowFields
from synth.judging.describing import DescriptionFields, EqualFields, KnownFields
from synth.judging.shrinking import ShrinkFields
from synth.kernel_needs.answer import NeedFields, NeedsFields
from synth.lattice.answer import LatticeFields
from synth.machines.answer import ComponentFields, DecidedFields, ObligationFields
from synth.machines.comparing import ComparedComponentFields
from synth.machines.guaranteeing import GuaranteesFields
from synth.machines.running import RunFields
from synth.machines.running_tests import LitmusRunFields
from synth.machines.traces import ReplayFields, TraceFields
from synth.questions.assumptions import AssumptionFields
from synth.questions.banks import BankFields
from synth.questions.equality import AssertFields, EqualsFields
from synth.questions.intervals import IntervalsFields
from synth.simulating.answer import PowerFields, PresetFields, SimulationFields
from synth.suites.answer import SuiteFields
from synth.tabulating.answer import TableFields
from synth.tabulating.comparing import ComparedFields
from synth.verification.answer import KernelFields
from synth.verification.records import LaunchFields
from synth_backends.result_line import ResultFields
from synth_campaigns.exporting import LaunchLine
from synth_corpus.diff_answer import DiffLine
from synth_corpus.schema import schema_of, write_schemas, written
from synth_corpus.verify_answer import VerifyLine

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
    "device-check": HealthFields,
    "device-list": list[ListedFields],
    "device-show": ShownFields,
    "enumerate-count-only": CountFields,
    "explain": ExplainFields,
    "find": FindFields,
    "job-plan": PlanFields,
    "job-status": StatusFields,
    "kernel-check": NeedsFields,
    "kernel-explain": NeedsFields,
    "kernel-need": NeedFields,
    "lattice": LatticeFields,
    "machine-animate": TraceFields,
    "machine-check": list[ComponentFields],
    "machine-compare": ComparedComponentFields,
    "machine-guarantees": GuaranteesFields,
    "machine-obligations": ObligationFields,
    "machine-replay": ReplayFields,
    "machine-run": RunFields,
    "machine-run-test": LitmusRunFields,
    "machine-prove": DecidedFields,
    "model-equal": EqualFields,
    "model-list": KnownFields,
    "model-show": DescriptionFields,
    "separate": list[DirectionFields],
    "show": ShowFields,
    "shrink": ShrinkFields,
    "sim-list": list[PresetFields],
    "sim-power": PowerFields,
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
#: The type of the JSON that others print: a line of an emitted program.
#: And a line of a file of launches, which `synth kernel record` writes and `synth verify --from-launch` reads.
LINES: dict[str, object] = {"launch-line": LaunchFields, "result-line": ResultFields}


def schemas() -> dict[str, str]:
    """Return the text of each schema by the name of its file."""
    return written({name: schema_of(kind) for name, kind in (ANSWERS | LINES).items()})


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
