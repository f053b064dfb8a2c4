// Which rules programs break and which verdicts they fail, as source for several kinds of processor (lanes/vectors.hpp).
//
// All programs of a batch go to a common fixpoint, again and again: of what is reached, of what can end, of what is reached
// with each state of the models' automata, and of what can go on for ever while exactly some threads step. The last is the
// set of Emerson and Lei, Efficient model checking in fragments of the propositional mu-calculus (LICS 1986). So no
// component is looked for. history_verdicts.hpp says why these sets decide every verdict. A class that takes one program at a time,
// and graphs, is the twin: RuleChecker, with HistoryVerdicts.
#pragma once

#include "lanes/vectors.hpp"
#include "program/rule_bits.hpp"
#include "sets/sets.hpp"

namespace {

using synth::sets::Batch;
using synth::sets::Case;
using synth::sets::Cases;
using synth::sets::Models;
using synth::sets::Shape;

template <class Path, int Words, int Vectors>
class SetBatch {
    using V = typename Path::V;
    using Turn = typename Path::Turn;
    static constexpr int lanes = lanes_of<V>;
    static_assert(synth::sets::max_batch % (lanes * Vectors) == 0);

    // A word of each program.
    struct Row {
        V part[Vectors];
    };
    // A set of states of each program.
    struct Set {
        V word[Words][Vectors];
    };

    template <class Do>
    static void each(Do work) {
        for (int w = 0; w < Words; ++w) {
            for (int k = 0; k < Vectors; ++k) work(w, k);
        }
    }
    template <class Do>
    static Row row(Do work) {
        Row made;
        for (int k = 0; k < Vectors; ++k) made.part[k] = work(k);
        return made;
    }
    static Row same(Word word) {
        return row([&](int) { return V{} + word; });
    }

    friend Set operator&(const Set& one, const Set& other) {
        Set both;
        each([&](int w, int k) { both.word[w][k] = one.word[w][k] & other.word[w][k]; });
        return both;
    }
    // In each word alike.
    friend Set operator&(const Set& one, Word other) {
        Set both;
        each([&](int w, int k) { both.word[w][k] = one.word[w][k] & other; });
        return both;
    }
    friend Set operator&(const Set& one, const Row& other) {
        Set both;
        each([&](int w, int k) { both.word[w][k] = one.word[w][k] & other.part[k]; });
        return both;
    }
    friend Set& operator|=(Set& one, const Set& other) {
        each([&](int w, int k) { one.word[w][k] |= other.word[w][k]; });
        return one;
    }
    static bool equal(const Set& one, const Set& other) {
        V differ{};
        each([&](int w, int k) { differ |= one.word[w][k] ^ other.word[w][k]; });
        return all_zero<Path>(differ);
    }
    static Row has_some(const Set& set) {
        return row([&](int k) {
            V some = set.word[0][k];
            for (int w = 1; w < Words; ++w) some |= set.word[w][k];
            return not_zero(some);
        });
    }
    static bool any(const Row& words) {
        V some = words.part[0];
        for (int k = 1; k < Vectors; ++k) some |= words.part[k];
        return !all_zero<Path>(some);
    }

    // What an instruction does where its location has one value.
    struct Edge {
        Set from;
        Turn turn[Vectors];
        Row crosses[2];  // to the word with the other value of a location; only of those that words tell apart
    };

