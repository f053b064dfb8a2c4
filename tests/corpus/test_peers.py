"""Test that exports for CADP and Dartagnan agree with the definitions; the tools themselves do not run here.

A reader runs the LNT text step by step, and evaluates the MCL formulas over the result. It shares only the text with
the exporter.
"""

import csv
import itertools
import os
import re
import subprocess

import pytest

from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.models import library
from synth_checker.models.expression import evaluate
from synth_corpus.formats import FORMATS, Export, cadp
from synth_corpus.formats.format import export_of
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus

CHOICE = re.compile(r"only if (.*?) then\s+STEP \((.*?)\);\s+(.*?);\s+(s\d) := true\s+end if", re.DOTALL)
BRANCH = re.compile(r"if (.*?) then (.*?) else (.*?) end if")


def value(text, variables):
    """Of an expression of LNT or MCL, which but for two words and the sign of equality are Python's."""
    words = re.sub(r"\b(true|false)\b", lambda word: word[0].title(), text.replace(" = ", " == "))
    return eval(words, {}, dict(variables))  # noqa: S307  (our own texts)


class Lnt:
    """A text of an LNT module, read: its start, and the actions that each state has."""

    def __init__(self, text):
        start = re.search(r"Bool in\n(.*?);\n\s+loop", text, re.DOTALL)[1]
        self.start = {}
        self.assign(start, self.start)
        self.names = list(self.start)
        self.choices = CHOICE.findall(text)
        assert len(self.choices) == text.count("STEP (")

    def assign(self, text, variables):
        for part in text.split(";"):
            name, assigned = part.split(":=")
            variables[name.strip()] = value(assigned.strip(), variables)

    def run(self, state):
        """The steps from a state: the offers of the action, and the state behind it."""
        for condition, offers, effects, stepped in self.choices:
            variables = dict(zip(self.names, state, strict=True))
            if not value(condition, variables):
                continue
            action = value(f"[{offers}]", variables)
            branch = BRANCH.match(effects)
            done = (
                effects if branch is None else branch[2 if value(branch[1], variables) else 3] + effects[branch.end() :]
            )
            self.assign(f"{done}; {stepped} := true", variables)
            yield action, tuple(variables[name] for name in self.names)

    def transitions(self):
        found, todo = {}, [tuple(self.start.values())]
        while todo:
            state = todo.pop()
            if state not in found:
                found[state] = list(self.run(state))
                todo += [after for _, after in found[state]]
        return found


def holds(formula, transitions):
    """Whether a formula of ours holds: of one of its two shapes, over a finite set of transitions."""
    conditions = re.findall(r"STEP (.*?) where (.*?)\}", formula)
    names = [re.findall(r"\?(\w+):", offers) for offers, _ in conditions]

    def matches(which, action):
        return value(conditions[which][1], zip(names[which], action, strict=True))

    if "nu X" in formula:
        kept = set(transitions)
        while True:
            left = {
                state
                for state in kept
                if any(after in kept for _, after in transitions[state])
                and all(after in kept for action, after in transitions[state] if matches(0, action))
            }
            if left == kept:
                return bool(kept)
            kept = left
    return any(
        all(any(matches(which, action) for action in inside) for which in range(len(conditions)))
        for inside in components(transitions)
    )


def components(transitions):
    """The actions inside each strongly connected set that has any, by plain reachability."""
    reached = {}
    for state in transitions:
        seen, todo = set(), [state]
        while todo:
            for _, after in transitions[todo.pop()]:
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        reached[state] = seen
    for state in transitions:
        if state in reached[state]:
            same = {other for other in reached[state] if state in reached[other]}
            yield [action for state in same for action, after in transitions[state] if after in same]


