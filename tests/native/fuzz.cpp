// Any bytes as an id and as automata, through every call of the core: nothing may be read or written out of place,
// overflow, leak or contradict itself.
//
//     fuzz SECONDS [FIRST [COUNT]]
//
// mutates programs, COUNT times but no longer than SECONDS; the input of a number is always the same, and that of a
// failure is printed. Compiled with -fsanitize=fuzzer and -DLIBFUZZER it is a target of libFuzzer instead.

#include <chrono>
#include <limits>
#include <set>
#include <string>

#include "check.hpp"
#include "lines/id_set.hpp"
#include "program/exploration.hpp"
#include "program/normal.hpp"
#include "program/reachability.hpp"
#include "program/rules.hpp"
#include "verdicts/verdicts.hpp"

using namespace testing;

namespace {

constexpr long long max_states = 1 << 14;  // larger programs take too long to be many

struct Seen {
    long inputs = 0, programs = 0, judged = 0;
} seen;

// Numbers out of the bytes of an input; zeros behind its end.
class Choices {
public:
    explicit Choices(std::string_view bytes) : bytes_(bytes) {}
    int below(int end) { return next_ < bytes_.size() ? static_cast<unsigned char>(bytes_[next_++]) % end : 0; }

private:
    std::string_view bytes_;
    std::size_t next_ = 0;
};

synth::Automaton automaton_of(Choices& choices, int threads) {
    synth::Automaton automaton;
    automaton.threads = threads;
    const int states = choices.below(8) == 0 ? 1 + choices.below(70) : 1 + choices.below(4);
    for (int q = 0; q < states; ++q) {
        std::vector<int> steps, ends;
        for (int t = 0; t < threads; ++t) steps.push_back(choices.below(states));
        for (int t = 0; t < threads; ++t) ends.push_back(choices.below(states));
        std::vector<synth::ThreadSet> fair;
        for (synth::ThreadSet live = 0; live < synth::ThreadSet{1} << threads; ++live) {
            fair.push_back(live & static_cast<synth::ThreadSet>(choices.below(256)));
        }
        automaton.steps.push_back(steps);
        automaton.ends.push_back(ends);
        automaton.fair.push_back(fair);
    }
    return automaton;
}

// At least as many states as a program can reach: a location holds 0 or what is written to it.
long long states_at_most(const synth::Program& program) {
    std::vector<std::set<int>> values(36, {0});
    for (int place = 0; place < program.size(); ++place) {
        if (program[place].writes()) values[at(program[place].loc)].insert(program[place].exch);
    }
    long long states = 1;
    const auto multiply = [&](std::size_t by) { states = std::min(states * static_cast<long long>(by), max_states + 1); };
    for (const auto& of_one : values) multiply(of_one.size());
    for (int t = 0; t < program.threads(); ++t) multiply(at(program.size(t) + 1));
    return states;
}

void check_verdicts(const synth::Program& program, Choices choices) {
    const int threads = program.threads();
    std::vector<synth::Automaton> automata;
    std::vector<synth::Forms> forms;
    for (int models = choices.below(4); models > 0; --models) {
        automata.push_back(automaton_of(choices, threads));
        forms.push_back({true, true});
    }
    synth::Judge judge(threads, automata, forms);
    std::string smallest;
    for (int t = 0; t < threads; ++t) smallest += t == 0 ? "00_0" : "-00_0";
    synth::Exploration exploration;
    judge.passes(exploration.of(read(smallest)));  // so that scratch must grow
    const synth::Lts& lts = exploration.of(program);
    const std::uint64_t passes = judge.passes(lts);
    CHECK(passes >> (2 * automata.size()) == 0);
    for (std::size_t k = 0; k < automata.size(); ++k) {
        CHECK((passes >> (2 * k) & 3) != 1);  // weak is at most as fair as strong
        CHECK(synth::Judge(threads, {automata[k]}, {forms[k]}).passes(lts) == (passes >> (2 * k) & 3));
    }
    CHECK(judge.passes(lts) == passes);
}

void check_program(const synth::Program& program, std::string_view automata) {
    static synth::Exploration exploration;  // the scratch of one program must not matter to the next
    static synth::RuleChecker checker;
    const synth::Lts& lts = exploration.of(program);
    synth::Exploration first;
    const synth::Lts& fresh = first.of(program);
    CHECK(lts.states() == fresh.states() && lts.components() == fresh.components());
    CHECK(lts.states() <= states_at_most(program));
    const std::uint32_t broken = checker.broken(program);
    CHECK(broken == synth::RuleChecker().broken(program));
    CHECK(((broken & synth::non_termination_cycle) != 0) == lts.cyclic().empty());
    try {
        const auto found = synth::reachable_states(program, program.locations(), program.values());
        CHECK(found.states.size() == at(lts.states()));
        CHECK(found.trapped.empty() == ((broken & synth::possible_termination) == 0));
    } catch (const synth::LimitFault&) {  // more digits than a number has
    }
    if (program.threads() <= 8) {
        check_verdicts(program, Choices(automata));
        ++seen.judged;
    }
}

}  // namespace

