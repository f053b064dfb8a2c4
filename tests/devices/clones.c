/* Clones a kernel while another thread sets an argument of it, as soon as the lock is free. The clone has the old one. */
#include <pthread.h>
static int set_again(pthread_mutex_t *lock);
#define pthread_mutex_unlock set_again
#include "launch_recorder.c"
#undef pthread_mutex_unlock

static int one, two, is_cloning;
#define KERNEL ((cl_kernel)&one)
#define CLONE ((cl_kernel)&two)

static int set_again(pthread_mutex_t *lock)
{
    int status = pthread_mutex_unlock(lock);
    if (is_cloning) {
        is_cloning = 0;
        set(KERNEL, 0, VALUE, 1, "b");
    }
    return status;
}

static cl_kernel CL_API_CALL cloned(cl_kernel kernel, cl_int *status)
{
    (void)kernel;
    *status = CL_SUCCESS;
    is_cloning = 1;
    return CLONE;
}

int main(void)
{
    cl_int status;
    below.clCloneKernel = cloned;
    set(KERNEL, 0, VALUE, 1, "a");
    clone(KERNEL, &status);
    printf("%c%c\n", arguments_of(CLONE, 1)->all[0].bytes[0], arguments_of(KERNEL, 1)->all[0].bytes[0]);
}
