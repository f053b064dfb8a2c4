#include "lines/signatures.hpp"

#include <limits>

#include "work/faults.hpp"

namespace synth {

void Signatures::append(std::span<const std::uint64_t> masks) {
    if (masks.size() > room_ - numbers_.size()) throw InputFault("found more tests than were announced");
    for (const std::uint64_t mask : masks) {
        auto found = known_.find(mask);
        if (found == known_.end()) {
            if (masks_.size() > std::numeric_limits<std::uint16_t>::max()) {
                throw LimitFault("found more than 65536 different signatures");
            }
            found = known_.emplace(mask, static_cast<std::uint16_t>(masks_.size())).first;
            masks_.push_back(mask);
            counts_.push_back(0);
        }
        numbers_.push_back(found->second);
        ++counts_[found->second];
    }
}

}  // namespace synth
