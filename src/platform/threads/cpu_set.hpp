// Sets of CPUs, and which of them are the process's.
#pragma once

#include <sys/types.h>

#include <array>
#include <climits>
#include <cstddef>

namespace takt::platform {

/// As cpu_set_t, but of as many CPUs as any kernel is built for: it refuses to fill a set that is smaller than its own.
class cpu_set {
 public:
  static constexpr unsigned k_most = 8192;

  bool has(unsigned cpu) const noexcept { return cpu < k_most && (words_[cpu / k_bits] >> cpu % k_bits & 1) != 0; }
  void remove(unsigned cpu) noexcept {
    if (cpu < k_most) words_[cpu / k_bits] &= ~(1ul << cpu % k_bits);
  }
  void add(const cpu_set& others) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
  }
  unsigned count() const noexcept {
    unsigned n = 0;
    for (const unsigned long word : words_) n += static_cast<unsigned>(__builtin_popcountl(word));
    return n;
  }
  bool operator==(const cpu_set&) const noexcept = default;

  unsigned long* words() noexcept { return words_.data(); }
  const unsigned long* words() const noexcept { return words_.data(); }
  static constexpr std::size_t k_bytes = k_most / CHAR_BIT;
  static constexpr std::size_t k_words = k_bytes / sizeof(unsigned long);

 private:
  static constexpr unsigned k_bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, k_words> words_{};
};

/// Where thread `tid` (0: the calling one) may run. @returns false when the kernel does not tell.
bool affinity_of(pid_t tid, cpu_set& out) noexcept;
/// @returns false when the kernel refuses.
bool set_affinity_of(pid_t tid, const cpu_set& cpus) noexcept;

/// The process's CPUs: those where at least one of its threads may run. A thread that is bound to one of them, for
/// reasons of its own, says nothing about the others; `taskset -a` and a cpuset bind them all. Empty: not known.
cpu_set cpus_of_process() noexcept;

}  // namespace takt::platform
