// The product's reachable part, against a search of pairs.

#include <set>
#include <utility>

#include "check.hpp"
#include "program/exploration.hpp"
#include "verdicts/reached_with.hpp"

using namespace testing;

namespace {

std::set<std::pair<int, int>> plain_product(const synth::Lts& lts, const synth::Automaton& automaton) {
    std::set<std::pair<int, int>> found{{0, 0}};
    std::vector<std::pair<int, int>> todo{{0, 0}};
    while (!todo.empty()) {
        const auto [state, q] = todo.back();
        todo.pop_back();
        for (int t = 0; t < automaton.threads; ++t) {
            if (!(lts.live(state) >> t & 1)) continue;
            const int to = lts.successor(state, t);
            const bool ends = !(lts.live(to) >> t & 1);
            const int after = (ends ? automaton.ends : automaton.steps)[at(q)][at(t)];
            if (found.insert({to, after}).second) todo.push_back({to, after});
        }
    }
    return found;
}

}  // namespace

int main() {
    Random random(1);
    synth::Exploration exploration;
    for (int k = 0; k < 300; ++k) {
        const int threads = random.from_to(1, 3);
        constexpr int sizes[] = {1, 2, 7, 8, 9, 16, 17, 63, synth::ReachedWith::max_states};
        const synth::Automaton automaton = random_automaton(random, threads, sizes[k % 9], k % 2 == 0);
        synth::ReachedWith reached(automaton.steps, automaton.ends, threads);
        for (int program = 0; program < 3; ++program) {  // one after the other, larger and smaller
            const synth::Lts& lts = exploration.of(random_program(random, threads, 4, 2, 2));
            reached.push(lts);
            const auto plain = plain_product(lts, automaton);
            for (int state = 0; state < lts.states(); ++state) {
                for (int q = 0; q < synth::ReachedWith::max_states; ++q) {
                    CHECK((reached[state] >> q & 1) == plain.count({state, q}));
                }
            }
        }
    }
}
