"""Test the JSON of commands: it fits the schemas, which are made from the types, and broken JSON does not."""

import copy
import functools
import json

import pytest
from jsonschema import Draft202012Validator, ValidationError

import rodin_projects
from others import DESCRIPTION, KERNEL, TABLE, lay
from others import LINES as LINES_FILE
from quick import mostly_full
from synth.schema import FOLDER, LINES, schemas
from synth_jobs.presence import SAMPLING, Presence
from synth_workers.stop import Stop

#: A program with no-ops, which some of the models below see.
NO_OPS = "no-ops.txt"
#: The same program again, and one that is no test.
GIVEN = "given.txt"
#: A verdict that is not the core's.
WRONG = "wrong.csv"
#: A corpus that says it has fewer tests than it has.
FAULTY = "faulty.corpus"
NEVER = ["--name", "never-sometimes-always"]
#: A setting of the machines of a GPU, in which nothing is unbounded.
GUARANTEES = ("machine", "guarantees", "@gpu", "--setting", "SM=1,nb_kernel_threads=2")
SMALL_GPU = [f"--set={word}" for word in ("SM=1", "nb_kernel_threads=1", "warp=1", "c=0", "duration=1")]
SMALL_GPU += ["--limit=WAIT: t = T_ev", "--limit=tick: t = T_ev", "--limit=bloc_stop: t = T_ev", "--steps=4"]
#: What is called, by the name of the schema; each prints JSON on standard output.
CALLS = [
    ("campaign-analyse", ["campaign", "analyse", "sim.campaign", "--json"]),
    ("campaign-analyse", ["campaign", "analyse", "table.campaign", "--json"]),
    ("campaign-bundle", ["campaign", "bundle", "--device", "bundle:cpp", "mutex", "--out", "new", "--zip", "--json"]),
    ("campaign-bundle", ["campaign", "bundle", "--device", "bundle:cpp", "mutex", "--out", "new", "--json"]),
    ("campaign-collect", ["campaign", "collect", LINES_FILE, "--out", "new.campaign", "--json"]),
    ("campaign-compare", ["campaign", "compare", "sim.campaign", "sim.campaign", "--json"]),
    ("campaign-explain", ["campaign", "explain", "sim.campaign", "--slots", "1,2", "--order", "linear", "--json"]),
    ("campaign-export", ["campaign", "export", "sim.campaign"]),
    ("campaign-export", ["campaign", "export", "table.campaign"]),
    ("campaign-import", ["campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "new.campaign", "--json"]),
    ("campaign-next", ["campaign", "next", "sim.campaign", "--from", "@minimal/2x2", "--json"]),
    ("campaign-run", ["campaign", "run", "sim.campaign", "--json"]),
    ("campaign-status", ["campaign", "status", "sim.campaign", "--json"]),
    ("campaign-table", ["campaign", "table", "sim.campaign", *NEVER, "--format", "json"]),
    ("check", ["check", "mutex", "--json"]),
    ("check", ["check", "mutex", "--json", "--certify", "--model", "OBE.weak"]),
    ("check", ["check", NO_OPS, "--json", "--model", "mine = stepped"]),
    ("corpus-diff", ["corpus", "diff", "@minimal/2x2", "@complete/2x3", "--json"]),
    ("corpus-diff", ["corpus", "diff", "stepped.corpus", "live.corpus", "--json"]),
    ("corpus-import", ["corpus", "import", NO_OPS, GIVEN, "--format", "text", "--out", "new.corpus", "--json"]),
    ("corpus-import", ["corpus", "import", WRONG, "--format", "csv", "--out", "new.corpus", "--json"]),
    ("corpus-verify", ["corpus", "verify", "live.corpus", "--json"]),
    ("corpus-verify", ["corpus", "verify", FAULTY, "--json"]),
    ("crosscheck", ["crosscheck", "--bounds", "2x2", "--engine", "explicit,sat", "--json"]),
    ("device-check", ["device", "check", "sim", "--json"]),
    ("device-check", ["device", "check", "sim", "--expected", "Radeon", "--json"]),
    ("device-list", ["device", "list", "sim", "--json"]),
    ("device-show", ["device", "show", "sim", "--json"]),
    ("enumerate-count-only", ["enumerate", "--bounds", "2x2", "--count-only", "--json"]),
    ("enumerate-count-only", ["enumerate", "--bounds", "2x3", "--minimal", "--count-only", "--json"]),
    ("explain", ["explain", "mutex", "--model", "HSA.weak", "--json"]),
    ("explain", ["explain", NO_OPS, "--model", "OBE.strong", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "HSA.weak", "--bounds", "2x2,2x3", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "HSA.weak", "--bounds", "2x3", "--all", "--json"]),
    ("find", ["find", "--pass", "OBE.weak", "--fail", "LOBE.weak", "--bounds", "2x2", "--json"]),
    ("job-plan", ["job", "plan", "--bounds", "2x2", "--minimal", "--sample-seconds", "0.1", "--json"]),
    ("job-status", ["job", "status", "it.job", "--json"]),
    ("kernel-check", ["kernel", "check", KERNEL, "--arg", "T=0:4", "--workgroups", "1", "--json"]),
    ("kernel-explain", ["kernel", "explain", KERNEL, "--arg", "T=0:4", "--model", "OBE.weak", "--json"]),
    ("kernel-need", ["kernel", "need", KERNEL, "--arg", "T=0:4", "--local-size", "2", "--json"]),
    ("lattice", ["lattice", "--bounds", "2x2", "--model", "HSA,OBE", "--format", "json"]),
    ("machine-animate", ["machine", "animate", "@gpu", *SMALL_GPU, "--component", "kernel", "--seed", "1", "--json"]),
    ("machine-check", ["machine", "check", "@gpu", "--json"]),
    ("machine-compare", ["machine", "compare", "rodin", "--json"]),
    ("machine-guarantees", [*GUARANTEES, "--tests", "@complete/2x2", "--json"]),
    ("machine-obligations", ["machine", "obligations", "@gpu", "--component", "GPU", "--json"]),
    ("machine-replay", ["machine", "replay", "@gpu", "trace.json", "--json"]),
    ("machine-run-test", ["machine", "run", "--test", "0011-00_0", "--json"]),
    ("machine-run", ["machine", "run", "--threads", "3", "--warp", "2", "--json"]),
    ("machine-replay", ["machine", "replay", "@gpu", "rejected.json", "--json"]),
    ("machine-prove", ["machine", "prove", "@gpu", "--component", "GPU", "--json"]),
    ("machine-prove", ["machine", "prove", "@gpu-printed", "--obligation", "EXECUTION/say1", "--json"]),
    ("model-equal", ["model", "equal", "HSA", "OBE", "--json"]),
    ("model-equal", ["model", "equal", "LOBE", "live & upto(stepped)", "--json"]),
    ("model-list", ["model", "list", "--json"]),
    ("model-show", ["model", "show", "HSA", "--json"]),
    ("sim-list", ["sim", "list", "--json"]),
    ("sim-power", ["sim", "power", "@minimal/2x2", "--json"]),
    ("sim-run", ["sim", "run", "mutex", "--instances", "20", "--launches", "2", "--json"]),
    ("sim-show", ["sim", "show", "linear", "--json"]),
    ("separate", ["separate", "LOBE.weak", "OBE.weak", "--json"]),
    ("show", ["show", "mutex", "--json"]),
    ("show", ["show", NO_OPS, "--json"]),
    ("shrink", ["shrink", "mutex", "--keep", "OBE.weak=pass,HSA=fail", "--json"]),
    ("shrink", ["shrink", "mutex", "--json"]),
    ("suite", ["suite", "--model", "HSA.weak", "--from", "@complete/2x2", "--json"]),
    ("suite", ["suite", "--from", "@complete/2x2", "--cover", "idioms,signatures", "--redundancy", "2", "--json"]),
    ("verify", ["verify", KERNEL, "--json"]),
    ("verify-intervals", ["verify", KERNEL, "--intervals", "--json"]),
    ("verify-assert", ["verify", KERNEL, "--assert", "--local-size", "4", "--num-groups", "1", "--json"]),
    (
        "verify-equals",
        ["verify", KERNEL, "--equals", f"{KERNEL}:k", "--local-size", "4", "--num-groups", "1", "--json"],
    ),
    ("verify-assume-least", ["verify", KERNEL, "--assume-least", "--json"]),
    ("verify-banks", ["verify", KERNEL, "--banks", "today", "--json"]),
]


#: Corpora and jobs that calls name, and what makes them.
MADE = {
    "sim.campaign": [
        *("campaign", "run", "--device", "sim", "--mapping", "chunked", "--instances", "20"),
        *("--launches", "2", "00_0-0011"),
    ],
    "table.campaign": ["campaign", "import", TABLE, "--describe", DESCRIPTION, "--out", "table.campaign"],
    "stepped.corpus": ["enumerate", "--bounds", "2x2", "--model", "mine = stepped", "--out", "stepped.corpus"],
    "live.corpus": ["enumerate", "--bounds", "2x2", "--model", "mine = live", "--out", "live.corpus"],
    FAULTY: ["enumerate", "--bounds", "2x2", "--out", FAULTY],
    "it.job": ["job", "start", "it.job", "--bounds", "2x2"],
}


@functools.cache
def validator(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture
def called(synth, unusual, tmp_path):
    """A function that calls a command and gives what it prints, an object a line or one of several lines."""
    (tmp_path / NO_OPS).write_text(unusual)
    (tmp_path / WRONG).write_text("id,fair.weak\n00_0-0011,fail\n")
    lay(tmp_path)
    with (tmp_path / LINES_FILE).open("a") as file:
        file.write("nothing\n")  # a line that does not count
    (tmp_path / GIVEN).write_text(f"{unusual}\n// no test\nTHREAD 0\n0: Mem[0] = 1;\n")
    rodin_projects.lay(tmp_path / "rodin")
    setting = {"SM": "1", "nb_kernel_threads": "1", "warp": "1", "c": "0", "duration": "1"}
    start = {"event": "INITIALISATION", "parameters": {}, "chosen": {"GPU_OCC": "TRUE"}}
    for name, steps in (("trace.json", [start]), ("rejected.json", [start, start])):
        (tmp_path / name).write_text(json.dumps({"machine": "kernel", "setting": setting, "steps": steps}))

    def call(words):
        for needed, made_by in MADE.items():
            if needed in words:
                assert synth(*made_by).code == 0
        if FAULTY in words:
            manifest = tmp_path / FAULTY / "manifest.json"
            manifest.write_text(manifest.read_text().replace('"tests": 8', '"tests": 7'))
        ran = synth(*words)
        assert ran.code in {0, 1}, ran.err
        try:
            return [json.loads(ran.out)]
        except json.JSONDecodeError:
            return [json.loads(line) for line in ran.out.splitlines()]

    return call


def test_the_schemas_are_what_the_types_say():
    """If not: make schemas."""
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == schemas()


def test_each_schema_is_tried():
    """`tests/backends` tries those of lines that emitted programs print."""
    tried = {name for name, _ in CALLS} | LINES.keys()
    assert {f"{name}.schema.json" for name in tried} == schemas().keys()


def test_what_is_said_of_a_question_that_is_sampled_fits(called, tmp_path):
    (tmp_path / "it.job").mkdir()
    with Stop() as stop, Presence(tmp_path / "it.job", stop, "2x2", SAMPLING, 1):
        (answer,) = called(["job", "status", str(tmp_path / "it.job"), "--json"])
    check = validator("job-status")
    check.validate(answer)
    assert answer["state"] == "sampling"
    for wrong in broken(answer, check.schema):
        with pytest.raises(ValidationError):
            check.validate(wrong)


@mostly_full(("name", "words"), CALLS, ids=[" ".join(words) for _, words in CALLS], quick=8)
def test_what_is_said_fits_and_does_not_when_one_thing_in_it_is_changed(called, name, words):
    check = validator(name)
    answers = called(words)
    assert answers
    for answer in answers:
        check.validate(answer)
        for wrong in broken(answer, check.schema):
            with pytest.raises(ValidationError):
                check.validate(wrong)


def broken(answer, schema):
    """Copies of an answer, each with one thing in it that no schema allows."""
    yield [answer, answer]
    if isinstance(answer, dict):
        yield answer | {"further": 1}
        options = [each for each in schema.get("anyOf", [schema]) if Draft202012Validator(each).is_valid(answer)]
        for key in options[0]["required"]:
            yield {other: value for other, value in answer.items() if other != key}
    for *above, last in leaves(answer):
        changed = copy.deepcopy(answer)
        inside = functools.reduce(lambda found, key: found[key], above, changed)
        inside[last] = {"wrong": inside[last]}
        yield changed


def leaves(value, path=()):
    """The ways to what is in a JSON value and holds nothing."""
    if isinstance(value, dict | list) and value:
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inside, (*path, key))
    else:
        yield path


def test_check_tells_what_may_be_too_large_before_it_is_explored(synth, monkeypatch):
    from synth_litmus.facts import check as checking

    monkeypatch.setattr(checking, "MAX_STATES", 5)
    monkeypatch.setattr(checking, "check_states", lambda _program, _most: None)
    ran = synth("check", "01100002-01100002")
    assert ran.err.startswith("synth: 01100002-01100002 may reach more than 5 states, which would be too many to check")
    assert "A test." in ran.out


def test_what_surely_has_too_many_states_to_be_certified_is_refused_before_anything_is_printed(synth, monkeypatch):
    from synth_checker.certificates import product

    monkeypatch.setattr(product, "MAX_STATES", 5)
    assert synth("check", "01100002-01100002").code == 0
    ran = synth("check", "01100002-01100002", "--certify")
    assert (ran.code, ran.out) == (2, "")
    assert "this program has more than 5 states" in ran.err
