// The two explorations of a program, by index and by hash, against the plain one and each other; the components of the
// graph; reachable_states; and the same programs as tables.

#include <algorithm>
#include <map>
#include <string>

#include "plain.hpp"
#include "program/exploration.hpp"
#include "program/reachability.hpp"
#include "transitions/components.hpp"
#include "transitions/lts.hpp"
#include "transitions/table.hpp"

using namespace testing;

namespace {

// The same program with other names, so high that it goes through the hash map. Its states are found in the same order.
synth::Program with_high_names(const synth::Program& program) {
    synth::Program renamed;
    for (int t = 0; t < program.threads(); ++t) {
        std::vector<synth::Instruction> thread;
        for (const synth::Instruction& i : program.thread(t)) {
            const auto value = [](int v) { return v > 0 ? 36 - v : v; };
            thread.push_back(instruction(35 - i.loc, value(i.check), value(i.exch), i.target));
        }
        renamed.append_thread(thread);
    }
    return renamed;
}

void check_equal(const synth::Exploration& explored, const synth::Exploration& again, const synth::Program& program) {
    const synth::Lts &one = explored.lts(), &other = again.lts();
    CHECK(one.states() == other.states() && one.components() == other.components());
    CHECK(std::ranges::equal(one.cyclic(), other.cyclic()));
    for (int state = 0; state < one.states(); ++state) {
        CHECK(one.live(state) == other.live(state) && one.inside(state) == other.inside(state));
        CHECK(one.component(state) == other.component(state));
        for (int t = 0; t < program.threads(); ++t) {
            if (one.live(state) >> t & 1) CHECK(one.successor(state, t) == other.successor(state, t));
        }
    }
    for (int place = 0; place < program.size(); ++place) CHECK(explored.observed(place) == again.observed(place));
}

// That an Lts is the plain one, its states in another order.
void check_isomorphic(const synth::Lts& lts, const PlainLts& plain) {
    CHECK(lts.states() == plain.size());
    std::vector<int> plain_of(at(lts.states()), -1), lts_of(at(plain.size()), -1), todo{0};
    plain_of[0] = lts_of[0] = 0;
    while (!todo.empty()) {
        const int state = todo.back();
        todo.pop_back();
        const int twin = plain_of[at(state)];
        synth::ThreadSet live = 0;
        for (int t = 0; t < lts.threads(); ++t) {
            const int plain_to = plain.next[at(twin)][at(t)];
            if (plain_to == PlainLts::none) continue;
            live |= synth::ThreadSet{1} << t;
            const int to = lts.successor(state, t);
            CHECK(to == lts.successors(state)[t] && to >= 0 && to < lts.states());
            if (plain_of[at(to)] < 0 && lts_of[at(plain_to)] < 0) {
                plain_of[at(to)] = plain_to;
                lts_of[at(plain_to)] = to;
                todo.push_back(to);
            }
            CHECK(plain_of[at(to)] == plain_to && lts_of[at(plain_to)] == to);
        }
        CHECK(lts.live(state) == live);
    }
    if (plain.size() > 300) return;
    const auto reach = plain.reach();
    std::vector<int> cyclic;
    for (int a = 0; a < lts.states(); ++a) {
        const auto& from_a = reach[at(plain_of[at(a)])];
        synth::ThreadSet inside = 0;
        for (int b = 0; b < lts.states(); ++b) {
            const bool both = a == b || (from_a[at(plain_of[at(b)])] && reach[at(plain_of[at(b)])][at(plain_of[at(a)])]);
            CHECK(both == (lts.component(a) == lts.component(b)));
            if (from_a[at(plain_of[at(b)])] && !both) CHECK(lts.component(a) > lts.component(b));
        }
        for (int t = 0; t < lts.threads(); ++t) {
            if (!(lts.live(a) >> t & 1)) continue;
            if (lts.component(lts.successor(a, t)) == lts.component(a)) inside |= synth::ThreadSet{1} << t;
        }
        CHECK(lts.inside(a) == inside);
        if (inside != 0) cyclic.push_back(lts.component(a));
        CHECK(std::ranges::count(lts.members(lts.component(a)), a) == 1);
    }
    std::ranges::sort(cyclic);
    cyclic.erase(std::ranges::unique(cyclic).begin(), cyclic.end());
    std::vector<int> found = lts.cyclic();
    std::ranges::sort(found);
    CHECK(found == cyclic);
}

// That the observations are the plain ones.
void check_observed(const synth::Exploration& explored, const PlainLts& plain, const synth::Program& program) {
    CHECK(explored.lts().threads() == program.threads());
    for (int place = 0; place < program.size(); ++place) {
        const auto observed = explored.observed(place);
        CHECK(((observed & synth::taken) != 0) == plain.taken[at(place)]);
        CHECK(((observed & synth::not_taken) != 0) == plain.not_taken[at(place)]);
        CHECK(((observed & synth::changed_memory) != 0) == plain.changed[at(place)]);
    }
}

// The plain LTS as a table, with states behind it that nothing leads to.
synth::TransitionTable table_of(const PlainLts& plain) {
    synth::TransitionTable table = plain.next;
    for (int state = 0; state < 2; ++state) table.push_back(std::vector<int>(plain.next.front().size(), plain.size()));
    return table;
}

void check_program(const synth::Program& program, synth::Exploration& by_index, synth::Exploration& by_hash) {
    const PlainLts plain(program);
    check_isomorphic(by_index.of(program), plain);
    check_observed(by_index, plain, program);
    const synth::Program renamed = with_high_names(program);
    check_isomorphic(by_hash.of(renamed), plain);
    check_observed(by_hash, plain, program);
    check_equal(by_index, by_hash, program);
    synth::Exploration fresh;  // what was explored before leaves nothing behind
    fresh.of(renamed);
    check_equal(by_hash, fresh, program);
    check_isomorphic(synth::lts_of(table_of(plain)), plain);
}

void both_searches_find_the_plain_states() {
    Random random(1);
    synth::Exploration by_index, by_hash;
    for (int k = 0; k < 300; ++k) {
        const int threads = random.from_to(1, 3);
        check_program(random_program(random, threads, threads == 3 ? 3 : 5, random.from_to(1, 3), random.from_to(2, 3)),
                      by_index, by_hash);
    }
}

// `count` threads that are all alike.
synth::Program of(int count, const std::string& thread) {
    std::string id = thread;
    for (int t = 1; t < count; ++t) id += "-" + thread;
    return read(id);
}

void both_searches_find_the_plain_states_at_the_limits() {
    std::string longest = "00_z";
    while (longest.size() < 4 * 34) longest += "0010";
    longest += "01_0";
    synth::Exploration by_index, by_hash;
    for (const synth::Program& program : {
             read(""),
             of(1, longest),               // the longest jumps there are
             of(8, "0110"),                // as many threads as are packed into a word,
             of(9, "0110"),                // and one more
             of(6, "001200130011"),        // 2 * 4**6 indices: as many as are tabled,
             of(6, "001200131011"),        // and twice as many
             of(synth::Lts::max_threads, "00_0"),
         }) {
        check_program(program, by_index, by_hash);
    }
    CHECK_THROWS(synth::LimitFault, by_index.of(of(synth::Lts::max_threads + 1, "00_0")));
    CHECK(by_index.of(read("0110")).states() == 2);  // and goes on after a fault
}

void a_table_that_is_no_transition_system_is_refused() {
    const synth::TransitionTable good{{1, 2}, {-1, 3}, {3, -1}, {-1, -1}};
    CHECK(synth::lts_of(good).states() == 4);
    CHECK_THROWS(synth::InputFault, synth::lts_of({}));
    CHECK_THROWS(synth::LimitFault, synth::lts_of({std::vector<int>(33, -1)}));
    const auto refused = [&](std::size_t state, std::vector<int> row) {
        synth::TransitionTable bad = good;
        bad[state] = std::move(row);
        CHECK_THROWS(synth::InputFault, synth::lts_of(bad));
    };
    refused(1, {3});       // no successor for thread 1
    refused(1, {-1, 4});   // no such state
    refused(1, {-2, 3});   // nor this one
    refused(0, {1, 3});    // a step of thread 1 that ends both
    refused(1, {-1, 0});   // a step of thread 1 after which thread 0 is live again
}

void reachable_states_are_the_plain_ones() {
    Random random(2);
    for (int k = 0; k < 200; ++k) {
        const int locations = random.from_to(1, 3), values = random.from_to(1, 3);
        const synth::Program program = random_program(random, random.from_to(1, 3), 3, locations, values);
        const PlainLts plain(program);
        const auto reach = plain.reach();
        std::vector<std::int64_t> states, trapped;
        for (int state = 0; state < plain.size(); ++state) {
            std::int64_t number = 0;
            for (int t = program.threads() - 1; t >= 0; --t) {
                number = number * (program.size(t) + 1) + plain.states[at(state)].pcs[at(t)];
            }
            for (int l = locations - 1; l >= 0; --l) number = number * values + plain.states[at(state)].memory[at(l)];
            states.push_back(number);
            bool can_end = plain.has_ended(state);
            for (int to = 0; to < plain.size(); ++to) can_end = can_end || (reach[at(state)][at(to)] && plain.has_ended(to));
            if (!can_end) trapped.push_back(number);
        }
        std::ranges::sort(states);
        std::ranges::sort(trapped);
        const synth::Reachability found = synth::reachable_states(program, locations, values);
        CHECK(found.states == states && found.trapped == trapped);
    }
    CHECK_THROWS(synth::InputFault, synth::reachable_states(read("10_0"), 1, 2));
    CHECK_THROWS(synth::InputFault, synth::reachable_states(read("0200"), 1, 2));
    CHECK_THROWS(synth::LimitFault, synth::reachable_states(read("0110"), 36, 36));
}

void components_of_any_graph() {
    Random random(3);
    synth::Components components;
    for (int k = 0; k < 300; ++k) {
        const int nodes = random.from_to(0, 12), labels = random.from_to(1, 3);
        std::vector<std::vector<int>> to(at(nodes));
        std::vector<std::vector<bool>> reach(at(nodes), std::vector<bool>(at(nodes)));
        for (int node = 0; node < nodes; ++node) {
            for (int label = 0; label < labels; ++label) to[at(node)].push_back(random.from_to(-1, nodes - 1));
            reach[at(node)][at(node)] = true;
        }
        for (int round = 0; round < nodes; ++round) {
            for (int a = 0; a < nodes; ++a) {
                for (const int b : to[at(a)]) {
                    for (int c = 0; b >= 0 && c < nodes; ++c) reach[at(a)][at(c)] = reach[at(a)][at(c)] || reach[at(b)][at(c)];
                }
            }
        }
        components.find(nodes, [=](int) { return (1U << labels) - 1; },
                        [&](int node, int label) { return to[at(node)][at(label)]; });
        std::size_t members = 0;
        for (int c = 0; c < components.count(); ++c) {
            members += components.members(c).size();
            for (const int node : components.members(c)) CHECK(components.of(node) == c);
        }
        CHECK(members == at(nodes));
        for (int a = 0; a < nodes; ++a) {
            for (int b = 0; b < nodes; ++b) {
                if (!reach[at(a)][at(b)]) continue;
                CHECK(reach[at(b)][at(a)] ? components.of(a) == components.of(b) : components.of(a) > components.of(b));
            }
        }
    }
}

}  // namespace

int main() {
    both_searches_find_the_plain_states();
    both_searches_find_the_plain_states_at_the_limits();
    a_table_that_is_no_transition_system_is_refused();
    reachable_states_are_the_plain_ones();
    components_of_any_graph();
}
