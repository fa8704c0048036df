// Loops: a latent frame with a moving lower bound and an upper bound that only a promotion lowers.
// See src/loop/README.md for the protocol.
//
// The templates below run loops over offsets [begin, end) of an `Operations` object:
//   void range(u64 begin, u64 end)   runs these iterations in order; never throws, keeps the first error
//   u64 steps(frame, u64 begin, u64 stop)   the same, claiming each iteration; returns the first that was not run
//   Operations fresh()               the operations of a half: same body, empty result
//   void take_half(u64 index, Operations&&)   receives a finished half (called by whoever ran it)
//   void half_failed(u64 index)      the half could not even start: keep the current exception
//   void merge(u64 halves)           combines the halves' results and errors in index order
#pragma once

#include <takt/detail/aside.hpp>
#include <takt/detail/fork.hpp>

namespace TAKT_NAMESPACE::detail {

template <class Operations>
void run_half(slot* task);

/// Claims [i, i + chunk) or what is left of it: the claim is stored before the bound is read, also for a signal
/// handler that promotes in between. @returns the end of the claim; `i` when nothing is left.
TAKT_INLINE std::uint64_t claim(abi::loop_frame& frame, std::uint64_t i, std::uint64_t chunk) {
  std::uint64_t claimed = i + chunk;
  *const_cast<volatile std::uint64_t*>(&frame.next) = claimed;
  TAKT_POINT();
  const std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);
  if (claimed > end) {
    claimed = end;
    frame.next = end;
  }
  return claimed;
}

/// Claims iteration `claimed` and counts it in; false when it is not this loop's any more. One counter for both: with
/// the iteration beside what is claimed, a short body has one register less and one more addition.
TAKT_INLINE bool claim_next(abi::loop_frame& frame, std::uint64_t& claimed) {
  const std::uint64_t next = claimed + 1;
  *const_cast<volatile std::uint64_t*>(&frame.next) = next;
  TAKT_POINT();
  const std::uint64_t end = *const_cast<volatile std::uint64_t*>(&frame.end);
  if (next > end) [[unlikely]] {
    frame.next = end;
    return false;
  }
  claimed = next;
  return true;
}

/// What is left of `steps` once the loop has an error. There may be nothing left to claim.
template <class Operations>
TAKT_COLD std::uint64_t steps_after_error(Operations& operations, abi::loop_frame& frame, std::uint64_t claimed,
                                          std::uint64_t stop) noexcept {
  while (claimed < stop && claim_next(frame, claimed)) operations.range(claimed - 1, claimed);
  return claimed;
}

inline constexpr std::uint64_t k_between_looks = 16;

/// A loop that nests begins to claim more than one iteration at a time: nothing is known of how long they take.
TAKT_INLINE void forget_claims(abi::loop_frame& frame) {
  frame.last_clock = 0;
  frame.chunk = ~0ull;
}

/// How many iterations to claim at a time from here on; `i` is the next, and `seen` the polls at the last call. After
/// the first ones as many as the loop of this site before this one came to; else twice as many while no poll falls into
/// them. But claims of 16 or more are measured, and stay well below a beat. Once they are long enough the clock is read
/// only when a poll is due: a read waits for all that the thread has under way.
TAKT_INLINE std::uint64_t next_claim(abi::loop_frame& frame, std::uint64_t i, std::uint64_t chunk,
                                     std::uint64_t& seen) {
  // What a nested loop charges tells when the clock is due; this loop's own part is small: one more read-modify-write
  // of the credit per iteration would be the longest chain of a short row.
  if (spend_constant<static_cast<std::int64_t>(k_between_looks) * abi::k_iteration_units>()) [[unlikely]] {
    chunk = takt_loop_due(&frame, i, chunk);
    seen = polls();
    return chunk;
  }
  const std::uint64_t now = polls();
  if (now != seen) {
    seen = now;
    forget_claims(frame);
    return chunk < 4 ? 1 : chunk / 4;
  }
  if (chunk >= frame.chunk) return chunk;
  return chunk != 1 && chunk < k_between_looks ? 2 * chunk : takt_loop_claims(&frame, i, chunk);
}

/// What is left of a loop that nests after its first iterations. Iterations that turn out short, seen by no poll
/// falling into them, are claimed ever more at a time.
template <class Operations>
[[gnu::noinline]] void run_exposed_on(Operations& operations, abi::loop_frame& frame, std::uint64_t i,
                                      std::uint64_t seen) {
  frame.where = Operations::where();
  forget_claims(frame);
  for (std::uint64_t chunk = 1;;) {
    chunk = next_claim(frame, i, chunk, seen);
    const std::uint64_t look = i + (chunk < k_between_looks ? k_between_looks : chunk);
    if (chunk == 1) {
      i = operations.steps(frame, i, look);
    } else {
      for (std::uint64_t end; i < look && (end = claim(frame, i, chunk)) > i; i = end) operations.range(i, end);
    }
    if (i < look) return;
  }
}

