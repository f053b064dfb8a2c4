/* Writes down the launches of kernels of a program, as a layer of the OpenCL loader.
 *
 * The loader of OpenCL puts each library that the variable OPENCL_LAYERS names between a program and its drivers. So
 * this works however the program finds OpenCL. The layer passes all calls on. For each launch, it adds a line of JSON to
 * launches.jsonl in the folder SYNTH_RECORD, and writes the source of the program beside it, once for each source.
 *
 * Programs are built with -cl-kernel-arg-info, so that the driver knows the names of parameters.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { UNSET, VALUE, BUFFER, LOCAL, POINTER, OTHER };
static const char *const KINDS[] = {"unset", "value", "buffer", "local", "pointer", "other"};

/* What an argument is, and its size: that of a value, a buffer or local memory. Only values have bytes. */
struct argument {
    enum kind kind;
    size_t size;
    unsigned char *bytes;
};

struct arguments {
    cl_kernel kernel;
    cl_uint count;
    struct argument *all;
    struct arguments *next;
};

static cl_icd_dispatch below, here;
static struct arguments *kernels;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;

/* Text that grows. It is empty and stays so when memory is short. */
struct text {
    char *at;
    size_t length, room;
};

static void put(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        size_t room = 2 * (text->length + length + 1);
        char *at = realloc(text->at, room);
        if (at == NULL)
            return;
        text->at = at;
        text->room = room;
    }
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
    text->at[text->length] = '\0';
}

static void print(struct text *text, const char *form, ...)
{
    char words[128];
    va_list values;
    va_start(values, form);
    int length = vsnprintf(words, sizeof words, form, values);
    va_end(values);
    if (length > 0)
        put(text, words, (size_t)length);
}

static void put_string(struct text *text, const char *string)
{
    put(text, "\"", 1);
    for (; *string != '\0'; string++) {
        unsigned char letter = (unsigned char)*string;
        if (letter == '"' || letter == '\\')
            print(text, "\\%c", letter);
        else if (letter < ' ' || letter == 127)
            print(text, "\\u%04x", letter);
        else
            put(text, string, 1);
    }
    put(text, "\"", 1);
}

static void put_sizes(struct text *text, const char *key, cl_uint count, const size_t *sizes)
{
    print(text, ",\"%s\":", key);
    if (sizes == NULL) {
        print(text, "null");
        return;
    }
    for (cl_uint i = 0; i < count; i++)
        print(text, "%c%zu", i == 0 ? '[' : ',', sizes[i]);
    print(text, "]");
}

/* Returns the arguments of a kernel, with room for at least `count` of them; NULL when memory is short. */
static struct arguments *arguments_of(cl_kernel kernel, cl_uint count)
{
    struct arguments *found = kernels;
    while (found != NULL && found->kernel != kernel)
        found = found->next;
    if (found == NULL) {
        found = calloc(1, sizeof *found);
        if (found == NULL)
            return NULL;
        found->kernel = kernel;
        found->next = kernels;
        kernels = found;
    }
    if (count > found->count) {
        struct argument *all = realloc(found->all, count * sizeof *all);
        if (all == NULL)
            return NULL;
        memset(all + found->count, 0, (count - found->count) * sizeof *all);
        found->all = all;
        found->count = count;
    }
    return found;
}

/* Keeps an argument. The caller holds the lock. */
static void keep(cl_kernel kernel, cl_uint index, enum kind kind, size_t size, const void *bytes)
{
    struct arguments *arguments = arguments_of(kernel, index + 1);
    if (arguments != NULL) {
        struct argument *argument = &arguments->all[index];
        free(argument->bytes);
        argument->bytes = bytes == NULL ? NULL : malloc(size);
        if (argument->bytes != NULL)
            memcpy(argument->bytes, bytes, size);
        argument->kind = kind;
        argument->size = size;
    }
}

static void set(cl_kernel kernel, cl_uint index, enum kind kind, size_t size, const void *bytes)
{
    pthread_mutex_lock(&lock);
    keep(kernel, index, kind, size, bytes);
    pthread_mutex_unlock(&lock);
}

