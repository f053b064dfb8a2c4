"""Lints the prose of pages, docstrings and messages: `python docs/tools/lint.py [--update | TEXT...]`.

proselint does the matching. Its registry gets the four rules of `rules.toml` (the length of a sentence, the share of
passive sentences, weasel words, banned phrases) beside the checks of its own that are named there. proselint does not
know Markdown or Python, so it is given the pieces that `texts.py` finds, with `CODE` for inline code and for values.

`make lint` runs it on everything. A text is a page, or the docstrings and messages of a folder of Python code.
`unfinished.toml` lists for each rule the texts that do not pass yet. These may fail. A text that passes must be removed
from the list, so that it stays as good as it is; `--update` removes all that pass. Nothing adds to the list.

The rules find what can be counted, and the phrases that they name. They do not find a sentence that is short, active
and still a riddle; for that, `draw.py` gives texts to a reader. They miss a passive verb with a comma after "is".

With TEXT, a page or a folder, everything that the rules find there is printed, whatever the list says.
"""

from __future__ import annotations

import re
import sys
import tomllib
from bisect import bisect_right
from collections import defaultdict
from doctest import DocTestParser
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from proselint.checks import __register__ as own_checks
from proselint.config import Config
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check, CheckFlags, CheckResult
from proselint.registry.checks.engine import Fancy
from proselint.registry.checks.types import PreferredForms
from proselint.tools import LintFile
from texts import PACKAGES, Piece, docstrings, messages, of_markdown, pages, paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
UNFINISHED = HERE / "unfinished.toml"
RULES = tomllib.loads((HERE / "rules.toml").read_text("utf-8"))
#: The rules, as `unfinished.toml` calls them; the last is all that proselint brings.
NAMES = ("sentence", "passive", "weasel", "banned", "proselint")
HEADER = "# The texts that do not pass yet, for each rule of rules.toml. `lint.py --update` removes those that pass.\n"
#: A sentence ends at a mark before a capital or a digit, and with its piece, which is a line.
SENTENCE = re.compile(r"[^\n]+?(?:(?<!e\.g)(?<!i\.e)(?<!cf)[.!?][\")]?(?=\s+[\"(]?[A-Z0-9])|(?=\n))")
WORD = re.compile(r"\S*\w\S*")
QUOTED = re.compile(r"`[^`]*`|\{[^}]*\}")


class Finding(NamedTuple):
    """What a rule found in a text."""

    unit: str
    place: str
    rule: str
    message: str


def _too_long(text: str, check: Check) -> Iterator[CheckResult]:
    limit = RULES["sentence"]["words"]
    for sentence in SENTENCE.finditer(text):
        if (words := len(WORD.findall(sentence[0]))) > limit:
            yield CheckResult(check.path, f"{words} words in one sentence, at most {limit}", sentence.span(), None)


@cache
def _passive() -> re.Pattern[str]:
    rule = RULES["passive"]
    adjectives, irregular = ("|".join(rule[key].split()) for key in ("adjectives", "irregular"))
    return re.compile(
        rf"\b(?:{rule['auxiliary']})\s+(?:(?:{rule['between']})\s+){{0,2}}"
        rf"(?!(?:{adjectives})\b)(?:\w+ed|{irregular})\b",
        re.IGNORECASE,
    )


def _too_passive(text: str, check: Check) -> Iterator[CheckResult]:
    rule = RULES["passive"]
    sentences = [found for found in SENTENCE.finditer(text) if len(WORD.findall(found[0])) >= rule["from_words"]]
    passive = [(found, verb) for found in sentences if (verb := _passive().search(found[0]))]
    if len(passive) <= rule["share"] * len(sentences):
        return
    for found, verb in passive:
        message = f"passive: {verb[0]!r}; {len(passive)} of {len(sentences)} sentences, at most {rule['share']:.0%}"
        yield CheckResult(check.path, message, found.span(), None)


