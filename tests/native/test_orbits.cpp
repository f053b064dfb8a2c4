// What is decided of a whole orbit at once is what is decided of each of its programs alone.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "check.hpp"
#include "examination/examiner.hpp"
#include "forms.hpp"
#include "minimality/minimal_filter.hpp"
#include "minimality/packed_rewritings.hpp"
#include "minimality/relaxations.hpp"
#include "minimality/rewritings.hpp"
#include "minimality/shared_orbits.hpp"
#include "program/exploration.hpp"
#include "program/normal.hpp"
#include "program/packed_program.hpp"
#include "program/rules.hpp"
#include "verdicts/orbit_judge.hpp"
#include "work/work.hpp"

using namespace testing;

namespace {

synth::Program in_order(const synth::Program& program, const synth::Orders::Order& order) {
    synth::Program permuted;
    for (int place = 0; place < program.threads(); ++place) permuted.append_thread(program.thread(order[at(place)]));
    return synth::normal_form(permuted, false);
}

// The ids of an orbit.
std::set<std::string> orbit_of(const synth::Program& program) {
    std::set<std::string> ids;
    const synth::Orders& orders = synth::Orders::of(program.threads());
    for (std::size_t k = 0; k < orders.size(); ++k) ids.insert(in_order(program, orders[k]).id());
    return ids;
}

void orders_are_numbered() {
    for (int threads = 0; threads <= synth::Orders::max_threads; ++threads) {
        const synth::Orders& orders = synth::Orders::of(threads);
        std::size_t expected = 1;
        for (int t = 2; t <= threads; ++t) expected *= at(t);
        CHECK(orders.size() == expected && orders.threads() == threads);
        for (std::size_t k = 0; k < orders.size(); ++k) {
            CHECK(orders.number(orders[k]) == k);
            for (int place = 0; k == 0 && place < threads; ++place) CHECK(orders[0][at(place)] == place);
        }
    }
}

void an_orbit_has_one_key_and_a_key_one_orbit() {
    Random random(1);
    std::map<synth::PackedProgram::Word, std::set<std::string>> orbits;
    std::set<std::set<std::string>> different;
    for (int k = 0; k < 600; ++k) {
        const int threads = random.from_to(1, 5);
        const synth::Program program = random_form(random, threads, longest(threads), false);
        const std::set<std::string> ids = orbit_of(program);
        different.insert(ids);
        for (const std::string& id : ids) {
            const synth::PackedProgram packed = *synth::PackedProgram::of(read(id));
            synth::Program unpacked;
            packed.unpack(unpacked);
            CHECK(unpacked.id() == id);
            const synth::PackedProgram::Orbit orbit = packed.orbit();
            CHECK(orbits.try_emplace(orbit.key, ids).first->second == ids);
            const synth::PackedProgram first(orbit.key);
            CHECK(first.orbit().key == orbit.key);
            first.unpack(unpacked);
            CHECK(in_order(unpacked, synth::Orders::of(threads)[synth::order_of(orbit, threads)]).id() == id);
        }
    }
    CHECK(orbits.size() == different.size() && orbits.size() > 300);
    for (const char* id : {"2000", "0200", "0020", "0101-0000", "00_1", "0000-0000-0000-0000-0000-0000",
                           "00000000000000000000000000000000", "0000000000000000-00000000000000000000"}) {
        CHECK(!synth::PackedProgram::of(read(id)));
    }
    // What is read of a text is what is packed of the program.
    int fits = 0;
    const std::string characters = "0123456789_-";
    for (int k = 0; k < 4000; ++k) {
        const int threads = random.from_to(1, 6);
        std::string id = random_program(random, threads, random.from_to(1, 8), random.from_to(1, 3), random.from_to(2, 3)).id();
        if (k % 2 == 0) id = random_form(random, std::min(threads, 5), threads > 4 ? 1 : 2, false).id();
        if (random.one_in(3)) id[at(random.below(static_cast<int>(id.size())))] = characters[at(random.below(12))];
        if (random.one_in(9)) id.resize(at(random.below(static_cast<int>(id.size()) + 1)));
        std::optional<synth::PackedProgram> expected;
        try {
            if (!id.empty()) expected = synth::PackedProgram::of(read(id));
        } catch (const synth::InputFault&) {
        }
        const auto found = synth::PackedProgram::read(id);
        CHECK(found.has_value() == expected.has_value());
        fits += found.has_value();
        if (!found) continue;
        synth::Program unpacked;
        found->unpack(unpacked);
        CHECK(unpacked.id() == id);
    }
    CHECK(fits > 1000 && fits < 3000);
    CHECK(synth::PackedProgram::of(read("0111-0000"), true) && !synth::PackedProgram::of(read("0111-0000")));
}

void deletions_and_rules_are_those_of_programs() {
    Random random(2);
    synth::Relaxer relaxer(false);
    constexpr std::uint32_t all = synth::possible_termination | synth::non_termination_cycle | synth::executed |
                                  synth::inter_thread_influence | synth::all_branches | synth::effective_stores;
    int kept = 0;
    for (int k = 0; k < 2000; ++k) {
        const int threads = random.from_to(1, 5);
        const synth::Program program = random_form(random, threads, longest(threads), random.one_in(2));
        const synth::PackedProgram packed = *synth::PackedProgram::of(program);
        CHECK(packed.may_keep_rules() == synth::may_keep(program, all, program.size()));
        kept += packed.may_keep_rules();
        for (int t = 0; t < threads; ++t) {
            CHECK(packed.size(t) == program.size(t));
            for (int pc = 0; pc < program.size(t); ++pc) {
                synth::Program expected, found;
                const auto small = [](int n) { return static_cast<std::int8_t>(n); };
                relaxer.relax(program, {synth::Relaxation::deletion, small(t), small(pc)}, expected);
                synth::Orders::Order from{};
                const synth::PackedProgram rest = packed.without(t, pc, from);
                rest.unpack(found);
                CHECK(synth::normal_form(found, false).id() == expected.id());
                CHECK(found.size() == expected.size());  // no no-op was left
                for (int inner = 0; inner < rest.threads(); ++inner) {
                    CHECK(from[at(inner)] == t || rest.size(inner) == packed.size(from[at(inner)]));
                }
            }
        }
    }
    CHECK(kept > 40 && kept < 1950);
}

void rewritings_are_those_of_programs() {
    Random random(9);
    constexpr std::uint32_t all = synth::possible_termination | synth::non_termination_cycle | synth::executed |
                                  synth::inter_thread_influence | synth::all_branches | synth::effective_stores;
    synth::Rewritings twin(all);
    synth::PackedRewritings rewritings;
    std::size_t with_some = 0;
    for (int k = 0; k < 1500; ++k) {
        const int threads = random.from_to(1, 5);
        const synth::Program program = random_form(random, threads, longest(threads), true);
        const bool itself = random.one_in(2);
        std::set<std::string> expected, found;
        twin.any(program, itself, [&](const synth::Program& rewriting) {
            expected.insert(synth::normal_form(rewriting, false).id());
            return false;
        });
        for (const synth::PackedProgram& rewriting : rewritings.of(*synth::PackedProgram::of(program), itself)) {
            synth::Program unpacked;
            rewriting.unpack(unpacked);
            found.insert(synth::normal_form(unpacked, false).id());
        }
        CHECK(found == expected);
        with_some += !found.empty();
    }
    CHECK(with_some > 100 && with_some < 1400);
}

struct Models {
    std::vector<synth::Automaton> automata;
    std::vector<synth::Forms> forms;
};

// Some remember history, others do not, so that words are needed for more than 64 bits.
Models random_models(Random& random, int threads, int number, bool only_history = false) {
    Models models;
    for (int k = 0; k < number; ++k) {
        const bool remembers = only_history || !random.one_in(4);
        const int states = random.from_to(1, only_history ? 2 : 3);
        models.automata.push_back(random_automaton(random, threads, states, remembers));
        models.forms.push_back({true, random.one_in(2)});
    }
    return models;
}

void verdicts_by_orbit_are_those_of_each_order() {
    Random random(3);
    synth::Exploration exploration;
    int different = 0;
    for (int k = 0; k < 60; ++k) {
        const int threads = random.from_to(1, k % 10 == 0 ? 5 : 4);
        const Models models = random_models(random, threads, random.from_to(1, 6));
        synth::Judge judge(threads, models.automata, models.forms);
        synth::OrbitJudge by_orbit(threads, models.automata, models.forms);
        for (int program = 0; program < 10; ++program) {
            const synth::Program some = random_form(random, threads, 2, false);
            const synth::Orders& orders = synth::Orders::of(threads);
            for (std::size_t order = 0; order < orders.size(); ++order) {
                by_orbit.judge(exploration.of(some));
                const std::uint64_t passes = judge.passes(exploration.of(in_order(some, orders[order])));
                CHECK(by_orbit.passes(by_orbit.last(), order) == passes);
                different += passes != judge.passes(exploration.of(some));
            }
        }
    }
    CHECK(different > 20);
    CHECK_THROWS(synth::LimitFault, synth::OrbitJudge(6, {}, {}));
}

// The models for each number of threads, each with one judge for lone programs and one for orbits.
struct AllModels {
    // With `only_history`, all of them only remember history.
    explicit AllModels(Random& random, bool only_history = false) {
        for (int threads = 1; threads <= 6; ++threads) {
            Models models = random_models(random, threads, 3, only_history);
            for (synth::Forms& form : models.forms) form = {true, true};
            automata.push_back(models.automata);
            forms = models.forms;
            alone.emplace_back(threads, models.automata, models.forms);
            tables.emplace_back(alone.back());
            if (threads > synth::Orders::max_threads) continue;
            by_orbit.emplace_back(threads, models.automata, models.forms);
            by_orbit_tables.emplace_back(by_orbit.back());
        }
    }

