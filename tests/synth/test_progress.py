"""Test progress reports: a bar in a terminal, otherwise a line now and then, without the work of earlier runs."""

import contextlib
import io
import time

import pytest

from campaigns import fake
from processes import SYNTH, in_terminal
from synth.cli.shared import progress_bar as progress
from synth.cli.shared.progress_bar import StateLines, progress_bar
from synth_documents.readable import clock_time, duration

#: A Thursday, shortly before noon.
NOW = 1_800_000_000.0 + 3 * 3600 + 30 * 60


@pytest.fixture
def clock(monkeypatch):
    """The time that has passed, as it is set."""
    passed = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: 5.0 + passed[0])
    monkeypatch.setattr(progress.time, "time", lambda: NOW + passed[0])
    monkeypatch.setattr(progress.time, "strftime", lambda form, at=None: STRFTIME(form, at or GMTIME(NOW + passed[0])))
    monkeypatch.setattr(progress.time, "localtime", GMTIME)
    return passed


STRFTIME, GMTIME = time.strftime, time.gmtime


def test_without_a_terminal_a_line_says_how_far_it_is_how_fast_and_when_it_is_done(clock, capsys):
    with progress_bar("2x6", "shard", done=10, tests=1000) as bar:
        bar(10, 100, 1000)
        clock[0] = 29.9
        bar(12, 100, 1500)
        assert capsys.readouterr().err == ""
        clock[0] = 30.0
        bar(13, 100, 4000)
    # Three shards and 3000 tests in half a minute; 87 are left.
    assert capsys.readouterr() == (
        "",
        "2027-01-15 11:30:30 2x6: 13 of 100 shards (13%); 4,000 tests, 100 tests/s; 14 min left, done at 11:45\n",
    )


def test_lines_become_rare(clock, capsys):
    with progress_bar("2x6") as bar:
        for second in range(3 * 24 * 3600 // 10):
            clock[0] = 10.0 * second
            bar(second, 10**6, second)
    lines = capsys.readouterr().err.splitlines()
    assert 300 < len(lines) < 500
    assert [line.split()[1] for line in lines[:4]] == ["11:30:30", "11:31:30", "11:33:30", "11:37:30"]


def test_nothing_is_foreseen_before_anything_is_done(clock, capsys):
    with progress_bar("2x6", "shard", done=10) as bar:
        clock[0] = 100.0
        bar(10, 100, 0)
    assert capsys.readouterr().err == "2027-01-15 11:31:40 2x6: 10 of 100 shards (10%)\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_does_not_take_what_was_done_before_for_speed(monkeypatch):
    now = [NOW]
    monkeypatch.setattr("time.time", lambda: now[0])
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with progress_bar("2x6", "shard", done=50, tests=7) as bar:
        bar(50, 100, 7)
        for done in range(51, 61):
            now[0] += 10.0
            bar(done, 100, 7)
    last = screen.getvalue().split("\r")[-3 if screen.getvalue().endswith("\r") else -2]
    assert "60/100" in last
    assert "10.00s/shard" in last
    assert "06:40<" not in last
    assert "<06:40" in last  # 40 are left


@pytest.mark.full
def test_in_a_terminal_the_bar_says_that_a_job_is_sampled_before_it_starts(tmp_path):
    words = ["job", "start", "--bounds", "2x4", "--jobs", "1", "it.job"]
    with in_terminal([SYNTH, *words], cwd=tmp_path) as (process, screen):
        said = b""
        try:
            while some := screen.read(4096):
                said += some
        except OSError:  # so ends a terminal that nobody writes to any more
            pass
        assert process.wait() == 0
    assert b"2x4: running samples before the job starts" in said
    assert b"shard/s" not in said or said.index(b"running samples") < said.index(b"shard/s")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.04, "0.0 s"), (9.96, "10.0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (2e5, "2 d")],
)
def test_a_time_is_said_in_a_unit_of_which_there_are_two(seconds, said):
    assert duration(seconds) == said


@pytest.mark.usefixtures("clock")
def test_a_time_of_another_day_has_its_date():
    assert clock_time(60.0) == "11:31"
    assert clock_time(86400.0) == "2027-01-16 11:30"
    assert clock_time(1e300).startswith("3026")


def test_a_campaign_says_how_many_cells_hung_so_far(monkeypatch, capsys):
    monkeypatch.setattr("synth.cli.shared.progress_bar._FIRST_S", 0.0)
    with progress_bar("campaign", "cell", hung=True) as progress:
        progress(3, 9, 2)
    assert "campaign: 3 of 9 cells (33%); 2 hung; " in capsys.readouterr().err


@pytest.mark.full
def test_a_campaign_says_which_cell_runs_and_how_much_time_is_left(monkeypatch, synth):
    monkeypatch.setattr("synth.cli.shared.progress_bar._FIRST_S", 0.0)
    monkeypatch.setattr("synth.cli.shared.progress_bar._LONGEST_S", 0.0)
    words = ["--device", "sim:strided", "--mapping", "plain,chunked", "--instances", "50", "--launches", "3"]
    ran = synth("campaign", "run", *words, "0010-000001_0", "00_0-0011", "--out", "it")
    lines = [line.partition(" campaign: ")[2] for line in ran.err.splitlines()]
    for test in ("0010-000001_0", "00_0-0011"):
        for mapping in ("plain", "chunked"):
            assert any(line.endswith(f"; now {test} under {mapping}") for line in lines), lines
    assert lines[0] == "0 of 4 cells (0%); 0 hung"
    assert any(" left, done at " in line and "; now " in line for line in lines)
    assert lines[-1].startswith("4 of 4 cells (100%); 2 hung; ")


@pytest.mark.full
def test_in_a_terminal_a_campaign_says_which_cell_runs(tmp_path):
    device, _ = fake(tmp_path / "fake", {"0010-000001_0": "hangs"}, pace=1)
    words = ["--device", device, "--mapping", "plain", "--confirm", "1", "--timeout", "1", "0010-000001_0"]
    with in_terminal([SYNTH, "campaign", "run", *words, "--after-hang", "1"], cwd=tmp_path) as (process, screen):
        said = b""
        with contextlib.suppress(OSError):  # so ends a terminal that nobody writes to any more
            while some := screen.read(4096):
                said += some
        assert process.wait() == 0
    assert b"0/1" in said
    assert b"0010-000001_0 under plain" in said
    assert b"hung=1, 0010-000001_0 under plain" in said


def test_a_search_of_states_says_how_many_it_finds_a_second(clock, capsys):
    lines = StateLines("k.cl")
    clock[0] = 29.0
    lines.states(1_000_000)
    assert capsys.readouterr().err == ""
    clock[0] = 40.0
    lines.states(10_000_000)
    assert capsys.readouterr().err == "2027-01-15 11:30:40 k.cl: 10,000,000 states, 250,000 states/s\n"
    clock[0] = 50.0
    lines.states(10)  # another launch
    clock[0] = 111.0
    lines.states(6_100)
    assert capsys.readouterr().err == "2027-01-15 11:31:51 k.cl: 6,100 states, 100 states/s\n"
