"""`synth probe`: the answer fits on a screen, and says of simulated devices what is known of them."""

import json

import pytest

from synth.probing import summary_of, telling_tests
from synth.work.execution import tell_nobody
from synth_campaigns.claims import Claim
from synth_checker.models import library, verdict_names
from synth_devices.sim.presets import IMPLIED


def claim(verdict, status):
    return Claim(verdict, status, (), 0, (), None, "")


@pytest.fixture(scope="module")
def ids():
    return telling_tests(tell_nobody)


def test_the_summary_is_the_least_fair_violated_and_the_fairest_consistent_verdicts():
    violated = ["HSA.strong", "HSA+OBE.strong", "LOBE.strong", "fair.weak", "fair.strong"]
    claims = [
        claim(name, "violates" if name in violated else "consistent with") for name in verdict_names(library())[1:]
    ]
    summary = summary_of(claims)
    assert summary.violated == ("HSA.strong", "fair.weak")
    assert set(summary.consistent) == {"OBE.strong", "LOBE.weak"}
    assert summary_of([claim("fair.weak", "not tested")]) == ((), ())


@pytest.mark.parametrize("scheduler", ["serial", "strided", "lockstep"])
def test_the_answer_fits_on_a_screen_and_violates_nothing_that_the_scheduler_implies(synth, scheduler):
    code, out, err = synth("probe", "--device", f"sim:{scheduler}", "--launches", "5")
    lines = out.splitlines()
    assert code == 0, err
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    code, out, _ = synth("probe", "--device", f"sim:{scheduler}", "--launches", "5", "--json")  # nothing is run again
    (device,) = json.loads(out)["devices"]
    claims = {one["verdict"]: one["claim"] for one in device["claims"]}
    assert all(claims[verdict] == "consistent with" for verdict in IMPLIED[scheduler])
    assert "violates" in claims.values()


def test_without_a_device_it_lists_what_is_here(synth, monkeypatch):
    from synth.inspecting import listing

    monkeypatch.setattr(listing, "KINDS", {kind: listing.KINDS[kind] for kind in ("sim", "command")})
    code, out, _ = synth("probe")
    assert code == 0
    assert out.splitlines()[0].split()[:3] == ["sim", "simulated", "scheduler:"]
    assert out.endswith("\nProbe one of them by its name, such as: synth probe --device cpu\n")


def test_it_asks_before_a_hang_may_freeze_the_screen(synth, tmp_path):
    code, out, err = synth("probe", "--device", "command:true")
    assert (code, out) == (2, "")
    assert err.endswith("Give --yes to run them.\n")
    assert not list(tmp_path.iterdir())
