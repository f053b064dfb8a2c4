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

namespace {

// Whether a name still is that of the open file.
bool is_at(const std::string& file, const struct stat& about) {
    struct stat there {};
    return ::lstat(file.c_str(), &there) == 0 && there.st_dev == about.st_dev && there.st_ino == about.st_ino;
}

// Close a file, and remove it if nobody else has it open. Only who holds it alone removes it, so it is the one of the name.
void close_and_remove(int descriptor, const std::string& file) {
    struct stat about {};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &about) == 0 && is_at(file, about)) {
        ::unlink(file.c_str());
    }
    ::close(descriptor);
}

}  // namespace

std::unique_ptr<SharedOrbits> SharedOrbits::open(const std::string& file, std::size_t slots) {
    const auto bytes = static_cast<off_t>(slots * sizeof(Slot));
    struct stat about {};
    int descriptor = -1;
    // Somebody may remove the file before it is locked. Then there is a new one, or none.
    do {
        if (descriptor >= 0) ::close(descriptor);
        descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (descriptor < 0) return nullptr;
        if (::flock(descriptor, LOCK_SH) != 0 || ::fstat(descriptor, &about) != 0) {
            ::close(descriptor);
            return nullptr;
        }
    } while (!is_at(file, about));
    if (about.st_uid != ::geteuid() || (about.st_mode & 077) != 0 || (about.st_size != 0 && about.st_size != bytes)) {
        ::close(descriptor);
        return nullptr;
    }
    // All of it is allocated now: a write to a page for which there is no room would end the process.
    void* memory = MAP_FAILED;
    if (::posix_fallocate(descriptor, 0, bytes) == 0) {
        memory = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    if (memory == MAP_FAILED) {
        close_and_remove(descriptor, file);
        return nullptr;
    }
    return std::unique_ptr<SharedOrbits>(new SharedOrbits(descriptor, file, static_cast<Slot*>(memory), slots));
}

SharedOrbits::~SharedOrbits() {
    ::munmap(slots_, count_ * sizeof(Slot));
    close_and_remove(descriptor_, file_);
}

#else

std::unique_ptr<SharedOrbits> SharedOrbits::open(const std::string&, std::size_t) { return nullptr; }

SharedOrbits::~SharedOrbits() = default;

#endif

namespace {

std::uint64_t read(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); }
void write(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_relaxed); }

// A bijection each of whose bits depends on all bits (the mixer of SplitMix64: Steele, Lea and Flood, 2014).
std::uint64_t hash(std::uint64_t known) {
    known = (known ^ known >> 30) * 0xbf58476d1ce4e5b9;
    known = (known ^ known >> 27) * 0x94d049bb133111eb;
    return known ^ known >> 31;
}

}  // namespace

std::uint64_t SharedOrbits::find(std::uint64_t key) const {
    Slot* const bucket = bucket_of(key);
    for (Slot* slot = bucket; slot != bucket + in_bucket; ++slot) {
        const std::uint64_t known = read(slot->known);
        if (known != 0 && (read(slot->check) ^ hash(known)) == key) return known;
    }
    return 0;
}

void SharedOrbits::insert(std::uint64_t key, std::uint64_t known) {
    Slot* const bucket = bucket_of(key);
    Slot* slot = bucket;
    while (slot != bucket + in_bucket && read(slot->known) != 0) ++slot;
    if (slot == bucket + in_bucket) slot = bucket + (hash(key) & (in_bucket - 1));
    write(slot->check, key ^ hash(known));
    write(slot->known, known);
}

}  // namespace synth
