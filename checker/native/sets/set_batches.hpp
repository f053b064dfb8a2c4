// Which rules programs break and which verdicts they fail, as source for several kinds of processor (lanes/vectors.hpp).
//
// All programs of a batch run to a fixpoint together. There is one for the reached states, one for the states that can end,
// one for each state of the models' automata, and one for each set of threads that may step for ever. The last is that of
// Emerson and Lei, Efficient model checking in fragments of the propositional mu-calculus (LICS 1986). So strongly connected
// components are not needed. history_verdicts.hpp says why these sets decide every verdict. The twins take one program at a
// time and use its graph: RuleChecker and HistoryVerdicts.
#pragma once

#include "program/rule_bits.hpp"
#include "sets/sets.hpp"
#include "sets/state_sets.hpp"

namespace {

using synth::sets::Batch;
using synth::sets::Case;
using synth::sets::Cases;
using synth::sets::Models;
using synth::sets::Shape;

template <class Lanes, int Words, int Vectors>
class SetBatch : StateSets<Lanes, Words, Vectors> {
    using Base = StateSets<Lanes, Words, Vectors>;
    using typename Base::V;
    using typename Base::Row;
    using typename Base::Set;
    using typename Base::Edge;
    using Base::after;
    using Base::any;
    using Base::before;
    using Base::each;
    using Base::equal;
    using Base::has_some;
    using Base::lanes;
    using Base::make;
    using Base::row;

public:
    static constexpr int size = lanes * Vectors;

    // For `size` programs of a batch, the first of which has this number.
    SetBatch(const Shape& shape, Batch& batch, int first) : shape_(shape), batch_(batch), first_program_(first) {}

    void decide(const Models* models, int count) {
        read_programs();
        explore();
        look_at_instructions();
        see_who_influences();
        see_what_ends();
        for (int m = 0; m < count; ++m) failed_[m] = row([](int) { return V{}; });
        has_cycle_ = row([](int) { return V{}; });
        const bool is_needed = batch_.in_force == 0 || any(row([&](int k) {
                                   return ~not_zero(broken_.part[k] & batch_.in_force);
                               }));
        if (is_needed) {
            Set* room = static_cast<Set*>(batch_.room);
            for (int m = 0; m < count; ++m) {
                reached_with_[m] = room;
                push(models[m], room);
                room += models[m].states;
            }
            judge(models, count);
            break_where(row([&](int k) { return ~has_cycle_.part[k]; }), synth::non_termination_cycle);
        }
        write(broken_, batch_.broken);
        for (int m = 0; m < count; ++m) write(failed_[m], batch_.failed + m * synth::sets::max_batch);
    }

private:
    Row read(const Word* field) const {
        Row words;
        __builtin_memcpy(&words, field + first_program_, sizeof words);
        return words;
    }
    void write(const Row& words, Word* field) const { __builtin_memcpy(field + first_program_, &words, sizeof words); }

    void break_where(const Row& where, Word rule) {
        for (int k = 0; k < Vectors; ++k) broken_.part[k] |= where.part[k] & rule;
    }

    static Row bit_of(const Row& bytes, int bit) {
        return row([&](int k) { return -(bytes.part[k] >> static_cast<Word>(bit) & 1); });
    }

