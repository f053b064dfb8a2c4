"""Test the command line: what each command prints, its exit code, and one line for every wrong word."""

import json
import math
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import corpora
import others
import rodin_projects
from golden import check_file, transcript
from quick import mostly_full
from synth import cli
from synth.cli.shared.command_class import RENAMED
from synth.cli.shared.command_list import SECTIONS
from synth.cli.shared.vocabulary import KINDS as KINDS_OF_WORDS
from synth_backends.mapping import KINDS
from synth_backends.target import TARGETS
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import read_programs, write_program
from synth_checker.question import Question, parse_bounds
from synth_corpus import store

GOLDEN = Path(__file__).parent / "golden"
MUTEX = "01100002-01100002"
SPINNER = "00_0-0011"
THREAD_OF_36 = "00_0" * 36
TOO_MANY_THREADS = "-".join(["00_0"] * 33)


def text_of(*ids):
    return "\n".join(write_program(program_of_id(id_)) for id_ in ids)


# --- wrong words ---


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """What the wrong words below are about."""
    folder = tmp_path_factory.mktemp("laid")
    (folder / "empty.txt").touch()
    (folder / "two.txt").write_text(text_of(MUTEX, SPINNER))
    (folder / "syntax.txt").write_text("THREAD 0\n0: if (Mem[0] == 0) gato 0;\n")
    (folder / "large.txt").write_text("THREAD 0\n0: if (Mem[36] == 0) goto 0;\n")
    (folder / "binary").write_bytes(b"THREAD 0\n\xff\n")
    (folder / "broken.jsonl").write_text('{"threads":\n')
    (folder / "other-id.jsonl").write_text('{"id":"01_0","threads":[[{"loc":0,"check":0,"exch":null,"target":0}]]}\n')
    (folder / "own.models").write_text("a = live\nb = none | stepped\n")
    (folder / "wrong.models").write_text("# a model\na = automaton\nstate s\n  fair  lif\n")
    (folder / "others").mkdir()
    (folder / "others" / "thesis.tex").write_text("years of work")
    corpora.write(folder / "small.corpus", corpora.some(3))
    corpora.write(folder / "damaged.corpus", corpora.some(3))
    corpora.write(folder / "other.corpus", [], question=Question(parse_bounds(["2x4"]), values=3))
    corpora.write(folder / "later.corpus", [], run={"tool": "synth 9.9"})
    manifest = folder / "later.corpus" / store.MANIFEST
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 2'))
    records = folder / "damaged.corpus" / store.RECORDS
    records.write_bytes(records.read_bytes()[:-9])
    return folder


@pytest.fixture
def folder(tmp_path, laid):
    """A copy of that, in the folder in which the wrong words are said."""
    return shutil.copytree(laid, tmp_path, dirs_exist_ok=True)


