"""Compare what each command prints, in every form, with golden files: a session for each command.

`SYNTH_PROMOTE=1 pytest tests/synth/test_sessions.py` writes them again. Help texts and messages about wrong words have
golden files of their own, see test_cli.py.
"""

import json
import math
import re
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import own_models
from documents import commands, shown
from golden import check_file, transcript
from quick import mostly_full
from synth_checker.models import library, models_named, verdict_names
from synth_checker.models.expression import parse
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter
from synth_corpus.store import Corpus, write_corpus
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save
from synth_workers.stop import Stop

GOLDEN = Path(__file__).parent / "golden"
README = Path(__file__).parents[2] / "README.md"
MUTEX = "01100002-01100002"
SESSIONS = {
    "check": [
        ("check", "programs.txt"),
        ("check", "programs.txt", "--json"),
        ("check", "programs.txt", "--model", "HSA,OBE.weak"),
        ("check", "programs.txt", "--model", "OBE.weak", "--json"),
        ("check", MUTEX, "--model", "OBE"),
        ("check", MUTEX, "--model", "HSA", "--expect", "fail"),
        ("check", MUTEX, "--expect", "pass"),
        ("check", MUTEX, "--model", "HSA,fair.weak", "--certify"),
        ("check", MUTEX, "--certify", "--json"),
        ("check", "2x2.corpus", "--model", "unfair"),
    ],
    "show": [
        ("show", MUTEX),
        ("show", MUTEX, "--json"),
        ("show", "unusual.txt"),
        ("show", "unusual.txt", "--json"),
        ("show", "00_0"),
    ],
    "shrink": [
        ("shrink", MUTEX),
        ("shrink", MUTEX, "--json"),
        ("shrink", MUTEX, "--keep", "OBE.strong=pass,HSA.strong=fail", "--model", "OBE,HSA"),
        ("shrink", "unusual.txt"),
        ("shrink", "unusual.txt", "--without", "meaningful-comparisons"),
        ("shrink", "00_0-0011"),
        ("shrink", "00_0-0011", "--keep", "HSA=pass"),
        ("shrink", "00_0", "--json"),
    ],
    "suite": [
        ("suite", "--model", "OBE.weak", "--from", "@complete/2x3"),
        ("suite", "--model", "LOBE.strong", "--from", "@complete/2x2,@complete/3x3", "--out", "suite.jsonl"),
        ("check", "suite.jsonl", "--model", "LOBE.strong"),
        ("suite", "--model", "LOBE.strong", "--from", "@complete/2x2,@complete/3x3", "--json"),
        (
            "suite",
            "--model",
            "fair.weak",
            "--cover",
            "mutants,idioms,signatures",
            "--size",
            "3",
            "--from",
            "2x2.corpus",
        ),
    ],
    "find": [
        ("find", "--pass", "OBE.strong", "--fail", "HSA.strong,fair.weak"),
        ("find", "--pass", "fair", "--fail", "HSA,OBE", "--bounds", "2x2", "--json"),
        ("find", "--pass", "OBE.strong", "--fail", "HSA.strong,fair.weak", "--bounds", "3x6"),
        (
            "find",
            "--pass",
            "OBE.weak",
            "--fail",
            "HSA",
            "--contains",
            "mutex",
            "--bounds",
            "2x2..2x5",
            "--thread-symmetric",
        ),
        (
            "find",
            "--pass",
            "mine.strong = live - stepped",
            "--fail",
            "OBE,mine.weak = live - stepped",
            "--bounds",
            "2x3",
        ),
        ("find", "--pass", "HSA.weak", "--fail", "OBE", "--bounds", "2x2,2x3", "--all", "--no-exchange-branches"),
        ("find", "--pass", "OBE.weak", "--fail", "fair.strong", "--bounds", "2x2..4x8"),
        ("find", "--pass", "OBE.strong", "--fail", "HSA.strong,fair.weak", "--bounds", "2x2,2x3"),
        (
            "find",
            "--contains",
            "producer-consumer-increasing",
            "--uses",
            "1",
            "--bounds",
            "2x3",
            "--all",
            "--silent-thread",
        ),
        ("find", "--pass", "HSA", "--fail", "LOBE.weak", "--bounds", "2x2"),
        ("find", "--fail", "unfair", "--bounds", "2x2", "--all", "--out", "found.jsonl"),
        ("find", "--fail", "fair.weak", "--bounds", "2x2,2x3", "--memory", "1K"),
    ],
    "separate": [
        ("separate", "HSA.weak", "OBE.weak"),
        ("separate", "mine.weak = live & (stepped | lowest(live - stepped))", "HSA+OBE.weak"),
        ("separate", "OBE.weak", "fair.weak", "--json"),
        ("separate", "HSA+OBE.strong", "LOBE.strong", "--bounds", "2x2..2x3"),
    ],
    "lattice": [
        ("lattice",),
        ("lattice", "--model", "LOBE,HSA+OBE", "--bounds", "2x2"),
        ("lattice", "--model", "OBE,fair", "--format", "json"),
        ("lattice", "--bounds", "2x2", "--format", "dot", "--model", "HSA,LOBE,HSA+OBE"),
        ("lattice", "--format", "dot", "--out", "order.dot"),
    ],
    "explain": [
        ("explain", MUTEX, "--model", "HSA.weak"),
        ("explain", MUTEX, "--model", "HSA.strong", "--json"),
        ("explain", MUTEX, "--model", "OBE.weak"),
        ("explain", MUTEX, "--model", "OBE.strong"),
        ("explain", "unusual.txt", "--model", "unfair"),
        ("explain", "unusual.txt", "--model", "LOBE.weak", "--json"),
        ("explain", "00_0-0011", "--model", "LOBE.strong"),
        ("explain", "0010-0100", "--model", "fair.weak"),
        ("explain", "0010-0100", "--model", "fair.strong"),
        ("explain", "00_0-00_0-0011", "--model", "HSA+OBE.weak"),
        ("explain", "00_0", "--model", "fair.strong"),
        ("explain", "0011", "--model", "unfair"),
    ],
    "model": [
        ("model", "list"),
        ("model", "list", "--json"),
        ("model", "show", "LOBE"),
        ("model", "show", "mine = live & (stepped | lowest(live - stepped))"),
        ("model", "show", "own.models:resident", "--threads", "2"),
        ("model", "show", "own.models:last", "--threads", "1", "--json"),
        ("model", "equal", "LOBE", "live & upto(stepped)"),
        ("model", "equal", "own.models:resident", "OBE"),
        ("model", "equal", "own.models:resident", "OBE", "--json"),
        ("model", "equal", "OBE", "OBE", "--threads", "2", "--json"),
    ],
    "own-models": [
        ("check", MUTEX, "--model", "own.models,OBE.weak", "--certify"),
        ("check", MUTEX, "--model", "mine.strong = live & (stepped | lowest(live - stepped))", "--json"),
        ("explain", "00_0-0011", "--model", "own.models:resident.weak"),
        ("explain", "0010-0100", "--model", "own.models:last.weak"),
        ("explain", "0010-0100", "--model", "own.models:last.strong"),
        ("explain", MUTEX, "--model", "own.models:resident.strong"),
        ("lts", MUTEX, "--model", "own.models:resident.weak", "--format", "aut"),
        ("shrink", MUTEX, "--model", "own.models:resident,HSA", "--keep", "resident=pass"),
        ("suite", "--model", "own.models:resident.weak", "--from", "@complete/2x3"),
        ("suite", "--model", "mine.weak = live & (stepped | lowest(live - stepped))", "--from", "@complete/2x3"),
        ("enumerate", "--bounds", "2x2", "--model", "own.models,HSA"),
        ("corpus", "list", "2x2-models-HSA,last,resident.corpus", "--pass", "resident", "--fail", "HSA.weak"),
        ("corpus", "validate", "2x2-models-HSA,last,resident.corpus"),
        ("enumerate", "--bounds", "2x2", "--model", "HSA,last = live,resident = live"),
        ("enumerate", "--bounds", "2x2", "--model", "HSA,last = live,resident = live", "--out", "other.corpus"),
        ("corpus", "diff", "2x2-models-HSA,last,resident.corpus", "other.corpus", "--limit", "1"),
        ("corpus", "merge", "2x2-models-HSA,last,resident.corpus", "other.corpus", "--out", "new.corpus"),
    ],
    "lts": [
        ("lts", MUTEX),
        ("lts", MUTEX, "--model", "OBE"),
        ("lts", "0010-0100", "--model", "fair"),
        ("lts", "unusual.txt", "--model", "HSA.strong"),
        ("lts", MUTEX, "--format", "aut"),
        ("lts", MUTEX, "--format", "aut", "--model", "OBE"),
        ("lts", MUTEX, "--format", "json"),
        ("lts", "unusual.txt", "--format", "json", "--model", "HSA"),
        ("lts", MUTEX, "--format", "aut", "--out", "mutex.aut"),
    ],
    "enumerate": [
        ("enumerate", "--bounds", "2x3"),
        ("enumerate", "--bounds", "2x3"),
        ("enumerate", "--bounds", "2x2", "--json", "--jobs", "1"),
        ("enumerate", "--bounds", "2x2", "--out", "-", "--model", "OBE,fair"),
        ("enumerate", "--bounds", "2x2", "--out", "-", "--json"),
        ("enumerate", "--bounds", "2x2..3x3", "--count-only", "--up-to", "threads"),
        ("enumerate", "--bounds", "2x2..3x3", "--up-to", "threads", "--model", "OBE,fair"),
        ("enumerate", "--bounds", "2x2", "--count-only", "--json"),
        ("enumerate", "--bounds", "2x2", "--count-only", "--expect", "7"),
        ("enumerate", "--bounds", "1x2", "--count-only"),
        ("enumerate", "--bounds", "2x4", "--count-only", "--memory", "1K"),
        ("enumerate", "--bounds", "2x4", "--memory", "1K"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus", "--without", "all-branches"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus"),
    ],
    "enumerate-minimal": [
        ("enumerate", "--bounds", "2x2,2x3", "--minimal"),
        ("enumerate", "--bounds", "2x2", "--minimal", "--model", "OBE", "--out", "-"),
        ("enumerate", "--bounds", "2x4", "--minimal", "--unique-behaviour", "--count-only", "--expect", "192"),
        ("enumerate", "--bounds", "2x3", "--unique-behaviour", "--count-only", "--json"),
        ("corpus", "info", "2x2,2x3-minimal.corpus"),
        ("corpus", "validate", "2x2,2x3-minimal.corpus"),
        ("corpus", "diff", "@complete/2x3", "@minimal/2x3", "--limit", "1"),
        ("corpus", "merge", "@complete/2x2", "@minimal/2x3", "--out", "both.corpus"),
        ("certify", "@minimal/2x2", "--out", "2x2.certificate"),
    ],
    "crosscheck": [
        ("crosscheck", "--bounds", "2x2,2x3"),
        ("crosscheck", "--bounds", "2x2", "--json"),
        ("crosscheck", "--bounds", "2x4", "--engine", "explicit", "--engine", "sat", "--model", "fair"),
        ("crosscheck", "--bounds", "2x2", "--engine", "sat,explicit", "--all-verdicts", "--values", "1"),
        ("crosscheck", "--bounds", "2x2", "--memory", "1K"),
    ],
    "corpus": [
        ("corpus", "export", "2x2.corpus"),
        ("corpus", "export", "2x2.corpus", "--format", "text"),
        ("corpus", "export", "part.corpus"),
    ],
    "corpus-info": [
        ("corpus", "info", "2x2.corpus"),
        ("corpus", "info", "part.corpus"),
        ("corpus", "info", "2x2.corpus", "--json"),
    ],
    "corpus-list": [
        ("corpus", "list", "2x2.corpus"),
        ("corpus", "list", "2x2.corpus", "--pass", "HSA.weak,fair", "--limit", "2"),
        ("corpus", "list", "2x2.corpus", "--fail", "fair.weak", "--model", "HSA,fair.weak", "--format", "csv"),
        (
            "corpus",
            "list",
            "2x2.corpus",
            "--signature",
            "f..f.......",
            "--id",
            "0010",
            "--format",
            "csv",
            "--limit",
            "2",
        ),
        ("corpus", "list", "named.corpus", "--alias", "2t_2i/3"),
        ("corpus", "list", "named.corpus", "--bounds", "2x2", "--idiom", "dining-philosophers", "--format", "jsonl"),
        ("corpus", "list", "2x2.corpus", "--idiom", "mutx"),
        ("corpus", "list", "2x2.corpus", "--bounds", "3x3"),
        ("corpus", "list", "part.corpus"),
    ],
    "corpus-sample": [
        ("corpus", "sample", "2x3.corpus", "-n", "6", "--seed", "1", "--format", "ids"),
        ("corpus", "sample", "2x3.corpus", "-n", "2", "--format", "text"),
        ("corpus", "sample", "2x2.corpus", "-n", "1", "--seed", "7"),
    ],
    "corpus-query": [
        (
            "corpus",
            "query",
            "2x3.corpus",
            "SELECT threads, signature, count(*) AS n FROM tests GROUP BY ALL ORDER BY n, 2",
        ),
        ("corpus", "query", "2x2.corpus", 'SELECT id, "HSA.weak" FROM tests ORDER BY id LIMIT 2', "--format", "csv"),
        ("corpus", "query", "2x2.corpus", "SELECT max(id) AS last FROM tests", "--format", "jsonl"),
    ],
    "corpus-diff-rules": [
        ("corpus", "diff", "2x3.corpus", "rules.corpus"),
        ("corpus", "diff", "rules.corpus", "2x3.corpus", "--exit-code", "--all"),
        ("corpus", "diff", "rules.corpus", "2x3.corpus", "--json"),
    ],
    "corpus-diff-models": [
        ("corpus", "diff", "2x2.corpus", "model.corpus", "--all"),
        ("corpus", "diff", "2x2.corpus", "model.corpus", "--json", "--exit-code"),
    ],
    "corpus-diff-bounds": [
        ("corpus", "diff", "2x2.corpus", "2x3.corpus", "--limit", "1"),
        ("corpus", "diff", "2x3.corpus", "2x2.corpus", "--limit", "0"),
    ],
    "corpus-diff": [
        ("corpus", "diff", "2x2.corpus", "2x2.corpus", "--exit-code"),
        ("corpus", "diff", "2x2.corpus", "named.corpus", "--exit-code"),
        ("corpus", "diff", "2x2.corpus", "part.corpus", "--limit", "1"),
    ],
    "corpus-merge": [
        ("corpus", "merge", "2x2.corpus", "2x3.corpus", "--out", "both of them, größer"),
        ("corpus", "validate", "both of them, größer"),
        ("corpus", "diff", "2x2.corpus", "both of them, größer", "--limit", "0"),
        ("corpus", "merge", "2x2.corpus", "2x3.corpus", "--out", "both of them, größer"),
        ("corpus", "merge", "2x2.corpus", "rules.corpus", "--out", "new.corpus"),
        ("corpus", "merge", "2x2.corpus", "wrong.corpus", "--out", "new.corpus"),
        ("corpus", "merge", "2x2.corpus", "named.corpus", "--out", "both of them, größer", "--force", "--json"),
    ],
    "corpus-validate": [
        ("corpus", "validate", "2x2.corpus"),
        ("corpus", "validate", "part.corpus"),
        ("corpus", "validate", "wrong.corpus"),
        ("corpus", "validate", "wrong.corpus", "--limit", "1"),
        ("corpus", "validate", "wrong.corpus", "--json"),
    ],
    "emit": [
        ("emit", MUTEX, "--target", "cpp", "--out", "made"),
        ("emit", "programs.txt", "--target", "cpp", "--out", "made"),
        ("emit", "programs.txt", "2x2.corpus", "--target", "cpp", "--out", "made", "--force"),
        (
            "emit",
            "2x2.corpus",
            "--target",
            "opencl",
            "--mapping",
            "hybrid:1",
            "--instances",
            "50",
            "--stress",
            "4",
            "--per-file",
            "3",
            "--out",
            "kernels",
        ),
    ],
}


