// Sets of signatures for each order of some threads, as one number.
//
// What is below a program depends on the order of its threads, but no less than the order of the threads of what is below
// it. So a program's *profile* has a set of signatures (signature_sets.hpp) for each order of its threads. Few profiles
// are different; each is stored once. The profile of a sub-program becomes one of the whole program by a *place*: which
// of the program's threads each thread of the sub-program is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "minimality/signature_sets.hpp"
#include "transitions/orders.hpp"

namespace synth {

class OrbitSets {
public:
    using Profile = std::uint32_t;
    static constexpr Profile none = 0;  // for any number of threads

    // The threads of a sub-program among those of a program.
    class Place {
    public:
        Place(int inner, int outer) : code_(static_cast<std::uint32_t>(outer << 3 | inner)) {}
        // Thread `inner` is thread `outer` of the program.
        void put(int inner, int outer) { code_ |= static_cast<std::uint32_t>(outer) << (6 + 3 * inner); }
        std::uint32_t code() const { return code_; }
        int inner_threads() const { return static_cast<int>(code_ & 7); }
        int outer_threads() const { return static_cast<int>(code_ >> 3 & 7); }
        int outer(int inner) const { return static_cast<int>(code_ >> (6 + 3 * inner) & 7); }

    private:
        std::uint32_t code_;
    };

    OrbitSets();

    // The profile that has one signature for each order.
    Profile only(const std::vector<std::uint64_t>& signatures);
    Profile unite(Profile one, Profile other);
    Profile placed(Profile profile, Place place);
    bool contains(Profile profile, std::size_t order, std::uint64_t signature) const;

private:
    using Members = std::vector<SignatureSets::Set>;  // by order

    Profile numbered(const Members& members);
    const std::vector<std::uint8_t>& orders_inside(Place place);

    SignatureSets sets_;
    std::vector<Members> members_;
    std::map<Members, Profile> number_of_;
    std::unordered_map<std::uint32_t, std::vector<std::uint8_t>> inside_;  // by a place's code: the sub-program's order, by the program's order

    // Caches of recent results, because most are needed again and again.
    struct Result {
        std::uint32_t one, other;
        Profile found;
    };
    static constexpr std::size_t remembered = 1 << 14;
    static std::size_t slot(std::uint32_t one, std::uint32_t other) {
        return (one * std::size_t{0x9e3779b1} + other * std::size_t{0x85ebca6b}) >> 7 & (remembered - 1);
    }
    std::vector<Result> unions_ = std::vector<Result>(remembered), placed_ = std::vector<Result>(remembered);
};

}  // namespace synth
