// The bindings of sub-programs, minimality and behaviour.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "transitions/behaviour.hpp"
#include "transitions/behaviour_set.hpp"
#include "bindings/bindings.hpp"
#include "minimality/embedding.hpp"
#include "work/faults.hpp"
#include "lines/id_set.hpp"
#include "minimality/minimality.hpp"
#include "minimality/relaxations.hpp"
#include "program/rules.hpp"
#include "work/work.hpp"

namespace nb = nanobind;

namespace {

using bindings::Tables;

// Apply `decide` to each program and its place in the batch, without the interpreter's lock.
template <class Decide>
void for_each(const std::vector<std::string>& ids, Decide decide) {
    synth::Program program;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        synth::worked(synth::one_program);
        program.read(ids[k]);
        try {
            decide(program, k);
        } catch (const synth::LimitFault& fault) {
            throw synth::LimitFault(fault.what(), ids[k]);
        }
    }
}

using NamedRelaxation = std::tuple<int, int, int, std::string>;

std::vector<std::vector<NamedRelaxation>> relaxations(const std::vector<std::string>& ids, bool keep_store_checks) {
    synth::Relaxer relaxer(keep_store_checks);
    synth::Program relaxed;
    std::vector<synth::Relaxation> found;
    std::vector<std::vector<NamedRelaxation>> rows(ids.size());
    for_each(ids, [&](const synth::Program& program, std::size_t k) {
        synth::find_relaxations(program, found);
        for (const synth::Relaxation& one : found) {
            relaxer.relax(program, one, relaxed);
            rows[k].emplace_back(one.kind, one.first, one.second, relaxed.id());
        }
    });
    return rows;
}

std::vector<std::vector<int>> contained(const std::vector<std::string>& ids, const std::vector<std::string>& parts) {
    std::vector<synth::Program> small(parts.size());
    for_each(parts, [&](const synth::Program& part, std::size_t k) { small[k] = part; });
    std::vector<std::vector<int>> found(ids.size());
    for_each(ids, [&](const synth::Program& program, std::size_t k) {
        for (std::size_t part = 0; part < small.size(); ++part) {
            if (synth::is_within(small[part], program)) found[k].push_back(static_cast<int>(part));
        }
    });
    return found;
}

// Little-endian, whatever the machine is.
nb::list behaviours(const std::vector<std::string>& ids) {
    std::vector<std::string> forms(ids.size());
    {
        const nb::gil_scoped_release release;
        synth::Behaviour behaviour;
        for_each(ids, [&](const synth::Program& program, std::size_t k) {
            for (std::uint32_t word : behaviour.of(program)) {
                for (int byte = 0; byte < 4; ++byte, word >>= 8) forms[k] += static_cast<char>(word & 255);
            }
        });
    }
    nb::list list;
    for (const std::string& form : forms) list.append(nb::bytes(form.data(), form.size()));
    return list;
}

// The rules, the verdicts and, if asked for, the behaviour of each test, from one exploration of its LTS.
nb::tuple examined(const nb::bytes& lines, const std::vector<bindings::JudgeBinding*>& judges, std::uint32_t allowed,
                   bool with_behaviours) {
    bindings::Loans loans(judges);
    std::vector<std::uint64_t> masks;
    std::vector<synth::BehaviourHash> behaviours;
    std::string broken_id;
    std::uint32_t broken = 0;
    {
        const nb::gil_scoped_release release;
        synth::RuleChecker rules;
        synth::Behaviour behaviour;
        synth::for_each_line(bindings::view(lines), [&](const synth::Program& program, std::string_view id, std::size_t) {
            if (broken != 0) return;
            broken = rules.broken(program) & ~allowed;
            if (broken != 0) broken_id = id;
            masks.push_back(loans.for_threads(program.threads()).passes(rules.lts()));
            if (with_behaviours) behaviours.push_back(synth::hash_of(behaviour.of(rules.lts())));
        });
    }
    return nb::make_tuple(bindings::packed(masks), bindings::packed(behaviours), broken_id, broken);
}

nb::bytes behaviour_hashes(const nb::bytes& lines) {
    std::vector<synth::BehaviourHash> hashes;
    {
        const nb::gil_scoped_release release;
        synth::Behaviour behaviour;
        synth::for_each_line(bindings::view(lines), [&](const synth::Program& program, std::string_view, std::size_t) {
            hashes.push_back(synth::hash_of(behaviour.of(program)));
        });
    }
    return bindings::packed(hashes);
}

