/* The functions that the host calls. Nothing looks at them, so they take any arguments.

   SYNTH_API is the prefix of the names: cuda or hip. */
#ifndef SYNTH_HOST_H
#define SYNTH_HOST_H
#define SYNTH_JOIN(one, other) SYNTH_JOINED(one, other)
#define SYNTH_JOINED(one, other) one##other
#define SYNTH_NAME(name) SYNTH_JOIN(SYNTH_API, name)

enum SYNTH_NAME(Error_t) {
    SYNTH_NAME(Success),
    SYNTH_NAME(ErrorInvalidValue),
    SYNTH_NAME(ErrorMemoryAllocation),
    SYNTH_NAME(ErrorNotReady),
    SYNTH_NAME(ErrorUnknown)
};
typedef SYNTH_NAME(Error_t) SYNTH_NAME(Error);
enum SYNTH_NAME(MemcpyKind) {
    SYNTH_NAME(MemcpyHostToHost),
    SYNTH_NAME(MemcpyHostToDevice),
    SYNTH_NAME(MemcpyDeviceToHost),
    SYNTH_NAME(MemcpyDeviceToDevice),
    SYNTH_NAME(MemcpyDefault)
};
enum SYNTH_NAME(Flag) {
    SYNTH_NAME(HostRegisterDefault),
    SYNTH_NAME(HostRegisterMapped),
    SYNTH_NAME(HostAllocDefault),
    SYNTH_NAME(HostAllocMapped),
    SYNTH_NAME(MemAttachGlobal),
    SYNTH_NAME(StreamNonBlocking),
    SYNTH_NAME(EventDefault),
    SYNTH_NAME(EventDisableTiming),
    SYNTH_NAME(EventBlockingSync),
    SYNTH_NAME(FuncAttributeMaxDynamicSharedMemorySize),
    SYNTH_NAME(DevAttrMultiProcessorCount)
};
typedef struct SYNTH_NAME(StreamOf) *SYNTH_NAME(Stream_t);
typedef struct SYNTH_NAME(EventOf) *SYNTH_NAME(Event_t);

/* What a launch becomes. */
extern "C" SYNTH_NAME(Error_t)
    cudaConfigureCall(dim3 groups, dim3 size, size_t shared = 0, SYNTH_NAME(Stream_t) stream = 0);

/* A launch by a kernel, which calls/cuda.py refuses. */
extern "C" __device__ void *cudaGetParameterBuffer(size_t, size_t);
extern "C" __device__ SYNTH_NAME(Error_t)
    cudaLaunchDevice(void *kernel, void *arguments, dim3 groups, dim3 size, unsigned shared, SYNTH_NAME(Stream_t) stream);

/* The sizes are those of no device. */
struct SYNTH_NAME(DeviceProp) {
    char name[256];
    int major, minor, warpSize, multiProcessorCount, maxThreadsPerBlock, maxThreadsPerMultiProcessor, regsPerBlock, clockRate;
    int maxThreadsDim[3], maxGridSize[3], cooperativeLaunch, concurrentKernels, managedMemory, l2CacheSize;
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;
};
typedef SYNTH_NAME(DeviceProp) SYNTH_NAME(DeviceProp_t);

#define SYNTH_CALL(name) \
    template <class... Any> SYNTH_NAME(Error_t) SYNTH_NAME(name)(Any &&...) { return SYNTH_NAME(Success); }
SYNTH_CALL(Malloc)
SYNTH_CALL(MallocHost)
SYNTH_CALL(MallocManaged)
SYNTH_CALL(MallocPitch)
SYNTH_CALL(MallocAsync)
SYNTH_CALL(HostMalloc)
SYNTH_CALL(HostAlloc)
SYNTH_CALL(HostFree)
SYNTH_CALL(HostRegister)
SYNTH_CALL(HostUnregister)
SYNTH_CALL(HostGetDevicePointer)
SYNTH_CALL(Free)
SYNTH_CALL(FreeHost)
SYNTH_CALL(FreeAsync)
SYNTH_CALL(Memcpy)
SYNTH_CALL(Memcpy2D)
SYNTH_CALL(MemcpyAsync)
SYNTH_CALL(MemcpyToSymbol)
SYNTH_CALL(MemcpyFromSymbol)
SYNTH_CALL(Memset)
SYNTH_CALL(MemsetAsync)
SYNTH_CALL(GetLastError)
SYNTH_CALL(PeekAtLastError)
SYNTH_CALL(DeviceSynchronize)
SYNTH_CALL(DeviceReset)
SYNTH_CALL(ThreadSynchronize)
SYNTH_CALL(SetDevice)
SYNTH_CALL(GetDevice)
SYNTH_CALL(GetDeviceCount)
SYNTH_CALL(GetDeviceProperties)
SYNTH_CALL(DeviceGetAttribute)
SYNTH_CALL(DriverGetVersion)
SYNTH_CALL(RuntimeGetVersion)
SYNTH_CALL(StreamCreate)
SYNTH_CALL(StreamDestroy)
SYNTH_CALL(StreamSynchronize)
SYNTH_CALL(EventCreate)
SYNTH_CALL(EventCreateWithFlags)
SYNTH_CALL(EventDestroy)
SYNTH_CALL(EventQuery)
SYNTH_CALL(StreamCreateWithFlags)
SYNTH_CALL(StreamWaitEvent)
SYNTH_CALL(StreamQuery)
SYNTH_CALL(MemcpyToSymbolAsync)
SYNTH_CALL(MemcpyFromSymbolAsync)
SYNTH_CALL(GetSymbolAddress)
SYNTH_CALL(MemPrefetchAsync)
SYNTH_CALL(MemAdvise)
SYNTH_CALL(MemGetInfo)
SYNTH_CALL(Memset2D)
SYNTH_CALL(FuncSetCacheConfig)
SYNTH_CALL(DeviceSetCacheConfig)
SYNTH_CALL(DeviceSetLimit)
SYNTH_CALL(ThreadExit)
SYNTH_CALL(EventRecord)
SYNTH_CALL(EventSynchronize)
SYNTH_CALL(EventElapsedTime)
SYNTH_CALL(FuncSetAttribute)
SYNTH_CALL(FuncGetAttributes)
SYNTH_CALL(LaunchKernel)
SYNTH_CALL(LaunchCooperativeKernel)
SYNTH_CALL(OccupancyMaxActiveBlocksPerMultiprocessor)
SYNTH_CALL(OccupancyMaxPotentialBlockSize)
#undef SYNTH_CALL
const char *SYNTH_NAME(GetErrorString)(SYNTH_NAME(Error_t));
const char *SYNTH_NAME(GetErrorName)(SYNTH_NAME(Error_t));
#endif
