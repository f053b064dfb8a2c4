// Progress litmus test "mutex of Figure 2"
// id 01100002-01100002
//
// THREAD 0
// 0: if (Exch(Mem[0],1) == 1) goto 0;
// 1: Mem[0] = 0;
//
// THREAD 1
// 0: if (Exch(Mem[0],1) == 1) goto 0;
// 1: Mem[0] = 0;
//
// Must terminate under: OBE.weak, OBE.strong, LOBE.weak, LOBE.strong, HSA+OBE.weak, HSA+OBE.strong,
//     fair.weak, fair.strong.
// May run for ever under: unfair, HSA.weak, HSA.strong.
//
// Target cpp, mapping plain: one std::jthread a thread. Every access to memory is a sequentially
// consistent atomic read-modify-write. README.md says how to build, run and read this.

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace {

constexpr const char* id = "01100002-01100002";
constexpr const char* name = "mutex of Figure 2";
constexpr unsigned threads = 2;
constexpr unsigned stopped = ~0U;  // what the last step of a thread returns

std::array<std::atomic<unsigned>, 1> memory;

std::mutex watch;
std::condition_variable finished_changed;
std::array<bool, threads> finished;  // guarded by watch

void finish(unsigned thread) {
    const std::lock_guard lock{watch};
    finished[thread] = true;
    finished_changed.notify_one();
}

// One step of thread 0 at location pc; returns the location it goes to.
unsigned step_0(unsigned pc) {
    switch (pc) {
    case 0:  // if (Exch(Mem[0],1) == 1) goto 0;
        return memory[0].exchange(1) == 1 ? 0 : 1;
    case 1:  // Mem[0] = 0;
        memory[0].exchange(0);
        return 2;
    default:  // END
        finish(0);
        return stopped;
    }
}

// One step of thread 1 at location pc; returns the location it goes to.
unsigned step_1(unsigned pc) {
    switch (pc) {
    case 0:  // if (Exch(Mem[0],1) == 1) goto 0;
        return memory[0].exchange(1) == 1 ? 0 : 1;
    case 1:  // Mem[0] = 0;
        memory[0].exchange(0);
        return 2;
    default:  // END
        finish(1);
        return stopped;
    }
}

constexpr std::array steps{step_0, step_1};

// No barrier comes before the first step: that a thread need not have started is part of the test.
void run(unsigned thread) {
    unsigned pc = 0;
    while (pc != stopped) {
        pc = steps[thread](pc);
    }
}

struct Options {
    unsigned iterations = 20;
    unsigned timeout = 2;  // seconds, for each iteration
};

Options read_options(int count, char** words) {
    Options options;
    for (int k = 1; k < count; k += 2) {
        const std::string_view option = words[k];
        if (option == "--help") {
            std::printf("Usage: %s [--iterations N] [--timeout SECONDS]\n"
                        "Runs one progress litmus test N times (%u) and prints a result line.\n"
                        "An iteration that takes more than SECONDS (%u) counts as hung and is the last.\n",
                        words[0], Options{}.iterations, Options{}.timeout);
            std::exit(0);
        }
        if (option != "--iterations" && option != "--timeout") {
            std::fprintf(stderr, "found %s, expected --iterations, --timeout or --help\n", words[k]);
            std::exit(2);
        }
        const std::string_view number = k + 1 < count ? words[k + 1] : "";
        unsigned& value = option == "--timeout" ? options.timeout : options.iterations;
        const char* const end = number.data() + number.size();
        const auto [read, error] = std::from_chars(number.data(), end, value);
        if (error != std::errc{} || read != end || value < 1 || value > 1'000'000) {
            std::fprintf(stderr, "%s: found '%s', expected a number from 1 to 1000000\n", words[k], number.data());
            std::exit(2);
        }
    }
    return options;
}

// Prints the result line. The caller holds watch, or no thread is running.
void report(const Options& options, const char* result, unsigned iteration) {
    std::printf(R"({"id":"%s","name":"%s","target":"cpp","mapping":"plain",)"
                R"("iterations":%u,"timeout_s":%u,"result":"%s","iteration":%u,"finished":[)",
                id, name, options.iterations, options.timeout, result, iteration);
    for (unsigned thread = 0; thread < threads; ++thread) {
        std::printf("%s%s", thread == 0 ? "" : ",", finished[thread] ? "true" : "false");
    }
    std::puts("]}");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    for (unsigned iteration = 1; iteration <= options.iterations; ++iteration) {
        for (auto& location : memory) {
            location = 0;
        }
        finished.fill(false);

        std::vector<std::jthread> running;
        for (unsigned thread = 0; thread < threads; ++thread) {
            try {
                running.emplace_back(run, thread);
            } catch (const std::system_error& error) {
                std::fprintf(stderr, "thread %u can't be started: %s\n", thread, error.what());
                std::_Exit(3);  // the threads that wait for this one can't be joined
            }
        }

        std::unique_lock lock{watch};
        const auto all_finished = [] { return std::ranges::find(finished, false) == finished.end(); };
        if (!finished_changed.wait_for(lock, std::chrono::seconds{options.timeout}, all_finished)) {
            report(options, "hung", iteration);
            std::_Exit(0);  // hung threads can't be joined
        }
    }
    report(options, "terminated", options.iterations);
    return 0;
}
