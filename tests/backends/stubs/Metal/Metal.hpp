// Stands in for Apple's metal-cpp where a C++ compiler reads a host: what it uses of Metal, declared.

#pragma once

#include <Foundation/Foundation.hpp>

namespace MTL {

enum ResourceOptions : NS::UInteger { ResourceStorageModeShared = 0 };
enum CommandBufferStatus : NS::UInteger { CommandBufferStatusCompleted = 4, CommandBufferStatusError = 5 };

enum CommandBufferError : NS::UInteger {
    CommandBufferErrorTimeout = 2,
    CommandBufferErrorAccessRevoked = 4,
    CommandBufferErrorDeviceRemoved = 11
};
enum LanguageVersion : NS::UInteger { LanguageVersion3_1 = 196609 };

struct Size {
    Size(NS::UInteger width, NS::UInteger height, NS::UInteger depth);
};

struct Function;
struct CompileOptions {
    static CompileOptions* alloc();
    CompileOptions* init();
    LanguageVersion languageVersion() const;
};
struct ComputePipelineState {
    NS::UInteger threadExecutionWidth() const;
};

struct Library {
    Function* newFunction(const NS::String* name);
};

struct Buffer {
    void* contents();
};

struct ComputeCommandEncoder {
    void setComputePipelineState(const ComputePipelineState* state);
    void setBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
    void dispatchThreadgroups(Size threadgroups, Size threads);
    void endEncoding();
};

struct CommandBuffer {
    ComputeCommandEncoder* computeCommandEncoder();
    void commit();
    void waitUntilCompleted();
    CommandBufferStatus status() const;
    NS::Error* error() const;
};

struct CommandQueue {
    CommandBuffer* commandBuffer();
};

struct Device {
    NS::String* name() const;
    CommandQueue* newCommandQueue();
    Buffer* newBuffer(NS::UInteger length, ResourceOptions options);
    Library* newLibrary(const NS::String* source, const CompileOptions* options, NS::Error** error);
    ComputePipelineState* newComputePipelineState(const Function* function, NS::Error** error);
};

NS::Array* CopyAllDevices();

}  // namespace MTL
