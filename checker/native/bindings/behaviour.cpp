// Bindings of behaviours, and of all that one look at a test tells.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "bindings/judges.hpp"
#include "examination/examiner.hpp"
#include "program/by_id.hpp"
#include "program/exploration.hpp"
#include "transitions/behaviour.hpp"
#include "transitions/behaviour_set.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// Little-endian, whatever the machine is.
nb::list behaviours(const std::vector<std::string>& ids) {
    std::vector<std::string> forms(ids.size());
    {
        const nb::gil_scoped_release release;
        synth::Exploration exploration;
        synth::Behaviour behaviour;
        synth::for_each_program(ids, [&](const synth::Program& program, std::size_t k) {
            for (std::uint32_t word : behaviour.of(exploration.of(program))) {
                for (int byte = 0; byte < 4; ++byte, word >>= 8) forms[k] += static_cast<char>(word & 255);
            }
        });
    }
    nb::list list;
    for (const std::string& form : forms) list.append(nb::bytes(form.data(), form.size()));
    return list;
}

// The rules, the verdicts and, if asked for, the behaviour of each test, up to the first that breaks a rule.
nb::tuple examined(const nb::bytes& lines, const std::vector<JudgeBinding*>& judges, std::uint32_t allowed,
                   bool with_behaviours) {
    constexpr std::size_t at_once = 1 << 12;
    Loans loans(judges);
    std::vector<std::uint64_t> masks;
    std::vector<synth::BehaviourHash> behaviours;
    std::string broken_id;
    std::uint32_t broken = 0;
    {
        const nb::gil_scoped_release release;
        const auto judge = [&](int threads) -> ProgramJudge& { return loans.for_threads(threads); };
        synth::Examiner examiner({[&](int threads) -> synth::Judge& { return judge(threads); },
                                  [&](int threads) -> synth::OrbitJudge& { return judge(threads).by_orbit(); },
                                  [&](int threads) { return judge(threads).tables(); },
                                  [&](int threads) { return judge(threads).by_orbit_tables(); }},
                                 with_behaviours);
        std::vector<std::string_view> taken;
        const auto look_at_taken = [&] {
            const std::vector<synth::Examiner::Found> all_found = examiner.found();
            for (std::size_t k = 0; k < taken.size() && broken == 0; ++k) {
                masks.push_back(all_found[k].passes);
                if (with_behaviours) behaviours.push_back(all_found[k].behaviour);
                broken = all_found[k].broken & ~allowed;
                if (broken != 0) broken_id = taken[k];
            }
            taken.clear();
        };
        try {
            synth::for_each_text(view(lines), [&](std::string_view id, std::size_t) {
                if (broken != 0) return;
                examiner.take(id);
                taken.push_back(id);
                if (taken.size() == at_once) look_at_taken();
            });
            look_at_taken();
        } catch (const synth::Fault&) {  // which is of no interest behind a test that breaks a rule
            look_at_taken();
            if (broken == 0) throw;
        }
    }
    return nb::make_tuple(packed(masks), packed(behaviours), broken_id, broken);
}

nb::bytes behaviour_hashes(const nb::bytes& lines) {
    std::vector<synth::BehaviourHash> hashes;
    {
        const nb::gil_scoped_release release;
        synth::Exploration exploration;
        synth::Behaviour behaviour;
        synth::for_each_line(view(lines), [&](const synth::Program& program, std::string_view, std::size_t) {
            hashes.push_back(synth::hash_of(behaviour.of(exploration.of(program))));
        });
    }
    return packed(hashes);
}

// Which of some behaviours were missing: a byte each, 1 where it was.
nb::bytes insert(synth::BehaviourSet& set, const nb::bytes& behaviours) {
    std::string missing;
    for (const synth::BehaviourHash& one : unpacked<synth::BehaviourHash>(behaviours)) {
        missing += static_cast<char>(set.insert(one));
    }
    return bytes(missing);
}

}  // namespace

void bind_behaviour(nb::module_& m) {
    m.def("behaviours", &behaviours, nb::arg("ids"), nb::sig("def behaviours(ids: collections.abc.Sequence[str]) -> list[bytes]"),
          "The canonical forms of the behaviours of programs, as unsigned 32-bit little-endian numbers.");
    m.def("examined", &examined, nb::arg("lines"), nb::arg("judges"), nb::arg("allowed"), nb::arg("with_behaviours"),
          nb::sig("def examined(lines: bytes, judges: collections.abc.Sequence[Judge], allowed: int, with_behaviours: bool) "
                  "-> tuple[bytes, bytes, str, int]"),
          "Of programs, ids each ended by a line end: their verdicts, masks of 8 bytes each; hashes of their behaviours, 16 "
          "bytes each, or none; and the first that breaks a rule outside the mask `allowed`, which ends it, with those rules, or '' "
          "and 0.");
    m.def("behaviour_hashes", &behaviour_hashes, nb::arg("lines"),
          "Of programs, ids each ended by a line end, hashes of their behaviours as `examined` gives them.");
    nb::class_<synth::BehaviourSet>(m, "BehaviourSet", "Behaviours, known by their hashes.")
        .def(nb::init<>())
        .def("insert", &insert, nb::arg("behaviours"),
             "Insert hashes as `examined` gives them; a byte for each, 1 where it was missing.")
        .def("__len__", &synth::BehaviourSet::size);
}

}  // namespace bindings
