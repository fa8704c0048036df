// Loops: a latent frame with a moving lower bound and an upper bound that only a promotion lowers.
// See src/loop/README.md for the protocol.
//
// What is the same for all loops is no template: it would be compiled anew for each of them, and took more of the
// compiler's time than the bodies did (docs/decisions/headers.md). It knows a loop as an object derived from
// loop_operations, and what to do with its iterations from a table, loop_kind.
#pragma once

#include <takt/detail/aside.hpp>
#include <takt/detail/fork.hpp>

namespace TAKT_NAMESPACE::detail {

class loop_operations;

/// Runs a half of one kind of loop. A function for each kind: the tools tell kinds of loops by it.
template <class Operations>
void run_half(slot* task) {
  Operations::half(task);
}

/// What can be done with the iterations [begin, end) of one kind of loop. None of these throws: the first error is kept
/// in the loop's operations.
struct loop_kind {
  abi::site* where;
  abi::run_function run_half;
  void (*enter)(void* outermost_loop);
  /// Runs these iterations in order. @returns `end`; or the one after the one that threw.
  std::uint64_t (*range)(loop_operations&, std::uint64_t begin, std::uint64_t end) noexcept;
  /// The same, claiming each iteration. @returns the first that was not run, or the one after the one that threw.
  std::uint64_t (*steps)(loop_operations&, abi::loop_frame&, std::uint64_t begin, std::uint64_t stop) noexcept;
  /// Does what is left to do with iterations once one has thrown, unless they are stopped.
  void (*rest)(loop_operations&, std::uint64_t begin, std::uint64_t end) noexcept;
  /// Combines the halves' results and errors with the loop's own, in index order.
  void (*merge)(loop_operations&, std::uint64_t halves) noexcept;
  /// For how many halves' results there is room.
  std::uint32_t most_halves = abi::k_most_parts;
  /// What stops such a loop: what stops everything, or that and what stops searches.
  bool (*is_stopped)() noexcept = &detail::is_stopped;
};

/// The first error of a loop: its own iterations come before the first half, that before the second. Made so that a
/// loop without errors pays one store and one test: nothing is constructed before it is needed.
class loop_errors {
 public:
  loop_errors() = default;
  loop_errors(loop_errors&& other) noexcept { *this = std::move(other); }
  loop_errors& operator=(loop_errors&& other) noexcept {
    if (other) keep(0, other.take());
    return *this;
  }
  ~loop_errors() {
    if (kept_ != 0) [[unlikely]]
      drop();
  }

  /// The exception being handled, as the loop's own.
  void keep() noexcept {
    detail::met_exception();
    keep(0, std::current_exception());
  }
  TAKT_COLD void keep_stopped() noexcept { keep(0, detail::stopped_error()); }
  /// Of one of its halves, any of which may do so at the same time.
  void keep_half(std::uint64_t index, std::exception_ptr error) noexcept {
    if (error) keep(1 + index, std::move(error));
  }
  /// All halves are done.
  void merge() noexcept {
    if (kept_ > 1) keep(0, at(static_cast<std::size_t>(__builtin_ctz(kept_ & ~1u))));
  }
  std::exception_ptr take() noexcept { return *this ? at(0) : std::exception_ptr{}; }
  TAKT_INLINE void rethrow() {
    if (*this) [[unlikely]]
      rethrow_first();
  }
  /// Whether it has one of its own; halves may be about to add theirs.
  explicit operator bool() const noexcept { return (relaxed(kept_) & 1) != 0; }

 private:
  [[noreturn]] TAKT_COLD void rethrow_first() { std::rethrow_exception(at(0)); }
  TAKT_COLD void drop() noexcept {
    for (std::uint32_t kept = kept_; kept != 0; kept &= kept - 1) {
      at(static_cast<std::size_t>(__builtin_ctz(kept))).~exception_ptr();
    }
  }
  std::exception_ptr& at(std::size_t i) { return *std::launder(reinterpret_cast<std::exception_ptr*>(cells_[i])); }
  // The first one kept stays.
  [[gnu::noinline]] void keep(std::size_t i, std::exception_ptr error) noexcept {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((relaxed(kept_) & bit) != 0) return;
    ::new (static_cast<void*>(cells_[i])) std::exception_ptr(std::move(error));
    __atomic_fetch_or(&kept_, bit, __ATOMIC_RELAXED);
  }

