"""Test reading raw lines: damage is reported with file and line, and no caller uses damaged lines."""

import json
import random

import pytest
import zstandard

import corpora
from processes import wait_for
from synth_checker.errors import InputError
from synth_corpus import record_batches
from synth_corpus.differences import differences
from synth_corpus.merge import merge
from synth_corpus.parts import more_in, split_record, verdicts_in, with_more
from synth_corpus.record_batches import Digest, id_of, lines_of, raw_batches
from synth_corpus.sample import sample
from synth_corpus.selection import Selection
from synth_corpus.store import RECORDS, Corpus

LINES = [line.encode() for line in corpora.some(40)]


@pytest.fixture
def folder(tmp_path):
    """A corpus."""
    corpora.write(tmp_path / "it.corpus", corpora.some(40))
    return tmp_path / "it.corpus"


@pytest.mark.parametrize("chunk", [1, 100, 1000, 1 << 19])
def test_batches_are_the_lines_and_their_numbers_however_much_is_read_at_a_time(folder, monkeypatch, chunk):
    monkeypatch.setattr(record_batches, "_CHUNK", chunk)
    batches = list(Corpus(folder).batches())
    assert [line + b"\n" for line in lines_of(batches)] == LINES
    numbers = [1]
    for batch in batches:
        assert batch.number == numbers[-1]
        numbers.append(batch.number + len(batch.lines))
    assert len(batches) > 1 or chunk > 1000


def test_the_digest_is_of_all_that_was_read(folder):
    digest = Digest()
    assert sum(len(batch.lines) for batch in raw_batches(folder / RECORDS, digest)) == digest.lines == 40
    assert digest.sha256 == Corpus(folder).manifest.sha256


def test_the_id_is_read_off_the_head():
    assert [id_of(line) for line in LINES] == [json.loads(line)["id"].encode() for line in LINES]


def test_a_record_is_cut_where_its_keys_are():
    line = with_more(LINES[0][:-1], {"aliases": ["ä}", '"verdicts":{']})
    id_, verdicts, more = split_record(line)
    assert id_ == id_of(LINES[0])
    words = json.loads(LINES[0])["verdicts"]
    assert verdicts_in(verdicts) == ("".join(word[0] for word in words.values()), words)
    assert more_in(more) == {"aliases": ["ä}", '"verdicts":{']}
    assert with_more(line, {}) + b"\n" == LINES[0]


def test_half_a_character_is_written_as_json_writes_it():
    line = with_more(LINES[0][:-1], {"name": "\ud800ä"})
    assert line.endswith(b',"name":"\\ud800\\u00e4"}')
    assert with_more(line, {"name": "ä"}).endswith(',"name":"ä"}'.encode())


def swapped(lines):
    return [*lines[:16], lines[17], lines[16], *lines[18:]]


def doubled(lines):
    return [*lines[:17], lines[16], *lines[17:]]


def doubled_with_another_verdict(lines):
    return [*lines[:17], lines[16].replace(b'"fair.strong":"fail"', b'"fair.strong":"pass"'), *lines[17:]]


def without_head(lines):
    return [*lines[:16], lines[16].replace(b'{"id":', b'{ "id":'), *lines[17:]]


def without_id(lines):
    return [*lines[:16], b'{"id":"","threads":[]}\n', *lines[17:]]


def no_id(lines):
    return [*lines[:16], b'{"id":"0000-000","threads":[]}\n', *lines[17:]]


def empty_line(lines):
    return [*lines[:16], b"\n", *lines[16:]]


def cut_off(lines):
    return [*lines[:16], lines[16][:50]]


def one_endless_line(lines):
    return [*lines[:16], b"{" * (3 << 20)]


DAMAGED = [
    (swapped, 18, "found {16} after {17}, expected records sorted by id"),
    (doubled, 18, "found {16} a second time, expected each id once"),
    (doubled_with_another_verdict, 18, "found {16} a second time, expected each id once"),
    (without_head, 17, 'found \'{{ "id":"{16}","threads":[[{{\'..., expected a record'),
    (without_id, 17, 'found \'{{"id":"","threads":[]}}\', expected a record'),
    (no_id, 17, 'found \'{{"id":"0000-000","threads":[]}}\', expected a record'),
    (empty_line, 17, "found '', expected a record"),
    (cut_off, 17, "without a line end, expected a whole record"),
    (one_endless_line, 17, "found a line of more than 1 MB, expected a record"),
]


def edited_by_hand(folder, damage):
    """Whoever edits a file may mend the checksum, too, so that only its lines tell."""
    corpora.edit(folder, damage(LINES))


