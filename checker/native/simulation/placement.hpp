// Which thread of which instance of a test each workgroup runs: what a mapping says, as numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace synth {

struct Placement {
    struct Place {
        std::int32_t instance;
        std::int32_t thread;
    };

    int instances = 0;
    std::vector<Place> places;  // of each workgroup

    int workgroups() const { return static_cast<int>(places.size()); }
    const Place& operator[](int workgroup) const { return places[static_cast<std::size_t>(workgroup)]; }
};

}  // namespace synth
