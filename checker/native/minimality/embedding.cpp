#include "minimality/embedding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::int8_t undecided = -1;

// What each location and value of the large program becomes in the small one, as far as that is decided.
class Renaming {
public:
    // Memory starts with 0, in both programs.
    Renaming() {
        locations_.fill(undecided);
        values_.fill(undecided);
        values_[0] = 0;
    }

    // Whether an instruction at location `place` can have become another at `pc`, but for where it jumps to; if so, what
    // its names become is decided.
    bool explain(const Instruction& old, int place, const Instruction& wanted, int pc) {
        if (!rename(locations_, old.loc, wanted.loc)) return false;
        if (wanted.is_branch(pc) && !(old.is_branch(place) && rename(values_, old.check, wanted.check))) return false;
        return !wanted.writes() || (old.writes() && rename(values_, old.exch, wanted.exch));
    }

private:
    using Names = std::array<std::int8_t, max_names>;

    // Nothing becomes two things.
    static bool rename(Names& map, int old, std::int8_t wanted) {
        std::int8_t& name = map[static_cast<std::size_t>(old)];
        if (name == undecided) name = wanted;
        return name == wanted;
    }

    Names locations_, values_;
};

class Embedding {
public:
    Embedding(const Program& small, const Program& large)
        : small_(small), large_(large), places_(static_cast<std::size_t>(small.size())) {}

    // Whether the threads from `thread` on come from those of the large program from `other` on.
    bool threads_fit(int thread, int other, const Renaming& renaming) {
        if (thread == small_.threads()) return true;
        for (; other + small_.threads() - thread <= large_.threads(); ++other) {
            if (instructions_fit(thread, 0, other, 0, renaming)) return true;
        }
        return false;
    }

private:
    // Whether the instructions of a thread from `pc` on come from those of `other` from `place` on, and the threads
    // behind it fit, too.
    bool instructions_fit(int thread, int pc, int other, int place, const Renaming& renaming) {
        worked(1);
        if (pc == small_.size(thread)) return jumps_fit(thread, other) && threads_fit(thread + 1, other + 1, renaming);
        const int wanted = small_.first(thread) + pc;
        for (; place + small_.size(thread) - pc <= large_.size(other); ++place) {
            Renaming with = renaming;
            if (!with.explain(large_[large_.first(other) + place], place, small_[wanted], pc)) continue;
            places_[static_cast<std::size_t>(wanted)] = place;
            if (instructions_fit(thread, pc + 1, other, place + 1, with)) return true;
        }
        return false;
    }

    // Whether each branch goes where the one that it comes from went, or, where that is gone, to what followed it.
    bool jumps_fit(int thread, int other) const {
        const auto first = places_.begin() + small_.first(thread), last = first + small_.size(thread);
        for (int pc = 0; pc < small_.size(thread); ++pc) {
            const Instruction& wanted = small_[small_.first(thread) + pc];
            const int target = large_[large_.first(other) + first[pc]].target;
            if (wanted.is_branch(pc) && std::lower_bound(first, last, target) - first != wanted.target) return false;
        }
        return true;
    }

    const Program& small_;
    const Program& large_;
    std::vector<int> places_;  // in its thread, of what each instruction of the small program comes from
};

}  // namespace

bool is_within(const Program& small, const Program& large) {
    return Embedding(small, large).threads_fit(0, 0, Renaming());
}

}  // namespace synth
