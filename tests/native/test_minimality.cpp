// Sub-programs, minimality and behaviour, against plain closures; and the parts that they are made of.

#include <map>
#include <set>

#include "minimality/minimality.hpp"
#include "minimality/program_map.hpp"
#include "minimality/relaxations.hpp"
#include "minimality/rewritings.hpp"
#include "minimality/signature_sets.hpp"
#include "plain.hpp"
#include "program/exploration.hpp"
#include "program/normal.hpp"
#include "program/rules.hpp"
#include "transitions/behaviour.hpp"

using namespace testing;

namespace {

// Fair to every live thread.
synth::Automaton fair(int threads) {
    synth::Automaton automaton;
    automaton.threads = threads;
    automaton.steps = automaton.ends = {std::vector<int>(at(threads), 0)};
    automaton.fair.emplace_back();
    for (synth::ThreadSet live = 0; live < synth::ThreadSet{1} << threads; ++live) automaton.fair[0].push_back(live);
    return automaton;
}

std::vector<synth::Judge> judges(int threads) {
    std::vector<synth::Judge> made;
    for (int t = 1; t <= threads; ++t) made.emplace_back(t, std::vector{fair(t)}, std::vector<synth::Forms>{{true, true}});
    return made;
}

// A program in normal form that has some thread.
synth::Program random_form(Random& random, int longest, int locations, int values, bool keep) {
    for (;;) {
        const synth::Program form = synth::normal_form(
            random_program(random, random.from_to(1, 3), longest, random.from_to(1, locations), random.from_to(1, values)),
            keep);
        if (form.threads() > 0) return form;
    }
}

std::set<std::string> all_subprograms(const synth::Program& program, bool keep) {
    synth::Relaxer relaxer(keep);
    std::set<std::string> found;
    std::vector<synth::Program> todo{program};
    while (!todo.empty()) {
        const synth::Program some = todo.back();
        todo.pop_back();
        std::vector<synth::Relaxation> relaxations;
        synth::find_relaxations(some, relaxations);
        for (const synth::Relaxation& relaxation : relaxations) {
            synth::Program relaxed;
            relaxer.relax(some, relaxation, relaxed);
            if (relaxed.threads() > 0 && found.insert(relaxed.id()).second) todo.push_back(relaxed);
        }
    }
    return found;
}

void rewritings_are_the_sub_programs_of_the_same_size() {
    Random random(1);
    for (int k = 0; k < 60; ++k) {
        const bool keep = random.one_in(2);
        const synth::Program program = random_form(random, 2, 3, 3, keep);
        std::set<std::string> expected, found;
        for (const std::string& id : all_subprograms(program, keep)) {
            if (read(id).size() == program.size()) expected.insert(id);
        }
        synth::Rewritings rewritings(0);  // no rule: all of them
        const auto collect = [&](const synth::Program& rewriting) {
            found.insert(synth::normal_form(rewriting, keep).id());
            return false;
        };
        CHECK(!rewritings.any(program, false, collect));
        CHECK(found == expected);
        rewritings.any(program, true, collect);
        expected.insert(program.id());
        CHECK(found == expected);
        CHECK(rewritings.any(program, true, [](const synth::Program&) { return true; }));
    }
}

void no_rewriting_that_keeps_the_rules_is_left_out() {
    Random random(2);
    synth::RuleChecker checker;
    for (int k = 0; k < 200; ++k) {
        const synth::Program program = random_form(random, 2, 2, 3, false);
        const auto rules = static_cast<std::uint32_t>(random.below(synth::meaningful_comparisons));
        std::set<std::string> expected, found;
        const auto collect = [&](std::set<std::string>& ids) {
            return [&](const synth::Program& rewriting) {
                if ((checker.broken(rewriting) & rules) == 0) ids.insert(rewriting.id());
                return false;
            };
        };
        synth::Rewritings(0).any(program, true, collect(expected));
        synth::Rewritings(rules).any(program, true, collect(found));
        CHECK(found == expected);
    }
}

void minimality_is_that_of_the_plain_closure() {
    Random random(3);
    synth::RuleChecker checker;
    long with_some = 0;
    for (const std::uint32_t without : {0U, std::uint32_t{synth::inter_thread_influence | synth::effective_stores},
                                        std::uint32_t{synth::all_branches | synth::meaningful_comparisons}}) {
        const bool keep = (without & synth::meaningful_comparisons) != 0;
        synth::Minimality minimality(without, judges(3));
        std::vector<synth::Judge> plain = judges(3);
        for (int k = 0; k < 60; ++k) {
            const synth::Program program = random_form(random, 2, k % 10 == 0 ? 5 : 2, 2, keep);
            std::set<std::uint64_t> below;
            for (const std::string& id : all_subprograms(program, keep)) {
                const synth::Program some = read(id);
                if ((checker.broken(some) & ~without) == 0) below.insert(plain[at(some.threads() - 1)].passes(checker.lts()));
            }
            for (std::uint64_t signature = 0; signature < 4; ++signature) {
                CHECK(minimality.is_minimal(program, signature) == !below.contains(signature));
            }
            with_some += !below.empty();
        }
        CHECK_THROWS(synth::InputFault, minimality.is_minimal(read("0110-0110-0110-0110"), 0));
    }
    CHECK(with_some > 10);
}

void a_map_finds_what_was_put_into_it() {
    Random random(4);
    synth::ProgramMap map;
    std::map<std::string, synth::ProgramMap::Number> expected;
    const auto put = [&](const synth::Program& program) {
        const auto number = static_cast<synth::ProgramMap::Number>(expected.size());
        const auto [found, is_new] = expected.emplace(program.id(), number);
        CHECK(map.find(program) == (is_new ? synth::ProgramMap::missing : found->second));
        if (is_new) map.insert(program, number);
    };
    // Programs that end with what is packed into the fewest bits are others than those without it.
    for (const char* id : {"0000", "000000_0", "0000-00_0", "000000_000_0", "00_0", "00_000_0"}) put(read(id));
    for (int k = 0; k < 20000; ++k) put(random_form(random, 4, k % 2 ? 2 : 5, k % 3 ? 4 : 6, true));
    for (const auto& [id, number] : expected) CHECK(map.find(read(id)) == number);
    CHECK(map.size() == expected.size() && map.unpacked() > 100 && map.size() > 10 * 1024);
    map.forget_unpacked();
    CHECK(map.unpacked() == 0 && map.find(read("0000-00_0")) == expected["0000-00_0"]);
}

void sets_of_signatures_are_sets() {
    Random random(5);
    synth::SignatureSets sets;
    std::map<std::set<std::uint64_t>, synth::SignatureSets::Set> known{{{}, synth::SignatureSets::none}};
    for (int k = 0; k < 500; ++k) {
        const auto pick = [&] { return std::next(known.begin(), random.below(static_cast<int>(known.size()))); };
        std::set<std::uint64_t> members;
        synth::SignatureSets::Set set;
        if (random.one_in(4)) {
            const auto signature = static_cast<std::uint64_t>(random.below(150));
            members = {signature};
            set = sets.only(signature);
        } else {
            const auto one = pick(), other = pick();
            members = one->first;
            members.insert(other->first.begin(), other->first.end());
            set = sets.unite(one->second, other->second);
        }
        const auto [found, is_new] = known.emplace(members, set);
        CHECK(found->second == set);
        for (std::uint64_t signature = 0; signature < 151; ++signature) {
            CHECK(sets.contains(set, signature) == members.contains(signature));
        }
    }
}

// The class of a state of the plain LTS: two are in one if nothing tells them apart.
std::vector<std::vector<bool>> plainly_apart(const PlainLts& lts) {
    std::vector<std::vector<bool>> apart(at(lts.size()), std::vector<bool>(at(lts.size())));
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t one = 0; one < apart.size(); ++one) {
            for (std::size_t other = 0; other < apart.size(); ++other) {
                if (apart[one][other]) continue;
                bool seen = false;
                for (std::size_t t = 0; t < lts.next[one].size(); ++t) {
                    const int to = lts.next[one][t], there = lts.next[other][t];
                    const bool ended = to == PlainLts::none, has = there == PlainLts::none;
                    seen = seen || ended != has || (!ended && apart[at(to)][at(there)]);
                }
                apart[one][other] = seen;
                grows = grows || seen;
            }
        }
    }
    return apart;
}

