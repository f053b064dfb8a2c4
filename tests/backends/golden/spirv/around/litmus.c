// Runs the shaders of this folder on a Vulkan 1.1 device. README.md says how to build and use it.

enum { MOST_DEVICES = 64, MOST_FAMILIES = 64, BUFFERS = 2, ANY_FAMILY = MOST_FAMILIES };
static unsigned family = ANY_FAMILY;  // of queues: the first that runs compute shaders, unless one is chosen
#define LITMUS_FURTHER_OPTIONS {"--queue-family", &family, 0, MOST_FAMILIES - 1},

#include "tests.h"

#include <vulkan/vulkan.h>

static const uint64_t look_every = 20000000;  // nanoseconds: how often the flags are read while shaders run

static VkPhysicalDevice physical;
static VkDevice device;

static void check(VkResult code, const char* what) {
    if (code == VK_ERROR_DEVICE_LOST) {
        litmus_lose("VK_ERROR_DEVICE_LOST", what);
    }
    if (code != VK_SUCCESS) {
        litmus_fail("%s: Vulkan error %d", what, (int)code);
    }
}

static void choose_device(void) {
    const VkApplicationInfo program = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo wanted = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &program};
    VkInstance instance;
    VkPhysicalDevice devices[MOST_DEVICES];
    uint32_t count = MOST_DEVICES;
    VkResult code = vkCreateInstance(&wanted, NULL, &instance);
    if (code == VK_ERROR_INCOMPATIBLE_DRIVER) {
        litmus_fail("found no Vulkan driver");
    }
    check(code, "instance");
    code = vkEnumeratePhysicalDevices(instance, &count, devices);
    check(code == VK_INCOMPLETE ? VK_SUCCESS : code, "devices");
    if (count == 0) {
        litmus_fail("found no Vulkan device");
    }
    if (litmus_device >= count) {
        litmus_fail("--device: found %u, expected a number below %u, which is how many there are", litmus_device,
                    count);
    }
    physical = devices[litmus_device];
}

// A test with larger workgroups than the device has can't be run.
static void check_width(unsigned width) {
    VkPhysicalDeviceProperties found;
    vkGetPhysicalDeviceProperties(physical, &found);
    const uint32_t in_all = found.limits.maxComputeWorkGroupInvocations;
    const uint32_t in_row = found.limits.maxComputeWorkGroupSize[0];
    const uint32_t most = in_all < in_row ? in_all : in_row;
    if (width > most) {
        litmus_fail("width: found %u threads a workgroup, expected at most %u on this device", width, most);
    }
}

static void open_device(void) {
    const float priority = 1;
    VkQueueFamilyProperties families[MOST_FAMILIES];
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);  // SwiftShader says only so how many there are
    count = count < MOST_FAMILIES ? count : MOST_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    const int is_chosen = family != ANY_FAMILY;
    family = is_chosen ? family : 0;
    while (!is_chosen && family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        ++family;
    }
    if (is_chosen && (family >= count || !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))) {
        litmus_fail("--queue-family: found %u, expected one of %u that runs compute shaders, counted from 0", family,
                    count);
    }
    if (family == count) {
        litmus_fail("--device: found %u, which runs no compute shaders", litmus_device);
    }
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    check(vkCreateDevice(physical, &wanted, NULL, &device), "device");
}

// The first kind of memory among `kinds` that has these properties; those that suit a device best come first.
static uint32_t memory_kind(uint32_t kinds, VkMemoryPropertyFlags properties) {
    VkPhysicalDeviceMemoryProperties all;
    vkGetPhysicalDeviceMemoryProperties(physical, &all);
    for (uint32_t kind = 0; kind < all.memoryTypeCount; ++kind) {
        if ((kinds >> kind & 1) && (all.memoryTypes[kind].propertyFlags & properties) == properties) {
            return kind;
        }
    }
    litmus_fail("memory: found none that has the properties %u", properties);
    return 0;
}

