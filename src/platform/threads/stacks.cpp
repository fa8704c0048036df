#include "platform/threads/stacks.hpp"

#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace takt::platform {

namespace {

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t rounded_up(std::size_t n, std::size_t page) noexcept { return (n + page - 1) / page * page; }

// What the kernel keeps free below a main thread's stack: a frame that is larger than the guard may jump over it.
constexpr std::size_t k_guard = std::size_t{1} << 20;

// What stays of an idle stack, on both sides of its middle: most computations use no more, and to touch 16 pages anew
// would cost them as much as a steal. A page on machines with larger ones.
constexpr std::size_t k_hot = std::size_t{64} << 10;

// Pages asked for at a time: what one page table has on most machines, and a small array on a small stack.
constexpr std::size_t k_window = 512;

// Resident bytes in [at, at + bytes), whole pages, of at most k_window: all, where a filter refuses to tell.
std::size_t resident(std::byte* at, std::size_t bytes, std::size_t page) noexcept {
  unsigned char there[k_window];
  if (mincore(at, bytes, there) != 0) return bytes;
  return static_cast<std::size_t>(std::count_if(there, there + bytes / page, [](unsigned char p) { return p & 1; })) *
         page;
}

// The one question to which locked memory gives a different answer, and which costs little.
bool is_locked(void* at, std::size_t page) noexcept { return madvise(at, page, MADV_DONTNEED) != 0 && errno == EINVAL; }

// Whether what is mapped from now on is locked, as under mlockall(MCL_FUTURE), or cannot be had.
bool locks_new_memory() noexcept {
  const std::size_t page = page_bytes();
  void* const at = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return true;
  const bool locked = is_locked(at, page);
  munmap(at, page);
  return locked;
}

// Under mlockall(MCL_FUTURE) each mapping is locked, and would be resident as soon as it can be written. Its pages are
// locked as they are touched instead: those of a stack are seldom used beyond the first few.
void lock_on_touch(std::byte* at, std::size_t bytes, std::size_t page) noexcept {
#if defined(SYS_mlock2)
  constexpr int k_on_fault = 1;  // MLOCK_ONFAULT, which older headers lack
  if (!is_locked(at, page)) return;
  // Where the kernel is too old for it all is resident, which is what the process has asked for.
  (void)syscall(SYS_mlock2, at, bytes, k_on_fault);
#else
  (void)at, (void)bytes, (void)page;
#endif
}

// Small stacks are small because address space is short.
std::size_t guard_below(std::size_t call_bytes, std::size_t page) noexcept {
  return rounded_up(std::min(k_guard, call_bytes / 4), page);
}

}  // namespace

std::size_t mapped_for_stack(std::size_t call_bytes, std::size_t latent_bytes) noexcept {
  const std::size_t page = page_bytes();
  call_bytes = rounded_up(call_bytes, page);
  return guard_below(call_bytes, page) + call_bytes + rounded_up(latent_bytes, page) + page;
}

bool map_stack(std::size_t call_bytes, std::size_t latent_bytes, stack_memory& out) noexcept {
  const std::size_t page = page_bytes();
  call_bytes = rounded_up(call_bytes, page);
  latent_bytes = rounded_up(latent_bytes, page);
  const std::size_t guard = guard_below(call_bytes, page);
  const std::size_t usable = call_bytes + latent_bytes;
  // One page above: slots are written one after the other, and are smaller than a page.
  const std::size_t total = guard + usable + page;
  void* base = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return false;
  auto* low = static_cast<std::byte*>(base) + guard;
  lock_on_touch(low, usable, page);
  if (mprotect(low, usable, PROT_READ | PROT_WRITE) != 0) {
    munmap(base, total);
    return false;
  }
  // A huge page would make every fiber cost 2 MiB at its first touch.
  madvise(low, usable, MADV_NOHUGEPAGE);
  out = {base, total, low, low + call_bytes, low + usable};
  return true;
}

void unmap_stack(stack_memory& memory) noexcept {
  munmap(memory.base, memory.bytes);
  memory = {};
}

