#include "search/lane_paths.hpp"

namespace synth::lanes {

const std::vector<Path>& paths() {
    static const std::vector<Path> all = {
#ifdef __x86_64__
        {"avx512", examine_avx512,
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")},
        {"avx2", examine_avx2,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")},
#endif
#ifdef __aarch64__
        {"neon", examine_neon, true},
#endif
        {"portable", examine_portable, true},
    };
    return all;
}

}  // namespace synth::lanes