static VkBuffer new_buffer(VkDeviceSize bytes, VkMemoryPropertyFlags properties, VkDeviceMemory* memory) {
    VkBuffer buffer;
    VkMemoryRequirements needed;
    const VkBufferCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    check(vkCreateBuffer(device, &wanted, NULL, &buffer), "buffer");
    vkGetBufferMemoryRequirements(device, buffer, &needed);
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needed.size,
                                             .memoryTypeIndex = memory_kind(needed.memoryTypeBits, properties)};
    check(vkAllocateMemory(device, &allocation, NULL, memory), "memory");
    check(vkBindBufferMemory(device, buffer, *memory, 0), "memory");
    return buffer;
}

static VkShaderModule shader_of(const char* file) {
    FILE* const source = fopen(file, "rb");
    if (source == NULL || fseek(source, 0, SEEK_END) != 0) {
        litmus_fail("%s: %s", file, strerror(errno));
    }
    const long size = ftell(source);
    uint32_t* const code = (uint32_t*)malloc(size > 0 ? (size_t)size : 1);
    rewind(source);
    if (code == NULL || fread(code, 1, (size_t)size, source) != (size_t)size) {
        litmus_fail("%s: can't be read", file);
    }
    fclose(source);
    VkShaderModule module;
    const VkShaderModuleCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = (size_t)size, .pCode = code};
    check(vkCreateShaderModule(device, &wanted, NULL, &module), file);
    free(code);
    return module;
}

static VkPipeline new_pipeline(const char* file, const char* name, VkDescriptorSetLayout set,
                               VkPipelineLayout* layout) {
    VkPipeline pipeline;
    const VkPipelineLayoutCreateInfo of_set = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set};
    check(vkCreatePipelineLayout(device, &of_set, NULL, layout), "pipeline layout");
    const VkComputePipelineCreateInfo wanted = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_of(file),
                  .pName = name},
        .layout = *layout,
    };
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &wanted, NULL, &pipeline), file);
    return pipeline;
}

static VkDescriptorSetLayout new_set_layout(void) {
    VkDescriptorSetLayout layout;
    VkDescriptorSetLayoutBinding bindings[BUFFERS] = {0};
    for (uint32_t k = 0; k < BUFFERS; ++k) {
        bindings[k].binding = k;
        bindings[k].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        bindings[k].descriptorCount = 1;
        bindings[k].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    const VkDescriptorSetLayoutCreateInfo wanted = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = BUFFERS,
                                                    .pBindings = bindings};
    check(vkCreateDescriptorSetLayout(device, &wanted, NULL, &layout), "descriptor set layout");
    return layout;
}

static VkDescriptorSet new_set(VkDescriptorSetLayout layout, const VkBuffer* buffers) {
    VkDescriptorPool pool;
    VkDescriptorSet set;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS};
    const VkDescriptorPoolCreateInfo of_one = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = 1,
                                               .poolSizeCount = 1,
                                               .pPoolSizes = &size};
    check(vkCreateDescriptorPool(device, &of_one, NULL, &pool), "descriptor pool");
    const VkDescriptorSetAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &layout};
    check(vkAllocateDescriptorSets(device, &wanted, &set), "descriptor set");
    for (uint32_t k = 0; k < BUFFERS; ++k) {
        const VkDescriptorBufferInfo whole = {buffers[k], 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = k,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &whole};
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }
    return set;
}

static void record_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                           VkPipelineStageFlags to, VkAccessFlags read) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = read};
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

// What an iteration does: set the memory to 0, launch the workgroups, and let the host see what they wrote.
static VkCommandBuffer recorded(const struct litmus_test* test, const VkBuffer* buffers) {
    VkPipelineLayout layout;
    VkCommandPool pool;
    VkCommandBuffer commands;
    const VkDescriptorSetLayout set_layout = new_set_layout();
    const VkDescriptorSet set = new_set(set_layout, buffers);
    const VkPipeline pipeline =
        new_pipeline(kernels[test - tests].file, kernels[test - tests].name, set_layout, &layout);
    const VkCommandPoolCreateInfo of_family = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = family};
    check(vkCreateCommandPool(device, &of_family, NULL, &pool), "command pool");
    const VkCommandBufferAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    const VkCommandBufferBeginInfo again_and_again = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkAllocateCommandBuffers(device, &wanted, &commands), "commands");
    check(vkBeginCommandBuffer(commands, &again_and_again), "commands");
    vkCmdFillBuffer(commands, buffers[0], 0, VK_WHOLE_SIZE, 0);
    record_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, test->workgroups, 1, 1);
    record_barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands), "commands");
    return commands;
}

