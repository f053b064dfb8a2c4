#include "search/lane_paths.hpp"

namespace synth::lanes {

const std::vector<Path<Examine>>& paths() {
    static const std::vector<Path<Examine>> all = {
#ifdef __x86_64__
        {"avx512", examine_avx512, has_avx512()},
        {"avx2", examine_avx2, has_avx2()},
#endif
#ifdef __aarch64__
        {"neon", examine_neon, true},
#endif
        {"portable", examine_portable, true},
    };
    return all;
}

}  // namespace synth::lanes
