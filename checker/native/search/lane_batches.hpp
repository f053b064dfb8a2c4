// The search in lanes, as source for several kinds of processor: each includes this once, under its own compiler options.
//
// A batch is the top of the stack, whatever its partial programs have in common. All lanes follow their edges to a common
// fixpoint, and search backward from the ends and the open edges. Then a lane is dead, a whole program, or gets its
// children from tables. Depth-first order keeps the stack small, and all lanes full but at the very end. Whole programs
// wait on a stack of their own until they fill a batch, which is searched for cycles.
//
// A `Path` has a vector type `V` of words, and `rotated`, which rotates each word by a number of its own: by how much forth
// and by how much back, both as `count` leaves them of numbers modulo 64. A batch is some
// `vectors`, as an operation waits for the last one on the same vector.
//
// Nothing here may call what other files compile, too, such as the standard library: the linker keeps one copy, which
// may have instructions that a processor lacks. Everything is in an anonymous namespace for the same reason.
#pragma once

#include "search/lanes.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector crosses the border of a file

namespace {

using synth::lanes::Stack;
using synth::lanes::Tables;
using synth::lanes::Ways;
using synth::lanes::Word;
using synth::lanes::Work;

template <class Path, int Words>
class Batches {
    using V = typename Path::V;
    typedef V Unaligned __attribute__((aligned(alignof(Word)), may_alias));
    static constexpr int lanes = sizeof(V) / sizeof(Word);
    static constexpr int vectors = Path::vectors;
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
        while (done < steps && work_.partial.size > 0 && work_.found + 2 * size <= work_.room) {
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
        for (int lane = 0; lane < size; ++lane) alive |= static_cast<Word>(stuck_.lane[lane] == 0) << lane;
        for (alive &= (Word{1} << taken) - 1; alive != 0; alive &= alive - 1) {
            const int lane = __builtin_ctzll(alive);
            const Word masks = masks_.lane[lane], touched = touched_.lane[lane];
            const Word next = touched & masks;  // the open edges are the masks' low bits
            if (next != 0) {
                branch(lane, __builtin_ctzll(next));
            } else if ((masks >> synth::lanes::required_at & synth::lanes::all_edges & ~touched) == 0) {
                Stack& whole = work_.whole;
                for (int w = 0; w < Words; ++w) whole.reached[w][whole.size] = reached_[w].lane[lane];
                for (int s = 0; s < synth::lanes::shift_words; ++s) whole.shifts[s][whole.size] = shifts_[s].lane[lane];
                whole.code[whole.size] = code_.lane[lane];
                whole.masks[whole.size++] = masks;
            }
        }
        return taken;
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
            const Row& all = shifts_[e / synth::lanes::edges_per_word];
            const Word at = 8 * static_cast<Word>(e % synth::lanes::edges_per_word);
            for (int k = 0; k < vectors; ++k) {
                const V by = all.part[k] >> at;
                forth_[e].part[k] = Path::count(by);
                back_[e].part[k] = Path::count(-by);
                if (Words > 1 && tables_.split[e] != 0) crosses_[e].part[k] = -(by >> 6 & 1);
            }
        }
        return taken;
    }

    static Word any(const Row& row) {
        V all = row.part[0];
        for (int k = 1; k < vectors; ++k) all |= row.part[k];
        Row folded;
        folded.part[0] = all;
        Word found = 0;
        for (int lane = 0; lane < lanes; ++lane) found |= folded.lane[lane];
        return found;
    }

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

    void follow_edges() {
        Row changed;
        do {
            Row before[Words];
            for (int w = 0; w < Words; ++w) before[w] = reached_[w];
            for (int e = 0; e < tables_.edges; ++e) {
                const Word from = tables_.from[e];
                each_word(e, [&](int w, int other) {
                    for (int k = 0; k < vectors; ++k) {
                        const V to = Path::rotated(reached_[w].part[k] & from, forth_[e].part[k], back_[e].part[k]);
                        if (w == other) {
                            reached_[w].part[k] |= to;
                        } else {
                            reached_[w].part[k] |= to & ~crosses_[e].part[k];
                            reached_[other].part[k] |= to & crosses_[e].part[k];
                        }
                    }
                });
            }
            for (int k = 0; k < vectors; ++k) changed.part[k] = before[0].part[k] ^ reached_[0].part[k];
            for (int w = 1; w < Words; ++w) {
                for (int k = 0; k < vectors; ++k) changed.part[k] |= before[w].part[k] ^ reached_[w].part[k];
            }
        } while (any(changed) != 0);
    }