    // Make the edges, by the fields of a packed program's bytes, and note what each thread does with each location.
    void read_programs() {
        broken_ = row([](int) { return V{}; });
        edges_ = 0;
        for (int t = 0; t < shape_.threads; ++t) {
            first_edge_[t] = edges_;
            const Row words = read(batch_.thread[t]);
            Does& does = does_[t] = Does{};
            for (int pc = 0; pc < shape_.size[t]; ++pc) {
                const Row byte = row([&](int k) { return words.part[k] >> static_cast<Word>(8 * pc); });
                const Row second = bit_of(byte, 0), check = bit_of(byte, 1), low = bit_of(byte, 2), high = bit_of(byte, 3);
                const Row target = row([&](int k) { return byte.part[k] >> 4 & 7; });
                const Row branch = row([&](int k) { return not_zero(target.part[k] ^ static_cast<Word>(pc + 1)); });
                const Row one = row([&](int k) { return high.part[k] & ~low.part[k]; });
                const Row zero = row([&](int k) { return low.part[k] & ~high.part[k]; });
                const Row back = row([&](int k) {  // all ones if the target is at most pc: a difference below zero
                    return -((target.part[k] - static_cast<Word>(pc + 1)) >> 63);
                });
                for (int k = 0; k < Vectors; ++k) {
                    does.jumps_back.part[k] |= back.part[k];
                    for (int loc = 0; loc < 2; ++loc) {
                        const V here = loc == 1 ? second.part[k] : ~second.part[k];
                        does.uses[loc].part[k] |= here;
                        does.branches[loc].part[k] |= here & branch.part[k];
                        does.writes[loc].part[k] |= here & (one.part[k] | zero.part[k]);
                    }
                }
                Instruction& instruction = instruction_[edges_ / 2];
                instruction = {branch, zero, one};
                for (int value = 0; value < 2; ++value) {
                    const Row changes = value == 0 ? one : zero;
                    const Row taken = row([&](int k) { return value == 1 ? check.part[k] : ~check.part[k]; });
                    make(edge_[edges_++], {shape_.at[t][pc], shape_.stride[t], pc, value}, second, changes, taken, target);
                }
            }
        }
        first_edge_[shape_.threads] = edges_;
    }

    // The start state, whose place is 0.
    static Set start() {
        Set made{};
        for (int k = 0; k < Vectors; ++k) made.word[0][k] = V{} + 1;
        return made;
    }

    // Change a set again and again, until it stays as it is.
    template <class Change>
    static void to_fixpoint(Set& set, Change change) {
        for (Set last;;) {
            last = set;
            change();
            if (equal(last, set)) return;
        }
    }

    void explore() {
        reached_ = start();
        to_fixpoint(reached_, [&] {
            for (int e = 0; e < edges_; ++e) reached_ |= after(edge_[e], reached_);
        });
    }

    void look_at_instructions() {
        for (int i = 0; i < edges_ / 2; ++i) {
            const Row zero = has_some(reached_ & edge_[2 * i].from), one = has_some(reached_ & edge_[2 * i + 1].from);
            const Instruction& does = instruction_[i];
            break_where(row([&](int k) { return ~(zero.part[k] | one.part[k]); }), synth::executed);
            break_where(row([&](int k) { return does.branch.part[k] & ~(zero.part[k] & one.part[k]); }), synth::all_branches);
            break_where(row([&](int k) {
                            return (does.writes_zero.part[k] & ~one.part[k]) | (does.writes_one.part[k] & ~zero.part[k]);
                        }),
                        synth::effective_stores);
        }
    }

    // Each write must be seen by a branch of another thread, and each branch compare what another thread uses.
    void see_who_influences() {
        Row missing = row([](int) { return V{}; });
        for (int loc = 0; loc < 2; ++loc) {
            for (int t = 0; t < shape_.threads; ++t) {
                for (int k = 0; k < Vectors; ++k) {
                    V used{}, compared{};  // by others
                    for (int other = 0; other < shape_.threads; ++other) {
                        if (other == t) continue;
                        used |= does_[other].uses[loc].part[k];
                        compared |= does_[other].branches[loc].part[k];
                    }
                    missing.part[k] |= (does_[t].writes[loc].part[k] & ~compared) | (does_[t].branches[loc].part[k] & ~used);
                }
            }
        }
        break_where(missing, synth::inter_thread_influence);
    }

    void see_what_ends() {
        Set can_end = reached_ & shape_.live[0];
        to_fixpoint(can_end, [&] {
            for (int e = edges_ - 1; e >= 0; --e) can_end |= before(edge_[e], can_end) & reached_;
        });
        Set stuck;
        each([&](int w, int k) { stuck.word[w][k] = reached_.word[w][k] ^ can_end.word[w][k]; });
        break_where(has_some(stuck), synth::possible_termination);
    }