BOUNDS = ("enumerate", "--bounds", "2x2")
EMPTY = "an empty word (from a comma too many, or a variable that is not set?)"
#: What an option that takes several words calls itself, and a call in which one of its words is empty.
EMPTY_WORDS = {
    "bounds": ("enumerate", "--bounds", "2x2,"),
    "without": (*BOUNDS, "--without", "all-branches,"),
    "up to": (*BOUNDS, "--up-to", ",threads"),
    "model": (*BOUNDS, "--model", "HSA,,OBE"),
    "engine": ("crosscheck", *BOUNDS[1:], "--engine", "sat,"),
    "keep": ("shrink", MUTEX, "--keep", "HSA=pass,"),
    "contains": ("find", "--contains", "mutex,"),
    "cover": ("suite", "--model", "OBE.weak", "--cover", "mutants,"),
    "pass": ("corpus", "list", "@complete/2x2", "--pass", "HSA,"),
    "target": ("emit", "never", "--target", "cpp,", "--out", "new"),
}
WRONG = [
    # No command, or none that there is
    (("frob",), "No such command 'frob'"),
    (("corpus", "frob"), "No such command 'frob'"),
    (("--frob",), "No such option: --frob"),
    (("help", "frob"), "No such command 'frob'"),
    # What was meant, whatever its case
    (("Enumerat",), "No such command 'Enumerat' (did you mean enumerate?)."),
    (("corpus", "dif"), "No such command 'dif' (did you mean diff?)."),
    (("help", "corpus", "dif"), "No such command 'dif' (did you mean diff?)."),
    (("enumerate", "--bound", "2x2"), "No such option: --bound (did you mean --bounds?)"),
    (("enumerate", "--BOUNDS", "2x2"), "No such option: --BOUNDS (did you mean --bounds?)"),
    (("verify", "--std", "CL2.0", "a.cl"), "No such option: --std (did you mean --standard?)"),
    (
        (*BOUNDS, "--without", "All-Branches"),
        "without: found 'All-Branches' (did you mean all-branches?), expected one",
    ),
    ((*BOUNDS, "--model", "obe"), "model: found 'obe' (did you mean OBE?), expected one of unfair"),
    (("check", MUTEX, "--model", "Round-Robin"), "model: found 'Round-Robin' (did you mean round-robin?), expected a"),
    (("explain", MUTEX, "--model", "highest_first"), "found 'highest_first' (did you mean highest-first?), expected"),
    (("find", "--pass", "Round-Robin.weak"), "model: found 'Round-Robin.weak' (did you mean round-robin?), expected"),
    ((*BOUNDS, "--model", "resident-K"), "model: found 'resident-K', expected one of unfair"),
    ((*BOUNDS, "--up-to", "thread"), "up to: found 'thread' (did you mean threads?), expected one of"),
    ((*BOUNDS, "--engine", "SAT"), "engine: found 'SAT' (did you mean sat?), expected one of auto"),
    ((*BOUNDS, "--solver", "gluocse4"), "solver: found 'gluocse4' (did you mean glucose4?), expected an"),
    (("check", "Mutx"), "no test of that name in the corpora that ship (did you mean mutex?); expected a file"),
    (("check", MUTEX, "--model", "obe.weka"), "model: found 'obe.weka' (did you mean OBE.weak?), expected a model or"),
    (("check", MUTEX, "--expect", "Pass"), "expect: found 'Pass' (did you mean pass?), expected one of pass, fail"),
    (
        ("check", MUTEX, "--model", "own.models:A"),
        "model: found 'A' (did you mean a?), expected a model of the file own.models: a, b",
    ),
    (("explain", MUTEX, "--model", "hsa.weak"), "model: found 'hsa.weak' (did you mean HSA.weak?), expected one of"),
    (("shrink", MUTEX, "--keep", "lobe=pass"), "keep: found 'lobe' (did you mean LOBE?), expected a model or"),
    (("shrink", MUTEX, "--without", "effective-store"), "found 'effective-store' (did you mean effective-stores?)"),
    (("find", "--contains", "Barrier"), "contains: found 'Barrier' (did you mean barrier?), expected an id or one of"),
    (("find", "--engine", "direct"), "engine: found 'direct' (did you mean directed?), expected one of"),
    (("suite", "--model", "OBE.weak", "--cover", "mutant"), "cover: found 'mutant' (did you mean mutants?), expected"),
    (("lts", MUTEX, "--format", "DOT"), "format: found 'DOT' (did you mean dot?), expected one of"),
    (("emit", MUTEX, "--target", "CPP", "--out", "new"), "target: found 'CPP' (did you mean cpp?)"),
    (
        ("corpus", "info", "@Complete/2x2"),
        "no corpus of this name ships with synth (did you mean @complete/2x2?), expected",
    ),
    (("corpus", "export", "small.corpus", "--format", "cvs"), "format: found 'cvs' (did you mean csv?), expected one"),
    (
        ("job", "start", *BOUNDS[1:], "--executor", "Local"),
        "executor: found 'Local' (did you mean local?), expected one",
    ),
    # enumerate
    (("enumerate",), "bounds: found none, expected sizes such as 2x3"),
    (("enumerate", "2x2", "--bounds", "2x2"), "bounds: found 2x2 and --bounds 2x2, expected one of them"),
    (("enumerate", "two"), "bounds: found 'two', expected TxN"),
    (("enumerate", "--bounds"), "'--bounds' requires an argument"),
    (("enumerate", "--bounds", "3x2"), "bound 3x2: found 2 instructions, expected at least one for each thread"),
    (
        ("enumerate", "--bounds", "3by4"),
        "bounds: found '3by4', expected TxN, several of these with commas between, or a range AxB..CxD",
    ),
    (("enumerate", "--bounds", "0x0"), "bounds: found '0x0'"),
    (("enumerate", "--bounds", "0x1"), "bounds: found '0x1'"),
    (("enumerate", "--bounds", "-2x2"), "bounds: found '-2x2'"),
    (("enumerate", "--bounds", "2x2x2"), "bounds: found '2x2x2'"),
    (("enumerate", "--bounds", "2x"), "bounds: found '2x'"),
    (("enumerate", "--bounds", ""), f"bounds: found {EMPTY}"),
    (("enumerate", "--bounds", "2x2,frob"), "bounds: found 'frob'"),
    (("enumerate", "--bounds", "2x3..2x2"), "found the empty range '2x3..2x2'"),
    (("enumerate", "--bounds", "3x2..4x2"), "found the empty range '3x2..4x2'"),
    (("enumerate", "--bounds", "2x2.."), "bounds: found '2x2..'"),
    (("enumerate", "--bounds", "1x36"), "a thread could have 36 instructions, expected at most 35"),
    ((*BOUNDS, "frob"), "bounds: found frob and --bounds 2x2, expected one of them"),
    ((*BOUNDS, "--frob"), "No such option: --frob"),
    ((*BOUNDS, "--jobs", "0"), "jobs: found 0, expected at least 1"),
    ((*BOUNDS, "--jobs", "-1"), "jobs: found -1"),
    ((*BOUNDS, "--jobs", "many"), "Invalid value for '--jobs'"),
    ((*BOUNDS, "--values", "0"), "values: found 0, expected at least 1"),
    ((*BOUNDS, "--values", "37"), "values: found 37, expected at most 36"),
    ((*BOUNDS, "--locations", "0"), "locations: found 0, expected at least 1"),
    ((*BOUNDS, "--locations", "37"), "locations: found 37, expected at most 36"),
    ((*BOUNDS, "--without", "frob"), "without: found 'frob', expected one of inter-thread-influence"),
    ((*BOUNDS, "--without", "executed"), "found 'executed', which cannot be dropped"),
    ((*BOUNDS, "--model", "frob"), "found 'frob'"),
    ((*BOUNDS, "--up-to", "frob"), "found 'frob'"),
    ((*BOUNDS, "--engine", "frob"), "engine: found 'frob', expected one of auto, explicit, sat, sat-full, smt"),
    ((*BOUNDS, "--solver", "frob"), "solver: found 'frob', expected an incremental solver"),
    ((*BOUNDS, "--solver", ""), f"solver: found {EMPTY}"),
    ((*BOUNDS, "--solver", "kissat404"), "solver: found 'kissat404', expected an incremental solver"),
    ((*BOUNDS, "--time-limit", "soon"), "time limit: found 'soon', expected a time such as 90s, 10m or 1h30m"),
    ((*BOUNDS, "--time-limit", "0"), "time limit: found '0'"),
    ((*BOUNDS, "--time-limit", "-1s"), "time limit: found '-1s'"),
    ((*BOUNDS, "--memory", "lots"), "memory: found 'lots', expected a size such as 500M or 2G"),
    ((*BOUNDS, "--memory", "0M"), "memory: found '0M'"),
    ((*BOUNDS, "--expect", "eight"), "Invalid value for '--expect'"),
    ((*BOUNDS, "--out", "empty.txt"), "empty.txt: this is a file"),
    ((*BOUNDS, "--out", "empty.txt/below"), "empty.txt"),
    ((*BOUNDS, "--out", "others"), "others: the folder contains other files"),
    ((*BOUNDS, "--out", "others", "--force"), "others: the folder contains other files"),
    ((*BOUNDS, "--out", "."), ".: this folder is or contains the current folder"),
    ((*BOUNDS, "--count-only", "--out", "new"), "--out cannot be combined with --count-only, which writes no corpus"),
    ((*BOUNDS, "--count-only", "--out", "-"), "--out cannot be combined with --count-only"),
    ((*BOUNDS, "--count-only", "--force"), "--force cannot be combined with --count-only"),
    ((*BOUNDS, "--out", "/dev/null"), "/dev/null: this is a file"),
    (
        (*BOUNDS, "--out", "small.corpus"),
        "found a corpus with other bounds or options (2x4), expected 2x2; use another folder, or --force",
    ),
    (
        (*BOUNDS, "--engine", "smt", "--solver", "glucose4"),
        "'glucose4' cannot be combined with the engine smt, which uses no solver",
    ),
    (("enumerate", "--bounds", "2x5", "--engine", "smt"), "5 instructions and up to 48 states, expected at most 4"),
    # crosscheck
    (("crosscheck",), "bounds: found none, expected sizes"),
    # A file of kernels, or a format beside --json
    (
        ("check", "scan.cu"),
        "scan.cu: found a file of kernels, expected litmus tests; to find races: synth verify scan.cu",
    ),
    (("emit", "never", "a.cl", "--target", "cpp", "--out", "new"), "a.cl: found a file of kernels, expected litmus"),
    (("verify", "two.txt"), ".hip; for litmus tests: synth check two.txt"),
    (("lts", MUTEX, "--json", "--format", "dot"), "--json cannot be combined with --format dot"),
    (("corpus", "list", "small.corpus", "--json", "--format", "csv"), "--json cannot be combined with --format csv"),
    (("sim", "attack", "0011-00_0", "--verdict", "OBE.weak", "--json", "--out", "new"), "--json cannot be combined"),
    (("crosscheck", "--bounds", "3x2"), "bound 3x2: found 2 instructions"),
    (("crosscheck", "--bounds", "2x2", "--engine", "sat,frob"), "engine: found 'frob', expected one of auto"),
    (
        ("crosscheck", "--bounds", "2x2", "--engine", "sat"),
        "engine: found only sat, expected at least two engines to compare",
    ),
    (("crosscheck", "--bounds", "2x2", "--engine", "sat,sat"), "engine: found only sat, expected at least two"),
    (("crosscheck", "--bounds", "2x5", "--engine", "sat,smt"), "engine smt: bound 2x5 has 5 instructions"),
    (("crosscheck", "--bounds", "2x2", "--jobs", "0"), "jobs: found 0, expected at least 1"),
    (("crosscheck", "--bounds", "2x2", "--time-limit", "soon"), "time limit: found 'soon'"),
    # check
    (("check",), "Missing argument"),
    (("check", MUTEX, MUTEX), "unexpected extra argument(s)"),
    (
        ("check", "no-such-file"),
        "no-such-file: there is no such file, and no test of that name in the corpora that ship",
    ),
    (("check", "a word\nand another"), "there is no such file, and no test of that name in the corpora that ship"),
    (("check", "0009"), "id '0009': instruction 0: found target 9, expected 0 to 1 (the end)"),
    (
        ("check", "00_0-00", "--corpus", "@complete/2x2"),
        "found 2 tests in @complete/2x2 that this word could name: 00_0-0010 (",
    ),
    (("check", "00_1"), "found only no-ops"),
    (("check", TOO_MANY_THREADS), "found a program with 33 threads, expected at most 32"),
    (("check", THREAD_OF_36), "thread: found 36 instructions, expected at most 35"),
    (("check", "large.txt"), "large.txt:2:12: found '36', expected a memory location below 36"),
    (("check", "empty.txt"), "empty.txt: found no program, expected at least one program"),
    (("check", "-"), "<stdin>: found no program, expected at least one program"),
    (("check", "syntax.txt"), "syntax.txt:2:21: found 'gato', expected 'goto'"),
    (("check", "binary"), "binary:2: found a byte that is not UTF-8"),
    (("check", "broken.jsonl"), "broken.jsonl:1: this is not JSON"),
    (("check", "other-id.jsonl"), "other-id.jsonl:1: found id '01_0', expected '00_0', the id of its threads"),
    (("check", "others"), "others: there is no manifest.json in it, expected the folder of a corpus"),
    (("check", "damaged.corpus"), "damaged.corpus/tests.jsonl.zst:1: "),
    (("check", MUTEX, "--model", "frob"), "model: found 'frob', expected a model or verdict out of HSA, OBE"),
    (("check", MUTEX, "--model", "unfair.weak"), "model: found 'unfair.weak'"),
    (("check", MUTEX, "--model", "obe"), "model: found 'obe'"),
    (("check", MUTEX, "--expect", "maybe"), "expect: found 'maybe', expected one of pass, fail"),
    # show
    (("show",), "Missing argument"),
    (
        ("show", "no-such-file"),
        "no-such-file: there is no such file, and no test of that name in the corpora that ship",
    ),
    (("show", "two.txt"), "two.txt: found 2 programs, expected a single program"),
    (("show", "0009"), "found target 9, expected 0 to 1"),
    # shrink
    (("shrink",), "Missing argument"),
    (("shrink", "two.txt"), "two.txt: found 2 programs, expected a single program"),
    (("shrink", "00_1"), "found only no-ops"),
    (("shrink", MUTEX, "--keep", "OBE.weak"), "keep: found 'OBE.weak', expected a verdict with =pass or =fail"),
    (("shrink", MUTEX, "--keep", "OBE.weak=maybe"), "keep: found 'OBE.weak=maybe', expected a verdict with"),
    (("shrink", MUTEX, "--keep", "frob=pass"), "found 'frob', expected a model or verdict out of HSA"),
    (
        ("shrink", MUTEX, "--keep", "OBE=pass,OBE.weak=fail"),
        "keep: OBE.weak=pass and OBE.weak=fail contradict each other",
    ),
    (("shrink", MUTEX, "--keep", "HSA=pass", "--model", "OBE"), "found 'HSA', expected a model or verdict out of OBE"),
    (("shrink", MUTEX, "--model", "frob"), "model: found 'frob'"),
    (("shrink", MUTEX, "--without", "frob"), "without: found 'frob', expected one of inter-thread-influence"),
    (("shrink", TOO_MANY_THREADS), "found a program with 33 threads, expected at most 32"),
    # find, separate and lattice
    (("find", "--pass", "frob"), "model: found 'frob', expected a model or verdict out of"),
    (("find", "--pass", "OBE", "--fail", "OBE.weak"), "fail: 'OBE.weak' is also among the verdicts to pass"),
    (("find", "--contains", "frob!"), "contains: found 'frob!', expected an id or one of the idioms"),
    (("find", "--engine", "frob"), "engine: found 'frob', expected one of auto, explicit"),
    (("find", "--bounds", "5x12", "--engine", "explicit"), "engine explicit: bound 5x12 has"),
    (("find", "--force"), "--force needs --out"),
    (("find", "--least", "--all"), "--least cannot be combined with --all; use one of the two"),
    (("find", "--uses", "0"), "Invalid value for '--uses'"),
    (("find", "--uses", "3"), "uses: found 3, expected at most 2, the number of locations that --locations allows"),
    (("find", "--contains", "00_1"), "contains: the program '00_1' consists of no-ops"),
    (("find", "--jobs", "0"), "jobs: found 0, expected at least 1"),
    (("separate", "OBE.weak"), "Missing argument 'B'"),
    (("separate", "OBE", "OBE"), "separate: found the verdict OBE.weak twice, expected two different verdicts"),
    (
        ("separate", "OBE.weak", "OBE.weak"),
        "separate: found the verdict OBE.weak twice, expected two different verdicts",
    ),
    (("lattice", "--format", "png"), "format: found 'png', expected one of text, dot, svg, json"),
    (("lattice", "--force"), "--force needs --out, which names the file to replace"),
    (("lattice", "--model", "frob"), "model: found 'frob'"),
    # suite
    (("suite", "--out", "-"), "--out - takes one suite, not those of all verdicts; use a folder, or one verdict"),
    (("suite", "--model", "OBE", "--out", "-"), "--out - takes one suite, not those of 2 verdicts"),
    (("suite", "--model", "OBE.weak", "--redundancy", "0"), "Invalid value for '--redundancy'"),
    (
        ("suite", "--model", "OBE.weak", "--redundancy", "2", "--size", "2", "--from", "@complete/2x2"),
        "redundancy: found 2, expected at least 1, and exactly 1 if a size is given",
    ),
    (("suite", "--model", "frob"), "model: found 'frob', expected a model or verdict out of HSA, OBE"),
    (
        ("suite", "--model", "unfair", "--from", "@complete/2x2"),
        "unfair: none of the 8 tests passes this verdict",
    ),
    (("suite", "--model", "OBE.weak", "--force"), "--force needs --out, which names the file or folder"),
    (("suite", "--model", "OBE.weak", "--size", "0"), "Invalid value for '--size'"),
    (
        ("suite", "--model", "OBE.weak", "--cover", "frob"),
        "cover: found 'frob', expected one of verdicts, incomparable",
    ),
    (
        ("suite", "--model", "OBE.weak", "--from", "others"),
        "others: there is no manifest.json in it, expected the folder of a corpus",
    ),
    (("suite", "--model", "OBE.weak", "--from", "damaged.corpus"), "damaged.corpus/tests.jsonl.zst:1: "),
    (
        ("suite", "--model", "OBE.weak", "--from", "@complete/2x3", "--out", "empty.txt"),
        "empty.txt: this file exists; give a new name",
    ),
    # explain
    (("explain",), "Missing argument"),
    (("explain", MUTEX), "Missing option '--model'"),
    (("explain", "two.txt", "--model", "OBE.weak"), "two.txt: found 2 programs, expected a single program"),
    (
        ("explain", MUTEX, "--model", "OBE", "--svg", "it.svg"),
        "svg: found the model OBE, expected one verdict, OBE.weak or OBE.strong, because a drawing shows one proof",
    ),
    (
        ("explain", MUTEX, "--model", "obe.weak"),
        "model: found 'obe.weak' (did you mean OBE.weak?), expected one of unfair",
    ),
    (("explain", MUTEX, "--model", "unfair.weak"), "model: found 'unfair.weak' (did you mean unfair?), expected one"),
    (("explain", "00_1", "--model", "OBE.weak"), "found only no-ops"),
    (("explain", TOO_MANY_THREADS, "--model", "OBE.weak"), "found a program with 33 threads, expected at most 32"),
    # lts
    (("lts",), "Missing argument"),
    (("lts", "two.txt"), "two.txt: found 2 programs, expected a single program"),
    (("lts", MUTEX, "--format", "png"), "format: found 'png', expected one of dot, svg, aut, json"),
    (("lts", MUTEX, "--model", "frob"), "model: found 'frob', expected one of unfair, HSA"),
    (("lts", MUTEX, "--model", "frob.weak"), "model: found 'frob.weak', expected one of unfair, HSA.weak"),
    (("lts", "00_1"), "found only no-ops"),
    (("lts", TOO_MANY_THREADS, "--model", "OBE"), "found a program with 33 threads, expected at most 32"),
    (("lts", MUTEX, "--force"), "--force needs --out, which names the file to replace"),
    (
        ("lts", MUTEX, "--out", "-"),
        "-: this stands for standard output, which is not allowed here; give the name of a file",
    ),
    (("lts", MUTEX, "--out", "two.txt"), "two.txt: this file exists; give a new name, or --force to replace it"),
    (("lts", MUTEX, "--out", "others", "--force"), "others: found a folder, expected a name for a new file"),
    # models of one's own
    (
        ("check", MUTEX, "--model", "mine = live & al"),
        "model 'mine = live & al': column 15: found 'al', expected a set",
    ),
    (("check", MUTEX, "--model", "mine = lowest(live, all)"), "column 19: found ',', expected ')'"),
    (("check", MUTEX, "--model", "OBE = live"), "model: 'OBE = live' has a name that synth uses"),
    (("check", MUTEX, "--model", "m = live,m = all"), "model: two different models are named m; rename one"),
    (("check", MUTEX, "--model", "no.models"), "model: there is no file no.models; expected the path of a file"),
    (("check", MUTEX, "--model", "wrong.models"), "wrong.models:4: column 9: found 'lif', expected a set (live,"),
    (("check", MUTEX, "--model", "two.txt"), "two.txt:1: found 'THREAD 0', expected NAME = EXPRESSION"),
    (
        ("check", MUTEX, "--model", "empty.txt"),
        "empty.txt: found no model, expected at least one line NAME = EXPRESSION",
    ),
    (("check", MUTEX, "--model", "own.models:frob"), "model: found 'frob', expected a model of the file own.models"),
    (
        ("explain", MUTEX, "--model", "own.models"),
        "found 2 models in own.models, expected one model, such as own.models:a",
    ),
    (("explain", MUTEX, "--model", "m = live", "--svg", "it.svg"), "expected one verdict, m.weak or m.strong, because"),
    (("explain", MUTEX, "--model", "m.week = live"), "model 'm.week = live': found 'm.week = live', expected NAME = E"),
    (
        ("lts", MUTEX, "--model", "own.models"),
        "found 2 models in own.models, expected one model, such as own.models:a",
    ),
    (
        ("enumerate", "--bounds", "2x2", "--model", "m.weak = live"),
        "found the verdict m.weak, expected a model, such as m",
    ),
    (("corpus", "list", "small.corpus", "--pass", "m = live"), "pass: found 'm = live', expected a model or verdict"),
    (("model", "show", "frob"), "model: found 'frob', expected one of unfair, HSA, OBE, LOBE, HSA+OBE, fair, highest"),
    (("model", "show", "live &"), "model 'live &': column 7: found the end, expected a set"),
    (
        ("model", "show", "OBE", "--threads", "9"),
        "threads: found 9, expected at most 8, because models have no tables for more",
    ),
    (
        ("model", "equal", "OBE", "LOBE", "--threads", "9"),
        "threads: found 9, expected at most 8, because models have",
    ),
    (("model", "show", "own.models"), "found 2 models in own.models, expected one model, such as own.models:a"),
    (("model", "equal", "OBE"), "Missing argument 'B'"),
    # corpus export
    (("corpus", "export", "small.corpus", "frob"), "unexpected extra argument(s) (frob)"),
    (("corpus", "export"), "Missing argument 'CORPUS'"),
    (
        ("corpus", "export", "no-such-folder"),
        "no-such-folder: there is no manifest.json in it, expected the folder of a corpus",
    ),
    (("corpus", "export", "others"), "others: there is no manifest.json in it, expected the folder of a corpus"),
    (("corpus", "export", "empty.txt"), "empty.txt: there is no manifest.json in it, expected the folder of a corpus"),
    (("corpus", "export", "small.corpus", "--format", "frob"), "format: found 'frob', expected one of jsonl, text"),
    # corpus info, list, sample, diff, merge, verify
    (("corpus", "info", "others"), "others: there is no manifest.json in it, expected the folder of a corpus"),
    (("corpus", "list", "others"), "others: there is no manifest.json in it, expected the folder of a corpus"),
    (
        ("corpus", "list", "small.corpus", "--pass", "frob"),
        "pass: found 'frob', expected a model or verdict out of HSA",
    ),
    (("corpus", "list", "small.corpus", "--signature", "pf"), "signature: found 'pf', expected 11 letters"),
    (("corpus", "list", "small.corpus", "--bounds", "2by2"), "bounds: found '2by2'"),
    (("corpus", "list", "small.corpus", "--format", "frob"), "found 'frob', expected one of table, jsonl, csv"),
    (("corpus", "list", "small.corpus", "--limit", "-1"), "Invalid value for '--limit'"),
    (("corpus", "list", "damaged.corpus"), "damaged.corpus/tests.jsonl.zst:1: "),
    (("corpus", "sample", "small.corpus"), "Missing option '-n'"),
    (("corpus", "sample", "small.corpus", "-n", "2", "--format", "frob"), "expected one of jsonl, text, ids"),
    (("corpus", "diff", "small.corpus"), "Missing argument 'NEW'"),
    (
        ("corpus", "diff", "small.corpus", "others"),
        "others: there is no manifest.json in it, expected the folder of a corpus",
    ),
    (("corpus", "diff", "small.corpus", "damaged.corpus"), "damaged.corpus/tests.jsonl.zst:1: "),
    (("corpus", "diff", "small.corpus", "later.corpus"), "synth 9.9 wrote it and can read it"),
    (("corpus", "merge", "small.corpus"), "Missing option '--out'"),
    (("corpus", "merge", "small.corpus", "--out", "small.corpus"), "small.corpus: found a corpus, expected a new"),
    (("corpus", "merge", "small.corpus", "--out", "others", "--force"), "others: the folder contains other files"),
    (("corpus", "merge", "small.corpus", "damaged.corpus", "--out", "new"), "damaged.corpus/tests.jsonl.zst:1: "),
    (("corpus", "merge", "small.corpus", "other.corpus", "--out", "new"), "other.corpus: found values: 3; expected 2"),
    (
        ("corpus", "query", "others", "SELECT 1"),
        "others: there is no manifest.json in it, expected the folder of a corpus",
    ),
    (("corpus", "query", "small.corpus", "SELECT 1", "--format", "frob"), "expected one of table, csv, jsonl"),
    (("corpus", "validate", "others"), "others: there is no manifest.json in it, expected the folder of a corpus"),
    (("corpus", "validate", "later.corpus"), "found format 2 of 'progress litmus tests', expected format 1"),
    (
        ("corpus", "export", "small.corpus", "--format", "mustpass"),
        "format mustpass: this format needs the option --model",
    ),
    (
        ("corpus", "export", "small.corpus", "--format", "junit", "--model", "OBE.weka"),
        "found 'OBE.weka' (did you mean OBE.weak?), expected a model or verdict out of unfair, HSA",
    ),
    (("corpus", "export", "small.corpus", "--format", "results", "--table", "t"), "no test has results in 't'"),
    (
        ("corpus", "export", "small.corpus", "--model", "OBE.weak"),
        "format jsonl: leave out --model OBE.weak",
    ),
    (
        ("corpus", "export", "small.corpus", "--out", "empty.txt"),
        "empty.txt: this file exists; give a new name",
    ),
    (("corpus", "export", "small.corpus", "--out", "no/where"), "no/where: No such file or directory, expected a name"),
    (
        ("corpus", "export", "@complete/9x9"),
        "@complete/9x9: no corpus of this name ships with synth, expected one of @complete/2x2",
    ),
    # corpus import
    (("corpus", "import", "two.txt", "--out", "new"), "Missing option '--format'"),
    (("corpus", "import", "two.txt", "--format", "text"), "Missing option '--out'"),
    (
        ("corpus", "import", "two.txt", "--format", "junit", "--out", "new"),
        "found 'junit', expected one of jsonl, text",
    ),
    (
        ("corpus", "import", "no-such-file", "--format", "text", "--out", "new"),
        "no-such-file: No such file or directory",
    ),
    (
        ("corpus", "import", "syntax.txt", "--format", "text", "--out", "new"),
        "syntax.txt:2:21: found 'gato', expected 'goto'",
    ),
    (
        ("corpus", "import", "empty.txt", "--format", "text", "--out", "new"),
        "empty.txt: found no test among 0 programs",
    ),
    (("corpus", "import", "two.txt", "--format", "text", "--out", "others"), "others: the folder contains other files"),
    (("corpus", "import", "two.txt", "--format", "text", "--out", "new", "--without", "frob"), "without: found 'frob'"),
    # emit
    (("emit",), "Missing argument 'TESTS'"),
    (("emit", MUTEX, "--out", "new"), "Missing option '--target'"),
    (("emit", MUTEX, "--target", "cpp"), "Missing option '--out'"),
    *((words, f"{option}: found {EMPTY}, expected ") for option, words in EMPTY_WORDS.items()),
    (("emit", "never", "--target", "ccp", "--out", "new"), "target: found 'ccp' (did you mean cpp?)"),
    (("emit", "no-such-file", "--target", "cpp", "--out", "new"), "no-such-file: there is no such file"),
    (("emit", "never", "--target", "cpp", "--out", "others"), "others: the folder contains other files"),
    (
        ("emit", "never", "--target", "cpp", "--out", "small.corpus", "--force"),
        "small.corpus: the folder contains other files",
    ),
    (
        ("emit", "never", "--target", "cuda", "--mapping", "chunky", "--out", "new"),
        "mapping: found 'chunky' (did you mean chunked?), expected one of plain, round-robin, chunked, hybrid",
    ),
    (
        ("emit", "never", "--target", "cuda", "--mapping", "hybrid:none", "--out", "new"),
        "mapping 'hybrid:none': expected hybrid:K with K from 1 to 65535",
    ),
    (
        ("emit", MUTEX, "--target", "cpp", "--mapping", "chunked", "--instances", "10000", "--out", "new"),
        f"test {MUTEX}: found 20000 workgroups (10000 instances of 2 threads), expected at most 16384",
    ),
    (
        ("emit", "never", "--target", "cpp", "--instances", "2", "--out", "new"),
        "mapping plain: found 2 instances, expected 1; choose another mapping",
    ),
    (
        ("emit", "never", "--target", "cpp", "--stress", "-1", "--out", "new"),
        "stress: found '-1', expected a whole number, or a share of all workgroups between 0 and 1",
    ),
    (("emit", "never", "--target", "cpp", "--per-file", "0", "--out", "new"), "per-file: found 0, expected at least 1"),
]


