"""Explain why two corpora differ: how their manifests differ, and why a test is in one of them only.

There are these reasons why a corpus does not have a test:

- the test has another bound than the corpus, uses more locations or values, or breaks a rule;
- the corpus has only minimal tests, and the test is not minimal;
- the corpus has the same test with its threads in another order, or another test of the same behaviour.

The id of the test decides all of these except the last. If none of them applies, then two releases disagree, or a
corpus contradicts itself.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.models import model_of
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.rules import broken_rules, rule_names
from synth_corpus.kept_tests import MinimalityCheck, kept_words, least_order, models_in
from synth_corpus.parts import uses_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_corpus.differences import RecordDifference
    from synth_corpus.manifest import Manifest

#: The number of tests that the C++ core examines in one call.
_BATCH = 4096


class Reasons:
    """Explains the differences between two corpora.

    `names` are the words that messages use for the old and for the new corpus.
    """

    def __init__(self, old: Manifest, new: Manifest, names: tuple[str, str]) -> None:
        self._manifests = old, new
        self._names = names
        # This release may be unable to read the definitions of another one, and only minimality needs them.
        self._minimal = [
            MinimalityCheck(manifest.question, models_in(manifest)) if manifest.question.minimal else None
            for manifest in self._manifests
        ]
        self._redefined = {name for name in old.models if new.models.get(name, old.models[name]) != old.models[name]}

    def of_manifests(self) -> dict[str, tuple[str, str]]:
        """Return the differences between the manifests, each as the old and the new value in words.

        The values do not list rules and models that both corpora have, but they list all bounds.
        """
        (old, new), reasons = self._manifests, {}
        questions = [
            {
                "bounds": ", ".join(map(str, m.question.bounds)),
                "locations": str(m.question.locations),
                "values": str(m.question.values),
                "rules": _apart(m.rules, other.rules),
                "tests kept": kept_words(m.question),
                "tests up to": ", ".join(m.question.up_to) or "nothing",
                "models": _apart(tuple(m.models), tuple(other.models)),
                "not compared": ", ".join(name for name in m.verdicts if name not in other.verdicts) or "nothing",
                **{f"model {name}": m.models[name] for name in sorted(self._redefined)},
                "complete": "yes" if m.complete else "no",
                "made by": tool_of(m),
            }
            for m, other in ((old, new), (new, old))
        ]
        for about, before in questions[0].items():
            if questions[1][about] != before:
                reasons[about] = before, questions[1][about]
        return reasons

    def of_tests(self, differences: Iterable[RecordDifference]) -> Iterator[RecordDifference]:
        """Yield each difference with the reason for it, if something explains it.

        A difference of metadata never has a reason.
        """
        remaining = iter(differences)
        while batch := list(islice(remaining, _BATCH)):
            for difference, why in zip(batch, self._of_batch(batch), strict=True):
                yield difference._replace(why=why) if why else difference

    def _of_batch(self, batch: list[RecordDifference]) -> Iterator[str]:
        alone = [difference.id for difference in batch if difference.change in {"added", "removed"}]
        broken = dict(zip(alone, broken_rules(alone), strict=True))
        for difference in batch:
            if difference.change == "removed":
                why = self._missing(difference.id, broken[difference.id], 1)
            elif difference.change == "added":
                why = self._missing(difference.id, broken[difference.id], 0)
            elif difference.change == "verdicts":
                why = self._judged(difference)
            else:
                yield ""
                continue
            yield why or self._releases()

    def _missing(self, id_: str, broken: int, side: int) -> str:
        """Explain why a test is not in one of the corpora: `side` is 0 for the old one and 1 for the new one."""
        manifest, name = self._manifests[side], self._names[side]
        question, (threads, instructions, locations, values) = manifest.question, uses_of(id_)
        bound = f"{threads}x{instructions}"
        if bound not in map(str, question.bounds):
            return f"{name} does not have the bound {bound}"
        for word, limit, used in (
            ("locations", question.locations, locations),
            ("values", question.values, values),
        ):
            if used > limit:
                return f"it uses {used} {word}, but {name} allows only {limit}"
        rules = [rule for rule in rule_names(broken) if rule in manifest.rules]
        if rules:
            return f"it breaks {', '.join(rules)}, a rule of {name}"
        return self._not_kept(id_, side)

    def _not_kept(self, id_: str, side: int) -> str:
        """Explain why one of the corpora does not keep a test that belongs to its bounds and obeys its rules."""
        manifest, name = self._manifests[side], self._names[side]
        question = manifest.question
        minimal = self._minimal[side]
        if minimal is not None and not all(minimal.minimal([id_])):
            return f"it is not minimal under the rules and models of {name}"
        if "threads" in question.up_to:
            least = least_order(program_of_id(id_), keep_store_checks=question.keep_store_checks)
            if id_ != least:
                return f"{name} keeps this test only with its threads in another order"
        if not manifest.complete:
            return f"{name} is incomplete"
        return f"{name} has another test with the same behaviour" if "behaviour" in question.up_to else ""

    def _judged(self, difference: RecordDifference) -> str:
        """Explain why a test has other verdicts."""
        models = dict.fromkeys(model_of(name) for name in difference.verdicts)
        if models and models.keys() <= self._redefined:
            return f"the corpora define {', '.join(models)} differently"
        return ""

    def _releases(self) -> str:
        """Say that two releases disagree, if nothing in the questions explains a difference."""
        old, new = map(tool_of, self._manifests)
        return f"{old} and {new} disagree" if old != new else ""


def tool_of(manifest: Manifest) -> str:
    """Return the name of the release that wrote a corpus, as far as its manifest says.

    The manifest of a corpus that ships says only by which command it can be made.
    """
    tool = manifest.run.get("tool")
    if isinstance(tool, str):
        return tool
    return "the release that ships it" if "command" in manifest.run else "an unknown release"


def _apart(words: tuple[str, ...], others: tuple[str, ...]) -> str:
    """Describe how some words differ from others: `with X` if only they have X, `without X` if only the others do."""
    more = [f"with {word}" for word in words if word not in others]
    return ", ".join(more + [f"without {word}" for word in others if word not in words])
