"""Test the comparison of engines and oracles: it finds nothing if all are right, and every one that lies."""

import json

import pytest

from quick import mostly_full
from synth.cli import crosscheck as command
from synth_checker.programs.ids import lines_of
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge as judge_by_core
from synth_search import crosscheck as crosschecking
from synth_search.crosscheck import ORACLES, crosscheck
from synth_search.engines.choice import engine_for, engines_that_take
from synth_workers.stop import Stop

LOST = "0011-00_0"
ADDED = "00_0-00_0"  # it can't end


class Liar:
    """The explicit engine, less one test or with one program more."""

    name, solver = "liar", None

    def __init__(self, question, without=(), also=()):
        self._engine, self._without, self._also = engine_for(question, "explicit"), without, also

    def units(self, jobs):
        return [*self._engine.units(jobs), *self._also]

    def solve(self, unit):
        found = [f"{unit}\n".encode()] if isinstance(unit, str) else self._engine.solve(unit)
        for lines in found:
            yield lines_of(id_ for id_ in lines.decode().split() if id_ not in self._without)


def question(*bounds, models=("HSA", "fair")):
    return Question(parse_bounds(bounds), models=models)


def liar_oracle(*ids, bit):
    def judge(asked, models):
        judged = zip(asked, judge_by_core(asked, models), strict=True)
        return [mask ^ (1 << bit if id_ in ids else 0) for id_, mask in judged]

    return judge


def compared(asked, *engines, **more):
    engines = engines or [engine_for(asked, name) for name in ("explicit", "sat")]
    with Stop() as stop:
        return crosscheck(asked, {engine.name: engine for engine in engines}, stop, jobs=1, **more)


@pytest.mark.parametrize(
    ("bounds", "names"),
    [
        pytest.param(("2x2", "2x3", "3x3"), None, marks=pytest.mark.full),
        *(pytest.param((b,), ("explicit", "sat", "sat-full"), marks=pytest.mark.full) for b in ("2x4", "3x4", "4x4")),
        *(
            pytest.param((b,), ("explicit", "sat", "sat-full"), marks=pytest.mark.exhaustive)
            for b in ("2x5", "3x5", "4x5")
        ),
    ],
)
def test_engines_and_oracles_agree(bounds, names):
    asked = question(*bounds)
    engines = [engine_for(asked, name) for name in names] if names else engines_that_take(asked)[0]
    found = compared(asked, *engines, sample=100)
    assert found.programs == ()
    assert {part.tests for part in found.engines} == {found.tests}
    assert {part.tests for part in found.oracles} == {found.judged} == {100}


@pytest.mark.full
@mostly_full(("lie", "id_", "has"), [({"without": (LOST,)}, LOST, False), ({"also": (ADDED,)}, ADDED, True)])
def test_an_engine_that_loses_a_test_or_adds_a_program_is_reported(lie, id_, has):
    asked = question("2x2", "2x3")
    found = compared(asked, engine_for(asked, "explicit"), Liar(asked, **lie))
    (disagreement,) = found.programs
    assert (disagreement.id, disagreement.found) == (id_, {"explicit": not has, "liar": has})
    assert disagreement.disputed == []


@pytest.mark.full
def test_an_oracle_that_flips_a_verdict_is_reported_with_the_smallest_program_first():
    small, large = LOST, "0000-00100010"
    found = compared(question("2x2", "2x3"), oracles={**ORACLES, "liar": liar_oracle(large, small, bit=1)})
    assert [disagreement.id for disagreement in found.programs] == [small, large]
    assert found.programs[0].disputed == ["HSA.strong"]


@pytest.mark.full
def test_a_sample_is_the_same_each_time_and_stated():
    once, again = (compared(question("2x3"), sample=10) for _ in range(2))
    assert (once.judged, once.seed, once.tests) == (again.judged, again.seed, again.tests) == (10, 1, 162)
    assert compared(question("2x2"), sample=10).seed is None


@pytest.mark.full
def test_the_command_leaves_with_1_and_shows_the_program(synth, monkeypatch):
    asked = question("2x2")
    engines = {"explicit": engine_for(asked, "explicit"), "liar": Liar(asked, (LOST,))}
    monkeypatch.setattr(command, "_engines", lambda *_: (engines, []))
    monkeypatch.setitem(crosschecking.ORACLES, "twin", liar_oracle(LOST, bit=1))
    ran = synth("crosscheck", "--bounds", "2x2")
    assert ran.code == 1
    assert "2x2: disagreement on 1 program; the smallest:\n0011-00_0\nTHREAD 0\n0: Mem[0] = 1;\n" in ran.out
    assert ran.out.endswith("engine explicit: found\nengine liar: not found\nHSA.weak: core pass, twin fail\n")
    said = json.loads(synth("crosscheck", "--bounds", "2x2", "--json").out)
    assert (said["agreed"], said["disagreements"], said["smallest"]["id"]) == (False, 1, LOST)
    assert said["smallest"]["found"] == {"explicit": True, "liar": False}


def test_a_run_that_is_stopped_compares_nothing():
    asked = question("2x2")
    with Stop(memory=1) as stop:
        assert crosscheck(asked, {"explicit": engine_for(asked, "explicit")}, stop, jobs=1) is None
    assert stop.reason.exit_code == 75
