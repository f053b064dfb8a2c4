"""The tests of corpora and campaigns as the data of a page.

The data is text. Its first line is the SHA-256 of the rest, with which the page notices damage. Each further line is a
block: a word that says what it is, and JSON, compressed by DEFLATE, in base64. `explorer/page/src/store.ts` reads it.

An id is a whole program. So a block of a corpus has the ids, names and signatures of its tests, and nothing that the
page can compute from an id. It has a column for each of these, because columns compress better than records. The tests
of a campaign are a block like that of a corpus. A block of its own says what the campaigns found, and another one has
what the page needs to make code.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from synth_checker.errors import InputError, LimitError, UserError
from synth_checker.models import LIBRARY, library, models_named, verdict_names
from synth_checker.names import names
from synth_checker.relations.fairness_order import is_implied, verdicts_of
from synth_checker.verdicts import judge
from synth_corpus.manifest import incomplete_because
from synth_corpus.parts import aliases_in, fields_of
from synth_explorer.code import packed_code
from synth_storage.answer_json import json_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from synth_checker.models import Model
    from synth_corpus.parts import RecordParts
    from synth_corpus.store import Corpus
    from synth_explorer.results import PackedResults

#: The form of the data. The page of this release reads no other.
FORMAT: Final = 1
#: The most tests of a page. Browsers limit how high the table may be, and a page of this size has 7 MB.
MAX_TESTS: Final = 300_000
#: The most verdicts whose order is drawn.
_MOST_ORDERED: Final = 24
#: An escape of JSON, with the number of its letter if it has one.
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|.)")


class PageSuite(NamedTuple):
    """The tests of a campaign or of a suite, by id, and the models that judge them.

    `incomplete` says why the campaign is not finished, or is empty. `idioms` maps ids to the keys `idiom` and
    `contains` of their records, if there are records.
    """

    folder: Path
    ids: Sequence[str]
    incomplete: str = ""
    kind: Literal["corpus", "campaign"] = "campaign"
    models: tuple[Model, ...] = library()
    idioms: Mapping[str, Mapping[str, object]] = {}


class PackedCorpus(NamedTuple):
    """A corpus as a page takes it, or the tests of a campaign. The columns have an entry for each test, sorted by id.

    `signature` has places in `signatures`. `minimal` has 0 for a test that is not minimal, 1 for one that is, and 2 if
    the corpus does not say it. `behaviour` has the number of a class, or -1. Both are None if the corpus says it of no
    test. `idioms`, `contains` and `aliases` name only the rows of tests that have some.
    `order` has pairs of verdicts, the first of which is at most as fair as the second.
    """

    format: int
    kind: Literal["corpus", "campaign"]
    name: str
    question: str
    complete: bool
    incomplete: str
    without: Sequence[str]
    models: Mapping[str, str]
    verdicts: Sequence[str]
    signatures: list[str]
    signature: list[int]
    ids: str
    names: str
    idioms: dict[str, list[int]]
    contains: dict[str, list[int]]
    minimal: list[int] | None
    behaviour: list[int] | None
    aliases: dict[int, list[str]]
    order: list[tuple[int, int]]


def check_size(corpora: Sequence[Corpus], suites: Sequence[PageSuite] = ()) -> None:
    """Raise LimitError if the corpora and campaigns have more tests than a page may have.

    Raises:
        LimitError: there are more than `MAX_TESTS` tests.
    """
    tests = sum(map(len, corpora)) + sum(len(suite.ids) for suite in suites)
    if tests > MAX_TESTS:
        raise LimitError(
            f"explore: found {tests:,} tests, expected at most {MAX_TESTS:,}; make a smaller corpus with synth "
            "enumerate --minimal, or take some of the tests with synth corpus sample and synth corpus import"
        )


def packed_data(
    corpora: Sequence[Corpus], suites: Sequence[PageSuite] = (), results: PackedResults | None = None
) -> str:
    """Return the data of a page: the tests of some corpora, those of some campaigns, and what these campaigns found.

    Raises:
        InputError: two corpora are the same or define a model of one name differently, or the records of one cannot be
            read or do not agree with its manifest.
        LimitError: there are more than `MAX_TESTS` tests.
        ResourceError: the disk failed.
    """
    check_size(corpora, suites)
    _check_models(corpora, suites)
    if len({corpus.folder.resolve() for corpus in corpora}) < len(corpora):
        raise InputError("explore: found the same corpus twice, expected different corpora")
    behaviours: dict[str, int] = {}
    called = names_of([*map(_path_of, corpora), *(suite.folder for suite in suites)])
    packed = [packed_corpus(corpus, name, behaviours) for corpus, name in zip(corpora, called, strict=False)]
    packed += [packed_suite(suite, name) for suite, name in zip(suites, called[len(corpora) :], strict=True)]
    threads = {id_.count("-") + 1 for corpus in packed for id_ in corpus.ids.split()}
    return seal(
        [
            *(("corpus", corpus) for corpus in packed),
            *([("results", results)] if results else []),
            ("code", packed_code(threads)),
        ]
    )


def _check_models(corpora: Sequence[Corpus], suites: Sequence[PageSuite]) -> None:
    """Raise InputError if a model of a user's own has two definitions: a page has one for each name.

    The six models may have, because releases may write their definitions in other words.
    """
    places = [(_path_of(corpus), corpus.manifest.models) for corpus in corpora]
    places += [(suite.folder, {model.name: model.definition for model in suite.models}) for suite in suites]
    first: dict[str, tuple[Path | str, str]] = {}
    for where, models in places:
        for name, text in models.items():
            if name not in LIBRARY and first.setdefault(name, (where, text))[1] != text:
                raise InputError(
                    f"explore: found two different models {name}, in {first[name][0]} and in {where}; rename one of "
                    "them, or make a page of each"
                )


def seal(blocks: Iterable[tuple[str, object]]) -> str:
    """Return blocks, each a word and a JSON value, as the text that a page reads, with its digest."""
    text = "".join(f"{word} {_compressed(value)}\n" for word, value in blocks)
    return f"{hashlib.sha256(text.encode('ascii')).hexdigest()}\n{text}"


def _compressed(value: object) -> str:
    text = _ESCAPE.sub(_shown, json.dumps(json_of(value), separators=(",", ":")))
    return base64.b64encode(zlib.compress(text.encode("ascii"), 9)).decode("ascii")


def _shown(match: re.Match[str]) -> str:
    r"""Return an escape of JSON; that of a letter which can't be printed becomes text, such as `\u202e`.

    Such a letter may turn the direction of the words around it. Halves of letters above U+FFFF stay what they are.
    """
    code = int(match[1], 16) if match[1] else 0
    is_half = 0xD800 <= code < 0xE000
    return match[0] if not match[1] or is_half or chr(code).isprintable() else f"\\{match[0]}"


def _path_of(corpus: Corpus) -> Path | str:
    return corpus.name if corpus.name.startswith("@") else corpus.folder


def names_of(corpora: Sequence[Path | str]) -> list[str]:
    """Return what the page calls corpora and campaigns: the last part of each path, or whole paths if two are equal.

    A corpus that ships has no path but a word such as `@complete/3x4`, which is its name.
    """
    short = [corpus if isinstance(corpus, str) else corpus.resolve().name for corpus in corpora]
    return short if len(set(short)) == len(short) else [str(corpus) for corpus in corpora]


def packed_corpus(corpus: Corpus, name: str, behaviours: dict[str, int]) -> PackedCorpus:
    """Return the block of a corpus, which the page calls `name`.

    `behaviours` numbers the classes of behaviour, and grows; all corpora of a page share the numbers.

    Raises:
        InputError: the records cannot be read or do not agree with the manifest.
        ResourceError: the disk failed.
    """
    manifest = corpus.manifest
    records = [fields_of(line, corpus.place_of) for line in corpus.raw_lines()]
    ids = [fields.id for fields in records]
    called = names(ids)
    signatures: dict[str, int] = {}
    signature = [signatures.setdefault(fields.signature, len(signatures)) for fields in records]
    minimal = [_minimal(fields) for fields in records]
    behaviour = [_behaviour(fields, behaviours) for fields in records]
    return PackedCorpus(
        format=FORMAT,
        kind="corpus",
        name=name,
        question=manifest.question.name,
        complete=manifest.complete,
        incomplete=incomplete_because(manifest),
        without=[str(rule) for rule in manifest.question.without],
        models=manifest.models,
        verdicts=manifest.verdicts,
        signatures=list(signatures),
        signature=signature,
        ids="\n".join(ids),
        names="\n".join(called[id_] for id_ in ids),
        idioms=_rows((row, _words(fields.more.get("idiom"))) for row, fields in enumerate(records)),
        contains=_rows((row, _words(fields.more.get("contains"))) for row, fields in enumerate(records)),
        minimal=minimal if set(minimal) != {2} else None,
        behaviour=behaviour if set(behaviour) != {-1} else None,
        aliases={row: aliases for row, fields in enumerate(records) if (aliases := aliases_in(fields.more))},
        order=_order(corpus.manifest.verdicts, _models_of(corpus)),
    )


def packed_suite(suite: PageSuite, name: str) -> PackedCorpus:
    """Return the block of the tests of a campaign or suite, which the page calls `name`."""
    ids = sorted(set(suite.ids))
    verdicts = verdict_names(suite.models)
    called = names(ids)
    letters = (
        ["".join("fp"[mask >> place & 1] for place in range(len(verdicts))) for mask in judge(ids, suite.models)]
        if ids
        else []
    )
    signatures = {letter: place for place, letter in enumerate(dict.fromkeys(letters))}
    return PackedCorpus(
        format=FORMAT,
        kind=suite.kind,
        name=name,
        question="",
        complete=not suite.incomplete,
        incomplete=suite.incomplete,
        without=[],
        models={model.name: model.definition for model in suite.models},
        verdicts=verdicts,
        signatures=list(signatures),
        signature=[signatures[letter] for letter in letters],
        ids="\n".join(ids),
        names="\n".join(called[id_] for id_ in ids),
        idioms=_rows((row, _words(suite.idioms.get(id_, {}).get("idiom"))) for row, id_ in enumerate(ids)),
        contains=_rows((row, _words(suite.idioms.get(id_, {}).get("contains"))) for row, id_ in enumerate(ids)),
        minimal=None,
        behaviour=None,
        aliases={},
        order=_order(verdicts, suite.models),
    )


def _models_of(corpus: Corpus) -> tuple[Model, ...]:
    """Return the models of a corpus, or none if one is Python code that is not installed here."""
    try:
        return models_named(corpus.manifest.question.models)
    except UserError:
        return ()


def _order(names_: Sequence[str], models: tuple[Model, ...]) -> list[tuple[int, int]]:
    """Return the pairs of verdicts of which inclusion shows that the first is at most as fair as the second.

    A verdict is given by its place in `names_`. There are no pairs if there are too many verdicts to draw.
    """
    if len(names_) > _MOST_ORDERED:
        return []
    verdicts = verdicts_of(models)
    places = [names_.index(verdict.name) for verdict in verdicts]
    return [
        (here, there)
        for here, here_passes in zip(places, verdicts, strict=True)
        for there, other in zip(places, verdicts, strict=True)
        if here != there and is_implied(here_passes, other)
    ]


def _minimal(fields: RecordParts) -> int:
    value = fields.more.get("minimal")
    return int(value) if isinstance(value, bool) else 2


def _behaviour(fields: RecordParts, behaviours: dict[str, int]) -> int:
    value = fields.more.get("behaviour")
    return behaviours.setdefault(value, len(behaviours)) if isinstance(value, str) else -1


def _words(value: object) -> list[str]:
    return [word for word in (value if isinstance(value, list) else [value]) if isinstance(word, str)]


def _rows(words: Iterable[tuple[int, list[str]]]) -> dict[str, list[int]]:
    """Return the rows of each word, given the words of each row."""
    rows: dict[str, list[int]] = {}
    for row, of_row in words:
        for word in of_row:
            rows.setdefault(word, []).append(row)
    return rows
