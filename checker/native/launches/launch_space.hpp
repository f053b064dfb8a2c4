// All states that a launch of a kernel can reach, with the step of each thread that can take one.
//
// A state is a row of numbers: that of the global memory, and one for each workgroup. The memories and the states of
// workgroups are rows themselves, each kept once. The state of a workgroup has the states of its threads, and its local
// memory. Rows of memory have only elements that are ever written, and end before the last ones that have not changed.
//
// What one thread does is known to `ThreadSteps`. This class puts it together as synth_kernels/progress/stepping.py does,
// which is its slow twin: lanes in lockstep, barriers, merged arrivals, and the check that no plain access races.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

class LaunchSpace {
public:
    static constexpr std::size_t max_groups = 32;

    // The threads of a group have numbers that follow each other, and all groups have as many threads.
    LaunchSpace(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                std::vector<Element> elements);

    // Find all states that can be reached from a first state: the state of each thread. The memory is as `elements` say.
    // Throws LimitFault if there are more than `most`, and what the interpreter throws.
    void explore(const std::vector<Number>& first, std::size_t most);

    // What the element of memory holds in the state in which the interpreter shall take a step.
    Number held(Number element) const;

    std::size_t states() const { return states_.size(); }
    std::size_t groups() const { return groups_; }
    std::size_t threads_of_group() const { return size_; }
    std::uint64_t edges() const { return edges_; }

    // The values of all elements, and the states of all threads.
    std::pair<std::vector<Number>, std::vector<Number>> state(Number number) const;
    // The set of live groups.
    std::uint32_t live(Number state) const;
    // The states in which no thread can take a step, although some thread has not ended.
    std::vector<Number> stuck() const;

    struct Edge {
        Number to;
        std::uint32_t group;
        Number thread;
        bool ends;  // the last thread of the group that was live
    };
    // Goes through the edges of a state, in the order of threads.
    class Cursor {
    public:
        bool next(const LaunchSpace& space, Edge& edge);

    private:
        friend class LaunchSpace;
        Number state_ = 0;
        std::uint32_t group_ = 0;
        std::uint32_t mover_ = 0;
        Number byte_ = 0;
    };
    Cursor edges_of(Number state) const {
        Cursor cursor;
        cursor.state_ = state;
        cursor.byte_ = edges_begin_[state];
        return cursor;
    }
    // How many threads of a group can take steps in a state.
    std::size_t movers(Number state, std::size_t group) const { return info_[states_[state][1 + group]].movers; }

private:
    // What follows from the state of a group.
    struct GroupInfo {
        Number touched;  // by all of its threads
        Number first_mover;
        std::uint32_t movers;
        bool is_live;
    };
    // The state of a group after a step of one thread, as far as it changes nothing else than this group and memory.
    struct Known {
        Number group = no_number, leaf = no_number, after = no_number;
    };

    const LocalState& local(Number number) { return steps_.local(number); }
    Number group_number(Row row);
    void look_at(Number state);
    bool quick_step(std::size_t group, Number thread);
    void whole_step(std::size_t group, Number thread);
    Number advance(std::size_t group, std::size_t thread);
    void check(Number touched, std::size_t group, std::size_t thread);
    bool release_if_complete(std::size_t group);
    void arrive(std::size_t group);
    std::vector<Number>& own(std::size_t group);
    std::vector<Number>& own_memory();
    Number finished_group(std::size_t group);
    Number finished_memory();
    Number here(std::size_t group, std::size_t thread) const { return at_[group][thread]; }
    bool can_step(Number local_state) { return local(local_state).status <= Status::barrier; }
    void add_edge(Number from, Number to, bool ends);

    Interpreter& interpreter_;
    LaunchRules rules_;
    std::size_t groups_, size_;
    ThreadSteps steps_;
    Pool<Rows> memories_, group_states_;
    Blocks<GroupInfo> info_;
    Arena<std::uint16_t> mover_lists_;
    Pool<EqualRows> states_;
    std::uint64_t edges_ = 0;
    Arena<std::uint8_t> edge_bytes_;
    Blocks<Number> edges_begin_;
    std::vector<Known> known_;

    // The state from which a step is taken, changed as far as it was taken.
    Number now_ = 0;
    Row memory_;
    std::vector<Row> at_;
    std::vector<Number> next_;  // the row of the state after the step
    std::vector<Number> changed_memory_;
    std::vector<std::vector<Number>> changed_;
    bool memory_is_changed_ = false;
    std::vector<bool> is_changed_;
    Number own_touched_ = 0;  // by the threads of the group before the step
    Number new_touched_ = 0;  // in the step
    std::vector<std::size_t> lanes_;
    std::vector<std::pair<std::size_t, std::size_t>> meeting_;

    // The steps from a state.
    struct Successor {
        std::uint64_t hash;
        bool ends;
    };
    std::vector<Successor> successors_;
    std::vector<Number> rows_;
    std::vector<std::uint8_t> row_bytes_;
};

}  // namespace synth
