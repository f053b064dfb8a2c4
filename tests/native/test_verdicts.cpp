// The ways to a verdict agree: by history, by the product over sets of automaton states, by the product over flags, and by
// the product on demand; and the judge puts them together. That what they agree on is right, the Python tests say, by a twin.

#include "check.hpp"
#include "program/exploration.hpp"
#include "verdicts/on_demand_verdicts.hpp"
#include "verdicts/verdicts.hpp"

using namespace testing;

namespace {

constexpr std::uint64_t weak = 1, strong = 2;

std::uint64_t fails_by_product(const synth::Automaton& automaton, const synth::Lts& lts) {
    return synth::ProductVerdicts(automaton, {weak, strong}).fails(lts);
}

// The same automaton, each state several times: too many states for sets.
synth::Automaton with_copies(const synth::Automaton& automaton, Random& random) {
    const int states = automaton.states();
    const int copies = synth::ReachedWith::max_states / states + 1;
    synth::Automaton copied{automaton.threads, {}, {}, {}};
    for (int copy = 0; copy < copies; ++copy) {
        for (std::size_t q = 0; q < automaton.steps.size(); ++q) {
            std::vector<int> steps = automaton.steps[q], ends = automaton.ends[q];
            for (auto* row : {&steps, &ends}) {
                for (int& to : *row) to += states * random.below(copies);
            }
            copied.steps.push_back(steps);
            copied.ends.push_back(ends);
            copied.fair.push_back(automaton.fair[q]);
        }
    }
    return copied;
}

void history_agrees_with_the_product() {
    Random random(1);
    synth::Exploration exploration;
    int different = 0, failed = 0;
    for (int k = 0; k < 150; ++k) {
        const int threads = random.from_to(1, 3);
        std::vector<synth::Automaton> automata;
        std::vector<synth::VerdictBits> bits;
        for (int model = random.from_to(1, 3); model > 0; --model) {
            bits.push_back({weak << (2 * automata.size()), strong << (2 * automata.size())});
            automata.push_back(random_automaton(random, threads, random.from_to(1, 3), true));
            CHECK(synth::remembers_only_history(automata.back()));
        }
        const auto history = synth::HistoryVerdicts::make(automata, bits, threads);
        CHECK(history != nullptr);
        for (int program = 0; program < 20; ++program) {
            const synth::Lts& lts = exploration.of(random_program(random, threads, 4, 2, 2));
            const std::uint64_t found = history->fails(lts);
            for (std::size_t model = 0; model < automata.size(); ++model) {
                const std::uint64_t fails = fails_by_product(automata[model], lts);
                CHECK((found >> (2 * model) & 3) == fails);
                different += fails == weak;
                failed += fails == (weak | strong);
            }
        }
    }
    CHECK(different > 20 && failed > 20);
}

class Asked final : public synth::AutomatonOnDemand {
public:
    explicit Asked(const synth::Automaton& tables) : tables_(tables) {}
    std::uint32_t after(std::uint32_t state, int thread, bool ends) override {
        return static_cast<std::uint32_t>((ends ? tables_.ends : tables_.steps)[state][static_cast<std::size_t>(thread)]);
    }
    synth::ThreadSet fair(std::uint32_t state, synth::ThreadSet live) override { return tables_.fair[state][live]; }

private:
    const synth::Automaton& tables_;
};

void on_demand_agrees_with_the_product() {
    Random random(3);
    synth::Exploration exploration;
    int failed = 0;
    for (int k = 0; k < 300; ++k) {
        const int threads = random.from_to(1, 3);
        const synth::Automaton automaton = random_automaton(random, threads, random.from_to(1, 4), false);
        Asked asked(automaton);
        synth::OnDemandVerdicts on_demand(asked);
        for (int program = 0; program < 5; ++program) {
            const synth::Lts& lts = exploration.of(random_program(random, threads, 4, 2, 2));
            const synth::Failures found = on_demand.fails(lts);
            const std::uint64_t fails = fails_by_product(automaton, lts);
            CHECK(((found.weak ? weak : 0) | (found.strong ? strong : 0)) == fails);
            failed += fails != 0;
        }
    }
    CHECK(failed > 50);
}

// A copy of a state steps to copies of what its original steps to and has its fair sets. So a recurrent set of copies is
// one of originals, and a walk that takes all edges of one of originals again and again ends in one of copies.
void sets_and_flags_agree() {
    Random random(2);
    synth::Exploration exploration;
    int some = 0;
    for (int k = 0; k < 100; ++k) {
        const int threads = random.from_to(1, 3);
        const synth::Automaton automaton = random_automaton(random, threads, random.from_to(1, 4), false);
        synth::Automaton many = automaton;
        // States that nothing leads to.
        while (many.states() <= synth::ReachedWith::max_states) {
            many.steps.push_back(std::vector<int>(at(threads), random.below(automaton.states())));
            many.ends.push_back(many.steps.back());
            many.fair.push_back(automaton.fair.front());
        }
        const synth::Automaton copied = with_copies(automaton, random);
        for (int program = 0; program < 10; ++program) {
            const synth::Lts& lts = exploration.of(random_program(random, threads, 4, 2, 2));
            const std::uint64_t fails = fails_by_product(automaton, lts);
            CHECK(fails_by_product(many, lts) == fails);
            CHECK(fails_by_product(copied, lts) == fails);
            CHECK(fails != strong);  // weak is at most as fair as strong
            some += fails != 0;
        }
    }
    CHECK(some > 20);
}

void the_judge_numbers_what_is_asked() {
    Random random(3);
    for (int k = 0; k < 60; ++k) {
        const int threads = random.from_to(1, k % 10 == 0 ? 7 : 3);
        std::vector<synth::Automaton> automata;
        std::vector<synth::Forms> forms;
        for (int model = random.below(4); model > 0; --model) {
            automata.push_back(random_automaton(random, threads, random.from_to(1, 3), random.one_in(2)));
            forms.push_back({random.one_in(2), random.one_in(2)});
        }
        synth::Judge judge(threads, automata, forms);
        CHECK(judge.threads() == threads);
        synth::Exploration exploration;
        for (int program = 0; program < 5; ++program) {
            const synth::Lts& lts = exploration.of(random_program(random, threads, threads > 3 ? 1 : 4, 2, 2));
            std::uint64_t expected = 0;
            int next = 0;
            for (std::size_t model = 0; model < automata.size(); ++model) {
                const std::uint64_t fails = fails_by_product(automata[model], lts);
                if (forms[model].weak) expected |= std::uint64_t{!(fails & weak)} << next++;
                if (forms[model].strong) expected |= std::uint64_t{!(fails & strong)} << next++;
            }
            CHECK(judge.passes(lts) == expected);
        }
        CHECK_THROWS(synth::InputFault, judge.passes(exploration.of(random_program(random, threads + 1, 1, 1, 1))));
    }
    const synth::Automaton fair = random_automaton(random, 1, 1, true);
    const synth::Judge most(1, std::vector(32, fair), std::vector(32, synth::Forms{true, true}));
    CHECK_THROWS(synth::LimitFault, synth::Judge(1, std::vector(33, fair), std::vector(33, synth::Forms{true, true})));
}

void programs_found_by_hand() {
    // Fair to all or to none, whatever happened.
    const auto constant = [](bool fair) {
        synth::Automaton automaton{2, {{0, 0}}, {{0, 0}}, {{}}};
        for (synth::ThreadSet live = 0; live < 4; ++live) automaton.fair[0].push_back(fair ? live : 0);
        return automaton;
    };
    synth::Judge judge(2, {constant(false), constant(true)}, {{true, false}, {true, true}});
    synth::Exploration exploration;
    CHECK(judge.passes(exploration.of(read("0000-00_0"))) == 0);      // thread 0 stores 0 forever, thread 1 waits
    CHECK(judge.passes(exploration.of(read("0011-00_0"))) == 0b110);  // thread 1 waits for thread 0
    CHECK(judge.passes(exploration.of(read("0011-0011"))) == 0b111);  // nobody waits
}

}  // namespace

int main() {
    history_agrees_with_the_product();
    on_demand_agrees_with_the_product();
    sets_and_flags_agree();
    the_judge_numbers_what_is_asked();
    programs_found_by_hand();
}
