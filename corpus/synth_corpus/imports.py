"""Make a corpus of programs of other projects: read them, bring them to normal form, judge them, and name them.

    files -> programs -> rules (core) -> tests, with aliases and results -> a corpus
                                      -> programs that are no tests under any rules, set aside

A corpus holds normal forms, and its rules and verdicts are those of the normal forms. The verdicts are those of the six
models of the paper, and of the models that the user gives or the files define. Under the six, a program has the
verdicts of its normal form, even if it has no-ops (definitions, section 9). Verdicts of other models are refused.

A program keeps its earlier names as aliases. If programs break rules that a question may drop, the corpus drops these
rules and says so. No question may drop the first three rules. A program that breaks one of them, or is too large to
judge, goes to a file beside the corpus. Unlike modules that only read corpora, this one holds all ids and names in
memory.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError
from synth_checker.models import LIBRARY, Model, model_of, word_of
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.programs.id_layout import thread_count
from synth_checker.programs.ids import Ids
from synth_checker.programs.normal import normal_form, written_out
from synth_checker.programs.rules import DROPPABLE, RULES, broken_rules, rule_names
from synth_checker.question import Bound, Question
from synth_corpus.foreign_programs import programs_in
from synth_corpus.formats.results import Results, read_table_file, suite_of
from synth_corpus.import_report import Duplicate, ImportReport, UnfitProgram, VerdictConflict, natural
from synth_corpus.parts import program_in
from synth_corpus.record import record_fields, signature
from synth_corpus.record_models import KEY, all_models, beside_library, check_known, models_in
from synth_corpus.store import CORPUS, write_corpus
from synth_corpus.test_sets import SetOfTests, manifest_of
from synth_corpus.union import AliasOwners, unite_records
from synth_documents.phrases import count
from synth_storage import strict_json
from synth_storage.files import put_bytes
from synth_storage.folders import check_place, sha256_of
from synth_storage.provenance import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_corpus.formats import Format, ImportedProgram
    from synth_storage.strict_json import Json

#: Keys of `synth check --json` and of programs set aside. An import decides their values again.
_SAID_ANEW = ("test", "breaks", "with_no_ops", "normal_form", "source", "aside")
#: What a user can do about verdicts of a model that neither the user nor the file defines.
_GIVE_THE_MODEL = "give their models with --model"


@dataclass(slots=True)
class _ImportedTest:
    """A test of the new corpus: the program that came first, all its aliases, and all facts that came with it."""

    given: ImportedProgram
    aliases: dict[str, None]
    more: dict[str, Json]
    results: Results = field(default_factory=dict)


def import_tests(  # noqa: PLR0913  (all but the first three have defaults and names)
    paths: Sequence[Path],
    form: Format,
    out: Path,
    *,
    models: Sequence[Model] = (),
    alias_prefix: str | None = None,
    without: Sequence[str] | None = None,
    results: Sequence[Path] = (),
    force: bool = False,
) -> ImportReport:
    """Make a corpus of the programs in some files, or in all files of some folders, and return a report.

    `models` are further models under which tests are judged, beside the six and those that the files define.
    `without` names the rules to drop. With None, the corpus drops those droppable rules that some program breaks.
    `results` are tables of results of devices.

    Raises:
        InputError: a file is unreadable or has verdicts of an unknown model, two models have one name, two tests have
            the same alias, no test is left, or the place is not usable.
        ResourceError: writing failed.
    """
    start = time.monotonic()
    check_place(out, CORPUS, force=force)
    if aside_path(out).exists() and not force:
        raise InputError(
            f"{aside_path(out)}: found programs that an earlier import has set aside; remove the file, or use --force"
        )
    dropped = Question((Bound(1, 1),), without=tuple(without or ())).without  # checks the names of rules
    keep_store_checks = "meaningful-comparisons" in dropped
    report = ImportReport()
    by_id: dict[str, list[ImportedProgram]] = {}
    for program in programs_in(paths, form, alias_prefix):
        report.read += 1
        id_ = written_out(normal_form(program.program, keep_store_checks=keep_store_checks))
        by_id.setdefault(id_, []).append(program)
    judged = _models(models, by_id)
    broken = _broken(by_id, report, set(DROPPABLE if without is None else dropped))
    kept = {id_: _kept(id_, by_id[id_], report) for id_ in sorted(broken)}
    if not kept:
        programs = count(report.read, "program")
        why = "".join(f" ({aside.why})" for aside in report.aside[:1])
        raise InputError(f"{', '.join(map(str, paths))}: found no test among {programs}{why}, expected at least one")
    names = sorted(
        ((_name(id_, by_id[id_][0]), mask) for id_, mask in broken.items()), key=lambda named: natural(named[0])
    )
    for name, mask in names:
        for rule in rule_names(mask):
            report.breaking.setdefault(rule, []).append(name)
    _check_aliases(kept)
    _attach(kept, results, alias_prefix)
    tests = _set_of(list(kept), tuple(rule for rule in RULES if rule in dropped or rule in report.breaking), judged)
    seconds = time.monotonic() - start
    _compare(tests, by_id, report)
    files = [{"file": path.name, "sha256": sha256_of(path)} for path in (*paths, *results) if path.is_file()]
    run = provenance(seconds, imported=files, format=form.name)
    counted = manifest_of(tests.question, len(tests), tests.splits(), tests.signatures(), complete=False)
    manifest = replace(counted, run=run)
    written = write_corpus(out, map(str.encode, _lines(tests, kept)), manifest, force=force)
    report.tests, report.models = written.tests, [name for name in written.models if name not in LIBRARY]
    _write_aside(out, report, force=force)
    return report


def _models(given_models: Sequence[Model], by_id: dict[str, list[ImportedProgram]]) -> tuple[Model, ...]:
    """Return the models under which programs are judged; raise InputError if a verdict is of none of them."""
    programs = [test for of_test in by_id.values() for test in of_test]
    models = all_models(
        beside_library(given_models),
        {program.source: models_in(program.more, program.source) for program in programs if program.more},
    )
    for program in programs:
        check_known(program.verdicts, models, program.source, _GIVE_THE_MODEL)
    return models


def aside_path(out: Path) -> Path:
    """Return the path of the file for programs that the corpus in a folder can't hold."""
    return out.with_name(f"{out.name}.aside.jsonl")


