"""A program as users write it with `import synth`. Nobody runs it: `test_typing.py` has mypy check it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, assert_type

import synth
from synth import Corpus, InputError, Program, check


def progress(done: int, units: int, tests: int) -> None:
    print(done, units, tests)


def enumerating() -> None:
    asked = synth.question("2x2..2x3", without=["effective-stores"], models=["OBE", "mine = live & stepped"])
    assert_type(asked, synth.Question)
    assert_type(asked.bounds, tuple[synth.Bound, ...])
    assert_type(synth.models_named(asked.models), tuple[synth.Model, ...])
    found = synth.enumerate_tests(asked, jobs=2, progress=progress)
    assert_type(found, synth.Enumeration)
    assert_type(found.complete, bool)
    with synth.Stop(time_limit=60.0, memory=1 << 30) as stop:
        assert_type(synth.enumerate_tests(asked, stop=stop).stopped, synth.Reason | None)
    assert_type(found.ids, synth.Ids)
    assert_type(found.ids[0], str)
    assert_type(found.ids[:2], list[str])
    assert_type(len(found), int)
    assert_type(next(iter(found)), synth.Record)
    assert_type(found.splits(), dict[str, int])
    assert_type(synth.count_tests("2x2"), synth.Count)


def keeping(found: synth.Enumeration) -> list[str]:
    manifest = synth.save(found, Path("some.corpus"), force=True)
    assert_type(manifest, synth.Manifest)
    corpus = Corpus("some.corpus")
    assert_type(corpus.manifest, synth.Manifest)
    return [test.id for test in corpus if test.verdicts["OBE.weak"] == "pass"]


def checking(program: Program) -> None:
    one = check(program, "OBE.weak")
    assert_type(one, synth.Check)
    assert_type(one.id, str)
    assert_type(one.is_test, bool)
    assert_type(one.normal_form, synth.NormalForm)
    verdict: Literal["pass", "fail"] = one.verdicts["OBE.weak"]
    print(verdict)
    assert_type(synth.check_all(["00_0-0011", program], ["OBE"]), list[synth.Check])
    assert_type(synth.explain("mutex", "HSA.weak"), synth.Explanation)


def analysing(folder: Path) -> None:
    assert_type(synth.analyse(folder), synth.Analysis)
    assert_type(synth.analyse(["one.campaign", folder], models="HSA,OBE"), synth.Analysis)


def simulating(program: Program) -> None:
    scheduler = synth.read_scheduler("linear")
    assert_type(scheduler, synth.Scheduler)
    found = synth.simulate(program, scheduler, mapping="chunked", instances=10, launches=2, first=1, seed=3)
    assert_type(found, synth.Simulation)
    assert_type(found.hung, int)
    launch: synth.LaunchResult = found.launches[0]
    outcome: Literal["ended", "hung"] = launch.outcome
    assert_type(launch.finished, tuple[int, ...])
    print(outcome)
    found_attack = synth.attack(program, "OBE.strong")
    assert_type(found_attack, synth.Attack | None)
    if found_attack is not None:
        assert_type(found_attack.cycle, tuple[int, ...])


def programs(text: str) -> synth.Program:
    read = synth.read_program(text)
    assert_type(synth.read_programs(text), list[synth.NamedProgram])
    thread = read[0]
    assert_type(thread, synth.Thread)
    assert_type(thread[0], synth.Instruction)
    assert_type(thread[0].exch, int | None)
    assert_type(synth.write_program(read), str)
    return synth.Program((thread, synth.Thread((synth.Instruction(loc=0, check=0, target=1, exch=1),))))


def below(ids: Sequence[str]) -> None:
    assert_type(synth.minimal(ids, synth.models_named(["unfair"])), list[bool])
    for shrunk in synth.shrink(ids[0], {"fair.weak": False}):
        assert_type(shrunk, synth.Shrunk)
        assert_type(shrunk.steps, tuple[synth.Relaxation, ...])
    assert_type(synth.behaviour(ids[0]), synth.Behaviour)
    assert_type(synth.behaviour_hashes(ids), list[str])


def naming(ids: Sequence[str]) -> None:
    assert_type(synth.name_of(ids[0]), str)
    assert_type(synth.names(ids), dict[str, str])
    assert_type(synth.annotated(ids), list[synth.Annotation])


def suites(ids: Sequence[str]) -> Mapping[str, synth.Suite | None]:
    suite = synth.smallest_suite("OBE.weak", ids, redundancy=2)
    assert_type(suite, synth.Suite)
    assert_type(suite.tests, tuple[synth.SuiteTest, ...])
    assert_type(suite.tests[0].reaches, tuple[synth.Goal, ...])
    return synth.smallest_suites(["OBE", "LOBE.strong"], ids)


def searching(asked: synth.Question) -> Iterator[str]:
    wanted = synth.Wanted(passes=("OBE.weak",), fails=("HSA.weak",), contains=("mutex",))
    assert_type(synth.find_first(synth.Query(asked, wanted)), synth.Directed)
    assert_type(synth.find_first(synth.Query(asked, wanted)).bounds, tuple[synth.Searched, ...])
    yield from synth.find_all(synth.Query(asked, wanted)).tests
    there, _ = synth.separate("OBE.weak", "fair.weak", "2x2")
    assert_type(there, synth.Direction)
    assert_type(there.implied, bool)
    assert_type(synth.lattice_of("2x2..3x4"), synth.Lattice)
    for pair, comparison in synth.compared(synth.models_named(["HSA", "OBE"]), ["00_0-0011"]).items():
        assert_type(pair, tuple[str, str])
        assert_type(comparison, synth.Comparison)


def emitting(program: synth.Program) -> list[str]:
    tests = [synth.LitmusTest("mine", synth.check(program).id, program, {"OBE.weak": "pass"})]
    try:
        made = synth.emit("cpp", tests, "for-this-machine", instances=10)
    except InputError as error:
        assert_type(error, synth.InputError)
        raise
    except (synth.LimitError, synth.ResourceError) as error:
        user_fault: synth.UserError = error
        return [str(user_fault), synth.__version__]
    except synth.InternalError:
        return []
    return [path.name for path in made]


def verifying() -> None:
    found = synth.verify(Path("scan.cl"), synth.Launch((64,), (None,)), kernel="scan", bounds=True, only="divergence")
    assert_type(found, list[synth.Verified])
    assert_type(found[0].complete, bool)
    assert_type(found[0].counterexamples, tuple[synth.Counterexample, ...])
    assert_type(found[0].counterexamples[0].lines, tuple[int, ...])


def calling_commands(program: Program) -> None:
    assert_type(synth.find(pass_=["OBE.weak"], fail=["HSA.weak"], time_limit=60.0).complete, bool)
    assert_type(synth.lattice("2x2").complete, bool)
    assert_type([suite.verdict for suite in synth.suite(model="OBE.weak", from_="@complete/3x4")], list[str])
    assert_type(synth.certify("3x4.corpus", out="3x4.certificate").proven, bool)
    assert_type(synth.audit(Path("3x4.certificate")).rests_on, list[str])
    assert_type(synth.commands.check(program)[0].breaks, tuple[str, ...])
    assert_type(synth.show(program).id, str)
    assert_type(synth.corpus.merge(["a.corpus", "b.corpus"], out="c.corpus")["tests"], int)
    assert_type(synth.job.list(".")[0].done, int)
    assert_type(synth.model.show("OBE").name, str)
    assert_type(synth.device.show("sim").driver, str)
    assert_type(synth.sim.show("linear").implied, tuple[str, ...])
    assert_type(
        synth.kernel.need("lock.cl", arg={"lock": "0:1"}, workgroups=2, local_size=(4, 2)).needs, tuple[str, ...]
    )
    assert_type([table.kernel for table in synth.kernel.banks("k.cu", "today")], list[str])
    assert_type([proved.name for proved in synth.machine.prove("@gpu")], list[str])
    synth.campaign.run("it.campaign")
    synth.lts("mutex", format="dot")
    synth.probe(device="sim", yes=True)
    try:
        print(synth.enumerate("2x2", expect=9), synth.crosscheck("2x2"))
    except synth.UnexpectedAnswerError as unexpected:
        print(unexpected.answer)
    for wrote in (synth.explore, synth.plot, synth.report):
        print(wrote)
