// Sets of ids, tens of millions of them: a row each, as wide as the longest id, filled up with zeros, one behind the other.
//
// A zero is less than any character of an id, so rows compare as their ids do, whatever the lengths. They are collected as
// they come, in batches of lines, then sorted in place, byte by byte (McIlroy, Bostic and McIlroy, "Engineering Radix
// Sort", Computing Systems 6(1), 1993: the American flag sort; short ranges by insertion). Most ids of a question have
// the same length, so little is filled up; a longer one than any before makes all rows anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace synth {

// Sorted ids, each once; never changed, so any number of threads may read it.
class IdSet {
public:
    IdSet() = default;

    std::size_t size() const { return size_; }
    // The id at a place below `size()`.
    std::string_view operator[](std::size_t place) const;
    // The place of the first id that is not less.
    std::size_t lower_bound(std::string_view id) const;

    // The sizes of the threads, and how many ids have them.
    std::map<std::vector<int>, std::uint64_t> splits() const;

    // The first of the ids at [first, last) that breaks a rule that is not allowed to be broken, and the rules it
    // breaks; `last` and 0 where there is none.
    std::pair<std::size_t, std::uint32_t> first_broken(std::size_t first, std::size_t last, std::uint32_t allowed) const;

    // Of the ids at [first, last) those than which no order of the threads, in normal form, has a lesser id; as lines.
    std::string least_of_orbits(std::size_t first, std::size_t last, bool keep_store_checks) const;

private:
    friend class IdCollector;
    IdSet(std::vector<char> rows, std::size_t width)
        : rows_(std::move(rows)), width_(width), size_(width == 0 ? 0 : rows_.size() / width) {}

    std::vector<char> rows_;
    std::size_t width_ = 0;
    std::size_t size_ = 0;
};

// Ids as they are found, in any order and some of them twice.
class IdCollector {
public:
    // Add ids, each ended by a line end.
    // Throws InputFault or LimitFault at a line that is no id, or not ended; those before it have been added.
    void add(std::string_view lines);
    void add(const IdSet& ids);

    // How many were added.
    std::size_t size() const { return width_ == 0 ? 0 : rows_.size() / width_; }

    // All of them; the collector is empty afterwards.
    IdSet sorted();

private:
    void append(std::string_view id);

    std::vector<char> rows_;
    std::size_t width_ = 0;
};

}  // namespace synth