#: What each call with a wrong word said, without the name of its folder.
SAID = {}


def said(words, ran, folder):
    return transcript(words, ran).replace(str(folder), "HERE")


def everything_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@mostly_full(("words", "told"), WRONG, ids=[" ".join(words) or "(none)" for words, _ in WRONG], quick=14)
def test_a_wrong_word_is_one_line_that_says_so_and_exit_code_2(synth, folder, words, told):
    """And nothing else is printed, written or changed."""
    before = everything_in(folder)
    ran = synth(*words)
    SAID[words] = said(words, ran, folder)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"synth[^\n]*: [^\n]+\n", ran.err)
    assert told in ran.err
    assert everything_in(folder) == before


@pytest.mark.full
def test_every_line_about_a_wrong_word_is_as_in_the_golden_file(synth, folder):
    """What the tests above have heard is not asked again."""
    told = "".join(SAID.get(words) or said(words, synth(*words), folder) for words, _ in WRONG)
    told = re.sub("[0-9a-f]{64}", "CHECKSUM", told)
    told = re.sub("(PySAT's): .*", r"\1: SOLVERS", told)  # they vary from release to release of it
    check_file(GOLDEN / "wrong-words.txt", told)


def test_records_that_turn_out_damaged_half_way_are_told_after_those_that_were_read(synth, folder):
    ran = synth("corpus", "export", "damaged.corpus")
    assert ran.code == 2
    assert re.fullmatch(r"synth: damaged.corpus/tests.jsonl.zst:1: [^\n]+\n", ran.err)
    assert folder.exists()


