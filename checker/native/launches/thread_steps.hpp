// What the threads of a launch do, as far as somebody has asked: from the state of a thread and what it reads in memory to
// its next state and what it writes. Another program interprets the thread, once for each such pair.
//
// The steps from one state are a tree, in which a leaf is a whole step. Elements that no step has written yet have one
// value each, so they need no nodes. If such an element is written after all, the trees are thrown away.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "launches/decision_trees.hpp"
#include "launches/pool.hpp"
#include "launches/touched_sets.hpp"

namespace synth {

// Where a thread stands. A lane in lockstep is held until all lanes of its subgroup at the same place have made their access.
enum class Status : std::uint8_t { access, barrier, waiting, ended, held };

// Whose threads meet at a barrier.
enum class Scope : std::uint8_t { group, grid, subgroup };

// What is known of the state of a thread.
struct LocalState {
    Status status;
    Scope scope;     // of the barrier
    std::uint64_t mask;  // the lanes of the subgroup that meet at the barrier; 0: all that the barrier has
    Number place;    // the number of the instruction before which it stands or, if it is held, from which it came
    Number object;   // the number of the object that the barrier is, which may stand at several places
    Number touched;  // the number of the set of elements that its plain accesses touched; 0: none
    Number other;    // before a barrier: the state after the arrival; at a barrier: the state before it; held: not held
    Number released; // at a barrier: the state from which it goes on
};

// The same as the interpreter gives it, with the set itself.
struct Described {
    LocalState local;
    TouchedSets::Set touched;
};

// A step of one thread: the elements that it reads and writes, each with its value. `touched` is the set of all of them.
struct Taken {
    std::vector<std::pair<Number, Number>> reads, writes;
    Number after = 0;
    Number held = 0;  // the state after it, if the lane is held
    TouchedSets::Set touched;
};

// Who interprets threads. States of threads and values are numbers.
class Interpreter {
public:
    Interpreter() = default;
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    virtual ~Interpreter() = default;

    virtual Described describe(Number local) = 0;
    // Take a step from a state, with the memory as it is now.
    virtual Taken take(Number local) = 0;
    // Throw that plain accesses to these elements race.
    virtual void raced(const std::vector<Number>& elements) = 0;
    // So many states are known. Throw if nobody wants more.
    virtual void tick(std::size_t states) = 0;
};

// A whole step.
struct Leaf {
    Number after, held;
    Number touched;
    std::vector<std::pair<Number, Number>> writes;
};

// An element of memory: whose it is, what it holds at the start, and its place among the elements that are ever written.
struct Element {
    int group;  // -1: of all
    Number initial;
    Number column = no_number;
    bool is_read_as_constant = false;
};

class ThreadSteps {
public:
    ThreadSteps(Interpreter& interpreter, std::vector<Element> elements, std::size_t groups)
        : elements_(std::move(elements)), interpreter_(interpreter), columns_(groups + 1) {}

    const LocalState& local(Number number) {
        if (number >= locals_.size() || !is_known_[number]) learn(number);
        return locals_[number];
    }

    // Return the step that a thread takes from a state. `held` gives the value of an element now.
    template <class Held>
    Number leaf(Number local, Held held) {
        const Number found = local < roots_.size() ? trees_.find(roots_[local], held) : no_number;
        return found == no_number ? asked(local) : found;
    }
    const Leaf& operator[](Number leaf) const { return leaves_[leaf]; }

    const Element& element(Number number) const { return elements_[number]; }
    std::size_t elements() const { return elements_.size(); }
    // What the written elements hold at the start, by their columns: those of a group, or of all for -1.
    const std::vector<Number>& at_start(int group) const { return columns_[static_cast<std::size_t>(group + 1)]; }
    TouchedSets& sets() { return sets_; }
    // How often the trees were thrown away.
    std::size_t forgotten() const { return forgotten_; }
    // Whether some thread has come to a barrier of the grid, or of a subgroup.
    bool meets_in_grid() const { return meets_in_grid_; }
    bool meets_in_subgroup() const { return meets_in_subgroup_; }

private:
    void learn(Number local);
    Number asked(Number local);

    std::vector<Element> elements_;
    Interpreter& interpreter_;
    std::vector<std::vector<Number>> columns_;
    std::vector<LocalState> locals_;
    std::vector<bool> is_known_;
    std::vector<Number> roots_;
    DecisionTrees trees_;
    std::vector<Leaf> leaves_;
    TouchedSets sets_;
    std::size_t forgotten_ = 0;
    bool meets_in_grid_ = false, meets_in_subgroup_ = false;
};

}  // namespace synth
