"""Test the commands as functions: all of them, with their options, typed, and with the answers of the command line."""

import ast
import importlib
import json
import keyword
import logging
import runpy
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import synth
from answer_calls import CALLS
from quick import mostly_full
from synth.call_parameters import calls_of, command_of, parameters_of
from synth.calls import answer_of
from synth.cli import command_line
from synth.cli.shared.command_list import GROUPS
from synth.schema import MANY
from synth_checker.errors import InputError, ResourceError
from synth_storage.answer_json import json_of

FOLDER = Path(synth.__file__).parent
SIGNATURES = Path(__file__).parents[2] / "docs" / "signatures.py"
#: What functions leave out: it belongs to a terminal, or each call has it.
LEFT_OUT = {"--help", "--json"}


def leaves(command, words=()):
    below = getattr(command, "commands", None)
    if below is None:
        yield words, command
    for name, inner in (below or {}).items():
        yield from leaves(inner, (*words, name))


LEAVES = {words: command for words, command in leaves(command_line()) if words != ("help",)}


def in_python(name):
    """A name of the command line as Python has it."""
    name = name.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def declared(words):
    """The declaration of a function in its stub."""
    group, name = words if len(words) > 1 else ("commands", *words)
    tree = ast.parse((FOLDER / f"{group}.pyi").read_text("utf-8"))
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == in_python(name))
    return function


def test_the_stubs_are_what_the_options_say():
    """If not: make reference."""
    stubs = runpy.run_path(str(SIGNATURES))["stubs"]()
    assert {name: (FOLDER / name).read_text("utf-8") for name in stubs} == stubs
    assert {path.name for path in FOLDER.glob("*.pyi")} == stubs.keys() | {"__init__.pyi"}


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_each_command_has_a_function_with_its_options(words):
    function = declared(words)
    names = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    for param in LEAVES[words].params:
        if param.param_type_name == "argument":
            assert param.name in names
        elif not param.hidden and not LEFT_OUT & set(param.opts):
            assert names & {in_python(name.removeprefix("--")) for name in param.opts}, param.opts
    module = importlib.import_module(f"synth.{words[0]}" if len(words) > 1 else "synth.commands")
    assert callable(getattr(module, function.name))


def test_each_is_found_where_people_look_for_it():
    for name in ("enumerate", "find", "suite", "lattice", "certify", "audit"):
        assert getattr(synth, name).__name__ == name
    for group in GROUPS:
        assert set(calls_of(group)) <= set(getattr(synth, group).__all__)
    for name in ("need", "check", "verify", "banks", "equals"):
        assert callable(getattr(synth.kernel, name))
    assert callable(synth.device.probe)


def arguments_of(words):
    """A call of the command line as the arguments by position and by name of a function."""
    size = next(size for size in (2, 1) if tuple(words[:size]) in LEAVES)
    call = calls_of(words[0] if size > 1 else "")[in_python(words[size - 1])]
    command = command_of(call.words)
    with command.make_context("it", [word for word in words[size:] if word != "--json"]) as context:
        given = {name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"}
        values = {
            parameter.name: context.params[parameter.param.name]
            for parameter in parameters_of(call)
            if parameter.param.name in given
        }
    return call, values


#: Commands whose answers hold times, or what is random.
VARYING = {"job-plan", "job-status", "job-start", "job-resume", "job-stop", "job-work", "campaign-run", "device-health"}
QUICK = {"check", "find", "sim-show", "corpus-diff", "kernel-need", "model-show", "certify"}


@mostly_full(
    ("name", "words"),
    [
        pytest.param(name, words, marks=[] if name in QUICK else pytest.mark.full, id=" ".join(words))
        for name, words in CALLS
    ],
    quick=3,
)
def test_a_function_gives_what_the_command_prints(
    called,
    name,
    words,
    tmp_path,
    capfd,
):
    """Both in the same folder; what one writes there, the other would have to replace."""
    printed = called(words)
    for new in tmp_path.glob("new*"):
        new.rename(tmp_path / f"old {new.name}")
    call, values = arguments_of(words)
    capfd.readouterr()
    answer = answer_of(call, (), values)
    assert capfd.readouterr() == ("", "")
    answers = answer if "-".join(call.words) in MANY else [answer]
    if isinstance(answer, str):  # the command has no --json, but prints JSON
        answers = [json.loads(line) for line in answer.splitlines()]
    given = json.loads(json.dumps(json_of(answers)))
    if name in VARYING:
        assert [sorted(value) for value in given] == [sorted(value) for value in printed]
    else:
        assert without_seconds(given) == without_seconds(printed)


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(inner) for key, inner in value.items() if "seconds" not in key}
    return [without_seconds(inner) for inner in value] if isinstance(value, list) else value


