"""Test files as Rodin writes them, from version 0.8 to 3.8: all written by hand, after Rodin's documents."""

import random
import re

import pytest

from synth_checker.errors import InputError
from synth_machines.formulas.printer import shown
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.rodin.reader import read_component
from synth_machines.rodin.writer import written_component
from synth_machines.shipped import shipped

CORE = "org.eventb.core."


def element(word, *children, **attributes):
    """Return an element of Rodin. Its name is a sign, as Rodin gives it, and the attributes get the prefix."""
    element.count = getattr(element, "count", 0) % 14 + 1
    name = chr(0x26 + element.count).replace("<", "&lt;").replace("&", "&amp;", 1)
    written = "".join(f' {CORE}{key}="{value}"' for key, value in attributes.items())
    return f'<{CORE}{word} name="{name}"{written}>{"".join(children)}</{CORE}{word}>\n'


def root(word, version, *children, more=""):
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
    configuration = f'{CORE}configuration="{CORE}fwd;de.prob.symbolic.ctxBase;de.prob.units.mchBase"'
    return f'{head}<{CORE}{word} {configuration} {more} version="{version}">\n{"".join(children)}</{CORE}{word}>\n'


def context(*children, version=3, more=""):
    return root("contextFile", version, *children, more=more)


def machine(*children, version=5, more=""):
    return root("machineFile", version, *children, more=more)


def predicate(word, label, text, **attributes):
    return element(word, label=label, predicate=text, **attributes)


def event(label, *children, **attributes):
    return element("event", *children, label=label, **{"convergence": "0", "extended": "false", **attributes})


def action(label, text):
    return element("action", label=label, assignment=text)


def project(files, **options):
    return Project([read_component(text.encode(), name, partly=True) for name, text in files.items()], **options)


def goals(checked):
    return {obligation.name: shown(obligation.goal) for obligation in obligations_of(checked)}


#: Axioms about S, T (carrier sets), r ∈ S↔T, f ∈ S⇸ℤ, q ∈ ℙ(ℤ), u ∈ ℙ(ℙ(ℤ)), n, m ∈ ℤ, b ∈ BOOL, with the goals of WD.
AXIOMS = {
    "partition(S, {s0}, {s1})": None,
    "n &#8712; &#8469;1": None,
    "q ∈ ℙ1(ℤ)": None,
    "∀x·x∈q⇒x ≥ n": None,
    "∀x⦂ℤ,y⦂S·x∈q∧y∈S⇒x ≥ n": None,
    "{x·x∈q∣x+1} = {x∣x∈q}": None,
    "{x+1|x∈q} = q": None,
    "{x↦y∣x∈q∧y=1} = q×{1}": None,
    "(λx·x∈q∣x∗x) ∈ q→ℤ": None,
    "(λx↦y·x∈q∧y∈S∣x) = prj1 \ue103 ∅": None,
    "(λ(x↦y)↦z·x∈q∧y∈S∧z∈T∣x) ≠ ∅": None,
    "(⋃x·x∈q∣{x}) = q": None,
    "(⋂x·x∈q∣{x}) = q": "∃x·x ∈ q",
    "(⋃{x}∣x∈q) = union(u)": None,
    "inter(u) = q": "u ≠ ∅",
    "r∼;(r\ue103{s0↦t0}) ⊆ T×T": None,
    "(r⊗r)∼ = (r∥r)": "type",
    "S◁r = S⩤r": None,
    "r▷T = r⩥T": None,
    "r[{s0}] = ran(r)∖T": None,
    "id = (∅⦂ℙ(S×S))": None,
    "id[S] ∩ dom(r) = S": None,
    "prj1(s0↦t0) = s0 ∧ prj2(s0↦t0) = t0": "s0 ↦ t0 ∈ dom(prj1) ∧ prj1 ∈ S × T ⇸ S ∧ "
    "(prj1(s0 ↦ t0) = s0 ⇒ s0 ↦ t0 ∈ dom(prj2) ∧ prj2 ∈ S × T ⇸ T)",
    "succ(n) = n+1": "n ∈ dom(succ) ∧ succ ∈ ℤ ⇸ ℤ",
    "pred∼ = succ": None,
    "b = bool(n>1)": None,
    "b = bool(f(s0)=1)": "s0 ∈ dom(f) ∧ f ∈ S ⇸ ℤ",
    "min(q) ≤ max(q)": "q ≠ ∅ ∧ (∃b·∀x·x ∈ q ⇒ b ≤ x) ∧ q ≠ ∅ ∧ (∃b·∀x·x ∈ q ⇒ b ≥ x)",
    "card(q) = n": "finite(q)",
    "finite(q)": None,
    "n ÷ m = 1": "m ≠ 0",
    "n mod m = 1": "0 ≤ n ∧ 0 < m",
    "n^m = 1": "0 ≤ n ∧ 0 ≤ m",
    "1‥n ⊆ q ∧ n‥n ⊄ ∅": None,
    "n = −1 ∧ n−m = - 1": None,
    "r ∈ S\ue100T ∧ r ∈ S\ue101T ∧ r ∈ S\ue102T": None,
    "f ∈ S⤔ℤ ∧ f ∈ S↣ℤ ∧ f ∈ S⤀ℤ ∧ f ∈ S↠ℤ ∧ f ∈ S⤖ℤ": None,
    "f(s0)=1 ∨ f(s1)=1": "s0 ∈ dom(f) ∧ f ∈ S ⇸ ℤ ∧ (f(s0) = 1 ∨ (s1 ∈ dom(f) ∧ f ∈ S ⇸ ℤ))",
    "∃x·x∈S ∧ f(x)=1": "∀x·x ∈ S ⇒ x ∈ dom(f) ∧ f ∈ S ⇸ ℤ",
    "n&#10;=&#9;m": None,
    "¬ n∈q ∧ n∉q ∧ ¬(n≠m)": None,
}
NAMES = {
    "r": "r ∈ S↔T", "f": "f∈S⇸ℤ", "q": "q ⊆ ℤ", "u": "u ⊆ ℙ(ℤ)", "n": "n∈ℤ", "m": "m ∈ ℕ", "b": "b∈BOOL",
    "s0": "s0 ∈ S", "s1": "s1∈S", "t0": "t0∈T",
}  # fmt: skip


