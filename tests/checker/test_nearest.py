"""Unknown words are refused with the known one that was probably meant."""

from hypothesis import given
from hypothesis import strategies as st

from synth_checker.nearest import hint, nearest

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


@given(st.sampled_from(MODELS), st.lists(st.text(max_size=8)))
def test_a_known_word_is_its_own_nearest(word, others):
    known = [word, *(other for other in others if other.lower() != word.lower())]
    assert nearest(word.swapcase(), known) == word
