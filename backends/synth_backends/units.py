"""Source files: which tests share one, what it is called, and the texts that every output folder has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth_backends.target import MARK, STRESSED_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from synth_backends.expression import Spelling
    from synth_backends.target import LaunchedTest

#: A longer id is no example for a line of README.md.
_READABLE = 80


@dataclass(frozen=True, slots=True)
class Unit:
    """The tests of a source file. `stem` is its name without an ending."""

    stem: str
    tests: Sequence[LaunchedTest]

    @property
    def reads(self) -> bool:
        """Whether some instruction of its tests only reads."""
        return any(test.reads for test in self.tests)

    def suffix(self, test: LaunchedTest) -> str:
        """What the names of a test's functions end in: nothing where it has the file for itself."""
        return "" if len(self.tests) == 1 else f"_{test.litmus.identifier}"


def unit_of_one(test: LaunchedTest) -> Unit:
    """A test that has a source file, or a shader within one, for itself."""
    return Unit(test.litmus.file_stem, [test])


def units_of(tests: Sequence[LaunchedTest], per_file: int) -> list[Unit]:
    """Tests in files of at most so many. A file of one test has its name, one of several the numbers of its tests."""
    width = len(str(len(tests)))
    made = []
    for first in range(0, len(tests), per_file):
        some = tests[first : first + per_file]
        numbers = f"tests-{first + 1:0{width}}-{first + len(some):0{width}}"
        made.append(unit_of_one(some[0]) if len(some) == 1 else Unit(numbers, some))
    return made


def template_fields(target: str, tests: Sequence[LaunchedTest], spelling: Spelling) -> dict[str, Any]:
    """What every template may use, besides a unit."""
    return {
        "target": target,
        "tests": tests,
        "example_id": tests[0].litmus.id if len(tests[0].litmus.id) < _READABLE else "ID",
        "mapping": tests[0].launch.mapping,
        "stress": tests[0].launch.stress,
        "stressed_words": STRESSED_WORDS,
        "spelling": spelling,
        "mark": MARK,
    }


def folder_files(
    templates: jinja2.Environment, given: dict[str, Any], per_file: int, source: str, suffix: str
) -> dict[str, str]:
    """An output folder of source files by the template `source`, a Makefile, a README.md and `litmus.h`."""
    return source_files(templates, given, per_file, source, suffix) | {
        "Makefile": templates.get_template("Makefile").render(given),
        "README.md": templates.get_template("README.md").render(given),
        "litmus.h": templates.get_template("common/litmus.h").render(given),
    }


def host_files(templates: jinja2.Environment, given: dict[str, Any], per_file: int, host: str) -> dict[str, str]:
    """The host program by the template `host`, for kernels that are compiled apart from it, and `tests.h`.

    That tells it where each kernel is, by the pattern `kernel_file` for the stem of its source, and the kernel's name,
    which begins with `entry_point`; both are given.
    """
    table = templates.get_template("common/tests.h").render(given, units=units_of(given["tests"], per_file))
    return {"tests.h": table, host.rpartition("/")[2]: templates.get_template(host).render(given)}


def python_host_files(
    templates: jinja2.Environment, given: dict[str, Any], per_file: int, suffix: str
) -> dict[str, str]:
    """What is around sources that a host in Python runs: `litmus.py`, `tests.json`, a Makefile and a README.md."""
    table = templates.get_template("common/tests.json")
    return {
        "tests.json": table.render(given, units=units_of(given["tests"], per_file), suffix=suffix),
        **{name: templates.get_template(name).render(given) for name in ("litmus.py", "Makefile", "README.md")},
    }


def source_files(
    templates: jinja2.Environment, given: dict[str, Any], per_file: int, source: str, suffix: str
) -> dict[str, str]:
    """The source files alone."""
    template = templates.get_template(source)
    return {f"{unit.stem}.{suffix}": template.render(given, unit=unit) for unit in units_of(given["tests"], per_file)}
