"""The order `informative` of campaigns: the same cells, the most telling first."""

from dataclasses import replace

import pytest

from campaigns import Watcher, fake, ids_of, litmus_tests, results, settings
from synth_analysis.belief import Belief
from synth_analysis.evidence import Costs, Evidence, signatures_of
from synth_analysis.hypotheses import hypotheses_of
from synth_analysis.informative_order import InformativeOrder
from synth_analysis.next_test import Candidate, Cost, proposals
from synth_campaigns.claims import claims_of
from synth_campaigns.folder import create, lock_campaign, open_store, settings_in
from synth_campaigns.run import CampaignRun
from synth_campaigns.settings import LaunchSettings

TESTS = (*ids_of("@minimal/2x2"), *ids_of("@minimal/2x3", 6))
DEVICE = "sim:strided"
ALIKE = {"plain": Cost(1.0, 1.0), "chunked": Cost(1.0, 1.0)}


def go(folder, asked, order, watcher=None):
    """Run a campaign in the order informative or in the order of its cells; return the order of its attempts."""
    if not folder.exists():
        create(folder, replace(asked, order=order), litmus_tests(asked.suite))
    with lock_campaign(folder), open_store(folder) as store:
        running = CampaignRun(folder, settings_in(folder), store, watcher or Watcher())
        if order == "informative":
            running.ordered = InformativeOrder(store, asked.launches.timeout_s)
        running.go()
        return [number for (number,) in store.read("SELECT DISTINCT cell FROM attempt ORDER BY id")]


@pytest.fixture
def asked():
    launches = LaunchSettings(count=5, after_hang=0)
    return settings(DEVICE, TESTS, launches=launches, mappings=("plain", "chunked"), instances=60)


@pytest.mark.full
def test_all_cells_are_run_and_the_claims_are_the_same(asked, tmp_path):
    orders = {order: go(tmp_path / order, asked, order) for order in ("as-given", "informative")}
    assert orders["informative"] != orders["as-given"] == sorted(orders["informative"])
    claims = []
    for order in orders:
        found = results(tmp_path / order, DEVICE).values()
        claims.append([(claim.verdict, claim.status, claim.launches) for claim in claims_of(list(found))])
    assert claims[0] == claims[1]


@pytest.mark.full
def test_each_cell_is_the_best_after_those_before_it(asked, tmp_path, monkeypatch):
    """The twin computes everything anew before each cell. All launches take a second, so that no clock decides."""
    monkeypatch.setattr(Costs, "under", lambda _, mapping: ALIKE[mapping])
    signatures = signatures_of(TESTS)
    hypotheses = hypotheses_of(signatures.values())
    order = go(tmp_path / "it", asked, "informative")
    with open_store(tmp_path / "it") as store:
        cells = dict(enumerate(store.cells(), 1))
        counts = store.counts()
    for place, number in enumerate(order):
        evidence = Evidence(is_relaxed=False)
        for done in order[:place]:
            ends, test = counts[done].ends, cells[done].test
            evidence.add(cells[done], signatures[test], ends.get("given up", 0), ends.get("ended", 0))
        left = [
            Candidate(cells[later].test, signatures[cells[later].test], cells[later].setting.mapping, 5)
            for later in order[place:]
        ]
        ranked = proposals(Belief(hypotheses, seen=evidence.groups), left, ALIKE)
        of_group = {proposal.candidate.group: proposal for proposal in ranked}
        chosen = of_group[signatures[cells[number].test], cells[number].setting.mapping]
        assert chosen.worth.score == pytest.approx(ranked[0].worth.score)
        assert chosen.candidate.test == cells[number].test


@pytest.mark.full
def test_a_run_that_was_stopped_goes_on(asked, tmp_path):
    some = go(tmp_path / "it", asked, "informative", Watcher(7))
    assert len(some) == 7
    assert go(tmp_path / "it", asked, "informative")[:7] == some
    with open_store(tmp_path / "it") as store:
        assert len(store.counts()) == len(store.cells())


def test_what_tells_nothing_comes_last(tmp_path):
    """On a device with relaxed memory, a hang of a test with two locations may have other reasons."""
    two = next(id_ for id_ in ids_of("@minimal/2x4") if "1" in {digits[0] for digits in _instructions(id_)})
    name, _ = fake(tmp_path / "fake", {})
    asked = settings(name, (two, "0010-0000", "00_0-0011"))
    folder = tmp_path / "it"
    create(folder, asked, litmus_tests(asked.suite))
    with open_store(folder) as store:
        first = next(number for number, cell in enumerate(store.cells(), 1) if cell.test == two)
        numbers = range(1, 4)
        store.note_driver(name, "fake", {}, "seq_cst")
        assert set(InformativeOrder(store, 1.0)(numbers)) == set(numbers)
        store.note_driver(name, "fake", {}, "relaxed device")
        assert list(InformativeOrder(store, 1.0)(numbers))[-1] == first


def _instructions(id_):
    return [thread[k : k + 4] for thread in id_.split("-") for k in range(0, len(thread), 4)]


def test_costs_are_means_of_what_was_timed():
    costs = Costs({("plain", "ended"): (4, 2.0), ("chunked", "given up"): (2, 8.0)}, 30.0, decides=False)
    assert costs.under("plain") == (0.5, 4.0)
    assert costs.under("chunked") == (0.5, 4.0)
    costs.add({("plain", "ended"): (6, 12.0)}, {("plain", "ended"): (2, 6.0)})
    assert costs.under("plain").launch_s == 1.0
    assert Costs({}, 30.0, decides=False).under("plain") == (1.0, 30.0)
    assert Costs({}, 30.0, decides=True).under("plain") == (1.0, 1.0)
