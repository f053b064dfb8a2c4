// The rules and the verdicts of packed programs, many of one shape at a time (sets.hpp).
//
// Programs wait until those of a shape fill a batch, or until `finish`. A shape is the sizes of the threads, in their order.
// RuleChecker and Judge are the twins: they take any program, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "program/packed_program.hpp"
#include "sets/set_models.hpp"
#include "sets/set_paths.hpp"
#include "sets/sets.hpp"

namespace synth {

class SetExaminer {
public:
    // Of a program that breaks one of the rules `in_force`, neither `non_termination_cycle` nor its verdicts need be known.
    explicit SetExaminer(std::uint32_t in_force, sets::Decide decide = sets::fastest());

    // Take a program, and return its number: 0, 1, ... Return nothing if that is not possible, because it has too many states
    // or there are no models. The models must live as long as this.
    std::optional<std::size_t> take(const PackedProgram& program, std::span<const sets::Models> models);

    // Decide all programs that wait.
    void finish();
    // The rules that a program breaks, as `RuleChecker::broken`, and which verdicts it passes, by models. Only after `finish`.
    std::uint32_t broken(std::size_t number) const { return results_[number].broken; }
    std::span<const std::uint64_t> passes(std::size_t number) const {
        return std::span(passes_).subspan(results_[number].first, results_[number].models);
    }

    // Forget all programs and results; the next number is 0. Do so after an exception.
    void forget();

private:
    struct Group {
        sets::Shape shape;
        std::span<const sets::Models> models;
        sets::Batch batch{};
        std::size_t number[sets::max_batch]{};
    };
    struct Result {
        std::uint32_t broken;
        std::uint32_t models;
        std::size_t first;  // of what it passes
    };

    Group* group_of(const PackedProgram& program, std::span<const sets::Models> models);
    void decide(Group& group);

    std::uint32_t in_force_;
    sets::Decide decide_;
    using Sizes = std::uint64_t;
    std::map<std::pair<Sizes, const sets::Models*>, std::unique_ptr<Group>> groups_;  // null if there are too many states
    std::pair<Sizes, const sets::Models*> last_{};
    Group* last_group_ = nullptr;
    std::vector<Group*> waiting_;  // groups with programs that wait; a group may be there several times
    std::vector<Result> results_;
    std::vector<std::uint64_t> passes_, found_;
    std::vector<std::byte> room_;
};

}  // namespace synth
