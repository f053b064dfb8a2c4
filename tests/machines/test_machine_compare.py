"""Test `synth machine compare` by projects that are written by hand."""

import json

import pytest

import rodin_projects
from rodin_projects import CORE, GOALS

SAME = {**GOALS, "inv2/WD": "s⊆ℤ⇒(∀y⦂ℤ·y∈s⇒x≠0)"}


def test_equal_obligations_agree(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p", SAME)
    ran = synth("machine", "compare", "p")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            "m: 5 obligations of Rodin, 5 with equal goals",
            "  provers of Rodin: 1 discharged automatically, 1 discharged by hand, 1 reviewed, 1 open, 1 broken",
        ],
    )


def test_a_shorter_goal_is_equivalent(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p")
    ran = synth("machine", "compare", "p")
    assert ran.code == 1
    assert ran.out.splitlines()[2:] == [
        "  inv2/WD differs",
        "    ours: s ⊆ ℤ ⇒ (∀y·y ∈ s ⇒ x ≠ 0)",
        "    Rodin's: s≠(∅ ⦂ ℙ(ℤ))⇒x≠0",
    ]
    ran = synth("machine", "compare", "p", "--prove")
    assert (ran.code, ran.out.splitlines()[0]) == (
        0,
        "m: 5 obligations of Rodin, 4 with equal goals and 1 with equivalent goals",
    )
    rodin_projects.lay(tmp_path / "p", {**SAME, "inv2/WD": "s=(∅ ⦂ ℙ(ℤ))⇒x≠0"})
    assert synth("machine", "compare", "p", "--prove").code == 1


def test_a_part_that_is_not_valid_is_named_and_the_rest_is_compared(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p", SAME)
    machine = tmp_path / "p" / "m.bum"
    machine.write_text(rodin_projects.MACHINE.replace("x ≔ x+1", "x ≔ up(x)"))
    ran = synth("machine", "compare", "p")
    assert (ran.code, ran.out.splitlines()[2:]) == (
        1,
        [
            "  left out: m: line 12: up: act1: found up, which is not declared",
            "  only Rodin has up/inv1/INV",
            "  only Rodin has up/inv2/INV",
        ],
    )


def test_names_and_goals_that_differ_are_named(synth, tmp_path):
    goals = {name: goal for name, goal in SAME.items() if name != "up/inv1/INV"}
    goals |= {"up/inv2/INV": "x ∈", "up/inv3/INV": "⊥", "INITIALISATION/inv1/INV": "1∈ℕ1"}
    rodin_projects.lay(tmp_path / "p", goals)
    ran = synth("machine", "compare", "p")
    assert ran.code == 1
    assert ran.out.splitlines()[2:] == [
        "  only Rodin has up/inv3/INV",
        "  only synth has up/inv1/INV",
        "  INITIALISATION/inv1/INV differs",
        "    ours: 1 ∈ ℕ",
        "    Rodin's: 1∈ℕ1",
        "  up/inv2/INV differs",
        "    ours: s ⊆ ℤ ∧ (∀y·y ∈ s ⇒ 6 ÷ (x + 1) ≥ y)",
        "    Rodin's: x ∈",
        "    not read: line 1, column 4: found the end, expected a formula",
    ]


def test_what_cannot_be_read_is_named_and_the_rest_is_compared(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p", SAME)
    (tmp_path / "p" / "broken.bum").write_text("<a/>")
    for name in ("broken", "alone"):
        (tmp_path / "p" / f"{name}.bpo").write_text(rodin_projects.obligations({}))
    ran = synth("machine", "compare", "p", "--json")
    problems = {line["component"]: line["problem"] for line in map(json.loads, ran.out.splitlines())}
    assert ran.code == 1
    assert problems["m"] is None
    assert problems["alone"] == "found no file .buc or .bum of this name"
    assert problems["broken"].endswith(
        f"broken.bum: line 1: found 'a', expected {CORE}contextFile or {CORE}machineFile"
    )


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("m.bpo", "<a/>", f"p/m.bpo: line 1: found 'a', expected {CORE}poFile"),
        ("m.bpo", "<!DOCTYPE a><a/>", "p/m.bpo: line 1: found a DOCTYPE, expected none"),
        (
            "m.bpo",
            f'<{CORE}poFile><{CORE}poSequent name="a"/></{CORE}poFile>',
            "p/m.bpo: line 1: found 'a' with 0 goals or twice, expected one goal and once",
        ),
        (
            "m.bps",
            f'<{CORE}psFile><{CORE}psStatus name="a" {CORE}confidence="much"/></{CORE}psFile>',
            "p/m.bps: line 1: found the confidence 'much', expected a number",
        ),
    ],
)
def test_hostile_files_are_refused_in_one_line(synth, tmp_path, file, text, message):
    rodin_projects.lay(tmp_path / "p", SAME)
    (tmp_path / "p" / file).write_text(text)
    ran = synth("machine", "compare", "p")
    assert (ran.code, ran.out) == (1, f"m: not compared: {message}\n")


def test_a_folder_that_rodin_has_not_built_is_refused(synth):
    assert synth("machine", "export", "@gpu", "p").code == 0
    ran = synth("machine", "compare", "p")
    assert (ran.code, ran.err) == (2, "synth: p: found no file .bpo, expected a project that Rodin has built\n")


@pytest.mark.full
def test_what_rodin_has_discharged_is_not_refuted(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p", SAME)
    ran = synth("machine", "compare", "p", "--verdicts")
    assert (ran.code, ran.out.splitlines()[2:]) == (0, ["  synth on what they discharged: 2 proved"])
    machine = tmp_path / "p" / "m.bum"
    machine.write_text(rodin_projects.MACHINE.replace("x ≔ 1", "x ≔ −1"))
    ran = synth("machine", "compare", "p", "--verdicts")
    assert ran.code == 1
    assert ran.out.splitlines()[2:4] == [
        "  synth on what they discharged: 1 refuted, 1 proved",
        "  INITIALISATION/inv1/INV is discharged by Rodin and refuted by synth: one of them has a defect",
    ]


def test_a_status_of_an_older_obligation_is_outdated(synth, tmp_path):
    rodin_projects.lay(tmp_path / "p", SAME)
    for file, place in (
        ("m.bpo", f'name="INITIALISATION/inv1/INV" {CORE}accurate'),
        ("m.bps", 'INITIALISATION/inv1/INV"'),
    ):
        path = tmp_path / "p" / file
        stamp = place.replace('INV"', f'INV" {CORE}poStamp="{len(file + place)}"')
        assert place in path.read_text()
        path.write_text(path.read_text().replace(place, stamp))
    ran = synth("machine", "compare", "p", "--verdicts")
    assert ran.out.splitlines()[1:] == [
        "  provers of Rodin: 1 discharged by hand, 1 reviewed, 1 open, 1 broken, 1 outdated",
        "  synth on what they discharged: 1 proved",
    ]


def predicate_set(name, parent, *predicates):
    """Return a set of hypotheses; `parent` is a file and a set in it, or None."""
    file, _, of = (parent or "").partition("#")
    handle = f"/old project/{file}|{CORE}poFile#{file[:-4]}|{CORE}poPredicateSet#{of}"
    attribute = f'{CORE}parentSet="{handle}"' if parent else ""
    inner = "".join(
        f'<{CORE}poPredicate name="PRD{place}" {CORE}predicate="{predicate}" {CORE}source="/p"/>'
        for place, predicate in enumerate(predicates)
    )
    return f'<{CORE}poPredicateSet name="{name}" {attribute} {CORE}poStamp="1">{inner}</{CORE}poPredicateSet>'


def sequent(name, goal, hypotheses):
    goal = f'<{CORE}poPredicate name="SEQHYQ" {CORE}predicate="{goal}"/>'
    return f'<{CORE}poSequent name="{name}">{hypotheses}{goal}</{CORE}poSequent>'


def po_file(*parts):
    return f"<{CORE}poFile>{''.join(parts)}</{CORE}poFile>"


def lay_seen(folder, *, parent="c.bpo#ABS(HYP", of_event="0≤x"):
    """Write a machine that sees a context, with what Rodin builds of both."""
    folder.mkdir(parents=True)
    (folder / ".project").write_text("<projectDescription><name>old project</name></projectDescription>")
    (folder / "c.buc").write_text(
        f'<{CORE}contextFile version="3"><{CORE}constant name="a" {CORE}identifier="k"/>'
        f'<{CORE}axiom name="b" {CORE}label="axm1" {CORE}predicate="k ∈ ℕ ∧ (∀i·i&gt;k⇒i≠0)"/></{CORE}contextFile>'
    )
    (folder / "c.bpo").write_text(po_file(predicate_set("ABS(HYP", None, "k∈ℕ∧(∀j⦂ℤ·j&gt;k⇒j≠0)")))
    (folder / "c.bcc").write_text(
        f'<{CORE}scContextFile {CORE}accurate="true"><{CORE}scConstant name="k" {CORE}type="ℤ"/></{CORE}scContextFile>'
    )
    (folder / "m.bum").write_text(
        f'<{CORE}machineFile version="5"><{CORE}seesContext name="a" {CORE}target="c"/>'
        f'<{CORE}variable name="b" {CORE}identifier="x"/>'
        f'<{CORE}invariant name="c" {CORE}label="inv1" {CORE}predicate="x ∈ 0‥k"/>'
        f'<{CORE}event name="d" {CORE}label="INITIALISATION"><{CORE}action name="e" {CORE}label="a" '
        f'{CORE}assignment="x ≔ 0"/></{CORE}event>'
        f'<{CORE}event name="f" {CORE}label="down"><{CORE}guard name="g" {CORE}label="g1" {CORE}predicate="0 ≤ x"/>'
        f'<{CORE}action name="e" {CORE}label="a" {CORE}assignment="x ≔ 0"/></{CORE}event></{CORE}machineFile>'
    )
    (folder / "m.bpo").write_text(
        po_file(
            predicate_set("CTXHYP", parent),
            predicate_set("ALLHYP", "m.bpo#CTXHYP", "x∈0 ‥ k"),
            predicate_set("EVT#1".replace("#", ""), "m.bpo#ALLHYP", of_event),
            sequent("INITIALISATION/inv1/INV", "0∈0 ‥ k", predicate_set("SEQHYP", "m.bpo#CTXHYP")),
            sequent("down/inv1/INV", "0∈0 ‥ k", predicate_set("SEQHYP", "m.bpo#EVT1", "⊤")),
        )
    )
    (folder / "m.bcm").write_text(
        f'<{CORE}scMachineFile {CORE}accurate="true"><{CORE}scInternalContext name="c"><{CORE}scConstant name="k" '
        f'{CORE}type="ℤ"/></{CORE}scInternalContext><{CORE}scVariable name="x" {CORE}type="ℤ"/></{CORE}scMachineFile>'
    )


def test_hypotheses_and_types_are_compared(synth, tmp_path):
    lay_seen(tmp_path / "all" / "p")
    (tmp_path / "all" / ".git" / "q").mkdir(parents=True)
    (tmp_path / "all" / ".git" / "q" / "x.bpo").write_text("")
    ran = synth("machine", "compare", "all", "--hypotheses")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            "c: 0 obligations of Rodin, 0 with equal goals",
            "  0 obligations with other hypotheses",
            "m: 2 obligations of Rodin, 2 with equal goals",
            "  provers of Rodin: 2 open",
            "  0 obligations with other hypotheses",
        ],
    )
    assert synth("machine", "validate", "all").code == 0
    lay_seen(tmp_path / "q", of_event="0&lt;x")
    checked = tmp_path / "q" / "m.bcm"
    checked.write_text(checked.read_text().replace('name="x" ', 'name="x" ').replace('"true"', '"false"', 1))
    checked.write_text(
        checked.read_text().replace(
            'scVariable name="x" org.eventb.core.type="ℤ"', 'scVariable name="x" org.eventb.core.type="ℙ(ℤ)"'
        )
    )
    ran = synth("machine", "compare", "q", "--hypotheses")
    assert (ran.code, ran.out.splitlines()[4:]) == (
        1,
        [
            "  Rodin's static checker has found faults",
            "  x has the type ℤ, and for Rodin ℙ(ℤ)",
            "  1 obligation with other hypotheses",
            "    down/inv1/INV",
            "      only ours: 0 ≤ x",
            "      only Rodin's: 0 < x",
        ],
    )
    ran = synth("machine", "compare", ".")
    assert (ran.code, ran.err) == (2, "synth: .: found 2 projects, expected one, such as all/p\n")


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ("m.bpo#CTXHYP", "line 1: found a set of 'down/inv1/INV' that is its own parent, expected another parent"),
        ("c.bpo#ALL", "line 1: found the parent '/old project/c.bpo|"),
        ("d.bpo#ABSHYP", "d.bpo: No such file"),
    ],
)
def test_a_parent_that_is_not_there_is_named(synth, tmp_path, parent, message):
    lay_seen(tmp_path / "p", parent=parent)
    ran = synth("machine", "compare", "p", "--hypotheses", "--json")
    line = json.loads(ran.out.splitlines()[1])["hypotheses"][-1]
    assert line["name"] == "down/inv1/INV"
    assert message in line["problem"]
