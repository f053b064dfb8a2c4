#include "examination/examiner.hpp"

#include "program/by_id.hpp"

namespace synth {

void Examiner::take(std::string_view id) {
    const auto packed = PackedProgram::read(id);
    if (!packed || packed->threads() == 1) return take_alone(id, packed);
    const int threads = packed->threads();
    const PackedProgram::Orbit orbit = packed->orbit();
    if (orbit.key == key_) {
        has_come_again_ = true;
    } else {
        key_ = orbit.key;
        known_ = false;
        if (!has_come_again_) return take_alone(id, packed);
        has_come_again_ = false;
    }
    if (!known_) look_at_orbit(orbit.key);
    known_ = true;
    const std::size_t order = order_of(orbit, threads);
    Found found;
    if (number_) {
        waiting_.push_back({found_.size(), *number_, judge_, order});
    } else {
        found = {broken_, judge_->passes(judge_->last(), order), {}};
        if (with_behaviours_) found.behaviour = hash_of(behaviour_.in_order(rules_.lts(), Orders::of(threads)[order]));
    }
    found_.push_back(found);
}

void Examiner::take_alone(std::string_view id, const std::optional<PackedProgram>& packed) {
    known_ = false;
    if (packed && !with_behaviours_) {
        if (const auto number = sets_.take(*packed, judges_.alone_tables(packed->threads()))) {
            worked(one_program);
            waiting_.push_back({found_.size(), *number, nullptr, 0});
            found_.emplace_back();
            return;
        }
    }
    with_program(program_, id, [&](const Program& program) {
        Found found;
        found.broken = rules_.broken(program);
        found.passes = judges_.alone(program.threads()).passes(rules_.lts());
        if (with_behaviours_) found.behaviour = hash_of(behaviour_.of(rules_.lts()));
        found_.push_back(found);
    });
}

void Examiner::look_at_orbit(PackedProgram::Word key) {
    worked(one_program);
    const PackedProgram program(key);
    judge_ = &judges_.by_orbit(program.threads());
    number_.reset();
    if (!with_behaviours_) number_ = sets_.take(program, judges_.by_orbit_tables(program.threads()));
    if (number_) return;
    program.unpack(program_);
    broken_ = rules_.broken(program_);
    judge_->judge(rules_.lts());
    if (with_behaviours_) behaviour_.find_classes(rules_.lts());
}

std::vector<Examiner::Found> Examiner::found() {
    sets_.finish();
    for (const Waiting& test : waiting_) {
        Found& found = found_[test.place];
        found.broken = sets_.broken(test.number);
        const auto passes = sets_.passes(test.number);
        found.passes = test.judge != nullptr ? test.judge->passes(passes, test.order) : passes.front();
    }
    waiting_.clear();
    sets_.forget();
    known_ = false;  // the orbit of the last test is looked at again
    return std::exchange(found_, {});
}

}  // namespace synth
