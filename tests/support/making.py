"""Run the Makefiles of emitted folders as a user runs them."""

import os
import subprocess

from result_lines import results_in


def make(folder, *arguments):
    """Run make in a folder, without the environment of a make around this test."""
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    run = subprocess.run(
        ["make", "-s", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (run.returncode, run.stderr) == (0, ""), run.stderr
    return run.stdout


def results_of(folder, environment, *words, make=()):
    """Return the results that the programs of a folder print, each of them with its own kernel cache."""
    run = subprocess.run(
        ["make", "-s", "run", f"ARGS={' '.join(words)}", *make],
        cwd=folder,
        env=os.environ | {"POCL_CACHE_DIR": str(folder / "cache"), "POCL_KERNEL_CACHE": "1"} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return results_in(run.stdout)
