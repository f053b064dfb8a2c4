"""The published tables as campaigns. No table says what its columns are, so we describe each."""

import json

from conftest import FOLDER
from synth_campaigns.answers.published_tables import import_tables
from synth_corpus.formats import FORMATS
from synth_corpus.formats.results import read_table
from synth_corpus.imports import import_tests

ROWS = ("2t_2i", "2t_3i")
ACROSS = {4: "subgroups", 5: "invocations"}


def described(table, name, corpus):
    """A description of a published table, made of its first line and of what its name says."""
    rows = [
        f'device = "{name}"\nframework = "unknown"\nsource = "the published data"\ntimeout = 20\ntests = "{corpus}"'
    ]
    rows.append('[cells]\nP = "ended"\nF = "given up"\nlaunches = 20')
    for place, heading in enumerate(table.settings, 1):
        is_run = "subgroup" not in name or place == 1
        mapping = ("plain", "round-robin", "chunked")[place - 1] if place <= 3 else "plain"
        across = "invocations" if "subgroup" in name else ACROSS.get(place, "workgroups")
        more = f'mapping = "{mapping}"\nacross = "{across}"' if is_run else ""
        rows.append(f"[columns.{json.dumps(heading)}]\nrun = {json.dumps(is_run)}\n{more}")
    return "\n".join(rows)


def imported(folder):
    """Make a campaign of each published table, in a folder. Yields the file of each table, and its campaign."""
    for row in ROWS:
        corpus = folder / f"{row}.corpus"
        import_tests([FOLDER / f"{row}.json"], FORMATS["published"], corpus)
        for table in sorted((FOLDER / "devices" / row).glob("*.csv")):
            read = read_table(table.read_bytes().decode(), table.name)
            place = folder / f"{row}-{table.stem}"
            place.with_suffix(".toml").write_text(described(read, table.stem, corpus))
            import_tables([table], place.with_suffix(".toml"), place)
            yield table, place