/// Runs the iterations from `i` on of a loop that nests. Each is claimed by itself, so that a promotion below finds all
/// the others; many loops are over after a few.
template <class Operations>
TAKT_INLINE void run_exposed(Operations& operations, abi::loop_frame& frame, std::uint64_t i) {
  const std::uint64_t seen = polls();
  const std::uint64_t look = i + k_between_looks;
  const std::uint64_t at = operations.steps(frame, i, look);
  if (at == look) detail::run_exposed_on(operations, frame, at, seen);
}

/// Pushes the slot of a loop over [begin, end), which is not empty. The first iteration is claimed from the start: a
/// promotion at once leaves it here, so that a loop of one iteration never becomes a task that is the same loop again.
template <class Operations>
TAKT_INLINE slot* push_loop(abi::loop_frame& frame, Operations& operations, std::uint64_t begin, std::uint64_t end) {
  frame.next = begin + 1;
  frame.end = end;
  frame.run_half = &run_half<Operations>;
  frame.operations = &operations;
  frame.halves = 0;
  slot* const s = head();
  s->run = &takt_loop_mark;
  ::new (static_cast<void*>(s->payload)) abi::loop_frame*(&frame);
  set_head(s + 1);
  return s;
}

template <class Operations>
TAKT_INLINE void pop_loop(abi::loop_frame& frame, Operations& operations, slot* s) {
  set_head(s);
  if (is_promoted(s)) [[unlikely]] {
    takt_loop_join(&frame, s);
    operations.merge(frame.halves);
  }
}

/// Runs the iterations of a loop that is known to nest. `charged`: what the fast path took from the credit in vain.
template <class Operations>
TAKT_INLINE void run_loop_nested(Operations& operations, std::uint64_t begin, std::uint64_t end, std::int64_t charged) {
  abi::loop_frame frame;
  slot* const s = detail::push_loop(frame, operations, begin, end);
  if (spend(abi::k_iteration_units - charged)) [[unlikely]]
    takt_loop_pushed(&frame, Operations::where(), TAKT_CALLERS_STACK());
  detail::run_exposed(operations, frame, begin);
  detail::pop_loop(frame, operations, s);
}

/// Runs iterations [begin, end) with a latent frame.
template <class Operations>
[[gnu::noinline]] void run_loop(Operations& operations, std::uint64_t begin, std::uint64_t end, abi::site* where) {
  if (relaxed(where->nested) != 0) {
    detail::run_loop_nested(operations, begin, end, 0);
    return;
  }
  abi::loop_frame frame;
  frame.where = where;
  slot* const s = detail::push_loop(frame, operations, begin, end);
  takt_loop_begin(&frame);
  for (std::uint64_t i = begin;;) {
    const std::uint64_t claimed = claim(frame, i, frame.chunk);
    if (i >= claimed) break;
    operations.range(i, claimed);
    const std::uint64_t ran = claimed - i;
    i = claimed;
    takt_loop_chunk(&frame, ran);
    if (frame.nested != 0) {
      detail::run_exposed(operations, frame, i);
      break;
    }
  }
  detail::pop_loop(frame, operations, s);
}

template <class Operations>
void run_half(slot* task) {
  const abi::half_payload half = *payload_of<abi::half_payload>(task);
  auto* parent = static_cast<Operations*>(half.parent->operations);
  TAKT_TRY {
    Operations mine = parent->fresh();
    detail::run_loop(mine, half.begin, half.end, parent->where());
    parent->take_half(half.index, std::move(mine));
  } TAKT_CATCH_ALL {
    parent->half_failed(half.index);
  }
}

