// qemu-user with larger pages than this machine's (-p): its mincore writes a byte for each of this machine's pages,
// beyond what the caller has room for. Here one for each of the emulated pages: whether the first part of it is there.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

extern "C" int mincore(void* at, std::size_t bytes, unsigned char* there) noexcept {
  constexpr std::size_t k_least = 4096;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; i * page < bytes; ++i) {
    if (syscall(SYS_mincore, static_cast<char*>(at) + i * page, k_least, there + i) != 0) return -1;
  }
  return 0;
}
