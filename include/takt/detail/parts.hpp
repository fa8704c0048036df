// Loops whose parts carry a state: a running total, a place in the output, counters.
// See docs/decisions/2026-11-21-algorithms.md for the protocol.
//
// A `Work` says what a loop over offsets [0, count) does:
//   using state             what a stretch of iterations leaves behind for the next one
//   void run(state&, u64 begin, u64 end) const   runs these iterations in order; may throw
//   state fresh(u64 begin) const                 the state of a part that starts at `begin` without the one before it
//   void absorb(state& before, state&& part) const   joins a part that began with fresh() to what comes before it
//
// Only parts that another worker took while the iterations before them were still running begin with fresh(). A part
// that runs when everything before it is done goes on with the state of its predecessor, as the serial loop would.
#pragma once

#include <takt/detail/loop.hpp>

#include <optional>

namespace TAKT_NAMESPACE::detail {

template <class Work>
class part_operations {
  using state = typename Work::state;

 public:
  part_operations(const Work& work, state& root) : work_(&work), to_(&root) {}
  part_operations(part_operations&&) = delete;

  // Not inlined, as in the other loops: the work gets all registers.
  [[gnu::noinline]] void range(std::uint64_t begin, std::uint64_t end) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    // What comes after an error in the same part could not be put together with what came before it.
    if (errors_) return;
    TAKT_TRY {
      if (to_ == nullptr) start(begin);
      work_->run(*to_, begin, end);
      // EDGE part.done: the state is complete up to here before a half that begins here goes on with it.
      __atomic_store_n(&done_, end, __ATOMIC_RELEASE);
    } TAKT_CATCH_ALL {
      errors_.keep();
    }
  }
  std::uint64_t steps(abi::loop_frame& frame, std::uint64_t i, std::uint64_t stop) noexcept {
    while (i < stop && claim_next(frame, i)) range(i - 1, i);
    return i;
  }
  static abi::site* where() { return &site_of<part_operations>; }
  part_operations fresh() { return part_operations(*work_, this); }
  void take_half(std::uint64_t index, part_operations&& half) {
    errors_.keep_half(index, half.errors_.take());
    ends_[index] = half.done_;
    if (half.own_) {
      half_[index].emplace(std::move(*half.own_));
    } else if (half.done_ != k_nothing) {
      // EDGE part.done: half 0 has gone on with our state, and half 1 may go on with it.
      __atomic_store_n(&done_, half.done_, __ATOMIC_RELEASE);
    }
  }
  void half_failed(std::uint64_t index) noexcept { errors_.keep_half(index, std::current_exception()); }
  void merge(std::uint64_t halves) noexcept {
    errors_.merge(halves);
    // None: promotion passed over the loop when it had nothing left to give.
    if (errors_ || halves == 0) return;
    TAKT_TRY {
      for (std::uint64_t h = 0; h < halves; ++h) {
        if (half_[h]) work_->absorb(*to_, std::move(*half_[h]));
      }
      __atomic_store_n(&done_, ends_[halves - 1], __ATOMIC_RELEASE);
    } TAKT_CATCH_ALL {
      errors_.keep();
    }
  }
  void rethrow() { errors_.rethrow(); }

 private:
  static constexpr std::uint64_t k_nothing = ~std::uint64_t{0};

  part_operations(const Work& work, part_operations* parent) : work_(&work), parent_(parent) {}

  void start(std::uint64_t begin) {
    // EDGE part.done: all before `begin` is in the parent's state, which nobody else touches until we are done.
    if (__atomic_load_n(&parent_->done_, __ATOMIC_ACQUIRE) == begin) {
      to_ = parent_->to_;
    } else {
      own_.emplace(work_->fresh(begin));
      to_ = &*own_;
    }
  }

  const Work* work_;
  part_operations* parent_ = nullptr;
  state* to_ = nullptr;
  std::uint64_t done_ = k_nothing;  ///< everything below is in *to_
  std::uint64_t ends_[2] = {};
  std::optional<state> own_;
  std::optional<state> half_[2];
  loop_errors errors_;
};

template <class Work>
TAKT_OUTLINE void run_parts_slow(const Work& work, typename Work::state& root, std::uint64_t count,
                                 std::int64_t units) {
  part_operations<Work> operations(work, root);
  detail::run_loop_slow(operations, count, units);
  operations.rethrow();
}

/// Runs `work` over [0, count); `root` is the state before offset 0 and, afterwards, behind the last one.
/// @throws the exception of the lowest offset that threw. Later offsets may or may not have run then.
template <class Work>
TAKT_INLINE void run_parts(const Work& work, typename Work::state& root, std::uint64_t count) {
  if (count == 0) return;
  if constexpr (!k_elided) {
    const abi::site& where = site_of<part_operations<Work>>;
    std::int64_t units;
    if (is_slow(count, where, units)) [[unlikely]] {
      detail::run_parts_slow(work, root, count, units);
      return;
    }
  }
  work.run(root, 0, count);
}

}  // namespace TAKT_NAMESPACE::detail
