"""The files of emitted folders: which tests share a source file, how it is named, and which files every folder has."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth_backends import target as interface
from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_backends.target import MARK, LaunchedTest
from synth_checker.programs.normal import program_of_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from synth_backends.expression import Spelling

#: The canary: one thread that stores and ends. Host programs launch it after a test that hung, to see whether the
#: device still works.
CANARY = LaunchedTest(LitmusTest("canary", "0011", program_of_id("0011")), LitmusLaunch(read_mapping("plain"), 1, 1))
#: An id that is longer is not used as an example in README.md.
_READABLE = 80


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """The tests of a source file. `stem` is the name of the file without its ending."""

    stem: str
    tests: Sequence[LaunchedTest]

    @property
    def reads(self) -> bool:
        """Return whether some instruction of these tests only reads the memory."""
        return any(test.reads for test in self.tests)

    def suffix(self, test: LaunchedTest) -> str:
        """Return the suffix of the names of a test's functions. It is empty if the test is alone in the file."""
        return "" if len(self.tests) == 1 else f"_{test.litmus.identifier}"


def unit_of_one(test: LaunchedTest) -> SourceUnit:
    """Return the unit of a test that has a source file, or a shader within one, for itself."""
    return SourceUnit(test.litmus.file_stem, [test])


def units_of(tests: Sequence[LaunchedTest], per_file: int) -> list[SourceUnit]:
    """Divide tests into source files with at most `per_file` tests each.

    A file with one test has the name of the test. The name of a file with several tests has the numbers of its first
    and of its last test.
    """
    stems = stems_of([test.litmus for test in tests], per_file)
    return [
        SourceUnit(stem, [tests[k] for k in places])
        for stem, places in itertools.groupby(range(len(tests)), lambda k: stems[tests[k].litmus.id])
    ]


def stems_of(tests: Sequence[LitmusTest], per_file: int) -> dict[str, str]:
    """Return the stem of the source file that holds each test, by the id of the test. The tests are sorted by id."""
    width = len(str(len(tests)))
    stems: dict[str, str] = {}
    for first in range(0, len(tests), per_file):
        tests_of_file = tests[first : first + per_file]
        numbers = f"tests-{first + 1:0{width}}-{first + len(tests_of_file):0{width}}"
        stems |= dict.fromkeys(
            (test.id for test in tests_of_file), numbers if len(tests_of_file) > 1 else tests_of_file[0].file_stem
        )
    return stems


def template_fields(target: str, tests: Sequence[LaunchedTest], spelling: Spelling | None) -> dict[str, Any]:
    """Return the values that every template may use. `source_files` adds the `SourceUnit` of each source file."""
    return {
        "target": target,
        "tests": tests,
        "example_id": tests[0].litmus.id if len(tests[0].litmus.id) < _READABLE else "ID",
        "mapping": tests[0].launch.mapping,
        "stress": tests[0].launch.stress,
        "shape": tests[0].launch.stress_shape,
        "stress_adds": tests[0].launch.stress > 0 and tests[0].launch.stress_shape.adds,
        "stress_lasts": tests[0].launch.stress > 0 and tests[0].launch.stress_shape.lasts,
        "spelling": spelling,
        "mark": MARK,
        "release": interface.release(),
        "canary": CANARY,
    }


def folder_files(
    templates: jinja2.Environment, fields: dict[str, Any], per_file: int, source: str, suffix: str
) -> dict[str, str]:
    """Return an output folder: source files from the template `source`, a Makefile, a README.md and `litmus.h`."""
    return source_files(templates, fields, per_file, source, suffix) | {
        "Makefile": templates.get_template("Makefile").render(fields),
        "README.md": templates.get_template("README.md").render(fields),
        "litmus.h": templates.get_template("common/litmus.h").render(fields),
    }


def host_files(templates: jinja2.Environment, fields: dict[str, Any], per_file: int, host: str) -> dict[str, str]:
    """Return two files by name: a host program for kernels that are compiled separately, and the table `tests.h`.

    The host program is made from the template `host`. It includes `tests.h`, which tells it the file and the name of
    each kernel. `given["kernel_file"]` is a pattern for the file, such as `{}.cl`. The name of the kernel's source
    file, without its suffix, takes the place of `{}`. The name of a kernel is `given["entry_point"]` and a suffix,
    which differs for each test of a source file. The last kernel of the table is that of the canary.
    """
    table = templates.get_template("common/tests.h").render(fields, units=_units_and_canary(fields, per_file))
    return {"tests.h": table, host.rpartition("/")[2]: templates.get_template(host).render(fields)}


def python_host_files(
    templates: jinja2.Environment, fields: dict[str, Any], per_file: int, suffix: str
) -> dict[str, str]:
    """Return the files for a folder whose tests a Python program runs: that program, and what it and the user need.

    The files are `litmus.py` (the program), `tests.json`, a Makefile and a README.md. The source files are not among
    them.
    """
    table = templates.get_template("common/tests.json")
    return {
        "tests.json": table.render(fields, units=_units_and_canary(fields, per_file), suffix=suffix),
        **{name: templates.get_template(name).render(fields) for name in ("litmus.py", "Makefile", "README.md")},
    }


def _units_and_canary(fields: dict[str, Any], per_file: int) -> list[SourceUnit]:
    return [*units_of(fields["tests"], per_file), _unit_of_canary()]


def _unit_of_canary() -> SourceUnit:
    return SourceUnit("canary", [CANARY])


def canary_file(templates: jinja2.Environment, fields: dict[str, Any], source: str, suffix: str) -> dict[str, str]:
    """Return the source file of the canary, for targets whose host programs read a file for each kernel."""
    text = templates.get_template(source).render(
        fields | {"stress": 0, "stress_adds": False, "stress_lasts": False}, unit=_unit_of_canary()
    )
    return {f"canary.{suffix}": text}


def source_files(
    templates: jinja2.Environment, fields: dict[str, Any], per_file: int, source: str, suffix: str
) -> dict[str, str]:
    """Return the source files of an output folder, from the template `source`."""
    template = templates.get_template(source)
    return {f"{unit.stem}.{suffix}": template.render(fields, unit=unit) for unit in units_of(fields["tests"], per_file)}
