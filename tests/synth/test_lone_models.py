"""The name of a model alone means both its verdicts, in every command that takes a model or a verdict."""

import json
from pathlib import Path

import pytest

from quick import mostly_full
from synth.cli import command_line
from synth_checker.programs.normal import program_of_id
from synth_corpus.store import Corpus
from synth_devices.sim.device import Sim
from synth_devices.simulated.worst_schedule import attack, why_unfair

#: Group 0 waits for what group 1 writes.
WAITS = """kernel waits
global flag: i32
entry:
  first = eq gid.0, 0:i32
  branch first ? spin : tell
spin:
  x = volatile read i32 flag[0:i32]
  again = eq x, 0:i32
  branch again ? spin : done
tell:
  volatile write i32 flag[0:i32] = 1:i32
  jump done
done:
  return
"""
#: Of each parameter that takes models or verdicts: a call of its command, with {} in place of the model.
CALLS = {
    "enumerate --model": "enumerate --bounds 2x2 --model {} --out -",
    "check --model": "check 0011-00_0 --model {} --json",
    "shrink --keep": "shrink 0010-0100 --keep {}=fail",
    "shrink --model": "shrink 0010-0100 --model {} --json",
    "suite --model": "suite --model {} --from @minimal/2x3 --cover verdicts",
    "find --pass": "find --pass {} --bounds 2x3 --json",
    "find --fail": "find --fail {} --bounds 2x2 --json",
    "separate A": "separate {} HSA --bounds 2x2",
    "separate B": "separate HSA.weak {} --bounds 2x2",
    "lattice --model": "lattice --bounds 2x2 --model {}",
    "explain --model": "explain 0011-00_0 --model {}",
    "lts --model": "lts 0011-00_0 --model {} --format json",
    "report --model": "report it --model {}",
    "crosscheck --model": "crosscheck --bounds 2x2 --model {} --engine explicit --engine sat",
    "model show MODEL": "model show {} --json",
    "model equal A": "model equal {} LOBE --json",
    "model equal B": "model equal LOBE {} --json",
    "corpus list --pass": "corpus list @minimal/2x3 --pass {}",
    "corpus list --fail": "corpus list @minimal/2x3 --fail {}",
    "corpus list --model": "corpus list @minimal/2x3 --model {}",
    "corpus export --model": "corpus export @minimal/2x3 --format mustpass --model {}",
    "job plan --model": "job plan --bounds 2x2 --model {} --json",
    "job start --model": "job start --bounds 2x2 --model {} it.job --jobs 1",
    "sim attack --verdict": "sim attack 0011-00_0 --verdict {}",
    "sim replay --verdict": "sim replay 0011-00_0 attack.txt --verdict {}",
    "campaign analyse --expect": "campaign analyse it --expect {} --junit it.xml",
    "campaign analyse --model": "campaign analyse it --model {}",
    "kernel need --model": "kernel need k.kernel --workgroups 2 --arg flag=0:1 --model {}",
    "kernel check --model": "kernel check k.kernel --workgroups 2 --arg flag=0:1 --model {}",
    "kernel explain --model": "kernel explain k.kernel --workgroups 2 --arg flag=0:1 --model {}",
    "kernel lts --model": "kernel lts k.kernel --workgroups 2 --arg flag=0:1 --model {} --format json",
    "machine guarantees --model": "machine guarantees @gpu --setting SM=1,nb_kernel_threads=2 --model {}",
}
#: Those of them that also take several verdicts. With both of a model, they say what they say with the model.
SEVERAL = {
    "check --model", "suite --model", "find --pass", "find --fail", "corpus list --pass", "corpus list --fail",
    "corpus list --model", "kernel check --model",
}  # fmt: skip
#: Those whose answer names both verdicts, or has them as the two columns or forms of the model.
NAMED = {
    "separate A": ["Passes OBE.weak, fails HSA.weak:", "Passes OBE.strong, fails HSA.strong:"],
    "separate B": ["Passes HSA.weak, fails OBE.weak:", "Passes HSA.weak, fails OBE.strong:"],
    "explain --model": ["OBE.weak: fail;", "OBE.strong: fail;"],
    "kernel explain --model": ["waits fails OBE.weak:", "waits fails OBE.strong:"],
    "enumerate --model": ['"OBE.weak":', '"OBE.strong":'],
    "lattice --model": ["OBE.weak < OBE.strong"],
    "lts --model": ['"for_ever":["weak","strong"]'],
    "kernel lts --model": ['"for_ever":["weak","strong"]'],
    "campaign analyse --model": ["OBE.weak", "OBE.strong"],
}


