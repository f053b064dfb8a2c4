#include "normal.hpp"

#include <algorithm>
#include <array>

namespace synth {

namespace {

// Names things 0, 1, ... in the order in which they are first asked for.
class FirstUse {
public:
    FirstUse() { names_.fill(unnamed); }
    std::int8_t operator()(std::int8_t thing) {
        auto& name = names_[static_cast<std::size_t>(thing)];
        if (name == unnamed) name = next_++;
        return name;
    }

private:
    static constexpr std::int8_t unnamed = -1;
    std::array<std::int8_t, 36> names_;
    std::int8_t next_ = 0;
};

// Deleting one no-op can make another of a jump over it, so deletion goes on until none is left.
void delete_no_ops(std::vector<Instruction>& thread) {
    for (;;) {
        const auto is_no_op = [&](const Instruction& i) {
            return !i.writes() && !i.is_branch(static_cast<int>(&i - thread.data()));
        };
        const auto found = std::ranges::find_if(thread, is_no_op);
        if (found == thread.end()) return;
        const auto pc = found - thread.begin();
        thread.erase(found);
        for (Instruction& i : thread) {
            if (i.target > pc) --i.target;
        }
    }
}

}  // namespace

Program normal_form(const Program& program, bool keep_store_checks) {
    FirstUse location, value;
    value(0);
    Program result;
    std::vector<Instruction> thread;
    for (int t = 0; t < program.threads(); ++t) {
        thread.assign(program.thread(t).begin(), program.thread(t).end());
        delete_no_ops(thread);
        if (thread.empty()) continue;
        for (int pc = 0; pc < static_cast<int>(thread.size()); ++pc) {
            Instruction& i = thread[static_cast<std::size_t>(pc)];
            i.loc = location(i.loc);
            i.check = i.is_branch(pc) || keep_store_checks ? value(i.check) : std::int8_t{0};
            if (i.writes()) i.exch = value(i.exch);
        }
        result.append_thread(thread);
    }
    return result;
}

}  // namespace synth
