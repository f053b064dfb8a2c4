// Sets of signatures, each kept once and named by a number: there are few of them, however many programs have them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace synth {

class SignatureSets {
public:
    using Set = std::uint32_t;
    static constexpr Set none = 0;

    SignatureSets();

    Set only(std::uint64_t signature);
    Set unite(Set one, Set other);
    bool contains(Set set, std::uint64_t signature) const;

private:
    using Members = std::vector<std::uint64_t>;  // a bit a signature, no zeros at the end
    static constexpr std::size_t bits = 64;

    Set numbered(const Members& members);

    std::unordered_map<std::uint64_t, std::size_t> bit_of_;  // of a signature, in the order in which they came
    std::vector<Members> members_;
    std::map<Members, Set> number_of_;

    // What was united lately, as most unions are asked for again and again.
    struct Union {
        Set one, other, both;
    };
    static constexpr std::size_t remembered = 1 << 12;
    std::array<Union, remembered> unions_{};
};

}  // namespace synth
