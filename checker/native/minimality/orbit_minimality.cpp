#include "minimality/orbit_minimality.hpp"

#include <utility>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t sub_program = 10;  // steps of work

// As `Minimality` under all rules: normal form sees to it that stores compare with 0.
constexpr std::uint32_t in_force = possible_termination | non_termination_cycle | executed | inter_thread_influence |
                                   all_branches | effective_stores;

OrbitSets::Place place_in(const PackedProgram& outer, const PackedProgram& inner, const Orders::Order& kept,
                          const PackedProgram::Orbit& orbit) {
    OrbitSets::Place place(inner.threads(), outer.threads());
    for (int t = 0; t < inner.threads(); ++t) {
        place.put(t, kept[orbit.from[static_cast<std::size_t>(t)]]);
    }
    return place;
}

constexpr Orders::Order all_threads{0, 1, 2, 3, 4};

int size_of(const PackedProgram& program) {
    int size = 0;
    for (int t = 0; t < program.threads(); ++t) size += program.size(t);
    return size;
}

// What is shared of an orbit: that it is known, whether it is a test, and then what the judge says, in so many bits.
constexpr std::uint64_t shared_known = 1, shared_test = 2;
constexpr std::uint32_t shared_bits = 62;

}  // namespace

OrbitMinimality::OrbitMinimality(std::function<OrbitJudge(int)> judge_for, std::shared_ptr<SharedOrbits> shared)
    : by_sets_(in_force),
      judge_for_(std::move(judge_for)),
      judges_(Orders::max_threads + 1),
      tables_(Orders::max_threads + 1),
      profile_of_(Orders::max_threads + 1),
      shared_(std::move(shared)) {}

void OrbitMinimality::decide(Word orbit, std::span<Member> members) {
    const PackedProgram program(orbit);
    Profile found = OrbitSets::none;
    std::size_t left = members.size();
    for (Member& member : members) member.is_minimal = true;
    // Note the tests with a signature that was found, and return whether some are left.
    const auto some_left = [&](Profile more) {
        const Profile both = sets_.unite(found, more);
        if (both == found) return true;
        found = both;
        for (Member& member : members) {
            if (member.is_minimal && sets_.contains(found, member.order, member.signature)) {
                member.is_minimal = false;
                --left;
            }
        }
        return left > 0;
    };
    // Most tests have a smaller one by a deletion, and often by that of the test before, which is tried first. A child is looked
    // at only after the next one is made, so that its memory can be fetched in the meantime.
    std::vector<Child>& children = no_children(0);
    const int size = size_of(program), first = last_deletion_ < size ? last_deletion_ : 0;
    std::size_t looked_at = 0;
    for (int turn = 0; turn <= size; ++turn) {
        if (turn < size) add_child(program, turn == 0 ? first : turn - (turn <= first), children);
        for (const std::size_t made = children.size() - (turn < size && !children.empty()); looked_at < made; ++looked_at) {
            const Child& child = children[looked_at];
            if (some_left(sets_.placed(by_deletions(child.key, 1), child.place))) continue;
            last_deletion_ = child.deletion;
            return;
        }
    }
    for (const Child& child : children) {
        if (!some_left(sets_.placed(at_or_below(child.key, 1), child.place))) return;
    }
    for (const Own& rewriting : rewritings_of(program, false)) {
        if (!some_left(sets_.placed(rewriting.profile, rewriting.place))) return;
    }
}

// A place in memory for each depth.
std::vector<OrbitMinimality::Child>& OrbitMinimality::no_children(std::size_t depth) {
    if (depth == children_.size()) children_.emplace_back();
    children_[depth].clear();
    return children_[depth];
}

// Add what is left without an instruction, which is named by its number in the program.
void OrbitMinimality::add_child(const PackedProgram& program, int deletion, std::vector<Child>& children) {
    int thread = 0, pc = deletion;
    while (pc >= program.size(thread)) pc -= program.size(thread++);
    Orders::Order kept{};
    const PackedProgram child = program.without(thread, pc, kept);
    if (child.threads() == 0) return;
    const PackedProgram::Orbit orbit = child.orbit();
    below_.fetch(orbit.key);
    children.push_back({orbit.key, place_in(program, child, kept, orbit), deletion});
}

std::vector<OrbitMinimality::Child>& OrbitMinimality::children_of(const PackedProgram& program, std::size_t depth) {
    std::vector<Child>& children = no_children(depth);
    for (int deletion = 0; deletion < size_of(program); ++deletion) add_child(program, deletion, children);
    return children;
}

// The tests among a program and what deletions make of it.
OrbitMinimality::Profile OrbitMinimality::by_deletions(Word orbit, std::size_t depth) {
    const OrbitMap::Number known = below_[orbit].one;
    if (known != OrbitMap::missing) return known;
    worked(sub_program);
    const PackedProgram program(orbit);
    Profile found = program.may_keep_rules() ? own(orbit) : OrbitSets::none;
    for (const Child& child : children_of(program, depth)) {
        found = sets_.unite(found, sets_.placed(by_deletions(child.key, depth + 1), child.place));
    }
    return below_[orbit].one = found;
}

