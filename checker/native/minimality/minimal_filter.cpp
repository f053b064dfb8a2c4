#include "minimality/minimal_filter.hpp"

#include <algorithm>

#include "program/packed_program.hpp"

namespace synth {

namespace {

std::vector<Judge> judges(const std::vector<std::vector<Automaton>>& automata, const std::vector<Forms>& forms) {
    std::vector<Judge> made;
    for (const std::vector<Automaton>& models : automata) made.emplace_back(static_cast<int>(made.size()) + 1, models, forms);
    return made;
}

}  // namespace

MinimalFilter::MinimalFilter(std::uint32_t without, std::vector<std::vector<Automaton>> automata, std::vector<Forms> forms,
                             bool by_orbits)
    : one_by_one_(without, judges(automata, forms)) {
    if (!by_orbits || without != 0) return;
    most_threads_ = std::min(automata.size(), static_cast<std::size_t>(Orders::max_threads));
    by_orbits_.emplace([automata = std::move(automata), forms = std::move(forms)](int threads) {
        return OrbitJudge(threads, automata[static_cast<std::size_t>(threads) - 1], forms);
    });
}

void MinimalFilter::take(const Program& program, std::uint64_t signature) {
    if (static_cast<std::size_t>(program.threads()) <= most_threads_) {
        if (const auto packed = PackedProgram::of(program)) {
            const PackedProgram::Orbit orbit = packed->orbit();
            if (orbit.key != orbit_) decide_orbit();
            orbit_ = orbit.key;
            members_.push_back({order_of(orbit, packed->threads()), signature, false});
            return;
        }
    }
    decide_orbit();
    decided_.push_back(one_by_one_.is_minimal(program, signature));
}

void MinimalFilter::decide_orbit() {
    if (members_.empty()) return;
    by_orbits_->decide(orbit_, members_);
    for (const OrbitMinimality::Member& member : members_) decided_.push_back(member.is_minimal);
    members_.clear();
}

std::vector<char> MinimalFilter::decided() {
    decide_orbit();
    return std::exchange(decided_, {});
}

}  // namespace synth
