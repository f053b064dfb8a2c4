// The steps of a launch: from a state and a thread to the state after it.
//
// A state is a row of numbers: that of the global memory, and one for each workgroup. The memories and the states of
// workgroups are rows themselves, each kept once. The state of a workgroup has the states of its threads, and its local
// memory. Rows of memory have only elements that are ever written, and end before the last ones that have not changed.
//
// What one thread does is known to `ThreadSteps`. This class puts it together as synth_kernels/progress/stepping.py does,
// which is its slow twin: lanes in lockstep, barriers, merged arrivals, and the check that no plain access races. What a
// step does to its group and to memory follows from the state of the group and from what the step reads in global memory.
// So each such step is put together once. Barriers of the grid are the exception, because they let other groups go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "launches/decision_trees.hpp"
#include "launches/pool.hpp"
#include "launches/thread_steps.hpp"

namespace synth {

// How lanes and barriers behave: see `Rules` in synth_kernels/progress/steps.py.
struct LaunchRules {
    std::size_t subgroup;
    bool lockstep;
    bool leave;
    bool merges;
};

// A thread of a group that can take a step, or the first one of lanes that arrive at a barrier together.
struct Mover {
    Number thread;
    Number root;  // of the tree of its steps
};

// What follows from the state of a group.
struct GroupInfo {
    Number touched;  // by all of its threads
    Number first_mover;
    std::uint32_t movers;
    bool is_live;
};

class LaunchSteps {
public:
    // The threads of a group have numbers that follow each other, and all groups have as many threads.
    LaunchSteps(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                std::vector<Element> elements);

    // Return the first state. The memory is as the elements say.
    std::vector<Number> start(const std::vector<Number>& threads);
    // Steps are taken from this state now.
    void look_at(Row state);
    // Make `next` the state after the step of a mover of a group.
    void take(std::size_t group, std::uint32_t mover, std::span<Number> next);
    // No step is taken any more.
    void close();

    // What the element of memory holds in the state in which the interpreter shall take a step.
    Number held(Number element);

    std::size_t groups() const { return groups_; }
    std::size_t threads_of_group() const { return size_; }
    // Whether some thread has come to a barrier of the grid.
    bool meets_in_grid() const { return steps_.meets_in_grid(); }
    const GroupInfo& info(Number group_state) const { return info_[group_state]; }
    std::span<const Mover> movers(const GroupInfo& info) const { return {movers_.at(info.first_mover), info.movers}; }
    // The values of all elements, and the states of all threads.
    std::pair<std::vector<Number>, std::vector<Number>> unfolded(Row state) const;

private:
    // A whole step that changes nothing else than its group and memory. `writes` is a row of columns, each with a value.
    struct Known {
        Number after, touched, writes;
    };
    struct Written {
        Number memory = no_number, writes = no_number, after = no_number;
    };

    const LocalState& local(Number number) { return steps_.local(number); }
    Number here(std::size_t group, std::size_t thread) const { return at_[group][thread]; }
    bool can_step(Number local_state) { return local(local_state).status <= Status::barrier; }
    Number group_number(Row row);
    Number written(Number memory, Number writes);
    bool races(std::size_t group, Number touched);
    void put_together(std::size_t group, Number thread, std::span<Number> next);
    void keep(std::size_t group, std::uint32_t mover, Number after);
    Number advance(std::size_t group, std::size_t thread);
    void hold(std::size_t group, std::size_t thread, Number place, Number held);
    void check(Number touched, std::size_t group, std::size_t thread);
    bool release_if_complete(std::size_t group);
    bool meets_in_subgroup(std::size_t group);
    bool meets_in_group(std::size_t group);
    bool all_wait(std::size_t group, std::size_t first, std::size_t end, Number object, std::uint64_t mask);
    void arrive(std::size_t group);
    void arrive_among(std::size_t group, std::size_t first, std::size_t end, bool is_subgroup);
    std::vector<Number>& own(std::size_t group);

    Interpreter& interpreter_;
    LaunchRules rules_;
    std::size_t groups_, size_;
    ThreadSteps steps_;
    Pool<Rows> memories_, group_states_, writes_;
    Blocks<GroupInfo> info_;
    Arena<Mover> movers_;
    DecisionTrees trees_;
    std::vector<Known> known_;
    std::vector<Written> written_;
    std::size_t forgotten_ = 0;

    // The state from which a step is taken, changed as far as it was taken.
    Row state_, memory_;
    std::vector<Row> at_;
    std::vector<Number> changed_memory_;
    std::vector<std::vector<Number>> changed_;
    std::vector<bool> is_changed_;
    bool releases_grid_ = false;
    Number own_touched_ = 0;  // by the threads of the group before the step
    Number new_touched_ = 0;  // in the step, since a release
    Number all_touched_ = 0;  // in the step
    DecisionTrees::Found reads_;          // the columns of global memory, with what they held before the step
    std::vector<Number> written_columns_;  // those that the step has written
    std::vector<std::pair<std::size_t, std::size_t>> meeting_;
};

}  // namespace synth
