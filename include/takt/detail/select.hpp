// The loop behind filter, partition and the set operations: which elements are selected, and where each goes.
#pragma once

#include <takt/detail/buffer.hpp>
#include <takt/detail/parts.hpp>

#include <vector>

namespace TAKT_NAMESPACE::detail {

/// What a part selected that could not be put in place yet. At most 256 iterations to a block, one byte for each that
/// was selected.
struct selection {
  struct block {
    std::uint64_t begin;  ///< the iteration that index 0 stands for
    std::uint64_t place;  ///< number of selected iterations before, in the same selection
    std::uint64_t first;  ///< where its indices begin
    std::uint64_t selected;
  };
  std::uint64_t place = 0;
  std::vector<block> blocks;
  std::vector<std::uint8_t> indices;
};

/// `Finder`: finder.seek(k) gives the position that goes with iteration k; then finder(k, position),
/// finder(k + 1, position), ... say whether an iteration is selected, and move the position.
/// `Emit`: emit(k, place) puts iteration k where it belongs, while other iterations are still being looked at.
/// `AnyOrder`: emit may be called in any order, from any worker. Else it is called in index order, without a gap.
template <bool AnyOrder, class Finder, class Emit>
struct select_work {
  struct state {
    bool direct;
    std::uint64_t count = 0;
    std::uint64_t next = 0;
    selection own;
    std::vector<selection> others;
    std::uint64_t position = 0;
  };

  static constexpr std::uint64_t k_block = 256;
  static constexpr std::uint64_t k_nowhere = ~std::uint64_t{0};

  void run(state& s, std::uint64_t k, std::uint64_t end) const {
    Finder own_finder = finder;
    Emit own_emit = emit;
    std::uint64_t position = s.next == k ? s.position : own_finder.seek(k);
    std::uint64_t place = s.count;
    while (k < end) {
      const std::uint64_t length = end - k < k_block ? end - k : k_block;
      std::uint8_t indices[k_block];
      std::uint64_t selected = 0;
      // Without a branch on the answer: for data without a pattern that would be mispredicted half of the time.
      for (std::uint64_t i = 0; i < length; ++i) {
        indices[selected] = static_cast<std::uint8_t>(i);
        selected += own_finder(k + i, position) ? 1 : 0;
      }
      if (s.direct) {
        for (std::uint64_t i = 0; i < selected; ++i) own_emit(k + indices[i], place + i);
      } else if (selected > 0) {
        s.own.blocks.push_back({k, place, s.own.indices.size(), selected});
        s.own.indices.insert(s.own.indices.end(), indices, indices + selected);
      }
      place += selected;
      k += length;
    }
    s.count = place;
    s.next = end;
    s.position = position;
  }
  state fresh(std::uint64_t) const { return {false, 0, k_nowhere, {}, {}}; }
  void absorb(state& before, state&& part) const {
    before.others.reserve(before.others.size() + part.others.size() + 1);
    part.own.place = before.count;
    before.others.push_back(std::move(part.own));
    for (selection& other : part.others) {
      other.place += before.count;
      before.others.push_back(std::move(other));
    }
    before.count += part.count;
    before.next = part.next;
    before.position = part.position;
    if constexpr (!AnyOrder) before.direct = false;
  }

  /// Emits what was only noted.
  template <class Late>
  void emit_rest(state& all, const Late& late) const {
    if (!all.own.blocks.empty()) all.others.push_back(std::move(all.own));
    detail::for_count(all.others.size(), [&all, &late](std::uint64_t i) { emit_selection(all.others[i], late); });
  }
  // A function: the loop around it does not have this one in each copy of its body.
  template <class Late>
  TAKT_OUTLINE static void emit_selection(const selection& some, const Late& late) {
    detail::for_count(some.blocks.size(), [&some, &late](std::uint64_t b) {
      const selection::block& block = some.blocks[b];
      Late own_late = late;
      for (std::uint64_t j = 0; j < block.selected; ++j) {
        own_late(block.begin + some.indices[block.first + j], some.place + block.place + j);
      }
    });
  }

  Finder finder;
  Emit emit;
};

/// A finder that needs nothing but the iteration's number.
template <class Pred>
struct plain_finder {
  std::uint64_t seek(std::uint64_t) { return 0; }
  TAKT_INLINE bool operator()(std::uint64_t k, std::uint64_t&) { return static_cast<bool>(pred(k)); }
  Pred pred;
};

/// Selects among iterations [0, count). late(all), `all` being how many were selected, gives the function that puts
/// those in place which could not be emitted at once, in any order and from any worker.
/// @returns how many were selected.
template <bool AnyOrder, class Finder, class Emit, class Late>
std::uint64_t select(std::uint64_t count, const Finder& finder, const Emit& emit, Late&& late) {
  using work_type = select_work<AnyOrder, Finder, Emit>;
  const work_type work{finder, emit};
  typename work_type::state all{true, 0, work_type::k_nowhere, {}, {}};
  detail::run_parts(work, all, count);
  if (!all.others.empty() || !all.own.blocks.empty()) work.emit_rest(all, late(all.count));
  return all.count;
}

/// Moves the selected elements to the front, in order. The finder must not look at elements before the one it is asked
/// about, or elements must be the same after they were moved from.
/// @returns how many were selected.
template <class It, class Finder>
std::uint64_t select_in_place(It first, std::uint64_t count, const Finder& finder) {
  const auto emit = [first](std::uint64_t k, std::uint64_t place) {
    if (place != k) detail::at(first, place) = std::ranges::iter_move(detail::advanced(first, k));
  };
  // In order and without a gap: what is emitted at once never overwrites an element that is only noted.
  using work_type = select_work<false, Finder, std::remove_const_t<decltype(emit)>>;
  const work_type work{finder, emit};
  typename work_type::state all{true, 0, work_type::k_nowhere, {}, {}};
  detail::run_parts(work, all, count);
  if (all.others.empty()) return all.count;
  // From the first part that was taken early on, all are only noted; they may not go where others still have to leave.
  const std::uint64_t in_place = all.others.front().place;
  const raw_memory<std::uint64_t> sources(all.count - in_place);
  work.emit_rest(
      all, [from = sources.data(), in_place](std::uint64_t k, std::uint64_t place) { from[place - in_place] = k; });
  buffer<std::iter_value_t<It>> moved(sources.size(),
                                      [first, from = sources.data()](std::uint64_t k) -> decltype(auto) {
                                        return std::ranges::iter_move(detail::advanced(first, from[k]));
                                      });
  moved.move_to(detail::advanced(first, in_place));
  return all.count;
}

}  // namespace TAKT_NAMESPACE::detail
