"""`synth kernel record`: the launches of a program of OpenCL on PoCL, and what is said where there are none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from synth.schema import FOLDER
from synth_checker.errors import InputError, ResourceError
from synth_devices import launch_record
from synth_devices.launch_record import record_launches

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program that launches `shift` three times, and then `add`."""
    path = tmp_path_factory.mktemp("program") / "launches"
    subprocess.run(["cc", "-o", path, HERE / "launches.c", "-lOpenCL"], check=True)
    return path


@pytest.fixture(autouse=True)
def _pocl(monkeypatch, tmp_path):
    monkeypatch.setenv("POCL_CACHE_DIR", str(tmp_path / "cache"))


def lines(folder):
    return [json.loads(line) for line in (folder / "launches.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.full
def test_each_launch_of_a_program_is_recorded_with_its_sizes_and_arguments(program, tmp_path):
    assert record_launches([str(program)], tmp_path) == 0
    found = lines(tmp_path)
    schema = Draft202012Validator(json.loads((FOLDER / "launch-line.schema.json").read_text("utf-8")))
    assert not [error for line in found for error in schema.iter_errors(line)]
    assert [line["kernel"] for line in found] == ["shift", "shift", "shift", "add"]
    assert found[0] == found[1] == found[2]
    assert found[0]["global_size"] == [64]
    assert found[0]["local_size"] == [16]
    assert found[0]["arguments"] == [
        {"name": "a", "kind": "buffer", "bytes": 516},
        {"name": "t", "kind": "local", "bytes": 64},
        {"name": "by", "kind": "value", "value": "01000000"},
        {"name": "wide", "kind": "value", "value": (0x1122334455667788).to_bytes(8, "little").hex()},
        {"name": "f", "kind": "value", "value": "0000803f000000400000404000008040"},
    ]
    assert found[0]["options"].startswith("-DWIDTH=2 -cl-std=CL1.2")
    assert found[0]["folder"] == str(Path.cwd())
    assert found[3]["local_size"] is None
    assert found[3]["global_offset"] == [32]
    source = (tmp_path / found[0]["source"]).read_text("utf-8")
    assert "__kernel void shift" in source
    assert {line["source"] for line in found} == {found[0]["source"]}


@pytest.mark.full
def test_recorded_launches_are_verified_as_they_are(program, tmp_path):
    """With any `by`, two threads race; with the one of the launch, they do not. `WIDTH` comes from the options."""
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "more")}

    def synth(*words):
        return subprocess.run(
            [sys.executable, "-m", "synth", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    said = synth("kernel", "record", "--out", "out", "--", str(program), "and fail")
    assert said.returncode == 7, said.stderr
    assert "launches: 4; to verify them: synth verify --from-launch out/launches.jsonl" in said.stderr
    said = synth("verify", "--from-launch", "out/launches.jsonl")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Rests on: local size 16, groups 4; " in said.stdout
    assert "; by = 1; " in said.stdout
    assert "launched 3 times. With any value: wide, f.0, f.1, f.2 and f.3." in said.stdout
    assert "add: verified\n" in said.stdout
    again = synth("kernel", "record", "--out", "out", "--", str(program))
    assert again.returncode == 2
    assert "expected a new or an empty folder" in again.stderr
    none = synth("kernel", "record", "--out", "none", "--", "true")
    assert none.returncode == 2
    assert "true launched no kernel" in none.stderr


def test_without_the_program_or_a_compiler_the_message_says_so(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="no-such-program: found no such program"):
        record_launches(["no-such-program"], tmp_path)
    monkeypatch.setattr(launch_record, "CC", launch_record.CC._replace(usual="no-such-cc"))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(ResourceError, match="no-such-cc not found, which compiles the layer"):
        record_launches(["true"], tmp_path)


def test_what_cannot_be_executed_or_compiled_in_time_has_a_message(tmp_path, monkeypatch):
    script = tmp_path / "script"
    script.write_text("# no script\n", "utf-8")
    script.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setattr(launch_record, "compile_layer", lambda _: None)
        with pytest.raises(InputError, match="script: Exec format error; expected a program, or a script whose"):
            record_launches([str(script)], tmp_path)
    (tmp_path / "cc").write_text("#!/bin/sh\nexec sleep 9\n", "utf-8")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    monkeypatch.setattr(launch_record, "_SECONDS", 0.1)
    with pytest.raises(ResourceError, match=r"took over 0\.1 s to compile the layer"):
        record_launches(["true"], tmp_path)


@pytest.mark.full
def test_a_clone_has_the_arguments_of_one_moment(tmp_path):
    program, folder = tmp_path / "clones", Path(launch_record.__file__).parent
    words = ["-D_POSIX_C_SOURCE=200809L", "-pthread", f"-I{folder}", HERE / "clones.c"]
    subprocess.run(["cc", "-o", program, *words], check=True)
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "ab\n"
