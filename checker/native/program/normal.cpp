#include "program/normal.hpp"

#include <algorithm>
#include <array>
#include <span>

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
    std::array<std::int8_t, max_names> names_;
    std::int8_t next_ = 0;
};

// The instructions of one thread, in place.
class ThreadCode {
public:
    void assign(std::span<const Instruction> thread) {
        std::ranges::copy(thread, code_.begin());
        size_ = static_cast<int>(thread.size());
    }

    // Deleting one no-op can make another of a jump over it, so deletion goes on until none is left.
    void delete_no_ops() {
        for (int pc = 0; pc < size_;) {
            if ((*this)[pc].writes() || (*this)[pc].is_branch(pc)) {
                ++pc;
                continue;
            }
            std::copy(code_.begin() + pc + 1, code_.begin() + size_--, code_.begin() + pc);
            for (int k = 0; k < size_; ++k) (*this)[k].target -= (*this)[k].target > pc;
            pc = 0;
        }
    }

    int size() const { return size_; }
    Instruction& operator[](int pc) { return code_[static_cast<std::size_t>(pc)]; }
    std::span<const Instruction> all() const { return std::span(code_).first(static_cast<std::size_t>(size_)); }

private:
    std::array<Instruction, max_instructions> code_;
    int size_ = 0;
};

}  // namespace

void write_normal_form(const Program& program, bool keep_store_checks, Program& result) {
    FirstUse location, value;
    value(0);
    result.clear();
    ThreadCode thread;
    for (int t = 0; t < program.threads(); ++t) {
        thread.assign(program.thread(t));
        thread.delete_no_ops();
        if (thread.size() == 0) continue;
        for (int pc = 0; pc < thread.size(); ++pc) {
            Instruction& i = thread[pc];
            i.loc = location(i.loc);
            i.check = i.is_branch(pc) || keep_store_checks ? value(i.check) : std::int8_t{0};
            if (i.writes()) i.exch = value(i.exch);
        }
        result.append_thread(thread.all());
    }
}

Program normal_form(const Program& program, bool keep_store_checks) {
    Program result;
    write_normal_form(program, keep_store_checks, result);
    return result;
}

}  // namespace synth
