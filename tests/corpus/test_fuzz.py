"""Test that the readers of records, manifests and corpora accept any input or refuse it in one line."""

import json

import pytest

import corpora
from fuzzing import fuzz, inputs, is_read
from synth_checker.errors import InputError
from synth_corpus.store import MANIFEST, RECORDS, Corpus


@pytest.mark.full
@pytest.mark.parametrize("reader", ["record", "manifest", "tuples", "artifact", "csv", "published", "mustpass"])
def test_anything_is_read_or_refused_in_one_line(reader):
    taken, refused = fuzz(reader, 1000)
    assert min(taken, refused) > (taken + refused) // 50


def test_any_table_of_results_is_read_or_refused_in_one_line():
    """Hardly any that is not right adds up."""
    taken, refused = fuzz("results", 1000)
    assert taken
    assert refused > 900


@pytest.mark.full
@pytest.mark.parametrize("damaged", [MANIFEST, RECORDS])
def test_a_damaged_corpus_is_read_as_it_was_or_refused(damaged, tmp_path):
    lines = corpora.some(40)
    corpora.write(tmp_path / "some.corpus", lines)
    place = tmp_path / "some.corpus" / damaged
    whole = place.read_bytes()

    def read(data):
        place.write_bytes(data)
        assert list(Corpus(tmp_path / "some.corpus").lines()) == lines

    taken = [is_read(read, data) for data in inputs([whole], 300)]
    assert taken[0]
    assert taken.count(False) > 100


def test_a_checksum_of_several_lines_is_told_in_one(tmp_path):
    corpora.write(tmp_path / "some.corpus", corpora.some(3))
    place = tmp_path / "some.corpus" / MANIFEST
    manifest = json.loads(place.read_text("utf-8"))
    place.write_text(json.dumps(manifest | {"sha256": "0\n1"}), "utf-8")
    with pytest.raises(InputError, match=r"expected '0\\n1' as in the manifest$"):
        list(Corpus(tmp_path / "some.corpus").lines())