  // Of the loop itself, and of each half: a bit for each that there is.
  std::uint32_t kept_ = 0;
  alignas(std::exception_ptr) std::byte cells_[1 + abi::k_most_parts][sizeof(std::exception_ptr)];
};

/// A loop that is run by the functions below: what a kind of loop needs is in a type derived from it.
class loop_operations {
 public:
  TAKT_INLINE explicit loop_operations(const loop_kind& what) : kind(&what) {}

  const loop_kind* const kind;
  loop_errors errors;
};

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

/// Claims iteration `claimed` and counts it in; false when it is not this loop's any more, or a look is due. One counter
/// for both: with the iteration beside what is claimed, a short body has one register less and one more addition.
TAKT_INLINE bool claim_next(abi::loop_frame& frame, std::uint64_t& claimed) {
  if (is_overdrawn()) [[unlikely]]
    return false;
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

TAKT_INLINE void run_range(loop_operations& loop, std::uint64_t begin, std::uint64_t end) {
  if (!loop.errors) [[likely]]
    begin = loop.kind->range(loop, begin, end);
  if (begin != end) [[unlikely]]
    loop.kind->rest(loop, begin, end);
}

/// What is left of run_steps() once the loop has an error. There may be nothing left to claim.
TAKT_COLD inline std::uint64_t steps_after_error(loop_operations& loop, abi::loop_frame& frame, std::uint64_t claimed,
                                                 std::uint64_t stop) noexcept {
  while (claimed < stop && !detail::is_search_stopped() && detail::claim_next(frame, claimed)) {
    loop.kind->rest(loop, claimed - 1, claimed);
  }
  return claimed;
}

/// Runs iterations from `claimed` on, below `stop`, claiming each. @returns the first that was not run: `stop`, or all
/// are claimed, or a look is due.
TAKT_INLINE std::uint64_t run_steps(loop_operations& loop, abi::loop_frame& frame, std::uint64_t claimed,
                                    std::uint64_t stop) {
  if (!loop.errors) [[likely]]
    claimed = loop.kind->steps(loop, frame, claimed, stop);
  if (loop.errors) [[unlikely]]
    claimed = detail::steps_after_error(loop, frame, claimed, stop);
  return claimed;
}

/// Claims the next chunk, or what is left of it.
TAKT_INLINE abi::loop_chunk claim_chunk(abi::loop_cursor& c) {
  const std::uint64_t begin = c.at;
  c.at = detail::claim(c.frame, begin, c.chunk);
  return {begin, c.at};
}

/// At `at`, the loop is known to nest: nothing is known of how long its iterations take. `seen`: the polls when those
/// that have run began. A look is due.
TAKT_INLINE void expose(abi::loop_cursor& c, std::uint64_t at, std::uint64_t seen) {
  c.phase = abi::loop_phase::exposed;
  c.at = at;
  c.look = at;
  c.chunk = 1;
  c.clock = 0;
  c.timed = at;
  c.polls_seen = seen;
}

/// Runs all that is left of a loop, from one look to the next. Iterations that are claimed one at a time have a
/// function of their own.
TAKT_OUTLINE inline void run_chunks(loop_operations& loop, abi::loop_cursor& c) noexcept {
  std::uint64_t seen = detail::polls();
  for (;;) {
    const abi::loop_chunk first = takt_loop_next(&c);
    if (first.begin == first.end) return;
    if (const std::uint64_t now = detail::polls(); now != seen) [[unlikely]] {
      seen = now;
      if (loop.kind->is_stopped()) return loop.errors.keep_stopped();
    }
    detail::run_range(loop, first.begin, first.end);
    const std::uint64_t look = c.look;
    const std::uint64_t chunk = c.chunk;
    std::uint64_t at = first.end;
    if (chunk == 1 && at < look) {
      at = detail::run_steps(loop, c.frame, at, look);
    } else {
      for (std::uint64_t end; at < look && !is_overdrawn() && (end = detail::claim(c.frame, at, chunk)) > at; at = end) {
        detail::run_range(loop, at, end);
      }
    }
    if (at < look && c.phase == abi::loop_phase::exposed && !is_overdrawn()) return;
    c.at = at;
  }
}

/// takt_loop_mark, as the library has it: where calls are checked (-fsanitize=cfi-icall), its address here is another one.
TAKT_INLINE abi::run_function loop_mark() noexcept {
#if defined(__has_builtin) && __has_builtin(__builtin_function_start)
  return reinterpret_cast<abi::run_function>(__builtin_function_start(takt_loop_mark));
#else
  return &takt_loop_mark;
#endif
}

/// Pushes the slot of a loop over [begin, end), which is not empty. The first iteration is claimed from the start: a
/// promotion at once leaves it here, so that a loop of one iteration never becomes a task that is the same loop again.
/// takt_loop_enter may give it away with the others: then there is nothing left to claim.
TAKT_INLINE void push_loop(abi::loop_cursor& c, abi::run_function run_half, void* operations, std::uint64_t begin,
                           std::uint64_t end, std::uint32_t most_halves) {
  c.frame.next = begin + 1;
  c.frame.end = end;
  c.frame.run_half = run_half;
  c.frame.operations = operations;
  c.frame.halves = 0;
  c.frame.most_halves = most_halves;
  slot* const s = detail::head();
  s->run = detail::loop_mark();
  // What the frame before it said of its floating-point environment is not this one's (src/promotion/README.md).
  __builtin_memset(s->join, 0, sizeof(std::uint64_t));
  ::new (static_cast<void*>(s->payload)) abi::loop_frame*(&c.frame);
  c.pushed = s;
  detail::set_head(s + 1);
}

/// All is claimed: pops the slot. @returns whether there were halves to wait for.
TAKT_INLINE bool leave_loop(abi::loop_cursor& c) {
  slot* const s = c.pushed;
  detail::set_head(s);
  if (!detail::is_promoted(s)) [[likely]]
    return false;
  takt_loop_join(&c.frame, s);
  return true;
}

TAKT_INLINE void pop_loop(abi::loop_cursor& c, loop_operations& loop) {
  if (detail::leave_loop(c)) [[unlikely]]
    loop.kind->merge(loop, c.frame.halves);
}

/// What is left of a loop that nests after its first iterations.
TAKT_OUTLINE inline void run_exposed_on(loop_operations& loop, abi::loop_cursor& c, std::uint64_t at,
                                        std::uint64_t seen) noexcept {
  c.where = loop.kind->where;
  c.most = ~0ull;
  detail::expose(c, at, seen);
  detail::run_chunks(loop, c);
}

/// The credit has run out at the first iteration of such a loop.
TAKT_OUTLINE inline void enter_exposed(loop_operations& loop, abi::loop_cursor& c, std::uint64_t begin,
                                       std::uintptr_t stack) noexcept {
  c.where = loop.kind->where;
  c.at = begin;
  c.most = ~0ull;
  takt_loop_enter(&c, stack);
  // If all has been given away, its halves say so, and one of them may be what stops the others.
  if (c.frame.end != begin && loop.kind->is_stopped()) loop.errors.keep_stopped();
}

/// Runs the iterations of a loop that is known to nest; many are over before the first look, and never ask. `charged`:
/// what the fast path took from the credit in vain. `stack`: the stack pointer of the function that contains the loop.
TAKT_INLINE void run_loop_nested(loop_operations& loop, std::uint64_t begin, std::uint64_t end, std::int64_t charged,
                                 std::uintptr_t stack) {
  abi::loop_cursor c;
  detail::push_loop(c, loop.kind->run_half, &loop, begin, end, loop.kind->most_halves);
  if (detail::spend(abi::k_iteration_units - charged)) [[unlikely]]
    detail::enter_exposed(loop, c, begin, stack);
  const std::uint64_t seen = detail::polls();
  const std::uint64_t look = begin + abi::k_between_looks;
  const std::uint64_t at = detail::run_steps(loop, c.frame, begin, look);
  if (at == look || is_overdrawn()) detail::run_exposed_on(loop, c, at, seen);
  detail::pop_loop(c, loop);
}

/// Runs iterations [begin, end) with a latent frame.
TAKT_OUTLINE inline void run_loop(loop_operations& loop, std::uint64_t begin, std::uint64_t end) noexcept {
  if (loop.kind->is_stopped()) return loop.errors.keep_stopped();
  if (detail::relaxed(loop.kind->where->nested) != 0) {
    detail::run_loop_nested(loop, begin, end, 0, TAKT_CALLERS_STACK());
    return;
  }
  abi::loop_cursor c;
  c.at = begin;
  c.where = loop.kind->where;
  c.phase = abi::loop_phase::unknown;
  c.most = ~0ull;
  detail::push_loop(c, loop.kind->run_half, &loop, begin, end, loop.kind->most_halves);
  takt_loop_enter(&c, 0);
  detail::run_chunks(loop, c);
  detail::pop_loop(c, loop);
}

/// A loop on its way into the outermost parallel call of its thread.
struct outermost_loop {
  loop_operations* loop;
  std::uint64_t count;
};

/// Runs one kind of outermost_loop. A function for each kind, as run_half().
template <class Operations>
void enter_loop(void* given) {
  const auto& made = *static_cast<outermost_loop*>(given);
  if constexpr (requires { Operations::scope_of(*made.loop); }) {
    [[maybe_unused]] const auto scope = Operations::scope_of(*made.loop);
    detail::run_loop(*made.loop, 0, made.count);
  } else {
    detail::run_loop(*made.loop, 0, made.count);
  }
}

TAKT_OUTLINE inline void run_loop_polled(loop_operations& loop, std::uint64_t count, std::int64_t units) {
  abi::site* const where = loop.kind->where;
  const std::uint64_t seen = detail::polls();
  const abi::loop_way way = takt_loop_poll(where, count, units);
  // Outside of calls nothing is stopped.
  if (detail::head() != nullptr && detail::polls() != seen && loop.kind->is_stopped()) return loop.errors.keep_stopped();
  switch (way) {
    case abi::loop_way::framed:
      detail::run_loop(loop, 0, count);
      return;
    case abi::loop_way::outside: {
      outermost_loop all{&loop, count};
      if (!takt_enter(loop.kind->enter, &all)) detail::run_range(loop, 0, count);
      return;
    }
    case abi::loop_way::timed: {
      const std::uint64_t begun = takt_clock();
      detail::run_range(loop, 0, count);
      takt_loop_timed(where, count, takt_clock() - begun);
      return;
    }
    case abi::loop_way::plain:
      detail::run_range(loop, 0, count);
      return;
  }
}

/// The loop is known to nest, or could not run as a plain one inside the credit (it was charged `units` then).
/// `stack`: as above.
TAKT_INLINE void run_loop_slow(loop_operations& loop, std::uint64_t count, std::int64_t units, std::uintptr_t stack) {
  if (detail::relaxed(loop.kind->where->nested) != 0 && detail::head() != nullptr) {
    // Always with a frame, which costs a few stores.
    detail::run_loop_nested(loop, 0, count, units, stack);
  } else {
    detail::run_loop_polled(loop, count, units);
  }
}

/// The same for loops that are templates.
TAKT_OUTLINE inline void run_loop_off(loop_operations& loop, std::uint64_t count, std::int64_t units,
                                      std::uintptr_t stack) {
  detail::run_loop_slow(loop, count, units, stack);
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
  // Read before it is known to matter, for the sake of how many loads a row has.
  const std::uint32_t known = relaxed(where.unit_cost);
  if (is_free(count, where)) [[likely]] {
    units = 0;
    return false;
  }
  return is_charged_slow(count, where, known, units);
}

}  // namespace TAKT_NAMESPACE::detail
