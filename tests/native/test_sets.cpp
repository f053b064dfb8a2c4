// What is decided of many programs in lanes is what is decided of each alone. Prints the paths that this processor has.

#include <iostream>
#include <memory>
#include <vector>

#include "check.hpp"
#include "forms.hpp"
#include "program/packed_program.hpp"
#include "program/rules.hpp"
#include "sets/set_examiner.hpp"
#include "verdicts/orbit_judge.hpp"
#include "verdicts/verdicts.hpp"

using namespace testing;

namespace {

constexpr std::uint32_t in_force = synth::possible_termination | synth::effective_stores;

// Models for a number of threads, which only remember history.
struct Judges {
    Judges(Random& random, int threads) {
        for (int k = random.from_to(1, 3); k > 0; --k) {
            automata.push_back(random_automaton(random, threads, random.from_to(1, 3), true));
            forms.push_back({true, random.one_in(2)});
        }
        alone = std::make_unique<synth::Judge>(threads, automata, forms);
        by_orbit = std::make_unique<synth::OrbitJudge>(threads, automata, forms);
        alone_tables = std::make_unique<synth::SetModels>(*alone);
        by_orbit_tables = std::make_unique<synth::SetModels>(*by_orbit);
    }
    std::vector<synth::Automaton> automata;
    std::vector<synth::Forms> forms;
    std::unique_ptr<synth::Judge> alone;
    std::unique_ptr<synth::OrbitJudge> by_orbit;
    std::unique_ptr<synth::SetModels> alone_tables, by_orbit_tables;
};

// How often something was seen, by which the test knows that it looked at all there is.
struct Seen {
    int taken = 0, refused = 0, words[synth::sets::max_words + 1] = {}, by_orbit = 0, fail = 0, pass = 0, unneeded = 0, comes_back = 0;
};

int words_of(const synth::Program& program) {
    int states = 4;
    for (int t = 0; t < program.threads(); ++t) states *= program.size(t) + 1;
    return states <= 64 ? 1 : states <= 128 ? 2 : 4;
}

void check_programs(Random& random, synth::sets::Decide decide, Seen& seen) {
    struct Taken {
        synth::Program program;
        const Judges* judges;
        bool by_orbit;
    };
    std::vector<std::unique_ptr<Judges>> judges;
    for (int threads = 1; threads <= 5; ++threads) judges.push_back(std::make_unique<Judges>(random, threads));
    synth::RuleChecker rules;
    const std::uint32_t needed = random.one_in(2) ? in_force : 0;
    synth::SetExaminer examiner(needed, decide);
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<Taken> taken;
        for (int k = random.from_to(0, 60); k > 0; --k) {
            const int threads = random.from_to(1, 5);
            const synth::Program program = random_form(random, threads, longest(threads), random.one_in(2));
            const Judges& of_threads = *judges[at(threads) - 1];
            const bool by_orbit = random.one_in(3);
            const auto tables = (by_orbit ? of_threads.by_orbit_tables : of_threads.alone_tables)->tables();
            CHECK(by_orbit || !tables.empty());  // automata in all orders may have too many states
            for (const auto& models : tables) seen.comes_back += models.comes_back;
            if (examiner.take(*synth::PackedProgram::of(program), tables)) {
                taken.push_back({program, &of_threads, by_orbit});
            } else {
                ++seen.refused;
            }
            if (random.one_in(20)) examiner.finish();
        }
        if (turn == 1) {  // what waits is forgotten
            examiner.forget();
            continue;
        }
        examiner.finish();
        for (std::size_t k = 0; k < taken.size(); ++k) {
            const synth::Program& program = taken[k].program;
            const std::uint32_t broken = rules.broken(program);
            ++seen.words[words_of(program)];
            ++seen.taken;
            const bool is_unneeded = (broken & needed) != 0;
            seen.unneeded += is_unneeded;
            const std::uint32_t known = ~(is_unneeded ? std::uint32_t{synth::non_termination_cycle} : 0);  // a cycle is not looked for
            CHECK((examiner.broken(k) & known) == (broken & known));
            if (is_unneeded) continue;
            const auto found = examiner.passes(k);
            seen.by_orbit += taken[k].by_orbit;
            if (taken[k].by_orbit) {
                const auto& expected = taken[k].judges->by_orbit->judge(rules.lts());
                CHECK(std::vector(found.begin(), found.end()) == expected);
            } else {
                const std::uint64_t expected = taken[k].judges->alone->passes(rules.lts());
                CHECK(found.size() == 1 && found.front() == expected);
                seen.fail += expected == 0;
                seen.pass += expected != 0;
            }
        }
        examiner.forget();
    }
}

void what_cannot_be_taken_is_refused(synth::sets::Decide decide) {
    synth::SetExaminer examiner(0, decide);
    const auto program = *synth::PackedProgram::read("0010-0000");
    CHECK(!examiner.take(program, {}));
    const synth::Judge none(2, {}, {});
    CHECK(!examiner.take(program, synth::SetModels(none).tables()));
    examiner.finish();
    examiner.forget();
}

}  // namespace

int main() {
    CHECK(synth::sets::paths().back().name == "portable" && synth::sets::paths().back().supported);
    for (const auto& [name, decide, supported] : synth::sets::paths()) {
        if (!supported) continue;
        std::cout << name << "\n";
        Random random(11);
        Seen seen;
        for (int k = 0; k < 150; ++k) check_programs(random, decide, seen);
        CHECK(seen.taken > 5000 && seen.refused > 20 && seen.comes_back > 0);
        CHECK(seen.words[1] > 500 && seen.words[2] > 200 && seen.words[4] > 200);
        CHECK(seen.by_orbit > 200 && seen.fail > 200 && seen.pass > 200 && seen.unneeded > 200);
        what_cannot_be_taken_is_refused(decide);
    }
}
