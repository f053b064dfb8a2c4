"""Test certificates of corpora: what they prove, and that each fault in a list or certificate is refused."""

import functools
import itertools
import json
import os
import resource
import shutil
import signal
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pysolvers
import pytest
import zstandard

import brute
import corpora
from golden import check_file
from processes import end_of, interrupted_after, running, wait_for
from quick import mostly_full
from synth_checker.errors import InputError, InternalError, LimitError, ResourceError
from synth_checker.models import LIBRARY
from synth_checker.programs.ids import Ids
from synth_checker.programs.normal import program_of_id
from synth_checker.question import Question, parse_bounds
from synth_encodings.plain import plain_formula
from synth_search.completeness import RefutedClaim, checkers, solver
from synth_search.completeness import proof as making
from synth_search.completeness.checkers import checker_named
from synth_search.completeness.folder import write_about, write_lines, write_pieces
from synth_search.completeness.proof import certify
from synth_search.completeness.test_list import by_split, read_listing
from synth_search.completeness.verification import verify
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

OURS = ["native", "python"]
checker_words = pytest.mark.parametrize("word", [*OURS, "dratify"])


def question(bounds, **more):
    return Question(parse_bounds([bounds]), **more)


@functools.cache
def ids_of(bounds, **more):
    """The ids of all tests of a bound, by brute force."""
    (bound,) = question(bounds).bounds
    return brute.ids(bound.threads, bound.instructions, **more)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A certificate of 2x3, not to be changed."""
    folder = tmp_path_factory.mktemp("made") / "2x3.certificate"
    certify(question("2x3"), ids_of("2x3"), folder)
    return folder


@pytest.fixture
def certificate(made, tmp_path):
    """A copy of it, to be damaged."""
    return shutil.copytree(made, tmp_path / "2x3.certificate")


# --- proven ---


@pytest.mark.full
@mostly_full(
    ("bound", "tests", "word"),
    [("2x2", 8, "native"), ("2x2", 8, "python"), ("2x2", 8, "dratify"), ("3x3", 60, "native"), ("3x3", 60, "dratify")],
    quick=2,
)
def test_a_bound_is_certified_and_verified(tmp_path, bound, tests, word):
    certify(question(bound), ids_of(bound), tmp_path / "made")
    assert verify(tmp_path / "made", checker_named(word)) == (question(bound), tests)


@pytest.mark.full
def test_each_split_of_a_bound_is_verified(made):
    said = []
    assert verify(made, checker_named("native"), said.append) == (question("2x3"), 162)
    assert said == [("1+2", 81), ("2+1", 81)]


@pytest.mark.parametrize(
    "more",
    [
        {"without": ("effective-stores",)},
        {"without": ("inter-thread-influence", "all-branches", "effective-stores", "meaningful-comparisons")},
        {"values": 3, "locations": 1, "without": ("meaningful-comparisons",)},
        {"values": 1},
    ],
    ids=["one dropped", "all dropped", "three values", "no tests"],
)
def test_a_question_with_other_rules_and_sizes_is_certified(tmp_path, more):
    ids = ids_of("2x2", **more)
    certify(question("2x2", **more), ids, tmp_path / "made")
    assert verify(tmp_path / "made", checker_named("native")).tests == len(ids)


@pytest.mark.full
def test_several_bounds_are_certified_together(tmp_path):
    asked = Question(parse_bounds(["2x2,1x2,3x3"]))
    ids = sorted([*ids_of("2x2"), *ids_of("3x3")])
    done = certify(asked, ids, tmp_path / "made")
    assert [(split.name, split.tests) for split in done] == [("2", 0), ("1+1", 8), ("1+1+1", 60)]
    assert verify(tmp_path / "made", checker_named("native")) == (asked, 68)


@pytest.mark.full
@pytest.mark.parametrize("bound", ["2x4", "3x4"])
def test_the_large_bounds_of_the_paper_are_certified_and_verified(tmp_path, bound):
    found = enumerate_tests(question(bound))
    certify(question(bound), found.ids, tmp_path / "made")
    assert verify(tmp_path / "made", checker_named("native")).tests == len(found.ids)


def test_the_same_question_is_certified_by_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        certify(question("2x2"), ids_of("2x2"), tmp_path / name)
    first, other = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.*")
            if path.name != "certificate.json"
        }
        for name in ("one", "other")
    )
    assert len(first) == 3
    assert first == other


# --- lists that are refused ---

IDS = tuple(ids_of("2x2"))
WRONG_LISTS = {
    "one removed": (IDS[1:], f"{IDS[0]} is a test of 2x2, but the corpus does not list it"),
    "all removed": ((), "is a test of 2x2, but the corpus does not list it"),
    "one added": ((*IDS, "0000-0000"), "0000-0000 is listed, but is no test: it breaks all-branches, effective-stores"),
    "one changed": (("0000-0011", *IDS[2:]), "0000-0011 is listed, but is no test: it breaks"),
    "one doubled": ((*IDS, IDS[3]), f"{IDS[3]} is listed twice"),
    "another bound": ((*IDS, "0000-00110100"), "0000-00110100 is listed, but its bound 2x3 is not among"),
    "other names": (("1000-1010", *IDS[1:]), "1000-1010 is listed, but is not in normal form"),
    "more values": ((*IDS, "0010-0200"), "0010-0200 is listed, but uses more than the 2 locations and 2 values"),
    "a no-op": ((*IDS, "0010-00_1"), "0010-00_1 is listed, but is not in normal form"),
}  # fmt: skip
wrong_lists = pytest.mark.parametrize(("ids", "reason"), WRONG_LISTS.values(), ids=WRONG_LISTS)


@wrong_lists
def test_a_wrong_list_is_refuted_and_nothing_is_written(tmp_path, ids, reason):
    with pytest.raises(RefutedClaim) as refuted:
        certify(question("2x2"), sorted(ids), tmp_path / "made")
    assert reason in str(refuted.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [name for name in WRONG_LISTS if "removed" not in name])
def test_a_certificate_with_a_wrong_list_is_refuted(tmp_path, kind):
    ids, reason = WRONG_LISTS[kind]
    certify(question("2x2"), IDS, tmp_path / "made")
    (tmp_path / "made" / "tests.txt").write_text("".join(f"{id_}\n" for id_ in sorted(ids)))
    with pytest.raises(RefutedClaim) as refuted:
        verify(tmp_path / "made", checker_named("native"))
    assert reason in str(refuted.value)


def test_a_model_that_the_twin_does_not_confirm_is_a_defect(tmp_path, monkeypatch):
    def too_weak(*words):
        formula, fields = plain_formula(*words)
        del formula.families["all-branches"]
        return formula, fields

    monkeypatch.setattr(making, "plain_formula", too_weak)
    with pytest.raises(InternalError, match=r"the Python twin says that it is no test: .* breaks all-branches"):
        certify(question("2x2"), IDS, tmp_path / "made")


CONTRADICTION = [(1, 2), (-1, 2), (1, -2), (-1, -2)]


def test_a_proof_that_the_solver_has_cut_off_is_a_defect(tmp_path, monkeypatch):
    with (tmp_path / "proof").open("w+b") as proof:
        assert solver.model_or_proof(CONTRADICTION, proof) is None
        assert b"".join(solver.pieces_of(proof)).endswith(b"\n0\n")

    def flush_and_cut(trace, flush=pysolvers.flushpr):
        flush(trace)
        os.truncate(tmp_path / "proof", (tmp_path / "proof").stat().st_size - 2)

    monkeypatch.setattr(pysolvers, "flushpr", flush_and_cut)
    with (
        (tmp_path / "proof").open("w+b") as proof,
        pytest.raises(InternalError, match="the proof that glucose4 wrote ends before its last step"),
    ):
        solver.model_or_proof(CONTRADICTION, proof)


# --- what is interrupted, killed, or has no room ---


@pytest.mark.full
def test_an_interrupt_ends_the_solver_at_once(tmp_path):
    """Eleven pigeons in ten holes: minutes of work."""
    clauses = [tuple(range(10 * pigeon + 1, 10 * pigeon + 11)) for pigeon in range(11)]
    clauses += [
        (-literal, -other) for hole in zip(*clauses, strict=True) for literal, other in itertools.combinations(hole, 2)
    ]
    with (tmp_path / "proof").open("w+b") as proof, interrupted_after(0.5):
        solver.model_or_proof(clauses, proof)


#: Bytes that a file may have: too few for the compressed formula, or for the proof before it is compressed.
@pytest.mark.full
@pytest.mark.parametrize("room", [5_000, 45_000])
def test_a_full_disk_is_told_and_an_older_certificate_stays(tmp_path, room):
    certify(question("2x2"), IDS, tmp_path / "made")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(ResourceError, match="made: File too large"):
            certify(question("2x3"), ids_of("2x3"), tmp_path / "made", force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
    assert verify(tmp_path / "made", checker_named("native")).tests == 8


@pytest.mark.full
@pytest.mark.parametrize("file", ["1+3/formula.cnf.zst", pytest.param("2+2/proof.drat.zst", marks=pytest.mark.full)])
def test_a_killed_run_leaves_nothing_that_could_be_taken_for_a_certificate(tmp_path, file):
    """In the first and in the second of the three splits of 2x4, which take a second or so each."""
    with running(["certify", "@complete/2x4", "--out", "made"], tmp_path) as process:
        assert wait_for(lambda: [*tmp_path.glob(f".made-*.partial/{file}")])
        os.kill(process, signal.SIGKILL)
        assert end_of(process) == -signal.SIGKILL
    (left,) = tmp_path.glob(".made-*.partial")
    assert not (tmp_path / "made").exists()
    assert not (left / "certificate.json").exists()


# --- certificates that are refused ---


def text_of(path):
    return zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read().decode()


def changed(name, change):
    """A change of the lines of one compressed file."""

    def apply(folder):
        path = folder / name
        lines = change(text_of(path).splitlines())
        path.write_bytes(zstandard.compress("".join(f"{line}\n" for line in lines).encode()))

    return apply


def more_clauses(lines):
    header = next(number for number, line in enumerate(lines) if line.startswith("p cnf"))
    *start, count = lines[header].split()
    return [*lines[:header], " ".join([*start, str(int(count) + 1)]), *lines[header + 1 :], "1 0"]


def replaced(name, other):
    return lambda folder: shutil.copy(folder / other, folder / name)


def truncated(name):
    def apply(folder):
        path = folder / name
        path.write_bytes(path.read_bytes()[:-100])

    return apply


def appended(name, text):
    """`zstd -d` decompresses one frame behind the other."""

    def apply(folder):
        path = folder / name
        path.write_bytes(path.read_bytes() + zstandard.compress(text))

    return apply


def list_changed(change):
    def apply(folder):
        path = folder / "tests.txt"
        path.write_text("".join(f"{id_}\n" for id_ in change(path.read_text().splitlines())))

    return apply


def asked_for(**changes):
    def apply(folder):
        path = folder / "certificate.json"
        about = json.loads(path.read_text())
        about["question"] |= changes
        path.write_text(json.dumps(about))

    return apply


FORMULA, PROOF = "1+2/formula.cnf.zst", "1+2/proof.drat.zst"
CUT_OFF = "1+2/proof.drat: the end of the proof is missing: it does not end with the empty clause"
NOT_ACCEPTED = "1+2/proof.drat: the checker in C++ does not accept the proof: proof line "
NOTHING = NOT_ACCEPTED + "1 does not follow by unit propagation"
DAMAGES = {
    "a test removed": (list_changed(lambda ids: ids[1:]), "/formula.cnf:"),
    "a test doubled": (list_changed(lambda ids: [ids[0], *ids]), "is listed twice"),
    "a test moved": (list_changed(lambda ids: [*ids[1:], ids[0]]), "so the list is not sorted"),
    "a clause more": (changed(FORMULA, more_clauses), "/formula.cnf:2880: found 'p cnf 2859 7614', expected 'p cnf"),
    "a clause more, not counted": (changed(FORMULA, lambda lines: [*lines, "1 0"]), ": found '1 0', expected the end"),
    "a clause fewer": (changed(FORMULA, lambda lines: lines[:-1]), ": found the end, expected '-"),
    "a clause more, compressed apart": (appended(FORMULA, b"1 0\n"), ": found '1 0', expected the end"),
    "a clause changed": (changed(FORMULA, lambda lines: [*lines[:-1], "-1 " + lines[-1]]), ": found '-1 -"),
    "a name changed": (changed(FORMULA, lambda lines: ["c", *lines[1:]]), "found 'c', expected 'c variable 1:"),
    "the formula of another split": (replaced(FORMULA, "2+1/formula.cnf.zst"), "1+2/formula.cnf:"),
    "a proof truncated": (changed(PROOF, lambda lines: lines[: len(lines) // 2]), CUT_OFF),
    "a proof's file truncated": (truncated(PROOF), CUT_OFF),
    "no proof": (changed(PROOF, lambda _: []), CUT_OFF),
    "the last step alone": (changed(PROOF, lambda lines: lines[-1:]), NOTHING),
    "a step made up": (changed(PROOF, lambda lines: ["3 0", *lines]), NOTHING),
    "the proof of another split": (replaced(PROOF, "2+1/proof.drat.zst"), NOT_ACCEPTED),
    "prose": (changed(PROOF, lambda lines: ["Trivial.", *lines]), NOT_ACCEPTED + "1 is not a step: "),
    "another bound": (asked_for(bounds=["2x2"]), "is listed, but its bound 2x3 is not among those of the question 2x2"),
    "a rule dropped": (asked_for(without=["effective-stores"]), "/formula.cnf:"),
    "more values": (asked_for(values=3), "/formula.cnf:"),
}  # fmt: skip


def refusal(certificate, damage, kind):
    """What is said of a certificate with some damage."""
    damage(certificate)
    with pytest.raises(kind) as refused:
        verify(certificate, checker_named("native"))
    return str(refused.value)


@pytest.mark.parametrize(("damage", "reason"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_certificate_is_refuted(certificate, damage, reason):
    assert reason in refusal(certificate, damage, RefutedClaim)


#: Bytes: what a bomb unpacks to, and what may be held of it.
HUGE, LITTLE = 1 << 28, 1 << 26


def bomb(path, unit, head=b"", size=HUGE):
    """Write a file of some kilobytes that unpacks to very many bytes."""
    piece = unit * ((1 << 20) // len(unit))
    with path.open("wb") as file, zstandard.ZstdCompressor(level=1).stream_writer(file) as stream:
        stream.write(head)
        for _ in range(size // len(piece)):
            stream.write(piece)
    assert path.stat().st_size < size / 1000


def endless_zeros(path):
    """A file without blocks on the disk."""
    with path.open("wb") as file:
        file.truncate(HUGE)


TOO_LARGE = r"1\+2/proof.drat: found a text of more than \d+ bytes, 1000 times the size of its file"
BOMBS = {
    "a line of the formula": (
        lambda c: bomb(c / "1+2" / "formula.cnf.zst", b"1"),
        RefutedClaim,
        r"1\+2/formula.cnf:1: found '1{60}\.\.\.', expected",
    ),
    "a line of the proof": (lambda c: bomb(c / "1+2" / "proof.drat.zst", b"1"), RefutedClaim, TOO_LARGE),
    "the steps of the proof": (
        lambda c: bomb(c / "1+2" / "proof.drat.zst", b"d 1 0\n"),
        RefutedClaim,
        TOO_LARGE,
    ),
    "a line of the list": (lambda c: endless_zeros(c / "tests.txt"), InputError, r"^id '(\\x00)+"),
    "the lines of the list": (
        lambda c: (c / "tests.txt").write_bytes(b"\n" * HUGE),
        RefutedClaim,
        "its bound 0x0 is not",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize(("plant", "error", "reason"), BOMBS.values(), ids=BOMBS)
def test_a_certificate_that_unpacks_to_very_much_is_refused_and_not_held(certificate, plant, error, reason):
    plant(certificate)
    tracemalloc.start()
    try:
        with pytest.raises(error, match=reason) as told:
            verify(certificate, checker_named("native"))
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()
    assert len(str(told.value)) < 1000


@pytest.mark.full
@checker_words
def test_the_proof_of_another_bound_is_refuted(certificate, tmp_path, word):
    certify(question("2x2"), IDS, tmp_path / "2x2")
    shutil.copy(tmp_path / "2x2" / "1+1" / "proof.drat.zst", certificate / "1+2")
    with pytest.raises(RefutedClaim, match=r"does not accept the proof: (step|proof line)"):
        verify(certificate, checker_named(word))


# --- certificates that can't be used ---


def removed(name):
    return lambda folder: (folder / name).unlink()


def written(name, text):
    return lambda folder: (folder / name).write_text(text)


UNUSABLE = {
    "no certificate": (shutil.rmtree, "certificate.json: No such file or directory, expected a certificate"),
    "no list": (removed("tests.txt"), "tests.txt: No such file or directory, expected the ids"),
    "no formula": (removed(FORMULA), "formula.cnf.zst: No such file or directory, expected a compressed text"),
    "no proof": (removed(PROOF), "proof.drat.zst: No such file or directory, expected a compressed text"),
    "not compressed": (written(PROOF, "0\n"), "proof.drat.zst: "),
    "no JSON": (written("certificate.json", "{"), "found no JSON object with the keys kind and format"),
    "a manifest": (written("certificate.json", '{"format":1,"kind":"x"}'), "found format 1 of 'x', expected format 1"),
    "no question": (
        written("certificate.json", '{"format":1,"kind":"completeness of progress litmus tests"}'),
        "certificate.json: question: found nothing, expected an object",
    ),
    "a word in the list": (written("tests.txt", "Trivial.\n"), "id 'Trivial.': expected four base-36 digits"),
    "up to threads": (asked_for(up_to=["threads"], models=["fair"]), "keeps only some of its tests"),
    "too many states": (asked_for(locations=30), "states, expected at most 1,024 for a certificate"),
}  # fmt: skip


@mostly_full(("damage", "reason"), UNUSABLE.values(), ids=UNUSABLE, quick=7)
def test_what_is_no_certificate_can_not_be_used(certificate, damage, reason):
    assert reason in refusal(certificate, damage, InputError)


def test_a_question_with_too_many_states_is_refused_before_the_work(tmp_path):
    with pytest.raises(LimitError, match="expected at most 1,024 for a certificate"):
        certify(question("2x2", values=17), [], tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


# --- checkers ---


def program(tmp_path, body):
    """An executable Python script that is called as drat-trim is."""
    path = tmp_path / "drat-trim"
    path.write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n{body}")
    path.chmod(0o755)
    return str(path)


#: Says what drat-trim says, and decides by dratify.
STAND_IN = """
import dratify
formula, proof = (Path(name).read_text() for name in sys.argv[1:])
print("c reading proof in ASCII mode\\r", end="")
print("s VERIFIED" if dratify.check_proof(dratify.parse_dimacs(formula), proof).ok else "s NOT VERIFIED")
"""


@pytest.mark.full
def test_a_program_called_as_drat_trim_checks_the_proofs(certificate, tmp_path):
    checker = checker_named(program(tmp_path, STAND_IN))
    assert verify(certificate, checker).tests == 162
    changed(PROOF, lambda lines: lines[-1:])(certificate)
    with pytest.raises(RefutedClaim, match="exited with status 0 and said 's NOT VERIFIED'"):
        verify(certificate, checker)


@mostly_full(
    ("body", "said"),
    [
        ("", "exited with status 0 and said 'nothing'"),
        ("print('s VERIFIED'); sys.exit(1)", "exited with status 1 and said 's VERIFIED'"),
        ("print('not s VERIFIED at all')", "exited with status 0 and said 'not s VERIFIED at all'"),
    ],
)
def test_a_program_that_does_not_say_so_has_not_verified(certificate, tmp_path, body, said):
    with pytest.raises(RefutedClaim, match=said):
        verify(certificate, checker_named(program(tmp_path, body)))


def test_a_proof_that_is_cut_off_is_refused_whatever_the_checker_says(certificate, tmp_path):
    checker = checker_named(program(tmp_path, "print('s VERIFIED')"))
    assert verify(certificate, checker).tests == 162
    changed(PROOF, lambda lines: lines[:-1])(certificate)
    with pytest.raises(RefutedClaim) as refuted:
        verify(certificate, checker)
    assert str(refuted.value) == CUT_OFF


def test_a_file_that_is_no_program_can_not_check(certificate, tmp_path):
    path = program(tmp_path, "")
    Path(path).write_text("no program")
    with pytest.raises(InputError, match="Exec format error, expected a program such as drat-trim"):
        verify(certificate, checker_named(path))


@pytest.mark.parametrize(
    ("word", "missing", "found"),
    [
        ("dratify", "dratify", "dratify is missing; to install it: .*pip install .*'dratify"),
        ("./drat", "nothing", r"found '\./drat', expected native, python, dratify or a program such as drat-trim$"),
        ("Natve", "nothing", r"such as drat-trim \(did you mean native\?\)"),
    ],
)
def test_a_checker_that_is_not_there_is_named(monkeypatch, word, missing, found):
    without(monkeypatch, missing)
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(InputError, match=found):
        checker_named(word)


def without(monkeypatch, module):
    there = checkers.importlib.util.find_spec
    monkeypatch.setattr(checkers.importlib.util, "find_spec", lambda name: None if name == module else there(name))


def test_dratify_is_fast_where_its_native_part_is_there(monkeypatch):
    assert checker_named("dratify").name == "dratify (in Rust)"
    without(monkeypatch, "cdclkit_native")
    assert checker_named("dratify").name == "dratify (in Python)"


@pytest.mark.parametrize("word", OURS)
def test_our_own_checkers_need_nothing_that_is_not_installed_with_synth(certificate, monkeypatch, word):
    for module in ("dratify", "cdclkit", "cdclkit_native"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("PATH", os.devnull)
    changed(PROOF, lambda lines: ["3 0", *lines])(certificate)
    with pytest.raises(RefutedClaim, match="proof line 1 does not follow"):
        verify(certificate, checker_named(word))


# --- false proofs ---


def forged(folder, bounds, ids, proofs):
    """A certificate of a list, with these proofs, a text for each split in the order of their names."""
    folder.mkdir()
    asked = question(bounds)
    write_about(folder, asked, ids, {})
    for sizes, listed in by_split(ids, asked).items():
        split = folder / "+".join(map(str, sizes))
        split.mkdir()
        formula, fields = plain_formula(sizes, asked.locations, asked.values)
        blocking = [fields.blocking(program_of_id(id_)) for id_ in listed]
        write_lines(split, "formula.cnf", formula.dimacs(blocking))
        write_pieces(split, "proof.drat", [proofs(formula.clauses + blocking)])
    return folder


def forgets_why(clauses):
    """Remove what has a literal that follows from the formula, and claim its negation.

    A checker that keeps the literal, whatever is removed, and accepts the negation as a RAT step, accepts this.
    """
    removed = [f"d {' '.join(map(str, clause))} 0\n" for clause in clauses if 1 in clause]
    return "".join([*removed, "-1 0\n", "0\n"]).encode()


def test_what_the_false_proof_of_2x2_removes_is_all_that_has_a_literal():
    formula, _ = plain_formula((1, 1), 2, 2)
    removed = b"d 1 2 0\nd -11 1 0\nd -19 1 0\nd 18 -10 1 0\n"
    assert forgets_why(formula.clauses) == removed + b"-1 0\n0\n"


@checker_words
@mostly_full(("bound", "listed"), [("2x2", 0), ("2x2", 7), ("3x3", 1), ("2x3", 161)])
def test_a_false_proof_that_there_are_no_more_tests_is_refused(tmp_path, bound, listed, word):
    folder = forged(tmp_path / "forged", bound, ids_of(bound)[:listed], forgets_why)
    with pytest.raises(
        RefutedClaim, match=r"does not accept the proof: .*(does not follow by unit propagation|not RUP)"
    ):
        verify(folder, checker_named(word))


@checker_words
def test_a_false_proof_of_two_clauses_is_refused(word):
    formula = b"p cnf 2 2\n1 0\n-1 2 0\n"
    assert checker_named(word).refusal([formula], [b"d -1 2 0\n-2 0\n0\n"]) is not None


# --- lists that are read ---


@pytest.fixture
def corpus(tmp_path):
    save(enumerate_tests(question("2x2")), tmp_path / "2x2.corpus")
    return tmp_path / "2x2.corpus"


def test_a_corpus_says_its_question_and_a_file_needs_bounds(corpus, tmp_path):
    assert read_listing(str(corpus)) == (question("2x2"), list(IDS))
    (tmp_path / "tests.jsonl").write_text("".join(corpora_lines(IDS)))
    assert read_listing(str(tmp_path / "tests.jsonl"), ["2x2"]) == (question("2x2"), list(IDS))
    with pytest.raises(InputError, match=r"there is no such corpus or file; to make one, run synth enumerate"):
        read_listing(str(tmp_path / "nothing.corpus"))
    with pytest.raises(InputError, match=r"a file needs the bounds of its tests; give them with --bounds TxN"):
        read_listing(str(tmp_path / "tests.jsonl"))
    with pytest.raises(InputError, match="--bounds cannot be combined with a corpus, which has bounds of its own"):
        read_listing(str(corpus), ["2x2"])


def corpora_lines(ids):
    """Records without verdicts."""
    for id_ in ids:
        threads = [
            [
                {
                    "loc": int(part[k], 36),
                    "check": int(part[k + 1], 36),
                    "exch": None if part[k + 2] == "_" else int(part[k + 2], 36),
                    "target": int(part[k + 3], 36),
                }
                for k in range(0, len(part), 4)
            ]
            for part in id_.split("-")
        ]
        yield json.dumps({"id": id_, "threads": threads}) + "\n"


# --- the command ---

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.full
def test_certify_and_verify_print_as_in_the_golden_file(synth, corpus):
    made = synth("certify", corpus.name, "--out", "2x2.certificate")
    verified = synth("audit", "2x2.certificate")
    assert (made.code, made.err, verified.code, verified.err) == (0, "", 0, "")
    check_file(GOLDEN / "certify.txt", made.out + verified.out)


def test_an_incomplete_corpus_is_refuted_by_a_missing_test(synth, tmp_path):
    found = enumerate_tests(question("2x2"))
    save(replace(found, ids=Ids(set(found.ids) - {IDS[5]}), complete=False), tmp_path / "2x2.corpus")
    ran = synth("certify", "2x2.corpus", "--out", "made")
    assert ran == (1, f"refuted: {IDS[5]} is a test of 2x2, but the corpus does not list it\n", "")
    assert not (tmp_path / "made").exists()


@wrong_lists
def test_a_wrong_file_of_records_is_refuted(synth, tmp_path, ids, reason):
    (tmp_path / "tests.jsonl").write_text("".join(corpora_lines(ids)) or "// none\n")
    ran = synth("certify", "tests.jsonl", "--bounds", "2x2", "--out", "made")
    if ids:
        assert (ran.code, ran.err) == (1, "")
        assert ran.out.startswith("refuted: ")
        assert reason in ran.out
    else:
        assert ran == (2, "", "synth: tests.jsonl: found no program, expected at least one program\n")
    assert not (tmp_path / "made").exists()


def test_a_damaged_certificate_leaves_with_1_and_the_reason(synth, certificate):
    changed(PROOF, lambda lines: lines[:-1])(certificate)
    ran = synth("audit", certificate, "--checker", "python")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == f"refuted: {CUT_OFF}\n"


EITHER = "--verify cannot be combined with tests to certify, --bounds, --out or --force; use two calls"
NEITHER = "certify: give a corpus or file and --out DIR; to check a certificate: synth audit DIR"
WRONG = [
    ((), NEITHER),
    (("2x2.corpus",), NEITHER),
    (("--out", "made"), NEITHER),
    (("2x2.corpus", "--out", "made", "--checker", "python"), NEITHER),
    (("--verify", "made", "--out", "made"), EITHER),
    (("--verify", "made", "--force"), EITHER),
    (("--verify", "made", "--bounds", "2x2"), EITHER),
    (("2x2.corpus", "--verify", "made"), EITHER),
    (("--verify", "made"), "made/certificate.json: No such file or directory, expected a certificate"),
    (("--verify", "2x2.corpus"), "2x2.corpus/certificate.json: No such file"),
    (("--verify", "made", "--checker", "frob"), "checker: found 'frob', expected native, python, dratify or a program"),
    (("2x2.corpus", "--bounds", "2x2", "--out", "made"), "--bounds cannot be combined with a corpus"),
    (("nowhere", "--bounds", "2x2", "--out", "made"), "nowhere: there is no such file"),
    (
        ("2x2.corpus", "--out", "2x2.corpus"),
        "2x2.corpus: the folder contains other files, expected a new or empty folder",
    ),
    (("2x2.corpus", "--out", "2x2.corpus", "--force"), "2x2.corpus: the folder contains other files"),
    (("threads.corpus", "--out", "made"), "keeps only some of its tests"),
]


@mostly_full(("words", "message"), WRONG, ids=lambda words: " ".join(words) if words else "nothing", quick=6)
def test_a_wrong_word_is_one_line_and_exit_code_2(synth, corpus, tmp_path, words, message):
    models = [model for model in LIBRARY if model in {"unfair", "OBE", "fair"}]
    corpora.write(tmp_path / "threads.corpus", [], question=question("2x2", up_to=("threads",), models=tuple(models)))
    ran = synth("certify", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("synth: ")
    assert ran.err.count("\n") == 1
    assert message in ran.err
    assert corpus.exists()


def test_a_certificate_is_replaced_only_if_it_is_told_to_and_only_by_a_proof(synth, corpus, tmp_path):
    words = ("certify", corpus.name, "--out", "made")
    assert synth(*words).code == 0
    before = (tmp_path / "made" / "certificate.json").read_bytes()
    ran = synth(*words)
    assert (ran.code, ran.err) == (
        2,
        "synth: made: found a certificate, expected a new or empty folder; give --force to replace it\n",
    )
    (tmp_path / "tests.jsonl").write_text("".join(corpora_lines(IDS[1:])))
    assert synth("certify", "tests.jsonl", "--bounds", "2x2", "--out", "made", "--force").code == 1
    assert (tmp_path / "made" / "certificate.json").read_bytes() == before
    assert synth(*words, "--force").code == 0