    // Find what is reached with each state of the automata.
    void push(const Models& models, Set* with) const {
        for (int q = 0; q < models.states; ++q) with[q] = Set{};
        with[0] = start();
        bool grows;
        do {
            grows = false;
            for (int place = 0; place < models.states; ++place) grows = push_from(models, models.order[place], with) || grows;
        } while (models.comes_back && grows);
    }

    // Return whether anything was added to what is reached with another state.
    bool push_from(const Models& models, int q, Set* with) const {
        const int* const steps = models.steps + q * shape_.threads;
        const int* const ends = models.ends + q * shape_.threads;
        Set here = with[q];
        if (!any(has_some(here))) return false;
        to_fixpoint(here, [&] {
            for (int t = 0; t < shape_.threads; ++t) {
                if (steps[t] != q && ends[t] != q) continue;
                const Word ended = shape_.at[t][shape_.size[t]];
                const Word stays = (steps[t] == q ? ~ended : 0) | (ends[t] == q ? ended : 0);
                for (int e = first_edge_[t]; e < first_edge_[t + 1]; ++e) here |= after(edge_[e], here) & stays;
            }
        });
        with[q] = here;
        bool grows = false;
        for (int t = 0; t < shape_.threads; ++t) {
            if (steps[t] == q && ends[t] == q) continue;
            Set to{};
            for (int e = first_edge_[t]; e < first_edge_[t + 1]; ++e) to |= after(edge_[e], here);
            const Word ended = shape_.at[t][shape_.size[t]];
            grows = add(with[steps[t]], to & ~ended, models.comes_back) || grows;
            grows = add(with[ends[t]], to & ended, models.comes_back) || grows;
        }
        return grows;
    }

    static bool add(Set& to, const Set& more, bool asks) {
        const Set last = to;
        to |= more;
        return asks && !equal(last, to);
    }

    // For each set of live threads, and each set of threads that step: find from where this can go on for ever.
    void judge(const Models* models, int count) {
        Set alone[synth::sets::max_threads];
        for (unsigned live = (1U << shape_.threads) - 1; live > 0; --live) {
            const Set here = reached_ & shape_.live[live];
            if (!any(has_some(here))) continue;
            for (int t = 0; t < shape_.threads; ++t) {
                if ((live >> t & 1) == 0) continue;
                alone[t] = going_on(here & does_[t].jumps_back, 1U << t);
                note(alone[t]);
                for (int m = 0; m < count; ++m) {
                    fail(m, cases(models[m].recurrent, live, 1U << t), alone[t]);
                    fail(m, cases(models[m].closed, live, 1U << t), alone[t]);
                }
            }
            for (unsigned some = live; some > 0; some = (some - 1) & live) {
                if ((some & (some - 1)) == 0) continue;
                judge_together(models, count, live, some, here, alone);
            }
        }
    }

