// The tests of this folder: the file and the name of each kernel, and what it launches.

#ifndef TESTS_H
#define TESTS_H

#include "litmus.h"

static void run_test(const struct litmus_test* test);

// id, name, mapping, threads, instances, workgroups that stress, all workgroups, threads of a workgroup, how many of
// these two threads of the test are apart, words of memory, how to run it; and the verdicts under which it must
// terminate, and under which it may hang. The last is the canary.
static const struct litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "chunked", 3, 100, 4, 304, 1, 0, 456, run_test,
     "OBE.weak OBE.strong LOBE.weak LOBE.strong HSA+OBE.weak HSA+OBE.strong fair.weak fair.strong",
     "unfair HSA.weak HSA.strong"},
    {"0011", "canary", "plain", 1, 1, 0, 1, 1, 0, 1, run_test, "", ""},
};

static const struct {
    const char* file;
    const char* name;
} kernels[] = {
    {"test-01100002-00_01012-10_0.metal", "run"},
    {"canary.metal", "run"},
};

#endif
