// Sets of states of several programs, and the steps that lead from one set to another; source for several kinds of processor
// (lanes/vectors.hpp).
//
// A `Row` has a word of each program, a `Set` some words of each. A row is a few vectors, as an operation waits for the last
// one on the same vector. What an instruction does where its location has one value is an `Edge`: a mask, a rotation, and
// the programs in which it leads to another word.
#pragma once

#include "lanes/vectors.hpp"
#include "sets/sets.hpp"

namespace {

template <class Lanes, int Words, int Vectors>
struct StateSets {
    using V = typename Lanes::V;
    using Turn = typename Lanes::Turn;
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
        return all_zero<Lanes>(differ);
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
        return !all_zero<Lanes>(some);
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
        each([&](int w, int k) { to.word[w][k] = Lanes::rotated(set.word[w][k] & edge.from.word[w][k], edge.turn[k]); });
        cross(to, edge);
        return to;
    }
    // The states that become some of a set.
    static Set before(const Edge& edge, const Set& of) {
        Set set = of;
        cross(set, edge);
        each([&](int w, int k) { set.word[w][k] = Lanes::rotated_back(set.word[w][k], edge.turn[k]) & edge.from.word[w][k]; });
        return set;
    }

    // The states of a word in which a location has a value. Either the word tells the value, or the bits do.
    static Word with_value(int w, int loc, int value) {
        constexpr Word by_bit[2] = {0x5555555555555555, 0x3333333333333333};
        const int bits = Words == 1 ? 2 : Words == 2 ? 1 : 0;  // locations that bits tell apart, the first of them
        if (loc < bits) return value == 0 ? by_bit[loc] : ~by_bit[loc];
        return (w >> (loc - bits) & 1) == value ? ~Word{0} : 0;
    }

    // What an instruction at `pc` does where its location has a value; `there` are the states in which its thread is there. By
    // program: whether the location is the second one, whether the value changes, whether the branch is taken, and its target.
    struct Step {
        Word there, stride;
        int pc, value;
    };
    static void make(Edge& edge, const Step& step, const Row& second, const Row& changes, const Row& taken, const Row& target) {
        const auto [there, stride, pc, value] = step;
        for (int k = 0; k < Vectors; ++k) {
            for (int w = 0; w < Words; ++w) {
                const V with = (second.part[k] & with_value(w, 1, value)) | (~second.part[k] & with_value(w, 0, value));
                edge.from.word[w][k] = with & there;
            }
            // The next pc, by its three bits, times the stride.
            const V next = (taken.part[k] & target.part[k]) | (~taken.part[k] & static_cast<Word>(pc + 1));
            V turn = (-(next & 1) & stride) + (-(next >> 1 & 1) & 2 * stride) + (-(next >> 2 & 1) & 4 * stride) -
                     static_cast<Word>(pc) * stride;
            // Where bits tell the value, a change moves the place.
            if (Words == 1) {
                const V unit = (second.part[k] & 2) | (~second.part[k] & 1);
                turn += changes.part[k] & (value == 0 ? unit : -unit);
            } else if (Words == 2) {
                turn += changes.part[k] & ~second.part[k] & (value == 0 ? Word{1} : ~Word{0});
            }
            edge.turn[k] = Lanes::turn(turn);
            edge.crosses[0].part[k] = changes.part[k] & ~second.part[k];
            edge.crosses[1].part[k] = changes.part[k] & second.part[k];
        }
    }
};

}  // namespace
