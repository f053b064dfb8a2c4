#include "minimality/shared_orbits.hpp"

#include <atomic>
#include <utility>

#ifdef __linux__

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#endif

namespace synth {

#ifdef __linux__

static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);

std::unique_ptr<SharedOrbits> SharedOrbits::open(const std::string& file, std::size_t slots) {
    const auto bytes = static_cast<off_t>(slots * sizeof(Slot));
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return nullptr;
    struct stat about {};
    void* memory = MAP_FAILED;
    // All of it is allocated now: a write to a page for which there is no room would end the process.
    if (::flock(descriptor, LOCK_SH) == 0 && ::fstat(descriptor, &about) == 0 && about.st_uid == ::geteuid() &&
        (about.st_mode & 077) == 0 && (about.st_size == 0 || about.st_size == bytes) &&
        ::posix_fallocate(descriptor, 0, bytes) == 0) {
        memory = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    if (memory == MAP_FAILED) {
        ::close(descriptor);
        return nullptr;
    }
    return std::unique_ptr<SharedOrbits>(new SharedOrbits(descriptor, file, static_cast<Slot*>(memory), slots));
}

SharedOrbits::~SharedOrbits() {
    ::munmap(slots_, count_ * sizeof(Slot));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) ::unlink(file_.c_str());  // nobody else has it open
    ::close(descriptor_);
}

#else

std::unique_ptr<SharedOrbits> SharedOrbits::open(const std::string&, std::size_t) { return nullptr; }

SharedOrbits::~SharedOrbits() = default;

#endif

std::uint64_t SharedOrbits::find(std::uint64_t key) const {
    std::size_t place = first_place(key);
    for (std::size_t far = 0; far < farthest; ++far, place = (place + 1) & (count_ - 1)) {
        Slot& slot = slots_[place];
        const std::uint64_t there = std::atomic_ref(slot.key).load(std::memory_order_acquire);
        if (there == key) return std::atomic_ref(slot.known).load(std::memory_order_acquire);
        if (there == 0) return 0;
    }
    return 0;
}

void SharedOrbits::insert(std::uint64_t key, std::uint64_t known) {
    std::size_t place = first_place(key);
    for (std::size_t far = 0; far < farthest; ++far, place = (place + 1) & (count_ - 1)) {
        Slot& slot = slots_[place];
        std::uint64_t there = 0;
        if (std::atomic_ref(slot.key).compare_exchange_strong(there, key, std::memory_order_acq_rel) || there == key) {
            std::atomic_ref(slot.known).store(known, std::memory_order_release);
            return;
        }
    }
}

}  // namespace synth
