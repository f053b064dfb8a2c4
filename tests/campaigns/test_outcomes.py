"""What a launch that was given up is taken for: hung or slow, and whether the hang is confirmed."""

import pytest

from synth_campaigns.outcomes import LaunchOutcome, outcome_of
from synth_campaigns.queries import StoredLaunch
from synth_campaigns.settings import LaunchSettings
from synth_campaigns.time_limits import timeout_of
from synth_devices.raw_ends import LaunchEnd


@pytest.mark.parametrize(
    ("seconds", "quiet", "longest", "judged"),
    [
        (30.001, 29.9, 1.0, LaunchOutcome("hung", is_confirmed=True)),
        (
            29.9998,
            29.9,
            1.0,
            LaunchOutcome("hung", is_confirmed=True),
        ),  # the clock of the time-out starts a little earlier
        (None, None, 1.0, LaunchOutcome("hung", is_timed=True)),
        (30.0, None, 1.0, LaunchOutcome("hung", is_timed=True)),
        (30.0, 1e9, 1.0, LaunchOutcome("hung", is_timed=True)),  # quiet for longer than it took, which nobody saw
        (2.0, 2.0, 1.0, LaunchOutcome("hung")),
        (29.0, 29.0, 1.0, LaunchOutcome("hung")),
        (30.0, 14.9, 1.0, LaunchOutcome("slow")),
        (30.0, 30.0, 31.0, LaunchOutcome("slow")),
    ],
)
def test_a_launch_that_was_given_up_is_hung_if_it_was_quiet_and_confirmed_if_it_was_waited_for(
    seconds, quiet, longest, judged
):
    stored = StoredLaunch(1, 1, round(seconds or 30), "", LaunchEnd("given up", seconds, quiet, {}, {"10": 3, "11": 4}))
    assert outcome_of(stored, decides=False, longest=longest, confirm_s=30.0) == judged


@pytest.mark.parametrize(
    ("finished", "decides", "judged"),
    [
        ({"11": 7}, False, LaunchOutcome("lost result")),
        ({"11": 7}, True, LaunchOutcome("lost result")),
        ({"11": 6, "01": 1}, False, LaunchOutcome("hung", is_confirmed=True)),
        ({}, False, LaunchOutcome("hung", is_timed=True)),  # nobody knows who had finished
        ({}, True, LaunchOutcome("hung", is_confirmed=True)),
    ],
)
def test_a_hang_is_seen_if_some_thread_is_known_not_to_have_finished(finished, decides, judged):
    stored = StoredLaunch(1, 1, 30.0, "", LaunchEnd("given up", 30.0, 30.0, {}, finished))
    assert outcome_of(stored, decides=decides, longest=1.0, confirm_s=30.0) == judged


@pytest.mark.parametrize(
    ("seconds", "is_first", "expected"),
    [
        ([], False, 2),
        ([0.1], False, 2),
        ([0.25], False, 3),
        ([11.2], False, 30),  # and not 112
        ([14.9], False, 30),
        ([20.0], False, 40),
        ([0.1] * 18 + [1.6], False, 16),  # a twentieth is more than one of 19
        ([0.1] * 19 + [1.6], False, 4),  # one of 20 launches was slow: twice as long, not ten times
        ([0.1] * 19 + [0.4, 1.6], False, 4),
        ([0.1] * 18 + [0.4, 0.4, 1.6], False, 4),
        ([], True, 30),
        ([20.0], True, 40),
    ],
)
def test_slow_launches_make_the_time_out_longer_within_limits(seconds, is_first, expected):
    assert timeout_of(LaunchSettings(timeout_s=2, confirm_s=30), seconds, is_first=is_first) == expected
