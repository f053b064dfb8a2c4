"""docs/results/measured.md is what its command writes from the archives beside it."""

import sqlite3
import tarfile
from pathlib import Path

import pytest

from scripts import imported

FOLDER = Path(__file__).parents[2] / "docs" / "measured"


@pytest.fixture(scope="module")
def measured():
    return imported(FOLDER / "measured.py")


@pytest.mark.full
def test_the_page_is_what_the_command_writes(measured):
    assert measured.page() == measured.PAGE.read_text()


@pytest.mark.full
def test_an_archive_has_the_campaign_and_no_more_of_the_system_than_its_family(measured, synth, tmp_path, monkeypatch):
    folder = tmp_path / "c"
    synth("campaign", "run", "00_0-0011", "--device", "sim", "--mapping", "plain", "--out", folder)
    with sqlite3.connect(folder / "results.sqlite") as database:
        database.execute("""UPDATE device SET host = 'Linux 6.1 x86_64', told = '{"os":"Linux 6.1 x86_64"}'""")
    monkeypatch.setattr(measured, "FOLDER", tmp_path)
    measured.add(folder, "sim")
    with tarfile.open(tmp_path / "sim.tar.xz") as archive:
        assert [entry.name for entry in archive] == ["sim", "sim/campaign.toml", "sim/results.sqlite"]
        assert all((entry.uid, entry.uname) == (0, "") for entry in archive)
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path / "new")  # noqa: S202  (made by the line above)
    with sqlite3.connect(tmp_path / "new" / "sim" / "results.sqlite") as database:
        assert database.execute("SELECT host, told FROM device").fetchall() == [("Linux", '{"os":"Linux"}')]
    (campaign,) = measured.measured()
    assert (campaign.name, [cell.counted for cell in campaign.device.results.cells]) == ("sim", [20])
