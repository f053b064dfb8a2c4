// Sets of tens of millions of ids. Each id is a row of one array, padded with zeros to the length of the longest id.
//
// A zero is less than any character of an id, so rows compare as their ids do, whatever the lengths. Ids are collected in
// batches of lines, then sorted in place, byte by byte (McIlroy, Bostic and McIlroy, "Engineering Radix Sort", Computing
// Systems 6(1), 1993: the American flag sort; short ranges by insertion). Most ids of a question have the same length, so
// there is little padding. If an id is longer than all before, all rows are made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace synth {

// Sorted ids without duplicates. The set never changes, so any number of threads may read it.
class IdSet {
public:
    IdSet() = default;

    std::size_t size() const { return size_; }
    // The id at a place below `size()`.
    std::string_view operator[](std::size_t place) const;
    // The place of the first id that is not less.
    std::size_t lower_bound(std::string_view id) const;

    // Return how many ids have which sizes of threads.
    std::map<std::vector<int>, std::uint64_t> splits() const;

    // Return the place of the first id in [first, last) that breaks a rule outside the mask `allowed`, and the rules that
    // it breaks; `last` and 0 if there is none.
    std::pair<std::size_t, std::uint32_t> first_broken(std::size_t first, std::size_t last, std::uint32_t allowed) const;

    // Return those ids in [first, last), as lines, whose programs have no lesser id with their threads in another order.
    std::string least_of_orbits(std::size_t first, std::size_t last, bool keep_store_checks) const;

private:
    friend class IdCollector;
    IdSet(std::vector<char> rows, std::size_t width)
        : rows_(std::move(rows)), width_(width), size_(width == 0 ? 0 : rows_.size() / width) {}

    std::vector<char> rows_;
    std::size_t width_ = 0;
    std::size_t size_ = 0;
};

// Collects ids in any order, with duplicates.
class IdCollector {
public:
    // Add ids, each ended by a line end.
    // Throws InputFault or LimitFault if a line is not an id or has no line end; the lines before it have been added.
    void add(std::string_view lines);
    void add(const IdSet& ids);

    // How many were added.
    std::size_t size() const { return width_ == 0 ? 0 : rows_.size() / width_; }

    // Return the set of all ids; the collector is empty afterwards.
    IdSet sorted();

private:
    void append(std::string_view id);

    std::vector<char> rows_;
    std::size_t width_ = 0;
};

}  // namespace synth
