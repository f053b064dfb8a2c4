"""Test that a spec file keeps the rules of the WebGPU CTS: those of its loader, and those of its linter.

The rules are in the sources of the CTS: `src/common/tools/crawl.ts`, which loads all files or none, `test_group.ts`,
`.eslintrc.json` and `prettier.config.js`. Where npm is installed, the linter itself runs. `cts/` has small stand-ins
for the modules that a spec file imports.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emitted import (
    ALL_SHAPES,
    MUTEX,
    NASTY_NAMES,
    SPINS_FOR_EVER,
    THREE,
    VERDICTS,
    a_test,
    ten_tests,
    written,
)
from shaders import nodes_of, parsed_script
from synth_backends.litmus_test import LitmusTest
from synth_backends.target import Choices, files_of
from synth_backends.template_files import script_argument, without_flagged_words
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Instruction, Program, Thread
from synth_storage.folders import write_texts

TREE = Path(__file__).parent / "cts"
FOLDER = ("shader", "execution", "progress")
LONG = written(Program((Thread((Instruction(0, 0, 1, 1),) * 30),) * 2))
WORDS = [
    "fix" + "me",
    "to" + "do: x" + "xx",
    "it's",
    'say "it\'s"',
    " spaces  and\ttabs ",
    "x" * 85,
    "x" * 86,
    "x" * 91,
    "x" * 92,
]
#: Tests of many names, in files of one and of several.
SUITES = [
    (ten_tests(), {"per_file": 100, "mapping": "hybrid"}),
    ([a_test(MUTEX, verdicts=VERDICTS), a_test(THREE), written(ALL_SHAPES), LONG], {"per_file": 1, "stress": 4}),
    (
        [LitmusTest(name, f"{k:04}", program_of_id(MUTEX)) for k, name in enumerate([*NASTY_NAMES, *WORDS])],
        {"per_file": 3},
    ),
]


def specs(tests, choices):
    return {
        name: text for name, text in files_of("cts", tests, Choices(**choices)).items() if name.endswith(".spec.ts")
    }


def values_of(text, pattern):
    return re.findall(pattern, text, re.MULTILINE)


@pytest.mark.parametrize(("tests", "choices"), SUITES, ids=["shapes", "files", "names"])
def test_the_loader_takes_every_file_and_every_test(tests, choices):
    """Each part of a query is a word without hyphens; names are unique, and a query fits into a path of Windows."""
    found = specs(tests, choices)
    queries = []
    for name, text in found.items():
        parsed_script(text)
        assert len(values_of(text, r"^export const description = `")) == 1
        assert len(values_of(text, r"^export const g = makeTestGroup\(")) == 1
        file = name.removesuffix(".spec.ts")
        named = values_of(text, r"^g\.test\(\s*'([^']*)'\s*\)")
        assert len(named) == len(set(named)) == len(values_of(text, r"^g\.test\("))
        for part in (*FOLDER, file, *named):
            assert re.fullmatch("[a-zA-Z0-9_]+", part)
        queries += [f"webgpu:{','.join((*FOLDER, file))}:{test}:" for test in named]
    assert len(queries) == len(tests)
    assert max(map(len, queries)) <= 375


def test_a_folder_of_the_cts_has_a_readme_of_its_own():
    files = files_of("cts", [a_test(MUTEX)])
    assert files["README.txt"].strip()
    assert files["README.txt"].isascii()


@pytest.mark.parametrize(("tests", "choices"), SUITES, ids=["shapes", "files", "names"])
def test_the_linter_has_nothing_to_say_that_we_can_tell_without_it(tests, choices):
    """Quotes are single where that needs no more escapes, no line ends in a space, no comment has a flagged word."""
    for text in specs(tests, choices).values():
        assert "\r" not in text
        assert "\t" not in text
        assert values_of(text, r"[^\S\n]+$") == []
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        comments = [node.text.decode() for node in nodes_of(parsed_script(text)) if node.type == "comment"]
        assert comments
        assert not any(re.search(r"(?i)\b(?:to[d]o|fix[m]e|x[x]x)\b", comment) for comment in comments)
        for node in nodes_of(parsed_script(text)):
            if node.type == "string" and node.is_named:
                quote, inner = node.text.decode()[0], node.text.decode()[1:-1]
                assert quote == ('"' if inner.count("'") > inner.count('"') else "'")
                assert re.search(r"\s$|\\t", inner) is None


@given(st.text(max_size=120), st.integers(4, 8), st.sampled_from([0, 2]))
def test_an_argument_is_the_text_it_is_made_of(text, column, indent):
    """But for what does not show of it. It stands alone on its line where the line would be too long."""
    made = script_argument(text, column, indent)
    (literal,) = (node for node in nodes_of(parsed_script(f"f{made};")) if node.type == "string" and node.is_named)
    value = re.sub(r"\\u([0-9a-f]{4})|\\(.)", _unescaped, literal.text.decode()[1:-1])
    assert value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == " ".join(text.split())
    lines = made.split("\n")
    assert len(lines) == (1 if column + 2 + len(literal.text) <= 100 else 3)
    assert lines in (
        [f"({literal.text.decode()})"],
        ["(", f"{' ' * indent}  {literal.text.decode()}", f"{' ' * indent})"],
    )


def _unescaped(found):
    return chr(int(found[1], 16)) if found[1] else {"b": "\b", "f": "\f"}.get(found[2], found[2])


def test_words_that_linters_flag_keep_their_letters():
    word = "to" + "do"
    assert without_flagged_words(f"// a {word}, mastodons and methods") == "// a \\u0074odo, mastodons and methods"


@pytest.mark.exhaustive
@pytest.mark.command("npm")
def test_the_compiler_and_the_linter_accept_every_file(tmp_path):
    """With the settings of the CTS. And they do see what is wrong: double quotes, and a name that is not there."""
    tree = shutil.copytree(TREE, tmp_path / "cts")
    folder = tree.joinpath("src", "webgpu", *FOLDER)
    folder.mkdir(parents=True)
    for tests, choices in SUITES:
        write_texts(folder, specs(tests, choices))
    assert run("npm", "install", "--no-audit", "--no-fund", "--silent", folder=tree).returncode == 0
    compiler, linter = ["npx", "tsc", "-p", "."], ["npx", "eslint", "--max-warnings=0", "src/webgpu/**/*.spec.ts"]
    for command in (compiler, linter):
        found = run(*command, folder=tree)
        assert (found.returncode, found.stdout) == (0, "")
    (name, text), *_ = specs([a_test(SPINS_FOR_EVER)], {}).items()
    quoted = re.sub(r"\.desc\('(.*)'\)", r'.desc("\1")', text)
    assert quoted != text
    (folder / name).write_text(quoted.replace("t.queue", "t.cue"), "utf-8")
    assert "error TS2339" in run(*compiler, folder=tree).stdout
    assert "Strings must use singlequote" in run(*linter, folder=tree).stdout


def run(*words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
