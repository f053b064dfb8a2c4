"""Web pages that run a suite of tests in a browser, with the shaders of the target `wgsl`.

A page shows the same result lines as the other targets. It cannot stop what it has launched, as the other host programs
can. So after a test that hung, later tests may fail for that reason alone; the page and the README.md say so. Each test
has a WebGPU device of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.targets.wgsl import LIMITS, SPELLING
from synth_backends.template_files import environment
from synth_backends.units import source_files, template_fields, unit_of_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.target import LaunchedTest


class Web:
    """The target `web`. A page contains a suite of up to a thousand tests, and loads all of them at once."""

    name = "web"
    limits = LIMITS
    mapping = "chunked"
    per_file = 1000
    template = "test"
    spelling = SPELLING
    suffix = "html"

    def emit(self, tests: Sequence[LaunchedTest], per_file: int) -> dict[str, str]:
        """Return files, each with the shaders of all its tests, and a README.md, by their paths."""
        templates = environment(self.name)
        fields = template_fields(self.name, tests, self.spelling) | {"alone": unit_of_one}
        readme = templates.get_template("README.md").render(fields)
        return source_files(templates, fields, per_file, self.template, self.suffix) | {"README.md": readme}
