"""Test that the message about an unknown word suggests the known word that was probably meant."""

from hypothesis import given
from hypothesis import strategies as st

from synth_checker.nearest import abbreviated, hint, nearest, unknown

MODELS = ("unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair")


def test_case_and_a_wrong_letter_do_not_matter():
    assert nearest("hsa", MODELS) == "HSA"
    assert nearest("lobee", MODELS) == "LOBE"
    assert nearest("Unfiar", MODELS) == "unfair"
    assert hint("HSA-OBE", MODELS) == " (did you mean HSA+OBE?)"


def test_a_word_that_resembles_none_gets_no_hint():
    assert nearest("zebra", MODELS) is None
    assert hint("", MODELS) == ""
    assert hint("fair", []) == ""


def test_words_of_two_parts_are_alike_if_both_parts_are():
    verdicts = ("unfair", "HSA.weak", "HSA.strong", "fair.weak", "fair.strong")
    assert nearest("hsa.weka", verdicts) == "HSA.weak"
    assert nearest("frob.weak", verdicts) is None
    assert nearest("unfair.weak", verdicts) == "unfair"
    assert nearest("HAS", verdicts) == "HSA.weak"
    assert nearest("@Complete/3x4", ("@complete/2x2", "@complete/3x4")) == "@complete/3x4"
    assert nearest("@complete/9x9", ("@complete/2x2", "@complete/3x4")) is None


def test_the_refusal_names_what_was_found_and_what_is_known():
    assert (
        str(unknown("model", "obe", ("OBE", "fair")))
        == "model: found 'obe' (did you mean OBE?), expected one of OBE, fair"
    )
    assert str(unknown("target", "", ("cpp", "web"))) == (
        "target: found an empty word (from a comma too many, or a variable that is not set?), expected one of cpp, web"
    )
    assert str(unknown("model", "zebra", MODELS, "a model")) == "model: found 'zebra', expected a model"


@given(st.sampled_from(MODELS), st.lists(st.text(max_size=8)))
def test_a_known_word_is_its_own_nearest(word, others):
    known = [word, *(other for other in others if other.lower() != word.lower())]
    assert nearest(word.swapcase(), known) == word


def test_an_abbreviation_is_a_beginning_or_else_some_letters_in_their_order():
    options = ["--standard", "--state", "--no-infer", "--no-benign"]
    assert abbreviated("--std", options) == ["--standard"]
    assert abbreviated("--sta", options) == ["--standard", "--state"]
    assert abbreviated("--no", options) == ["--no-infer", "--no-benign"]
    assert abbreviated("--tate", options) == []
    assert abbreviated("--x[", options) == []
