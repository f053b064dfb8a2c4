"""Test `synth machine`: the sessions of its page, and what it refuses."""

from pathlib import Path

import pytest

from documents import commands, shown

PAGE = Path(__file__).parents[2] / "docs" / "understand" / "machines.md"


def test_the_page_shows_what_the_commands_print(synth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sessions = list(commands(PAGE, tmp_path))
    assert sessions
    for command, output in sessions:
        ran = synth(*command.removeprefix("synth ").split())
        assert (shown(ran.out), ran.err) == (shown(output), ""), command


def test_machines_are_printed_in_both_styles(synth, tmp_path):
    file = tmp_path / "a.eventb"
    text = synth("machine", "show", "@gpu").out
    file.write_text(synth("machine", "show", "@gpu", "--style", "camillex").out)
    assert "convergent event bloc_start" in file.read_text()
    assert synth("machine", "show", str(file)).out == text
    assert synth("machine", "show", str(tmp_path)).out == text
    assert synth("machine", "show", "@gpu", "--component", "GPU").out == text.partition("\nmachine")[0]


#: The machine n has lost the variable x of m, and its name stays taken.
CHAIN = (
    "machine m variables x invariants @i x = 1 events event INITIALISATION then @a x ≔ 1 end end "
    "machine n refines m events event INITIALISATION end end"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("context c constants x axioms @a x = y end", "c: line 1: a: found y, which is not declared"),
        ("context c constants x end", "c: x: found nothing that says its type, expected a predicate such as x ∈ ℤ"),
        ("context c extends d end", "c: context: found 'd', expected one of c"),
        ("context c extends c end", "c: found a circle (c -> c), expected a component that does not lead to itself"),
        ("context c sets S S end", "c: found the name S twice, expected different names"),
        ("context c axioms @a ⊤ @a ⊤ end", "c: found the label a twice, expected different labels"),
        ("context c end context c end", "c: found two components of this name, expected different names"),
        ("machine m variables x invariants @i x = 1 end", "m: found no event INITIALISATION, expected one"),
        (
            "machine m variables x invariants @i x = 1 events event INITIALISATION then @a x ≔ x end end",
            "m: line 1: INITIALISATION: a: found x, which has no value before INITIALISATION, expected only constants",
        ),
        (
            "machine m variables x invariants @i x = 1 events event INITIALISATION then @a y ≔ 1 end end",
            "m: line 1: INITIALISATION: a: variable: found 'y', expected a variable of this machine",
        ),
        (
            "machine m variables x invariants @i x = 1 events event INITIALISATION then @a x ≔ 1 @b x ≔ 2 end end",
            "m: line 1: INITIALISATION: found the assigned variable x twice, expected different assigned variables",
        ),
        (
            "machine m events event INITIALISATION end event e refines f end end",
            "m: line 1: e: found an abstract event, expected none, because the machine refines no machine",
        ),
        (
            f"{CHAIN} machine p refines n variables x events event INITIALISATION end end",
            "p: found the name x twice, expected different names",
        ),
        (
            f"{CHAIN} machine p refines n events event INITIALISATION end event e any x where @g x = 1 end end",
            "p: line 1: e: found the name x twice, expected different names",
        ),
        (
            f"context c sets x end {CHAIN} machine p refines n sees c events event INITIALISATION end end",
            "p: found the name x twice, expected different names",
        ),
        ("context c axioms @a ∀x·x ∈ end", "line 1, column 28: found 'end', expected a formula"),
    ],
)
def test_what_is_not_valid_is_refused_in_one_line(synth, tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("m.eventb").write_text(text)
    ran = synth("machine", "validate", "m.eventb")
    assert ran.code == 2
    assert ran.err.removeprefix("synth: ").removeprefix("m.eventb: ").strip() == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["validate", "@gup"], "machines: found '@gup' (did you mean @gpu?), expected one of"),
        (
            ["validate", "@gpu", "--component", "kernal"],
            "component: found 'kernal' (did you mean kernel?), expected one of",
        ),
        (["show", "@gpu", "--style", "camile"], "--style: found 'camile' (did you mean camille?), expected one of"),
        (["validate", "missing.eventb"], "missing.eventb: "),
        (["validate", "."], ".: found no file .eventb or .buc or .bum in this folder, expected at least one"),
        (["validate", "latin.eventb"], "latin.eventb: found a byte that is no UTF-8 at 8, expected text in UTF-8"),
    ],
)
def test_wrong_words_are_refused_in_one_line(synth, tmp_path, monkeypatch, words, message):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    if words[1].startswith("latin"):
        Path("latin.eventb").write_bytes(b"context \xe4 end")
    ran = synth("machine", *words)
    assert ran.code == 2
    assert ran.err.removeprefix("synth: ").startswith(message)
    assert len(ran.err.splitlines()) == 1


