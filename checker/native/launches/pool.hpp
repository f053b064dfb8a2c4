// Memory that grows in blocks, and numbered rows of which no two are equal.
//
// A vector that grows copies all that it has, and for a moment needs room for both copies. Blocks stay where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "work/faults.hpp"

namespace synth {

using Number = std::uint32_t;
using Row = std::span<const Number>;
constexpr Number no_number = UINT32_MAX;

// A sequence that grows at its end.
template <class T>
class Blocks {
    static constexpr std::size_t shift = 14;
    static constexpr std::size_t room = std::size_t{1} << shift;

public:
    void push_back(const T& value) {
        if (size_ == blocks_.size() * room) blocks_.push_back(std::make_unique_for_overwrite<T[]>(room));
        blocks_[size_ >> shift][size_ % room] = value;
        ++size_;
    }
    T& operator[](std::size_t i) { return blocks_[i >> shift][i % room]; }
    const T& operator[](std::size_t i) const { return blocks_[i >> shift][i % room]; }
    std::size_t size() const { return size_; }

private:
    std::vector<std::unique_ptr<T[]>> blocks_;
    std::size_t size_ = 0;
};

// Memory for short runs of values, each of which lies in one block.
template <class T>
class Arena {
    static constexpr std::size_t shift = 18;
    static constexpr std::size_t room = std::size_t{1} << shift;

public:
    // Make room for `count` values, and return where they begin.
    Number make_room(std::size_t count) {
        if (count > room) throw LimitFault("found a state of " + std::to_string(count) + " numbers, which is too large");
        if (end_ == blocks_.size() * room || end_ % room + count > room) {
            end_ = blocks_.size() * room;
            if (end_ + room > no_number) throw LimitFault("the launch has too many states");
            blocks_.push_back(std::make_unique_for_overwrite<T[]>(room));
        }
        const std::size_t begin = end_;
        end_ += count;
        return static_cast<Number>(begin);
    }
    T* at(Number place) { return blocks_[place >> shift].get() + place % room; }
    const T* at(Number place) const { return blocks_[place >> shift].get() + place % room; }

private:
    std::vector<std::unique_ptr<T[]>> blocks_;
    std::size_t end_ = 0;
};

// Rows of any length.
class Rows {
public:
    void push_back(Row row) {
        const Number start = values_.make_room(row.size() + 1);
        Number* const to = values_.at(start);
        to[0] = static_cast<Number>(row.size());
        std::copy(row.begin(), row.end(), to + 1);
        starts_.push_back(start);
    }
    Row operator[](Number row) const {
        const Number* const from = values_.at(starts_[row]);
        return {from + 1, from[0]};
    }
    std::size_t size() const { return starts_.size(); }

private:
    Arena<Number> values_;  // the length of each row stands before it
    Blocks<Number> starts_;
};

// Rows of the same length, which take less memory.
class EqualRows {
    static constexpr std::size_t shift = 13;
    static constexpr std::size_t room = std::size_t{1} << shift;

public:
    explicit EqualRows(std::size_t length) : length_(length) {}
    void push_back(Row row) {
        if (size_ % room == 0) blocks_.push_back(std::make_unique_for_overwrite<Number[]>(room * length_));
        std::copy(row.begin(), row.end(), blocks_.back().get() + size_ % room * length_);
        ++size_;
    }
    Row operator[](Number row) const { return {blocks_[row >> shift].get() + row % room * length_, length_}; }
    std::size_t size() const { return size_; }

private:
    std::vector<std::unique_ptr<Number[]>> blocks_;
    std::size_t length_;
    std::size_t size_ = 0;
};

// Finds the number of a row. Equal rows have the same number; numbers begin at 0.
//
// The number is in a slot that follows from the hash of the row, or in one behind it. Each slot has a mark, a byte of the
// hash, so that rows with another hash are seldom looked at. An empty slot has the mark 0.
template <class Kept>
class Pool {
public:
    explicit Pool(Kept rows = Kept()) : rows_(std::move(rows)), slots_(first_slots), marks_(first_slots) {}

    Number number(Row row) { return number(row, hash(row)); }

    // The same in three parts, so that memory is there when it is needed: `fetch_slot`, `fetch_row` and `number`.
    std::uint64_t fetch_slot(Row row) const {
        const std::uint64_t found = hash(row);
        const std::size_t slot = found & (slots_.size() - 1);
        __builtin_prefetch(&marks_[slot]);
        __builtin_prefetch(&slots_[slot]);
        return found;
    }
    void fetch_row(std::uint64_t hash) const {
        const std::size_t slot = hash & (slots_.size() - 1);
        if (marks_[slot] == mark(hash)) __builtin_prefetch(rows_[slots_[slot]].data());
    }
    Number number(Row row, std::uint64_t hash) {
        if (rows_.size() * 10 >= slots_.size() * 7) grow();
        const std::size_t slot = slot_of(row, hash);
        if (marks_[slot] == 0) {
            if (rows_.size() == no_number) throw LimitFault("the launch has too many states");
            marks_[slot] = mark(hash);
            slots_[slot] = static_cast<Number>(rows_.size());
            rows_.push_back(row);
        }
        return slots_[slot];
    }
    Row operator[](Number number) const { return rows_[number]; }
    std::size_t size() const { return rows_.size(); }

    // Give back what only `number` needs. It can't be called any more.
    void close() {
        std::vector<Number>().swap(slots_);
        std::vector<std::uint8_t>().swap(marks_);
    }

private:
    static constexpr std::size_t first_slots = std::size_t{1} << 10;

    static std::uint64_t hash(Row row) {
        std::uint64_t found = row.size();
        for (const Number one : row) {
            found = (found ^ one) * 0x9E3779B97F4A7C15U;
            found ^= found >> 32;
        }
        return found;
    }
    static std::uint8_t mark(std::uint64_t hash) { return static_cast<std::uint8_t>(hash >> 56 | 1); }
    // The slot that has the row, or the empty one that may take it.
    std::size_t slot_of(Row row, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        const std::uint8_t wanted = mark(hash);
        std::size_t slot = hash & mask;
        while (marks_[slot] != 0 && (marks_[slot] != wanted || !are_equal(rows_[slots_[slot]], row))) slot = (slot + 1) & mask;
        return slot;
    }
    // Rows are short, so a call of memcmp takes longer.
    static bool are_equal(Row one, Row other) {
        if (one.size() != other.size()) return false;
        for (std::size_t i = 0; i < one.size(); ++i) {
            if (one[i] != other[i]) return false;
        }
        return true;
    }
    void grow() {
        const std::size_t slots = 2 * slots_.size();
        close();  // before the larger one is there
        slots_.resize(slots);
        marks_.resize(slots);
        for (Number row = 0; row < rows_.size(); ++row) {
            const std::uint64_t found = hash(rows_[row]);
            std::size_t slot = found & (slots - 1);
            while (marks_[slot] != 0) slot = (slot + 1) & (slots - 1);
            slots_[slot] = row;
            marks_[slot] = mark(found);
        }
    }

    Kept rows_;
    std::vector<Number> slots_;
    std::vector<std::uint8_t> marks_;
};

}  // namespace synth