    // Which edges leave reached states, and which states need no successor: the ends and the sources of open edges.
    void look_at_edges() {
        for (int k = 0; k < vectors; ++k) touched_.part[k] = V{};
        for (int w = 0; w < Words; ++w) {
            for (int k = 0; k < vectors; ++k) goes_on_[w].part[k] = reached_[w].part[k] & tables_.ends;
        }
        for (int e = 0; e < tables_.edges; ++e) {
            const Word from = tables_.from[e];
            for (int k = 0; k < vectors; ++k) {
                const V open = -(masks_.part[k] >> static_cast<Word>(e) & 1);
                V here = V{};
                each_word(e, [&](int w, int) {
                    const V states = reached_[w].part[k] & from;
                    goes_on_[w].part[k] |= states & open;
                    here |= states;
                });
                touched_.part[k] |= (here | -here) >> 63 << static_cast<Word>(e);  // 1 if it is not 0
            }
        }
    }

    V successors_of(const Row* set, int e, int w, int other, int k) const {
        const V& crosses = crosses_[e].part[k];
        const V to = w == other ? set[w].part[k] : (set[w].part[k] & ~crosses) | (set[other].part[k] & crosses);
        return Path::rotated(to, back_[e].part[k], forth_[e].part[k]) & tables_.from[e];
    }

    // A lane is stuck where some reached state leads to none of those that go on.
    void search_backward() {
        while (true) {
            Row before[Words], changed;
            for (int w = 0; w < Words; ++w) before[w] = goes_on_[w];
            for (int e = tables_.edges - 1; e >= 0; --e) {
                each_word(e, [&](int w, int other) {
                    for (int k = 0; k < vectors; ++k) {
                        goes_on_[w].part[k] |= successors_of(goes_on_, e, w, other, k) & reached_[w].part[k];
                    }
                });
            }
            for (int k = 0; k < vectors; ++k) changed.part[k] = stuck_.part[k] = V{};
            for (int w = 0; w < Words; ++w) {
                for (int k = 0; k < vectors; ++k) {
                    changed.part[k] |= before[w].part[k] ^ goes_on_[w].part[k];
                    stuck_.part[k] |= reached_[w].part[k] ^ goes_on_[w].part[k];
                }
            }
            if (any(changed) == 0 || any(stuck_) == 0) return;
        }
    }

    // Append the children of a partial program: one for each way to decide an edge.
    void branch(int lane, int edge) {
        const Ways& ways = tables_.ways[edge][choice(lane, edge / 2)];
        Stack& stack = work_.partial;
        const auto append = [&](Word* field, Word parent, const Word* changes) {
            for (std::size_t way = 0; way < ways.size; way += lanes) at(field + stack.size + way) = parent ^ at(changes + way);
        };
        const auto repeat = [&](Word* field, Word parent) {
            for (std::size_t way = 0; way < ways.size; way += lanes) at(field + stack.size + way) = V{} + parent;
        };
        for (int w = 0; w < Words; ++w) repeat(stack.reached[w], reached_[w].lane[lane]);
        const int changed = edge / synth::lanes::edges_per_word;
        append(stack.shifts[changed], shifts_[changed].lane[lane], ways.shifts);
        repeat(stack.shifts[1 - changed], shifts_[1 - changed].lane[lane]);
        append(stack.code, code_.lane[lane], ways.code);
        append(stack.masks, masks_.lane[lane], ways.masks);
        stack.size += ways.size;
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
            Row changed;
            do {
                for (int k = 0; k < vectors; ++k) changed.part[k] = V{};
                Row sources[Words];
                for (int w = 0; w < Words; ++w) {
                    for (int k = 0; k < vectors; ++k) sources[w].part[k] = V{};
                }
                for (int e = 0; e < tables_.edges; ++e) {
                    each_word(e, [&](int w, int other) {
                        for (int k = 0; k < vectors; ++k) sources[w].part[k] |= successors_of(reached_, e, w, other, k);
                    });
                }
                for (int w = 0; w < Words; ++w) {
                    for (int k = 0; k < vectors; ++k) {
                        changed.part[k] |= reached_[w].part[k] & ~sources[w].part[k];
                        reached_[w].part[k] &= sources[w].part[k];
                    }
                }
            } while (any(changed) != 0);
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
    Row forth_[synth::lanes::max_edges], back_[synth::lanes::max_edges], crosses_[synth::lanes::max_edges];
    Row shifts_[synth::lanes::shift_words];
    Row code_, masks_, touched_, stuck_;
};

template <class Path>
Word examine_in(const Tables& tables, Work& work, Word steps) {
    if (tables.words == 1) return Batches<Path, 1>(tables, work).examine(steps);
    if (tables.words == 2) return Batches<Path, 2>(tables, work).examine(steps);
    return Batches<Path, 4>(tables, work).examine(steps);
}

}  // namespace