# --- help ---


def every_command(command=None, words=()):
    command = command or cli.command_line()
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from every_command(below, (*words, name))


COMMANDS = dict(every_command())
every_word = pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "synth")


def test_there_are_all_commands():
    assert {" ".join(words) for words in COMMANDS} == {
        "", "enumerate", "check", "show", "shrink", "suite", "find", "separate", "lattice", "explain", "explore", "lts",
        "emit", "certify", "audit", "crosscheck", "help", "probe", "model", "model list", "model show", "model equal",
        "corpus", "corpus info", "corpus list", "corpus sample", "corpus diff", "corpus merge", "corpus validate",
        "campaign", "campaign plan", "campaign run", "campaign status", "campaign import", "campaign export",
        "device", "device list", "device show", "device health",
        "campaign bundle", "campaign collect", "campaign analyse", "campaign next", "campaign explain",
        "campaign compare", "campaign table",
        "corpus export", "corpus import", "corpus query",
        "job", "job plan", "job start", "job status", "job list", "job stop", "job resume", "job work", "job plot",
        "job gc", "sim", "sim run", "sim list", "sim power", "sim show", "sim replay", "sim attack", "verify", "report",
        "plot", "kernel", "kernel need", "kernel check", "kernel explain", "kernel lts", "kernel record",
        "machine", "machine show", "machine validate", "machine obligations", "machine prove",
        "machine export", "machine animate", "machine replay", "machine compare", "machine run", "machine guarantees",
    }  # fmt: skip