@pytest.fixture(scope="module")
def laid(tmp_path_factory, unusual):
    """What all sessions are about, and what only those of corpora are about: made once, in two folders."""
    folder, corpora = (tmp_path_factory.mktemp(name) for name in ("all", "corpora"))
    (folder / "unusual.txt").write_text(unusual)
    (folder / "programs.txt").write_text(
        "\n".join((unusual, write_program(program_of_id("00_0-0011")), write_program(program_of_id("00_0"), "alone")))
    )
    (folder / "own.models").write_text(own_models.TEXT)
    question = Question(parse_bounds(["2x2"]))
    save(enumerate_tests(question, jobs=1), folder / "2x2.corpus")
    with Stop(memory=1) as stop:  # nothing at all has been found
        save(enumerate_tests(question, jobs=1, stop=stop), folder / "part.corpus")
    lay_variants(corpora, Corpus(folder / "2x2.corpus"))
    return folder, corpora


@pytest.fixture
def folder(tmp_path, laid, command):
    """A copy of what a session is about; the synth fixture makes it the current folder."""
    for made in laid if command.startswith("corpus-") else laid[:1]:
        shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def lay_variants(folder, whole):
    """Others to compare: of 2x3, and of 2x2 with aliases, with another HSA, and with a wrong verdict."""
    question = Question(parse_bounds(["2x3"]))
    for name, asked in (("2x3.corpus", question), ("rules.corpus", replace(question, without=("effective-stores",)))):
        save(enumerate_tests(asked, jobs=1), folder / name)
    lines = list(whole.lines())

    def lay(name, changed, **more):
        write_corpus(folder / name, map(str.encode, changed), replace(whole.manifest, **more))

    named = [with_more(line[:-1].encode(), {"aliases": [f"2t_2i/{k}"]}).decode() + "\n" for k, line in enumerate(lines)]
    named[0] = named[0].replace('"aliases"', '"idiom":"spin","aliases"')
    lay("named.corpus", named)
    definition = "live - (live - lowest(live)) - stepped"
    model = replace(models_named(["HSA"])[0], definition=definition, fair=parse(definition, "HSA"))
    models = tuple(model if each.name == "HSA" else each for each in library())
    ids = [json.loads(line)["id"] for line in lines]
    judged = list(map(RecordWriter(verdict_names(models)).line, ids, judge(ids, models)))
    lay("model.corpus", judged, models={each.name: each.definition for each in models})
    lay("wrong.corpus", [lines[0].replace('"HSA.weak":"fail"', '"HSA.weak":"pass"'), *lines[1:]])


