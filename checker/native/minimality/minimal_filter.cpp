#include "minimality/minimal_filter.hpp"

#include <algorithm>

#include "program/by_id.hpp"

namespace synth {

namespace {

std::vector<Judge> judges(const std::vector<std::vector<Automaton>>& automata, const std::vector<Forms>& forms) {
    std::vector<Judge> made;
    for (const std::vector<Automaton>& models : automata) made.emplace_back(static_cast<int>(made.size()) + 1, models, forms);
    return made;
}

}  // namespace

MinimalFilter::MinimalFilter(std::uint32_t without, std::vector<std::vector<Automaton>> automata, std::vector<Forms> forms,
                             bool by_orbits, std::shared_ptr<SharedOrbits> shared)
    : one_by_one_(without, judges(automata, forms)) {
    if (!by_orbits || without != 0) return;
    most_threads_ = std::min(automata.size(), static_cast<std::size_t>(Orders::max_threads));
    const auto judge_for = [automata = std::move(automata), forms = std::move(forms)](int threads) {
        return OrbitJudge(threads, automata[static_cast<std::size_t>(threads) - 1], forms);
    };
    by_orbits_.emplace(judge_for, std::move(shared));
}

void MinimalFilter::take(std::string_view id, std::uint64_t signature) {
    const auto packed = by_orbits_ ? PackedProgram::read(id) : std::nullopt;
    if (packed && static_cast<std::size_t>(packed->threads()) <= most_threads_) {
        const PackedProgram::Orbit orbit = packed->orbit();
        if (orbit.key != orbit_) decide_orbit();
        orbit_ = orbit.key;
        members_.push_back({order_of(orbit, packed->threads()), signature, false});
        return;
    }
    decide_orbit();
    decided_.push_back(with_program(program_, id, [&](const Program& program) {
        return one_by_one_.is_minimal(program, signature);
    }));
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