static int has_extension(const char* name) {
    uint32_t count = 0;
    int is_found = 0;
    check(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL), "extensions");
    VkExtensionProperties* const all = (VkExtensionProperties*)calloc(count + 1, sizeof *all);
    check(vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all), "extensions");
    for (uint32_t k = 0; k < count; ++k) {
        is_found |= strcmp(all[k].extensionName, name) == 0;
    }
    free(all);
    return is_found;
}

static void describe(const struct litmus_test* test) {
    VkPhysicalDeviceDriverPropertiesKHR driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES_KHR};
    const int has_driver = has_extension(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
    VkPhysicalDeviceIDProperties ids = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                        .pNext = has_driver ? &driver : NULL};
    VkPhysicalDeviceSubgroupProperties subgroups = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                    .pNext = &ids};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &subgroups};
    char all[LITMUS_LONGEST_DRIVER];
    vkGetPhysicalDeviceProperties2(physical, &properties);
    const VkPhysicalDeviceProperties found = properties.properties;
    litmus_fact("name", "%s", found.deviceName);
    litmus_fact("vendor_id", "0x%04x", found.vendorID);
    litmus_fact("device_id", "0x%04x", found.deviceID);
    litmus_fact_uuid(ids.deviceUUID);
    if (has_driver) {
        litmus_fact("driver", "%.60s %.90s", driver.driverName, driver.driverInfo);
    }
    litmus_fact("driver_version", "%u", found.driverVersion);
    litmus_fact("api", "Vulkan %u.%u.%u", VK_VERSION_MAJOR(found.apiVersion), VK_VERSION_MINOR(found.apiVersion),
                VK_VERSION_PATCH(found.apiVersion));
    litmus_fact("queue_family", "%u", family);
    snprintf(all, sizeof all, "%.160s, Vulkan %u.%u.%u, driver %u", found.deviceName,
             VK_VERSION_MAJOR(found.apiVersion), VK_VERSION_MINOR(found.apiVersion),
             VK_VERSION_PATCH(found.apiVersion), found.driverVersion);
    litmus_check_subgroup(test, subgroups.subgroupSize);
    litmus_ready(all);
}

// Runs a test, in a process of its own. While the shaders run, the flags are copied to memory that the parent shares:
// what they were when a launch that hangs is killed.
static void run_test(const struct litmus_test* test) {
    const VkDeviceSize flag_bytes = litmus_flag_bytes(test);
    const VkMemoryPropertyFlags seen_by_host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkFenceCreateInfo unsignalled = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkDeviceMemory memory[BUFFERS];
    VkQueue queue;
    VkFence end;
    void* flags;
    choose_device();
    check_width(test->width);
    open_device();
    const VkBuffer buffers[BUFFERS] = {
        new_buffer(sizeof(uint32_t) * test->words, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &memory[0]),
        new_buffer(flag_bytes, seen_by_host, &memory[1]),
    };
    check(vkMapMemory(device, memory[1], 0, flag_bytes, 0, &flags), "flags");
    const VkCommandBuffer commands = recorded(test, buffers);
    const VkSubmitInfo launch = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    check(vkCreateFence(device, &unsignalled, NULL, &end), "fence");
    vkGetDeviceQueue(device, family, 0, &queue);

    describe(test);
    while (litmus_next(test)) {
        VkResult code;
        // By the host, because a device that does not even begin would leave them as they were.
        memcpy(flags, litmus_flags, flag_bytes);
        check(vkQueueSubmit(queue, 1, &launch, end), "launch");
        do {
            code = vkWaitForFences(device, 1, &end, VK_TRUE, look_every);
            memcpy(litmus_flags, flags, flag_bytes);
        } while (code == VK_TIMEOUT);
        check(code, "end of the launch");
        check(vkResetFences(device, 1, &end), "fence");
    }
}

int main(int argc, char** argv) {
    // target, release of synth, order and scope of accesses, whether flags can be read while a launch runs, stress
    static const struct litmus_program program = {"spirv", "1.2.3", "acq_rel device", 1, "add:256:1:1024"};
    return litmus_main(argc, argv, &program, tests, sizeof tests / sizeof tests[0]);
}
