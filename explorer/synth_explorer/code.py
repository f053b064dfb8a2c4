"""What a page needs to show the code of its tests for each target of `synth emit`.

The code of 10,986 tests for eleven targets has hundreds of megabytes. So a page holds no code. It holds the templates
of the targets, as the syntax trees that Jinja's parser makes of them, and renders a template when a reader wants to see
the code of a test (`explorer/page/src/template.ts`). What the templates ask of a test, the page computes from its id.
What they ask of a launch depends only on the target, the mapping and the number of threads, so it is part of the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jinja2 import meta, nodes

from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import KINDS, LitmusLaunch, read_mapping
from synth_backends.stress import StressShape
from synth_backends.target import TARGETS, Choices, emission_for, launched_test, load_target, release
from synth_backends.targets.spirv import assembly
from synth_backends.template_files import environment, read_template
from synth_backends.units import CANARY
from synth_checker.errors import InputError, InternalError, LimitError
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_backends.expression import Spelling

#: The mappings of which a page shows code: each kind with its usual parameter, and that which is new in each launch.
MAPPINGS: Final = (*KINDS, "random:0+")
#: The most threads of a test whose code a page shows. The definitions of a mapping grow with the threads.
MOST_THREADS: Final = 8
#: The nodes of a template that the page evaluates.
_KNOWN: Final = {
    "Template", "Output", "TemplateData", "Name", "Const", "Getattr", "Getitem", "Call", "Filter", "Test", "If", "For",
    "Assign", "AssignBlock", "Macro", "FromImport", "Include", "Extends", "Block", "FilterBlock", "CondExpr", "Compare",
    "Operand", "Not", "And", "Or", "Add", "Sub", "Mul", "Concat", "List", "Dict", "Pair",
}  # fmt: skip


class PackedLaunch(NamedTuple):
    """What the templates ask of a launch. `lines` are the definitions of its mapping in the language of the target."""

    mapping: str
    says: str
    apart: int
    is_anew: bool
    lanes: int
    threads: int
    instances: int
    width: int
    workgroups: int
    has_lanes: bool
    has_idle_lanes: bool
    lines: list[str]


class PackedTarget(NamedTuple):
    """A target: the name of the template of its source files, its usual mapping, and its launches.

    The launches are by the name of the mapping and by the number of threads. A mapping that the target refuses is
    missing.
    """

    template: str
    mapping: str
    launches: dict[str, dict[int, PackedLaunch]]


class PackedCode(NamedTuple):
    """Everything of which a page makes code. `templates` are syntax trees: lists of a node's class and its fields."""

    release: str
    shape: str
    templates: dict[str, object]
    targets: dict[str, PackedTarget]
    canary: PackedLaunch
    models: dict[str, str]
    verdicts: tuple[str, ...]


def packed_code(threads: Iterable[int]) -> PackedCode:
    """Return what a page needs to make the code of tests with these numbers of threads.

    Tests with more than `MOST_THREADS` threads are left out; the page then names the command that writes their code.
    """
    numbers = sorted({number for number in threads if number <= MOST_THREADS})
    templates: dict[str, object] = {}
    for name in TARGETS:
        _add_template(templates, name, load_target(name).template)
    return PackedCode(
        release(),
        str(StressShape()),
        templates,
        {name: _packed_target(name, numbers) for name in sorted(TARGETS)},
        _packed_launch(CANARY.launch, None),
        {model.name: model.definition for model in library()},
        verdict_names(library()),
    )


def _packed_target(name: str, threads: list[int]) -> PackedTarget:
    target = load_target(name)
    launches: dict[str, dict[int, PackedLaunch]] = {}
    for word in MAPPINGS:
        for number in threads:
            try:
                emission = emission_for(name, Choices(word))
                test = launched_test(_smallest(number), emission)
            except (InputError, LimitError):  # the target cannot run this mapping
                continue
            launches.setdefault(emission.mapping.name, {})[number] = _packed_launch(test.launch, target.spelling)
    return PackedTarget(target.template, read_mapping(target.mapping).name, launches)


def _smallest(threads: int) -> LitmusTest:
    """Return a test with so many threads. A launch does not depend on anything else of its test."""
    id_ = "-".join(["0011"] * threads)
    return LitmusTest(id_, id_, program_of_id(id_))


def _packed_launch(launch: LitmusLaunch, spelling: Spelling | None) -> PackedLaunch:
    mapping = launch.mapping
    return answer_from(
        PackedLaunch,
        launch,
        mapping,
        mapping.kind,
        mapping=mapping.name,
        lanes=mapping.lanes(launch.threads),
        lines=list(launch.spelt(spelling)) if spelling else assembly(launch),
    )


def _add_template(templates: dict[str, object], folder: str, name: str) -> None:
    """Add the syntax tree of a template, and those of all templates that it names."""
    path = name if "/" in name else f"{folder}/{name}"
    if path in templates:
        return
    tree = environment(folder).parse(read_template(folder, name))
    templates[path] = _packed_node(path, tree)
    for other in meta.find_referenced_templates(tree):
        if other is None:
            raise InternalError(
                f"template {path}: found a reference whose name is not written out, which the page cannot evaluate"
            )
        _add_template(templates, folder, other)


def _packed_node(path: str, part: object) -> object:
    if isinstance(part, nodes.Node):
        kind = type(part).__name__
        if kind not in _KNOWN:
            raise InternalError(
                f"template {path}: found the node {kind}, which the page of synth explore cannot evaluate"
            )
        return [kind, *(_packed_node(path, getattr(part, field)) for field in part.fields)]
    return [_packed_node(path, node) for node in part] if isinstance(part, (list, tuple)) else part
