// The Python module synth_checker._native: bindings only; those of sets of ids are in bindings_ids.cpp. Here batches are
// taken as sequences of ids and judged without the interpreter's lock.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "lazy/completion.hpp"
#include "search/explicit_search.hpp"
#include "work/faults.hpp"
#include "lines/id_set.hpp"
#include "program/normal.hpp"
#include "verdicts/on_demand_verdicts.hpp"
#include "program/reachability.hpp"
#include "lazy/refutation.hpp"
#include "program/rules.hpp"
#include "lazy/verdict_refutation.hpp"
#include "verdicts/verdicts.hpp"
#include "work/work.hpp"

namespace nb = nanobind;
using bindings::characters, bindings::JudgeBinding, bindings::Tables;

std::string_view bindings::characters(nb::handle id) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(id.ptr(), &size);
    if (text != nullptr) return {text, static_cast<std::size_t>(size)};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();  // half a surrogate pair, which is in no UTF-8 and in no id
    throw synth::InputFault("id " + std::string(nb::repr(id).c_str()) + ": expected base-36 digits (0-9, a-z)");
}

namespace {

// The ids of a batch. The tuple keeps the strings alive, whatever other threads do to the caller's list meanwhile.
class Batch {
public:
    explicit Batch(const nb::object& ids) : ids_(nb::steal(PySequence_Tuple(ids.ptr()))) {
        if (!ids_.is_valid()) throw nb::python_error();
        const auto count = static_cast<std::size_t>(PyTuple_Size(ids_.ptr()));
        views_.reserve(count);
        for (std::size_t k = 0; k < count; ++k) {
            views_.push_back(characters(PyTuple_GetItem(ids_.ptr(), static_cast<Py_ssize_t>(k))));
        }
    }

    // Apply `decide` to each program of the batch, without the lock.
    template <class Result, class Decide>
    std::vector<Result> map(Decide decide) const {
        std::vector<Result> results;
        results.reserve(views_.size());
        const nb::gil_scoped_release release;
        synth::Program program;
        for (const std::string_view id : views_) {
            synth::worked(synth::one_program);
            program.read(id);
            try {
                results.push_back(decide(program));
            } catch (const synth::LimitFault& fault) {
                throw synth::LimitFault(fault.what(), id);
            }
        }
        return results;
    }

    const std::vector<std::string_view>& ids() const { return views_; }

private:
    nb::object ids_;
    std::vector<std::string_view> views_;
};

nb::list numbers(const std::vector<std::uint64_t>& values) {
    nb::list list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(values.size())));
    if (!list.is_valid()) throw nb::python_error();
    for (std::size_t k = 0; k < values.size(); ++k) {
        PyObject* const number = PyLong_FromUnsignedLongLong(values[k]);
        if (number == nullptr) throw nb::python_error();
        PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(k), number);
    }
    return list;
}

int common_threads(const nb::object& ids) {
    const Batch batch(ids);
    int common = -1;
    for (const std::string_view id : batch.ids()) {
        const int threads = id.empty() ? 0 : static_cast<int>(std::ranges::count(id, '-')) + 1;
        if (common >= 0 && threads != common) return -1;
        common = threads;
    }
    return common;
}

nb::list normalise(const nb::object& ids, bool keep_store_checks) {
    const auto forms = Batch(ids).map<std::string>(
        [&](const synth::Program& program) { return synth::normal_form(program, keep_store_checks).id(); });
    nb::list list;
    for (const std::string& form : forms) list.append(nb::str(form.data(), form.size()));
    return list;
}

nb::list broken_rules(const nb::object& ids) {
    synth::RuleChecker checker;
    return numbers(Batch(ids).map<std::uint64_t>(
        [&](const synth::Program& program) -> std::uint64_t { return checker.broken(program); }));
}

nb::list verdicts(JudgeBinding& judges, const nb::object& ids) {
    std::unique_ptr<synth::Judge> judge = judges.borrow();
    nb::list list = numbers(
        Batch(ids).map<std::uint64_t>([&](const synth::Program& program) { return judge->passes(program); }));
    judges.give_back(std::move(judge));
    return list;
}

