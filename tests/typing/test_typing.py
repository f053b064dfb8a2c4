"""Test that mypy sees the declared types of `import synth` in the program of a user."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import synth

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDERS = (ROOT, *(ROOT / name for name in ("backends", "checker", "corpus", "encodings", "storage")))
CACHE = ROOT / ".mypy_cache" / "of-users"


def mypy(*files):
    """Strict mypy, of these files alone; what it says and how it ends."""
    options = ["--strict", "--follow-imports=silent", f"--cache-dir={CACHE}", "--config-file="]
    return subprocess.run(
        [Path(sys.executable).with_name("mypy"), *options, *files],
        cwd=HERE,
        env=os.environ | {"MYPYPATH": os.pathsep.join(map(str, FOLDERS))},
        capture_output=True,
        text=True,
    )


@pytest.mark.full
@pytest.mark.parametrize("program", ["api.py", "refused.py"])
def test_programs_of_users_have_the_types_that_they_expect(program):
    told = mypy(program)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.full
def test_a_type_that_is_another_is_told(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "import synth\nfound: str = synth.check('mutex')\nsynth.check('mutex')  # type: ignore[attr-defined]\n"
    )
    told = mypy(tmp_path / "wrong.py")
    assert told.returncode == 1
    assert [line.rpartition(" ")[2] for line in told.stdout.splitlines()[:-1]] == ["[assignment]", "[unused-ignore]"]


def test_the_stub_lists_names_in_order_and_nothing_else():
    """What `__init__.py` makes of it is what type checkers do."""
    *imports, version = ast.parse((ROOT / "synth" / "__init__.pyi").read_text()).body
    assert ast.unparse(version) == "__version__: str"
    assert [ast.unparse(import_) for import_ in imports] == [
        f"from {import_.module} import {name.name} as {name.name}" for import_ in imports for name in import_.names
    ]
    assert [import_.names[0].name for import_ in imports] == synth.__all__
    assert sorted(set(synth.__all__)) == sorted(synth.__all__)


def test_every_public_name_is_there_and_says_what_it_is():
    for name in synth.__all__:
        assert inspect.getdoc(getattr(synth, name)), name
    assert set(synth.__all__) < set(dir(synth))
    with pytest.raises(AttributeError, match="module 'synth' has no attribute 'enumerates'"):
        synth.enumerates  # noqa: B018


def test_the_typing_test_uses_every_public_name():
    """As `synth.NAME`, or after `from synth import NAME`."""
    tree = ast.parse((HERE / "api.py").read_text())
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    assert sorted(set(synth.__all__) - used) == []
