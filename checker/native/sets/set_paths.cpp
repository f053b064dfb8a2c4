#include "sets/set_paths.hpp"

#include <algorithm>

namespace synth::sets {

const std::vector<lanes::Path<Decide>>& paths() {
    static const std::vector<lanes::Path<Decide>> all = {
#ifdef __x86_64__
        {"avx512", decide_avx512, lanes::has_avx512()},
        {"avx2", decide_avx2, lanes::has_avx2()},
#endif
#ifdef __aarch64__
        {"neon", decide_neon, true},
#endif
        {"portable", decide_portable, true},
    };
    return all;
}

Decide fastest() {
    static const Decide decide = std::ranges::find_if(paths(), &lanes::Path<Decide>::supported)->function;
    return decide;
}

}  // namespace synth::sets