@mostly_full(
    "name", ["@complete/2x2", "@minimal/2x3", "@minimal/3x3", pytest.param("@complete/2x3", marks=pytest.mark.full)]
)
def test_what_cadp_is_asked_has_the_verdicts_of_the_core(name, tmp_path):
    FORMATS["cadp"].put(export_of(Corpus(locate_corpus(name))), tmp_path / "out", force=False)
    with (tmp_path / "out" / "expected.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11 * Corpus(locate_corpus(name)).manifest.tests
    for test, group in itertools.groupby(rows, lambda row: row["test"]):
        transitions = Lnt((tmp_path / "out" / f"{test}.lnt").read_text()).transitions()
        for row in group:
            formula = (tmp_path / "out" / f"{row['threads']}-{row['verdict']}.mcl").read_text()
            assert str(holds(formula, transitions)).upper() == row["formula"], (row["id"], row["verdict"])


@pytest.mark.full
def test_the_script_asks_about_every_line_whatever_cadp_does_with_its_input(tmp_path):
    FORMATS["cadp"].put(export_of(Corpus(locate_corpus("@complete/2x2"))), tmp_path / "out", force=False)
    cadp_says_yes = tmp_path / "lnt.open"
    cadp_says_yes.write_text("#!/bin/sh\ncat >/dev/null\necho TRUE\n")
    cadp_says_yes.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", tmp_path / "out" / "run.sh"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = (tmp_path / "out" / "expected.csv").read_text().splitlines()
    assert ran.stdout.splitlines() == [f"{line} but found TRUE" for line in expected if line.endswith(",FALSE")]
    assert ran.stdout


def test_a_thread_is_in_the_fair_set_of_a_formula_if_it_is_in_that_of_the_model():
    for model, threads in itertools.product(library(), (1, 2, 3)):
        for live, stepped in itertools.product(range(1 << threads), repeat=2):
            named = {f"l{k}": bool(live >> k & 1) for k in range(threads)}
            named |= {f"s{k}": bool(stepped >> k & 1) for k in range(threads)}
            wanted = evaluate(model.fair, live=live, stepped=stepped, everyone=(1 << threads) - 1)
            for k in range(threads):
                assert value(cadp.member(model.fair, k, threads), named) == bool(wanted >> k & 1)


def test_a_model_that_is_no_set_expression_is_refused(tmp_path):
    line = b'{"id":"0010-00_0","threads":[[]],"verdicts":{"most.weak":"pass","most.strong":"pass"}}'
    machine = "automaton\nstate s\nfair live"
    made = Export(lambda: iter([line]), ("most.weak", "most.strong"), models={"most": machine})
    with pytest.raises(InputError, match=r"model"):
        FORMATS["cadp"].put(made, tmp_path / "out", force=False)
    assert not (tmp_path / "out").exists()


def interpret(text):
    """A litmus test of Dartagnan's, read back as threads of (loc, check, exch, target)."""
    rows = text[text.index("}\n") + 2 : text.index("exists")].splitlines()
    columns = zip(*([cell.strip() for cell in row.rstrip(" ;").split("|")] for row in rows[1:]), strict=True)
    threads = []
    for column in columns:
        words = [cell for cell in column if cell]
        labels = [word[:-1] for word in words if word.endswith(":")]
        thread, pending = [], None
        for word in words:
            kind, *operands = re.split(r",? +", word)
            if kind.startswith("st."):
                thread.append((int(operands[0][3:]), 0, int(operands[1]), len(thread) + 1))
            elif kind.startswith("ld."):
                pending = (int(operands[1][3:]), None)
            elif kind.startswith("rmw."):
                pending = (int(operands[1][3:]), int(operands[2]))
            elif kind == "beq":
                thread.append((pending[0], int(operands[1]), pending[1], labels.index(operands[2])))
        threads.append(thread)
    return threads


def test_what_dartagnan_is_given_is_the_program_and_what_is_expected_its_verdicts(tmp_path):
    corpus = Corpus(locate_corpus("@minimal/3x4"))
    FORMATS["dartagnan"].put(export_of(corpus), tmp_path / "out", force=False)
    tests = list(export_of(corpus).tests())
    for test in tests:
        given = [
            [(*(int(d, 36) if d != "_" else None for d in (i[0], i[1], i[2])), int(i[3], 36)) for i in cut(thread)]
            for thread in test.id.split("-")
        ]
        assert interpret((tmp_path / "out" / f"{test.id}.litmus").read_text()) == given
    for verdict in corpus.manifest.verdicts:
        rows = (tmp_path / "out" / f"{verdict}-expected.csv").read_text().splitlines()
        assert rows == [f"{test.id}.litmus,{int(test.verdicts[verdict] == 'pass')}" for test in tests]


def cut(thread):
    return [thread[k : k + 4] for k in range(0, len(thread), 4)]
