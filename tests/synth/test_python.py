"""Test the Python interface: short texts of objects, iteration, data frames, words, and wrong types."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import synth

SYNTH = Path(sys.executable).with_name("synth")
MUTEX = "01100002-01100002"


@pytest.fixture(scope="module")
def found():
    return synth.enumerate_tests("2x2,2x3", jobs=1)


@pytest.mark.full
def test_the_text_of_every_public_object_is_one_short_line(found, tmp_path):
    manifest = synth.save(found, tmp_path / "some.corpus")
    check = synth.check(MUTEX)
    some = [
        found,
        found.ids,
        found.passes,
        synth.count_tests("2x2"),
        manifest,
        synth.Corpus("@complete/3x4"),
        next(iter(found)),
        check,
        check.program,
        check.program[0],
        check.program[0][0],
        synth.explain(MUTEX, "OBE.weak"),
        synth.question("2x2..3x4", models=["fair", "mine = live & stepped"]),
        synth.LitmusTest("mutex", MUTEX, check.program, check.verdicts),
        check.normal_form,
        synth.behaviour(MUTEX),
        synth.smallest_suite("OBE.weak", found.ids),
        synth.smallest_suite("OBE.weak", found.ids).tests[0],
        synth.lattice_of("2x2", jobs=1),
        synth.find_all(synth.Query(synth.question("2x3"), synth.Wanted("OBE.weak")), jobs=1),
        synth.Query(synth.question("2x3"), synth.Wanted("OBE.weak")),
        *synth.models_named(
            ["OBE", "highest-first", "mine = live & (stepped | lowest(live - stepped))", "round-robin"]
        ),
    ]
    for public in some:
        assert len(repr(public)) <= 250, type(public)
        assert "\n" not in repr(public)
    assert repr(found) == "<Enumeration of 2x2,2x3: 170 tests, complete>"
    assert repr(found.ids) == "<Ids of 170 programs: 0000-0010 to 01_20101-0010>"
    assert repr(check) == f"<Check of {MUTEX}: a test, passes 8 of 11 verdicts>"
    assert repr(check.program) == f"<Program {MUTEX}>"
    assert repr(synth.Program(())) == "<Program without threads>"
    assert repr(manifest) == "<Manifest of 2x2,2x3: 170 tests, complete>"
    assert str(synth.explain(MUTEX, "OBE.weak")).splitlines() == list(synth.explain(MUTEX, "OBE.weak").sentences)


def test_tests_are_counted_and_iterated_over_as_records(found, tmp_path):
    synth.save(found, str(tmp_path / "some.corpus"))
    corpus = synth.Corpus(str(tmp_path / "some.corpus"))
    assert len(found) == len(corpus) == len(found.ids) == 170
    assert len(synth.count_tests("2x2")) == 8
    assert list(found) == list(corpus)
    assert [record.id for record in corpus] == found.ids
    first = next(iter(found))
    assert first.verdicts == synth.check(first.id).verdicts
    assert first.program == synth.check(first.id).program


def test_an_answer_without_tests_is_an_answer():
    nothing = synth.enumerate_tests("1x1", jobs=1)
    assert (len(nothing), bool(nothing), list(nothing)) == (0, True, [])


@pytest.mark.full
def test_tests_are_a_data_frame(found):
    frame = found.to_pandas()
    assert list(frame.columns) == ["id", "threads", "instructions", *found.verdicts, "signature", "aliases"]
    assert list(frame["id"]) == found.ids
    assert frame.groupby("signature").size().to_dict() == found.signatures()
    assert frame["instructions"].value_counts().to_dict() == {3: 162, 2: 8}
    for row, record in zip(frame.to_dict("records"), found, strict=True):
        assert {name: "pass" if row[name] else "fail" for name in found.verdicts} == record.verdicts
    shipped = synth.Corpus("@complete/2x2").to_pandas()
    assert list(shipped["id"]) == synth.enumerate_tests("2x2", jobs=1).ids


@pytest.mark.full
def test_a_data_frame_has_the_columns_of_parquet(found, tmp_path):
    import duckdb

    synth.save(found, tmp_path / "some.corpus")
    done = subprocess.run(
        [SYNTH, "corpus", "export", "some.corpus", "--format", "parquet", "--out", "some.parquet"], cwd=tmp_path
    )
    assert done.returncode == 0
    frame = synth.Corpus(tmp_path / "some.corpus").to_pandas()
    table = duckdb.read_parquet(str(tmp_path / "some.parquet"))
    assert table.columns == list(frame.columns)
    assert [list(row) for row in table.fetchall()] == frame.values.tolist()


def test_without_pandas_it_is_said_how_to_install_it(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        synth.InputError, match=r"to_pandas: pandas is not installed; to install it: .*pandas>="
    ) as told:
        found.to_pandas()
    assert "\n" not in str(told.value)


def test_the_version_is_that_of_the_package():
    assert synth.__version__ == importlib.metadata.version("progress-synth")
    assert "__version__" in dir(synth)


def test_the_package_lists_what_it_offers_and_nothing_else():
    assert [name for name in dir(synth) if not name.startswith("__")] == sorted(synth.__all__)


@pytest.mark.full
def test_a_string_is_taken_wherever_the_command_line_takes_words():
    assert synth.question("2x2, 2x3") == synth.question(["2x2", "2x3"])
    asked = synth.question("2x2", models="fair,OBE", without="effective-stores, all-branches", up_to="threads")
    assert asked == synth.question(
        ["2x2"], models=["OBE", "fair"], without=["all-branches", "effective-stores"], up_to=["threads"]
    )
    assert synth.enumerate_tests("2x2", jobs=1).ids == synth.enumerate_tests(synth.question("2x2"), jobs=1).ids
    assert synth.lattice_of("2x2", jobs=1).edges == synth.lattice_of(synth.question("2x2"), jobs=1).edges
    assert synth.separate("OBE.weak", "fair.weak", "2x2", jobs=1)[1].search.tests == ["0000-0010"]
    assert synth.check(MUTEX, "OBE,fair.weak").verdicts.keys() == {"OBE.weak", "OBE.strong", "fair.weak"}
    assert synth.check(MUTEX, "live & stepped").verdicts == {
        "live & stepped.weak": "pass",
        "live & stepped.strong": "pass",
    }
    assert synth.Wanted("OBE.weak", "HSA.weak") == synth.Wanted(("OBE.weak",), ("HSA.weak",))


@pytest.mark.full
def test_a_program_is_taken_as_every_word_that_the_command_line_takes(tmp_path):
    text = synth.write_program(synth.check(MUTEX).program)
    file = tmp_path / "mutex.txt"
    file.write_text(text)
    for given in (MUTEX, "mutex", text, file, str(file), synth.read_program(text)):
        assert synth.check(given).id == MUTEX
        assert [check.id for check in synth.check_all(given)] == [MUTEX]
        assert synth.explain(given, "OBE.weak").result == "pass"
    assert [check.id for check in synth.check_all([file, "mutex"])] == [MUTEX, MUTEX]
    assert [check.id for check in synth.check_all("@complete/2x2")] == [
        record.id for record in synth.Corpus("@complete/2x2")
    ]
    for number, given in enumerate((MUTEX, "mutex", file, "@complete/2x2", [str(file), "@complete/2x2"])):
        assert Path(synth.emit("cpp", given, tmp_path / f"{number}")[0]).exists()
    assert len(list((tmp_path / "4").glob("test-*.cpp"))) == 9
    with pytest.raises(
        synth.InputError, match=r"program: found 8 programs in @complete/2x2, expected a single program"
    ):
        synth.check("@complete/2x2")
    with pytest.raises(synth.InputError, match=r"^0112: .*; as an id '0112': instruction 0: found target 2, expected"):
        synth.check("0112")


def calls(bad, folder, good):
    """Each public function with a value of a wrong type in the place of each argument; `good` is an enumeration."""
    asked = synth.question("2x2")
    return {
        "question": lambda: synth.question(bad),
        "question, locations": lambda: synth.question("2x2", locations=bad),
        "question, values": lambda: synth.question("2x2", values=bad),
        "question, without": lambda: synth.question("2x2", without=bad),
        "question, models": lambda: synth.question("2x2", models=bad),
        "question, minimal": lambda: synth.question("2x2", minimal=bad),
        "question, up_to": lambda: synth.question("2x2", up_to=bad),
        "enumerate_tests": lambda: synth.enumerate_tests(bad),
        "enumerate_tests, jobs": lambda: synth.enumerate_tests("2x2", jobs=bad),
        "enumerate_tests, engine": lambda: synth.enumerate_tests("2x2", engine=bad),
        "count_tests": lambda: synth.count_tests(bad),
        "check": lambda: synth.check(bad),
        "check, models": lambda: synth.check(MUTEX, bad),
        "check_all": lambda: synth.check_all(bad),
        "explain": lambda: synth.explain(bad, "OBE.weak"),
        "explain, verdict": lambda: synth.explain(MUTEX, bad),
        "save": lambda: synth.save(bad, folder / "new"),
        "save, folder": lambda: synth.save(good, bad),
        "Corpus": lambda: synth.Corpus(bad),
        "emit, target": lambda: synth.emit(bad, [MUTEX], folder / "new"),
        "emit, tests": lambda: synth.emit("cpp", bad, folder / "new"),
        "emit, folder": lambda: synth.emit("cpp", [MUTEX], bad),
        "emit, mapping": lambda: synth.emit("cpp", [MUTEX], folder / "new", mapping=bad),
        "emit, instances": lambda: synth.emit("cpp", [MUTEX], folder / "new", instances=bad),
        "emit, stress": lambda: synth.emit("cpp", [MUTEX], folder / "new", stress=bad),
        "emit, stress_shape": lambda: synth.emit("cpp", [MUTEX], folder / "new", stress_shape=bad),
        "emit, width": lambda: synth.emit("cpp", [MUTEX], folder / "new", width=bad),
        "emit, per_file": lambda: synth.emit("cpp", [MUTEX], folder / "new", per_file=bad),
        "read_program": lambda: synth.read_program(bad),
        "read_programs": lambda: synth.read_programs(bad),
        "write_program": lambda: synth.write_program(bad),
        "Program": lambda: synth.Program(bad),
        "Thread": lambda: synth.Thread(bad),
        "Instruction": lambda: synth.Instruction(bad, 0, 0),
        "minimal": lambda: synth.minimal(bad),
        "shrink": lambda: synth.shrink(bad),
        "shrink, keep": lambda: synth.shrink(MUTEX, bad),
        "behaviour": lambda: synth.behaviour(bad),
        "behaviour_hashes": lambda: synth.behaviour_hashes(bad),
        "smallest_suite": lambda: synth.smallest_suite("OBE.weak", bad),
        "smallest_suite, verdict": lambda: synth.smallest_suite(bad, [MUTEX]),
        "annotated": lambda: synth.annotated(bad),
        "name_of": lambda: synth.name_of(bad),
        "names": lambda: synth.names(bad),
        "models_named": lambda: synth.models_named(bad),
        "compared": lambda: synth.compared(bad, [MUTEX]),
        "compared, ids": lambda: synth.compared(synth.models_named(["OBE"]), bad),
        "Query": lambda: synth.Query(bad, synth.Wanted()),
        "Query, wanted": lambda: synth.Query(asked, bad),
        "Wanted": lambda: synth.Wanted(bad),
        "Wanted, contains": lambda: synth.Wanted(contains=bad),
        "find_first": lambda: synth.find_first(bad),
        "find_all": lambda: synth.find_all(bad),
        "lattice_of": lambda: synth.lattice_of(bad),
        "separate": lambda: synth.separate(bad, "OBE.weak", asked),
        "separate, question": lambda: synth.separate("HSA.weak", "OBE.weak", bad),
    }


def test_a_name_that_looks_like_an_id_is_refused_with_the_name_that_was_meant():
    with pytest.raises(synth.InputError, match=r"mutx: .*\(did you mean mutex\?\).*; as an id 'mutx': "):
        synth.check("mutx")


@pytest.mark.parametrize("part", ["bounds", "without", "up_to"])
def test_a_part_of_a_question_that_is_not_several_is_told_in_one_line(part):
    with pytest.raises(synth.InputError, match=r"found 3, which is of type int, expected several"):
        synth.Question(**{"bounds": synth.question("2x2").bounds, part: 3})


# The names alone: what is tested would be held until the interpreter ends, when nanobind says of it that it leaks.
@pytest.mark.parametrize("name", list(calls(None, None, None)))
def test_a_wrong_type_is_told_in_one_line(tmp_path, found, name):
    for bad in (object(), [3.5], b"2x2", {3.5}):
        with pytest.raises(synth.InputError) as told:
            calls(bad, tmp_path, found)[name]()
        assert "\n" not in str(told.value), bad
        assert "found" in str(told.value), bad
        assert "expected" in str(told.value), bad
        assert not (tmp_path / "new").exists(), bad


def test_one_id_where_several_are_expected_is_told():
    with pytest.raises(synth.InputError, match=r"ids: found '01100002-01100002', .*expected a list of ids"):
        synth.minimal(MUTEX)