def test_formulas_are_read_and_have_the_goals_of_the_definitions():
    written = {f"axm {place}.": text for place, text in enumerate(AXIOMS)}
    text = context(
        *(element("carrierSet", identifier=name) for name in "ST"),
        *(element("constant", identifier=name, comment="a&#10;b") for name in NAMES),
        *(predicate("axiom", name, kind) for name, kind in NAMES.items()),
        *(predicate("axiom", label, text.replace("<", "&lt;")) for label, text in written.items()),
    )
    checked = project({"c": text}, by_parts=True).context("c")
    # Its left operand has the type ℙ((T×T)×S), and its right one ℙ((S×S)×(T×T)).
    assert len(checked.left_out) == 1
    assert "(r ⊗ r)∼ = r ∥ r" in checked.left_out[0]
    expected = {f"{label}/WD": AXIOMS[text] for label, text in written.items() if AXIOMS[text] not in {None, "type"}}
    goals_found = goals(checked)
    assert goals_found == expected


C0 = context(
    element("carrierSet", identifier="S"),
    element("constant", identifier="größe"),
    predicate("axiom", "größe ist positiv", "größe∈ℕ1"),
    element("constant", identifier="cafe\u0301"),  # the accent is a character of its own
    predicate("axiom", "a.1", "cafe\u0301 ⊆ S", theorem="false"),
    predicate("axiom", "a\u00a02", "größe &gt; 0", theorem="true"),
    "<de.prob.units.thing name='x'><de.prob.units.inner/></de.prob.units.thing>",
    more='de.prob.lastmodified="12" org.eventb.texttools.text_representation="context c0&#10;sets S &lt; x end"',
)
M0 = machine(
    event("INITIALISATION", action("act1", "x ≔ 0"), action("act2", "y :∈ ℕ"), action("act3", "z :∣ z' ∈ ℕ")),
    event(
        "set y",
        element("parameter", identifier="p"),
        predicate("guard", "grd 1", "p ∈ 0‥größe", theorem="false"),
        action("act1", "y :∣ y' ≥ p"),
        action("act2", "x≔p"),
        convergence="2",
    ),
    event("plain", action("act1", "z :∈ {1,2}")),
    element("variable", identifier="x"),
    element("variable", identifier="y"),
    element("variable", identifier="z"),
    predicate("invariant", "inv1", "x∈ℤ"),
    predicate("invariant", "inv1 ", "y∈ℤ ∧ z∈ℤ"),
    element("seesContext", target="c0"),
    element("variant", expression="{x,y}", label="vrn"),
    "<ac.soton.eventb.emf.diagrams.thing org.eventb.core.label='z'/>",
    "<org.eventb.core.seqprover.thing name='q'/>",
)
M1 = machine(
    element("refinesMachine", target="m0"),
    element("seesContext", target="c0"),
    element("variable", identifier="w"),
    element("variable", identifier="x"),
    predicate("invariant", "glue", "w = y + z"),
    predicate("invariant", "inv2", "x ≥ 0", theorem="true"),
    event(
        "INITIALISATION",
        action("act1", "x ≔ 0"),
        action("act2", "w ≔ 1"),
        predicate("witness", "y'", "y' = 1"),
        predicate("witness", "z'", "z' = 0"),
    ),
    event(
        "set w",
        element("refinesEvent", target="set y"),
        predicate("witness", "p", "p ≥ 0"),
        predicate("witness", "y'", "y'=w'-z"),
        action("act1", "w,x :∣ w'=5 ∧ x' = x"),
        convergence="1",
    ),
    event("plain", element("refinesEvent", target="plain"), extended="true"),
    element("variant", expression="x÷1"),
)


