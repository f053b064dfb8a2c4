// Sets of signatures. Each set is stored once and has a number, because many programs share few sets.
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

    // A cache of recent unions, because most unions are needed again and again.
    struct Union {
        Set one, other, both;
    };
    static constexpr std::size_t remembered = 1 << 12;
    std::array<Union, remembered> unions_{};
};

}  // namespace synth
