// Sets of CPUs.
#pragma once

#include <array>
#include <climits>
#include <cstddef>

namespace takt::platform {

/// As cpu_set_t, but of as many CPUs as any kernel is built for: it refuses to fill a set that is smaller than its own.
class cpu_set {
 public:
  static constexpr unsigned k_most = 8192;

  bool has(unsigned cpu) const noexcept { return cpu < k_most && (words_[cpu / k_bits] >> cpu % k_bits & 1) != 0; }
  void add(unsigned cpu) noexcept {
    if (cpu < k_most) words_[cpu / k_bits] |= 1ul << cpu % k_bits;
  }
  void remove(unsigned cpu) noexcept {
    if (cpu < k_most) words_[cpu / k_bits] &= ~(1ul << cpu % k_bits);
  }
  void add(const cpu_set& others) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
  }
  void keep(const cpu_set& others) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= others.words_[i];
  }
  unsigned count() const noexcept {
    unsigned n = 0;
    for (const unsigned long word : words_) n += static_cast<unsigned>(__builtin_popcountl(word));
    return n;
  }
  /// The least one that is greater than `cpu`; k_most: there is none. Begin with -1.
  unsigned after(int cpu) const noexcept {
    auto next = static_cast<unsigned>(cpu + 1);
    while (next < k_most && !has(next)) ++next;
    return next;
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

}  // namespace takt::platform
