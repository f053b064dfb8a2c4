"""Test components as text: what is written is read again, with comments, and what is no component is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from event_b import components
from quick import mostly_full
from synth_checker.errors import InputError
from synth_machines.shipped import SHIPPED, shipped
from synth_machines.texts.assignments import read_assignment, shown_assignment
from synth_machines.texts.reader import read_components
from synth_machines.texts.writer import written_components

TEXT = """// about the context
context c
sets S // elements
constants
  k // how many
axioms
  // it is
  // positive
  @axm1 k > 0
  theorem @thm1: k ≥ 1
end

MACHINE m
SEES c
VARIABLES x, y
INVARIANTS
  @inv1 x ∈ 0‥k
  @inv2 y
    ⊆ S
VARIANT k − x
EVENTS
  EVENT INITIALISATION BEGIN @a x := 0 @b y :∈ ℙ(S) END
  /* counts
   * up */
  convergent event step any d when @g x + d < k with @d d = 1 // one
  then @a x ≔ x + d // more
    // nothing else
  end
end
// at last
"""
WRITTEN = """context c // about the context
sets
  S // elements
constants
  k // how many
axioms
  // it is
  // positive
  @axm1 k > 0
  theorem @thm1 k ≥ 1
end

// at last
machine m
sees c
variables x y
invariants
  @inv1 x ∈ 0 ‥ k
  @inv2 y ⊆ S
variant k − x
events
  event INITIALISATION
    then
      @a x ≔ 0
      @b y :∈ ℙ(S)
  end
  // counts
  // up
  // nothing else
  event step
    status convergent
    any d
    where
      @g x + d < k
    with
      @d d = 1 // one
    then
      @a x ≔ x + d // more
  end
end
"""


def test_components_and_comments_are_read():
    components_read = read_components(TEXT)
    assert written_components(components_read).replace("machine m // at last", "// at last\nmachine m") == WRITTEN
    assert read_components(WRITTEN) == components_read


@pytest.mark.full
@given(components(), st.sampled_from(["camille", "camillex"]))
def test_what_is_written_is_read_again(written, style):
    text = written_components(written, style)
    components_read = read_components(text)
    assert written_components(components_read, style) == text
    assert written_components(components_read) == written_components(written)


@mostly_full("name", SHIPPED, quick={*SHIPPED} - {"@schedulers"})
def test_shipped_machines_are_written_and_read_again(name):
    components_read = shipped(name)
    assert read_components(written_components(components_read)) == components_read
    assert read_components(written_components(components_read, "camillex")) == components_read


EVENT = "machine m events event e then @a"
PLACE = "line 1, column"
CLAUSES = "sets or constants or axioms or end"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: found the end, expected context or machine"),
        ("contxt c end", "1: found 'contxt' (did you mean context?), expected context or machine"),
        ("context c axoms end", f"11: found 'axoms' (did you mean axioms?), expected {CLAUSES}"),
        ("context c axioms @a 1 end", "21: found an expression that begins with '1', expected a predicate"),
        ("context c axioms @a x = end end", "25: found 'end', expected a formula"),
        ("context c", f"10: found the end of the text, expected {CLAUSES}"),
        ("machine m variant 1 variant 2 end", "29: found '2', expected at most one variant"),
        (f"{EVENT} x,y ≔ 1 end end", "38: found '≔', expected as many values as variables"),
        (f"{EVENT} x,y :∈ s end end", "38: found ':∈', expected one value and one variable"),
        (f"{EVENT} f(1) :∈ s end end", "39: found ':∈', expected ≔"),
        ("context c axioms @\x1b x = 1 end", "18: found a letter that can't be printed, expected a label"),
    ],
)
def test_what_is_no_component_is_refused(text, message):
    with pytest.raises(InputError) as refused:
        read_components(text)
    assert str(refused.value) == f"{PLACE} {message}"


@given(st.lists(st.sampled_from([*TEXT.split(), "`end`", "@`a b`", "//", "/*", "*/"]), max_size=60))
def test_any_words_are_read_or_refused_in_one_line(words):
    try:
        read_components(" ".join(words))
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(st.integers(0, len(TEXT) - 1), st.sampled_from(["", "(", "end ", "@", "\x00", "∀", "'"]))
def test_damaged_text_is_read_or_refused(place, letter):
    try:
        read_components(TEXT[:place] + letter + TEXT[place + 1 :])
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_key_words_are_names_between_backticks():
    text = "context c\nsets `end`\nconstants x\naxioms\n  @a x ∈ `end`\n  @`b c` x = x\nend\n"
    components_read = read_components(text)
    assert written_components(components_read) == text
    assert components_read[0].sets[0].name == "end"
    assert components_read[0].axioms[1].label == "b c"


@pytest.mark.parametrize("text", ["x ≔ 1", "x,y ≔ 1, y", "f(x) ≔ f(x) + 1", "x :∈ 0 ‥ 3", "x,y :∣ x' = y ∧ y' = x"])
def test_assignments_are_read_and_written(text):
    assert shown_assignment(read_assignment(text)) == text


def test_a_function_is_changed_by_override():
    (value,) = read_assignment("f(x) ≔ 1").results
    assert value == read_assignment("f ≔ f <+ {x ↦ 1}").values[0]
