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
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

    // The signatures with which all ids were added, as bit masks: one for each id in [first, last). `has_signatures` says
    // whether all were added so.
    bool has_signatures() const { return behind_ != 0; }
    std::vector<std::uint64_t> signatures(std::size_t first, std::size_t last) const;

    // Return how many ids have which sizes of threads.
    std::map<std::vector<int>, std::uint64_t> splits() const;

    // Return the place of the first id in [first, last) that breaks a rule outside the mask `allowed`, and the rules that
    // it breaks; `last` and 0 if there is none.
    std::pair<std::size_t, std::uint32_t> first_broken(std::size_t first, std::size_t last, std::uint32_t allowed) const;

    // Return those ids in [first, last), as lines, whose programs have no lesser id with their threads in another order.
    std::string least_of_orbits(std::size_t first, std::size_t last, bool keep_store_checks) const;

private:
    friend class IdCollector;
    IdSet(std::vector<char> rows, std::size_t width, std::size_t behind, std::vector<std::uint64_t> masks)
        : rows_(std::move(rows)),
          width_(width),
          behind_(behind),
          size_(width == 0 ? 0 : rows_.size() / (width + behind)),
          masks_(std::move(masks)) {}

    std::vector<char> rows_;
    std::size_t width_ = 0;   // of the longest id
    std::size_t behind_ = 0;  // bytes behind each id
    std::size_t size_ = 0;
    std::vector<std::uint64_t> masks_;  // the different signatures
};

// Collects ids in any order, with duplicates.
class IdCollector {
public:
    // With signatures, all ids must be added with theirs.
    explicit IdCollector(bool with_signatures = false) : behind_(with_signatures ? sizeof(Number) : 0) {}

    // Add ids, each ended by a line end.
    // Throws InputFault or LimitFault if a line is not an id or has no line end; the lines before it have been added.
    void add(std::string_view lines);
    void add(const IdSet& ids);
    // Add ids, each ended by a line end, with the bit mask of each one's verdicts. A set has at most 65,536 different ones;
    // with more, the result has none. Throws as `add`, and InputFault if there are not as many masks as ids.
    void add(std::string_view lines, std::span<const std::uint64_t> masks);

    // How many were added.
    std::size_t size() const { return width_ == 0 ? 0 : rows_.size() / (width_ + behind_); }

    // Return the set of all ids; the collector is empty afterwards.
    IdSet sorted();

private:
    friend class IdSet;
    using Number = std::uint16_t;

    void append(std::string_view id, Number number);
    Number number_of(std::uint64_t mask);
    void drop_signatures();

    std::vector<char> rows_;
    std::size_t width_ = 0;
    std::size_t behind_;
    std::vector<std::uint64_t> masks_;
    std::unordered_map<std::uint64_t, Number> known_;
    std::uint64_t last_mask_ = 0;
    Number last_number_ = 0;
};

}  // namespace synth
