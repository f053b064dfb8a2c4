"""Test Rodin's files: components come back as they were, and hostile XML is refused in one line."""

import pytest
from hypothesis import given

from event_b import components
from quick import mostly_full
from synth_checker.errors import InputError
from synth_machines.components import Context
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.rodin.reader import read_component
from synth_machines.rodin.writer import project_files, written_component
from synth_machines.shipped import SHIPPED, shipped
from synth_machines.texts.reader import read_components
from synth_machines.texts.writer import written_components

CORE = "org.eventb.core."
TEXT = """context `my context` // of the whole
sets S
axioms
  theorem @`a label` ∀x·x ∈ ℤ ⇒ x ≥ x
end

machine m // < & > "quoted"
sees `my context`
variables f
invariants
  // two
  // lines
  @i f ∈ ℤ ⇸ ℤ
variant f
events
  event INITIALISATION
    then
      @a f ≔ ∅
  end
  event `go on`
    status convergent
    any any_ where
      @g any_ ∈ dom(f)
    then
      @a f(any_) ≔ −1
      @b f ≔ f <+ {1 ↦ 2}
  end
end

machine n
refines m
sees `my context`
variables f
events
  event INITIALISATION
  extends INITIALISATION
  end
  event `id`
  refines `go on`
    status anticipated
    with
      @any_ any_ = 1
      @f' f' = f
  end
end
"""


def through_xml(given_components):
    """Return components after XML, and the XML."""
    files = {given_component.name: written_component(given_component) for given_component in given_components}
    return [read_component(text.encode(), name) for name, text in files.items()], files


def check_round_trip(given_components):
    components, files = through_xml(given_components)
    text = written_components(components)
    again = read_components(text)
    assert through_xml(again)[1] == files
    assert written_components(again) == text


@pytest.mark.full
@given(components())
def test_components_come_back_from_xml(given_components):
    check_round_trip(given_components)


def test_all_parts_come_back_from_xml():
    written = read_components(TEXT)
    assert through_xml(written)[0] == written
    check_round_trip(written)
    assert written_components(written).startswith("context `my context` // of the whole\n")
    assert "  event `id`\n  refines `go on`\n" in written_components(written)


@pytest.mark.full
@mostly_full("name", SHIPPED)
def test_obligations_survive_xml(name):
    def stated(given_components):
        project = Project(given_components)
        return [
            (obligation.full_name, obligation.kind, obligation.goal)
            for part in project.checked()
            for obligation in obligations_of(part)
        ]

    check_round_trip(shipped(name))
    assert stated(through_xml(shipped(name))[0]) == stated(shipped(name))


