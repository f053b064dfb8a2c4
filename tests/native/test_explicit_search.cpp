// The explicit search of random shapes under random rules, against trying every program of the shape with the core. Prints
// the paths that the processor has, which all were compared.

#include <algorithm>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

#include "check.hpp"
#include "program/normal.hpp"
#include "program/rules.hpp"
#include "search/explicit_search.hpp"

using namespace testing;

namespace {

constexpr std::uint32_t can_be_dropped = synth::inter_thread_influence | synth::all_branches | synth::effective_stores |
                                         synth::meaningful_comparisons;

// Locations named by first use.
synth::Shape random_shape(Random& random, int most) {
    synth::Shape shape;
    int named = 0;
    const int threads = random.from_to(1, 3);
    for (int t = 0, left = most; t < threads && left > 0; ++t) {
        const int size = random.from_to(1, left);
        left -= size;
        auto& thread = shape.emplace_back();
        for (int pc = 0; pc < size; ++pc) {
            thread.push_back(random.from_to(0, named));
            named = std::max(named, thread.back() + 1);
        }
    }
    return shape;
}

std::set<std::string> all_tests(const synth::Shape& shape, int values, std::uint32_t without) {
    synth::RuleChecker checker;
    std::set<std::string> found;
    std::vector<std::vector<synth::Instruction>> code;
    for (const auto& thread : shape) code.emplace_back(thread.size());
    const auto fill_in = [&](auto& self, std::size_t t, std::size_t pc) -> void {
        if (t == shape.size()) {
            synth::Program program;
            for (const auto& thread : code) program.append_thread(thread);
            const bool keep = without & synth::meaningful_comparisons;
            if (synth::normal_form(program, keep).id() != program.id()) return;
            if (!(checker.broken(program) & ~without)) found.insert(program.id());
            return;
        }
        if (pc == shape[t].size()) return self(self, t + 1, 0);
        const int end = static_cast<int>(shape[t].size());
        for (int check = 0; check < values; ++check) {
            for (int exch = synth::no_exchange; exch < values; ++exch) {
                for (int target = 0; target <= end; ++target) {
                    code[t][pc] = instruction(shape[t][pc], check, exch, target);
                    self(self, t, pc + 1);
                }
            }
        }
    };
    fill_in(fill_in, 0, 0);
    return found;
}

synth::RulesInForce in_force(std::uint32_t without) {
    return {.inter_thread_influence = !(without & synth::inter_thread_influence),
            .all_branches = !(without & synth::all_branches),
            .effective_stores = !(without & synth::effective_stores),
            .meaningful_comparisons = !(without & synth::meaningful_comparisons)};
}

std::vector<int> all_threads(const synth::Shape& shape) {
    std::vector<int> order;
    for (int t = 0; t < static_cast<int>(shape.size()); ++t) order.push_back(t);
    return order;
}

void random_shapes() {
    Random random(1);
    std::size_t most = 0;
    for (int k = 0; k < 80; ++k) {
        const synth::Shape shape = random_shape(random, random.one_in(16) ? 3 : 2);
        const int values = random.from_to(1, 3);
        const std::uint32_t without = random.one_in(4) ? 0 : static_cast<std::uint32_t>(random.below(0x80)) & can_be_dropped;
        const auto expected = all_tests(shape, values, without);
        const auto search = synth::ExplicitSearch::make(shape, values, in_force(without), {all_threads(shape)});
        std::string ids;
        while (search->advance(static_cast<std::uint64_t>(random.from_to(1, 50)), &ids)) {}
        std::multiset<std::string> found;
        std::istringstream lines(ids);
        for (std::string id; std::getline(lines, id);) found.insert(id);
        CHECK(std::multiset(expected.begin(), expected.end()) == found);
        CHECK(search->found() == found.size());
        most = std::max(most, found.size());
    }
    CHECK(most > 20);
}

// The parts of a search, and those of its parts, have each test once; and so has what is searched in small steps.
void random_cuts() {
    Random random(2);
    std::size_t most = 0;
    bool several = false;
    for (int k = 0; k < 100; ++k) {
        const synth::Shape shape = random_shape(random, random.from_to(2, 4));
        const int values = random.from_to(1, 3);
        const std::uint32_t without = random.one_in(2) ? 0 : static_cast<std::uint32_t>(random.below(0x80)) & can_be_dropped;
        const auto found_in = [&](const std::vector<synth::Cut>& cuts) {
            const auto search = synth::ExplicitSearch::make(shape, values, in_force(without), {all_threads(shape)}, cuts);
            std::string ids;
            while (search->advance(static_cast<std::uint64_t>(random.from_to(1, 50)), &ids)) {}
            std::multiset<std::string> found;
            std::istringstream lines(ids);
            for (std::string id; std::getline(lines, id);) found.insert(id);
            return found;
        };
        const auto expected = found_in({});
        const synth::Cut first{random.from_to(1, 6), 0, static_cast<std::uint64_t>(random.from_to(1, 5))};
        const synth::Cut second{first.depth + random.from_to(1, 4), 0, static_cast<std::uint64_t>(random.from_to(1, 3))};
        std::multiset<std::string> found;
        for (std::uint64_t i = 0; i < first.of; ++i) {
            const auto part = found_in({{first.depth, i, first.of}});
            std::multiset<std::string> of_parts;
            for (std::uint64_t j = 0; j < second.of; ++j) {
                of_parts.merge(found_in({{first.depth, i, first.of}, {second.depth, j, second.of}}));
            }
            CHECK(of_parts == part);
            several = several || (part.size() > 1 && part.size() < expected.size());
            found.insert(part.begin(), part.end());
        }
        CHECK(found == expected);
        most = std::max(most, found.size());
    }
    CHECK(most > 20);
    CHECK(several);
}

// Each path that the processor has finds what the search one by one finds: in all orders of the threads, in parts, in
// small steps, and whether a set of states takes one word, two or four.
void all_paths() {
    Random random(3);
    const std::vector<synth::Shape> wide = {{{0, 1}, {1, 0}, {0}, {1}}, {{0, 1, 1}, {1, 0, 0}}, {{0, 1}, {0}, {2}, {1, 2}},
                                            {{0, 0}, {0, 1}, {1}}};
    std::size_t most = 0;
    for (std::size_t k = 0; k < 60; ++k) {
        const synth::Shape shape = k < wide.size() ? wide[k] : random_shape(random, random.from_to(2, 4));
        std::vector<std::vector<int>> orders{all_threads(shape)};
        while (std::ranges::next_permutation(orders.emplace_back(orders.back())).found) {}
        orders.pop_back();
        std::vector<synth::Cut> cuts;
        if (k < wide.size()) {
            cuts = {{4, 1, 40}};
        } else if (random.one_in(2)) {
            cuts = {{random.from_to(1, 5), 0, static_cast<std::uint64_t>(random.from_to(1, 3))}};
        }
        const auto steps = static_cast<std::uint64_t>(random.from_to(1, 2000));
        const auto found_by = [&](std::string_view path) {
            const auto search = synth::ExplicitSearch::make(shape, 2, {}, orders, cuts, path);
            const auto counting = synth::ExplicitSearch::make(shape, 2, {}, orders, cuts, path);
            std::string ids;
            while (search->advance(steps, &ids)) {}
            while (counting->advance(steps, nullptr)) {}
            std::multiset<std::string> found;
            std::istringstream lines(ids);
            for (std::string id; std::getline(lines, id);) found.insert(id);
            CHECK(search->found() == found.size() && counting->found() == found.size());
            CHECK(search->numbered() == counting->numbered());
            return found;
        };
        const auto expected = found_by(synth::ExplicitSearch::one_by_one);
        for (const auto& [path, has] : synth::ExplicitSearch::paths()) {
            if (has) {
                CHECK(found_by(path) == expected);
            } else {
                CHECK_THROWS(synth::InputFault, found_by(path));
            }
        }
        most = std::max(most, expected.size());
    }
    CHECK(most > 100);
    CHECK_THROWS(synth::InputFault, synth::ExplicitSearch::make({{0}, {0}}, 2, {}, {{0, 1}}, {}, "abacus"));
}

// No shape with up to the limits' states and values is answered wrongly or reads out of place; larger ones are refused.
void wide_shapes() {
    const auto count = [](const synth::Shape& shape, int values, std::uint64_t steps) {
        const auto search = synth::ExplicitSearch::make(shape, values, {}, {all_threads(shape)});
        search->advance(steps, nullptr);
        return search->found();
    };
    CHECK(count({{0, 0, 0, 0}, {0, 0, 0}, {0, 0}}, 8, 20000) > 0);  // 480 states
    CHECK(count({{0, 1, 0, 1}, {1, 0, 1}, {0, 1}}, 4, 20000) > 0);  // 960 states
    count({{0, 1, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0, 1}}, 4, 20000);  // 1024 states; has found nothing so early
    CHECK_THROWS(synth::LimitFault, count({{0, 1, 0, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 1, 0, 1}}, 4, 1));
    CHECK_THROWS(synth::LimitFault, count({{0}, {0}}, 9, 1));
    CHECK_THROWS(synth::InputFault, synth::ExplicitSearch::make({{0}, {0}}, 2, {}, {{0, 0}}));
    for (const std::vector<synth::Cut>& cuts : std::vector<std::vector<synth::Cut>>{
             {{0, 0, 2}}, {{1, 2, 2}}, {{1, 0, 0}}, {{2, 0, 2}, {2, 0, 2}}}) {
        CHECK_THROWS(synth::InputFault, synth::ExplicitSearch::make({{0}, {0}}, 2, {}, {{0, 1}}, cuts));
    }
}

}  // namespace

int main() {
    random_shapes();
    random_cuts();
    all_paths();
    wide_shapes();
    for (const auto& [path, has] : synth::ExplicitSearch::paths()) {
        if (has) std::cout << path << '\n';
    }
}