std::size_t bytes_beyond_hot(const stack_memory& memory) noexcept {
  const std::size_t page = page_bytes();
  const std::size_t hot = rounded_up(k_hot, page);
  const std::size_t window = k_window * page;
  std::size_t all = 0;
  // The call stack, downwards. A frame may leave pages out; one that leaves out a whole window is not looked for.
  const auto call_bytes = static_cast<std::size_t>(memory.middle - memory.call_low);
  for (std::size_t at = hot; at < call_bytes;) {
    const std::size_t next = std::min(window, call_bytes - at);
    const std::size_t here = resident(memory.middle - at - next, next, page);
    if (here == 0) break;
    all += here;
    at += next;
  }
  // The latent stack, upwards; it has no holes.
  const auto latent_bytes = static_cast<std::size_t>(memory.latent_high - memory.middle);
  for (std::size_t at = hot; at < latent_bytes;) {
    const std::size_t next = std::min(window, latent_bytes - at);
    const std::size_t here = resident(memory.middle + at, next, page);
    all += here;
    if (here < next) break;
    at += next;
  }
  return all;
}

bool give_back_beyond_hot(stack_memory& memory) noexcept {
  const std::size_t hot = rounded_up(k_hot, page_bytes());
  const auto call_bytes = static_cast<std::size_t>(memory.middle - memory.call_low);
  const auto latent_bytes = static_cast<std::size_t>(memory.latent_high - memory.middle);
  // Refused where the memory is locked.
  return (call_bytes <= hot || madvise(memory.call_low, call_bytes - hot, MADV_DONTNEED) == 0) &&
         (latent_bytes <= hot || madvise(memory.middle + hot, latent_bytes - hot, MADV_DONTNEED) == 0);
}

std::size_t usual_stack_bytes() noexcept {
  constexpr std::size_t k_least = std::size_t{1} << 20;
  constexpr std::size_t k_unlimited = std::size_t{256} << 20;
  constexpr std::size_t k_most = std::size_t{4} << 30;
  // Where a filter refuses to tell: what nearly all systems set. Stacks for the worst case might not be had at all.
  constexpr std::size_t k_unknown = std::size_t{8} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return k_unknown;
  if (limit.rlim_cur == RLIM_INFINITY) return k_unlimited;
  return std::clamp(static_cast<std::size_t>(limit.rlim_cur), k_least, k_most);
}

namespace {

// Of a small one. Tasks run on fibers: what is left are takt's loop, handlers of signals, and destructors of the
// program's thread-locals.
constexpr std::size_t k_thread = std::size_t{1} << 20;

// What the thread-locals of the program, and of the libraries that it is linked with, take of each thread's stack.
// Asked once, when takt is loaded: the loader's lock may be held by the program when a thread is started.
const std::size_t thread_local_bytes = [] {
  std::size_t all = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* sum) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type == PT_TLS) *static_cast<std::size_t*>(sum) += part.p_memsz + part.p_align;
        }
        return 0;
      },
      &all);
  return all;
}();

}  // namespace

std::size_t own_thread_bytes(bool is_small) noexcept {
  pthread_attr_t attributes;
  std::size_t usual = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &usual);
  pthread_attr_destroy(&attributes);
  if (!is_small && !locks_new_memory()) return usual;
  return std::min(usual, k_thread + rounded_up(thread_local_bytes, page_bytes()));
}

std::size_t own_stack_bytes() noexcept {
  // The main thread's grows as far as the limit says; pthreads would read /proc to say the same.
  if (syscall(SYS_gettid) == getpid()) return usual_stack_bytes();
  const int before = errno;
  // glibc takes errno for the outcome of its allocations; a user's malloc may have left it as it was.
  errno = ENOMEM;
  pthread_attr_t attributes;
  const int error = pthread_getattr_np(pthread_self(), &attributes);
  errno = before;
  if (error != 0) return error == ENOMEM ? 0 : usual_stack_bytes();
  std::size_t bytes = 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

}  // namespace takt::platform
