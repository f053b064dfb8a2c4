// Sets of ids against std::set of strings, and the lines made of them against plain concatenation.

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "check.hpp"
#include "lines/id_set.hpp"
#include "lines/line_writer.hpp"
#include "lines/lines.hpp"
#include "lines/signatures.hpp"

using namespace testing;

namespace {

std::string random_id(Random& random, int threads, int longest) {
    return random_program(random, random.from_to(1, threads), longest, 3, 3).id();
}

void check_equal(const synth::IdSet& found, const std::set<std::string>& expected) {
    CHECK(found.size() == expected.size());
    std::size_t place = 0;
    for (const std::string& id : expected) {
        CHECK(found[place] == id);
        CHECK(found.lower_bound(id) == place);
        CHECK(found.lower_bound(id + "!") == place + 1);
        ++place;
    }
    CHECK(found.lower_bound("") == 0 && found.lower_bound("zzzzzz") == expected.size());
}

void ids_are_sorted_as_strings_and_each_kept_once() {
    Random random(1);
    for (int k = 0; k < 60; ++k) {
        const int count = random.one_in(4) ? random.below(4000) : random.below(60);
        const int threads = random.from_to(1, 4), longest = random.from_to(1, 5);
        std::set<std::string> expected;
        synth::IdCollector collector;
        std::string lines;
        for (int one = 0; one < count; ++one) {
            const std::string id = random_id(random, threads, longest);
            expected.insert(id);
            (lines += id) += '\n';
            if (!random.one_in(3)) continue;
            lines.shrink_to_fit();
            collector.add(lines);
            lines.clear();
        }
        collector.add(lines);
        CHECK(collector.size() == at(count));
        const synth::IdSet found = collector.sorted();
        check_equal(found, expected);
        CHECK(collector.size() == 0);
        collector.add(found);
        collector.add("0110-0110-0110-0110-0110-0110\n");  // longer than any so far: all rows are made anew
        expected.insert("0110-0110-0110-0110-0110-0110");
        check_equal(collector.sorted(), expected);
    }
    check_equal(synth::IdCollector().sorted(), {});
    check_equal(synth::IdSet(), {});
}

void what_is_no_id_is_refused_and_what_stood_before_it_kept() {
    for (const char* wrong : {"\n", "0\n", "0110\n\n", "0110", "0110\n00_0", "0110\n0112\n", "0110\n\xff\xff\xff\xff\n"}) {
        const std::vector<char> copy(wrong, wrong + std::string_view(wrong).size());
        synth::IdCollector collector;
        CHECK_THROWS(synth::InputFault, collector.add({copy.data(), copy.size()}));
        CHECK(collector.size() == at(std::string_view(wrong).starts_with("0110\n") ? 1 : 0));
    }
}

void splits_are_counted() {
    synth::IdCollector collector;
    collector.add("0110-00_0\n0110-0110\n01100110\n0110-01100110\n");
    const auto splits = collector.sorted().splits();
    CHECK((splits == std::map<std::vector<int>, std::uint64_t>{{{1, 1}, 2}, {{2}, 1}, {{1, 2}, 1}}));
}

void lines_are_made_of_the_pieces() {
    const synth::LinePieces pieces{"<", ">", {"l", "c", "e", "t"}, ";", ",", "|", "$", "no"};
    synth::LineWriter writer(pieces);
    std::string line;
    writer.write("zyx0-00_100_0", line);
    CHECK(line == "<zyx0-00_100_0>l35c34e33t0;|l0c0enot1;,l0c0enot0;$");
}

void signatures_are_counted_and_read_back() {
    Random random(2);
    synth::Signatures signatures(5000);
    std::vector<std::uint64_t> masks;
    for (int k = 0; k < 5000; ++k) masks.push_back(static_cast<std::uint64_t>(random.below(9)) << 60);
    signatures.append(std::span(masks).first(1234));
    signatures.append(std::span(masks).subspan(1234));
    CHECK(signatures.size() == masks.size() && signatures.masks().size() == 9);
    for (std::size_t k = 0; k < masks.size(); ++k) CHECK(signatures[k] == masks[k]);
    for (std::size_t k = 0; k < 9; ++k) {
        CHECK(signatures.counts()[k] == static_cast<std::uint64_t>(std::ranges::count(masks, signatures.masks()[k])));
    }
    CHECK_THROWS(synth::InputFault, signatures.append(std::span(masks).first(1)));
}

void lines_rise_as_bytes_do() {
    CHECK(synth::rising_lines("", "").count == 0 && synth::rising_lines("", "").all);
    CHECK(synth::rising_lines("a\nb\n\xff\n", "").all);
    CHECK(synth::rising_lines("a\nb\n", "a\n").count == 0);
    CHECK(synth::rising_lines("a\nb\nb\nc\n", "").count == 2 && !synth::rising_lines("a\nb\nb\nc\n", "").all);
    CHECK(synth::rising_lines("a\nb", "").count == 1 && !synth::rising_lines("a\nb", "").all);
}

void ids_of_lines_rise() {
    CHECK(synth::ids_rise("", "<", "z"));
    CHECK(synth::ids_rise("<0\"\n<0-\" more\n<_\"\xff\n", "<", ""));
    CHECK(!synth::ids_rise("<0\"\n", "<", "0") && !synth::ids_rise("<0\"\n<0\"\n", "<", ""));
    CHECK(!synth::ids_rise("<0\"", "<", "") && !synth::ids_rise("<\"\n", "<", "") && !synth::ids_rise("<0\n", "<", ""));
    CHECK(!synth::ids_rise(">0\"\n", "<", "") && !synth::ids_rise("\n", "<", "") && !synth::ids_rise("<A\"\n", "<", ""));
}

void texts_part_at_the_end_of_a_line() {
    const std::string block(5000, 'a');
    CHECK(synth::ended_lines("") == 0 && synth::ended_lines("a") == 0 && synth::ended_lines("\n\na\nb") == 3);
    CHECK(synth::common_lines("", "a\n") == 0 && synth::common_lines("ab\n", "aa\n") == 0);
    CHECK(synth::common_lines("a\nb\nc", "a\nb\nd") == 4 && synth::common_lines("a\nb", "a\nb") == 2);
    CHECK(synth::common_lines(block + "\nb\n" + block, block + "\nb\n" + block) == 5003);
    CHECK(synth::common_lines(block + "b\n", block + "\n") == 0);
}

void signatures_stay_with_their_ids() {
    Random random(8);
    for (const int different : {1, 20, 70'000}) {
        std::map<std::string, std::uint64_t> expected;
        synth::IdCollector collector(true);
        std::uint64_t next = 0;
        for (int batch = 0; batch < (different > 1000 ? 70 : 7); ++batch) {
            std::string lines;
            std::vector<std::uint64_t> masks;
            for (int k = 0; k < 1100; ++k) {
                const std::string id = random_id(random, 1 + batch % 4, 5);
                const auto mask = different > 1000 ? next++ : std::uint64_t{7} << random.below(different);
                masks.push_back(expected.try_emplace(id, mask).first->second);
                (lines += id) += '\n';
            }
            collector.add(lines, masks);
        }
        const synth::IdSet found = collector.sorted();
        CHECK(found.size() == expected.size() && found.has_signatures() == (different < 1000));
        std::size_t place = 0;
        std::vector<std::uint64_t> masks;
        for (const auto& [id, mask] : expected) {
            CHECK(found[place++] == id);
            masks.push_back(mask);
        }
        if (found.has_signatures()) CHECK(found.signatures(0, found.size()) == masks);
    }
    synth::IdCollector collector(true);
    const std::vector<std::uint64_t> two{1, 2};
    CHECK_THROWS(synth::InputFault, collector.add("0000\n"));
    CHECK_THROWS(synth::InputFault, collector.add(synth::IdSet()));
    CHECK_THROWS(synth::InputFault, collector.add("0000\n", two));
    CHECK_THROWS(synth::InputFault, collector.add("0000\n0000\n0000\n", two));
}

}  // namespace

int main() {
    signatures_stay_with_their_ids();
    ids_are_sorted_as_strings_and_each_kept_once();
    what_is_no_id_is_refused_and_what_stood_before_it_kept();
    splits_are_counted();
    lines_are_made_of_the_pieces();
    signatures_are_counted_and_read_back();
    lines_rise_as_bytes_do();
    ids_of_lines_rise();
    texts_part_at_the_end_of_a_line();
}