#: The help of each command, which is asked for once.
HELPS = {}


def help_of(synth, words):
    if words not in HELPS:
        HELPS[words] = synth(*words, "--help")
    return HELPS[words]


@pytest.mark.full
@every_word
def test_each_way_to_ask_for_help_gives_the_same(synth, words):
    asked = help_of(synth, words)
    assert asked.code == 0
    assert synth(*words, "-h") == asked
    assert synth("help", *words) == asked


@pytest.mark.parametrize("words", [(), ("corpus",), ("kernel",)], ids=" ".join)
def test_a_group_without_a_command_prints_its_help(synth, words):
    assert synth(*words) == synth(*words, "--help")


def test_each_command_has_a_section_of_the_help(synth):
    told = synth("--help").out
    for section, names in SECTIONS.items():
        _, _, after = told.partition(f"\n{section}:\n")
        assert [line.split()[0] for line in after.partition("\n\n")[0].splitlines()] == list(names)


@mostly_full(("group", "old"), RENAMED, quick=[("corpus", "verify"), ("machine", "check")])
def test_an_old_name_of_a_command_answers_as_the_new_one_does(synth, group, old):
    new = RENAMED[group, old]
    word = {"corpus": "@complete/2x2", "device": "sim", "machine": "@gpu"}[group]
    ran, asked = synth(group, old, word, "--json"), synth(group, new, word, "--json")
    assert ran.err == f"synth: {group} {old} is now {group} {new}; the next release drops the old name\n"
    assert ran.code == asked.code == 0
    assert without_seconds(ran.out) == without_seconds(asked.out)


