// What a process can know of its own memory.
#pragma once

#include "host.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace host {

/// Calls f(low, high, permissions) for each mapping, in the order of addresses, until it returns false.
template <class F>
void each_mapping(F f) {
  std::FILE* file = std::fopen("/proc/self/maps", "r");
  if (file == nullptr) skip("no /proc/self/maps");
  char line[4352];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
    char permissions[5] = {};
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &low, &high, permissions) == 3 && !f(low, high, permissions))
      break;
  }
  std::fclose(file);
}

inline long mappings() {
  long count = 0;
  each_mapping([&count](std::uintptr_t, std::uintptr_t, const char*) {
    ++count;
    return true;
  });
  return count;
}

struct memory {
  long mapped_mb;
  long resident_mb;
};
inline memory used_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long mapped = 0;
  long resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &mapped, &resident) != 2) skip("no /proc/self/statm");
  std::fclose(file);
  const long page_kb = sysconf(_SC_PAGESIZE) / 1024;
  return {mapped * page_kb / 1024, resident * page_kb / 1024};
}

/// What the program has mapped: unlike used_memory(), without what an emulator has for itself.
inline long mapped_by_program_mb() {
  std::uintptr_t bytes = 0;
  each_mapping([&](std::uintptr_t low, std::uintptr_t high, const char*) {
    bytes += high - low;
    return true;
  });
  return static_cast<long>(bytes >> 20);
}

/// Of the program's own memory that can be written, what is resident: unlike used_memory(), without what an emulator
/// has for itself.
inline long resident_and_writable_mb() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t pages = 0;
  std::vector<unsigned char> there;
  each_mapping([&](std::uintptr_t low, std::uintptr_t high, const char* permissions) {
    if (permissions[1] != 'w') return true;
    there.assign((high - low) / page, 0);
    // One that has gone since it was listed has nothing.
    if (mincore(reinterpret_cast<void*>(low), high - low, there.data()) != 0) return true;
    pages += static_cast<std::size_t>(std::count_if(there.begin(), there.end(), [](unsigned char p) { return p & 1; }));
    return true;
  });
  return static_cast<long>(pages * page >> 20);
}

/// Touches so much of the stack.
template <std::size_t Bytes>
[[gnu::noinline]] void use_stack() {
  volatile char array[Bytes];
  for (std::size_t i = Bytes; i != 0; i -= i < 4096 ? i : 4096) array[i - 1] = 1;
  HOST_CHECK(array[Bytes - 1] == 1);
}

}  // namespace host
