"""Web pages that run a suite in a browser by themselves, with the WGSL of the target `wgsl`.

Result lines are those of the other targets. A page can't kill what it has launched, as the other hosts do: after a test
that hung, later ones may fail for that alone, which page and README.md say. Each test has a device of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.rendering import environment
from synth_backends.targets.wgsl import LIMITS, SPELLING
from synth_backends.units import source_files, template_fields, unit_of_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.target import LaunchedTest


class Web:
    """The target `web`. A page has a suite; one of several hundred tests is still loaded at once."""

    name = "web"
    limits = LIMITS
    mapping = "chunked"
    per_file = 1000
    suffix = "html"

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Files with the shaders of all their tests, and a README.md."""
        templates = environment(self.name)
        given = template_fields(self.name, tests, SPELLING) | {"alone": unit_of_one}
        readme = templates.get_template("README.md").render(given)
        return source_files(templates, given, per_file, "test", self.suffix) | {"README.md": readme}