/* Returns what a parameter is by its declaration. A sampler and a queue are handles, of which the bytes say nothing. */
static enum kind kind_of(cl_kernel kernel, cl_uint index)
{
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    below.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return LOCAL;
    if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
        return BUFFER;
    char type[64] = "";
    below.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
    return strcmp(type, "sampler_t") == 0 || strcmp(type, "queue_t") == 0 ? OTHER : VALUE;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_int status = below.clSetKernelArg(kernel, index, size, value);
    if (status != CL_SUCCESS)
        return status;
    enum kind kind = kind_of(kernel, index);
    if (kind == BUFFER) {
        cl_mem buffer = value == NULL ? NULL : *(const cl_mem *)value;
        size = 0;
        if (buffer != NULL)
            below.clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    }
    set(kernel, index, kind, size, kind == VALUE ? value : NULL);
    return status;
}

static cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    cl_int status = below.clSetKernelArgSVMPointer(kernel, index, pointer);
    if (status == CL_SUCCESS)
        set(kernel, index, POINTER, 0, NULL);
    return status;
}

static cl_kernel CL_API_CALL clone(cl_kernel kernel, cl_int *status)
{
    cl_kernel other = below.clCloneKernel(kernel, status);
    if (other == NULL)
        return other;
    pthread_mutex_lock(&lock);
    struct arguments *from = arguments_of(kernel, 0);
    cl_uint count = from == NULL ? 0 : from->count;
    for (cl_uint i = 0; i < count; i++)
        keep(other, i, from->all[i].kind, from->all[i].size, from->all[i].bytes);
    pthread_mutex_unlock(&lock);
    return other;
}

/* Returns options with one more, or NULL when memory is short. */
static char *with_names(const char *options)
{
    const char *more = " -cl-kernel-arg-info";
    char *all = malloc(strlen(options == NULL ? "" : options) + strlen(more) + 1);
    if (all != NULL)
        strcat(strcpy(all, options == NULL ? "" : options), more);
    return all;
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                void(CL_CALLBACK *done)(cl_program, void *), void *data)
{
    char *all = with_names(options);
    cl_int status = below.clBuildProgram(program, count, devices, all == NULL ? options : all, done, data);
    free(all);
    return status;
}

static cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                  cl_uint headers, const cl_program *header, const char **names,
                                  void(CL_CALLBACK *done)(cl_program, void *), void *data)
{
    char *all = with_names(options);
    cl_int status = below.clCompileProgram(program, count, devices, all == NULL ? options : all, headers, header, names,
                                           done, data);
    free(all);
    return status;
}

/* Writes a source, and puts the name of its file into `name`. The name comes from the text (FNV-1a, 64 bits). */
static int keep_source(const char *source, char *name, size_t room)
{
    uint64_t digest = 14695981039346656037u;
    for (const char *letter = source; *letter != '\0'; letter++)
        digest = (digest ^ (unsigned char)*letter) * 1099511628211u;
    snprintf(name, room, "program-%016llx.cl", (unsigned long long)digest);
    struct text path = {0};
    put(&path, folder, strlen(folder));
    put(&path, "/", 1);
    put(&path, name, strlen(name));
    FILE *file = path.at == NULL ? NULL : fopen(path.at, "w");
    free(path.at);
    if (file == NULL)
        return 0;
    fputs(source, file);
    return fclose(file) == 0;
}

static void put_source(struct text *line, cl_kernel kernel, cl_device_id device)
{
    cl_program program = NULL;
    size_t size = 0;
    char *source = NULL, *options = NULL, name[64];
    below.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    below.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size);
    if (size > 1 && (source = calloc(size + 1, 1)) != NULL)
        below.clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL);
    print(line, ",\"source\":");
    if (source != NULL && keep_source(source, name, sizeof name))
        put_string(line, name);
    else
        print(line, "null");
    size = 0;
    below.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &size);
    if (size > 0 && (options = calloc(size + 1, 1)) != NULL)
        below.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, options, NULL);
    print(line, ",\"options\":");
    put_string(line, options == NULL ? "" : options);
    free(source);
    free(options);
}

