// Judges for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/by_id.hpp"
#include "program/exploration.hpp"
#include "program/packed_program.hpp"
#include "program/program.hpp"
#include "sets/set_examiner.hpp"
#include "sets/set_models.hpp"
#include "verdicts/orbit_judge.hpp"
#include "verdicts/verdicts.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace bindings {

// Explores and judges programs. Its memory is used again for the next program.
class ProgramJudge : public synth::Judge {
public:
    ProgramJudge(int threads, const std::vector<synth::Automaton>& automata, const std::vector<synth::Forms>& forms)
        : Judge(threads, automata, forms), automata_(automata), forms_(forms) {}
    using synth::Judge::passes;

    std::uint64_t passes(const synth::Program& program) { return passes(exploration_.of(program)); }

    // The judge of the same verdicts in all orders of the threads, and the tables of both. They are made when they are first
    // needed.
    synth::OrbitJudge& by_orbit() {
        if (!by_orbit_) by_orbit_.emplace(threads(), automata_, forms_);
        return *by_orbit_;
    }
    std::span<const synth::sets::Models> tables() {
        if (!tables_) tables_.emplace(*this);
        return tables_->tables();
    }
    std::span<const synth::sets::Models> by_orbit_tables() {
        if (!by_orbit_tables_) by_orbit_tables_.emplace(by_orbit());
        return by_orbit_tables_->tables();
    }

private:
    const std::vector<synth::Automaton>& automata_;  // the lender's
    const std::vector<synth::Forms>& forms_;
    std::optional<synth::OrbitJudge> by_orbit_;
    std::optional<synth::SetModels> tables_, by_orbit_tables_;
    synth::Exploration exploration_;
};

// The verdicts of many programs: those of small ones are found many at a time (sets/set_examiner.hpp).
class ManyVerdicts {
public:
    // Take the program of an id. `judge(threads)` is the judge for a number of threads.
    template <class JudgeFor>
    void take(std::string_view id, const JudgeFor& judge) {
        if (const auto packed = synth::PackedProgram::read(id)) {
            ProgramJudge& of_threads = judge(packed->threads());
            if (of_threads.threads() == packed->threads() && sets_.take(*packed, of_threads.tables())) {
                synth::worked(synth::one_program);
                waiting_.push_back(masks_.size());
                masks_.push_back(0);
                if (waiting_.size() == most_waiting) find_those_that_wait();
                return;
            }
        }
        const auto passes = [&](const synth::Program& read) { return judge(read.threads()).passes(read); };
        masks_.push_back(synth::with_program(program_, id, passes));
    }

    // A mask of each, in their order, as `Judge::passes` returns it.
    const std::vector<std::uint64_t>& masks() {
        find_those_that_wait();
        return masks_;
    }

private:
    static constexpr std::size_t most_waiting = 1 << 12;

    void find_those_that_wait() {
        sets_.finish();
        for (std::size_t k = 0; k < waiting_.size(); ++k) masks_[waiting_[k]] = sets_.passes(k).front();
        sets_.forget();
        waiting_.clear();
    }

    synth::SetExaminer sets_{0};
    synth::Program program_;
    std::vector<std::uint64_t> masks_;
    std::vector<std::size_t> waiting_;
};

// A judge for Python. Calls from several Python threads do not disturb each other: each borrows an idle judge, or makes a
// new one. The interpreter's lock is held while a judge is borrowed or given back, and released while it judges.
class JudgeBinding {
public:
    JudgeBinding(int threads, std::vector<synth::Automaton> automata, const std::vector<std::pair<bool, bool>>& forms)
        : threads_(threads), automata_(std::move(automata)) {
        for (const auto& [weak, strong] : forms) forms_.push_back({weak, strong});
        give_back(borrow());
    }
    JudgeBinding(const JudgeBinding&) = delete;
    JudgeBinding& operator=(const JudgeBinding&) = delete;

    int threads() const { return threads_; }

    std::unique_ptr<ProgramJudge> borrow() {
        if (idle_.empty()) return std::make_unique<ProgramJudge>(threads_, automata_, forms_);
        std::unique_ptr<ProgramJudge> judge = std::move(idle_.back());
        idle_.pop_back();
        return judge;
    }

    void give_back(std::unique_ptr<ProgramJudge> judge) { idle_.push_back(std::move(judge)); }

private:
    int threads_;
    std::vector<synth::Automaton> automata_;
    std::vector<synth::Forms> forms_;
    std::vector<std::unique_ptr<ProgramJudge>> idle_;
};

// Judges that a call borrows, one for each number of threads.
class Loans {
public:
    explicit Loans(const std::vector<JudgeBinding*>& lenders) : lenders_(lenders) {
        for (JudgeBinding* const lender : lenders_) {
            if (lender == nullptr) throw nanobind::type_error("found None, expected a judge");
            judges_.push_back(lender->borrow());
        }
    }
    ~Loans() {
        for (std::size_t k = 0; k < lenders_.size(); ++k) lenders_[k]->give_back(std::move(judges_[k]));
    }
    Loans(const Loans&) = delete;
    Loans& operator=(const Loans&) = delete;

    ProgramJudge& for_threads(int threads) {
        for (const auto& judge : judges_) {
            if (judge->threads() == threads) return *judge;
        }
        throw synth::InputFault("found a program with " + std::to_string(threads) +
                                " threads, expected a number of threads for which there is a judge");
    }

private:
    const std::vector<JudgeBinding*>& lenders_;
    std::vector<std::unique_ptr<ProgramJudge>> judges_;
};

}  // namespace bindings
