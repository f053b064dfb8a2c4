#include "sets/set_paths.hpp"

#include <algorithm>

#include "lanes/processor.hpp"

namespace synth::sets {

const std::vector<Path>& paths() {
    static const std::vector<Path> all = {
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
    static const Decide decide = std::ranges::find_if(paths(), &Path::supported)->decide;
    return decide;
}

}  // namespace synth::sets