// Follow the form and the plain LTS side by side.
void a_behaviour_is_the_minimised_automaton() {
    Random random(6);
    synth::Exploration exploration;
    synth::Behaviour behaviour;
    for (int k = 0; k < 60; ++k) {
        const synth::Program program = random_program(random, random.from_to(1, 3), 2, 2, 3);
        const PlainLts lts(program);
        const auto apart = plainly_apart(lts);
        const std::vector<std::uint32_t>& form = behaviour.of(exploration.of(program));
        CHECK(form[0] == static_cast<std::uint32_t>(program.threads()));
        std::vector<int> found{0};  // a plain state for each state of the form
        std::size_t word = 2;
        for (std::size_t state = 0; state < form[1]; ++state) {
            CHECK(state < found.size());
            const std::uint32_t live = form[word++];
            for (int t = 0; t < program.threads(); ++t) {
                const int to = lts.next[at(found[state])][at(t)];
                CHECK((to != PlainLts::none) == ((live >> t & 1) != 0));
                if (to == PlainLts::none) continue;
                const std::size_t number = form[word++];
                CHECK(number <= found.size());  // numbered as they come
                if (number == found.size()) found.push_back(to);
                CHECK(!apart[at(found[number])][at(to)]);
            }
        }
        CHECK(word == form.size() && found.size() == form[1]);
        for (const int one : found) {
            for (const int other : found) CHECK(one == other || apart[at(one)][at(other)]);
        }
    }
}

}  // namespace

int main() {
    rewritings_are_the_sub_programs_of_the_same_size();
    no_rewriting_that_keeps_the_rules_is_left_out();
    minimality_is_that_of_the_plain_closure();
    a_map_finds_what_was_put_into_it();
    sets_of_signatures_are_sets();
    a_behaviour_is_the_minimised_automaton();
}
