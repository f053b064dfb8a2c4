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
        ("", "slots: found no such key"),
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
    [("lineer", "did you mean linear?"), ("no/such.toml", "can't be read: No such file"), (".", "can't be read")],
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


@pytest.mark.parametrize("name", IMPLIED)
def test_each_preset_says_what_it_does(name):
    assert preset(name).about.endswith(".")


@given(st.text(max_size=30))
def test_no_text_breaks_the_reader(text):
    try:
        scheduler_of(text)
    except InputError as error:
        assert str(error)  # noqa: PT017  (either is fine)