def test_a_machine_with_all_kinds_of_parts_has_the_obligations_of_the_definitions():
    project_read = project({"m1": M1, "c0": C0, "m0": M0}, by_parts=True)
    assert goals(project_read.context("c0")) == {"a\u00a02/THM": "größe > 0"}
    assert project_read.context("c0").context.constants[1].name == "cafe\u0301"
    assert goals(project_read.machine("m0")) == {
        "INITIALISATION/act2/FIS": "ℕ ≠ ∅",
        "INITIALISATION/act3/FIS": "∃z'·z' ∈ ℕ",
        "INITIALISATION/inv1 /INV": "y' ∈ ℤ ∧ z' ∈ ℤ",
        "set y/act1/FIS": "∃y'·y' ≥ p",
        "set y/inv1 /INV": "y' ∈ ℤ ∧ z ∈ ℤ",
        "set y/VAR": "{p, y'} ⊆ {x, y}",
        "plain/act1/FIS": "{1, 2} ≠ ∅",
        "plain/inv1 /INV": "y ∈ ℤ ∧ z' ∈ ℤ",
        "FIN": "finite({x, y})",
    }
    m1 = project_read.machine("m1")
    # The extended event assigns a variable that has vanished.
    assert m1.left_out == ("m1: line 19: plain: found z in what is extended, expected a variable of this machine",)
    assert goals(m1) == {
        "inv2/THM": "x ≥ 0",
        "VWD": "1 ≠ 0",
        "INITIALISATION/glue/INV": "1 = 1 + 0",
        "INITIALISATION/act2/SIM": "1 ∈ ℕ",
        "INITIALISATION/act3/SIM": "0 ∈ ℕ",
        "set w/glue/INV": "w' = w' − z + z",
        "set w/act1/FIS": "∃w',x'·w' = 5 ∧ x' = x",
        "set w/NAT": "x ÷ 1 ∈ ℕ",
        "set w/VAR": "x' ÷ 1 < x ÷ 1",
        "set w/p/WFIS": "∃p·p ≥ 0",
        "set w/grd 1/GRD": "p ∈ 0 ‥ größe",
        "set w/act1/SIM": "w' − z ≥ p",
        "set w/act2/SIM": "x' = p",
    }


def test_what_is_wrong_with_a_part_leaves_the_others():
    c = context(
        element("extendsContext", target="missing"),
        element("constant", identifier="k"),
        element("constant", identifier="l"),
        element("constant", identifier="k"),
        predicate("axiom", "a1", "k ∈ ℕ"),
        predicate("axiom", "a2", "l ∈ seq(ℕ)"),  # of a theory
        predicate("axiom", "a3", "k ∈"),
        predicate("axiom", "a4", "l = l"),
        predicate("axiom", "a5", "k = TRUE"),
        predicate("axiom", "a1", "k > 1".replace(">", "&gt;")),
        predicate("axiom", "t", "k ≥ 1", theorem="true"),
        element("thing"),
    )
    m = machine(
        element("seesContext", target="c"),
        element("variable", identifier="x"),
        predicate("invariant", "i", "x ∈ ℕ"),
        event("INITIALISATION", action("a", "x ≔ 0")),
        event(
            "guarded",
            predicate("guard", "g1", "x ≥ l"),
            predicate("guard", "g2", "x ÷ k &gt; 0"),
            action("a", "x ≔ x − 1"),
        ),
        event("wrong", action("a", "x ≔ l")),
        event("wrong", action("a", "x ≔")),
        event("strange", element("thing"), action("a", "x ≔ 2")),
        element("variant", expression="l"),
    )
    project_read = project({"m": m, "c": c}, by_parts=True)
    assert [problem.partition(": ")[2] for problem in project_read.context("c").left_out[2:]] == [
        "context: found 'missing', expected one of c",
        "found the name k twice, expected different names",
        "found the label a1 twice, expected different labels",
        "line 8: a2: found seq, which is not declared",
        "line 11: a5: k = TRUE: found the types BOOL and ℤ, expected equal types",
        "line 10: a4: found l, which is not declared",
    ]
    unknown, unread = project_read.context("c").left_out[:2]
    assert unknown.startswith("line 14: element: found 'org.eventb.core.thing'")
    assert unread == "line 9: 'a3': in the predicate, line 1, column 4: found the end, expected a formula"
    assert goals(project_read.context("c")) == {"t/THM": "k ≥ 1"}
    assert goals(project_read.machine("m")) == {
        "INITIALISATION/i/INV": "0 ∈ ℕ", "guarded/g2/WD": "k ≠ 0", "guarded/i/INV": "x − 1 ∈ ℕ",
    }  # fmt: skip
    assert [problem.partition(", ")[0].partition(" (")[0] for problem in project_read.machine("m").left_out] == [
        "event 'wrong': line 14: 'a': in the assignment",
        "event 'strange': line 16: element: found 'org.eventb.core.thing'",
        "m: line 8: g1: found l",
        "m: line 12: wrong: a: found l",
        "m: line 19: variant: found l",
    ]
    assert all(obligation.is_partial for part in project_read.checked() for obligation in obligations_of(part))
    with pytest.raises(InputError, match=r"event .wrong.: line 14"):
        project({"m": m, "c": c}).machine("m")


