#include "sets/set_examiner.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace synth {

namespace {

constexpr std::size_t memories = 4, word_bits = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Return nothing if there are too many states.
std::optional<sets::Shape> shape_of(const PackedProgram& program) {
    sets::Shape shape{};
    shape.threads = program.threads();
    std::size_t pcs = 1;
    for (int t = 0; t < shape.threads; ++t) {
        shape.size[t] = program.size(t);
        pcs *= at(shape.size[t] + 1);
    }
    shape.words = 1;
    while (pcs * memories > word_bits * at(shape.words)) shape.words *= 2;
    if (shape.words > sets::max_words) return std::nullopt;
    const std::size_t states = pcs * memories / at(shape.words);  // of a word
    std::size_t stride = memories / at(shape.words);
    for (int t = 0; t < shape.threads; ++t) {
        const auto pcs_of_thread = at(shape.size[t] + 1);
        shape.stride[t] = stride;
        for (std::size_t state = 0; state < states; ++state) {
            shape.at[t][state / stride % pcs_of_thread] |= sets::Word{1} << state;
        }
        stride *= pcs_of_thread;
    }
    for (unsigned live = 0; live < 1U << shape.threads; ++live) {
        shape.live[live] = ~sets::Word{0} >> (word_bits - states);
        for (int t = 0; t < shape.threads; ++t) {
            const sets::Word ended = shape.at[t][shape.size[t]];
            shape.live[live] &= (live >> t & 1) != 0 ? ~ended : ended;
        }
    }
    return shape;
}

}  // namespace

SetExaminer::SetExaminer(std::uint32_t in_force, sets::Decide decide) : in_force_(in_force), decide_(decide) {}

std::optional<std::size_t> SetExaminer::take(const PackedProgram& program, std::span<const sets::Models> models) {
    Group* const group = group_of(program, models);
    if (group == nullptr) return std::nullopt;
    sets::Batch& batch = group->batch;
    if (batch.programs == sets::max_batch) decide(*group);
    if (batch.programs == 0) waiting_.push_back(group);
    const std::size_t number = results_.size();
    results_.push_back({0, static_cast<std::uint32_t>(models.size()), passes_.size()});
    passes_.resize(passes_.size() + models.size());
    for (int t = 0; t < program.threads(); ++t) batch.thread[t][batch.programs] = program.thread(t);
    group->number[batch.programs++] = number;
    return number;
}

SetExaminer::Group* SetExaminer::group_of(const PackedProgram& program, std::span<const sets::Models> models) {
    std::uint64_t sizes = 0;
    for (int t = 0; t < program.threads(); ++t) sizes = sizes << 3 | static_cast<std::uint64_t>(program.size(t));
    const std::pair key{sizes, models.data()};
    if (key == last_) return last_group_;
    auto [found, is_new] = groups_.try_emplace(key);
    if (is_new && !models.empty()) {
        if (const auto shape = shape_of(program)) {
            found->second = std::make_unique<Group>();
            found->second->shape = *shape;
            found->second->models = models;
            found->second->batch.in_force = in_force_;
        }
    }
    last_ = key;
    return last_group_ = found->second.get();
}

void SetExaminer::finish() {
    for (Group* const group : waiting_) {
        if (group->batch.programs > 0) decide(*group);
    }
    waiting_.clear();
}

void SetExaminer::decide(Group& group) {
    sets::Batch& batch = group.batch;
    for (int t = 0; t < group.shape.threads; ++t) {  // lanes without a program have the first one
        std::fill(batch.thread[t] + batch.programs, batch.thread[t] + sets::max_batch, batch.thread[t][0]);
    }
    std::size_t states = 0;
    for (const sets::Models& models : group.models) states += at(models.states);
    std::size_t room = sets::room_for(states) + sets::alignment;
    room_.resize(std::max(room_.size(), room));
    found_.resize(std::max(found_.size(), group.models.size() * sets::max_batch));
    void* memory = room_.data();
    batch.room = std::align(sets::alignment, sets::room_for(states), memory, room);
    batch.failed = found_.data();
    decide_(group.shape, group.models.data(), static_cast<int>(group.models.size()), batch);
    for (int lane = 0; lane < batch.programs; ++lane) {
        Result& result = results_[group.number[lane]];
        result.broken = static_cast<std::uint32_t>(batch.broken[lane]);
        for (std::size_t m = 0; m < group.models.size(); ++m) {
            passes_[result.first + m] = group.models[m].all & ~found_[m * sets::max_batch + at(lane)];
        }
    }
    batch.programs = 0;
}

void SetExaminer::forget() {
    for (Group* const group : waiting_) group->batch.programs = 0;
    waiting_.clear();
    results_.clear();
    passes_.clear();
}

}  // namespace synth
