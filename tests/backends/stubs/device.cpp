// A device of Metal that is made here, so that a host can be run: what the stand-ins for Apple's headers declare.
//
// The environment says in DEVICE what comes of an iteration: all threads have finished, or the device fails, or dies,
// or leaves all loops early and then hangs; or that there is none. A pool must be released before it holds the commands of two iterations.

#include <Metal/Metal.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

static int pools = 0;
static int commands_in_pool = 0;
static int iterations = 0;
static MTL::Buffer* flags;
static size_t flag_count;

// What has no members is told apart by nothing.
template <typename Object>
static Object* some() {
    return static_cast<Object*>(std::malloc(1));
}

NS::String* NS::String::string(const char* text, StringEncoding) {
    return reinterpret_cast<String*>(const_cast<char*>((new std::string(text))->c_str()));
}
const char* NS::String::utf8String() const {
    return reinterpret_cast<const char*>(this);
}
NS::String* NS::Error::localizedDescription() const {
    return NS::String::string("broken", UTF8StringEncoding);
}
NS::Integer NS::Error::code() const {
    return std::getenv("DEVICE") == std::string("is-taken-away") ? MTL::CommandBufferErrorTimeout : 1;
}
NS::UInteger NS::Array::count() const {
    return std::string(std::getenv("DEVICE")) == "none" ? 0 : 1;
}
template <>
MTL::Device* NS::Array::object<MTL::Device>(UInteger) const {
    return some<MTL::Device>();
}
NS::AutoreleasePool* NS::AutoreleasePool::alloc() {
    return some<AutoreleasePool>();
}
NS::AutoreleasePool* NS::AutoreleasePool::init() {
    ++pools;
    return this;
}
void NS::AutoreleasePool::release() {
    --pools;
    commands_in_pool = 0;
}

NS::UInteger MTL::ComputePipelineState::threadExecutionWidth() const {
    return 32;
}
MTL::CompileOptions* MTL::CompileOptions::alloc() {
    return some<CompileOptions>();
}
MTL::CompileOptions* MTL::CompileOptions::init() {
    return this;
}
MTL::LanguageVersion MTL::CompileOptions::languageVersion() const {
    return LanguageVersion3_1;
}

NS::Array* MTL::CopyAllDevices() {
    return some<NS::Array>();
}
NS::String* MTL::Device::name() const {
    return NS::String::string("made here", NS::UTF8StringEncoding);
}
MTL::CommandQueue* MTL::Device::newCommandQueue() {
    return some<CommandQueue>();
}
MTL::Library* MTL::Device::newLibrary(const NS::String*, const CompileOptions*, NS::Error**) {
    return some<Library>();
}
MTL::Function* MTL::Library::newFunction(const NS::String*) {
    return reinterpret_cast<Function*>(some<char>());
}
MTL::ComputePipelineState* MTL::Device::newComputePipelineState(const Function*, NS::Error**) {
    return reinterpret_cast<ComputePipelineState*>(some<char>());
}
MTL::Buffer* MTL::Device::newBuffer(NS::UInteger length, ResourceOptions) {
    flags = static_cast<Buffer*>(std::malloc(length));  // which a host makes last
    flag_count = length / sizeof(unsigned);
    return flags;
}
void* MTL::Buffer::contents() {
    return this;
}

MTL::Size::Size(NS::UInteger, NS::UInteger, NS::UInteger) {}
MTL::CommandBuffer* MTL::CommandQueue::commandBuffer() {
    if (pools == 0 || ++commands_in_pool > 1) {
        std::fputs("the commands of an iteration are never freed\n", stderr);
        std::exit(3);
    }
    return some<CommandBuffer>();
}
MTL::ComputeCommandEncoder* MTL::CommandBuffer::computeCommandEncoder() {
    return some<ComputeCommandEncoder>();
}
void MTL::ComputeCommandEncoder::setComputePipelineState(const ComputePipelineState*) {}
void MTL::ComputeCommandEncoder::setBuffer(const Buffer*, NS::UInteger, NS::UInteger) {}
void MTL::ComputeCommandEncoder::dispatchThreadgroups(Size, Size) {}
void MTL::ComputeCommandEncoder::endEncoding() {}
void MTL::CommandBuffer::commit() {}
void MTL::CommandBuffer::waitUntilCompleted() {
    const std::string device = std::getenv("DEVICE");
    ++iterations;
    if (device == "dies") {
        std::abort();
    }
    while (device == "leaves" && iterations > 1) {
        pause();
    }
    for (size_t k = 0; k < flag_count; ++k) {
        static_cast<unsigned*>(flags->contents())[k] = device == "leaves" ? 1 : 2;
    }
}
MTL::CommandBufferStatus MTL::CommandBuffer::status() const {
    const std::string device = std::getenv("DEVICE");
    return device == "fails" || device == "is-taken-away" ? CommandBufferStatusError : CommandBufferStatusCompleted;
}
NS::Error* MTL::CommandBuffer::error() const {
    return some<NS::Error>();
}