def parameters(command=None, path=()):
    """Each parameter that takes a model or a verdict: its command and its name."""
    command = command or command_line()
    for name, below in getattr(command, "commands", {}).items():
        yield from parameters(below, (*path, name))
    for param in () if hasattr(command, "commands") else command.params:
        kinds = ("{models}", "{verdicts}", "verdict, which", "Show only this verdict", "VERDICT", "A, written as A")
        told = f"{getattr(param, 'help', '')} {param.metavar}"
        if any(kind in told for kind in kinds) or (
            param.metavar == "B" and path in {("separate",), ("model", "equal")}
        ):
            yield f"{' '.join(path)} {param.opts[-1] if param.opts[-1].startswith('--') else param.metavar}"


def test_every_command_that_takes_a_model_or_a_verdict_is_called_here():
    assert sorted(parameters()) == sorted(CALLS)
    assert {*SEVERAL, *NAMED} <= {*CALLS}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    return tmp_path_factory.mktemp("made") / "it"


@pytest.fixture
def called(synth, campaign, tmp_path, monkeypatch):
    """Call a command with words for models in a folder that has what it needs."""
    monkeypatch.chdir(tmp_path)

    def call(case, word):
        if " it " in CALLS[case]:
            if not campaign.exists():
                monkeypatch.setattr(Sim, "usual_workgroups", 100)
                words = ("--launches", "3", "--mapping", "plain", "00_0-0011", "0011-00_0")
                assert synth("campaign", "run", "--device", "sim", *words, "--out", campaign).code == 0
            (tmp_path / "it").exists() or (tmp_path / "it").symlink_to(campaign)
        elif case.startswith("kernel"):
            (tmp_path / "k.kernel").write_text(WAITS)
        elif case == "sim replay --verdict":
            assert (
                synth("sim", "attack", "0011-00_0", "--verdict", "OBE.strong", "--out", "attack.txt", "--force").code
                == 0
            )
        return synth(*(part.replace("{}", word) for part in CALLS[case].split()))

    return call


@pytest.mark.full
@mostly_full("case", CALLS, quick=8)
def test_the_name_of_a_model_alone_means_both_its_verdicts(called, case):
    ran = called(case, "OBE")
    assert ran.code in {0, 1, 3}, ran.err
    for words in NAMED.get(case, ()):
        assert words in ran.out
    if case in SEVERAL:
        assert called(case, "OBE.weak,OBE.strong") == ran


@pytest.mark.full
def test_a_campaign_is_expected_to_keep_both_verdicts_of_a_model(called):
    case = "campaign analyse --expect"
    codes = {word: called(case, word).code for word in ("HSA.weak", "HSA.strong", "HSA")}
    assert codes["HSA"] == max(codes["HSA.weak"], codes["HSA.strong"])
    assert Path("it.xml").read_text().count("<testsuite ") == 2
    assert [f'"{name} on ' in Path("it.xml").read_text() for name in ("HSA.weak", "HSA.strong")] == [True, True]
    assert called(case, "frob").code == 2


@pytest.mark.full
def test_a_schedule_that_keeps_the_promise_of_a_model_keeps_both_its_promises():
    for record in list(Corpus("@complete/2x3"))[::3]:
        program = program_of_id(record.id)
        for model in ("HSA", "OBE", "LOBE", "fair", "resident-1"):
            found = attack(program, model)
            assert (found is None) == (attack(program, f"{model}.strong") is None)
            if found is not None:
                assert why_unfair(found, program, model) is None
                assert why_unfair(found, program, f"{model}.weak") is None


def test_a_schedule_must_keep_both_promises_of_a_model():
    program = program_of_id("0010-0100")
    weak = attack(program, "fair.weak")
    assert why_unfair(weak, program, "fair.weak") is None
    assert why_unfair(weak, program, "fair.strong") == why_unfair(weak, program, "fair") is not None


def test_a_drawing_needs_one_verdict_and_says_why(synth):
    ran = synth("explain", "0011-00_0", "--model", "OBE", "--svg", "it.svg")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "synth: svg: found the model OBE, expected one verdict, OBE.weak or OBE.strong, because a drawing shows one "
        "proof\n"
    )


def test_each_verdict_of_a_model_is_a_json_object(synth):
    lines = synth("explain", "0011-00_0", "--model", "OBE", "--json").out.splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == [{"OBE.weak": "fail"}, {"OBE.strong": "fail"}]
    pairs = json.loads(synth("separate", "OBE", "fair", "--bounds", "2x2", "--json").out)
    assert [(pair["passes"], pair["fails"]) for pair in pairs] == [
        ("OBE.weak", "fair.weak"),
        ("fair.weak", "OBE.weak"),
        ("OBE.strong", "fair.strong"),
        ("fair.strong", "OBE.strong"),
    ]


def test_whoever_claims_a_model_must_pass_what_either_of_its_verdicts_guarantees(synth):
    def listed(model, form="mustpass"):
        return synth("corpus", "export", "@complete/2x3", "--format", form, "--model", model).out

    assert listed("OBE") == listed("OBE.strong") != listed("OBE.weak") != ""
    assert listed("OBE", "herd") == listed("OBE.strong", "herd")
    assert listed("unfair", "herd").count("Always") == 0
