"""Test that no verdict of a model of one's own is lost: each format and each command keeps it or refuses it."""

import json
import re
import shutil
from pathlib import Path

import pytest

import own_models
from quick import mostly_full
from synth_backends.emission import emit
from synth_checker.errors import InputError
from synth_checker.models import library, read_model, verdict_names
from synth_checker.verdicts import judge
from synth_corpus.formats import FORMATS
from synth_corpus.imports import import_tests
from synth_corpus.store import Corpus
from synth_explorer.page_content import page_content
from synth_explorer.page_data import packed_corpus, packed_suite
from synth_explorer.suites import suites_in
from synth_litmus.inputs.named_tests import ids_in, names_of
from synth_search.suites.choice import smallest_suites
from synth_search.suites.records import write_suites

MINE = own_models.MINE
SIX = verdict_names(library())
ALL = (*SIX, "mine.weak", "mine.strong")
OTHER = "mine = live & lowest(live)"
SPINNER = "00_0-0011"
UNKNOWN = "found verdicts of models that are not known here"

#: What each format does with verdicts. A new format needs a place here.
WRITES_ALL = ("jsonl", "csv", "published", "parquet", "cadp", "dartagnan")
WRITES_ONE = ("mustpass", "herd", "junit")
WRITES_PROGRAMS = ("text", "tuples", "artifact", "promela", "tree", "tree-artifact")
WRITES_RESULTS = ("results", "results-tests")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the suites of a model of one's own, and with the corpus that is imported from them."""
    folder = tmp_path_factory.mktemp("own")
    ids = [id_ for bound in ("2x2", "2x3", "2x4") for id_ in ids_in(f"@complete/{bound}")]
    found = [suite for suite in smallest_suites([MINE, "OBE.weak"], ids).values() if suite is not None]
    names = names_of({test.id for suite in found for test in suite.tests})
    write_suites([suite.named(names) for suite in found], folder / "suites")
    import_tests([folder / "suites"], FORMATS["jsonl"], folder / "mine.corpus")
    return folder