def without_seconds(text):
    return re.sub(r'"seconds":[^,}]*', "", text)


def test_bounds_may_be_an_argument(synth):
    named = synth("enumerate", "--bounds", "2x2,2x3", "--count-only", "--json")
    for words in (("2x2,2x3",), ("2x2", "2x3")):
        ran = synth("enumerate", *words, "--count-only", "--json")
        answer, expected = json.loads(ran.out), json.loads(named.out)
        assert {**answer, "seconds": 0} == {**expected, "seconds": 0}


FILES_OF_KERNELS = ["check", "show", "shrink", "explain --model fair", "lts", "emit --target cpp --out new", "sim run"]


@pytest.mark.parametrize("command", FILES_OF_KERNELS)
def test_a_command_for_tests_names_those_for_kernels(synth, command):
    from synth_kernels.kernel_file import READERS, TYPED

    for suffix in (TYPED, *READERS):
        ran = synth(*command.split(), f"a scan{suffix}")
        assert (ran.code, ran.out) == (2, "")
        assert f"synth verify 'a scan{suffix}'; to see which progress model it needs: synth kernel need" in ran.err


def test_help_shows_no_type_of_python(synth):
    for words, command in COMMANDS.items():
        told = help_of(synth, words).out
        assert re.search(r"<(str|int|float|path|list|bool)|{[a-z ]+}", told) is None, words
        for param in command.params:
            assert param.param_type_name == "argument" or param.is_flag or param.metavar, words


