#include "minimality/packed_rewritings.hpp"

namespace synth {

const std::vector<PackedProgram>& PackedRewritings::of(const PackedProgram& program, bool itself) {
    found_.clear();
    made_ = program;
    for (const bool merges : {false, true}) {
        bool has_second = false;
        for (int t = 0; t < program.threads(); ++t) {
            std::vector<Form>& forms = forms_[static_cast<std::size_t>(t)];
            forms.clear();
            const PackedProgram::Word word = program.thread(t);
            const PackedProgram::Word merged = PackedProgram::with_one_location(word);
            has_second = has_second || merged != word;
            forms.push_back({merges ? merged : word, {}});
            for (int pc = 0; pc < program.size(t); ++pc) {
                if (!PackedProgram::is_exchange_branch(word, pc)) continue;
                const std::size_t before = forms.size();
                for (std::size_t k = 0; k < before; ++k) {
                    const PackedProgram::Word form = forms[k].word;
                    forms.push_back({PackedProgram::without_exchange(form, pc), {}});
                    forms.push_back({PackedProgram::as_store(form, pc), {}});
                }
            }
            for (Form& form : forms) form.uses = PackedProgram::uses(form.word);
        }
        if (merges && !has_second) break;
        combine(0, merges || itself);
    }
    return found_;
}

// Put the forms of this thread and of those behind it together; `is_other` says whether the program itself counts.
void PackedRewritings::combine(int thread, bool is_other) {
    if (thread == made_.threads()) {
        if (is_other && PackedProgram::may_keep_rules(uses_, thread)) found_.push_back(made_);
        return;
    }
    const std::size_t place = static_cast<std::size_t>(thread);
    for (std::size_t k = 0; k < forms_[place].size(); ++k) {
        made_.set_thread(thread, forms_[place][k].word);
        uses_[place] = forms_[place][k].uses;
        combine(thread + 1, is_other || k > 0);
    }
}

}  // namespace synth
