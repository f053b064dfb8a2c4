"""Published tables become campaigns and come out as they went in; only a description says what they mean."""

import json
import shutil

import pytest

from campaigns import run
from corpora import of, write
from published_tables import imported
from synth_analysis.device_results import devices_in
from synth_campaigns.answers.exported import export_text, put_export
from synth_campaigns.answers.published_tables import import_tables
from synth_campaigns.answers.status import campaign_answer
from synth_campaigns.campaign_file import settings_of
from synth_campaigns.description import description_of
from synth_campaigns.folder import FILE
from synth_campaigns.views.campaign import campaign_lines
from synth_checker.errors import InputError
from synth_corpus.formats.results import read_table

# Rows 1 and 2 of the table are both MUTEX.
SPINNER, MUTEX = "00_0-0011", "01100002-01100002"
TABLE = """Test File Name,alone,all,other,All Passed
0,P,F (3/20),P,F
1,P,F (20/20),P,F
2,P,P,P,P
Total failures:,0,23,0,2"""
DESCRIPTION = """
device = "Phone X"
framework = "Vulkan"
source = "a page"
timeout = 20
tests = "row.corpus"

[cells]
P = "ended"
F = "given up"
launches = 20

[columns.alone]
run = true
mapping = "plain"

[columns.all]
run = true
mapping = "chunked"
instances = 100

[columns.other]
run = false
"""


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A function that writes a table, a description and the tests of the table, and makes a campaign of them."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "row.corpus", of({SPINNER: (1, {"aliases": ["s/0"]}), MUTEX: (1, {"aliases": ["s/1", "s/2"]})}))

    def make(table=TABLE, description=DESCRIPTION):
        (tmp_path / "phone.csv").write_bytes(table.encode())
        (tmp_path / "phone.toml").write_text(description)
        import_tables([tmp_path / "phone.csv"], tmp_path / "phone.toml", tmp_path / "c")
        return tmp_path / "c"

    return make


def test_the_tests_of_a_description_are_looked_for_beside_it(given, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(device_of(given()).cells) == 6


def test_a_table_that_two_campaigns_imported_counts_once(given, tmp_path):
    shutil.move(given(), tmp_path / "first")
    (alone,), (both,) = (devices_in(folders) for folders in ([tmp_path / "first"], [tmp_path / "first", given()]))
    assert [cell.outcomes for cell in both.cells] == [cell.outcomes for cell in alone.cells]
    assert len(both.cells) == 6


def device_of(folder):
    (device,) = campaign_answer(folder).devices
    return device


def claims(folder):
    return {claim.verdict: claim for claim in device_of(folder).claims}


def test_a_table_comes_out_as_it_went_in(given, tmp_path):
    folder = given()
    assert export_text(folder, "csv") == TABLE
    put_export(folder, "csv", "phone.csv", tmp_path / "again.csv", force=False)
    assert (tmp_path / "again.csv").read_bytes() == TABLE.encode()


def test_the_other_layout_comes_out_as_it_went_in_too(given):
    table = TABLE.replace(",0,23,0,2", ",0,2,0,2\n").replace("\n", "\r\n")
    assert not read_table(table, "t").sums_runs
    assert export_text(given(table), "csv") == table


def test_each_row_is_a_cell_for_each_column_that_was_run(given):
    cells = device_of(given()).cells
    assert [(cell.cell.row, cell.cell.heading, cell.cell.test) for cell in cells] == [
        (f"s/{row}", heading, SPINNER if row == 0 else MUTEX) for row in range(3) for heading in ("alone", "all")
    ]
    assert [dict(cell.outcomes) for cell in cells[:3]] == [{"ended": 20}, {"hung": 3, "ended": 17}, {"ended": 20}]
    assert [cell.cell.setting.instances for cell in cells[:2]] == [1, 100]


def test_a_hang_counts_as_confirmed_if_the_time_out_is_known(given, tmp_path):
    claim = claims(given())["fair.strong"]
    assert (claim.status, claim.is_published) == ("violates", True)
    assert [witness.cell.row for witness in claim.witnesses] == ["s/0", "s/1"]
    told = "\n".join(campaign_lines(campaign_answer(tmp_path / "c")))
    assert "published:Phone X: Phone X through Vulkan, as published in a page\n" in told
    assert f"violates         {SPINNER} under chunked hung in 3 of 20 launches, and 1 more cell, as published\n" in told


def test_without_a_time_out_a_hang_is_not_confirmed(given):
    claim = claims(given(description=DESCRIPTION.replace("timeout = 20\n", "")))["fair.strong"]
    assert (claim.status, claim.witnesses) == ("inconclusive", ())
    assert "3 hung, but no hang is confirmed" in claim.because


def test_f_without_counts_is_at_least_one_launch(given, tmp_path):
    table = TABLE.replace("F (3/20)", "F").replace("0,23,0,2", "0,21,0,2")
    folder = given(table)
    assert export_text(folder, "csv") == table
    cell = device_of(folder).cells[1]
    assert (dict(cell.outcomes), cell.is_least) == ({"hung": 1}, True)
    told = "\n".join(campaign_lines(campaign_answer(tmp_path / "c")))
    assert (
        f"violates         {SPINNER} under chunked hung in at least one launch, and 1 more cell, as published" in told
    )


def test_f_may_stand_for_a_device_that_was_lost(given):
    folder = given(description=DESCRIPTION.replace('"given up"', '"lost"'))
    assert export_text(folder, "csv") == TABLE
    assert claims(folder)["fair.strong"].status == "inconclusive"


def test_threads_that_share_a_workgroup_say_nothing_of_a_verdict(given):
    within = DESCRIPTION.replace("instances = 100", 'instances = 100\nacross = "invocations"')
    claim = claims(given(description=within))["fair.strong"]
    assert claim.status == "consistent with"
    assert {cell.cell.heading for cell in claim.cells} == {"alone"}


def test_each_launch_of_a_table_is_only_a_number(given):
    lines = [json.loads(line) for line in export_text(given(), "jsonl").splitlines()]
    assert sum(line["launches"] for line in lines) == 120
    assert {key: lines[1][key] for key in ("test", "row", "heading", "end", "launches", "is_least", "timeout_s")} == {
        "test": SPINNER, "row": "s/0", "heading": "all", "end": "ended", "launches": 17, "is_least": False,
        "timeout_s": 20,
    }  # fmt: skip
    assert "seconds" not in lines[0]


def test_a_table_has_no_result_lines(given):
    with pytest.raises(InputError, match="found no attempt that a result line can tell"):
        export_text(given(), "results")


def test_a_campaign_of_a_table_has_a_file_and_is_not_run(given):
    folder = given()
    settings = settings_of((folder / FILE).read_text())
    assert [run_settings.device for run_settings in settings.runs] == ["published:Phone X"]
    with pytest.raises(InputError, match="it cannot run anything here"):
        run(folder)
    assert export_text(folder, "csv") == TABLE


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("framework", "framwork", "found the unknown key 'framwork' (did you mean framework?)"),
        ("run = false", "", "the key 'columns.other.run' is missing"),
        ("run = false", "run = false\nstress = 3", 'columns."other": it was not run, so no other key is allowed'),
        ("[columns.other]", "[columns.othr]", "column: found 'other' (did you mean othr?)"),
        ("[columns.other]\nrun = false", "", "column: found 'other', expected one that the description names"),
        ("[columns.other]", "[columns.more]\nrun = false\n[columns.other]", "column of the description: found 'more'"),
        ('mapping = "chunked"', "", 'columns."all": the key mapping is missing'),
        ('"chunked"', '"chunkd"', "(did you mean chunked?)"),
        ('P = "ended"', 'P = "given up"', "cells.P: found 'given up', expected 'ended'"),
        ("launches = 20", "launches = 0", "cells.launches: found 0, expected at least 1"),
        ("timeout = 20", "timeout = 0", "timeout: found 0, expected at least"),
        ("timeout = 20", "timeout =", "found no TOML"),
        ('source = "a page"', "", "the key 'source' is missing"),
        ('source = "a page"', 'source = " "', "source: found an empty text, expected where the table was published"),
        ('mapping = "plain"', 'mapping = "plain"\ninstances = 2', "found 2 instances, expected 1 under the mapping"),
        ("row.corpus", "none.corpus", "none.corpus"),
        ('tests = "row', 'suite = "t"\ntests = "row', "row.corpus has no test t/0"),
    ],
)  # fmt: skip
def test_what_does_not_fit_a_table_is_refused(given, tmp_path, old, new, told):
    assert old in DESCRIPTION
    with pytest.raises(InputError) as raised:
        given(description=DESCRIPTION.replace(old, new))
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "c").exists()


