// All that one look at a test tells: the rules that it breaks, its verdicts and its behaviour.
//
// An engine often gives the tests of an orbit one after the other: they differ only in the order of their threads. Then one
// look at the orbit's program tells it of all of them. As long as no orbit has come with several tests, each is looked at
// by itself. Small programs are looked at many at a time (sets/set_examiner.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "program/packed_program.hpp"
#include "program/program.hpp"
#include "program/rules.hpp"
#include "sets/set_examiner.hpp"
#include "transitions/behaviour.hpp"
#include "transitions/behaviour_set.hpp"
#include "verdicts/orbit_judge.hpp"
#include "verdicts/verdicts.hpp"

namespace synth {

class Examiner {
public:
    // What judges programs of a number of threads: alone, and in all orders of at most Orders::max_threads threads.
    struct Judges {
        std::function<Judge&(int)> alone;
        std::function<OrbitJudge&(int)> by_orbit;
        // The tables of one or the other.
        std::function<std::span<const sets::Models>(int)> alone_tables, by_orbit_tables;
    };

    Examiner(Judges judges, bool with_behaviours) : judges_(std::move(judges)), with_behaviours_(with_behaviours) {}

    // What was found of a test.
    struct Found {
        std::uint32_t broken = 0;  // rules
        std::uint64_t passes = 0;
        BehaviourHash behaviour{};  // if it was asked for
    };
    // Take the program that an id stands for. Throws InputFault if the text is not an id.
    void take(std::string_view id);
    // What was found of all that were taken since the last call, in their order.
    std::vector<Found> found();

private:
    void take_alone(std::string_view id, const std::optional<PackedProgram>& packed);
    void look_at_orbit(PackedProgram::Word key);

    Judges judges_;
    bool with_behaviours_;
    RuleChecker rules_;
    Behaviour behaviour_;

    PackedProgram::Word key_ = 0;  // of the orbit of the last test
    bool has_come_again_ = false;  // a test of the same orbit as the one before it, of the last orbit
    bool known_ = false;           // the orbit was looked at
    std::optional<std::size_t> number_;  // among those that are looked at together
    std::uint32_t broken_ = 0;
    OrbitJudge* judge_ = nullptr;
    Program program_;

    std::vector<Found> found_;
    // Tests that wait, by their place among all, and by their number among those looked at together.
    struct Waiting {
        std::size_t place, number;
        const OrbitJudge* judge;  // null: it is looked at by itself
        std::size_t order;
    };
    std::vector<Waiting> waiting_;
    SetExaminer sets_{0};
};

}  // namespace synth