std::atomic<bool> interpreter_ends = false;

// Signals are Python's: what a handler raises in the main thread goes through the core as through any Python code.
// Called without a wish for the lock where the interpreter ends, for whoever ends it may hold it until this thread is done.
void look_for_signals() {
    if (interpreter_ends) throw std::runtime_error("the interpreter ends");
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// A model that Python code is asked about.
class PythonAutomaton final : public synth::AutomatonOnDemand {
public:
    PythonAutomaton(nb::handle after, nb::handle fair) : after_(after), fair_(fair) {}
    std::uint32_t after(std::uint32_t state, int thread, bool ends) override {
        return nb::cast<std::uint32_t>(after_(state, thread, ends));
    }
    synth::ThreadSet fair(std::uint32_t state, synth::ThreadSet live) override {
        return nb::cast<synth::ThreadSet>(fair_(state, live)) & live;
    }

private:
    nb::handle after_, fair_;  // the caller's
};

// Keeps the lock: models are asked all the time.
std::vector<std::pair<bool, bool>> fails_on_demand(const nb::str& id,
                                                   const std::vector<std::pair<nb::object, nb::object>>& models) {
    synth::Program program;
    const std::string_view text = characters(id);
    program.read(text);
    std::vector<std::pair<bool, bool>> forms;
    try {
        synth::Lts lts;
        lts.explore(program);
        for (const auto& [after, fair] : models) {
            PythonAutomaton automaton(after, fair);
            const synth::Failures found = synth::OnDemandVerdicts(automaton).fails(lts);
            forms.emplace_back(found.weak, found.strong);
        }
    } catch (const synth::LimitFault& fault) {
        throw synth::LimitFault(fault.what(), text);
    }
    return forms;
}

// Python code runs here, so that a signal's handler may raise something else instead.
void raise(const char* error, const synth::Fault& fault) try {
    const nb::module_ errors = nb::module_::import_("synth_checker.errors");
    const nb::object type = errors.attr(error);
    if (fault.id.empty()) {
        PyErr_SetString(type.ptr(), fault.what());
        return;
    }
    const nb::object id = nb::steal(  // which may be any bytes
        PyUnicode_DecodeUTF8(fault.id.data(), static_cast<Py_ssize_t>(fault.id.size()), "backslashreplace"));
    if (id.is_valid()) PyErr_Format(type.ptr(), "id %R: %s", errors.attr("excerpt")(id).ptr(), fault.what());
} catch (nb::python_error& raised) {
    raised.restore();
}

// Keeps the lock: a search is one thing that goes on from call to call, and its callers ask for little at a time.
class ExplicitSearchBinding {
public:
    using Cuts = std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>;

    ExplicitSearchBinding(const synth::Shape& shape, int values, std::uint32_t without,
                          std::vector<std::vector<int>> orders, const Cuts& cuts)
        : search_(synth::ExplicitSearch::make(shape, values,
                                              {.inter_thread_influence = (without & synth::inter_thread_influence) == 0,
                                               .all_branches = (without & synth::all_branches) == 0,
                                               .effective_stores = (without & synth::effective_stores) == 0,
                                               .meaningful_comparisons = (without & synth::meaningful_comparisons) == 0},
                                              std::move(orders), read(cuts))) {}

    nb::bytes tests(std::uint64_t steps) {
        ids_.clear();
        goes_on_ = search_->advance(steps, &ids_);
        return nb::bytes(ids_.data(), ids_.size());
    }

    std::uint64_t count(std::uint64_t steps) {
        goes_on_ = search_->advance(steps, nullptr);
        return search_->found();
    }

    std::uint64_t numbered() const { return search_->numbered(); }

    bool goes_on() const { return goes_on_; }

private:
    static std::vector<synth::Cut> read(const Cuts& cuts) {
        std::vector<synth::Cut> made;
        for (const auto& [depth, index, of] : cuts) made.push_back({depth, index, of});
        return made;
    }

    std::unique_ptr<synth::ExplicitSearch> search_;
    std::string ids_;
    bool goes_on_ = true;
};

// Judges proposals of a SAT solver: the completions of a program that is a test, the refutation of one that is not.
class LazyCheckerBinding {
public:
    using Wanted = std::tuple<Tables, bool, bool>;

    LazyCheckerBinding(const std::vector<int>& sizes, int locations, int values, std::uint32_t without,
                       std::vector<int> open, std::vector<int> effects, std::vector<int> jumps,
                       std::vector<int> branches, std::vector<int> writes, const std::vector<Wanted>& wanted)
        : states_(sizes, locations, values),
          refutation_(states_, {effects, jumps, branches, writes}, without),
          verdicts_(states_, {std::move(effects), std::move(jumps), std::move(branches), std::move(writes)},
                    wanted_verdicts(wanted, static_cast<int>(sizes.size()))),
          completion_(states_, std::move(open), without) {}

    const std::vector<std::vector<int>>& refuted_by(const nb::str& id) {
        program_.read(characters(id));
        const std::vector<std::vector<int>>& clauses = refutation_.clauses(program_);
        return clauses.empty() ? verdicts_.clauses(program_) : clauses;
    }

    std::vector<std::string> completions(const nb::str& id) {
        program_.read(characters(id));
        return completion_.complete(program_);
    }

private:
    static std::vector<synth::WantedVerdict> wanted_verdicts(const std::vector<Wanted>& wanted, int threads) {
        std::vector<synth::WantedVerdict> made;
        for (const auto& [tables, strong, passes] : wanted) {
            const auto& [steps, ends, fair] = tables;
            made.push_back({{threads, steps, ends, fair}, strong, passes});
        }
        return made;
    }

    synth::SplitStates states_;
    synth::Refutation refutation_;
    synth::VerdictRefutation verdicts_;
    synth::Completion completion_;
    synth::Program program_;
};

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The C++ core of synth_checker.";

    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const synth::InputFault& fault) {
            raise("InputError", fault);
        } catch (const synth::LimitFault& fault) {
            raise("LimitError", fault);
        }
    });

    synth::on_long_work = look_for_signals;
    m.def("end_work", [] { interpreter_ends = true; }, "Have all work that goes on in other threads end with an exception.");
    m.def("normalise", &normalise, nb::arg("ids"), nb::arg("keep_store_checks"),
          nb::sig("def normalise(ids: collections.abc.Sequence[str], keep_store_checks: bool) -> list[str]"),
          "The ids of the normal forms of programs.");
    m.def("common_threads", &common_threads, nb::arg("ids"),
          nb::sig("def common_threads(ids: collections.abc.Sequence[str]) -> int"),
          "How many threads each of the programs has, -1 where they differ or there is none.");
    m.def("broken_rules", &broken_rules, nb::arg("ids"),
          nb::sig("def broken_rules(ids: collections.abc.Sequence[str]) -> list[int]"),
          "For each program, the rules it breaks, a bit each in the order of the definitions.");
    m.def(
        "count_states",
        [](const nb::str& id) {
            synth::Program program;
            program.read(characters(id));
            const nb::gil_scoped_release release;
            synth::Lts lts;
            lts.explore(program);
            return lts.states();
        },
        nb::arg("id"), "How many states a program reaches.");
    m.def(
        "reachable_states",
        [](const nb::str& id, int locations, int values) {
            synth::Program program;
            program.read(characters(id));
            const nb::gil_scoped_release release;
            synth::Reachability found = synth::reachable_states(program, locations, values);
            return std::make_pair(std::move(found.states), std::move(found.trapped));
        },
        nb::arg("id"), nb::arg("locations"), nb::arg("values"),
        "The reachable states of a program, and those of them from which no terminated state is reachable. A state is "
        "the mixed-radix number of (memory, pcs), location 0 the lowest digit, then thread 0.");
    nb::class_<JudgeBinding>(m, "Judge", "Judges programs of a fixed number of threads under fixed automata.")
        .def(nb::init<int, const std::vector<Tables>&, const std::vector<std::pair<bool, bool>>&>(), nb::arg("threads"),
             nb::arg("tables"), nb::arg("forms"),
             "`tables` holds (steps, ends, fair) per automaton, `forms` whether its weak and strong verdicts are asked.")
        .def("verdicts", &verdicts, nb::arg("ids"),
             nb::sig("def verdicts(self, ids: collections.abc.Sequence[str]) -> list[int]"),
             "For each program a bit mask of the verdicts it passes, in the order of the automata and forms.");
    m.def("fails_on_demand", &fails_on_demand, nb::arg("id"), nb::arg("models"),
          nb::sig("def fails_on_demand(id: str, models: collections.abc.Sequence[tuple[collections.abc.Callable[[int, int, "
                  "bool], int], collections.abc.Callable[[int, int], int]]]) -> list[tuple[bool, bool]]"),
          "For each model whether a program fails its weak and its strong form. A model says which state comes after (state, "
          "thread that steps, whether it ends), from 0 on, and the fair set in (state, live threads).");
    bindings::bind_ids(m);
    m.attr("EXPLICIT_SEARCH_STATES") = static_cast<int>(synth::ExplicitSearch::max_states);
    m.attr("EXPLICIT_SEARCH_VALUES") = static_cast<int>(synth::ExplicitSearch::max_values);
    m.attr("EXPLICIT_SEARCH_ORDER") = static_cast<int>(synth::ExplicitSearch::order);
    nb::class_<ExplicitSearchBinding>(m, "ExplicitSearch", "The tests of a shape by explicit-state search.")
        .def(nb::init<const synth::Shape&, int, std::uint32_t, std::vector<std::vector<int>>,
                      const ExplicitSearchBinding::Cuts&>(),
             nb::arg("shape"), nb::arg("values"), nb::arg("without"), nb::arg("orders"), nb::arg("cuts"),
             "`without` is the mask of the dropped rules; each test is written once for each order of its threads. Only the "
             "part is searched that the cuts leave: a depth in decisions, a remainder and a modulus each.")
        .def("tests", &ExplicitSearchBinding::tests, nb::arg("steps"),
             "The ids of the tests found in so many steps more, each ended by a line end.")
        .def("count", &ExplicitSearchBinding::count, nb::arg("steps"),
             "How many tests there are up to so many steps more.")
        .def_prop_ro("numbered", &ExplicitSearchBinding::numbered, "How many the last cut has numbered so far.")
        .def_prop_ro("goes_on", &ExplicitSearchBinding::goes_on, "Whether the search has not come to its end.");
    nb::class_<LazyCheckerBinding>(m, "LazyChecker", "Judges the programs that a SAT solver proposes for a split.")
        .def(nb::init<const std::vector<int>&, int, int, std::uint32_t, std::vector<int>, std::vector<int>,
                      std::vector<int>, std::vector<int>, std::vector<int>,
                      const std::vector<LazyCheckerBinding::Wanted>&>(),
             nb::arg("sizes"), nb::arg("locations"), nb::arg("values"), nb::arg("without"), nb::arg("open"),
             nb::arg("effects"), nb::arg("jumps"), nb::arg("branches"), nb::arg("writes"),
             nb::arg("wanted"),
             "`without` is the mask of the dropped rules, `open` the places that a skeleton leaves open. Of literals, 0 "
             "where something can't happen: `effects` per place, memory and memory left behind, `jumps` per place, memory "
             "and next pc, `branches` and `writes` per place. Memories are mixed-radix numbers, location 0 the lowest digit. "
             "`wanted` holds verdicts: the automaton as (steps, ends, fair), whether it is strong and whether it is passed.")
        .def("refuted_by", &LazyCheckerBinding::refuted_by, nb::arg("id"),
             "Clauses that a program breaks and every wanted test satisfies; none if it breaks no rule that executions decide, "
             "and its verdicts are as wanted.")
        .def("completions", &LazyCheckerBinding::completions, nb::arg("id"),
             "The ids of the tests that agree with a program in all but the open places.");
    bindings::bind_subprograms(m);
    bindings::bind_proofs(m);
}
