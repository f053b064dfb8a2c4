"""Test that the glossary has the words a newcomer meets, and that README.md explains abbreviations before their use."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "look-up" / "glossary.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| (.+) \|$", PAGE, re.MULTILINE)
DEFINED = {word.strip("`") for words, _ in ROWS for word in words.split(", ")}


WORDS = """\
signature, split, bound, strong, weak, minimal, lasso, rank, launch, mapping, once, progress model, unfair, HSA, OBE, \
LOBE, HSA+OBE, fair, verdict, test, rule, normal form, id, corpus, shard, certificate, conformance test, \
distinguishing, fair set, registered model, helper, campaign, cell, busy, attempt, canary, time-out, quiet, raw end, \
outcome, confirmed, witness, violates, consistent with, inconclusive, not tested"""


def test_the_glossary_has_all_these_words():
    assert [word for word in WORDS.split(", ") if word not in DEFINED] == []


def test_the_glossary_has_each_word_once():
    assert len(DEFINED) == sum(len(words.split(", ")) for words, _ in ROWS if words != "word") + 1


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("HSA", "Heterogeneous System Architecture"),
        ("OBE", "occupancy-bound execution"),
        ("LOBE", "linear occupancy-bound execution"),
    ],
)
def test_the_readme_says_what_an_abbreviation_is_where_it_first_stands(short, long):
    first = re.search(rf"(?<![A-Z]){short}", README)
    assert README[first.end() :].lstrip("*").startswith(f" ({long})")


def test_the_readme_asks_three_questions_in_500_words_and_links_to_glossary_and_paper():
    assert re.findall("^## (.*\\?)$", README, re.MULTILINE) == [
        "What does my kernel need?",
        "What does this GPU guarantee?",
        "Which tests show the difference?",
    ]
    assert len(README.split()) <= 520
    assert "(docs/look-up/glossary.md)" in README
    assert "(https://doi.org/10.1145/3485508)" in README