@cache
def _config() -> Config:
    """The rules are put into proselint's registry, once, and the checks that run are named."""
    weasels = PreferredForms(dict.fromkeys(RULES["weasel"]["words"], ""))
    quotes = CheckFlags(allow_quotes=True)
    CheckRegistry().register_many(
        (
            *own_checks,
            Check(_too_long, path="ours.sentence", flags=quotes),
            Check(_too_passive, path="ours.passive", flags=quotes),
            Check(weasels, Fancy(), "ours.weasel", message="weasel word: {1!r}", flags=quotes),
            Check(
                PreferredForms(RULES["banned"]),
                Fancy(),
                "ours.banned",
                message="{1!r}; write instead: {0}",
                flags=quotes,
            ),
        )
    )
    return Config(max_errors=100_000, checks=dict.fromkeys(["ours", *RULES["proselint"]["checks"]], True))


def lint(unit: str, pieces: Iterable[Piece]) -> Iterator[Finding]:
    """What the rules find in the pieces of a text."""
    pieces = list(pieces)
    starts, text = [], ""
    for piece in pieces:
        starts.append(len(text) + 1)  # proselint puts a line break before
        text += QUOTED.sub("CODE", piece.text).replace("\n", " ") + "\n\n"
    config = _config()
    for found in LintFile(unit, text).lint(config) if text else ():
        result = found.check_result
        first, last = result.span
        piece = pieces[max(0, bisect_right(starts, first) - 1)]
        first_part, _, name = result.check_path.partition(".")
        part = " ".join(text[max(0, first - 1) : last - 1].split())[:60]
        yield Finding(unit, piece.place, name if first_part == "ours" else "proselint", f"{result.message}  | {part}")


def _prose_of(docstring: Piece) -> Iterator[Piece]:
    """The paragraphs of a docstring; of its examples nothing is left but their line breaks."""
    parts = DocTestParser().parse(docstring.text)
    text = "".join(part if isinstance(part, str) else "\n" * (part.source + part.want).count("\n") for part in parts)
    yield from of_markdown(text, docstring.path, docstring.line)


def texts() -> dict[str, list[Piece]]:
    """Each page, and each folder of Python code, with its pieces. The folders `views` of all packages are one text."""
    found = defaultdict(list, {page: list(paragraphs(page)) for page in pages()})
    for package in PACKAGES:
        for docstring in docstrings(package):
            found[_folder_of(docstring)] += _prose_of(docstring)
        for message in messages(package):
            found[_folder_of(message)].append(message)
    return found


def _folder_of(piece: Piece) -> str:
    folder = Path(piece.path).parent
    return folder.name if folder.name == "views" else folder.as_posix()


def judge(findings: Iterable[Finding], unfinished: dict[str, list[str]]) -> tuple[list[Finding], dict[str, list[str]]]:
    """The findings that the list does not excuse, and what is on the list without need."""
    findings = list(findings)
    failing = {(found.rule, found.unit) for found in findings}
    needless = {rule: [unit for unit in listed if (rule, unit) not in failing] for rule, listed in unfinished.items()}
    return [found for found in findings if found.unit not in unfinished.get(found.rule, ())], needless


def write(unfinished: dict[str, list[str]], path: Path) -> None:
    """Writes the list of the texts that do not pass yet."""
    lists = (
        f"\n{rule} = [\n" + "".join(f'    "{unit}",\n' for unit in sorted(unfinished.get(rule, ()))) + "]\n"
        for rule in NAMES
    )
    path.write_text(HEADER + "".join(lists), "utf-8")


def main(arguments: list[str]) -> int:
    """Lints the texts named, or all of them against the list; 1 if anything is found."""
    update = arguments == ["--update"]
    all_texts = texts()
    named = [] if update else arguments
    for unknown in (unit for unit in named if unit not in all_texts):
        print(f"{unknown}: no page and no folder of a package; name one such as docs/do/jobs.md or jobs/synth_jobs.")
        return 2
    findings = [found for unit in named or all_texts for found in lint(unit, all_texts[unit])]
    unfinished = {} if named else tomllib.loads(UNFINISHED.read_text("utf-8"))
    errors, needless = judge(findings, unfinished)
    for found in errors:
        print(f"{found.place}: {found.rule}: {found.message}")
    if update:
        write(
            {rule: [unit for unit in units if unit not in needless[rule]] for rule, units in unfinished.items()},
            UNFINISHED,
        )
    else:
        for rule, units in needless.items():
            for unit in units:
                print(
                    f"{unit}: passes the rule {rule!r}, or is gone: remove it from {UNFINISHED.name}, or run --update."
                )
    return int(bool(errors) or (not update and any(needless.values())))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
