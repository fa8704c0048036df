// Loops: a latent frame with a moving lower bound and an upper bound that only a promotion lowers.
// See src/loop/README.md for the protocol.
//
// The templates below run loops over offsets [begin, end) of an `Operations` object:
//   void range(u64 begin, u64 end)   runs these iterations in order; never throws, keeps the first error
//   Operations fresh()               the operations of a half: same body, empty result
//   void take_half(u64 index, Operations&&)   receives a finished half (called by whoever ran it)
//   void half_failed(u64 index)      the half could not even start: keep the current exception
//   void merge(u64 halves)           combines the halves' results and errors in index order
#pragma once

#include <takt/detail/fork.hpp>

namespace takt::detail {

template <class Operations>
void run_half(slot* task);

/// Claims [i, i + chunk) or what is left of it: the claim is stored before the bound is read, also for a signal
/// handler that promotes in between. @returns the end of the claim; `i` when nothing is left.
TAKT_INLINE std::uint64_t claim(abi::loop_frame& frame, std::uint64_t i, std::uint64_t chunk) {
  std::uint64_t claimed = i + chunk;
  *const_cast<volatile std::uint64_t*>(&frame.next) = claimed;
  const std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);
  if (claimed > end) {
    claimed = end;
    frame.next = end;
  }
  return claimed;
}

/// The iterations of a loop that nests. Each is claimed by itself, so that a promotion below finds all the others,
/// except that iterations which turn out short, seen by no poll falling into them, are claimed ever more at a time:
/// their claims together stay well below a beat.
template <class Operations>
TAKT_INLINE void run_exposed(Operations& operations, abi::loop_frame& frame, std::uint64_t i) {
  constexpr std::uint64_t k_most_claimed = 32;
  std::uint64_t chunk = 1;
  std::uint64_t seen = polls();
  for (;;) {
    const std::uint64_t claimed = claim(frame, i, chunk);
    if (i >= claimed) return;
    operations.range(i, claimed);
    const std::uint64_t ran = claimed - i;
    i = claimed;
    // What a nested loop charges tells when the clock is due; this loop's own part is small, and taken for the whole
    // claim: one more read-modify-write of the credit per iteration would be the longest chain of a short row.
    if (spend(static_cast<std::int64_t>(ran) * abi::k_iteration_units)) takt_loop_due(&frame);
    const std::uint64_t now = polls();
    if (now == seen) {
      chunk = chunk < k_most_claimed ? 2 * chunk : chunk;
    } else {
      seen = now;
      chunk = chunk < 4 ? 1 : chunk / 4;
    }
  }
}

/// Runs iterations [begin, end) with a latent frame.
template <class Operations>
[[gnu::noinline]] void run_loop(Operations& operations, std::uint64_t begin, std::uint64_t end, abi::site* where) {
  abi::loop_frame frame;
  frame.next = begin;
  frame.end = end;
  frame.where = where;
  frame.run_half = &run_half<Operations>;
  frame.operations = &operations;
  frame.halves = 0;
  slot* const s = head();
  s->run = &takt_loop_mark;
  ::new (static_cast<void*>(s->payload)) abi::loop_frame*(&frame);
  set_head(s + 1);
  if (relaxed(where->nested) != 0) {
    if (spend_constant<abi::k_iteration_units>()) takt_loop_due(&frame);
    run_exposed(operations, frame, begin);
  } else {
    takt_loop_begin(&frame);
    for (std::uint64_t i = begin;;) {
      const std::uint64_t claimed = claim(frame, i, frame.chunk);
      if (i >= claimed) break;
      operations.range(i, claimed);
      const std::uint64_t ran = claimed - i;
      i = claimed;
      takt_loop_chunk(&frame, ran);
      if (frame.nested != 0) {
        run_exposed(operations, frame, i);
        break;
      }
    }
  }
  set_head(s);
  if (is_promoted(s)) {
    takt_loop_join(&frame, s);
    operations.merge(frame.halves);
  }
}

template <class Operations>
void run_half(slot* task) {
  const abi::half_payload half = *payload_of<abi::half_payload>(task);
  auto* parent = static_cast<Operations*>(half.parent->operations);
  try {
    Operations mine = parent->fresh();
    run_loop(mine, half.begin, half.end, half.parent->where);
    parent->take_half(half.index, std::move(mine));
  } catch (...) {
    parent->half_failed(half.index);
  }
}

/// The loop is known to nest, or could not run as a plain one inside the credit (it was charged `units` then).
template <class Operations>
void run_loop_slow(Operations& operations, std::uint64_t count, abi::site* where, std::int64_t units) {
  if (relaxed(where->nested) != 0 && head() != nullptr) {
    // Always with a frame, which costs a few stores.
    run_loop(operations, 0, count, where);
    return;
  }
  switch (takt_loop_poll(where, count, units)) {
    case abi::loop_entry::framed:
      run_loop(operations, 0, count, where);
      return;
    case abi::loop_entry::outside: {
      auto body = [&] { run_loop(operations, 0, count, where); };
      if (!run_outside(body)) operations.range(0, count);
      return;
    }
    case abi::loop_entry::timed: {
      const std::uint64_t begun = takt_clock();
      operations.range(0, count);
      takt_loop_timed(where, count, takt_clock() - begun);
      return;
    }
    case abi::loop_entry::plain:
      operations.range(0, count);
      return;
  }
}

/// The index after the one that threw. Opaque to the optimiser, which would otherwise carry i + 1 through the loop
/// as a second counter, in memory, for the sake of the handler.
template <class I>
TAKT_INLINE I after_throwing(I i) {
  __asm__("" : "+r"(i));
  return static_cast<I>(i + 1);
}

/// Units to charge for `count` iterations of an index of type I; a negative number when they would not fit any
/// credit.
template <class I>
TAKT_INLINE std::int64_t loop_units(std::uint64_t count, const abi::site& where) {
  // At most 2^32 iterations of at most 2^28 units: no overflow to look for.
  if constexpr (sizeof(I) <= 4) {
    const auto units = static_cast<std::int64_t>(count * relaxed(where.unit_cost));
    if (units < 0) __builtin_unreachable();
    return units;
  }
  std::int64_t units;
  if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(relaxed(where.unit_cost)), &units)) return -1;
  return units;
}

/// The first error of a loop: its own iterations come before the first half, that before the second.
class loop_errors {
 public:
  void keep() noexcept {
    if (!own_) own_ = std::current_exception();
  }
  void keep_half(std::uint64_t index, std::exception_ptr error) noexcept { half_[index] = std::move(error); }
  void merge(std::uint64_t halves) noexcept {
    for (std::uint64_t h = 0; h < halves; ++h) {
      if (!own_) own_ = std::move(half_[h]);
    }
  }
  std::exception_ptr take() noexcept { return std::move(own_); }
  void rethrow() {
    if (own_) std::rethrow_exception(std::move(own_));
  }
  explicit operator bool() const noexcept { return own_ != nullptr; }

 private:
  std::exception_ptr own_;
  std::exception_ptr half_[2];
};

}  // namespace takt::detail
