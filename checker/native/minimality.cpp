#include "minimality.hpp"

#include <string>
#include <utility>

#include "faults.hpp"
#include "normal.hpp"

namespace synth {

namespace {

// What decides whether a program is a test. Not that stores compare with 0: where that is a rule, normal form sees to it,
// and rewritings are not in normal form.
std::uint32_t rules_in_force(std::uint32_t without) {
    constexpr std::uint32_t those = possible_termination | non_termination_cycle | executed | inter_thread_influence |
                                    all_branches | effective_stores;
    return those & ~without;
}

}  // namespace

Minimality::Minimality(std::uint32_t without, std::vector<Judge> judges)
    : in_force_(rules_in_force(without)),
      keep_store_checks_((without & meaningful_comparisons) != 0),
      relaxer_(keep_store_checks_),
      rewritings_(in_force_),
      judges_(std::move(judges)) {}

bool Minimality::is_minimal(const Program& program, std::uint64_t signature) {
    if (program.threads() > static_cast<int>(judges_.size())) {
        throw InputFault("found a program of " + std::to_string(program.threads()) + " threads, expected at most " +
                         std::to_string(judges_.size()));
    }
    for (ProgramMap* map : {&memo_, &tests_}) {
        if (map->unpacked() > ProgramMap::max_unpacked / 2) map->forget_unpacked();
    }
    Frame& top = frame(0);
    find_deletions(program, top.deletions);
    for (const Relaxation& deletion : top.deletions) {
        relaxer_.relax(program, deletion, top.relaxed);
        if (sets_.contains(at_or_below(top.relaxed, 1), signature)) return false;
    }
    return !rewritings_.any(program, false, [&](const Program& rewriting) {
        return is_test(rewriting) && signature_of_last_test() == signature;
    });
}

Minimality::Frame& Minimality::frame(std::size_t depth) {
    if (depth == frames_.size()) frames_.emplace_back();
    return frames_[depth];
}

// The signatures of the tests among a program and its sub-programs.
Minimality::Set Minimality::at_or_below(const Program& program, std::size_t depth) {
    if (program.threads() == 0) return SignatureSets::none;
    const ProgramMap::Number known = memo_.find(program);
    if (known != ProgramMap::missing) return known;
    Set found = SignatureSets::none;
    rewritings_.any(program, true, [&](const Program& rewriting) {
        found = sets_.unite(found, own(rewriting));
        return false;
    });
    Frame& here = frame(depth);
    find_deletions(program, here.deletions);
    for (const Relaxation& deletion : here.deletions) {
        relaxer_.relax(program, deletion, here.relaxed);
        found = sets_.unite(found, at_or_below(here.relaxed, depth + 1));
    }
    memo_.insert(program, found);
    return found;
}

// The signature of a program that is a test. Programs with few instructions are rewritings of many others.
Minimality::Set Minimality::own(const Program& program) {
    write_normal_form(program, keep_store_checks_, normal_);
    const ProgramMap::Number known = tests_.find(normal_);
    if (known != ProgramMap::missing) return known;
    const Set found = is_test(program) ? sets_.only(signature_of_last_test()) : SignatureSets::none;
    tests_.insert(normal_, found);
    return found;
}

bool Minimality::is_test(const Program& program) { return (rules_.broken(program) & in_force_) == 0; }

std::uint64_t Minimality::signature_of_last_test() {
    const Lts& lts = rules_.lts();
    return judges_[static_cast<std::size_t>(lts.threads()) - 1].passes(lts);
}

}  // namespace synth
