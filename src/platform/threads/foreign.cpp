// OpenMP runtimes (libgomp, libomp, libiomp5, whatever they are called by who ships them) and oneTBB are found among
// the loaded libraries by name. A frame of theirs has an address of their code in it, or in the frame that it has
// called.
//
// To ask them (omp_get_level() and the like) would make each thread that asks known to them, for good.
#include "platform/threads/foreign.hpp"

#include "sync/atomic.hpp"

#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace takt::platform {

namespace {

// Where the code of one lies.
struct code_range {
  sync::atomic<std::uintptr_t> low{0};
  sync::atomic<std::uintptr_t> high{0};
};

// More than anybody has in one process. What is beyond is not seen.
constexpr int k_most = 16;
code_range found[k_most];
sync::atomic<int> found_count{0};

// The loader has a lock that the C library does not open in a child of fork(2): if a thread of takt's held it, the child
// would wait for ever where it loads a library, throws, or asks as we do. So who forks waits until nobody asks, and nobody
// asks meanwhile.
sync::atomic<int> asking{0};
sync::atomic<int> forking{0};
thread_local int asking_here = 0;

class question {
 public:
  question() noexcept {
    ++asking_here;
    // EDGE foreign.asks: seq_cst, so that either who forks sees this one, or this sees that somebody forks.
    asking.fetch_add(1, sync::seq_cst);
    may_be_asked_ = forking.load(sync::seq_cst) == 0;
  }
  ~question() {
    // EDGE foreign.answered: the lock is free. seq_cst: either who forks sees so, or this sees that somebody waits.
    asking.fetch_sub(1, sync::seq_cst);
    if (forking.load(sync::seq_cst) != 0) syscall(SYS_futex, &asking, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
    --asking_here;
  }
  question(const question&) = delete;
  question& operator=(const question&) = delete;
  bool may_be_asked() const noexcept { return may_be_asked_; }

 private:
  bool may_be_asked_;
};

void before_fork() noexcept {
  const int before = errno;
  // EDGE foreign.asks
  forking.fetch_add(1, sync::seq_cst);
  // Its own is there if a handler of the program's forks in the middle of it.
  // EDGE foreign.answered
  for (int now; (now = asking.load(sync::seq_cst)) > asking_here;)
    syscall(SYS_futex, &asking, FUTEX_WAIT_PRIVATE, now, nullptr, nullptr, 0);
  errno = before;
}
void after_fork() noexcept { forking.fetch_sub(1, sync::relaxed); }
void after_fork_in_child() noexcept {
  asking.store(asking_here, sync::relaxed);
  forking.store(0, sync::relaxed);
}
[[maybe_unused]] const int follows_forks = pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);

sync::mutex looking;
unsigned long long looked_at = 0;  // libraries that had been loaded and unloaded at the last look

bool is_runtime(const char* path) noexcept {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  return std::strncmp(name, "libgomp", 7) == 0 || std::strncmp(name, "libomp", 6) == 0 ||
         std::strncmp(name, "libiomp", 7) == 0 || std::strncmp(name, "libtbb", 6) == 0;
}

int collect(dl_phdr_info* info, std::size_t, void* argument) {
  int& count = *static_cast<int*>(argument);
  if (info->dlpi_name == nullptr || !is_runtime(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum && count < k_most; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    found[count].low.store(info->dlpi_addr + part.p_vaddr, sync::relaxed);
    found[count].high.store(info->dlpi_addr + part.p_vaddr + part.p_memsz, sync::relaxed);
    ++count;
  }
  return 0;
}

unsigned long long changes_of_libraries() noexcept {
  unsigned long long changes = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds + info->dlpi_subs;
        return 1;
      },
      &changes);
  return changes;
}

// All words of the stack, also those between frames: what is left there of an earlier call costs a wait in place.
__attribute__((no_sanitize("address", "thread"), noinline)) bool any_points_into(const std::uintptr_t* at,
                                                                               const std::uintptr_t* end,
                                                                               std::uintptr_t low,
                                                                               std::uintptr_t high) noexcept {
  for (; at < end; ++at) {
    if (*at - low < high - low) return true;
  }
  return false;
}

}  // namespace

bool frames_of_other_runtimes(const void* low, const void* high) noexcept {
  {
    const question asked;
    if (!asked.may_be_asked()) return true;
    const unsigned long long changes = changes_of_libraries();
    // Somebody else is looking: then there may be any.
    const std::unique_lock lock(looking, std::try_to_lock);
    if (!lock.owns_lock()) return true;
    if (changes != looked_at) {
      int count = 0;
      dl_iterate_phdr(&collect, &count);
      // EDGE foreign.found: the ranges are written.
      found_count.store(count, sync::release);
      looked_at = changes;
    }
  }
  // EDGE foreign.found
  const int count = found_count.load(sync::acquire);
  for (int i = 0; i < count; ++i) {
    if (any_points_into(static_cast<const std::uintptr_t*>(low), static_cast<const std::uintptr_t*>(high),
                        found[i].low.load(sync::relaxed), found[i].high.load(sync::relaxed)))
      return true;
  }
  return false;
}

}  // namespace takt::platform