def test_a_list_of_commands_has_one_whole_line_for_each(synth):
    for words, group in COMMANDS.items():
        lines = help_of(synth, words).out.splitlines()
        for name, command in getattr(group, "commands", {}).items():
            listed = [line.split(maxsplit=1)[1] for line in lines if line.startswith(f"  {name} ")]
            assert listed == [command.get_short_help_str()], (words, name)


OF_KIND = {
    ("enumerate",): ["rules", "models", "engines", "solvers"],
    ("crosscheck",): ["rules", "models", "engines"],
    ("check",): ["models"],
    ("explain",): ["verdicts"],
    ("find",): ["verdicts", "idioms", "finding engines"],
    ("separate",): ["verdicts"],
    ("shrink",): ["verdicts", "rules"],
    ("suite",): ["verdicts", "goals"],
    ("emit",): ["targets", "mappings"],
    ("corpus", "list"): ["verdicts", "idioms"],
    ("corpus", "export"): ["verdicts", "formats"],
    ("corpus", "import"): ["formats read"],
    ("job", "start"): ["rules", "models", "engines", "solvers", "executors", "clusters"],
}


@pytest.mark.parametrize("words", OF_KIND, ids=" ".join)
def test_help_names_all_words_that_an_option_takes(synth, words):
    told = synth(*words, "--help").out
    told = re.sub(r"-\n *", "-", told)  # help breaks lines at hyphens, too
    for kind in OF_KIND[words]:
        for word in KINDS_OF_WORDS[kind]():
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", told), (kind, word)


@every_word
def test_help_is_as_in_the_golden_file_and_has_an_example(synth, words):
    ran = help_of(synth, words)
    assert (ran.code, ran.err) == (0, "")
    assert "Example: synth " in ran.out
    check_file(GOLDEN / f"{'-'.join(('synth', *words))}--help.txt", ran.out)


def example_of(words):
    """The last line of the help of a command."""
    return COMMANDS[words].epilog.splitlines()[-1]


def try_examples(synth, examples, monkeypatch):
    """However slow the machine is, no line of progress comes in between."""
    monkeypatch.setattr("synth.cli.shared.progress_bar._FIRST_S", math.inf)
    for example in examples:
        command, *words = shlex.split(example.removeprefix("Example: "))
        assert command == "synth"
        ran = synth(*words)
        assert (ran.code, ran.err) == (0, ""), example


#: Commands whose examples take long, or need files that others wrote. Their own files have tests of smaller calls.
SLOW = [
    ("certify",),
    ("audit",),
    ("probe",),
    ("device", "health"),
    ("device", "list"),
    ("campaign", "run"),
    ("campaign", "explain"),
    ("verify",),
    ("kernel", "need"),
    ("kernel", "check"),
    ("kernel", "explain"),
    ("kernel", "lts"),
    ("machine", "compare"),
]
#: A program of OpenCL.
LAUNCHES = Path(__file__).parents[1] / "devices" / "launches.c"
#: The campaign of the examples, on few instances.
SMALL_CAMPAIGN = (
    *("campaign", "run", "--device", "sim:strided", "@minimal/2x3"),
    *("--mapping", "chunked", "--instances", "20", "--out"),
)


@pytest.mark.full
def test_the_examples_of_the_help_work(synth, tmp_path, monkeypatch):
    """In the order of the commands: the corpus that one exports another has made, but for one of them."""
    others.lay(tmp_path)
    synth("enumerate", "--bounds", "2x3")
    for campaign in ("sim.campaign", "old.campaign", "new.campaign"):
        synth(*SMALL_CAMPAIGN, campaign)
    slow = set(map(example_of, [*SLOW, ("kernel", "record")]))
    quick = [example for example in dict.fromkeys(map(example_of, COMMANDS)) if example not in slow]
    try_examples(synth, quick, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("words", SLOW, ids=" ".join)
def test_a_slow_example_works(synth, words, tmp_path, monkeypatch):
    others.lay(tmp_path)
    synth("enumerate", "--bounds", "3x4")
    if words == ("audit",):
        synth("certify", "3x4.corpus", "--out", "3x4.certificate")
    if words == ("campaign", "explain"):
        synth(*SMALL_CAMPAIGN, "sim.campaign")
    if words == ("machine", "compare"):
        rodin_projects.lay(tmp_path / "project")
    try_examples(synth, [example_of(words)], monkeypatch)


@pytest.mark.full
def test_the_example_of_kernel_record_works(synth, tmp_path):
    """Standard output is the program's own, so the command tells the rest on standard error."""
    subprocess.run(["cc", "-o", tmp_path / "program", LAUNCHES, "-lOpenCL"], check=True)
    ran = synth(*shlex.split(example_of(("kernel", "record")))[2:])
    assert (ran.code, ran.err[:12]) == (0, "launches: 4;")


def test_every_option_says_what_it_is():
    options = [(words, option) for words, command in COMMANDS.items() for option in command.params]
    assert [
        (words, option.name)
        for words, option in options
        if not hasattr(COMMANDS[words], "commands") and option.name != "help" and not option.help
    ] == []


def test_the_version_is_that_of_the_package(synth):
    from importlib.metadata import version

    assert synth("--version") == (0, f"synth {version('progress-synth')}\n", "")


# --- check ---


def verdicts_of(ran):
    return [json.loads(line)["verdicts"] for line in ran.out.splitlines()]


ALL = {"unfair": "fail", "HSA.weak": "fail", "HSA.strong": "fail"} | {
    f"{model}.{form}": "pass" for model in ("OBE", "LOBE", "HSA+OBE", "fair") for form in ("weak", "strong")
}


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ((), list(ALL)),
        (("--model", "fair.weak"), ["fair.weak"]),
        (("--model", "OBE"), ["OBE.weak", "OBE.strong"]),
        (("--model", "fair,HSA.strong", "--model", "unfair"), ["unfair", "HSA.strong", "fair.weak", "fair.strong"]),
    ],
)
def test_check_as_json_gives_the_verdicts_asked_for_in_their_order(synth, words, asked):
    ran = synth("check", MUTEX, "--json", *words)
    (record,) = map(json.loads, ran.out.splitlines())
    assert list(record) == ["id", "threads", "verdicts", "name", "test", "breaks"]
    assert (record["id"], record["name"], record["test"], record["breaks"]) == (MUTEX, None, True, [])
    assert list(record["verdicts"].items()) == [(name, ALL[name]) for name in asked]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 0),
        (("--model", "OBE"), 0),
        (("--model", "OBE", "--expect", "pass"), 0),
        (("--model", "OBE", "--expect", "fail"), 1),
        (("--model", "HSA"), 1),
        (("--model", "HSA", "--expect", "fail"), 0),
        (("--model", "HSA", "--expect", "pass"), 1),
        (("--model", "HSA,OBE"), 1),
        (("--model", "HSA,OBE", "--expect", "fail"), 1),
        (("--expect", "pass"), 1),
        (("--expect", "fail"), 1),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_check_leaves_with_1_unless_the_verdicts_asked_for_are_as_expected(synth, words, code, form):
    """The mutex fails unfair and HSA and passes the others."""
    ran = synth("check", MUTEX, *words, *form)
    assert (ran.code, ran.err) == (code, "")
    assert ran.out


