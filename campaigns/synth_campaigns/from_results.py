"""Make a campaign of the files of result lines alone, if there is none that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.litmus_test import LitmusTest
from synth_backends.mapping import read_mapping
from synth_backends.target import load_target
from synth_campaigns.cells import Cell
from synth_campaigns.result_files import bundle_of, key_of, read_result
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_campaigns.result_files import Key, ResultFile


def campaign_of(files: Sequence[ResultFile], confirm_s: float) -> tuple[Settings, list[LitmusTest], list[Cell]]:
    """Return a campaign that has exactly the cells of which files have result lines.

    Raises:
        InputError: no line names a test, a mapping and a target.
    """
    tests: dict[str, LitmusTest] = {}
    cells: dict[Key, int] = {}
    first = ""
    for file in files:
        for number, text in file.lines():
            try:
                if bundle_of(text) is not None:
                    continue
                line = read_result(text)
                if "canary" in line:
                    continue
                load_target(line["target"])
                litmus = LitmusTest(line["name"], line["id"], program_of_id(line["id"]))
                key = key_of(line)
            except InputError as error:  # `collect` reports the line
                first = first or f"{file.name}:{number}: {str(error).removeprefix(': ')}"
                continue
            tests.setdefault(litmus.id, litmus)
            cells[key] = max(cells.get(key, 0), line["iterations"])
    if cells and all(purpose for *_, purpose in cells):
        first = first or f"{files[0].name}: found only launches that no campaign declares, expected others"
    if not cells or all(purpose for *_, purpose in cells):
        raise InputError(first or f"{files[0].name}: found no result line, expected at least one")
    targets = list(dict.fromkeys(target for target, *_ in cells))
    runs = tuple(
        RunSettings(f"bundle:{target}", tuple(dict.fromkeys(key[2].mapping for key in cells if key[0] == target)))
        for target in targets
    )
    settings = Settings(
        tuple(sorted(tests)), runs, LaunchSettings(count=max(cells.values()), confirm_s=confirm_s), order="as-given"
    )
    made_cells = [
        Cell(
            targets.index(target),
            f"bundle:{target}",
            test,
            len(tests[test].program),
            setting,
            busy=0,
            declared=declared,
            across=read_mapping(setting.mapping).kind.across,
            purpose=purpose,  # type: ignore[arg-type]
        )
        for (target, test, setting, purpose), declared in cells.items()
    ]
    return settings, list(tests.values()), made_cells