// The tests among a program and its sub-programs.
OrbitMinimality::Profile OrbitMinimality::at_or_below(Word orbit, std::size_t depth) {
    const OrbitMap::Number known = below_[orbit].other;
    if (known != OrbitMap::missing) return known;
    worked(sub_program);
    const PackedProgram program(orbit);
    Profile found = OrbitSets::none;
    for (const Child& child : children_of(program, depth)) {
        found = sets_.unite(found, sets_.placed(at_or_below(child.key, depth + 1), child.place));
    }
    for (const Own& rewriting : rewritings_of(program, true)) {
        found = sets_.unite(found, sets_.placed(rewriting.profile, rewriting.place));
    }
    return below_[orbit].other = found;
}

// Those that may keep all rules, the program itself too if `itself` is true.
const std::vector<OrbitMinimality::Own>& OrbitMinimality::rewritings_of(const PackedProgram& program, bool itself) {
    const bool shares = is_shared(program.threads());
    own_programs_.clear();
    for (const PackedProgram& rewriting : rewritings_.of(program, itself)) {
        const PackedProgram::Orbit orbit = rewriting.orbit();
        shares ? shared_->fetch(orbit.key) : own_.fetch(orbit.key);
        own_programs_.push_back({orbit.key, place_in(program, rewriting, all_threads, orbit)});
    }
    worked(own_programs_.size());
    learn(own_programs_, program.threads());
    return own_programs_;
}

bool OrbitMinimality::is_shared(int threads) { return shared_ && judge(threads).bits() <= shared_bits; }

// The profile of a program that may keep all rules.
OrbitMinimality::Profile OrbitMinimality::own(Word orbit) {
    const int threads = PackedProgram::threads_of(orbit);
    Own one{orbit, OrbitSets::Place(threads, threads)};
    learn(std::span(&one, 1), threads);
    return one.profile;
}

// Find the profiles of some programs that all have so many threads. Those that are unknown are judged together.
void OrbitMinimality::learn(std::span<Own> programs, int threads) {
    by_sets_.forget();  // what an exception left
    waiting_.clear();
    const bool shares = is_shared(threads);
    for (std::size_t k = 0; k < programs.size(); ++k) {
        Own& one = programs[k];
        if (shares) {
            if (const std::uint64_t known = shared_->find(one.key); known != 0) {
                const std::uint64_t word = known >> (64 - shared_bits);
                if ((known & shared_test) != 0) one.profile = profile_of(threads, &word);
                continue;
            }
        } else if (const OrbitMap::Number known = own_[one.key].one; known != OrbitMap::missing) {
            one.profile = known;
            continue;
        }
        worked(sub_program);
        const PackedProgram program(one.key);
        if (by_sets_.take(program, tables(threads))) {
            waiting_.push_back(k);
            continue;
        }
        program.unpack(program_);
        const bool is_test = (rules_.broken(program_) & in_force) == 0;
        remember(one, threads, is_test ? judge(threads).judge(rules_.lts()).data() : nullptr);
    }
    if (waiting_.empty()) return;
    by_sets_.finish();
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
        const bool is_test = (by_sets_.broken(k) & in_force) == 0;
        remember(programs[waiting_[k]], threads, is_test ? by_sets_.passes(k).data() : nullptr);
    }
}

// Remember what the judge says of a test; null of other programs.
void OrbitMinimality::remember(Own& program, int threads, const std::uint64_t* words) {
    if (words != nullptr) program.profile = profile_of(threads, words);
    if (is_shared(threads)) {
        shared_->insert(program.key, shared_known | (words != nullptr ? shared_test | *words << (64 - shared_bits) : 0));
    } else {
        own_[program.key].one = program.profile;
    }
}

// What the judge said of some system, as a profile.
OrbitMinimality::Profile OrbitMinimality::profile_of(int threads, const std::uint64_t* words) {
    const std::size_t count = judge(threads).judges().size();
    LastProfile& last = last_profiles_[(*words * 0x9e3779b97f4a7c15 >> 56) + static_cast<std::size_t>(threads - 1) * 256];
    if (count == 1 && last.is_known && last.word == *words) return last.profile;
    const auto [known, is_new] = profile_of_[static_cast<std::size_t>(threads)].try_emplace(std::vector(words, words + count));
    if (is_new) {
        std::vector<std::uint64_t> signatures;
        for (std::size_t order = 0; order < Orders::of(threads).size(); ++order) {
            signatures.push_back(judge(threads).passes(known->first, order));
        }
        known->second = sets_.only(signatures);
    }
    last = {*words, known->second, count == 1};
    return known->second;
}

std::span<const sets::Models> OrbitMinimality::tables(int threads) {
    auto& tables = tables_[static_cast<std::size_t>(threads)];
    if (!tables) tables = std::make_unique<SetModels>(judge(threads));
    return tables->tables();
}

OrbitJudge& OrbitMinimality::judge(int threads) {
    auto& judge = judges_[static_cast<std::size_t>(threads)];
    if (!judge) judge = std::make_unique<OrbitJudge>(judge_for_(threads));
    return *judge;
}

}  // namespace synth
