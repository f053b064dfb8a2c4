#include "minimality/orbit_minimality.hpp"

#include <algorithm>
#include <utility>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t sub_program = 10;  // steps of work

// As `Minimality` under all rules: normal form sees to it that stores compare with 0.
constexpr std::uint32_t in_force = possible_termination | non_termination_cycle | executed | inter_thread_influence |
                                   all_branches | effective_stores;

OrbitSets::Place place_in(const PackedProgram& outer, const PackedProgram& inner, const Orders::Order& kept,
                          const PackedProgram::Orbit& orbit) {
    OrbitSets::Place place(inner.threads(), outer.threads());
    for (int t = 0; t < inner.threads(); ++t) {
        place.put(t, kept[orbit.from[static_cast<std::size_t>(t)]]);
    }
    return place;
}

constexpr Orders::Order all_threads{0, 1, 2, 3};

}  // namespace

OrbitMinimality::OrbitMinimality(std::function<OrbitJudge(int)> judge_for)
    : rewritings_(in_force), judge_for_(std::move(judge_for)), judges_(Orders::max_threads + 1), profile_of_(Orders::max_threads + 1) {}

void OrbitMinimality::decide(Word orbit, std::span<Member> members) {
    const PackedProgram program(orbit);
    Profile found = OrbitSets::none;
    std::size_t left = members.size();
    for (Member& member : members) member.is_minimal = true;
    // Note the tests with a signature that was found, and return whether some are left.
    const auto some_left = [&](Profile more) {
        const Profile both = sets_.unite(found, more);
        if (both == found) return true;
        found = both;
        for (Member& member : members) {
            if (member.is_minimal && sets_.contains(found, member.order, member.signature)) {
                member.is_minimal = false;
                --left;
            }
        }
        return left > 0;
    };
    const std::vector<Child>& children = children_of(program, 0);
    for (const Child& child : children) {
        if (!some_left(sets_.placed(by_deletions(child.key, 1), child.place))) return;
    }
    for (const Child& child : children) {
        if (!some_left(sets_.placed(at_or_below(child.key, 1), child.place))) return;
    }
    Program unpacked;
    program.unpack(unpacked);
    rewritings_.any(unpacked, false, [&](const Program& rewriting) { return !some_left(rewritten(rewriting)); });
}

// What is left when an instruction is deleted; a place in memory for each depth.
std::vector<OrbitMinimality::Child>& OrbitMinimality::children_of(const PackedProgram& program, std::size_t depth) {
    if (depth == children_.size()) children_.emplace_back();
    std::vector<Child>& children = children_[depth];
    children.clear();
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            Orders::Order kept{};
            const PackedProgram child = program.without(t, pc, kept);
            if (child.threads() == 0) continue;
            const PackedProgram::Orbit orbit = child.orbit();
            below_.fetch(orbit.key);
            children.push_back({orbit.key, place_in(program, child, kept, orbit)});
        }
    }
    return children;
}

// The tests among a program and what deletions make of it.
OrbitMinimality::Profile OrbitMinimality::by_deletions(Word orbit, std::size_t depth) {
    const OrbitMap::Number known = below_[orbit].one;
    if (known != OrbitMap::missing) return known;
    worked(sub_program);
    const PackedProgram program(orbit);
    Profile found = own(program, orbit);
    for (const Child& child : children_of(program, depth)) {
        found = sets_.unite(found, sets_.placed(by_deletions(child.key, depth + 1), child.place));
    }
    return below_[orbit].one = found;
}

// The tests among a program and its sub-programs.
OrbitMinimality::Profile OrbitMinimality::at_or_below(Word orbit, std::size_t depth) {
    const OrbitMap::Number known = below_[orbit].other;
    if (known != OrbitMap::missing) return known;
    worked(sub_program);
    const PackedProgram program(orbit);
    Profile found = OrbitSets::none;
    for (const Child& child : children_of(program, depth)) {
        found = sets_.unite(found, sets_.placed(at_or_below(child.key, depth + 1), child.place));
    }
    Program unpacked;
    program.unpack(unpacked);
    rewritings_.any(unpacked, true, [&](const Program& rewriting) {
        found = sets_.unite(found, rewritten(rewriting));
        return false;
    });
    return below_[orbit].other = found;
}

// A rewriting has the threads of its program.
OrbitMinimality::Profile OrbitMinimality::rewritten(const Program& rewriting) {
    const PackedProgram program = *PackedProgram::of(rewriting, true);
    const PackedProgram::Orbit orbit = program.orbit();
    return sets_.placed(own(program, orbit.key), place_in(program, program, all_threads, orbit));
}

OrbitMinimality::Profile OrbitMinimality::own(const PackedProgram& program, Word orbit) {
    if (!program.may_keep_rules()) return OrbitSets::none;
    OrbitMap::Slot& slot = own_[orbit];
    if (slot.one != OrbitMap::missing) return slot.one;
    worked(sub_program);
    PackedProgram(orbit).unpack(program_);
    const bool is_test = (rules_.broken(program_) & in_force) == 0;
    return slot.one = is_test ? profile_of_last_test() : OrbitSets::none;
}

OrbitMinimality::Profile OrbitMinimality::profile_of_last_test() {
    const Lts& lts = rules_.lts();
    OrbitJudge& by = judge(lts.threads());
    const std::vector<std::uint64_t>& words = by.judge(lts);
    const auto [known, is_new] = profile_of_[static_cast<std::size_t>(lts.threads())].try_emplace(words);
    if (is_new) {
        std::vector<std::uint64_t> signatures;
        for (std::size_t order = 0; order < Orders::of(lts.threads()).size(); ++order) {
            signatures.push_back(by.passes(words, order));
        }
        known->second = sets_.only(signatures);
    }
    return known->second;
}

OrbitJudge& OrbitMinimality::judge(int threads) {
    auto& judge = judges_[static_cast<std::size_t>(threads)];
    if (!judge) judge = std::make_unique<OrbitJudge>(judge_for_(threads));
    return *judge;
}

}  // namespace synth
