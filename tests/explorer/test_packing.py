"""The data of a page: everything that the corpora say, the same bytes each time, and nothing that could be HTML."""

import base64
import hashlib
import json
import re
import zlib

import pytest

import corpora
from names_of_others import HOSTILE, ON_A_PAGE
from synth_backends.target import TARGETS
from synth_corpus.store import Corpus
from synth_explorer.page import page_of, template
from synth_explorer.page_data import packed_data


def unpacked(data):
    digest, _, rest = data.partition("\n")
    assert hashlib.sha256(rest.encode()).hexdigest() == digest
    return [
        (word, json.loads(zlib.decompress(base64.b64decode(text, validate=True))))
        for word, _, text in (line.partition(" ") for line in rest.splitlines())
    ]


def test_the_data_says_of_each_test_what_the_corpora_say():
    given = [Corpus("@complete/2x3"), Corpus("@minimal/3x4")]
    *blocks, (last, code) = unpacked(packed_data(given))
    assert [word for word, _ in blocks] == ["corpus", "corpus"]
    assert last == "code"
    assert code["targets"].keys() == TARGETS.keys()
    for corpus, (_, packed) in zip(given, blocks, strict=True):
        records = list(corpus)
        ids = packed["ids"].split("\n")
        assert ids == [record.id for record in records]
        for row, record in enumerate(records):
            letters = packed["signatures"][packed["signature"][row]]
            assert dict(zip(packed["verdicts"], letters, strict=True)) == {
                name: result[0] for name, result in record.verdicts.items()
            }
            contained = sorted(name for name, rows in packed["contains"].items() if row in rows)
            assert contained == record.more.get("contains", [])
            assert [name for name, rows in packed["idioms"].items() if row in rows] == [
                record.more[key] for key in ["idiom"] if key in record.more
            ]
        assert len(set(packed["names"].split("\n"))) == len(ids)
    full, minimal = (packed for _, packed in blocks)
    assert (full["minimal"], full["behaviour"]) == (None, None)
    assert set(minimal["minimal"]) == {1}
    behaviours = [record.more["behaviour"] for record in given[1]]
    assert len(set(minimal["behaviour"])) == len(set(behaviours))


@pytest.mark.full
def test_the_same_corpora_give_the_same_bytes():
    assert page_of([Corpus("@complete/2x3")]) == page_of([Corpus("@complete/2x3")])


def policy_in(page):
    return re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else():
    def hashed(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    page = template()
    [script] = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy_in(page).split("; ") == [
        "default-src 'none'",
        f"script-src {hashed(script)}",
        f"style-src {hashed(style)}",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    assert page.count("{{data}}") == 1


@pytest.mark.full
def test_no_hostile_name_is_in_the_page(tmp_path):
    corpora.write(tmp_path / "a", corpora.of({"00_0-0011": (3 << 9, {"aliases": HOSTILE})}))
    page = page_of([Corpus(tmp_path / "a")]).decode()
    data = page.partition('id="data">')[2].partition("</script>")[0]
    assert re.fullmatch(r"[0-9a-f]{64}\n(?:[a-z]+ [A-Za-z0-9+/=]+\n)+", data)
    assert unpacked(data)[0][1]["aliases"] == {"0": ON_A_PAGE}
    assert page.replace(data, "{{data}}") == template()
