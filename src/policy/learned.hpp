// What constructs that were divided came to the last time: parts by plan without hints. See README.md, "Learned parts".
#pragma once

#include "sync/atomic.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>

namespace takt::core {

/// One construct at one position.
struct learned {
  double ticks = 0;  ///< of all its work, on however many seats
  double share = 0;  ///< of a fork or child: the part of the work that the code which went on had
  double cut = 0;    ///< of a loop: where its parts would have ended together; 0: not a loop
};

/// A position in the program's tree of divided constructs, as a number: two that are alike by chance share what is
/// learned.
constexpr std::uint64_t position_within(std::uint64_t around, std::uint64_t what) noexcept {
  std::uint64_t h = (around ^ what) * 0x9e3779b97f4a7c15u;
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ h >> 29;
}

/// Where [begin, end) of a loop, which was cut at `cut`, would have to be cut so that the first part has `share` of the
/// work: `first` and `second` are what the parts took, even within each. begin < @returns < end, if there are two.
inline double balanced_cut(double begin, double cut, double end, double first, double second, double share) noexcept {
  const double wanted = share * (first + second);
  const bool in_first = wanted < first;
  const double within = in_first ? wanted / first : (wanted - first) / second;
  const double from = in_first ? begin : cut;
  const double to = in_first ? cut : end;
  return std::clamp(from + within * (to - from), begin + 1, std::max(end - 1, begin + 1));
}

/// What is known after `now` was measured. A boundary that nothing was known of is moved to where it should have been;
/// after that half of the way, so that one measurement which another process has spoiled does not undo all.
inline learned learned_after(const learned* before, const learned& now) noexcept {
  if (before == nullptr) return now;
  return {std::midpoint(before->ticks, now.ticks), std::midpoint(before->share, now.share),
          std::midpoint(before->cut, now.cut)};
}

/// A table of them, in sets of k_ways: where a set is full, one of it is forgotten. With one to a set, seven positions
/// would take each other's place in one program of fifty, round after round. Thread-safe and async-signal-safe: what is
/// read while it changes is wrong by a mixture of both, and costs a worse plan once.
class learned_table {
 public:
  /// Each construct of a program has up to one for each seat.
  /// @throws std::bad_alloc
  explicit learned_table(unsigned seats)
      : sets_(std::bit_ceil(std::max<std::size_t>(k_least, std::size_t{seats} * k_entries_of_seat)) / k_ways),
        entries_(std::make_unique<entry[]>(sets_ * k_ways)) {}
  bool find(std::uint64_t position, learned& found) const noexcept {
    const std::size_t first = set_of(position);
    for (std::size_t i = first; i < first + k_ways; ++i) {
      const entry& e = entries_[i];
      if (e.position.load(sync::relaxed) != position) continue;
      found.ticks = std::bit_cast<double>(e.ticks.load(sync::relaxed));
      found.share = std::bit_cast<double>(e.share.load(sync::relaxed));
      found.cut = std::bit_cast<double>(e.cut.load(sync::relaxed));
      return true;
    }
    return false;
  }
  void store(std::uint64_t position, const learned& what) noexcept {
    entry& e = place_of(position);
    e.ticks.store(std::bit_cast<std::uint64_t>(what.ticks), sync::relaxed);
    e.share.store(std::bit_cast<std::uint64_t>(what.share), sync::relaxed);
    e.cut.store(std::bit_cast<std::uint64_t>(what.cut), sync::relaxed);
    e.position.store(position, sync::relaxed);
  }

 private:
  static constexpr std::size_t k_least = 1024;
  static constexpr std::size_t k_entries_of_seat = 128;
  static constexpr std::size_t k_ways = 4;
  struct entry {
    sync::atomic<std::uint64_t> position{0};
    sync::atomic<std::uint64_t> ticks{0};
    sync::atomic<std::uint64_t> share{0};
    sync::atomic<std::uint64_t> cut{0};
  };
  std::size_t set_of(std::uint64_t position) const noexcept { return position % sets_ * k_ways; }
  // Its own, else one that nobody has, else one of the set, whose choice the position makes: two that meet in one set
  // then mostly choose different ones.
  entry& place_of(std::uint64_t position) noexcept {
    entry* const set = entries_.get() + set_of(position);
    entry* unused = nullptr;
    for (std::size_t i = 0; i < k_ways; ++i) {
      const std::uint64_t there = set[i].position.load(sync::relaxed);
      if (there == position) return set[i];
      if (there == 0 && unused == nullptr) unused = set + i;
    }
    return unused != nullptr ? *unused : set[(position >> 32) % k_ways];
  }

  std::size_t sets_;
  std::unique_ptr<entry[]> entries_;
};

}  // namespace takt::core