@pytest.fixture
def suite(made, tmp_path):
    """The folder of the suites, beside the corpus, where the test runs its commands."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "suites"


def verdicts_of(folder):
    return {record.id: record.verdicts for record in Corpus(Path(folder))}


def decided(ids, model=MINE):
    models = (*library(), read_model(model, "own"))
    names = verdict_names(models)
    return {
        id_: {name: "pass" if mask >> k & 1 else "fail" for k, name in enumerate(names)}
        for id_, mask in zip(ids, judge(list(ids), models), strict=True)
    }


def undefined(folder):
    """A file with the records of the suites, without the definitions of models, and the number of its verdicts."""
    records = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    given = sum(len(record["verdicts"]) for record in records)
    for record in records:
        record.pop("models", None)
    (folder.parent / "undefined.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return folder.parent / "undefined.jsonl", given


# --- formats ---


def text_in(place):
    files = sorted(place.rglob("*")) if place.is_dir() else [place]
    return "\n".join(f"{path.name}\n{path.read_text()}" for path in files if path.is_file())


def test_what_each_format_does_with_verdicts_is_known():
    assert sorted([*WRITES_ALL, *WRITES_ONE, *WRITES_PROGRAMS, *WRITES_RESULTS]) == sorted(FORMATS)


@pytest.mark.full
@mostly_full("form", FORMATS, quick=2)
def test_each_format_keeps_the_verdicts_of_an_own_model_or_refuses_them(synth, suite, form):  # noqa: ARG001
    model = ["--model", "mine.weak"] if form in WRITES_ONE else []
    table = ["--table", "phone"] if form in WRITES_RESULTS else []
    made = synth("corpus", "export", "mine.corpus", "--format", form, "--out", "out", *model, *table)
    found = verdicts_of("mine.corpus")
    assert found == decided(found)
    if form in WRITES_RESULTS:
        assert (made.code, made.err[:45]) == (2, "synth: table: no test has results in 'phone';")
        return
    assert made.code == 0
    passing = {id_ for id_, verdicts in found.items() if verdicts["mine.weak"] == "pass"}
    if form == "parquet":
        import duckdb

        table = duckdb.read_parquet("out")
        rows = {row[0]: row[3 : 3 + len(ALL)] for row in table.fetchall()}
        assert table.columns[3 : 3 + len(ALL)] == list(ALL)
        assert rows == {id_: tuple(word == "pass" for word in verdicts.values()) for id_, verdicts in found.items()}
    elif form in WRITES_ALL:
        told = text_in(Path("out"))
        assert [name for name in ALL if name not in told and (form, name) != ("published", "unfair")] == []
    elif form == "mustpass":
        assert set(Path("out").read_text().split()) == passing
    elif form in WRITES_ONE:
        assert [id_ for id_ in found if id_ not in text_in(Path("out"))] == []
    else:
        assert [name for name in ALL if f'{name}"' in text_in(Path("out"))] == []


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.read or name.startswith("tree")])
def test_what_is_imported_again_has_all_verdicts_or_is_refused(synth, suite, form):  # noqa: ARG001
    read = {"tree": "text", "tree-artifact": "artifact"}.get(form, form)
    model = ["--model", "mine.weak"] if form in WRITES_ONE else []
    assert synth("corpus", "export", "mine.corpus", "--format", form, "--out", "out", *model).code == 0
    again = ("corpus", "import", "out", "--format", read, "--out", "again.corpus")
    if form in WRITES_ALL:
        refused = synth(*again)
        assert refused.code == 2
        assert refused.err.endswith(f"{UNKNOWN}: mine.weak, mine.strong; give their models with --model\n")
        assert not Path("again.corpus").exists()
    found = verdicts_of("mine.corpus")
    told = json.loads(synth(*again, "--model", MINE, "--json").out)
    assert verdicts_of("again.corpus") == (
        {id_: verdicts for id_, verdicts in found.items() if verdicts["mine.weak"] == "pass"}
        if form == "mustpass"
        else found
    )
    of_each = {"jsonl": len(ALL), "csv": len(ALL), "published": len(ALL) - 1}.get(form, 0)
    assert (told["verdicts"], told["differing"]) == (of_each * len(found), [])
    for name in ("mine.corpus", "again.corpus"):
        assert Corpus(Path(name)).manifest.models["mine"] == MINE.partition(" = ")[2]


def test_a_model_that_promises_nothing_keeps_its_one_verdict_in_a_table(synth):
    assert synth("enumerate", "--bounds", "2x2", "--model", "mine = none", "--out", "none.corpus").code == 0
    assert synth("corpus", "export", "none.corpus", "--format", "csv", "--out", "none.csv").code == 0
    words = ("corpus", "import", "none.csv", "--format", "csv", "--out", "again.corpus")
    assert synth(*words).err == (
        "synth: none.csv:2: found verdicts of models that are not known here: mine; give their models with --model\n"
    )
    told = json.loads(synth(*words, "--model", "mine = none", "--json").out)
    assert (told["verdicts"], told["differing"]) == (8, [])


@pytest.mark.parametrize("command", [("export", "a", "--format", "parquet", "--out", "p"), ("query", "a", "SELECT 1")])
def test_verdicts_that_a_database_takes_for_one_are_refused(synth, command):
    assert synth("enumerate", "--bounds", "2x2", "--model", "HSA,hsa = live", "--out", "a").code == 0
    refused = synth("corpus", *command)
    assert (refused.code, refused.err) == (
        2,
        "synth: parquet: DuckDB takes HSA.weak and hsa.weak for the same column; rename the model\n",
    )


# --- import ---


def test_a_suite_is_imported_with_all_its_verdicts(synth, suite):
    _, given = undefined(suite)
    told = synth("corpus", "import", "suites", "--format", "jsonl", "--out", "again.corpus")
    assert "judged also under mine\n" in told.out
    assert f"the files give {given} verdicts, of which {given} agree with those of synth\n" in told.out


def test_a_model_that_no_file_defines_is_given(synth, suite):
    place, given = undefined(suite)
    words = ("corpus", "import", place, "--format", "jsonl", "--out", "again.corpus")
    refused = synth(*words)
    assert refused.code == 2
    assert (
        refused.err.splitlines()
        == [
            f"synth: {place}:{line}: found verdicts of models that are not known here: mine.weak, mine.strong; "
            "give their models with --model"
            for line, text in enumerate(place.read_text().splitlines(), 1)
            if "mine" in text
        ][:1]
    )
    (suite.parent / "own.models").write_text(f"# of mine\n{MINE}\n")
    for model in (MINE, "own.models", "own.models:mine.weak", MINE.replace("mine", "mine.weak")):
        told = json.loads(synth(*words, "--model", model, "--json", "--force").out)
        assert (told["verdicts"], told["differing"]) == (given, [])
        assert verdicts_of("again.corpus") == verdicts_of("mine.corpus")


def test_tests_that_are_found_define_their_model(synth):
    words = ("find", "--pass", MINE.replace("mine", "mine.weak"), "--fail", "OBE.weak", "--bounds", "2x2..2x3")
    assert synth(*words, "--all", "--out", "found.jsonl").code == 0
    told = json.loads(synth("corpus", "import", "found.jsonl", "--format", "jsonl", "--out", "c", "--json").out)
    found = verdicts_of("c")
    assert (told["verdicts"], told["differing"], found) == (len(ALL) * len(found), [], decided(found))


def test_another_model_of_the_same_name_is_refused_or_its_verdicts_are_told(synth, suite):
    refused = synth("corpus", "import", "suites", "--format", "jsonl", "--out", "again.corpus", "--model", OTHER)
    assert (refused.code, refused.err) == (
        2,
        (
            "synth: suites/mine.strong.jsonl:1: found a definition of the model mine that differs from an earlier one, "
            "or from that of --model; rename one of the two\n"
        ),
    )
    place, _ = undefined(suite)
    told = json.loads(
        synth("corpus", "import", place, "--format", "jsonl", "--out", "c", "--model", OTHER, "--json").out
    )
    found, other = verdicts_of("mine.corpus"), verdicts_of("c")
    changed = {(id_, name) for id_ in found for name in ALL[-2:] if found[id_][name] != other[id_][name]}
    assert changed
    assert {conflict["verdict"] for conflict in told["differing"]} == {name for _, name in changed}


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (3, "the key 'models' is wrong, expected an object with the definitions of models by name"),
        ({"mine": "liv"}, "model:1: column 8: found 'liv', expected a set"),
        ({"HSA": "live"}, "model: 'HSA = live' has a name that synth uses"),
    ],
)
def test_definitions_that_can_not_be_read_are_one_line(synth, suite, models, told):
    lines = (suite / "mine.weak.jsonl").read_text().splitlines()
    Path("wrong.jsonl").write_text(json.dumps(json.loads(lines[0]) | {"models": models}) + "\n")
    refused = synth("corpus", "import", "wrong.jsonl", "--format", "jsonl", "--out", "c")
    assert refused.code == 2
    assert told in refused.err
    assert len(refused.err.splitlines()) == 1


def test_what_is_set_aside_keeps_the_verdicts_of_its_file(synth, suite):
    first = json.loads((suite / "mine.weak.jsonl").read_text().splitlines()[0])
    alone = {"threads": [[{"loc": 0, "check": 0, "exch": None, "target": 0}]], "verdicts": {"mine.weak": "fail"}}
    Path("two.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in (first, alone)))
    told = synth("corpus", "import", "two.jsonl", "--format", "jsonl", "--out", "c")
    assert told.code == 1
    assert json.loads(Path("c.aside.jsonl").read_text())["verdicts"] == {"mine.weak": "fail"}


def test_of_a_program_with_no_ops_the_corpus_has_the_verdicts_of_its_normal_form(synth):
    """Under this model, the program fails, and its normal form passes."""
    odd = "odd = live - lowest(stepped)"
    Path("given.jsonl").write_text(synth("check", "00_10010-0000", "--model", odd, "--json").out)
    words = ("corpus", "import", "given.jsonl", "--format", "jsonl", "--model", odd, "--out", "c", "--force")
    assert [line.partition(" for ")[2] for line in synth(*words).out.splitlines() if "opposite" in line] == [
        f"odd.{form}, but synth decides the opposite for its normal form, in which it has no no-ops"
        for form in ("weak", "strong")
    ]
    assert [conflict["with_no_ops"] for conflict in json.loads(synth(*words, "--json").out)["differing"]] == [
        True,
        True,
    ]


# --- corpora ---


def test_corpora_with_own_models_are_merged_if_the_models_are_the_same(synth, suite):
    model = ("--model", ",".join([*(model.name for model in library()), MINE]))
    same = synth("enumerate", "--bounds", "2x2", *model, "--out", "same.corpus")
    assert same.code == 0
    merged = synth("corpus", "merge", "mine.corpus", "same.corpus", "--out", "all.corpus")
    assert merged.code == 0
    assert verdicts_of("all.corpus") == verdicts_of("mine.corpus") | verdicts_of("same.corpus")
    for number, (other, told) in enumerate(
        [
            (OTHER, "found the model mine: live & lowest(live); expected live & (stepped | lowest(live - stepped))"),
            ("more = live", "found models: unfair, HSA, OBE, LOBE, HSA+OBE, fair, more; expected unfair, HSA, OBE"),
        ]
    ):
        words = ("corpus", "import", "ids.txt", "--format", "mustpass", "--out", f"{number}.corpus", "--model", other)
        Path("ids.txt").write_text("\n".join(verdicts_of("mine.corpus")))
        assert synth(*words).code == 0
        refused = synth("corpus", "merge", "mine.corpus", f"{number}.corpus", "--out", "no.corpus")
        assert refused.code == 2
        assert told in refused.err
    assert suite.exists()


def test_a_comparison_says_which_verdicts_are_not_compared(synth, suite):  # noqa: ARG001
    Path("ids.txt").write_text("\n".join(verdicts_of("mine.corpus")))
    words = ("corpus", "import", "ids.txt", "--format", "mustpass", "--out")
    assert synth(*words, "more.corpus", "--model", "more = live").code == 0
    told = synth("corpus", "diff", "mine.corpus", "more.corpus").out
    (row,) = [line for line in told.splitlines() if line.startswith("not compared")]
    assert re.split(" {2,}", row.rstrip()) == ["not compared", "mine.weak, mine.strong", "more.weak, more.strong"]
    assert synth(*words, "other.corpus", "--model", OTHER).code == 0
    answer = synth("corpus", "diff", "mine.corpus", "other.corpus", "--json").out.splitlines()
    manifests = json.loads(answer[-1])["summary"]["manifests"]
    assert manifests["model mine"] == ["live & (stepped | lowest(live - stepped))", "live & lowest(live)"]
    assert "not compared" not in manifests


def test_other_commands_know_the_verdicts_of_a_corpus(synth, suite):  # noqa: ARG001
    found = verdicts_of("mine.corpus")
    passing = {id_ for id_, verdicts in found.items() if verdicts["mine.weak"] == "pass"}
    listed = synth("corpus", "list", "mine.corpus", "--pass", "mine.weak", "--format", "jsonl").out.splitlines()
    assert {json.loads(line)["id"] for line in listed} == passing
    asked = synth("corpus", "query", "mine.corpus", 'SELECT id FROM tests WHERE "mine.weak"', "--format", "csv").out
    assert set(asked.splitlines()[1:]) == passing
    informed = synth("corpus", "info", "mine.corpus")
    assert (informed.code, "mine" in informed.out) == (0, True)
    assert synth("corpus", "validate", "mine.corpus").code == 0
    drawn = synth("corpus", "sample", "mine.corpus", "-n", "1", "--format", "jsonl").out
    assert tuple(json.loads(drawn)["verdicts"]) == ALL


# --- programs for devices ---


def test_emitted_programs_have_the_verdicts_that_their_files_define(synth, suite):
    place, _ = undefined(suite)
    for number, words in enumerate((["suites/mine.weak.jsonl"], ["mine.corpus"], [place, "--model", MINE])):
        made = synth("emit", "--target", "cpp", *words, "--out", number)
        assert made.code == 0
        told = json.loads(Path(f"{number}/expected.json").read_text())
        assert told["models"] == {"mine": MINE.partition(" = ")[2]}
        assert {id_: test["verdicts"] for id_, test in told["tests"].items()} == decided(sorted(told["tests"]))
        assert '"mine.weak' in text_in(Path(f"{number}")) or " mine.weak" in text_in(Path(f"{number}"))
    refused = synth("emit", "--target", "cpp", place, "--out", "no")
    assert refused.code == 2
    assert "found verdicts of models that are not known here: mine.weak, mine.strong; give their models" in refused.err
    refused = synth("emit", "--target", "cpp", SPINNER, "--model", "live", "--out", "no")
    assert refused.err == (
        "synth: emit: found the model 'live' without a name, which programs print; define it as NAME = live\n"
    )
    emit("cpp", [SPINNER], "python", models=MINE)
    assert tuple(json.loads(Path("python/expected.json").read_text())["tests"][SPINNER]["verdicts"]) == ALL


# --- the page ---


def blocks_of(*words):
    found = page_content(map(str, words))
    return [packed_corpus(corpus, "a", {}) for corpus in found.corpora] + [
        packed_suite(of_folder, "a") for of_folder in found.suites
    ]


def shown(block):
    """The verdicts of each test of a block."""
    letters = [block.signatures[place] for place in block.signature]
    words = {"p": "pass", "f": "fail"}
    return {
        id_: {name: words[letter] for name, letter in zip(block.verdicts, row, strict=True)}
        for id_, row in zip(block.ids.splitlines(), letters, strict=True)
    }


@pytest.mark.full
def test_a_page_shows_suites_with_all_their_verdicts(synth, suite):
    assert synth("emit", "--target", "cpp,cuda", "suites/mine.weak.jsonl", "--out", "emitted").code == 0
    for place, files in (
        ("suites", sorted(suite.glob("*.jsonl"))),
        ("suites/mine.weak.jsonl", [suite / "mine.weak.jsonl"]),
        ("emitted", [suite / "mine.weak.jsonl"]),
        ("emitted/cuda", [suite / "mine.weak.jsonl"]),
    ):
        lines = [[json.loads(line) for line in file.read_text().splitlines()] for file in files]
        blocks = blocks_of(place)
        assert list(map(shown, blocks)) == [{record["id"]: record["verdicts"] for record in some} for some in lines]
        tests = sum(map(len, lines))
        made = synth("explore", place, "--force")
        assert (made.code, made.out) == (0, f"{tests} test{'s' * (tests > 1)} in explore.html; open it in a browser\n")
    (block,) = blocks_of("suites/mine.weak.jsonl")
    assert block.models["mine"] == MINE.partition(" = ")[2]
    records = [json.loads(line) for line in (suite / "mine.weak.jsonl").read_text().splitlines()]
    assert set(block.idioms) == {record["idiom"] for record in records if "idiom" in record}
    assert shown(blocks_of("mine.corpus")[0]) == verdicts_of("mine.corpus")
    assert synth("explore", "suites", "mine.corpus", "--force").code == 0


def test_a_page_has_one_model_of_a_name(synth, suite):  # noqa: ARG001
    for number, model in enumerate((MINE, OTHER)):
        assert synth("enumerate", "--bounds", "2x2", "--model", model, "--out", number).code == 0
    for words, first in ((("0", "1"), "0"), (("1", "suites"), "1")):
        refused = synth("explore", *words)
        assert refused.code == 2
        assert f"explore: found two different models mine, in {first} and in " in refused.err


def test_what_a_page_can_not_show_of_a_suite_is_one_line(synth, suite):
    place, _ = undefined(suite)
    assert "mine.weak, mine.strong; make a corpus of the file with synth corpus import" in synth("explore", place).err
    text = (suite / "OBE.weak.jsonl").read_text()
    Path("wrong.jsonl").write_text(text.replace('"OBE.weak":"pass"', '"OBE.weak":"fail"', 1))
    assert synth("explore", "wrong.jsonl").err == (
        "synth: wrong.jsonl:1: found fail for OBE.weak, but synth decides pass; import the file to see all\n"
    )
    Path("emitted").mkdir()
    Path("emitted/expected.json").write_text("[1]")
    assert "found other JSON than synth emit writes" in synth("explore", "emitted").err
    Path("bytes.jsonl").write_bytes(b"\xff")
    assert "found a byte that is not UTF-8" in synth("explore", "bytes.jsonl").err
    shutil.rmtree(suite)
    suite.mkdir()
    assert suites_in(suite) == []
    assert "expected at least one" in synth("explore", "suites").err
    with pytest.raises(InputError):
        page_content(["nowhere"])