@pytest.mark.parametrize(("expect", "code"), [("pass", 1), ("fail", 1)])
def test_check_looks_at_every_program(synth, tmp_path, expect, code):
    """Under OBE the mutex passes; the first of the two waits for a thread that need not have started."""
    (tmp_path / "two.txt").write_text(text_of(SPINNER, MUTEX))
    ran = synth("check", "two.txt", "--model", "OBE.weak", "--expect", expect, "--json")
    assert verdicts_of(ran) == [{"OBE.weak": "fail"}, {"OBE.weak": "pass"}]
    assert ran.code == code


def test_check_takes_text_records_ids_corpora_and_standard_input_alike(synth, tmp_path):
    (tmp_path / "mutex.txt").write_text(text_of(MUTEX))
    as_json = synth("check", MUTEX, "--json").out
    (tmp_path / "mutex.jsonl").write_text(as_json)
    assert synth("check", "mutex.txt", "--json").out == as_json
    assert synth("check", "mutex.jsonl", "--json").out == as_json
    assert synth("check", "-", "--json", stdin=text_of(MUTEX)).out == as_json
    assert synth("check", "-", "--json", stdin=as_json).out == as_json
    corpora.write(tmp_path / "some.corpus", corpora.some(5))
    assert len(synth("check", "some.corpus", "--json").out.splitlines()) == 5


def test_check_judges_the_program_given_and_shows_its_normal_form(synth, unusual):
    ran = synth("check", "-", "--json", stdin=unusual)
    record = json.loads(ran.out)
    assert (record["id"], record["name"]) == (MUTEX, "a mutex, unusual")
    assert (record["test"], record["breaks"]) == (False, ["meaningful-comparisons"])
    assert record["verdicts"] == ALL
    assert record["normal_form"] == {"breaks": [], "verdicts": ALL}


def test_what_check_prints_can_be_read_back(synth):
    printed = synth("check", MUTEX).out
    program = printed[printed.index("THREAD 0") : printed.index("A test.")]
    assert [program.program for program in read_programs(program)] == [program_of_id(MUTEX)]


# --- show ---


def test_show_as_json_says_what_check_says_and_how_the_test_is_called(synth):
    shown, checked = (json.loads(synth(command, MUTEX, "--json").out) for command in ("show", "check"))
    more = {"called": "mutex-strong-sugar", "idiom": "mutex", "contains": ["simplified-mutex"]}
    assert list(shown.items()) == list((checked | more).items())


# --- corpus export ---


@pytest.mark.full
def test_export_gives_the_records_and_the_programs_of_a_corpus(synth):
    records = synth("enumerate", "--bounds", "2x3", "--out", "-").out
    assert synth("enumerate", "--bounds", "2x3").code == 0
    assert synth("corpus", "export", "2x3.corpus") == (0, records, "")
    ran = synth("corpus", "export", "2x3.corpus", "--format", "text")
    assert (ran.code, ran.err) == (0, "")
    ids = [json.loads(line)["id"] for line in records.splitlines()]
    assert [program.name for program in read_programs(ran.out)] == ids
    checked = synth("check", "-", "--json", stdin=ran.out)
    assert [json.loads(line)["id"] for line in checked.out.splitlines()] == ids


# --- emit ---


def test_the_help_of_emit_names_all_targets_and_mappings(synth):
    shown = " ".join(synth("emit", "--help").out.split())
    assert f"The kind of program to write: {', '.join(TARGETS)}." in shown
    named = re.search(r"runs which thread: ([\w:, -]+)\.", shown)[1].split(", ")
    assert [word.partition(":")[::2] for word in named] == [(kind, KINDS[kind].parameter or "") for kind in KINDS]


def test_emit_writes_each_test_once_and_says_where(synth, tmp_path):
    (tmp_path / "two.txt").write_text(text_of(SPINNER, MUTEX))
    ran = synth("emit", "--target", "cpp", MUTEX, "two.txt", "--out", "made")
    assert ran == (0, "2 tests in made; its README.md says how to build and run\n", "")
    assert {path.name for path in (tmp_path / "made").glob("*.cpp")} == {f"test-{i}.cpp" for i in (MUTEX, SPINNER)}
    assert synth("emit", "--target", "cpp", MUTEX, "--out", "made").code == 2
    assert synth("emit", "--target", "cpp", MUTEX, "--out", "made", "--force").code == 0
    assert [path.name for path in (tmp_path / "made").glob("*.cpp")] == [f"test-{MUTEX}.cpp"]


# --- what should not happen ---


def failing_with(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("synth_litmus.facts.program_facts.check_programs", fail)


def test_a_defect_keeps_its_traceback_and_leaves_with_70(synth, monkeypatch):
    """1 would be an answer."""
    failing_with(monkeypatch, ValueError("a defect"))
    ran = synth("check", MUTEX)
    assert (ran.code, ran.out) == (70, "")
    assert ran.err.startswith("Traceback ")
    assert ran.err.splitlines()[-2:] == [
        "ValueError: a defect",
        "synth: this is a defect of synth; please report it with the lines above",
    ]


def test_no_memory_is_one_line_and_exit_code_3(synth, monkeypatch):
    failing_with(monkeypatch, MemoryError())
    assert synth("check", MUTEX) == (
        3,
        "",
        "synth: out of memory; use smaller bounds or a machine with more memory\n",
    )


def test_ctrl_c_leaves_with_130_and_no_traceback(synth, monkeypatch):
    failing_with(monkeypatch, KeyboardInterrupt())
    ran = synth("check", MUTEX)
    assert (ran.code, ran.out) == (130, "")
    assert len(ran.err.splitlines()) <= 1
