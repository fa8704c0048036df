// What constructs that were divided came to the last time: parts by plan without hints. See README.md, "Learned parts".
#pragma once

#include "sync/atomic.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace takt::core {

/// One construct at one position.
struct learned {
  double ticks = 0;       ///< of all its work, on however many seats
  double share = 0;       ///< of a fork or child: the part of the work that the code which went on had
  std::uint64_t cut = 0;  ///< of a loop: where its parts would have ended together; 0: not a loop
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
inline std::uint64_t balanced_cut(std::uint64_t begin, std::uint64_t cut, std::uint64_t end, double first,
                                  double second, double share) noexcept {
  const double wanted = share * (first + second);
  const bool in_first = wanted < first;
  const double within = in_first ? wanted / first : (wanted - first) / second;
  const std::uint64_t from = in_first ? begin : cut;
  const std::uint64_t to = in_first ? cut : end;
  const auto at = static_cast<std::uint64_t>(within * static_cast<double>(to - from) + 0.5);
  return std::clamp(from + at, begin + 1, std::max(end - 1, begin + 1));
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
  bool find(std::uint64_t position, learned& found) const noexcept {
    const std::size_t first = set_of(position);
    for (std::size_t i = first; i < first + k_ways; ++i) {
      const entry& e = entries_[i];
      if (e.position.load(sync::relaxed) != position) continue;
      found.ticks = std::bit_cast<double>(e.ticks.load(sync::relaxed));
      found.share = std::bit_cast<double>(e.share.load(sync::relaxed));
      found.cut = e.cut.load(sync::relaxed);
      return true;
    }
    return false;
  }
  void store(std::uint64_t position, const learned& what) noexcept {
    entry& e = place_of(position);
    e.ticks.store(std::bit_cast<std::uint64_t>(what.ticks), sync::relaxed);
    e.share.store(std::bit_cast<std::uint64_t>(what.share), sync::relaxed);
    e.cut.store(what.cut, sync::relaxed);
    e.position.store(position, sync::relaxed);
  }

 private:
  static constexpr std::size_t k_entries = 1024;
  static constexpr std::size_t k_ways = 4;
  struct entry {
    sync::atomic<std::uint64_t> position{0};
    sync::atomic<std::uint64_t> ticks{0};
    sync::atomic<std::uint64_t> share{0};
    sync::atomic<std::uint64_t> cut{0};
  };
  static std::size_t set_of(std::uint64_t position) noexcept { return position % (k_entries / k_ways) * k_ways; }
  // Its own, else one that nobody has, else one of the set, whose choice the position makes: two that meet in one set
  // then mostly choose different ones.
  entry& place_of(std::uint64_t position) noexcept {
    entry* const set = entries_ + set_of(position);
    entry* unused = nullptr;
    for (std::size_t i = 0; i < k_ways; ++i) {
      const std::uint64_t there = set[i].position.load(sync::relaxed);
      if (there == position) return set[i];
      if (there == 0 && unused == nullptr) unused = set + i;
    }
    return unused != nullptr ? *unused : set[(position >> 32) % k_ways];
  }

  entry entries_[k_entries];
};

}  // namespace takt::core