def test_values_of_python_are_words_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = synth.check("mutex").program
    assert synth.commands.check(program, model=["HSA.weak"]) == synth.commands.check(
        "01100002-01100002", model="HSA.weak"
    )
    assert synth.find(pass_=["OBE.weak"], fail=["HSA.weak"], bounds="2x2,2x3", time_limit=600.5, first=False)
    assert synth.lattice("2x2", model="HSA,OBE", format="dot").startswith("digraph")
    assert synth.lattice("2x2", model="HSA,OBE", out=tmp_path / "it.txt") is None
    (tmp_path / "k.kernel").write_text("kernel k\nglobal a: i32\nentry:\n  write i32 a[gid.0] = 1:i32\n  return\n")
    need = json_of(synth.kernel.need(tmp_path / "k.kernel", arg={"a": "0:4"}, workgroups=2, local_size=(2,)))
    assert (need["kernel"], need["needs"]) == ("k", ["unfair"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: synth.find(pas="OBE"), r"argument: found 'pas' \(did you mean pass_\?\), expected one of sizes"),
        (lambda: synth.corpus.info("nowhere"), "nowhere: there is no manifest.json in it"),
        (lambda: synth.corpus.info("nowhere", "again"), "found 2 arguments by position, expected at most 1: folder"),
        (lambda: synth.corpus.info("a", folder="b"), "folder: found twice"),
        (synth.corpus.info, "Missing argument 'CORPUS'."),
        (lambda: synth.enumerate("2x2", jobs="many"), "Invalid value for '--jobs'"),
        (lambda: synth.enumerate("2x2", minimal=3), "minimal: found "),
        (lambda: synth.enumerate("2x2", jobs=[1, 2]), "jobs: found 2 values, expected one"),
        (lambda: synth.check(3.5j), "expected"),
    ],
)
def test_a_wrong_call_is_an_input_error_of_one_line(call, message):
    with pytest.raises(InputError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_device_that_is_not_there_is_a_resource_error(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("CXX", "none")
    with pytest.raises((ResourceError, InputError)):
        synth.device.show("cpu")


def test_what_a_command_says_beside_its_answer_is_logged(caplog):
    caplog.set_level(logging.INFO, "synth")
    assert synth.corpus.list("@complete/2x2", fail="fair.strong") == []
    assert {(record.name, record.levelname) for record in caplog.records} == {("synth", "WARNING")}
    assert caplog.messages[0].startswith("synth: ")


@pytest.mark.full
def test_an_answer_that_was_stopped_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert json_of(synth.enumerate("3x7", minimal=True, count_only=True, time_limit=0.2))["complete"] is False


def test_calls_of_several_threads_do_not_mix(capfd):
    """Standard output belongs to the whole process."""
    with ThreadPoolExecutor(4) as pool:
        dots = list(pool.map(lambda form: synth.lts("00_0-0011", format=form), ["dot", "aut"] * 6))
    assert {text.split()[0] for text in dots[::2]} == {"digraph"}
    assert {text.split()[0] for text in dots[1::2]} == {"des"}
    sys.stdout.write("still here\n")
    assert capfd.readouterr() == ("still here\n", "")


@pytest.mark.full
def test_all_answers_are_given():
    assert [simulation.test for simulation in synth.sim.run(["0011", "00_0"], launches=1)] == ["0011", "00_0"]
    assert len(synth.commands.explain("0011-00_0", model="OBE")) == 2
    assert synth.corpus.export("@complete/2x2").count("\n") == 8
    assert synth.corpus.query("@complete/2x2", 'SELECT 1 AS "1"', format="csv") == "1\n1\n"


def test_an_answer_that_is_not_expected_is_an_error_that_has_it():
    with pytest.raises(synth.UnexpectedAnswerError, match="expect: found another answer than 9") as error:
        synth.enumerate("2x2", count_only=True, expect=9)
    assert error.value.answer.tests == 8
    assert synth.enumerate("2x2", count_only=True, expect=8).tests == 8


@pytest.mark.full
def test_what_is_wrong_in_one_of_several_files_is_an_error(tmp_path):
    (tmp_path / "good.kernel").write_text("kernel k\nentry:\n  return\n")
    assert [answer.verdict for answer in synth.kernel.verify(tmp_path)] == ["verified"]
    (tmp_path / "wrong.kernel").write_text("nothing")
    with pytest.raises(InputError):
        synth.kernel.verify(tmp_path)
    with pytest.raises(InputError):
        synth.kernel.verify(tmp_path, format="text")


def test_one_option_by_two_names_is_refused():
    with pytest.raises(InputError, match="num_groups: found twice"):
        synth.kernel.need("k.cl", workgroups=2, num_groups=3)
    with pytest.raises(InputError, match="define: found "):
        synth.kernel.need("k.cl", define={"A": None})
