// What the files of the bindings share.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "verdicts.hpp"

namespace bindings {

// The characters of a Python string, as long as that lives.
std::string_view characters(nanobind::handle id);

using Tables = std::tuple<std::vector<std::vector<int>>, std::vector<std::vector<int>>,
                          std::vector<std::vector<synth::ThreadSet>>>;

// A judge as Python has it. Calls from several Python threads do not meet: each borrows a judge that is idle, or a new
// one. The interpreter's lock is held where one is borrowed and given back, and not while it judges.
class JudgeBinding {
public:
    JudgeBinding(int threads, const std::vector<Tables>& tables, const std::vector<std::pair<bool, bool>>& forms)
        : threads_(threads) {
        for (const auto& [steps, ends, fair] : tables) automata_.push_back({threads, steps, ends, fair});
        for (const auto& [weak, strong] : forms) forms_.push_back({weak, strong});
        give_back(borrow());
    }
    JudgeBinding(const JudgeBinding&) = delete;
    JudgeBinding& operator=(const JudgeBinding&) = delete;

    int threads() const { return threads_; }

    std::unique_ptr<synth::Judge> borrow() {
        if (idle_.empty()) return std::make_unique<synth::Judge>(threads_, automata_, forms_);
        std::unique_ptr<synth::Judge> judge = std::move(idle_.back());
        idle_.pop_back();
        return judge;
    }

    void give_back(std::unique_ptr<synth::Judge> judge) { idle_.push_back(std::move(judge)); }

private:
    int threads_;
    std::vector<synth::Automaton> automata_;
    std::vector<synth::Forms> forms_;
    std::vector<std::unique_ptr<synth::Judge>> idle_;
};

// Sets of ids, their signatures, and the lines made of both.
void bind_ids(nanobind::module_& m);

// Sub-programs, minimality and behaviour.
void bind_subprograms(nanobind::module_& m);

}  // namespace bindings
