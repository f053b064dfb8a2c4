// Runs the kernels of this folder on a Metal device. README.md says how to build and use it.
//
// Apple's libraries don't work in a process that was forked and has not started a program since. So the child of
// litmus.h starts this program once more, as the one that speaks to the device, and passes on what that tells it.

#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include "tests.h"

static const char* program_file;
static const char* const unordered = "relaxed device";
static const char* const ordered = "relaxed device, seq_cst fences";

static NS::String* text_of(const char* file) {
    std::ifstream source(file);
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    if (!source) {
        litmus_fail("%s: can't be read", file);
    }
    return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

// From Metal 3.2 on, each access is between two fences; the driver chooses the newest language that it knows.
static const char* order_of_kernels() {
    MTL::CompileOptions* const usual = MTL::CompileOptions::alloc()->init();
    return static_cast<unsigned long>(usual->languageVersion()) >= (3UL << 16 | 2UL) ? ordered : unordered;
}

static const char* words_of(const NS::Error* error) {
    return error == nullptr ? "no reason given" : error->localizedDescription()->utf8String();
}

// Whether the system has taken the device away: it ends kernels that take some seconds, say.
static void check_loss(const NS::Error* error) {
    const long code = error == nullptr ? 0 : static_cast<long>(error->code());
    const char* const word = code == MTL::CommandBufferErrorTimeout         ? "MTLCommandBufferErrorTimeout"
                             : code == MTL::CommandBufferErrorAccessRevoked ? "MTLCommandBufferErrorAccessRevoked"
                             : code == MTL::CommandBufferErrorDeviceRemoved ? "MTLCommandBufferErrorDeviceRemoved"
                                                                            : nullptr;
    if (word != nullptr) {
        litmus_lose(word, "end of the launch");
    }
}

static MTL::Device* chosen_device() {
    NS::Array* const devices = MTL::CopyAllDevices();
    if (devices->count() == 0) {
        litmus_fail("found no Metal device");
    }
    if (litmus_device >= devices->count()) {
        litmus_fail("--device: found %u, expected a number below %u, which is how many there are", litmus_device,
                    static_cast<unsigned>(devices->count()));
    }
    return devices->object<MTL::Device>(litmus_device);
}

static MTL::ComputePipelineState* built_kernel(MTL::Device* device, const char* file, const char* name) {
    NS::Error* error = nullptr;
    MTL::Library* const library = device->newLibrary(text_of(file), nullptr, &error);
    if (library == nullptr) {
        litmus_fail("%s: can't be built: %s", file, words_of(error));
    }
    MTL::Function* const function = library->newFunction(NS::String::string(name, NS::UTF8StringEncoding));
    MTL::ComputePipelineState* const pipeline = device->newComputePipelineState(function, &error);
    if (pipeline == nullptr) {
        litmus_fail("%s: can't be built: %s", file, words_of(error));
    }
    return pipeline;
}

// Runs the launches of a test. Writes three lines, what the device says of itself, the order of accesses and how many
// threads a subgroup has, and after each launch the flags.
static void run_on_device(const litmus_test* test) {
    NS::AutoreleasePool* const pool = NS::AutoreleasePool::alloc()->init();
    const size_t memory_bytes = sizeof(unsigned) * test->words, flag_bytes = litmus_flag_bytes(test);
    MTL::Device* const device = chosen_device();
    MTL::CommandQueue* const queue = device->newCommandQueue();
    const auto& source = kernels[test - tests];
    MTL::ComputePipelineState* const kernel = built_kernel(device, source.file, source.name);
    MTL::Buffer* const memory = device->newBuffer(memory_bytes, MTL::ResourceStorageModeShared);
    MTL::Buffer* const flags = device->newBuffer(flag_bytes, MTL::ResourceStorageModeShared);
    puts(device->name()->utf8String());
    puts(order_of_kernels());
    printf("%u\n", static_cast<unsigned>(kernel->threadExecutionWidth()));
    fflush(stdout);
    for (unsigned launch = 0; launch < litmus_launches; ++launch) {
        memset(memory->contents(), 0, memory_bytes);
        memset(flags->contents(), 0, flag_bytes);
        static_cast<unsigned*>(flags->contents())[litmus_flag_count(test)] = litmus_first + launch;
        NS::AutoreleasePool* const of_launch = NS::AutoreleasePool::alloc()->init();
        MTL::CommandBuffer* const commands = queue->commandBuffer();
        MTL::ComputeCommandEncoder* const encoder = commands->computeCommandEncoder();
        encoder->setComputePipelineState(kernel);
        encoder->setBuffer(memory, 0, 0);
        encoder->setBuffer(flags, 0, 1);
        encoder->dispatchThreadgroups(MTL::Size(test->workgroups, 1, 1), MTL::Size(test->width, 1, 1));
        encoder->endEncoding();
        commands->commit();
        commands->waitUntilCompleted();
        if (commands->status() == MTL::CommandBufferStatusError) {
            check_loss(commands->error());
            litmus_fail("launch: %s", words_of(commands->error()));
        }
        of_launch->release();
        fwrite(flags->contents(), 1, flag_bytes, stdout);
        fflush(stdout);
    }
    pool->release();
}

// The process that speaks to the device, what it tells, and why it failed, if it did.
struct Speaker {
    pid_t process;
    FILE* told;
    int reason;
};

static Speaker started_again(const litmus_test* test) {
    int ends[2], reasons[2];
    if (pipe(ends) != 0 || pipe(reasons) != 0) {
        litmus_fail("no pipe: %s", strerror(errno));
    }
    const pid_t process = fork();
    if (process < 0) {
        litmus_fail("no process: %s", strerror(errno));
    }
    if (process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        const std::string number = std::to_string(test - tests), launches = std::to_string(litmus_launches),
                          device = std::to_string(litmus_device),
                          first = std::to_string(litmus_first + litmus_before), to_us = std::to_string(reasons[1]);
        execlp(program_file, program_file, "--on-device", number.c_str(), launches.c_str(), device.c_str(),
               first.c_str(), to_us.c_str(), nullptr);
        litmus_fail("%s: %s", program_file, strerror(errno));
    }
    close(ends[1]);
    close(reasons[1]);
    return {process, fdopen(ends[0], "r"), reasons[0]};
}

// Passes on why the process that speaks to the device has failed, and ends as it has ended: litmus.h says the rest.
static void end_like(const Speaker& speaker) {
    int status = 0;
    char told[LITMUS_LONGEST_REASON];
    while (waitpid(speaker.process, &status, 0) < 0 && errno == EINTR) {
    }
    const ssize_t size = read(speaker.reason, told, sizeof told);
    if (size > 0 && write(litmus_to_parent, told, static_cast<size_t>(size)) < 0) {
        perror(litmus_id);
    }
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

// Runs a test, in a process of its own.
static void run_test(const litmus_test* test) {
    char driver[LITMUS_LONGEST_DRIVER], order[LITMUS_LONGEST_DRIVER], subgroup[LITMUS_LONGEST_DRIVER];
    const Speaker speaker = started_again(test);
    if (fgets(driver, sizeof driver, speaker.told) == nullptr ||
        fgets(order, sizeof order, speaker.told) == nullptr ||
        fgets(subgroup, sizeof subgroup, speaker.told) == nullptr) {
        end_like(speaker);
    }
    driver[strcspn(driver, "\n")] = '\0';
    order[strcspn(order, "\n")] = '\0';
    litmus_told->order = strcmp(order, ordered) == 0 ? ordered : unordered;
    litmus_fact("name", "%s", driver);
    litmus_fact("api", "Metal");
    litmus_check_subgroup(test, static_cast<unsigned>(atoi(subgroup)));
    litmus_ready(driver);
    while (litmus_next(test)) {
        if (fread(litmus_flags, 1, litmus_flag_bytes(test), speaker.told) != litmus_flag_bytes(test)) {
            end_like(speaker);
        }
    }
}

int main(int argc, char** argv) {
    // target, release of synth, order and scope of accesses, whether flags can be read while a launch runs, stress
    static const litmus_program program = {"metal", "1.2.3", unordered, 0, "add:256:1:1024"};
    program_file = argv[0];
    if (argc == 7 && strcmp(argv[1], "--on-device") == 0) {
        const litmus_test* const test = &tests[atoi(argv[2])];
        litmus_id = test->id;
        litmus_launches = static_cast<unsigned>(atoi(argv[3]));
        litmus_device = static_cast<unsigned>(atoi(argv[4]));
        litmus_first = static_cast<unsigned>(atoi(argv[5]));
        litmus_to_parent = atoi(argv[6]);
        run_on_device(test);
        return 0;
    }
    return litmus_main(argc, argv, &program, tests, sizeof tests / sizeof tests[0]);
}
