#include "examination/examiner.hpp"

#include "program/by_id.hpp"

namespace synth {

Examiner::Found Examiner::examine(std::string_view id) {
    const auto packed = PackedProgram::read(id);
    if (!packed || packed->threads() == 1) return alone(id, packed);
    const int threads = packed->threads();
    const PackedProgram::Orbit orbit = packed->orbit();
    if (orbit.key == key_) {
        has_come_again_ = true;
    } else {
        key_ = orbit.key;
        known_ = false;
        if (!has_come_again_) return alone(id, packed);
        has_come_again_ = false;
    }
    if (!known_) look_at_orbit(orbit.key);
    known_ = true;
    const std::size_t order = order_of(orbit, threads);
    Found found{broken_, judge_->passes(judge_->last(), order), {}};
    if (with_behaviours_) found.behaviour = hash_of(behaviour_.in_order(rules_.lts(), Orders::of(threads)[order]));
    return found;
}

Examiner::Found Examiner::alone(std::string_view id, const std::optional<PackedProgram>& packed) {
    known_ = false;
    if (packed && !with_behaviours_) {
        Judge& judge = judges_.alone(packed->threads());
        worked(one_program);
        if (judge.takes_sets() && sets_.explore(*packed)) return {sets_.broken(), judge.passes(sets_.lts()), {}};
    }
    return with_program(program_, id, [&](const Program& program) {
        Found found;
        found.broken = rules_.broken(program);
        found.passes = judges_.alone(program.threads()).passes(rules_.lts());
        if (with_behaviours_) found.behaviour = hash_of(behaviour_.of(rules_.lts()));
        return found;
    });
}

void Examiner::look_at_orbit(PackedProgram::Word key) {
    worked(one_program);
    const PackedProgram program(key);
    judge_ = &judges_.by_orbit(program.threads());
    if (!with_behaviours_ && judge_->takes_sets() && sets_.explore(program)) {
        broken_ = sets_.broken();
        judge_->judge(sets_.lts());
        return;
    }
    program.unpack(program_);
    broken_ = rules_.broken(program_);
    judge_->judge(rules_.lts());
    if (with_behaviours_) behaviour_.find_classes(rules_.lts());
}

}  // namespace synth
