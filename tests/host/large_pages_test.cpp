// A machine whose pages have 64 KiB, as ARM64's and POWER's may: what a kernel does there with addresses that lie on no
// page is done here, by functions of the same names. Argument: the size of a page.
#include "host.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <string>

namespace {

std::size_t page = 65536;
std::atomic<int> refused{0};

std::size_t rounded(std::size_t bytes) { return (bytes + page - 1) / page * page; }

long refuse() {
  refused.fetch_add(1);
  errno = EINVAL;
  return -1;
}

bool on_a_page(const void* at) { return reinterpret_cast<std::uintptr_t>(at) % page == 0; }

}  // namespace

extern "C" {

long sysconf(int name) noexcept {
  static const auto real = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_PAGESIZE ? static_cast<long>(page) : real(name);
}

// System calls from here on: the C library's functions of these names are the ones below.

// An address of whole large pages: what is mapped too much at both ends is given back.
void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  const auto call = [&](void* where, std::size_t length) {
    return reinterpret_cast<char*>(syscall(SYS_mmap, where, length, protection, flags, fd, offset));
  };
  if (at != nullptr || fd >= 0) return call(at, bytes);
  const std::size_t wanted = rounded(bytes);
  char* const base = call(nullptr, wanted + page);
  if (base == MAP_FAILED) return base;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(base) % page) % page;
  if (before != 0) syscall(SYS_munmap, base, before);
  if (before != page) syscall(SYS_munmap, base + before + wanted, page - before);
  return base + before;
}

int munmap(void* at, std::size_t bytes) noexcept {
  return static_cast<int>(on_a_page(at) ? syscall(SYS_munmap, at, rounded(bytes)) : refuse());
}
int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  return static_cast<int>(on_a_page(at) ? syscall(SYS_mprotect, at, rounded(bytes), protection) : refuse());
}
// A large page is there if its first small one is.
int mincore(void* at, std::size_t bytes, unsigned char* there) noexcept {
  if (!on_a_page(at)) return static_cast<int>(refuse());
  for (std::size_t i = 0; i < rounded(bytes) / page; ++i) {
    if (syscall(SYS_mincore, static_cast<char*>(at) + i * page, 4096, &there[i]) != 0) return -1;
  }
  return 0;
}
int madvise(void* at, std::size_t bytes, int advice) noexcept {
  return static_cast<int>(on_a_page(at) ? syscall(SYS_madvise, at, rounded(bytes), advice) : refuse());
}
}

namespace {

void compute() {
  for (int round = 0; round < 3; ++round) {
    const long sum = takt::parallel_reduce(
        0L, 300L, 0L, [](long i) { return takt::parallel_reduce(0L, i, 0L, [](long k) { return k; }, std::plus<>{}); },
        std::plus<>{});
    HOST_CHECK(sum == 4'455'100);
  }
  HOST_CHECK(takt::stats_json().find("\"stacks_peak\":0") == std::string::npos, "no stack could be had");
  HOST_CHECK(refused == 0, "an address that lies on no page");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) page = std::stoul(argv[1]);
  // The simulated machine has stacks of its own. Settings are read at the first call.
  const pid_t child = fork();
  if (child == 0) {
    setenv("TAKT_SIM", "workers=2,out=/dev/null", 1);
    compute();
    std::_Exit(0);
  }
  int status = 1;
  HOST_CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, "simulated");

  HOST_CHECK(host::two_run_side_by_side());
  compute();
}