// All of an input as a batch of ids.
void check_set(std::string_view lines) {
    synth::IdCollector collector;
    try {
        collector.add(lines);
    } catch (const synth::Fault& fault) {
        CHECK(*fault.what() && is_one_line(fault.what()));
    }
    const std::size_t added = collector.size();
    const synth::IdSet ids = collector.sorted();
    CHECK(ids.size() <= added);
    for (std::size_t place = 0; place < ids.size(); ++place) {
        CHECK(read(ids[place]).id() == ids[place]);
        CHECK(place == 0 || ids[place - 1] < ids[place]);
        CHECK(ids.lower_bound(ids[place]) == place);
    }
}

// An id, a line end, and what chooses the automata.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ++seen.inputs;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    check_set(input);
    const std::string_view first = input.substr(0, input.find('\n'));
    const std::vector<char> copy(first.begin(), first.end());  // what lies behind it is not ours
    const std::string_view id(copy.data(), copy.size());
    synth::Program program;
    try {
        program.read(id);
    } catch (const synth::Fault& fault) {
        CHECK(*fault.what() && is_one_line(fault.what()) && fault.id == id);
        return 0;
    }
    ++seen.programs;
    CHECK(program.id() == id);
    for (const bool keep : {false, true}) {
        const synth::Program normal = synth::normal_form(program, keep);
        CHECK(read(normal.id()).id() == normal.id());
        CHECK(synth::normal_form(normal, keep).id() == normal.id());
    }
    if (program.threads() > synth::Lts::max_threads) {
        CHECK_THROWS(synth::LimitFault, synth::RuleChecker().broken(program));
    } else if (states_at_most(program) <= max_states) {
        check_program(program, input.substr(std::min(id.size() + 1, size)));
    }
    return 0;
}

#ifndef LIBFUZZER

#include <sanitizer/common_interface_defs.h>

#include <csignal>

namespace {

long number;
std::string input;

void tell() {
    std::fprintf(stderr, "input %ld:", number);
    for (const char c : input) std::fprintf(stderr, " %02x", static_cast<unsigned char>(c));
    std::fprintf(stderr, "\n");
}

void mutate(std::string& text, Random& random) {
    constexpr std::string_view likely = "0000111122_--3456789abcdefghijklmnopqrstuvwxyz";
    const auto some = [&] {
        const auto place = at(random.below(static_cast<int>(likely.size())));
        return random.one_in(8) ? static_cast<char>(random.below(256)) : likely[place];
    };
    const int size = static_cast<int>(text.size());
    const auto from = at(random.below(size + 1));
    const auto count = at(random.one_in(2) ? 4 * random.below(9) : random.below(9));
    switch (random.below(6)) {
        case 0: text.insert(from, 1, some()); break;
        case 1: text.erase(from, count); break;
        case 2: text.insert(from, text.substr(at(random.below(size + 1)), count)); break;
        case 3: text += random.one_in(2) ? "-" + text : text; break;
        default:
            if (from < text.size()) text[from] = some();
    }
}

std::string input_of(long of) {
    Random random(static_cast<std::uint64_t>(of));
    const int threads = random.one_in(16) ? random.from_to(5, 33) : random.from_to(1, 4);
    const int names = random.one_in(4) ? 36 : random.from_to(1, 3);
    const int longest = threads > 4 ? 1 : random.one_in(8) ? 36 : 4;
    std::string text = random_program(random, threads, longest, names, names).id();
    for (int times = random.one_in(2) ? 0 : random.from_to(1, 3); times > 0; --times) mutate(text, random);
    text += '\n';
    for (int bytes = random.below(400); bytes > 0; --bytes) text += static_cast<char>(random.below(256));
    text.shrink_to_fit();
    return text;
}

}  // namespace

int main(int count, char** words) {
    const auto word = [=](int k, long otherwise) { return k < count ? std::strtol(words[k], nullptr, 10) : otherwise; };
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(word(1, 10));
    const long first = word(2, 0), many = word(3, std::numeric_limits<long>::max() - first);
    __sanitizer_set_death_callback(tell);
    std::signal(SIGABRT, [](int) { tell(); });
    for (number = first; number - first < many && std::chrono::steady_clock::now() < end; ++number) {
        input = input_of(number);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
    std::printf("%ld inputs, %ld programs, %ld judged\n", seen.inputs, seen.programs, seen.judged);
}

#endif