READERS = {
    "lines": lambda corpus, _: list(corpus.lines()),
    "diff": lambda corpus, whole: list(differences(whole, corpus)),
    "merge": lambda corpus, whole: merge([whole, corpus], whole.folder.parent / "out", dict),
    "sample": lambda corpus, _: list(sample(corpus, 3, 0)),
}


@pytest.mark.full
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("damage", "number", "told"), DAMAGED, ids=[damage.__name__ for damage, _, _ in DAMAGED])
def test_a_damaged_file_is_refused_with_its_line_by_all_who_build_on_it(tmp_path, folder, reader, damage, number, told):
    corpora.write(tmp_path / "whole", corpora.some(40))
    edited_by_hand(folder, damage)
    with pytest.raises(InputError) as raised:
        READERS[reader](Corpus(folder), Corpus(tmp_path / "whole"))
    assert str(raised.value).startswith(f"{folder / RECORDS}:{number}: ")
    assert told.format(*(id_of(line).decode() for line in LINES)) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("keep", "place", "told"),
    [(39, ":40", "found 39 records, expected 40"), (40, "", "found 40 records with the checksum")],
)
def test_what_only_the_end_tells_is_told_there(folder, keep, place, told):
    lines = [*LINES[:-1], LINES[-1].replace(b"fail", b"pass")][:keep]
    (folder / RECORDS).write_bytes(zstandard.compress(b"".join(lines)))
    with pytest.raises(InputError) as raised:
        list(Corpus(folder).lines())
    assert str(raised.value).startswith(f"{folder / RECORDS}{place}: {told}")


def test_wherever_the_lines_are_out_of_order_that_line_is_named(folder, monkeypatch):
    """Also between two batches."""
    monkeypatch.setattr(record_batches, "_CHUNK", 1000)
    rng = random.Random("order")
    for _ in range(20):
        first = rng.randrange(39)
        edited_by_hand(folder, lambda lines, k=first: [*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]])
        with pytest.raises(InputError, match=f":{first + 2}: found {id_of(LINES[first]).decode()} after "):
            list(Corpus(folder).batches())


def test_a_reader_that_leaves_early_leaves_no_thread(folder, monkeypatch):
    import threading

    monkeypatch.setattr(record_batches, "_CHUNK", 1000)
    before = threading.active_count()
    batches = Corpus(folder).batches()
    next(batches)
    batches.close()
    assert wait_for(lambda: threading.active_count() == before)


@pytest.mark.parametrize("end", [b"", b"}", b"}]", b" }", b"};}", b"}}}", b'},"aliases":[]'])
def test_a_record_without_its_end_is_not_cut(end):
    line = LINES[0][: LINES[0].rindex(b"}}")]
    assert split_record(line + b"}}")[2] == b""
    with pytest.raises(InputError, match="expected a compact record with the keys id, threads, verdicts"):
        split_record(line + end)


@pytest.mark.parametrize("reader", READERS)
def test_a_byte_that_is_no_text_is_refused_with_its_line(tmp_path, folder, reader):
    corpora.write(tmp_path / "whole", corpora.some(40))
    named = with_more(LINES[16][:-1], {"idiom": "Ü"}) + b"\n"
    corpora.edit(folder, [*LINES[:16], named, *LINES[17:]])
    assert len(list(Corpus(folder).lines())) == 40
    corpora.edit(folder, [*LINES[:16], named.replace("Ü".encode(), b"\xdc"), *LINES[17:]])
    with pytest.raises(InputError) as raised:
        READERS[reader](Corpus(folder), Corpus(tmp_path / "whole"))
    assert str(raised.value).startswith(f'{folder / RECORDS}:17: found \'{{"id":')
    assert str(raised.value).endswith(" with a byte that is not UTF-8, expected a record")


@pytest.mark.parametrize("reader", ["diff", "sample", "list"])
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"fair.weak":"', b'"fair.weak":"no', "found verdicts '{"),
        (b'"id":"%b"', b'"id":"%b9"', "': expected four base-36 digits for each instruction"),
        (b']],"verdicts"', b']] ,"verdicts"', "expected a compact record"),
    ],
)
def test_a_record_that_is_none_is_told_with_file_and_line(tmp_path, folder, reader, old, new, told):
    corpora.write(tmp_path / "whole", corpora.some(40))
    id_ = id_of(LINES[16])
    line = LINES[16].replace(old.replace(b"%b", id_), new.replace(b"%b", id_))
    assert line != LINES[16]
    edited_by_hand(folder, lambda lines: [*lines[:16], line, *lines[17:]])
    readers = READERS | {"list": lambda corpus, _: list(Selection().of(corpus))}
    with pytest.raises(InputError) as raised:
        readers[reader](Corpus(folder), Corpus(tmp_path / "whole"))
    assert str(raised.value).startswith(f"{folder / RECORDS}:17: ")
    assert told in str(raised.value)