def steady(text):
    """Without what differs from run to run and from machine to machine."""
    text = re.sub(r"(?m)^(seconds|finished|host|tool): .*", r"\1: ...", text)
    text = re.sub(r'"run": \{\n.*?\n  \}', '"run": {...}', text, flags=re.DOTALL)
    text = re.sub(r"[0-9.]+ s, [0-9,]+ tests/s", "SECONDS s, RATE tests/s", text)
    text = re.sub(r", [0-9.]+ s$", ", SECONDS s", text, flags=re.MULTILINE)
    text = re.sub(r'"seconds": [0-9.]+', '"seconds": SECONDS', text)
    return re.sub(r'"run": \{[^}]*\}', '"run": {...}', text)


#: A command, and what a shell does with its output and exit code.
PIPE = re.compile(r"synth ((?:'[^']*'|[^'|;&])*)(.*)")


@pytest.mark.full
def test_the_readme_shows_what_commands_print(synth, monkeypatch, tmp_path):
    """Those of synth, without a process for each; workspace/test_readme.py runs all of them as a user does.

    No line of progress comes in between, however slow the machine is.
    """
    monkeypatch.setattr("synth.cli.shared.progress_bar._FIRST_S", math.inf)
    tried = 0
    for command, expected in commands(README, tmp_path):
        if found := PIPE.fullmatch(command):
            monkeypatch.setenv("COLUMNS", "80")
            words, pipe = found.groups()
            ran = synth(*shlex.split(words))
            assert ran.err == ""
            script = f"(cat; exit {ran.code}){pipe}"
            piped = subprocess.run(["bash", "-c", script], input=ran.out, stdout=subprocess.PIPE, text=True)
            assert shown(piped.stdout) == shown(expected), command
            tried += 1
    assert tried == 2


#: Sessions that take a second or more.
LONG = {"crosscheck", "suite", "own-models", "lattice"}


@pytest.mark.full
@mostly_full(
    "command",
    [pytest.param(name, marks=pytest.mark.full) if name in LONG else name for name in SESSIONS],
    quick=2,
)
@pytest.mark.usefixtures("folder")
def test_a_session_is_as_in_its_golden_file(synth, command):
    session = "\n".join(transcript(words, synth(*words)) for words in SESSIONS[command])
    check_file(GOLDEN / f"session-{command}.txt", steady(session))
