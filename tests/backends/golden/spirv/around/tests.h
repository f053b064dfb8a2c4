// The tests of this folder: the file and the name of each kernel, and what it launches.

#ifndef TESTS_H
#define TESTS_H

#include "litmus.h"

static void run_test(const struct litmus_test* test);

// id, name, mapping, threads, instances, workgroups that stress, words of memory, how to run it
static const struct litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "chunked", 3, 100, 4, 456, run_test},
};

static const struct {
    const char* file;
    const char* name;
} kernels[] = {
    {"build/test-01100002-00_01012-10_0.spv", "main"},
};

#endif
