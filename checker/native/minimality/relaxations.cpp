#include "minimality/relaxations.hpp"

#include "program/normal.hpp"

namespace synth {

namespace {

std::int8_t small(int number) { return static_cast<std::int8_t>(number); }

void find_merges(Relaxation::Kind kind, int names, std::vector<Relaxation>& found) {
    for (int kept = 0; kept < names; ++kept) {
        for (int gone = kept + 1; gone < names; ++gone) found.push_back({kind, small(kept), small(gone)});
    }
}

bool is_merge(Relaxation::Kind kind) { return kind >= Relaxation::merge_of_locations; }

void replace(std::int8_t& name, const Relaxation& merge) {
    if (name == merge.second) name = merge.first;
}

}  // namespace

void find_deletions(const Program& program, std::vector<Relaxation>& found) {
    found.clear();
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) found.push_back({Relaxation::deletion, small(t), small(pc)});
    }
}

void find_relaxations(const Program& program, std::vector<Relaxation>& found) {
    find_deletions(program, found);
    for (const auto kind : {Relaxation::drop_of_exchange, Relaxation::turn_into_store}) {
        for (int t = 0; t < program.threads(); ++t) {
            for (int pc = 0; pc < program.size(t); ++pc) {
                const Instruction& i = program[program.first(t) + pc];
                if (i.writes() && i.is_branch(pc)) found.push_back({kind, small(t), small(pc)});
            }
        }
    }
    find_merges(Relaxation::merge_of_locations, program.locations(), found);
    find_merges(Relaxation::merge_of_values, program.values(), found);
}

void Relaxer::relax(const Program& program, Relaxation relaxation, Program& result) {
    changed_ = program;
    if (is_merge(relaxation.kind)) {
        for (int place = 0; place < changed_.size(); ++place) {
            Instruction& i = changed_[place];
            if (relaxation.kind == Relaxation::merge_of_locations) {
                replace(i.loc, relaxation);
            } else {
                replace(i.check, relaxation);
                replace(i.exch, relaxation);
            }
        }
    } else {
        Instruction& i = changed_[changed_.first(relaxation.first) + relaxation.second];
        if (relaxation.kind != Relaxation::turn_into_store) i.exch = no_exchange;
        if (relaxation.kind != Relaxation::drop_of_exchange) i.target = small(relaxation.second + 1);
    }
    write_normal_form(changed_, keep_store_checks_, result);
}

}  // namespace synth
