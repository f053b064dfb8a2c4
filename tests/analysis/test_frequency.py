"""How often tests hang: never, sometimes or always."""

import csv
from dataclasses import replace

import pytest

from campaigns import run, settings
from published_tables import imported
from synth_analysis.device_results import devices_in
from synth_analysis.frequency import FREQUENCIES, frequency_of, frequency_table
from synth_campaigns.cell_result import CellResult
from synth_corpus.formats.results import read_table

ONE, OTHER = "00_0-0011", "0011-00_0"


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        ({"ended": 20}, "never"),
        ({"ended": 1, "hung": 19}, "sometimes"),
        ({"hung": 1}, "always"),
        ({"hung": 3, "slow": 2}, "always"),
        ({"ended": 3, "lost": 2}, "never"),
        ({"slow": 4, "lost": 1}, "no result"),
        ({}, "not run"),
    ],
)
def test_the_word_depends_on_the_launches_that_ended_or_hung(outcomes, word):
    assert frequency_of(CellResult(1, None, outcomes, 0)) == word


def test_a_number_of_hangs_that_nobody_knows_is_at_least_one():
    assert frequency_of(CellResult(1, None, {"hung": 1}, 0, is_least=True)) == "at least once"


def test_where_launches_were_deleted_nobody_knows_that_nothing_ran():
    assert frequency_of(CellResult(1, None, {}, 0, is_cut=True)) == "no result"


def rows_of(*folders):
    table = frequency_table(devices_in(folders))
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.mark.full
def test_launches_of_the_same_cell_in_two_campaigns_are_never_added_up(tmp_path):
    asked = settings("sim", [ONE, OTHER], mappings=["chunked"])
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        run(folder, asked)
    (alone,), both = rows_of(folders[0]), rows_of(*folders)
    assert (alone["cells"], alone["never"], alone["always"], alone["launches"]) == (2, 1, 1, 2)
    assert both == [alone | {"setting": f"chunked, in {folder}"} for folder in folders]
    assert rows_of(folders[0], folders[0]) == [alone]


@pytest.mark.full
def test_settings_that_differ_are_rows_that_differ(tmp_path):
    run(tmp_path / "a", settings("sim", [ONE], mappings=["plain", "chunked"]))
    run(tmp_path / "b", settings("sim", [ONE], mappings=["chunked"], instances=100))
    run(tmp_path / "c", settings("sim:serial", [ONE], mappings=["chunked"], busy=1))
    assert [(row["device"], row["setting"], row["always"]) for row in rows_of(*map(tmp_path.joinpath, "abc"))] == [
        ("sim", "plain", 0),
        ("sim", "chunked", 1),
        ("sim", "chunked, 100 instances", 1),
        ("sim:serial", "chunked, 1 busy process", 1),
    ]


def words_of(text):
    """The count of each word in each column of a published table, by a few lines that share no code with us."""
    head, *rows = csv.reader(text.splitlines())
    found = {}
    for place, heading in enumerate(head[1:-1], 1):
        counts = dict.fromkeys(("never", "sometimes", "always"), 0)
        for row in rows[:-1]:
            hung, _, runs = row[place].strip("F( )").partition("/")
            counts["never" if row[place] == "P" else "always" if hung == runs else "sometimes"] += 1
        found[heading] = counts
    return found


@pytest.mark.full
@pytest.mark.usefixtures("published")
def test_the_published_tables_give_the_counts_that_they_hold(tmp_path):
    done = 0
    for table, folder in imported(tmp_path):
        expected = words_of(table.read_text())
        (device,) = devices_in([folder])
        by_heading = {
            heading: frequency_table(
                [replace(device, cells=[cell for cell in device.cells if cell.cell.heading == heading])]
            )
            for heading in read_table(table.read_bytes().decode(), "t").settings
        }
        for heading, found in by_heading.items():
            if not found.rows:  # nobody ran it
                assert set(expected[heading].values()) == {0, sum(expected[heading].values())}
                continue
            (row,) = found.rows
            counts = dict(zip(found.columns, row, strict=True))
            assert {word: counts[word] for word in FREQUENCIES} == expected[heading] | {
                "at least once": 0,
                "no result": 0,
                "not run": 0,
            }
        assert {cell.cell.heading for cell in device.cells} <= set(expected)
        done += 1
    assert done == 22