def test_what_rodin_writes_otherwise_is_read():
    """Rodin's own names, attributes in another order, plug-ins, override as a private letter, and line breaks."""
    text = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <{CORE}machineFile version="5" {CORE}configuration="{CORE}fwd;de.prob.symbolic.ctxBase" org.other.x="1">
    <org.other.thing name="("><org.other.inner/></org.other.thing>
    <{CORE}event name="'" {CORE}convergence="1" {CORE}extended="false" {CORE}label="go">
      <{CORE}action {CORE}assignment="f ≔&#10;f\ue103{{1↦2}}" {CORE}label="act1 " name="'"/>
      <{CORE}guard {CORE}label="grd1" {CORE}predicate="1 ∈ dom(f)" {CORE}theorem="true" name="("/>
    </{CORE}event>
    <{CORE}variable {CORE}comment="  a&#13;&#10; b " {CORE}identifier="f" name="-"/>
    </{CORE}machineFile>"""
    component = read_component(text.encode(), "m")
    check_round_trip([component])
    assert written_components([component]).splitlines() == [
        *("machine m", "variables", "  // a", "  // b", "  f", "events", "  event go", "    status convergent"),
        *("    where", "      theorem @grd1 1 ∈ dom(f)", "    then", "      @`act1 ` f ≔ f <+ {1 ↦ 2}", "  end", "end"),
    ]


def machine(inner, attributes=""):
    return f"<{CORE}machineFile {attributes}>{inner}</{CORE}machineFile>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "line 1: found a DOCTYPE, expected none"),
        ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "line 1: found a DOCTYPE, expected none"),
        ("<a>&b;</a>", "line 1, column 4: found no XML (undefined entity), expected a file of Rodin"),
        ("", "line 1, column 1: found no XML (no element found), expected a file of Rodin"),
        ("<a" + "><a" * 50, "line 1: found more than 40 elements inside each other"),
        ("<a/>", f"line 1: found 'a', expected {CORE}contextFile or {CORE}machineFile"),
        (
            machine(f'\n<{CORE}invariant {CORE}label="i" {CORE}predicate="x ∈"/>'),
            "line 2: 'i': in the predicate, line 1, column 4: found the end, expected a formula",
        ),
        (
            machine(f'<{CORE}invariant {CORE}label="i"/>'),
            f"line 1: found '{CORE}invariant' without the attribute {CORE}predicate, expected one",
        ),
        (
            machine(f'<{CORE}invariant {CORE}label="a&#9;b" {CORE}predicate="⊤"/>'),
            r"line 1: found the label 'a\tb', expected letters that can be printed",
        ),
        (machine("", 'version="V"'), "line 1: found the version 'V', expected a number"),
        (
            machine(f'<{CORE}invariant {CORE}label="i" {CORE}predicate="⊤" {CORE}theorem="yes"/>'),
            "line 1: found theorem 'yes', expected true or false",
        ),
        (
            machine(f'<{CORE}variable {CORE}identifier="1x"/>'),
            "line 1: found the identifier '1x', expected a name",
        ),
        (
            machine(f'<{CORE}event {CORE}label="e" {CORE}convergence="3"/>'),
            "event 'e': line 1: found the convergence '3', expected 0, 1, 2",
        ),
        (
            machine(f'<{CORE}variant {CORE}expression="1"/>' * 2),
            "line 1: found 2 variants, expected at most one",
        ),
        (machine(f"<{CORE}axiom/>"), f"line 1: element: found '{CORE}axiom' (did you mean {CORE}variant?), expected"),
    ],
)
def test_hostile_xml_is_refused_in_one_line(text, message):
    with pytest.raises(InputError) as error:
        read_component(text.encode(), "m")
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


def test_too_many_elements_are_refused(monkeypatch):
    monkeypatch.setattr("synth_machines.rodin.xml._MOST_ELEMENTS", 10)
    with pytest.raises(InputError, match="line 1: found more than 10 elements, expected fewer"):
        read_component(machine(f'<{CORE}variable {CORE}identifier="x"/>' * 10).encode(), "m")


@pytest.mark.parametrize(
    ("component", "message"),
    [
        (Context("c", comment="a\1b"), "XML: found the character U+0001, expected one that XML can hold"),
        (Context("../c"), "component: found '../c', expected a name that a file can have"),
    ],
)
def test_what_xml_cannot_hold_is_refused(component, message):
    with pytest.raises(InputError) as error:
        project_files([component], "p")
    assert str(error.value) == message


def test_files_of_old_versions_are_read():
    """There, a theorem is an element of its own, and an inherited event is one that adds nothing."""
    context = f"""<{CORE}contextFile version="1"><{CORE}constant name="a" {CORE}identifier="k "/>
        <{CORE}axiom name="b" {CORE}label="a" {CORE}predicate="k ∈ ℕ"/>
        <{CORE}theorem name="c" {CORE}label="t" {CORE}predicate="k ≥ 0"/></{CORE}contextFile>"""
    context_read = read_component(context.encode(), "c")
    assert [(axiom.label, axiom.is_theorem) for axiom in context_read.axioms] == [("a", False), ("t", True)]
    assert [constant.name for constant in context_read.constants] == ["k"]
    machine = f"""<{CORE}machineFile version="1"><{CORE}refinesMachine name="a" {CORE}target="m"/>
        <{CORE}theorem name="c" {CORE}label="t" {CORE}predicate="⊤"/>
        <{CORE}event name="d" {CORE}label="e" {CORE}convergence="2" {CORE}inherited="true"/></{CORE}machineFile>"""
    context_read = read_component(machine.encode(), "n")
    assert (context_read.invariants[0].is_theorem, context_read.invariants[0].label) == (True, "t")
    event = context_read.events[0]
    assert (event.is_extended, event.refines, event.status) == (True, ("e",), "anticipated")


def test_a_machine_sees_what_its_abstract_machine_sees():
    text = """context c sets S constants k axioms @a k ∈ ℕ end
    machine m sees c variables x invariants @i x ∈ 0 ‥ k events event INITIALISATION then @a x ≔ 0 end end
    machine n refines m variables x s invariants @j s ⊆ S events
      event INITIALISATION extends INITIALISATION then @b s ≔ ∅ end
      event up any e when @g x < k @h e ∈ S then @a x ≔ x @b s ≔ s ∪ {e} end
    end"""
    obligations = list(obligations_of(Project(read_components(text)).machine("n")))
    assert [obligation.name for obligation in obligations] == ["up/x/EQL"]
    assert [hypothesis.source for hypothesis in obligations[0].hypotheses] == ["a", "i", "j", "g", "h"]