// Which of some behaviours were missing: a byte each, 1 where it was.
nb::bytes insert(synth::BehaviourSet& set, const nb::bytes& behaviours) {
    std::string missing;
    for (const synth::BehaviourHash& one : bindings::unpacked<synth::BehaviourHash>(behaviours)) {
        missing += static_cast<char>(set.insert(one));
    }
    return bindings::bytes(missing);
}

// One caller at a time: what it learns of sub-programs is for all.
class MinimalityBinding {
public:
    // The tables of each model and its forms, for 1, 2, ... threads.
    MinimalityBinding(std::uint32_t without, const std::vector<std::vector<Tables>>& tables,
                      const std::vector<std::pair<bool, bool>>& forms)
        : minimality_(without, judges(tables, forms)) {}

    std::vector<bool> minimal(const std::vector<std::string>& ids, const std::vector<std::uint64_t>& signatures) {
        if (ids.size() != signatures.size()) {
            throw synth::InputFault("found " + std::to_string(signatures.size()) + " signatures, expected " +
                                    std::to_string(ids.size()));
        }
        const std::lock_guard lock(mutex_);
        std::vector<bool> results(ids.size());
        for_each(ids, [&](const synth::Program& program, std::size_t k) {
            results[k] = minimality_.is_minimal(program, signatures[k]);
        });
        return results;
    }

    // Of ids as lines those that are minimal, likewise.
    nb::bytes minimal_of(const nb::bytes& lines, const nb::bytes& signatures) {
        const std::vector<std::uint64_t> masks = bindings::unpacked<std::uint64_t>(signatures);
        std::string found;
        {
            const nb::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            synth::for_each_line(bindings::view(lines), [&](const synth::Program& program, std::string_view id, std::size_t k) {
                if (k == masks.size()) throw synth::InputFault("found fewer signatures than ids");
                if (minimality_.is_minimal(program, masks[k])) (found += id) += '\n';
            });
        }
        return bindings::bytes(found);
    }

    std::size_t known() {
        const std::lock_guard lock(mutex_);
        return minimality_.known();
    }

    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        return minimality_.bytes();
    }

private:
    static std::vector<synth::Judge> judges(const std::vector<std::vector<Tables>>& tables,
                                            const std::vector<std::pair<bool, bool>>& asked) {
        std::vector<synth::Forms> forms;
        for (const auto& [weak, strong] : asked) forms.push_back({weak, strong});
        std::vector<synth::Judge> made;
        for (const std::vector<Tables>& models : tables) {
            const int threads = static_cast<int>(made.size()) + 1;
            std::vector<synth::Automaton> automata;
            for (const auto& [steps, ends, fair] : models) automata.push_back({threads, steps, ends, fair});
            made.emplace_back(threads, automata, forms);
        }
        return made;
    }

    std::mutex mutex_;
    synth::Minimality minimality_;
};

}  // namespace

void bindings::bind_subprograms(nb::module_& m) {
    m.def("relaxations", &relaxations, nb::arg("ids"), nb::arg("keep_store_checks"),
          nb::call_guard<nb::gil_scoped_release>(),
          "The relaxations of programs in normal form: kind, thread and place or the two names, id of what is left.");
    m.def("contained", &contained, nb::arg("ids"), nb::arg("parts"), nb::call_guard<nb::gil_scoped_release>(),
          "For each program, the places of the parts that are it or are among its sub-programs; all in normal form.");
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
    nb::class_<MinimalityBinding>(m, "Minimality", "Which tests are minimal, under fixed rules and models.")
        .def(nb::init<std::uint32_t, const std::vector<std::vector<Tables>>&, const std::vector<std::pair<bool, bool>>&>(),
             nb::arg("without"), nb::arg("tables"), nb::arg("forms"),
             "`without` is the mask of the dropped rules, `tables` holds for 1, 2, ... threads (steps, ends, fair) per "
             "automaton, `forms` whether its weak and strong verdicts are asked.")
        .def("minimal", &MinimalityBinding::minimal, nb::arg("ids"), nb::arg("signatures"),
             nb::call_guard<nb::gil_scoped_release>(),
             "For each program in normal form, whether no sub-program is a test with its signature.")
        .def("minimal_of", &MinimalityBinding::minimal_of, nb::arg("lines"), nb::arg("signatures"),
             "Of programs in normal form, ids each ended by a line end, those that are minimal, likewise; the signatures "
             "are masks of 8 bytes each, as `examined` gives them.")
        .def("known", &MinimalityBinding::known, nb::call_guard<nb::gil_scoped_release>(),
             "How many programs are known by now, sub-programs of what was asked.")
        .def("bytes", &MinimalityBinding::bytes, nb::call_guard<nb::gil_scoped_release>(),
             "How many bytes the memo of programs of usual size takes.");
}
