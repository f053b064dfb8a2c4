// The search in lanes, as source for several kinds of processor: each includes this once, under its own compiler options.
//
// A batch is the top of the stack, whatever its partial programs have in common. All lanes follow their edges to a common
// fixpoint, and search backward from the ends and the open edges. Then a lane is dead, a whole program, or gets its
// children from tables. Depth-first order keeps the stack small, and all lanes full but at the very end. Whole programs
// wait on a stack of their own until they fill a batch, which is searched for cycles.
//
// The search may decide the touched edges in any order: the tests are the same. It decides the last one, in the order of
// the shape. We tried several orders. Only one left fewer partial programs, and it took more time.
//
// A batch is some vectors, as an operation waits for the last one on the same vector. `Lanes` is of lanes/, whose
// vectors.hpp says what this code may use.
#pragma once

#include "lanes/vectors.hpp"
#include "search/lanes.hpp"

namespace {

using synth::lanes::Stack;
using synth::lanes::Tables;
using synth::lanes::Ways;
using synth::lanes::Work;

template <class Lanes, int Words>
class Batches {
    using V = typename Lanes::V;
    using Turn = typename Lanes::Turn;
    typedef V Unaligned __attribute__((aligned(alignof(Word)), may_alias));
    static constexpr int lanes = lanes_of<V>;
    static constexpr int vectors = 4;
    static constexpr int size = lanes * vectors;
    static_assert(size <= synth::lanes::max_batch);

    // One word of each partial program of a batch.
    union Row {
        V part[vectors];
        Word lane[size];
    };

    // The words that begin somewhere in a field.
    static Unaligned& at(Word* field) { return *reinterpret_cast<Unaligned*>(field); }
    static const Unaligned& at(const Word* field) { return *reinterpret_cast<const Unaligned*>(field); }

public:
    Batches(const Tables& tables, Work& work) : tables_(tables), work_(work) {}

    Word examine(Word steps) {
        Word done = 0;
        while (done < steps && work_.partial.size > 0 && work_.found + 3 * size <= work_.room) {
            done += static_cast<Word>(examine_batch());
            if (work_.whole.size >= size || work_.partial.size == 0) keep_those_with_cycles();
        }
        return done;
    }

private:
    int examine_batch() {
        const int taken = take_from(work_.partial);
        follow_edges();
        look_at_edges();
        search_backward();
        Word alive = 0;
        for (int k = 0; k < vectors; ++k) alive |= Lanes::zeros(stuck(k)) << (k * lanes);
        for (alive &= (Word{1} << taken) - 1; alive != 0; alive &= alive - 1) {
            const int lane = __builtin_ctzll(alive);
            const Word masks = masks_.lane[lane], touched = touched_.lane[lane];
            const Word next = touched & masks;  // the open edges are the masks' low bits
            if (next != 0) {
                branch(lane, 63 - __builtin_clzll(next));  // the last one
            } else if ((masks >> synth::lanes::required_at & synth::lanes::all_edges & ~touched) == 0) {
                finish(lane);
            }
        }
        return taken;
    }

    // A whole program that spins has a cycle. The others wait until they fill a batch. A thread that never jumps back stands
    // still in a cycle, so its edges are forgotten.
    void finish(int lane) {
        if (masks_.lane[lane] >> synth::lanes::spins_at != 0) {
            work_.tests[work_.found++] = code_.lane[lane];
            return;
        }
        Word shifts[] = {shifts_[0].lane[lane], shifts_[1].lane[lane]};
        for (int t = 0; t < tables_.threads; ++t) {
            const Word* edges = tables_.of_thread[t];
            const Word jumps = ((shifts[0] & edges[0]) | (shifts[1] & edges[1])) & synth::lanes::any_jumps_back;
            for (int s = 0; s < synth::lanes::shift_words; ++s) shifts[s] &= jumps != 0 ? ~Word{0} : ~edges[s];
        }
        if ((shifts[0] | shifts[1]) == 0) return;
        Stack& whole = work_.whole;
        for (int w = 0; w < Words; ++w) whole.reached[w][whole.size] = reached_[w].lane[lane];
        for (int s = 0; s < synth::lanes::shift_words; ++s) whole.shifts[s][whole.size] = shifts[s];
        whole.code[whole.size++] = code_.lane[lane];
    }

    // Take up to a batch from the top. Lanes without a program reach no state, whatever else they hold.
    int take_from(Stack& stack) {
        const int taken = stack.size < size ? static_cast<int>(stack.size) : size;
        stack.size -= static_cast<std::size_t>(taken);
        const auto take = [&](const Word* field, Row& row) {
            for (int k = 0; k < vectors; ++k) row.part[k] = at(field + stack.size + static_cast<std::size_t>(k * lanes));
        };
        for (int w = 0; w < Words; ++w) {
            take(stack.reached[w], reached_[w]);
            for (int lane = taken; lane < size; ++lane) reached_[w].lane[lane] = 0;
        }
        for (int s = 0; s < synth::lanes::shift_words; ++s) take(stack.shifts[s], shifts_[s]);
        take(stack.code, code_);
        take(stack.masks, masks_);
        for (int e = 0; e < tables_.edges; ++e) {
            for (int k = 0; k < vectors; ++k) {
                const V does = byte_of(shifts_[e / synth::lanes::edges_per_word].part[k], e);
                turns_[e][k] = Lanes::turn(does);
                if (Words > 1 && tables_.split[e] != 0) crosses_[e].part[k] = crossing(does);
            }
        }
        return taken;
    }