def _name(id_: str, program: ImportedProgram) -> str:
    return program.aliases[0] if program.aliases else id_ or program.source


def _broken(programs: dict[str, list[ImportedProgram]], report: ImportReport, droppable: set[str]) -> dict[str, int]:
    """Return the rules that each program breaks; set aside the programs that a corpus can't hold."""
    masks: dict[str, int] = {}
    small = []
    for id_, all_of_them in programs.items():
        threads = thread_count(id_)
        if id_ and threads <= MAX_THREADS:
            small.append(id_)
        else:
            why = f"{threads} threads, more than {MAX_THREADS}" if id_ else "nothing but no-ops"
            report.aside.extend(UnfitProgram(_name(id_, of_id), of_id.source, why, of_id) for of_id in all_of_them)
    for id_, mask in zip(small, _masks(small), strict=True):
        why = mask if isinstance(mask, str) else ", ".join(_not_dropped(mask, droppable))
        if why:
            why = why if isinstance(mask, str) else f"breaks {why}"
            report.aside.extend(UnfitProgram(_name(id_, of_id), of_id.source, why, of_id) for of_id in programs[id_])
        elif isinstance(mask, int):
            masks[id_] = mask
    return masks


def _not_dropped(mask: int, droppable: set[str]) -> list[str]:
    """Return the broken rules of a bit mask that a corpus can't drop."""
    return [rule for rule in rule_names(mask) if rule not in droppable]


def _masks(ids: list[str]) -> list[int] | list[int | str]:
    """Return for each program the rules that it breaks, or the reason why that can't be decided.

    One program that is too large makes the core refuse a whole batch; then each program is decided alone.
    """
    try:
        return broken_rules(ids)
    except LimitError:
        return [_mask(id_) for id_ in ids]


def _mask(id_: str) -> int | str:
    try:
        return broken_rules([id_])[0]
    except LimitError as error:
        return str(error)


def _kept(id_: str, programs: list[ImportedProgram], report: ImportReport) -> _ImportedTest:
    first, *others = programs
    more: dict[str, Json] = {}
    for each_program in programs:
        said = {
            key: value
            for key, value in each_program.more.items()
            if key not in (*_SAID_ANEW, KEY) and value is not None
        }
        if "name" in more:  # the first program keeps its name; the report has the others
            said.pop("name", None)
        try:
            more = unite_records(id_, more, said)
        except InputError as error:
            raise InputError(f"{each_program.source}: {error}") from None
    for other in others:
        name = other.aliases[0] if other.aliases else other.more.get("name") or id_
        report.duplicates.append(Duplicate(str(name), other.source, id_, first.source))
    return _ImportedTest(first, dict.fromkeys(alias for same in programs for alias in same.aliases), more)


