// Versions of code in lanes, one for each kind of processor, and which kinds this processor is.
#pragma once

#include <string_view>

namespace synth::lanes {

template <class Function>
struct Path {
    std::string_view name;
    Function function;
    bool supported;  // by this processor
};

#ifdef __x86_64__
inline bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("lzcnt");
}
inline bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace synth::lanes