template <class Operations>
[[gnu::noinline]] void run_loop_polled(Operations& operations, std::uint64_t count, abi::site* where,
                                       std::int64_t units) {
  switch (takt_loop_poll(where, count, units)) {
    case abi::loop_entry::framed:
      detail::run_loop(operations, 0, count, where);
      return;
    case abi::loop_entry::outside: {
      auto body = [&] { detail::run_loop(operations, 0, count, where); };
      if (!detail::run_outside(body)) operations.range(0, count);
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

/// The loop is known to nest, or could not run as a plain one inside the credit (it was charged `units` then).
template <class Operations>
TAKT_INLINE void run_loop_slow(Operations& operations, std::uint64_t count, std::int64_t units) {
  if (detail::relaxed(Operations::where()->nested) != 0 && head() != nullptr) {
    // Always with a frame, which costs a few stores.
    detail::run_loop_nested(operations, 0, count, units);
  } else {
    detail::run_loop_polled(operations, count, Operations::where(), units);
  }
}

/// The index after the one that threw. Opaque to the optimiser, which would otherwise carry i + 1 through the loop
/// as a second counter, in memory, for the sake of the handler.
template <class I>
TAKT_INLINE I after_throwing(I i) {
  if constexpr (sizeof(I) <= 8) __asm__("" : "+r"(i));
  return static_cast<I>(i + 1);
}

/// Charges `count` iterations, each `known`, of a loop that is not free. As is_slow() otherwise.
TAKT_INLINE bool is_charged_slow(std::uint64_t count, const abi::site& where, std::uint32_t known,
                                 std::int64_t& units) {
  if (known == abi::k_unknown_cost) [[unlikely]] {
    // Nests, or has never run: nothing to charge.
    units = 0;
    return !in_free_band(where);
  }
  const auto cost = static_cast<std::int64_t>(known);
  // Where the count does not fit the signed type the loop does not end anyhow.
  if (__builtin_mul_overflow(static_cast<std::int64_t>(count), cost, &units)) [[unlikely]] {
    units = 0;
    return true;
  }
  return spend(units);
}

/// Whether the loop is so short that it is not charged.
TAKT_INLINE bool is_free(std::uint64_t count, const abi::site& where) { return count < relaxed(where.free_below); }

/// Charges `count` iterations, unless there are so few that they are free. @returns true when the loop must leave the
/// fast path: it does not fit the credit, or the site nests or has never run.
/// `units` is what was charged.
TAKT_INLINE bool is_slow(std::uint64_t count, const abi::site& where, std::int64_t& units) {
  // Read before it is known to matter, for the sake of how many loads a row has
  // (docs/decisions/2026-11-22-rows-and-the-clock.md).
  const std::uint32_t known = relaxed(where.unit_cost);
  if (is_free(count, where)) [[likely]] {
    units = 0;
    return false;
  }
  return is_charged_slow(count, where, known, units);
}

/// The first error of a loop: its own iterations come before the first half, that before the second. Made so that a
/// loop without errors pays one store and one test: nothing is constructed before it is needed.
class loop_errors {
 public:
  loop_errors() = default;
  loop_errors(loop_errors&& other) noexcept { *this = std::move(other); }
  loop_errors& operator=(loop_errors&& other) noexcept {
    if (other.kept_[0]) keep(0, other.take());
    return *this;
  }
  ~loop_errors() {
    if (any()) [[unlikely]]
      drop();
  }

  /// The exception being handled, as the loop's own.
  void keep() noexcept { keep(0, std::current_exception()); }
  void keep_half(std::uint64_t index, std::exception_ptr error) noexcept {
    if (error) keep(1 + index, std::move(error));
  }
  void merge(std::uint64_t halves) noexcept {
    for (std::size_t h = 1; h <= halves; ++h) {
      if (kept_[h]) keep(0, at(h));
    }
  }
  std::exception_ptr take() noexcept { return kept_[0] ? at(0) : std::exception_ptr{}; }
  TAKT_INLINE void rethrow() {
    if (kept_[0]) [[unlikely]]
      rethrow_first();
  }
  explicit operator bool() const noexcept { return kept_[0]; }

 private:
  TAKT_INLINE bool any() const {
    std::uint32_t all;
    __builtin_memcpy(&all, kept_, sizeof all);
    return all != 0;
  }
  [[noreturn]] TAKT_COLD void rethrow_first() { std::rethrow_exception(at(0)); }
  TAKT_COLD void drop() noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
      if (kept_[i]) at(i).~exception_ptr();
    }
  }
  std::exception_ptr& at(std::size_t i) { return *std::launder(reinterpret_cast<std::exception_ptr*>(cells_[i])); }
  // The first one kept stays.
  [[gnu::noinline]] void keep(std::size_t i, std::exception_ptr error) noexcept {
    if (kept_[i]) return;
    ::new (static_cast<void*>(cells_[i])) std::exception_ptr(std::move(error));
    kept_[i] = true;
  }

  alignas(4) bool kept_[4] = {};
  alignas(std::exception_ptr) std::byte cells_[3][sizeof(std::exception_ptr)];
};

}  // namespace TAKT_NAMESPACE::detail
