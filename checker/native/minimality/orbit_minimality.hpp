// Decide which tests of an orbit are minimal: those that differ only in the order of their threads, all at once.
//
// Relaxations treat all threads alike, and the rules do, too. So the sub-programs of an orbit's tests are orbits, and only
// verdicts depend on the order. What minimality.hpp remembers of programs, this remembers of orbits, with a profile
// (orbit_sets.hpp) instead of a set of signatures. The class `Minimality` is the twin: it takes all programs, one by one,
// and this one takes those that can be packed (packed_program.hpp), under all rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "minimality/orbit_map.hpp"
#include "minimality/orbit_sets.hpp"
#include "minimality/packed_rewritings.hpp"
#include "minimality/shared_orbits.hpp"
#include "program/packed_program.hpp"
#include "program/rules.hpp"
#include "sets/set_examiner.hpp"
#include "sets/set_models.hpp"
#include "verdicts/orbit_judge.hpp"

namespace synth {

class OrbitMinimality {
public:
    using Word = PackedProgram::Word;

    // A test of an orbit: the order of its threads, its signature, and whether it is minimal.
    struct Member {
        std::size_t order;
        std::uint64_t signature;
        bool is_minimal;
    };

    // `judge_for` makes the judge for a number of threads, when it is first needed. `shared` is what all processes know
    // under the same models, or null. It has orbits whose verdicts fit into a slot, which are those of at most three
    // threads under the models that ship.
    OrbitMinimality(std::function<OrbitJudge(int)> judge_for, std::shared_ptr<SharedOrbits> shared);

    // Say of some tests of one orbit whether they are minimal.
    void decide(Word orbit, std::span<Member> members);

    // How many entries the memos have, and how many bytes they take.
    std::size_t known() const { return below_.size() + own_.size(); }
    std::size_t bytes() const { return below_.bytes() + own_.bytes(); }

private:
    using Profile = OrbitSets::Profile;
    // What is left without an instruction.
    struct Child {
        Word key;
        OrbitSets::Place place;
        int deletion;  // the number of the instruction
    };
    // A program that may keep all rules: its orbit, and the profile of itself alone once it is known.
    struct Own {
        Word key;
        OrbitSets::Place place;
        Profile profile = OrbitSets::none;
    };

    std::vector<Child>& no_children(std::size_t depth);
    void add_child(const PackedProgram& program, int deletion, std::vector<Child>& children);
    std::vector<Child>& children_of(const PackedProgram& program, std::size_t depth);
    Profile by_deletions(Word orbit, std::size_t depth);
    Profile at_or_below(Word orbit, std::size_t depth);
    const std::vector<Own>& rewritings_of(const PackedProgram& program, bool itself);
    Profile own(Word orbit);
    bool is_shared(int threads);
    void learn(std::span<Own> programs, int threads);
    void remember(Own& program, int threads, const std::uint64_t* words);
    Profile profile_of(int threads, const std::uint64_t* words);
    OrbitJudge& judge(int threads);
    std::span<const sets::Models> tables(int threads);

    PackedRewritings rewritings_;
    std::vector<Own> own_programs_;  // of rewritings
    SetExaminer by_sets_;
    RuleChecker rules_;
    std::function<OrbitJudge(int)> judge_for_;
    std::vector<std::unique_ptr<OrbitJudge>> judges_;
    std::vector<std::unique_ptr<SetModels>> tables_;
    OrbitSets sets_;
    OrbitMap below_;  // the profiles of the tests among what deletions make of it, and among all its sub-programs; itself, too
    OrbitMap own_;    // the profile of each program that is a test, and none of others
    std::vector<std::map<std::vector<std::uint64_t>, Profile>> profile_of_;  // by threads, then by what the judge says
    struct LastProfile {
        std::uint64_t word = 0;
        Profile profile = 0;
        bool is_known = false;
    };
    std::vector<LastProfile> last_profiles_ = std::vector<LastProfile>(Orders::max_threads * 256);  // most are needed again
    std::shared_ptr<SharedOrbits> shared_;
    std::vector<std::size_t> waiting_;  // programs that are judged together, by their places
    Program program_;
    int last_deletion_ = 0;  // that settled a test
    std::deque<std::vector<Child>> children_;  // by depth; in a deque, those of earlier ones do not move
};

}  // namespace synth