    std::vector<std::vector<synth::Automaton>> automata;
    std::vector<synth::Forms> forms;
    std::vector<synth::Judge> alone;
    std::vector<synth::OrbitJudge> by_orbit;
    std::vector<synth::SetModels> tables, by_orbit_tables;
};

// Programs of which many are of the orbit of the one before.
std::vector<synth::Program> random_neighbours(Random& random, int number) {
    std::vector<synth::Program> programs;
    while (static_cast<int>(programs.size()) < number) {
        const int threads = random.one_in(8) ? 5 : random.from_to(1, 4);
        const synth::Program program = random_form(random, threads, threads == 2 ? 3 : threads == 5 ? 1 : 2, true);
        const synth::Orders& orders = synth::Orders::of(threads);
        for (std::size_t k = 0; k < orders.size(); ++k) {
            if (k == 0 || !random.one_in(3)) programs.push_back(in_order(program, orders[k]));
        }
        if (random.one_in(20)) programs.push_back(read("0000-0000-0000-0000-0000-0010"));
        if (random.one_in(20)) programs.push_back(read("0000-0120"));
    }
    return programs;
}

void orbits_are_examined_as_lone_programs_are(bool with_behaviours, bool only_history) {
    Random random(4);
    AllModels models(random, only_history);
    synth::Examiner examiner({[&](int threads) -> synth::Judge& { return models.alone[at(threads) - 1]; },
                              [&](int threads) -> synth::OrbitJudge& { return models.by_orbit[at(threads) - 1]; },
                              [&](int threads) { return models.tables[at(threads) - 1].tables(); },
                              [&](int threads) { return models.by_orbit_tables[at(threads) - 1].tables(); }},
                             with_behaviours);
    CHECK(!only_history || !(models.tables[1].tables().empty() || models.by_orbit_tables[1].tables().empty()));
    const std::vector<synth::Program> programs = random_neighbours(random, 4000);
    for (const synth::Program& program : programs) examiner.take(program.id());
    const auto all_found = examiner.found();
    CHECK(all_found.size() == programs.size());
    synth::RuleChecker rules;
    synth::Behaviour behaviour;
    int tests = 0;
    for (std::size_t k = 0; k < programs.size(); ++k) {
        const synth::Examiner::Found& found = all_found[k];
        CHECK(found.broken == rules.broken(programs[k]));
        CHECK(found.passes == models.alone[at(programs[k].threads()) - 1].passes(rules.lts()));
        CHECK(!with_behaviours || found.behaviour == synth::hash_of(behaviour.of(rules.lts())));
        tests += found.broken == 0;
    }
    CHECK(tests > 20);
}

void the_filter_decides_orbits_as_lone_programs(bool only_history) {
    Random random(5);
    AllModels models(random, only_history);
    for (const std::uint32_t without : {0U, std::uint32_t{synth::effective_stores}}) {
        synth::MinimalFilter one_by_one(without, models.automata, models.forms, false);
        synth::MinimalFilter by_orbits(without, models.automata, models.forms, true);
        std::size_t minimal = 0, all = 0;
        for (int batch = 0; batch < 20; ++batch) {
            for (const synth::Program& program : random_neighbours(random, 50)) {
                const auto signature = static_cast<std::uint64_t>(random.below(64));
                one_by_one.take(program.id(), signature);
                by_orbits.take(program.id(), signature);
            }
            const std::vector<char> expected = one_by_one.decided();
            CHECK(by_orbits.decided() == expected);
            minimal += static_cast<std::size_t>(std::ranges::count(expected, 1));
            all += expected.size();
        }
        CHECK(minimal > 0 && minimal < all);
        CHECK((by_orbits.known() < one_by_one.known()) == (without == 0));
        CHECK_THROWS(synth::InputFault, by_orbits.take("0000-0000-0000-0000-0000-0000-0010", 0));
        CHECK_THROWS(synth::InputFault, by_orbits.take("00-00", 0));
        by_orbits.forget_taken();
        CHECK(by_orbits.decided().empty());
    }
}

// What an exception leaves half done is forgotten, as Ctrl-C may come at any time.
void a_filter_that_was_interrupted_decides_the_same() {
    struct Stop {};
    Random random(8);
    AllModels models(random, true);
    synth::MinimalFilter one_by_one(0, models.automata, models.forms, false);
    synth::MinimalFilter by_orbits(0, models.automata, models.forms, true);
    int interrupted = 0;
    for (int batch = 0; batch < 600; ++batch) {
        std::vector<std::pair<std::string, std::uint64_t>> tests;
        for (int k = 0; k < 30; ++k) {
            const int threads = random.from_to(2, 4);
            tests.emplace_back(random_form(random, threads, longest(threads), true).id(), random.below(16));
        }
        const auto decide = [&](synth::MinimalFilter& filter) {
            for (const auto& [id, signature] : tests) filter.take(id, signature);
            return filter.decided();
        };
        if (batch % 2 == 0) {
            synth::on_long_work = [] { throw Stop{}; };
            const std::size_t after = at(random.from_to(1, 3000));
            std::thread([&] {  // each thread looks around for the first time at once
                synth::detail::done = synth::detail::a_while - after;
                try {
                    decide(by_orbits);
                } catch (const Stop&) {
                    ++interrupted;
                    by_orbits.forget_taken();
                }
            }).join();
            synth::on_long_work = nullptr;
        } else {
            CHECK(decide(by_orbits) == decide(one_by_one));
        }
    }
    CHECK(interrupted > 100);
}

std::string shared_file() { return "/tmp/synth-test-orbits-" + std::to_string(::getpid()); }

void what_is_shared_is_found_by_all_and_removed_at_last() {
    const std::string file = shared_file();
    auto one = synth::SharedOrbits::open(file, 256), other = synth::SharedOrbits::open(file, 256);
    CHECK(one && other && !synth::SharedOrbits::open(file, 512) && !synth::SharedOrbits::open("/no/such/folder/file", 256));
    Random random(6);
    std::map<std::uint64_t, std::uint64_t> put;
    std::uint64_t latest = 0;
    for (int k = 1; k <= 5000; ++k) {  // many more than there are slots
        const auto key = static_cast<std::uint64_t>(random.from_to(1, 1 << 30));
        CHECK(one->find(key) == 0 || one->find(key) == put.at(key));
        CHECK(latest == 0 || other->find(latest) == put[latest]);  // what is new takes the place of what is old
        (random.one_in(2) ? one : other)->insert(key, put[key] = key * 3);
        latest = key;
    }
    std::size_t found = 0;
    for (const auto& [key, known] : put) {
        CHECK(one->find(key) == other->find(key) && (one->find(key) == known || one->find(key) == 0));
        found += one->find(key) == known;
    }
    CHECK(found == 256);  // no slot is free, and none is wasted
    one.reset();
    CHECK(::access(file.c_str(), F_OK) == 0);
    other.reset();
    CHECK(::access(file.c_str(), F_OK) != 0);
}

// Halves of two orbits in one slot, as two processes leave them that write it at once, are nothing that is known.
void halves_of_different_orbits_are_unknown() {
    const std::string file = shared_file();
    const auto table = synth::SharedOrbits::open(file, 4);
    const std::uint64_t one = 0x81, other = 0x83;  // keys differ in the bits in which what is known differs
    table->insert(one, 1);
    table->insert(other, 3);
    CHECK(table->find(one) == 1 && table->find(other) == 3);
    std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
    const auto exchange = [&](int place, int with) {
        std::array<std::uint64_t, 2> words{};
        for (std::size_t k = 0; k < 2; ++k) {
            bytes.seekg(8 * (k == 0 ? place : with));
            bytes.read(reinterpret_cast<char*>(&words[k]), 8);
        }
        for (std::size_t k = 0; k < 2; ++k) {
            bytes.seekp(8 * (k == 0 ? with : place));
            bytes.write(reinterpret_cast<const char*>(&words[k]), 8);
        }
        bytes.flush();
    };
    exchange(1, 3);
    CHECK(table->find(one) == 0 && table->find(other) == 0);
    exchange(0, 2);
    CHECK(table->find(one) == 1 && table->find(other) == 3);
}

// Who closes a file last does not remove another of the same name, and who opens a name gets the file that has it then.
void a_file_of_the_same_name_stays() {
    const std::string file = shared_file();
    auto first = synth::SharedOrbits::open(file, 4);
    ::unlink(file.c_str());
    auto second = synth::SharedOrbits::open(file, 4);
    first->insert(1, 1);
    CHECK(second->find(1) == 0);
    first.reset();
    CHECK(::access(file.c_str(), F_OK) == 0);
    second->insert(1, 1);
    first = synth::SharedOrbits::open(file, 4);
    CHECK(first->find(1) == 1);
}

// Processes that open and close one file again and again: nobody has a file of another name, and none is left.
void processes_that_come_and_go_share_one_file() {
    const std::string file = shared_file();
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        children.push_back(::fork());
        if (children.back() != 0) continue;
        for (int turn = 0; turn < 300; ++turn) {
            const auto mine = synth::SharedOrbits::open(file, 64), again = synth::SharedOrbits::open(file, 64);
            if (!mine || !again) ::_exit(1);
            const auto key = static_cast<std::uint64_t>(1 + child);
            mine->insert(key, key << 1 | 1);
            if (again->find(key) != (key << 1 | 1)) ::_exit(2);  // two files
        }
        ::_exit(0);
    }
    for (const pid_t child : children) {
        int status = 1;
        ::waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    CHECK(::access(file.c_str(), F_OK) != 0);
}

// Processes that write the same table at once, one of which is killed in the middle, leave nothing wrong.
void a_killed_process_leaves_nothing_wrong() {
    const std::string file = shared_file();
    const auto mine = synth::SharedOrbits::open(file, 1 << 16);
    const auto write_all = [&](std::uint64_t step) {
        const auto theirs = synth::SharedOrbits::open(file, 1 << 16);
        for (std::uint64_t turn = 0;; ++turn) {
            for (std::uint64_t key = 1; key < 40'000; key += 1) {
                const std::uint64_t some = 1 + key * step % 40'000;
                if (theirs->find(some) == 0) theirs->insert(some, some << 2 | 1);
                if (turn > 3 && step == 7) return;
            }
        }
    };
    std::vector<pid_t> children;
    for (const std::uint64_t step : {3, 7, 11}) {
        children.push_back(::fork());
        if (children.back() == 0) {
            write_all(step);
            ::_exit(0);
        }
    }
    ::usleep(3000);
    ::kill(children[0], SIGKILL);
    ::waitpid(children[1], nullptr, 0);
    ::kill(children[2], SIGKILL);
    for (const int k : {0, 2}) ::waitpid(children[at(k)], nullptr, 0);
    std::size_t found = 0;
    for (std::uint64_t key = 1; key <= 40'000; ++key) {
        const std::uint64_t known = mine->find(key);
        CHECK(known == 0 || known == (key << 2 | 1));
        found += known != 0;
    }
    CHECK(found > 30'000);  // of 65,536 slots
}

void a_filter_that_shares_decides_the_same() {
    Random random(7);
    AllModels models(random);
    const std::shared_ptr<synth::SharedOrbits> shared = synth::SharedOrbits::open(shared_file(), 1 << 12);
    synth::MinimalFilter lone(0, models.automata, models.forms, true);
    std::deque<synth::MinimalFilter> sharing;
    for (int k = 0; k < 2; ++k) sharing.emplace_back(0, models.automata, models.forms, true, shared);
    for (int batch = 0; batch < 20; ++batch) {
        for (const synth::Program& program : random_neighbours(random, 50)) {
            const auto signature = static_cast<std::uint64_t>(random.below(64));
            lone.take(program.id(), signature);
            for (synth::MinimalFilter& filter : sharing) filter.take(program.id(), signature);
        }
        const std::vector<char> expected = lone.decided();
        for (synth::MinimalFilter& filter : sharing) CHECK(filter.decided() == expected);
    }
    CHECK(sharing[0].known() < lone.known());
}

}  // namespace

int main() {
    orders_are_numbered();
    an_orbit_has_one_key_and_a_key_one_orbit();
    deletions_and_rules_are_those_of_programs();
    rewritings_are_those_of_programs();
    verdicts_by_orbit_are_those_of_each_order();
    for (const bool only_history : {false, true}) {
        orbits_are_examined_as_lone_programs_are(true, only_history);
        orbits_are_examined_as_lone_programs_are(false, only_history);
    }
    the_filter_decides_orbits_as_lone_programs(false);
    the_filter_decides_orbits_as_lone_programs(true);
    a_filter_that_was_interrupted_decides_the_same();
    what_is_shared_is_found_by_all_and_removed_at_last();
    halves_of_different_orbits_are_unknown();
    a_file_of_the_same_name_stays();
    processes_that_come_and_go_share_one_file();
    a_killed_process_leaves_nothing_wrong();
    a_filter_that_shares_decides_the_same();
}
