#include "minimality/rewritings.hpp"

#include "program/rules.hpp"

namespace synth {

namespace {

// Apply `deal_with` to the program with a name as it is, then merged into each lower name that has stayed.
template <class Replace, class Next>
bool with_name_merged(const Program& program, std::int8_t name, std::uint64_t stayed, Replace replace, Next next) {
    if (next(program, stayed | std::uint64_t{1} << name, false)) return true;
    for (std::int8_t kept = 0; kept < name; ++kept) {
        if ((stayed >> kept & 1) == 0) continue;
        Program merged = program;
        for (int place = 0; place < merged.size(); ++place) replace(merged[place], name, kept);
        if (next(merged, stayed, true)) return true;
    }
    return false;
}

void replace_location(Instruction& i, std::int8_t gone, std::int8_t kept) {
    if (i.loc == gone) i.loc = kept;
}

void replace_value(Instruction& i, std::int8_t gone, std::int8_t kept) {
    if (i.check == gone) i.check = kept;
    if (i.exch == gone) i.exch = kept;
}

}  // namespace

bool Rewritings::any(const Program& program, bool itself, const Visit& is_enough) {
    is_enough_ = &is_enough;
    return merge_locations(program, 1, 1, itself);
}

bool Rewritings::merge_locations(const Program& program, int name, std::uint64_t stayed, bool visits) {
    if (name >= program.locations()) return merge_values(program, 1, 1, visits);
    return with_name_merged(program, static_cast<std::int8_t>(name), stayed, replace_location,
                            [&](const Program& next, std::uint64_t staying, bool merged) {
                                return merge_locations(next, name + 1, staying, visits || merged);
                            });
}

bool Rewritings::merge_values(const Program& program, int name, std::uint64_t stayed, bool visits) {
    if (name < program.values()) {
        return with_name_merged(program, static_cast<std::int8_t>(name), stayed, replace_value,
                                [&](const Program& next, std::uint64_t staying, bool merged) {
                                    return merge_values(next, name + 1, staying, visits || merged);
                                });
    }
    program_ = program;
    return choose_branches(0, 0, visits);
}

bool Rewritings::choose_branches(int thread, int pc, bool visits) {
    const auto is_exchange_branch = [&] {
        const Instruction& i = program_[program_.first(thread) + pc];
        return i.writes() && i.is_branch(pc);
    };
    while (thread < program_.threads() && (pc == program_.size(thread) || !is_exchange_branch())) {
        if (pc == program_.size(thread)) {
            ++thread;
            pc = 0;
        } else {
            ++pc;
        }
    }
    const bool all_chosen = thread == program_.threads();
    const int place = all_chosen ? program_.size() : program_.first(thread) + pc;
    if (!may_keep(program_, rules_, place)) return false;
    if (all_chosen) return visits && (*is_enough_)(program_);

    if (choose_branches(thread, pc + 1, visits)) return true;
    const Instruction branch = program_[place];
    program_[place].exch = no_exchange;
    if (choose_branches(thread, pc + 1, true)) return true;
    program_[place] = branch;
    program_[place].target = static_cast<std::int8_t>(pc + 1);
    if (choose_branches(thread, pc + 1, true)) return true;
    program_[place] = branch;
    return false;
}

}  // namespace synth