@pytest.mark.full
def test_an_exported_project_is_read_again(synth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert synth("machine", "export", "@gpu", "--as", "rodin", "gpu").out == "wrote 6 files to gpu\n"
    assert sorted(file.name for file in Path("gpu").iterdir()) == [
        *(".project", "GPU.buc", "bloc_execution.bum", "bloc_scheduling.bum", "kernel.bum", "thread_execution.bum")
    ]
    shown = synth("machine", "show", "gpu/kernel.bum").out
    assert shown == synth("machine", "show", "@gpu", "--component", "kernel").out
    assert sorted(synth("machine", "obligations", "gpu").out) == sorted(synth("machine", "obligations", "@gpu").out)
    ran = synth("machine", "export", "@gpu", "gpu")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "--force" in ran.err
    assert synth("machine", "export", "gpu", "again").code == 0
    assert synth("machine", "export", "@gpu", "gpu", "--force").code == 0
    assert [file.read_bytes() for file in sorted(Path("again").glob("*.b*"))] == [
        file.read_bytes() for file in sorted(Path("gpu").glob("*.b*"))
    ]
    Path("gpu", "kernel.bum").write_text("<!DOCTYPE a><a/>")
    ran = synth("machine", "validate", "gpu")
    assert (ran.code, ran.err.splitlines()[:2]) == (
        2,
        [
            "synth: gpu/kernel.bum: line 1: found a DOCTYPE, expected none",
            "synth: bloc_execution: found a reference to kernel, which is not valid",
        ],
    )


def test_notes_say_what_is_doubtful(synth, tmp_path):
    file = tmp_path / "a.eventb"
    file.write_text(
        "machine m variables v invariants @i v ∈ BOOL events event INITIALISATION end "
        "event e status convergent any x where @g x = 1 end event f end end "
        "machine n refines m variables v events event INITIALISATION end event e refines e with @y y = 1 end end"
    )
    assert [line for line in synth("machine", "validate", str(file)).out.splitlines() if "note" in line] == [
        "  note: INITIALISATION does not assign v; any value is taken",
        "  note: e is convergent, but the machine has no variant",
        "  note: no event refines f of m: it can't happen any more",
        "  note: INITIALISATION does not assign v; any value is taken",
        "  note: e has no witness for x; ⊤ is taken",
        "  note: e needs no witness for y",
    ]


def test_what_is_wrong_with_one_component_leaves_the_others_alone(synth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    initial = "events event INITIALISATION end"
    text = f"""machine user sees bad {initial} end context bad axioms @a 1 = TRUE end
      context good constants k axioms @a k ∈ ℕ theorem @t k ≥ 0 end machine fine sees good {initial} end"""
    Path("p").mkdir()
    Path("p/all.eventb").write_text(text)
    Path("p/broken.bum").write_text("<a/>")
    problems = (
        "synth: p/broken.bum: line 1: found 'a', expected org.eventb.core.contextFile or org.eventb.core.machineFile\n"
        "synth: bad: line 1: a: 1 = TRUE: found the types BOOL and ℤ, expected equal types\n"
    )
    ran = synth("machine", "validate", "p")
    assert (ran.code, ran.err) == (2, problems)
    assert [line.split(":")[0] for line in ran.out.splitlines()] == [
        *("machine user", "context bad", "context good", "machine fine")
    ]
    ran = synth("machine", "obligations", "p")
    assert (ran.code, ran.out, ran.err) == (2, "good/t/THM: k ≥ 0\n1 obligation\n", problems)
    ran = synth("machine", "prove", "p")
    assert (ran.code, ran.err) == (2, problems)
    assert ran.out.splitlines()[-1] == "1 obligation: 1 proved"
    assert synth("machine", "validate", "p", "--component", "fine").code == 0
    ran = synth("machine", "validate", "p", "--component", "bad")
    assert (ran.code, ran.err) == (2, problems.splitlines()[1] + "\n")
    ran = synth("machine", "animate", "p", "--component", "user", "--steps", "1")
    assert (ran.code, ran.err) == (2, problems.splitlines()[1] + "\n")
    ran = synth("machine", "validate", "p", "--component", "broken")
    assert (ran.code, ran.err) == (2, problems.splitlines()[0] + "\n")