def test_files_of_old_versions_have_another_language():
    """Before release 1.0, id and the projections had an operand, and parameters of events were variables."""
    axioms = [
        element("constant", identifier="r"),
        predicate("axiom", "a", "r ∈ 1‥2↔1‥2"),
        predicate("axiom", "b", "r = id(1‥2)"),
        predicate("theorem", "c", "dom(prj1(r)) = {x·x∈r∣x} ∧ prj2(id({1})) ≠ ∅"),
    ]
    old = project({"c": context(*axioms, version=1)}).context("c")
    assert [shown(axiom.predicate) for axiom in old.axioms[1:]] == [
        "r = 1 ‥ 2 ◁ id",
        "dom(r ◁ prj1) = {x·x ∈ r ∣ x} ∧ ({1} ◁ id) ◁ prj2 ≠ ∅",
    ]
    assert goals(old) == {"c/THM": shown(old.axioms[2].predicate)}
    new = project({"c": context(*axioms, version=3)}, by_parts=True).context("c")
    assert [problem.split(": ")[1] for problem in new.left_out] == ["line 5", "line 6"]
    parts = [
        element("variable", identifier="x"),
        predicate("invariant", "i", "x ⊆ ℤ"),
        event("INITIALISATION", action("a", "x ≔ ∅")),
        event(
            "e", element("variable", identifier="p"), predicate("guard", "g", "p ∈ x"), action("a", "x ≔ id(x)[{p}]")
        ),
    ]
    changed = project({"m": machine(*parts, version=3)}).machine("m").events[1]
    assert (changed.parameters, shown(changed.actions[0].assignment.values[0])) == (("p",), "(x ◁ id)[{p}]")


def with_a_fault(rng, text):
    """Return a file without one of its elements, or with another word in one of its attributes."""
    if rng.random() < 0.5:
        begin, end = rng.choice([match.span() for match in re.finditer(r"\n *<[^>]*/>", text)])
        return text[:begin] + text[end:]
    begin, end = rng.choice([match.span(1) for match in re.finditer(r'core\.(?!comment)\w+="([^"]*)"', text)])
    words = re.findall(r"\w+|\W", text[begin:end])
    place = rng.randrange(len(words) + 1)
    words[place : place + rng.randrange(2)] = [rng.choice(["x", "TRUE", "∅", "∪", "(", "1", "'", "kernel", ""])]
    return text[:begin] + "".join(words) + text[end:]


@pytest.mark.full
def test_faults_leave_the_other_parts_of_a_project():
    rng = random.Random(5)
    files = {component.name: written_component(component) for component in shipped("@gpu")}
    left_out = 0
    for _ in range(12):
        changed = dict(files)
        for name in rng.choices(list(files), k=3):
            changed[name] = with_a_fault(rng, changed[name])
        components, problems = [], {}
        for name, text in changed.items():
            try:
                components.append(read_component(text.encode(), name, partly=True))
            except InputError as error:
                problems[name] = str(error)
        for checked in Project(components, problems, by_parts=True).valid({}):
            left_out += len(checked.left_out)
            assert all(obligation.is_partial == (not checked.is_whole) for obligation in obligations_of(checked))
    assert left_out > 12
