#include "examination/examiner.hpp"

namespace synth {

Examiner::Found Examiner::examine(const Program& program) {
    const int threads = program.threads();
    const auto packed = threads > 1 ? PackedProgram::of(program) : std::nullopt;
    if (!packed) return alone(program);
    const PackedProgram::Orbit orbit = packed->orbit();
    if (orbit.key == key_) {
        has_come_again_ = true;
    } else {
        key_ = orbit.key;
        known_ = false;
        if (!has_come_again_) return alone(program);
        has_come_again_ = false;
    }
    if (!known_) look_at_orbit(orbit.key);
    known_ = true;
    const std::size_t order = order_of(orbit, threads);
    Found found{broken_, judge_->passes(judge_->last(), order), {}};
    if (with_behaviours_) found.behaviour = hash_of(behaviour_.in_order(rules_.lts(), Orders::of(threads)[order]));
    return found;
}

Examiner::Found Examiner::alone(const Program& program) {
    known_ = false;
    Found found;
    found.broken = rules_.broken(program);
    found.passes = judges_.alone(program.threads()).passes(rules_.lts());
    if (with_behaviours_) found.behaviour = hash_of(behaviour_.of(rules_.lts()));
    return found;
}

void Examiner::look_at_orbit(PackedProgram::Word key) {
    PackedProgram(key).unpack(program_);
    broken_ = rules_.broken(program_);
    judge_ = &judges_.by_orbit(program_.threads());
    judge_->judge(rules_.lts());
    if (with_behaviours_) behaviour_.find_classes(rules_.lts());
}

}  // namespace synth
