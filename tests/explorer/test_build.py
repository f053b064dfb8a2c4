"""The built page is what its sources say, and its licences are those of what is in it."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
BUILT = Path(__file__).parents[2] / "explorer" / "synth_explorer"


def test_the_committed_page_is_built_from_the_sources(tools, tmp_path):
    """If it differs: `make explorer`."""
    subprocess.run(["node", "build.mjs", tmp_path], cwd=tools, check=True)
    for name in ("page.html", "THIRD_PARTY_LICENSES.txt"):
        assert (tmp_path / name).read_bytes() == (BUILT / name).read_bytes()


def test_the_sources_have_the_right_types_and_a_wrong_one_is_noticed(tools):
    def errors():
        return re.findall(
            r"error TS\d+", subprocess.run(["npx", "tsc"], cwd=tools, capture_output=True, text=True).stdout
        )

    assert errors() == []
    wrong = tools / "src" / "wrong.ts"
    wrong.write_text('export const number: number = "text";\n')
    assert errors() == ["error TS2322"]
    wrong.unlink()


def test_an_unknown_licence_stops_the_build(tools, tmp_path):
    described = tools / "node_modules" / "preact" / "package.json"
    text = described.read_text()
    described.write_text(text.replace('"license": "MIT"', '"license": "Other"'))
    done = subprocess.run(["node", "build.mjs", tmp_path], cwd=tools, capture_output=True, text=True)
    described.write_text(text)
    assert done.returncode != 0
    assert "preact: found the licence Other, expected one of MIT" in done.stderr
    assert list(tmp_path.iterdir()) == []