    // For two or more threads. A set that is closed under the steps of all of them is closed under those of each. So it lies
    // in what goes on by each alone.
    void judge_together(const Models* models, int count, unsigned live, unsigned some, const Set& here, const Set* alone) {
        bool is_recurrent_asked = any(row([&](int k) { return ~has_cycle_.part[k]; })), is_closed_asked = false;
        for (int m = 0; m < count; ++m) {
            is_recurrent_asked = is_recurrent_asked || is_open(m, cases(models[m].recurrent, live, some));
            is_closed_asked = is_closed_asked || is_open(m, cases(models[m].closed, live, some));
        }
        if (is_recurrent_asked) {
            Set recurrent = here;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) recurrent = recurrent & does_[t].jumps_back;
            }
            recurrent = going_on(recurrent, some);
            note(recurrent);
            for (int m = 0; m < count; ++m) fail(m, cases(models[m].recurrent, live, some), recurrent);
        }
        if (is_closed_asked) {
            Set closed = here;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) closed = closed & alone[t];
            }
            closed = staying(closed, some);
            for (int m = 0; m < count; ++m) fail(m, cases(models[m].closed, live, some), closed);
        }
    }

    // The greatest part of a set from which paths inside it go on for ever by steps of some threads, each again and again.
    Set going_on(Set set, unsigned some) const {
        to_fixpoint(set, [&] {
            if (!any(has_some(set))) return;
            for (int t = 0; t < shape_.threads; ++t) {
                if ((some >> t & 1) == 0) continue;
                const Set inside = set;
                set = set & led_by(t, set);
                if ((some & (some - 1)) != 0) set = leading_to(set, inside, some);
            }
        });
        return set;
    }

    // The greatest part of a set that no step of some threads leaves.
    Set staying(Set set, unsigned some) const {
        to_fixpoint(set, [&] {
            if (!any(has_some(set))) return;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) set = set & led_by(t, set);
            }
        });
        return set;
    }

    // The states from which a thread's step leads to a set.
    Set led_by(int t, const Set& set) const {
        Set from{};
        for (int e = first_edge_[t]; e < first_edge_[t + 1]; ++e) from |= before(edge_[e], set);
        return from;
    }

    // The states from which steps of some threads lead to a set, inside another one.
    Set leading_to(Set set, const Set& inside, unsigned some) const {
        to_fixpoint(set, [&] {
            for (int t = shape_.threads - 1; t >= 0; --t) {
                if ((some >> t & 1) == 0) continue;
                for (int e = first_edge_[t + 1] - 1; e >= first_edge_[t]; --e) set |= before(edge_[e], set) & inside;
            }
        });
        return set;
    }

    void note(const Set& going_on) {
        const Row some = has_some(going_on);
        for (int k = 0; k < Vectors; ++k) has_cycle_.part[k] |= some.part[k];
    }

    const Cases& cases(const Cases* all, unsigned live, unsigned some) const { return all[live << shape_.threads | some]; }

    bool is_open(int m, const Cases& cases) const {
        return any(row([&](int k) { return ~failed_[m].part[k] & cases.any; }));
    }

    void fail(int m, const Cases& cases, const Set& set) {
        if (cases.count == 0 || !is_open(m, cases)) return;
        for (int c = 0; c < cases.count; ++c) {
            const Row some = has_some(set & reached_with_[m][cases.first[c].state]);
            for (int k = 0; k < Vectors; ++k) failed_[m].part[k] |= some.part[k] & cases.first[c].verdicts;
        }
    }

    // What an instruction does, apart from its edges.
    struct Instruction {
        Row branch, writes_zero, writes_one;
    };
    // What a thread does with each location.
    struct Does {
        Row uses[2], branches[2], writes[2];
        Row jumps_back;
    };

    const Shape& shape_;
    Batch& batch_;
    int first_program_;
    int edges_ = 0;
    int first_edge_[synth::sets::max_threads + 1];  // of a thread
    Edge edge_[2 * synth::sets::max_size];
    Instruction instruction_[synth::sets::max_size];
    Does does_[synth::sets::max_threads];
    Set reached_;
    const Set* reached_with_[synth::sets::max_models];
    Row failed_[synth::sets::max_models];
    Row broken_, has_cycle_;
};

template <class Lanes, int Words, int Vectors>
void decide_words(const Shape& shape, const Models* models, int count, Batch& batch) {
    using Some = SetBatch<Lanes, Words, Vectors>;
    for (int first = 0; first < batch.programs; first += Some::size) Some(shape, batch, first).decide(models, count);
}

template <class Lanes, int Vectors>
void decide_vectors(const Shape& shape, const Models* models, int count, Batch& batch) {
    if (shape.words == 1) return decide_words<Lanes, 1, Vectors>(shape, models, count, batch);
    if (shape.words == 2) return decide_words<Lanes, 2, Vectors>(shape, models, count, batch);
    return decide_words<Lanes, 4, Vectors>(shape, models, count, batch);
}

template <class Lanes>
void decide_in(const Shape& shape, const Models* models, int count, Batch& batch) {
    if (batch.programs <= lanes_of<typename Lanes::V>) return decide_vectors<Lanes, 1>(shape, models, count, batch);
    return decide_vectors<Lanes, 2>(shape, models, count, batch);
}

}  // namespace