def _check_aliases(kept: dict[str, _ImportedTest]) -> None:
    owners = AliasOwners()
    for id_, test in kept.items():
        for alias, other in owners.taken(id_, test.aliases):
            raise InputError(
                f"{test.given.source}: found alias {alias!r}, which the test {other} "
                f"({kept[other].given.source}) has, too; an alias can belong to one test only"
            )


def _attach(kept: dict[str, _ImportedTest], tables: Sequence[Path], prefix: str | None) -> None:
    """Give each test its rows in the tables of results of devices; the rows name tests by their aliases."""
    by_alias = {alias: test for test in kept.values() for alias in test.aliases}
    suite = suite_of(by_alias, prefix) if tables else ""
    for path in tables:
        table, _ = read_table_file(path)
        for line, (number, cells) in enumerate(table.rows.items(), 2):
            kept_test = by_alias.get(f"{suite}/{number}")
            if kept_test is None:
                raise InputError(
                    f"{path}:{line}: found results of test {number}, but the import has no test {suite}/{number}"
                )
            rows = kept_test.results.setdefault(path.stem, {})
            if str(number) in rows:
                raise InputError(f"{path}: found a second table named {path.stem}; give each table a name of its own")
            rows[str(number)] = dict(zip(table.settings, cells, strict=True))


def _set_of(ids: list[str], without: tuple[str, ...], models: tuple[Model, ...]) -> SetOfTests:
    """Return tests as the set of tests of a question; it is not claimed that the question has no others."""
    programs = list(map(program_in, ids))
    question = Question(
        tuple({Bound(len(program), program.size) for program in programs}),
        max(2, *(program.locations() for program in programs)),
        max(2, *(program.values() for program in programs)),
        without,
        tuple(map(word_of, models)),
    )
    return SetOfTests(question=question, ids=Ids(ids))


def _compare(tests: SetOfTests, programs: dict[str, list[ImportedProgram]], report: ImportReport) -> None:
    """Compare the verdicts that came with programs with those of the core."""
    names = tests.verdicts
    for id_, passes in zip(tests.ids, tests.passes, strict=True):
        decided = signature(passes, names)
        size = program_in(id_).size
        for program in programs[id_]:
            report.verdicts += len(program.verdicts)
            has_no_ops = (
                program.program.size > size or "with_no_ops" in program.more
            )  # which `synth check --json` writes
            for verdict, said in program.verdicts.items():
                if said != decided[verdict]:
                    sees_no_ops = has_no_ops and model_of(verdict) not in LIBRARY
                    report.differing.append(
                        VerdictConflict(_name(id_, program), program.source, verdict, said, sees_no_ops)
                    )


def _lines(tests: SetOfTests, kept: dict[str, _ImportedTest]) -> Iterator[str]:
    names = tests.verdicts
    for (id_, test), passes in zip(kept.items(), tests.passes, strict=True):
        more: dict[str, Json] = {"aliases": list(test.aliases)} if test.aliases else {}
        try:
            # The results in the tables are added to those in the record of the test.
            more |= unite_records(id_, test.more, {"results": test.results} if test.results else {})
        except InputError as error:
            raise InputError(f"{test.given.source}: {error}") from None
        yield _line({**record_fields(program_in(id_), signature(passes, names)), **more})


def _write_aside(out: Path, report: ImportReport, *, force: bool) -> None:
    if not report.aside:
        aside_path(out).unlink(missing_ok=True)  # the file of an earlier import, which this import replaces
    else:
        lines = (
            _line(
                {
                    **record_fields(aside.given.program, {}),
                    "verdicts": dict(aside.given.verdicts),
                    **({"aliases": list(aside.given.aliases)} if aside.given.aliases else {}),
                    **{key: value for key, value in aside.given.more.items() if key not in _SAID_ANEW},
                    "source": aside.given.source,
                    "aside": aside.why,
                }
            )
            for aside in report.aside
        )
        put_bytes(aside_path(out), "".join(lines).encode("utf-8"), force=force)


def _line(fields: Mapping[str, object]) -> str:
    return f"{strict_json.dumps(fields)}\n"
