"""Test the prose linter (docs/tools/lint.py): each rule passes good text and fails bad text."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "docs" / "tools"
sys.path.insert(0, str(TOOLS))

import draw  # noqa: E402
import lint  # noqa: E402
import texts  # noqa: E402
import words  # noqa: E402

GOOD = """# Jobs

`synth job start` writes a folder and starts the workers. Each worker searches one shard and then takes the next.

- The command exits with status 1 if a worker failed; the file `was deleted by it` is code.
- A message was not written twice.

| who | does |
|---|---|
| a worker | searches |
"""
BAD = {
    "banned": [
        "It leaves with 1.",
        "It *leaves\nwith* `2`.",
        "The plan of the house.",
        "The rooms are packages.",
        "A kernel need not\nend.",
    ],
    "proselint": ["In a nutshell, the worker stops.", "It is a new innovation."],
}


def rules_broken_by(text):
    return {found.rule for found in lint.lint("a.md", texts.of_markdown(text, "a.md"))}


def test_good_text_passes_every_rule():
    assert rules_broken_by(GOOD) == set()


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, bad in BAD.items() for text in bad])
def test_bad_text_fails_its_rule_alone(rule, text):
    assert rules_broken_by(text) == {rule}


def test_a_finding_names_the_line_of_its_paragraph():
    [found] = lint.lint("a.md", texts.of_markdown("# A\n\nGood.\n\nIt leaves with 1.\n", "a.md"))
    assert (found.place, found.rule) == ("a.md:5", "banned")


def test_examples_and_code_blocks_are_not_linted():
    docstring = texts.Piece(
        "a.py", 1, "Adds.\n\n>>> very\n'leaves with 1'\n\n    leaves with 1\n\nEnds.\n", "docstring"
    )
    assert [(piece.line, piece.text) for piece in lint._prose_of(docstring)] == [(1, "Adds."), (8, "Ends.")]


def test_the_place_of_what_is_found_is_printed(monkeypatch, capsys):
    monkeypatch.setattr(lint, "texts", lambda: {"bad.md": list(texts.of_markdown("It leaves with 1.", "bad.md"))})
    assert lint.main([]) == 1
    assert capsys.readouterr().out.startswith("bad.md:1: banned: 'leaves with'; write instead: exits with status")


def test_a_text_that_does_not_exist_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(lint, "texts", lambda: {"good.md": list(texts.of_markdown(GOOD, "good.md"))})
    assert lint.main(["good.md"]) == 0
    assert lint.main(["docs/none.md"]) == 2
    assert capsys.readouterr().out.startswith("docs/none.md: ")


def test_messages_are_the_strings_that_a_reader_sees(tmp_path, monkeypatch):
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "a.py").write_text(
        '"""This docstring is no message."""\n'
        "def f(x):\n"
        '    """Nor is this docstring one."""\n'
        '    msg = f"the file {x.name} "\\\n'
        '        "is not there"\n'
        "    raise ValueError(msg)\n"
        'say("too short", help="Write the tests here.")\n'
        'query = "SELECT all of the tests"\n'
        'names = "SLURM_ARRAY_JOB_ID", f"{the(one, we)} want here"\n'
    )
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    found = [(piece.place, piece.text) for piece in texts.messages("package")]
    assert found == [
        ("package/a.py:4", "the file {x.name} is not there"),
        ("package/a.py:7", "Write the tests here."),
    ]
    assert [piece.line for piece in texts.docstrings("package")] == [1, 3]


def messages_of(tmp_path, monkeypatch, code):
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "a.py").write_text(code)
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    return [piece.text for piece in texts.messages("package")]


def test_a_message_of_several_parts_is_drawn_as_the_user_reads_it(tmp_path, monkeypatch):
    code = (
        "PLACE = 'the folder of the corpus'\n"
        "def f(x):\n"
        "    found = f'the file {x} is there'\n"
        "    raise ValueError(f'{PLACE}: {found}, expected none')\n"
        "def g(x):\n"
        "    why = 'the first of two reasons' if x else 'the second of two reasons'\n"
        "    raise ValueError(f'nothing was done, as {why} says')\n"
        "def h(x):\n"
        "    check_type('x', x, int, 'a whole number of tests')\n"
        "    check_type('the name of this value', x, int, 'a number')\n"
    )
    assert messages_of(tmp_path, monkeypatch, code) == [
        "the folder of the corpus: the file {x} is there, expected none",
        "the first of two reasons",
        "the second of two reasons",
        "nothing was done, as {why} says",
        "{what}: found {found}, expected a whole number of tests",
        "the name of this value",
    ]


def test_a_name_that_has_two_values_is_not_replaced_by_one_of_them(tmp_path, monkeypatch):
    code = (
        "ABOUT = 'certificate.json'\n"
        "ABOUT, LIST = 'job.json', 'shards.jsonl'\n"
        "def f(x):\n"
        "    raise ValueError(f'the file {ABOUT} is not there')\n"
    )
    assert messages_of(tmp_path, monkeypatch, code) == ["the file {ABOUT} is not there"]


def test_a_text_that_stands_in_no_other_text_is_drawn_on_its_own(tmp_path, monkeypatch):
    code = (
        "def f(x):\n"
        "    msg = 'the first file is not there'\n"
        "    if x:\n"
        "        msg = 'the second file is not there'\n"
        "    say(f'{msg}, which is a fault')\n"
        "def g():\n"
        "    msg = 'no file is there'\n"
        "    say(msg)\n"
    )
    assert messages_of(tmp_path, monkeypatch, code) == [
        "the first file is not there",
        "the second file is not there",
        "{msg}, which is a fault",
        "no file is there",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "  if now then x := x + 1 end if",
        "/* the tests of one suite */",
        "CASE WHEN this THEN that END",
        "str | int or list or dict",
    ],
)
def test_lines_of_programs_are_no_messages(tmp_path, monkeypatch, code):
    assert messages_of(tmp_path, monkeypatch, f"say({code!r})\n") == []


def test_a_message_is_drawn_with_the_function_in_which_it_stands(tmp_path, monkeypatch):
    code = (
        "A = 'a text of the module'\n"
        "class B:\n"
        "    def f():\n"
        "        def g():\n"
        "            pass\n"
        "        say('a text of f')\n"
    )
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "a.py").write_text(code)
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    assert [(piece.text, piece.owner) for piece in texts.messages("package")] == [
        ("a text of the module", ""),
        ("a text of f", "f"),
    ]


def test_a_docstring_is_drawn_with_its_name_and_signature(tmp_path, monkeypatch):
    code = (
        '"""A module."""\n'
        "class Point:\n"
        '    """A point."""\n'
        "    x: int\n"
        "    y: int = 0\n"
        "    def moved(self, by: Annotated[int, 'a note'], *, twice: bool = False) -> Point:\n"
        '        """A moved point."""\n'
        "class Empty:\n"
        '    """No field."""\n'
    )
    folder = tmp_path / "corpus" / "synth_corpus" / "shapes"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(code)
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    assert [(piece.text, piece.owner) for piece in texts.docstrings("corpus/synth_corpus")] == [
        ("A module.", "synth_corpus.shapes"),
        ("A point.", "synth_corpus.shapes.Point(x: int, y: int = 0)"),
        ("A moved point.", "synth_corpus.shapes.Point.moved(self, by: int, *, twice: bool=False) -> Point"),
        ("No field.", "synth_corpus.shapes.Empty"),
    ]


@pytest.fixture
def small(monkeypatch):
    """Draw from one package and a few pages only, which is quick."""
    monkeypatch.setattr(draw, "PACKAGES", ["checker/synth_checker"])
    monkeypatch.setattr(draw, "pages", lambda: ["docs/build/architecture.md", "docs/do/jobs.md"])
    draw.pieces.cache_clear()
    yield
    draw.pieces.cache_clear()


@pytest.mark.full
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", draw.KINDS)
def test_a_seed_draws_the_same_pieces_and_another_seed_others(kind):
    drawn = draw.draw(kind, 1, 40)
    assert len({piece.text for piece in drawn}) == 40
    draw.pieces.cache_clear()
    assert drawn == draw.draw(kind, 1, 40)
    assert drawn != draw.draw(kind, 2, 40)


@pytest.mark.full
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", draw.KINDS)
def test_what_is_drawn_is_numbered_with_its_place(kind, capsys):
    draw.main(["--seed", "1", "--kind", kind, "--number", "2"])
    headings = [line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{kind} ")]
    assert [line.split()[1] for line in headings] == ["1", "2"]
    for line in headings:
        path, number = line.split()[2].split(":")
        assert (ROOT / path).read_text("utf-8").splitlines()[int(number) - 1].strip()


def test_pages_that_are_no_reference_have_half_of_the_words_they_had():
    assert set(words.counted()) > words.REFERENCE
    assert words.spent() <= words.BEFORE // 2
