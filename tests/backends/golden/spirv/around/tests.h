// The tests of this folder: the file of each shader, and what it launches.

#ifndef TESTS_H
#define TESTS_H

#include "litmus.h"

static void run_test(const struct litmus_test* test);

// id, name, mapping, threads, instances, workgroups that stress, words of memory, how to run it
static const struct litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "chunked", 3, 100, 4, 456, run_test},
};

static const char* const shaders[] = {
    "build/test-01100002-00_01012-10_0.spv",
};

#endif
