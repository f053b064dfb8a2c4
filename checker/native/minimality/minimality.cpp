#include "minimality/minimality.hpp"

#include <string>
#include <utility>

#include "program/normal.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t sub_program = 20;  // steps of work

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
        throw InputFault("found a program with " + std::to_string(program.threads()) + " threads, expected at most " +
                         std::to_string(judges_.size()));
    }
    for (ProgramMap* map : {&by_deletions_, &at_or_below_, &own_}) {
        if (map->unpacked() > ProgramMap::max_unpacked / 2) map->forget_unpacked();
    }
    for (const auto signatures_of : {&Minimality::by_deletions, &Minimality::at_or_below}) {
        if (has_below(program, signature, signatures_of)) return false;
    }
    return !rewritings_.any(program, false, [&](const Program& rewriting) {
        return is_test(rewriting) && signature_of_last_test() == signature;
    });
}

Minimality::Frame& Minimality::frame(std::size_t depth) {
    if (depth == frames_.size()) frames_.emplace_back();
    return frames_[depth];
}

// Whether the signature is among those of the programs that are left when an instruction is deleted.
bool Minimality::has_below(const Program& program, std::uint64_t signature, Signatures signatures_of) {
    Frame& top = frame(0);
    find_deletions(program, top.deletions);
    for (const Relaxation& deletion : top.deletions) {
        relaxer_.relax(program, deletion, top.relaxed);
        if (sets_.contains((this->*signatures_of)(top.relaxed, 1), signature)) return true;
    }
    return false;
}

// The signatures of all that is left when an instruction is deleted.
Minimality::Set Minimality::all_below(const Program& program, std::size_t depth, Signatures signatures_of) {
    Set found = SignatureSets::none;
    Frame& here = frame(depth);
    find_deletions(program, here.deletions);
    for (const Relaxation& deletion : here.deletions) {
        relaxer_.relax(program, deletion, here.relaxed);
        found = sets_.unite(found, (this->*signatures_of)(here.relaxed, depth + 1));
    }
    return found;
}

// The signatures of the tests among a program and what deletions make of it.
Minimality::Set Minimality::by_deletions(const Program& program, std::size_t depth) {
    worked(sub_program);
    if (program.threads() == 0) return SignatureSets::none;
    const ProgramMap::Number known = by_deletions_.find(program);
    if (known != ProgramMap::missing) return known;
    const Set found = sets_.unite(own(program), all_below(program, depth, &Minimality::by_deletions));
    by_deletions_.insert(program, found);
    return found;
}

// The signatures of the tests among a program and its sub-programs.
Minimality::Set Minimality::at_or_below(const Program& program, std::size_t depth) {
    worked(sub_program);
    if (program.threads() == 0) return SignatureSets::none;
    const ProgramMap::Number known = at_or_below_.find(program);
    if (known != ProgramMap::missing) return known;
    Set found = all_below(program, depth, &Minimality::at_or_below);
    rewritings_.any(program, true, [&](const Program& rewriting) {
        write_normal_form(rewriting, keep_store_checks_, normal_);
        found = sets_.unite(found, own(normal_));
        return false;
    });
    at_or_below_.insert(program, found);
    return found;
}

// The signature of a program that is a test. Those with few instructions are rewritings of many others.
Minimality::Set Minimality::own(const Program& program) {
    worked(sub_program);
    if (!may_keep(program, in_force_, program.size())) return SignatureSets::none;
    const ProgramMap::Number known = own_.find(program);
    if (known != ProgramMap::missing) return known;
    const Set found = is_test(program) ? sets_.only(signature_of_last_test()) : SignatureSets::none;
    own_.insert(program, found);
    return found;
}

bool Minimality::is_test(const Program& program) { return (rules_.broken(program) & in_force_) == 0; }

std::uint64_t Minimality::signature_of_last_test() {
    const Lts& lts = rules_.lts();
    return judges_[static_cast<std::size_t>(lts.threads()) - 1].passes(lts);
}

}  // namespace synth
