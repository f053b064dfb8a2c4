// The binding of the simulated scheduler.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "simulation/simulation.hpp"
#include "transitions/lts.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

constexpr std::array<std::string_view, 5> orders{"linear", "reverse", "stride", "random", "jitter"};
constexpr std::array<std::string_view, 4> picks{"rotate", "lowest", "random", "weighted"};

// The member of an enumeration whose names are these.
template <class Enum, std::size_t count>
Enum named(const std::array<std::string_view, count>& names, std::string_view name, const char* what) {
    for (std::size_t k = 0; k < count; ++k) {
        if (names[k] == name) return static_cast<Enum>(k);
    }
    throw synth::InputFault("found the " + std::string(what) + " '" + std::string(name) + "', which is not known");
}

synth::Scheduler scheduler(const std::pair<int, int>& slots, std::string_view order, int spread, int batch, int quantum,
                           std::string_view pick, std::uint64_t seed, std::string_view fault) {
    synth::Scheduler made{slots.first, slots.second, named<synth::Order>(orders, order, "order"), spread, batch, quantum,
                          named<synth::Pick>(picks, pick, "pick"), seed,
                          named<synth::PlantedFault>(synth::fault_names, fault, "fault")};
    if (made.least_slots < 1 || made.most_slots < made.least_slots || spread < 1 || batch < 1 || quantum < 0) {
        throw synth::InputFault("found a scheduler without slots, or a number below its least");
    }
    return made;
}

// A simulator that one thread uses at a time.
class SimulatorBinding {
public:
    SimulatorBinding(const synth::Scheduler& scheduler, const synth::Lts& lts, synth::Placement placement)
        : simulator_(scheduler, lts, std::move(placement)) {}

    nb::tuple run(std::uint64_t launch, const nb::object& take_events, const std::optional<std::vector<std::int32_t>>& schedule) {
        synth::EventLog events([&](const std::vector<synth::Event>& some) {
            const nb::gil_scoped_acquire acquired;
            take_events(packed(some));
        });
        synth::LaunchResult result;
        {
            const nb::gil_scoped_release release;
            const std::scoped_lock lock(mutex_);
            result = simulator_.run(launch, take_events.is_none() ? nullptr : &events, schedule ? &*schedule : nullptr);
        }
        return nb::make_tuple(result.is_hung, result.steps, result.slots, result.period, packed(result.started),
                              packed(result.finished));
    }

    bool recurs(const std::vector<std::int32_t>& workgroups, std::size_t prefix) {
        const nb::gil_scoped_release release;
        const std::scoped_lock lock(mutex_);
        return simulator_.recurs(workgroups, prefix);
    }

private:
    std::mutex mutex_;
    synth::Simulator simulator_;
};

}  // namespace

void bind_simulation(nb::module_& m) {
    nb::class_<SimulatorBinding>(m, "Simulator", "Launches of a test on a simulated scheduler.")
        .def(
            "__init__",
            [](SimulatorBinding* made, const synth::Lts& system, int instances, const nb::bytes& places,
               const std::pair<int, int>& slots, std::string_view order, int spread, int batch, int quantum,
               std::string_view pick, std::uint64_t seed, std::string_view fault) {
                new (made) SimulatorBinding(scheduler(slots, order, spread, batch, quantum, pick, seed, fault), system,
                                            {instances, unpacked<synth::Placement::Place>(places)});
            },
            nb::arg("system"), nb::arg("instances"), nb::arg("places"), nb::kw_only(), nb::arg("slots"), nb::arg("order"),
            nb::arg("spread"), nb::arg("batch"), nb::arg("quantum"), nb::arg("pick"), nb::arg("seed"), nb::arg("fault"), nb::keep_alive<1, 2>(),
            "`places` has two numbers of 4 bytes for each workgroup: the instance and the thread that it runs.")
        .def("run", &SimulatorBinding::run, nb::arg("launch"), nb::arg("take_events") = nb::none(), nb::arg("schedule") = nb::none(),
             nb::sig("def run(self, launch: int, take_events: Callable[[bytes], None] | None = None, "
                     "schedule: Sequence[int] | None = None) -> tuple[bool, int, int, int, bytes, bytes]"),
             "A launch by its number: whether it hung, its steps, its slots, the steps in a round of the schedule of a hang "
             "that recurrence decided (else 0), and for each instance the sets of threads that started and that finished, of "
             "4 bytes each. `take_events` takes the events, some at a time: kind (start, step, preempt, end), workgroup and "
             "slot, of 4 bytes each. It may not use this simulator. `schedule` has the workgroups that step, in place of "
             "those that a random pick draws.")
        .def("recurs", &SimulatorBinding::recurs, nb::arg("workgroups"), nb::arg("prefix"),
             "Whether the device, with all workgroups resident, is after these steps in the state in which it was before the "
             "step at place `prefix`.");
}

}  // namespace bindings
