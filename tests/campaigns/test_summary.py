"""The summary of claims: antichains of the order of verdicts."""

from synth_campaigns.claims import Claim
from synth_campaigns.summary import summary_of
from synth_checker.models import library, verdict_names


def claim(verdict, status):
    return Claim(verdict, status, (), 0, (), None, "")


def test_the_summary_is_the_least_fair_violated_and_the_fairest_consistent_verdicts():
    violated = ["HSA.strong", "HSA+OBE.strong", "LOBE.strong", "fair.weak", "fair.strong"]
    claims = [
        claim(name, "violates" if name in violated else "consistent with") for name in verdict_names(library())[1:]
    ]
    summary = summary_of(claims)
    assert summary.violated == ("HSA.strong", "fair.weak")
    assert set(summary.consistent) == {"OBE.strong", "LOBE.weak"}
    assert set(summary.not_violated) == {"OBE.strong", "LOBE.weak"}
    assert summary_of([claim("fair.weak", "not tested")]).not_violated == ("fair.weak",)


def test_what_is_at_least_as_fair_as_a_violated_verdict_is_violated_even_if_nobody_tested_it():
    claims = [claim(name, "not tested") for name in verdict_names(library())]
    summary = summary_of(
        [claim("HSA.strong", "violates"), *(known for known in claims if known.verdict != "HSA.strong")]
    )
    assert summary.violated == ("HSA.strong",)
    assert {"LOBE.strong", "HSA+OBE.strong", "fair.strong"}.isdisjoint(summary.not_violated)
    assert "OBE.strong" in summary.not_violated