    // What an edge does, in the low byte of words of which the rest says nothing.
    static V byte_of(V shifts, int edge) { return shifts >> 8 * static_cast<Word>(edge % synth::lanes::edges_per_word); }

    static V crossing(V does) { return -((does & synth::lanes::other_word) >> 6); }

    // Call `work` for each word that an edge leaves; `other` is the word with the other value of its location, or the
    // same if the location is not split.
    template <class Do>
    void each_word(int edge, Do work) const {
        const int split = tables_.split[edge] & (Words - 1);
        if (split == 0) {
            for (int w = 0; w < Words; ++w) work(w, w);
        } else {
            for (int w = 0; w < Words; ++w) {
                if (((w & split) != 0) == ((edge & 1) != 0)) work(w, w ^ split);
            }
        }
    }

    // Add to some vectors of sets what an edge leads to; `set(w, k)` is the word w of the vector k.
    template <int Vectors, class Set>
    void follow(int edge, const Turn* turns, const V* crosses, Set set) const {
        const Word from = tables_.from[edge];
        each_word(edge, [&](int w, int other) {
            for (int k = 0; k < Vectors; ++k) {
                const V to = Lanes::rotated(set(w, k) & from, turns[k]);
                if (w == other) {
                    set(w, k) |= to;
                } else {
                    set(w, k) |= to & ~crosses[k];
                    set(other, k) |= to & crosses[k];
                }
            }
        });
    }

    void follow_edges() {
        V changed;
        do {
            Row before[Words];
            for (int w = 0; w < Words; ++w) before[w] = reached_[w];
            for (int e = 0; e < tables_.edges; ++e) {
                follow<vectors>(e, turns_[e], crosses_[e].part, [&](int w, int k) -> V& { return reached_[w].part[k]; });
            }
            changed = V{};
            for (int w = 0; w < Words; ++w) {
                for (int k = 0; k < vectors; ++k) changed |= before[w].part[k] ^ reached_[w].part[k];
            }
        } while (!all_zero<Lanes>(changed));
    }

    // Which edges leave reached states, and which states need no successor: the ends and the sources of open edges.
    void look_at_edges() {
        for (int k = 0; k < vectors; ++k) touched_.part[k] = V{};
        for (int w = 0; w < Words; ++w) {
            for (int k = 0; k < vectors; ++k) goes_on_[w].part[k] = V{} + tables_.ends;
        }
        for (int e = 0; e < tables_.edges; ++e) {
            const Word from = tables_.from[e];
            for (int k = 0; k < vectors; ++k) {
                const V open = not_zero(masks_.part[k] & Word{1} << e) & from;
                V here = V{};
                each_word(e, [&](int w, int) {
                    goes_on_[w].part[k] |= open;
                    here |= reached_[w].part[k];
                });
                touched_.part[k] |= not_zero(here & from) & Word{1} << e;
            }
        }
    }

    // What an edge leads back to in the word w, from a set that leads to it in some words; not all are its sources.
    V led_back(const Row* set, int e, int w, int other, int k) const {
        const V& crosses = crosses_[e].part[k];
        const V here = set[w].part[k], there = set[other].part[k];
        return Lanes::rotated_back(w == other ? here : (here & ~crosses) | (there & crosses), turns_[e][k]);
    }

    // Add what leads to those that go on, and tell whether that are all reached states that do. States that are not reached
    // may be added, too; no reached one leads to them.
    bool follow_back() {
        Row before[Words];
        for (int w = 0; w < Words; ++w) before[w] = goes_on_[w];
        for (int e = tables_.edges - 1; e >= 0; --e) {
            const Word from = tables_.from[e];
            each_word(e, [&](int w, int other) {
                for (int k = 0; k < vectors; ++k) goes_on_[w].part[k] |= led_back(goes_on_, e, w, other, k) & from;
            });
        }
        V changed = V{};
        for (int w = 0; w < Words; ++w) {
            for (int k = 0; k < vectors; ++k) changed |= reached_[w].part[k] & goes_on_[w].part[k] & ~before[w].part[k];
        }
        return all_zero<Lanes>(changed);
    }

    // A lane is stuck where some reached state leads to none of those that go on.
    V stuck(int k) const {
        V left = V{};
        for (int w = 0; w < Words; ++w) left |= reached_[w].part[k] & ~goes_on_[w].part[k];
        return left;
    }

    void search_backward() {
        while (!follow_back()) {
            V left = V{};
            for (int k = 0; k < vectors; ++k) left |= stuck(k);
            if (all_zero<Lanes>(left)) return;
        }
    }

