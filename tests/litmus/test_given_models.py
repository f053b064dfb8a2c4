"""Test models of users: every command accepts them, as text and as a file, and corpora record what was judged."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import own_models
import strategies
import synth as api
from quick import examples, mostly_full
from registered_models import installed
from synth_checker.certificates.certificate import Lasso
from synth_checker.models import library, models_named, read_model, word_of
from synth_checker.twin import verdicts as twin
from synth_corpus.verification import faults
from synth_litmus.explanation import explain
from synth_litmus.inputs.models import described_model, given_models, given_verdict, given_verdicts, split_words

MUTEX = "01100002-01100002"
own = pytest.mark.parametrize("text", [text for text, _, _ in own_models.OWN.values()], ids=own_models.OWN)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of models in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.models").write_text(f"{own_models.TEXT}\n{own_models.BLINK}")
    return "own.models"


def test_words_name_models_of_the_library_of_a_file_and_by_text(file):
    found = given_models(["fair", own_models.MINE, file, "HSA"])
    assert [model.name for model in found] == ["HSA", "fair", "blink", "last", "mine", "resident"]
    assert given_models([f"{file}:last"]) == tuple(model for model in found if model.name == "last")
    assert described_model("live  & stepped").name == "live & stepped"
    assert described_model("none").verdicts == ("none",)


def test_words_name_verdicts_of_the_library_of_a_file_and_by_text(file):
    models, verdicts = given_verdicts([f"{file}:last.weak", "OBE", "mine.strong = live"])
    assert [model.name for model in models] == [*(model.name for model in library()), "last", "mine"]
    assert verdicts == ("OBE.weak", "OBE.strong", "last.weak", "mine.strong")
    model, form = given_verdict("mine.strong = live & stepped")
    assert (model.verdicts, form) == (("mine.weak", "mine.strong"), "strong")
    assert given_verdict("m = none")[0].verdicts == ("m",)


@settings(max_examples=examples(25))
@given(strategies.model_expressions())
def test_an_expression_without_a_name_is_a_model_called_by_its_text(text):
    """However it is written, its name is the same, and it is read back from what a corpus records."""
    (model,) = given_models([text])
    (named,) = given_models([f"named = {text}"])
    assert model.fair == named.fair
    assert given_models([word_of(model)]) == models_named([word_of(model)]) == (model,)
    for form in model.forms if len(model.forms) > 1 else ():
        assert given_verdict(f"({text}).{form}") == given_verdict(f"{model.name}.{form}") == (model, form)


LONE = {
    "check": (("check", MUTEX, "--model", "{}"), "OBE  pass pass"),
    "check, a verdict": (("check", MUTEX, "--model", "{}.weak"), "OBE  pass"),
    "explain": (("explain", MUTEX, "--model", "{}.weak"), "OBE.weak: pass"),
    "lts": (("lts", MUTEX, "--model", "{}"), None),
    "shrink": (("shrink", MUTEX, "--model", "{}", "--keep", "{}.weak=pass"), None),
    "find": (("find", "--pass", "{}.weak", "--fail", "HSA.weak", "--bounds", "2x2..2x3"), "OBE pass pass"),
    "separate": (("separate", "{}.weak", "HSA.weak", "--bounds", "2x2..2x3"), "Passes OBE.weak, fails HSA.weak:"),
    "lattice": (("lattice", "--model", "HSA,{}", "--bounds", "2x2"), "OBE.weak < OBE.strong"),
    "suite": (("suite", "--model", "{}.weak", "--from", "@complete/2x3", "--cover", "mutants"), "OBE.weak: "),
    "enumerate": (("enumerate", "--bounds", "2x2", "--model", "{}", "--out", "own.corpus"), None),
    "crosscheck": (
        ("crosscheck", "--bounds", "2x2", "--model", "{}", "--engine", "explicit,sat"),
        "all engines agree on 8 tests",
    ),
    "model show": (("model", "show", "{}"), "live & stepped"),
    "model equal": (("model", "equal", "OBE", "{}"), "The models are the same: "),
}


@mostly_full("case", LONE, quick=4)
def test_every_command_takes_an_expression_without_a_name_as_the_model_that_it_is(synth, case):
    words, told = LONE[case]
    ran = synth(*(word.replace("{}", "(live&(stepped))") for word in words))
    assert (ran.code, ran.err) == (0, "")
    if told is not None:
        assert " ".join(told.replace("OBE", "live & stepped").split()) in " ".join(ran.out.split())


def test_explain_defines_no_expression_by_itself(synth):
    lone = synth("explain", "00_0-0011", "--model", "(live&stepped).weak").out
    assert "\nlive & stepped.weak: fail; live & stepped\n" in lone
    named = synth("explain", "00_0-0011", "--model", "OBE.weak").out
    assert "\nOBE.weak: fail; OBE = live & stepped\n" in named


@pytest.mark.full
def test_a_corpus_records_an_expression_without_a_name_and_is_asked_by_it(synth):
    assert synth("enumerate", "--bounds", "2x3", "--model", "live&stepped").code == 0
    folder = "2x3-models-live-and-stepped.corpus"
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    assert manifest["question"]["models"] == ["live & stepped"]
    assert manifest["models"] == {"live & stepped": "live & stepped"}
    assert manifest["verdicts"] == ["live & stepped.weak", "live & stepped.strong"]
    assert synth("corpus", "validate", folder).code == 0
    assert synth("corpus", "list", folder, "--pass", "(live&stepped).weak", "--format", "csv").out.count("\n") == 21
    assert synth("enumerate", "--bounds", "2x3", "--model", " live  & stepped").out.startswith(
        f"{folder} already holds"
    )
    assert synth("corpus", "export", folder, "--format", "cadp", "--out", "cadp").code == 0


def test_commas_part_words_and_not_what_is_in_parentheses():
    assert split_words(["a = live,OBE", "f.models"]) == ("a = live", "OBE", "f.models")
    assert split_words(["a = lowest(live, all),HSA"]) == ("a = lowest(live, all)", "HSA")
    assert split_words(["# one, or two\na = live"]) == ("# one, or two\na = live",)


@pytest.mark.full
@own
def test_a_corpus_of_ones_own_model_has_the_verdicts_of_the_twin_and_no_fault(tmp_path, text):
    model = read_model(text, "own")
    found = api.enumerate_tests(api.question("2x3", models=["OBE", text]), jobs=1)
    manifest = api.save(found, tmp_path / "it")
    assert manifest.models == {"OBE": "live & stepped", model.name: model.definition}
    corpus = api.Corpus(tmp_path / "it")
    assert list(faults(corpus)) == []
    assert corpus.manifest.question == found.question
    for record in map(json.loads, list(corpus.lines())[::7]):
        program = api.check(record["id"]).program
        weak, strong = twin.passes(program, model.automaton(len(program)))
        expected = {
            name: "pass" if passed else "fail" for name, passed in zip(model.verdicts, (weak, strong), strict=True)
        }
        assert expected.items() <= record["verdicts"].items()


def test_a_manifest_whose_definition_is_not_its_questions_is_a_fault(tmp_path):
    api.save(api.enumerate_tests(api.question("2x2", models=["mine = live"]), jobs=1), tmp_path / "it")
    manifest = tmp_path / "it" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"mine": "live"', '"mine": "all & live"'))
    told = [text for _, text in faults(api.Corpus(tmp_path / "it"))]
    assert told == ["models: found 'all & live' for mine, expected 'live', as under the key question"]


@pytest.mark.full
def test_a_corpus_of_a_registered_model_is_read_and_verified_by_its_digest(synth, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    name = installed(tmp_path, "Queue") + "Queue"
    two_lowest = "two = lowest(live) | lowest(live - lowest(live))"
    assert synth("enumerate", "--bounds", "2x2", "--model", f"{name},{two_lowest}", "--out", "it").code == 0
    assert json.loads((tmp_path / "it" / "manifest.json").read_text())["models"][name].startswith("python sha256:")
    records = [json.loads(line)["verdicts"] for line in api.Corpus(tmp_path / "it").lines()]
    assert all(
        verdicts[f"{name}.{form}"] == verdicts[f"two.{form}"] for verdicts in records for form in ("weak", "strong")
    )
    assert synth("corpus", "validate", "it").code == 0
    assert f"{name}: a model that is Python code" in synth("model", "list").out
    assert synth("model", "equal", name, two_lowest).code == 0
    told = synth("explain", "00_0", "--model", name).out
    assert [f"\n{name}.{form}: fail; " in told for form in ("weak", "strong")] == [True, True]
    told = synth("explain", "00_0", "--model", f"{name}.weak").out
    assert "Thread 0 is promised a step in the cycle and takes a step" in told
    for words, code, said in (
        (("list", "it", "--pass", f"{name}.strong"), 0, "8 tests"),
        (("verify", "it"), 2, f"model {name}: found 0 entry points of this name in the group synth.models"),
    ):  # in a process that does not find the package
        command = [Path(sys.executable).parent / "synth", "corpus", *words]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (ran.returncode, said in ran.stdout + ran.stderr) == (code, True), ran


def test_an_own_model_that_is_fair_passes_what_fair_passes(synth, file):  # noqa: ARG001
    ran = synth("check", MUTEX, "--model", "mine = all,fair", "--json")
    verdicts = json.loads(ran.out)["verdicts"]
    assert [verdicts[name] for name in ("mine.weak", "mine.strong")] == [verdicts["fair.weak"], verdicts["fair.strong"]]
    assert list(verdicts) == ["fair.weak", "fair.strong", "mine.weak", "mine.strong"]


def test_from_python_words_are_as_on_the_command_line(file):
    assert api.check(MUTEX, [f"{file}:last"]).verdicts == {"last.weak": "fail", "last.strong": "fail"}
    assert api.explain(MUTEX, "mine.weak = live & stepped").result == "pass"
    assert api.question("2x2", models=[f"{file}:last", "HSA"]).name == "2x2-models-HSA,last"
    assert api.question("2x2", models=[file]) == api.question(
        "2x2", models=[own_models.BLINK, *own_models.TEXT.split("\n\n")]
    )


def test_a_question_is_the_same_however_its_models_are_given():
    first, other = (api.question("2x2", models=words) for words in (["b =  live", "a = all"], ["a = all", "b = live"]))
    assert first == other
    assert first != api.question("2x2", models=["a = live", "b = live"])
    assert models_named(first.models)[0].name == "a"


@settings(max_examples=60)
@given(
    strategies.waiting_programs(threads=(2, 3), instructions=(2, 6)),
    st.sampled_from([read_model(text, "own").text for text, _, _ in own_models.OWN.values()]),
    st.sampled_from(["weak", "strong"]),
)
def test_what_is_said_of_a_cycle_is_so_under_models_of_ones_own(program, chosen, form):
    """Each number in a sentence is a step of the lasso; who is promised one there is, and elsewhere is not."""
    name, definition = chosen.split(" = ", maxsplit=1)
    found = explain(program, f"{name}.{form} = {definition}")
    if not isinstance(found.certificate, Lasso):
        return
    steps = dict(enumerate(found.certificate.steps, 1))
    cycle = {number: step for number, step in steps.items() if number > found.certificate.prefix}
    owed = {t: {n for n, step in cycle.items() if step.fair >> t & 1} for t in range(len(found.check.judged))}

    def numbers(text):
        return {int(number) for number in re.findall(r"\d+", text)}

    starving = set()
    for sentence in found.sentences:
        if match := re.match(
            r"Thread (\d) starves: \S+ promises it (no|a) step (?:in the cycle|at ([\d, ]+), but not at)", sentence
        ):
            starving.add(int(match[1]))
            assert owed[int(match[1])] == numbers(match[3] or "")
        if match := re.match(r"Threads? ([\d, and]+) (?:is|are) promised a step in the cycle", sentence):
            assert numbers(match[1]) == {t for t, where in owed.items() if where == cycle.keys()}
        if match := re.match(r"Thread (\d) is promised a step at ([\d, ]+) and", sentence):
            assert form == "strong"
            assert owed[int(match[1])] == numbers(match[2])
        if match := re.match(r"A promised step of thread (\d) would leave the cycle, at ([\d, ]+);", sentence):
            assert numbers(match[2]) <= owed[int(match[1])]
        if "No thread is promised a step in the cycle" in sentence:
            assert not any(owed.values())
        if sentence == "No thread is promised a step in all states of the cycle.":
            assert not any(where == cycle.keys() for where in owed.values())
    alive = set.intersection(
        *({t for t, pc in enumerate(s.state.system.pcs) if pc < len(found.check.judged[t])} for s in cycle.values())
    )
    assert starving == alive - {step.thread for step in cycle.values()}
    assert any("no promise is broken" in sentence for sentence in found.sentences)


@pytest.mark.parametrize(
    ("id_", "verdict", "sentence"),
    [
        (
            "0010-0100",
            "last.weak",
            "all states of the cycle. So no promise is broken. A promised step of thread",
        ),
        (
            "00_0-0011",
            "resident.strong",
            "Thread 1 starves: resident promises it no step in the cycle, because it is not in inside, which is {0}.",
        ),
        (
            "00_0-0011",
            "blink.weak",
            "blink promises it a step at 1, but not at 2, because it is not in none, which is empty; so the",
        ),
        (
            "00_0-0011",
            "blink.weak",
            (
                "so the thread is not promised a step all the time. No thread is promised a step in all states of the "
                "cycle. So no promise"
            ),
        ),
        (
            "00_0-0011",
            "blink.weak",
            (
                "would leave the cycle, at 1; the weak form promises this thread a step only if it is promised a step "
                "all the time, but not"
            ),
        ),
    ],
)
def test_sentences_worked_out_by_hand(file, id_, verdict, sentence):
    assert sentence in " ".join(api.explain(id_, f"{file}:{verdict}").sentences)


def test_what_model_show_writes_is_documented(synth):
    """Each of the two tables of keys, of a model and of a state, has exactly the keys that are written."""
    shown = json.loads(synth("model", "show", "OBE", "--json").out)
    page = (Path(__file__).parents[2] / "docs" / "understand" / "models.md").read_text("utf-8")
    tables = page.partition("`synth model show --json`")[2].split("| key | value |\n")[1:3]
    cells = [[row.split("|")[1] for row in table.partition("\n\n")[0].splitlines()] for table in tables]
    assert [set(re.findall("`(\\w+)`", "".join(column))) for column in cells] == [set(shown), set(shown["states"][0])]
