"""Make an environment that has only what `make demo` installs, from packages that are installed here.

So a test can run what a user has before `make test`, without a network. The packages are links to those of this
environment: those that the project needs, the tools that build it, and everything that these need.
"""

import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
#: What the Makefile installs besides what pyproject.toml names.
BESIDES = ("pip", "cmake", "ninja")


def environment_of_demo(folder):
    """Make the environment in a folder, and return its folder of commands."""
    subprocess.run([sys.executable, "-P", "-m", "venv", "--without-pip", folder], check=True)
    site_packages = folder / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    for name in needed():
        for top in {file.parts[0] for file in distribution(name).files} - {"..", "__pycache__"}:
            link = site_packages / top
            if not link.exists():  # else a namespace that several packages share
                link.symlink_to(distribution(name).locate_file(top))
    command = folder / "bin" / "synth"
    command.write_text(f"#!{folder}/bin/python\nfrom synth.__main__ import main\n\nmain()\n")
    command.chmod(0o755)
    return command.parent


def needed():
    """Return the names of all packages that the environment needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    left = [*BESIDES, project["project"]["name"], *project["build-system"]["requires"]]
    found = {}
    while left:
        requirement = Requirement(left.pop())
        extras = requirement.extras | {""}
        if requirement.name not in found or not extras <= found[requirement.name]:
            found[requirement.name] = extras | found.get(requirement.name, set())
            for text in distribution(requirement.name).requires or ():
                further = Requirement(text)
                if any(further.marker is None or further.marker.evaluate({"extra": extra}) for extra in extras):
                    left.append(text)
    return found.keys()