static void put_argument(struct text *line, cl_kernel kernel, cl_uint index, const struct argument *argument)
{
    char name[256] = "";
    below.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
    print(line, "%s{\"name\":", index == 0 ? "" : ",");
    put_string(line, name);
    print(line, ",\"kind\":\"%s\"", KINDS[argument->kind]);
    if (argument->kind == VALUE) {
        print(line, ",\"value\":\"");
        for (size_t i = 0; argument->bytes != NULL && i < argument->size; i++)
            print(line, "%02x", argument->bytes[i]);
        print(line, "\"");
    } else if (argument->kind == BUFFER || argument->kind == LOCAL)
        print(line, ",\"bytes\":%zu", argument->size);
    print(line, "}");
}

static void record(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                   const size_t *global, const size_t *local)
{
    struct text line = {0};
    char name[256] = "", cwd[4096] = "";
    cl_uint count = 0, bits = 0;
    cl_device_id device = NULL;
    below.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    below.clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL);
    below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    below.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    pthread_mutex_lock(&lock);
    print(&line, "{\"kernel\":");
    put_string(&line, name);
    put_source(&line, kernel, device);
    print(&line, ",\"folder\":");
    put_string(&line, getcwd(cwd, sizeof cwd) == NULL ? "" : cwd);
    if (bits == 32 || bits == 64)
        print(&line, ",\"pointer_bits\":%u", bits);
    put_sizes(&line, "local_size", dimensions, local);
    put_sizes(&line, "global_size", dimensions, global);
    if (offset != NULL)
        put_sizes(&line, "global_offset", dimensions, offset);
    print(&line, ",\"arguments\":[");
    struct arguments *arguments = arguments_of(kernel, count);
    for (cl_uint i = 0; arguments != NULL && i < count; i++)
        put_argument(&line, kernel, i, &arguments->all[i]);
    print(&line, "]}\n");
    struct text path = {0};
    put(&path, folder, strlen(folder));
    put(&path, "/launches.jsonl", 15);
    FILE *file = path.at == NULL ? NULL : fopen(path.at, "a");
    if (file == NULL || line.at == NULL || fwrite(line.at, 1, line.length, file) != line.length)
        fprintf(stderr, "synth: a launch was not recorded: %s can't be written\n", path.at == NULL ? "" : path.at);
    if (file != NULL)
        fclose(file);
    free(path.at);
    free(line.at);
    pthread_mutex_unlock(&lock);
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                 cl_event *event)
{
    cl_int status =
        below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, wait, event);
    if (status == CL_SUCCESS && global != NULL)
        record(queue, kernel, dimensions, offset, global, local);
    return status;
}

static cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *wait,
                                      cl_event *event)
{
    const size_t one = 1;
    cl_int status = below.clEnqueueTask(queue, kernel, waits, wait, event);
    if (status == CL_SUCCESS)
        record(queue, kernel, 1, NULL, &one, &one);
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *needed)
{
    const char words[] = "synth: records launches";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = name == CL_LAYER_NAME ? (const void *)words : (const void *)&version;
    size_t length = name == CL_LAYER_NAME ? sizeof words : sizeof version;
    if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
        return CL_INVALID_VALUE;
    if (value != NULL && size < length)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, from, length);
    if (needed != NULL)
        *needed = length;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *own_entries,
                                            const cl_icd_dispatch **own)
{
    const cl_uint known = sizeof here / sizeof here.clGetPlatformIDs;
    folder = getenv("SYNTH_RECORD");
    if (target == NULL || own_entries == NULL || own == NULL || entries < known || folder == NULL)
        return CL_INVALID_VALUE;
    below = *target;
    here = *target;
    here.clSetKernelArg = set_argument;
    here.clSetKernelArgSVMPointer = set_pointer;
    here.clCloneKernel = clone;
    here.clBuildProgram = build;
    here.clCompileProgram = compile;
    here.clEnqueueNDRangeKernel = launch;
    here.clEnqueueTask = launch_task;
    *own_entries = known;
    *own = &here;
    return CL_SUCCESS;
}
