#include "program/set_exploration.hpp"

#include "program/rules.hpp"

namespace synth {

namespace {

constexpr int memories = 4;
// The states in which a location has a value.
constexpr StateSet with_value[2][2] = {{0x5555555555555555, 0xaaaaaaaaaaaaaaaa}, {0x3333333333333333, 0xcccccccccccccccc}};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool SetExploration::explore(const PackedProgram& program) {
    if (!number_states(program)) return false;
    read(program);
    StateSet last = 0;
    lts_.reached = 1;
    while (last != lts_.reached) {
        last = lts_.reached;
        for (const SetEdge& edge : lts_.edges()) lts_.reached |= edge.after(lts_.reached);
    }
    broken_ = observed(program);
    StateSet can_end = lts_.reached & lts_.with_live[0];
    last = 0;
    while (last != can_end) {
        last = can_end;
        for (std::size_t k = lts_.edge_count; k-- > 0;) can_end |= lts_.edge[k].before(can_end) & lts_.reached;
    }
    if (can_end != lts_.reached) broken_ |= possible_termination;
    lts_.cyclic = cycles();
    StateSet looping = 0;
    for (int t = 0; t < lts_.threads; ++t) looping |= lts_.loops[at(t)];
    if ((looping & lts_.reached) == 0 && lts_.cyclic == 0) broken_ |= non_termination_cycle;
    return true;
}

// Return whether there are few enough states.
bool SetExploration::number_states(const PackedProgram& program) {
    std::uint64_t sizes = 0;
    std::size_t states = memories;
    for (int t = 0; t < program.threads(); ++t) {
        const auto size = static_cast<std::uint64_t>(program.size(t));
        sizes = sizes << 3 | size;
        states *= size + 1;
    }
    if (states > SetLts::max_states) return false;
    if (sizes == sizes_) return true;
    sizes_ = sizes;
    lts_.threads = program.threads();
    int stride = memories;
    for (int t = 0; t < lts_.threads; ++t) {
        const int size = program.size(t);
        stride_[at(t)] = stride;
        for (int pc = 0; pc <= size; ++pc) {
            StateSet& there = at_[at(t)][at(pc)] = 0;
            for (std::size_t state = 0; state < states; ++state) {
                if (static_cast<int>(state) / stride % (size + 1) == pc) there |= StateSet{1} << state;
            }
        }
        stride *= size + 1;
    }
    for (ThreadSet live = 0; live < ThreadSet{1} << lts_.threads; ++live) {
        lts_.with_live[live] = ~StateSet{0} >> (SetLts::max_states - states);
        for (int t = 0; t < lts_.threads; ++t) {
            const StateSet ended = at_[at(t)][at(program.size(t))];
            lts_.with_live[live] &= (live >> t & 1) != 0 ? ~ended : ended;
        }
    }
    return true;
}

void SetExploration::read(const PackedProgram& program) {
    lts_.edge_count = 0;
    for (int t = 0; t < lts_.threads; ++t) {
        lts_.loops[at(t)] = 0;
        const int size = program.size(t);
        for (int pc = 0; pc < size; ++pc) {
            const PackedProgram::Fields i = program.fields(t, pc);
            for (const int value : {0, 1}) {
                const StateSet from = at_[at(t)][at(pc)] & with_value[i.loc][value];
                const int change = i.writes ? (i.exch - value) * (1 << i.loc) : 0;
                const int next = value == i.check ? i.target : pc + 1;
                const int difference = change + (next - pc) * stride_[at(t)];
                lts_.loops[at(t)] |= difference == 0 ? from : 0;
                lts_.edge[lts_.edge_count] = {from, static_cast<std::uint8_t>(difference & 63), static_cast<std::uint8_t>(t), next == size, next > pc};
                lts_.edge_count += difference != 0;
            }
        }
    }
}

// The rules about single instructions that are broken.
std::uint32_t SetExploration::observed(const PackedProgram& program) const {
    std::uint32_t broken = 0;
    if (!program.influences()) broken |= inter_thread_influence;
    for (int t = 0; t < lts_.threads; ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            const PackedProgram::Fields i = program.fields(t, pc);
            const StateSet there = lts_.reached & at_[at(t)][at(pc)];
            const bool met[2] = {(there & with_value[i.loc][0]) != 0, (there & with_value[i.loc][1]) != 0};
            if (there == 0) broken |= executed;
            if (i.target != pc + 1 && !(met[0] && met[1])) broken |= all_branches;
            if (i.writes && !met[i.exch ^ 1]) broken |= effective_stores;
        }
    }
    return broken;
}

// Reached states with those on cycles of several states among them. A cycle has an edge that does not go on to a later pc.
// Of what is behind such edges, states from which or to which no step leads are removed again and again.
StateSet SetExploration::cycles() const {
    StateSet found = 0, last = 0;
    for (const SetEdge& edge : lts_.edges()) found |= edge.goes_on ? 0 : edge.after(lts_.reached);
    while (last != found) {
        last = found;
        for (const SetEdge& edge : lts_.edges()) found |= edge.after(found);
    }
    last = 0;
    while (last != found) {
        last = found;
        StateSet after = 0, before = 0;
        for (const SetEdge& edge : lts_.edges()) after |= edge.after(found);
        after &= found;
        for (const SetEdge& edge : lts_.edges()) before |= edge.before(after);
        found = after & before;
    }
    return found;
}

}  // namespace synth
