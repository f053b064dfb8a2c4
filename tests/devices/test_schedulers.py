"""Files of simulated schedulers: what they may say, and how each mistake is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated import schedulers
from synth_checker.errors import InputError
from synth_devices.sim.presets import IMPLIED, preset, read_scheduler
from synth_devices.sim.scheduler import Scheduler, scheduler_of


def test_only_slots_are_required():
    assert scheduler_of("slots = 3") == Scheduler((3, 3), "linear", 1, 1, 0, "random", 0)


def test_every_key_is_read():
    text = 'slots = [2, 5]\norder = "stride:7"\nbatch = 4\npreempt = "never"\npick = "weighted"\nseed = 12'
    assert scheduler_of(text) == Scheduler((2, 5), "stride", 7, 4, 0, "weighted", 12)
    assert scheduler_of('slots = 2\npreempt = 3\npick = "lowest"').quantum == 3


@given(schedulers())
def test_what_is_written_is_read_again(scheduler):
    assert scheduler_of(scheduler.toml()) == scheduler


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the key slots is missing"),
        ("slots", "found no TOML"),
        ("slot = 3", "key: found 'slot' (did you mean slots?), expected one of slots, order"),
        ("slots = 3\npreemt = 2", "(did you mean preempt?)"),
        ("slots = 0", "slots: found 0, expected 1 to 1048576"),
        ("slots = true", "slots: found True, which is of type bool, expected a number from 1 to 1048576"),
        ("slots = [3]", "found a list of 1 numbers"),
        ("slots = [3, 2]", "slots: found [3, 2], expected the lower number first"),
        ('slots = 3\norder = "linaer"', "order: found 'linaer' (did you mean linear?)"),
        ('slots = 3\norder = "stride"', "order: found 'stride', expected stride:S with a number for S"),
        ('slots = 3\norder = "linear:2"', "order: found 'linear:2', expected linear alone"),
        ('slots = 3\norder = "jitter:0"', "order: found 0, expected 1 to 1048576"),
        ("slots = 3\norder = 3", "order: found 3, which is of type int"),
        ('slots = 3\npick = "rotat"', "pick: found 'rotat' (did you mean rotate?)"),
        ("slots = 3\nbatch = 1.5", "batch: found 1.5, which is of type float"),
        ("slots = 3\nseed = -1", "seed: found -1"),
        ('slots = 3\npreempt = "newer"', "preempt: found 'newer' (did you mean never?)"),
        ("slots = 3\npreempt = 0", "preempt: found 0, expected 1 to 1048576"),
        ("slots = 3\npreempt = 4", "preempt and pick: found pre-emption with pick = 'random'"),
        ('slots = 3\npreempt = 4\nbatch = 2\npick = "rotate"', "batch and preempt: found pre-emption with batch = 2"),
    ],
)
def test_a_mistake_is_told_in_one_line(text, told):
    with pytest.raises(InputError) as error:
        scheduler_of(text)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_and_a_preset_are_read(tmp_path):
    (tmp_path / "mine.toml").write_text("slots = 5")
    assert read_scheduler(str(tmp_path / "mine.toml")) == Scheduler((5, 5))
    assert read_scheduler("serial").slots == (1, 1)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("lineer", "did you mean linear?"),
        ("no/such.toml", "can't be read: No such file"),
        (".", "found a folder or a device"),
    ],
)
def test_an_unknown_scheduler_is_refused(word, told):
    with pytest.raises(InputError, match=told):
        read_scheduler(word)


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"slots = \xff")
    with pytest.raises(InputError, match=r"bad\.toml.*not UTF-8"):
        read_scheduler(str(tmp_path / "bad.toml"))
    (tmp_path / "bad.toml").write_text("slots = 0")
    with pytest.raises(InputError, match=r"bad\.toml: slots: found 0"):
        read_scheduler(str(tmp_path / "bad.toml"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("slots = " + "9" * 5_000, "found a number with too many digits"),
        ("slots = 0x" + "f" * 5_000, "slots: found a number with 20,000 bits, expected 1 to 1048576"),
        ("slots = 3\nseed = 0x" + "f" * 5_000, "seed: found a number with 20,000 bits"),
        ("slots = 3\norder = 0x" + "f" * 5_000, "order: found a number with too many digits"),
        ("slots = 3\npick = [0x" + "f" * 5_000 + "]", "pick: found a number with too many digits"),
        ("slots = " + "[" * 5_000, "found brackets that are nested too deep"),
        ("slots = 3\n" + "s" * 5_000 + " = 1", "(5,000 characters)"),
    ],
    ids=["digits", "hex", "hex seed", "hex order", "hex pick", "brackets", "key"],
)
def test_a_monstrous_file_is_refused_in_one_short_line(tmp_path, text, told):
    (tmp_path / "big.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read_scheduler(str(tmp_path / "big.toml"))
    assert told in str(error.value)
    assert len(str(error.value)) < 400


def test_what_has_no_end_is_not_read(tmp_path):
    with pytest.raises(InputError, match=r"/dev/zero: found a folder or a device"):
        read_scheduler("/dev/zero")
    (tmp_path / "long.toml").write_text("slots = 3\n" + "#" * 70_000)
    with pytest.raises(InputError, match="found more than 65,536 bytes"):
        read_scheduler(str(tmp_path / "long.toml"))


def test_a_file_needs_no_dot_or_slash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sched").write_text("slots = 7")
    (tmp_path / "linear").write_text("slots = 7")
    assert read_scheduler("sched") == Scheduler((7, 7))
    assert read_scheduler("linear") == preset("linear").scheduler
    assert read_scheduler("./linear") == Scheduler((7, 7))


@pytest.mark.parametrize(
    "values",
    [
        {"slots": 3}, {"slots": (3,)}, {"slots": ("3", 4)}, {"slots": (2.5, 3)}, {"order": 3}, {"pick": None},
        {"spread": True}, {"batch": "1"}, {"quantum": 1.0}, {"seed": "a"},
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(values):
    with pytest.raises(InputError):
        Scheduler(**{"slots": (3, 3), **values})


@pytest.mark.parametrize("name", IMPLIED)
def test_each_preset_says_what_it_does(name):
    assert preset(name).about.endswith(".")


@given(st.text(max_size=30))
def test_no_text_breaks_the_reader(text):
    try:
        scheduler_of(text)
    except InputError as error:
        assert str(error)  # noqa: PT017  (either is fine)