    // Exchange the words that a location tells apart, in the programs where an edge leads to the other one.
    static void cross(Set& set, const Edge& edge) {
        const auto exchange = [&](int w, int other, int location) {
            for (int k = 0; k < Vectors; ++k) {
                const V differ = (set.word[w][k] ^ set.word[other][k]) & edge.crosses[location].part[k];
                set.word[w][k] ^= differ;
                set.word[other][k] ^= differ;
            }
        };
        if constexpr (Words == 2) exchange(0, 1, 1);
        if constexpr (Words == 4) {
            exchange(0, 1, 0);
            exchange(2, 3, 0);
            exchange(0, 2, 1);
            exchange(1, 3, 1);
        }
    }
    // What the states of a set become.
    static Set after(const Edge& edge, const Set& set) {
        Set to;
        each([&](int w, int k) { to.word[w][k] = Path::rotated(set.word[w][k] & edge.from.word[w][k], edge.turn[k]); });
        cross(to, edge);
        return to;
    }
    // The states that become some of a set.
    static Set before(const Edge& edge, const Set& of) {
        Set set = of;
        cross(set, edge);
        each([&](int w, int k) { set.word[w][k] = Path::rotated_back(set.word[w][k], edge.turn[k]) & edge.from.word[w][k]; });
        return set;
    }

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
            Set* room = reinterpret_cast<Set*>(batch_.room);
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
            first_[t] = edges_;
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
                    make(edge_[edges_++], t, pc, value, second, changes, taken, target);
                }
            }
        }
        first_[shape_.threads] = edges_;
    }

    // The states of a word in which a location has a value. It may be a matter of the word, of the bit, or of neither.
    static Word with_value(int w, int loc, int value) {
        constexpr Word by_bit[2] = {0x5555555555555555, 0x3333333333333333};
        const int bits = Words == 1 ? 2 : Words == 2 ? 1 : 0;  // locations that bits tell apart, the first of them
        if (loc < bits) return value == 0 ? by_bit[loc] : ~by_bit[loc];
        return (w >> (loc - bits) & 1) == value ? ~Word{0} : 0;
    }

    void make(Edge& edge, int t, int pc, int value, const Row& second, const Row& changes, const Row& taken, const Row& target) {
        const Word stride = shape_.stride[t], there = shape_.at[t][pc];
        for (int k = 0; k < Vectors; ++k) {
            for (int w = 0; w < Words; ++w) {
                const V with = (second.part[k] & with_value(w, 1, value)) | (~second.part[k] & with_value(w, 0, value));
                edge.from.word[w][k] = with & there;
            }
            // The next pc, by its three bits, times the stride.
            const V next = (taken.part[k] & target.part[k]) | (~taken.part[k] & static_cast<Word>(pc + 1));
            V turn = (-(next & 1) & stride) + (-(next >> 1 & 1) & 2 * stride) + (-(next >> 2 & 1) & 4 * stride) -
                     static_cast<Word>(pc) * stride;
            // A changed value that is a matter of the bit.
            if (Words == 1) {
                const V unit = (second.part[k] & 2) | (~second.part[k] & 1);
                turn += changes.part[k] & (value == 0 ? unit : -unit);
            } else if (Words == 2) {
                turn += changes.part[k] & ~second.part[k] & (value == 0 ? Word{1} : ~Word{0});
            }
            edge.turn[k] = Path::turn(turn);
            edge.crosses[0].part[k] = changes.part[k] & ~second.part[k];
            edge.crosses[1].part[k] = changes.part[k] & second.part[k];
        }
    }

    void explore() {
        reached_ = Set{};
        for (int k = 0; k < Vectors; ++k) reached_.word[0][k] = V{} + 1;
        Set last;
        do {
            last = reached_;
            for (int e = 0; e < edges_; ++e) reached_ |= after(edge_[e], reached_);
        } while (!equal(last, reached_));
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
        Set can_end = reached_ & shape_.live[0], last;
        do {
            last = can_end;
            for (int e = edges_ - 1; e >= 0; --e) can_end |= before(edge_[e], can_end) & reached_;
        } while (!equal(last, can_end));
        Set stuck;
        each([&](int w, int k) { stuck.word[w][k] = reached_.word[w][k] ^ can_end.word[w][k]; });
        break_where(has_some(stuck), synth::possible_termination);
    }

    // Find what is reached with each state of the automata.
    void push(const Models& models, Set* with) const {
        for (int q = 0; q < models.states; ++q) with[q] = Set{};
        for (int k = 0; k < Vectors; ++k) with[0].word[0][k] = V{} + 1;
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
        Set here = with[q], last;
        if (!any(has_some(here))) return false;
        do {
            last = here;
            for (int t = 0; t < shape_.threads; ++t) {
                if (steps[t] != q && ends[t] != q) continue;
                const Word ended = shape_.at[t][shape_.size[t]];
                const Word stays = (steps[t] == q ? ~ended : 0) | (ends[t] == q ? ended : 0);
                for (int e = first_[t]; e < first_[t + 1]; ++e) here |= after(edge_[e], here) & stays;
            }
        } while (!equal(last, here));
        with[q] = here;
        bool grows = false;
        for (int t = 0; t < shape_.threads; ++t) {
            if (steps[t] == q && ends[t] == q) continue;
            Set to{};
            for (int e = first_[t]; e < first_[t + 1]; ++e) to |= after(edge_[e], here);
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

    // Go through what can go on for ever with the same live threads, while some of them step.
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
                    fail(m, models[m].of(models[m].recurrent, live, 1U << t), alone[t]);
                    fail(m, models[m].of(models[m].closed, live, 1U << t), alone[t]);
                }
            }
            for (unsigned some = live; some > 0; some = (some - 1) & live) {
                if ((some & (some - 1)) == 0) continue;
                judge_together(models, count, live, some, here, alone);
            }
        }
    }

    // Some threads that are more than one. If they go on within a set whatever they do, each of them goes on alone.
    void judge_together(const Models* models, int count, unsigned live, unsigned some, const Set& here, const Set* alone) {
        bool is_recurrent_asked = any(row([&](int k) { return ~has_cycle_.part[k]; })), is_closed_asked = false;
        for (int m = 0; m < count; ++m) {
            is_recurrent_asked = is_recurrent_asked || is_open(m, models[m].of(models[m].recurrent, live, some));
            is_closed_asked = is_closed_asked || is_open(m, models[m].of(models[m].closed, live, some));
        }
        if (is_recurrent_asked) {
            Set recurrent = here;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) recurrent = recurrent & does_[t].jumps_back;
            }
            recurrent = going_on(recurrent, some);
            note(recurrent);
            for (int m = 0; m < count; ++m) fail(m, models[m].of(models[m].recurrent, live, some), recurrent);
        }
        if (is_closed_asked) {
            Set closed = here;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) closed = closed & alone[t];
            }
            closed = staying(closed, some);
            for (int m = 0; m < count; ++m) fail(m, models[m].of(models[m].closed, live, some), closed);
        }
    }

    // The greatest part of a set from which paths inside it go on for ever by steps of some threads, each again and again.
    Set going_on(const Set& start, unsigned some) const {
        Set set = start;
        for (Set last;;) {
            if (!any(has_some(set))) return set;
            last = set;
            for (int t = 0; t < shape_.threads; ++t) {
                if ((some >> t & 1) == 0) continue;
                const Set inside = set;
                set = set & led_by(t, set);
                if ((some & (some - 1)) != 0) set = leading_to(set, inside, some);
            }
            if (equal(last, set)) return set;
        }
    }

    // The greatest part of a set that no step of some threads leaves.
    Set staying(const Set& start, unsigned some) const {
        Set set = start;
        for (Set last;;) {
            if (!any(has_some(set))) return set;
            last = set;
            for (int t = 0; t < shape_.threads; ++t) {
                if (some >> t & 1) set = set & led_by(t, set);
            }
            if (equal(last, set)) return set;
        }
    }

    // The states from which a thread's step leads to a set.
    Set led_by(int t, const Set& set) const {
        Set from{};
        for (int e = first_[t]; e < first_[t + 1]; ++e) from |= before(edge_[e], set);
        return from;
    }

    // The states from which steps of some threads lead to a set, inside another one.
    Set leading_to(const Set& goals, const Set& inside, unsigned some) const {
        Set set = goals, last;
        do {
            last = set;
            for (int t = shape_.threads - 1; t >= 0; --t) {
                if ((some >> t & 1) == 0) continue;
                for (int e = first_[t + 1] - 1; e >= first_[t]; --e) set |= before(edge_[e], set) & inside;
            }
        } while (!equal(last, set));
        return set;
    }

    void note(const Set& going_on) {
        const Row some = has_some(going_on);
        for (int k = 0; k < Vectors; ++k) has_cycle_.part[k] |= some.part[k];
    }

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
    int first_[synth::sets::max_threads + 1];  // edges of a thread
    Edge edge_[2 * synth::sets::max_size];
    Instruction instruction_[synth::sets::max_size];
    Does does_[synth::sets::max_threads];
    Set reached_;
    const Set* reached_with_[synth::sets::max_models];
    Row failed_[synth::sets::max_models];
    Row broken_, has_cycle_;
};

template <class Path, int Words, int Vectors>
void decide_words(const Shape& shape, const Models* models, int count, Batch& batch) {
    using Some = SetBatch<Path, Words, Vectors>;
    for (int first = 0; first < batch.programs; first += Some::size) Some(shape, batch, first).decide(models, count);
}

template <class Path, int Vectors>
void decide_vectors(const Shape& shape, const Models* models, int count, Batch& batch) {
    if (shape.words == 1) return decide_words<Path, 1, Vectors>(shape, models, count, batch);
    if (shape.words == 2) return decide_words<Path, 2, Vectors>(shape, models, count, batch);
    return decide_words<Path, 4, Vectors>(shape, models, count, batch);
}

template <class Path, int Vectors>
void decide_in(const Shape& shape, const Models* models, int count, Batch& batch) {
    if (batch.programs <= lanes_of<typename Path::V>) return decide_vectors<Path, 1>(shape, models, count, batch);
    return decide_vectors<Path, Vectors>(shape, models, count, batch);
}

}  // namespace