def test_a_column_that_was_not_run_has_no_hang(given):
    with pytest.raises(
        InputError, match=r"phone.csv:2: found 'F \(3/20\)' under 'all', but the description says that nobody ran it"
    ):
        given(description=DESCRIPTION.replace('run = true\nmapping = "chunked"\ninstances = 100', "run = false"))


def test_a_description_without_a_column_that_was_run_is_refused():
    none = DESCRIPTION.partition("[columns")[0] + "[columns.other]\nrun = false\n"
    with pytest.raises(InputError, match="d: columns: found none that was run"):
        description_of(none, "d")


def test_the_same_table_twice_is_refused(given, tmp_path):
    given()
    table = tmp_path / "phone.csv"
    with pytest.raises(InputError, match="found the same table twice"):
        import_tables([table, table], tmp_path / "phone.toml", tmp_path / "d")


def test_of_several_tables_one_is_chosen(given, tmp_path):
    given()
    (tmp_path / "later.csv").write_text(TABLE.replace("3/20", "4/20").replace("23", "24"))
    import_tables([tmp_path / "phone.csv", tmp_path / "later.csv"], tmp_path / "phone.toml", tmp_path / "d")
    with pytest.raises(InputError, match=r"2 tables; choose one with --table: phone\.csv, later\.csv"):
        export_text(tmp_path / "d", "csv")
    assert export_text(tmp_path / "d", "csv", "phone.csv") == TABLE
    assert "F (4/20)" in export_text(tmp_path / "d", "csv", "later.csv")
    with pytest.raises(InputError, match=r"did you mean later\.csv"):
        export_text(tmp_path / "d", "csv", "latr.csv")


# --- the published tables ---


@pytest.mark.full
@pytest.mark.usefixtures("published")
def test_the_published_tables_come_out_as_they_went_in(tmp_path):
    done = 0
    for table, place in imported(tmp_path):
        assert export_text(place, "csv").encode() == table.read_bytes()
        read = read_table(table.read_bytes().decode(), table.name)
        idle = 2 if "subgroup" in table.stem else 0
        assert len(device_of(place).cells) == len(read.rows) * (len(read.settings) - idle)
        done += 1
    assert done == 22
