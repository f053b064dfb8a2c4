"""The page makes the same code as `synth emit`, for each target and each mapping."""

import json
import random

import pytest

from synth_backends.emission import litmus_tests
from synth_backends.target import TARGETS, Choices, files_of
from synth_backends.template_files import environment
from synth_checker.errors import InternalError
from synth_corpus.store import Corpus
from synth_explorer import code
from synth_explorer.code import packed_code
from synth_storage.answer_json import json_of

FIVE = ("2x2", "2x3", "2x4", "3x3", "3x4")
#: A program with an id that is cut in the names of files, one with a single thread, one with many threads, one with
#: three locations and a value above 9, and the mutex.
ODD = [
    f"{''.join(f'001{target}' for target in '123456789abcdefghijklmnopqrstuvwxyz')}-0011",
    "0011",
    "-".join(["0011"] * 8),
    "00_0-10_0-0a11-1011-2011",
    "01100002-01100002",
]


def sample():
    """Some tests of each bound, and programs that are odd."""
    chance = random.Random(7)
    ids = [id_ for bound in FIVE for id_ in chance.sample([record.id for record in Corpus(f"@complete/{bound}")], 2)]
    return [*ids, *ODD]


@pytest.mark.full
@pytest.mark.command("npm")
def test_the_code_is_that_of_synth_emit_for_each_target_and_mapping(under_node):
    tests = litmus_tests(sample())
    packed = json_of(packed_code(len(test.program) for test in tests))
    asked, expected = [], []
    for test in tests:
        for target, found in packed["targets"].items():
            for mapping, launches in found["launches"].items():
                if str(len(test.program)) in launches:
                    asked.append([test.id, target, mapping])
                    files = files_of(target, [test], Choices(mapping))
                    expected.append(next(text for name, text in files.items() if name.startswith("test")))
    assert {target for _, target, _ in asked} == set(TARGETS)
    assert any(len(test.id) > 140 for test in tests)
    assert len(asked) > 7 * len(TARGETS) * len(tests)
    made = under_node("code", map(json.dumps, [packed, *asked]))[1:]
    for question, emitted, text_expected in zip(asked, made, expected, strict=True):
        assert emitted == text_expected, question


def test_a_template_that_the_page_cannot_evaluate_is_refused(monkeypatch):
    monkeypatch.setattr(code, "read_template", lambda *_: "{% for one in two recursive %}{{ one ** 2 }}{% endfor %}")
    environment.cache_clear()
    with pytest.raises(InternalError, match="found the node Pow, which the page of synth explore cannot evaluate"):
        packed_code([2])


def test_only_mappings_that_a_target_takes_are_offered():
    packed = packed_code([2, 3, 99])
    launches = packed.targets["amber"].launches
    assert launches["subgroups:64"].keys() == {2}  # with three threads, a workgroup would be too wide
    assert "subgroups:64" not in packed.targets["cpp"].launches
    assert launches["chunked"].keys() == {2, 3}
    assert launches["chunked"][3].instances == 65_535 // 3