    // Append the children of a partial program: one for each way to decide an edge, with the states that its instruction
    // now leads to. Whoever is alone at the edge must not spin there.
    void branch(int lane, int edge) {
        const Ways& ways = tables_.ways[edge][choice(lane, edge / 2)];
        Word alone = 0;
        each_word(edge, [&](int w, int) { alone |= reached_[w].lane[lane] & tables_.alone[edge]; });
        const int changed = edge / synth::lanes::edges_per_word;
        Stack& stack = work_.partial;
        const std::size_t first = alone != 0 ? ways.spins : 0;
        for (std::size_t way = first; way < ways.size; way += lanes) {
            const std::size_t top = stack.size + way - first;
            const V shifts = shifts_[changed].lane[lane] ^ at(ways.shifts + way);
            at(stack.shifts[changed] + top) = shifts;
            at(stack.shifts[1 - changed] + top) = V{} + shifts_[1 - changed].lane[lane];
            at(stack.code + top) = code_.lane[lane] ^ at(ways.code + way);
            at(stack.masks + top) = masks_.lane[lane] ^ at(ways.masks + way);
            V reached[Words];
            for (int w = 0; w < Words; ++w) reached[w] = V{} + reached_[w].lane[lane];
            const auto step = [&](int e) {
                const V does = byte_of(shifts, e), crosses = crossing(does);
                const Turn turn = Lanes::turn(does);
                follow<1>(e, &turn, &crosses, [&](int w, int) -> V& { return reached[w]; });
            };
            step(edge);
            step(edge ^ 1);
            for (int w = 0; w < Words; ++w) at(stack.reached[w] + top) = reached[w];
        }
        stack.size += ways.size - first;
    }

    // Which ways there are to decide an instruction further.
    int choice(int lane, int instruction) const {
        const Word known = code_.lane[lane] >> (synth::lanes::code_bits * instruction) & synth::lanes::code_mask;
        if (known != 0) return 7 + static_cast<int>(known);
        const Word masks = masks_.lane[lane], alike = tables_.same_loc[instruction];
        const Word branches = masks >> synth::lanes::may_branch_at, changes = masks >> synth::lanes::may_change_at;
        int allowed = 0;
        if ((changes & alike) != 0) allowed |= synth::lanes::may_leave;
        if ((branches & tables_.elsewhere[instruction]) != 0) {
            allowed |= synth::lanes::may_write;
            // A store must leave each writer of the location a branch in another thread.
            const Word others = branches & ~(Word{1} << instruction);
            bool store = true;
            for (Word writers = masks >> synth::lanes::writes_at & alike; writers != 0; writers &= writers - 1) {
                store = store && (others & tables_.elsewhere[__builtin_ctzll(writers)]) != 0;
            }
            if (store) allowed |= synth::lanes::may_store;
        }
        return allowed;
    }

    // Whole programs with a cycle are tests: the greatest part in which each state has a successor is not empty.
    void keep_those_with_cycles() {
        while (work_.whole.size >= size || (work_.partial.size == 0 && work_.whole.size > 0)) {
            const int taken = take_from(work_.whole);
            Row from[synth::lanes::max_edges];
            for (int e = 0; e < tables_.edges; ++e) {
                for (int k = 0; k < vectors; ++k) {
                    const V does = byte_of(shifts_[e / synth::lanes::edges_per_word].part[k], e);
                    from[e].part[k] = not_zero(does & synth::lanes::edge_mask) & tables_.from[e];
                }
            }
            V changed;
            do {
                Row lead[Words]{};
                for (int e = 0; e < tables_.edges; ++e) {
                    each_word(e, [&](int w, int other) {
                        for (int k = 0; k < vectors; ++k) {
                            lead[w].part[k] |= led_back(reached_, e, w, other, k) & from[e].part[k];
                        }
                    });
                }
                changed = V{};
                for (int w = 0; w < Words; ++w) {
                    for (int k = 0; k < vectors; ++k) {
                        changed |= reached_[w].part[k] & ~lead[w].part[k];
                        reached_[w].part[k] &= lead[w].part[k];
                    }
                }
            } while (!all_zero<Lanes>(changed));
            for (int lane = 0; lane < taken; ++lane) {
                Word left = 0;
                for (int w = 0; w < Words; ++w) left |= reached_[w].lane[lane];
                work_.tests[work_.found] = code_.lane[lane];
                work_.found += left != 0;
            }
        }
    }

    const Tables& tables_;
    Work& work_;
    Row reached_[Words], goes_on_[Words];
    Turn turns_[synth::lanes::max_edges][vectors];
    Row crosses_[synth::lanes::max_edges];
    Row shifts_[synth::lanes::shift_words];
    Row code_, masks_, touched_;
};

template <class Lanes>
Word examine_in(const Tables& tables, Work& work, Word steps) {
    if (tables.words == 1) return Batches<Lanes, 1>(tables, work).examine(steps);
    if (tables.words == 2) return Batches<Lanes, 2>(tables, work).examine(steps);
    return Batches<Lanes, 4>(tables, work).examine(steps);
}

}  // namespace
