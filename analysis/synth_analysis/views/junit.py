"""What campaigns say about one verdict, or both of a model, as JUnit XML, which CI systems read.

Each device is a test suite for each verdict, and each cell that counts for the verdict is a test case:

- a witness is a failure, also one by who had finished
- whatever else keeps the claim from being *consistent with* is an error, and so are too few launches
- a cell without a launch that ended or hung is skipped
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_analysis.answers.analysis import AT_MOST_RATE
from synth_campaigns.claims import trouble_words
from synth_campaigns.intervals import upper_end
from synth_campaigns.views.cell_words import hangs
from synth_checker.models import verdicts_meant
from synth_documents.junit import JUnitCase, junit_lines, suite_lines
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim
    from synth_documents.junit import CaseResult


def junit_text(analysis: Analysis, verdict: str, at_most_rate: float = AT_MOST_RATE) -> str:
    """Return the JUnit XML for a verdict. A model means both its forms.

    The launches of each cell must show a rate of hangs of at most `at_most_rate`.
    """
    suites = (
        line
        for device in analysis.devices
        for claim in device.claims
        if verdicts_meant(verdict, [claim.verdict])
        for line in _suite(device, claim, at_most_rate)
    )
    return "".join(f"{line}\n" for line in junit_lines(suites))


def _suite(device: AnalysedDevice, claim: Claim, at_most_rate: float) -> Iterator[str]:
    cases = [JUnitCase(claim.verdict, _case(cell), *_result(cell, claim, at_most_rate)) for cell in claim.cells]
    cases += [
        JUnitCase(claim.verdict, _case(witness), "failure", f"{hangs(witness)}, by who had finished")
        for witness in claim.pattern_witnesses
    ]
    name = f"{claim.verdict} on {device.results.driver or device.results.name}"
    return suite_lines(name, Counter(case.result for case in cases), cases)


def _result(result: CellResult, claim: Claim, at_most_rate: float) -> tuple[CaseResult, str]:
    """Return whether a cell is a failure, an error or skipped, and why; two empty texts if all is well."""
    key = result.campaign, result.number
    if claim.status == "violates" and key in {(each.campaign, each.number) for each in claim.witnesses}:
        return "failure", hangs(result)
    if not result.counted:
        return "skipped", ", ".join(result.trouble)
    if result.trouble or result.hung:
        return "error", trouble_words(result)
    if upper_end(result.counted) > at_most_rate:
        return "error", f"{count(result.counted, 'launch')}, which are not enough to say"
    return ("error", claim.because) if claim.because.startswith("the driver is wrong") else ("", "")


def _case(result: CellResult) -> str:
    cell, setting = result.cell, result.cell.setting
    more = [f"{setting.stress} stressing"] if setting.stress else []
    more += [f"{cell.busy} busy"] if cell.busy else []
    more += [f"row {cell.row}"] if cell.row else []
    return ", ".join([f"{cell.test} under {setting.mapping}", f"{setting.instances} instances", *more])
