"""Campaign files: what they say is what is run, and what they must not say is refused in one line."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns import ids_of, litmus_tests
from synth_backends.stress import StressShape, read_shape
from synth_campaigns.answers.request import request_of_file
from synth_campaigns.campaign_file import read_settings, settings_of, text_of
from synth_campaigns.cells import Cell, Setting, cells_of
from synth_campaigns.folder import create, settings_in
from synth_campaigns.programs import folder_name
from synth_campaigns.settings import LaunchSettings, Policy, RunSettings, Settings
from synth_checker.errors import InputError

LEAST = '[suite]\ntests = ["00_0-0011"]\n[[run]]\ndevice = "sim"\n'
WHOLE = """seed = 7
order = "as-given"
[suite]
tests = ["00_0-0011", "@minimal/2x2"]
[[run]]
device = "sim:strided"
mappings = ["plain", "hybrid:2"]
instances = 9
expected = "stride"
[[run]]
device = "cpu"
stress = 3
busy = 2
[launches]
until = 0.05
timeout = 3
confirm = 20.5
after_hang = 1
[policy]
preparation = 60
tries = 2
wedged = "stop"
"""


def test_every_key_is_read():
    assert settings_of(WHOLE) == Settings(
        ("00_0-0011", "@minimal/2x2"),
        (RunSettings("sim:strided", ("plain", "hybrid:2"), 9, 0, 0, "stride"), RunSettings("cpu", stress=3, busy=2)),
        LaunchSettings(until=0.05, timeout_s=3, confirm_s=20.5, after_hang=1),
        Policy(60, 2, "stop"),
        seed=7,
        order="as-given",
    )
    assert settings_of(LEAST) == Settings(("00_0-0011",), (RunSettings("sim"),))


@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=9), min_size=1, max_size=3),
    st.integers(0, 2**63 - 1),
    st.sampled_from([None, 0.5, 0.01]),
    st.one_of(st.integers(1, 99), st.floats(0.1, 99)),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=9),
)
def test_what_is_written_is_read_again(suite, seed, until, timeout, expected):
    asked = Settings(
        tuple(suite),
        (RunSettings("sim", expected=expected),),
        LaunchSettings(until=until, timeout_s=timeout),
        seed=seed,
    )
    assert settings_of(text_of(asked)) == asked


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed = 7", "sead = 7", "key: found 'sead' (did you mean seed?)"),
        ("seed = 7", "seed = -1", "seed: found -1, expected 0 to"),
        ("seed = 7", "seed = true", "seed: found True, which is of type bool"),
        ('"as-given"', '"asgiven"', "order: found 'asgiven' (did you mean as-given?)"),
        ("mappings =", "mapping =", "run 1: key: found 'mapping' (did you mean mappings?)"),
        ('"hybrid:2"', '"hibrid:2"', "run 1: mapping: found 'hibrid"),
        ('"hybrid:2"', "2", "run 1: mappings: found 2"),
        ('"sim:strided"', '"sim:stridet"', "run 1: scheduler: found 'stridet' (did you mean strided?)"),
        ('"cpu"', '"cpo"', "run 2: device: found 'cpo' (did you mean cpu?)"),
        ("instances = 9", "instances = 0", "run 1: instances: found 0"),
        ("until = 0.05", "until = 5", "launches.until: found 5"),
        ("until = 0.05", "until = 0.05\ncount = 3", "launches.count cannot be combined with launches.until"),
        ("timeout = 3", 'timeout = "3"', "launches.timeout: found '3'"),
        ("tries = 2", "tries = 0", "policy.tries: found 0"),
        ('"stop"', '"halt"', "policy.wedged: found 'halt', expected"),
        ('tests = ["00_0-0011", "@minimal/2x2"]', "tests = []", "suite: found no test"),
        ("[policy]", "[polisy]", "key: found 'polisy' (did you mean policy?)"),
        ("seed = 7", "seed = ", "found no TOML"),
        ("seed = 7", "seed = " + "[" * 100_000, "found brackets that are nested too deep"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(old, new, said):
    assert old in WHOLE
    with pytest.raises(InputError) as found:
        settings_of(WHOLE.replace(old, new, 1))
    assert str(found.value).startswith(said)
    assert "\n" not in str(found.value)


def test_a_file_without_a_device_or_tests_is_refused():
    with pytest.raises(InputError, match="run: the campaign names no device"):
        settings_of('[suite]\ntests = ["0011"]\n')
    with pytest.raises(InputError, match="suite: found no test"):
        settings_of('[[run]]\ndevice = "sim"\n')
    with pytest.raises(InputError, match="run 1: the key device is missing"):
        settings_of('[suite]\ntests = ["0011"]\n[[run]]\nbusy = 1\n')


def test_the_copy_in_the_folder_gives_the_same_cells_in_the_same_order(tmp_path):
    ids = ids_of("@minimal/2x3", 8)
    asked = Settings(tuple(ids), (RunSettings("sim"), RunSettings("cpu", ("chunked",))), seed=3)
    create(tmp_path / "c", asked, litmus_tests(ids))
    copied = settings_in(tmp_path / "c")
    assert cells_of(copied, litmus_tests(copied.suite)) == cells_of(asked, litmus_tests(ids))
    assert cells_of(copied, litmus_tests(copied.suite)) != cells_of(
        Settings(asked.suite, asked.runs, seed=4), litmus_tests(ids)
    )


def test_a_cell_says_what_runs_its_threads_and_how_many_a_workgroup_has():
    run = RunSettings("opencl", ("chunked", "invocations", "subgroups:32"), 5, width=3)
    cells = cells_of(Settings(("x",), (run,), order="as-given"), litmus_tests(["00_0-0011"]))
    assert [(cell.across, cell.setting.width, cell.workgroups) for cell in cells] == [
        ("workgroups", 3, 10),
        ("invocations", 3, 5),
        ("subgroups", 64, 5),
    ]


def test_a_cell_has_the_stress_that_was_drawn_and_the_share_in_workgroups():
    run = RunSettings("opencl", ("plain", "chunked"), 6, stress=0.25, stress_shape="random:3")
    cells = cells_of(Settings(("x",), (run,), order="as-given"), litmus_tests(["00_0-0011"]))
    shape = str(read_shape("random:3"))
    assert [(cell.setting.stress, cell.setting.stress_shape) for cell in cells] == [(1, shape), (4, shape)]
    assert settings_of(text_of(Settings(("x",), (run,)))).runs == (run,)
    (without,) = cells_of(
        Settings(("x",), (RunSettings("opencl", ("plain",), stress_shape="load"),)), litmus_tests(["0011"])
    )
    assert without.setting.stress_shape == str(StressShape())


def test_a_cell_is_there_once_for_each_test_device_and_setting():
    tests = litmus_tests(ids_of("@minimal/2x3", 5))
    cells = cells_of(Settings(("x",), (RunSettings("sim"), RunSettings("sim", ("plain", "chunked"), 7))), tests)
    assert len(cells) == len(set(cells)) == 5 * (3 + 2)
    assert all(cell.setting.instances == 1 for cell in cells if cell.setting.mapping == "plain")
    assert {cell.workgroups for cell in cells if cell.setting.instances == 7} == {14}
    assert {field.name for field in fields(cells[0])} >= {"device", "test", "setting", "busy"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", "byte 1 is not UTF-8, expected a campaign file, or the folder of a campaign"),
        (LEAST.encode() + b"# \xe9", "byte 56 is not UTF-8, expected a campaign file"),
        (b"\0" * 9, "found no TOML: "),
        (b"", "suite: found no test, expected at least one"),
    ],
)
def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path, data, said):
    (tmp_path / "it.toml").write_bytes(data)
    with pytest.raises(InputError, match=r"it\.toml: ") as caught:
        request_of_file(str(tmp_path / "it.toml"), None)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_is_read_as_windows_saves_it_and_a_huge_one_is_not_read_whole(tmp_path):
    (tmp_path / "it.toml").write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert read_settings(tmp_path / "it.toml") == settings_of(LEAST)
    with (tmp_path / "it.toml").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError, match="found more than 64 MB, expected the file of a campaign"):
        read_settings(tmp_path / "it.toml")


def test_settings_that_differ_have_programs_in_folders_of_their_own():
    settings = [
        Setting("plain", 1, 0),
        Setting("plain", 1, 0, 32),
        Setting("plain", 1, 4),
        Setting("plain", 1, 4, 1, str(read_shape("store"))),
        Setting("hybrid:2", 1, 0),
    ]
    cells = [Cell(0, "sim:linear", "0011", 1, setting, 0, 1) for setting in settings]
    names = [folder_name(cell) for cell in cells]
    assert len(set(names)) == len(names)
    assert not any(set(name) & set('/\\:*?"<>| ') for name in names)
