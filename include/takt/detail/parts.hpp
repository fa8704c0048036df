// Loops whose parts carry a state: a running total, a place in the output, counters.
// See docs/decisions/algorithms.md for the protocol.
//
// A `Work` says what a loop over offsets [0, count) does:
//   using state             what a stretch of iterations leaves behind for the next one
//   void run(state&, u64 begin, u64 end) const   runs these iterations in order; may throw
//   state fresh(u64 begin) const                 the state of a part that starts at `begin` without the one before it
//   void absorb(state& before, state&& part) const   joins a part that began with fresh() to what comes before it
// A search has, too:
//   scope around() const, scope around_half(u64 begin) const   what stops it, and what stops a part that begins there
//
// Only parts that another worker took while the iterations before them were still running begin with fresh(). A part
// that runs when everything before it is done goes on with the state of its predecessor, as the serial loop would. Of a
// part that has been given away whole, half 0 is all that comes first: it goes on as that part would have begun.
#pragma once

#include <takt/detail/large.hpp>
#include <takt/detail/loop.hpp>

#include <optional>

namespace TAKT_NAMESPACE::detail {

/// Steps that are ranges of one iteration each.
inline std::uint64_t steps_of_ranges(loop_operations& loop, abi::loop_frame& frame, std::uint64_t i,
                                     std::uint64_t stop) noexcept {
  while (i < stop && detail::claim_next(frame, i)) detail::run_range(loop, i - 1, i);
  return i;
}
/// What comes after an error in the same part could not be put together with what came before it.
inline void no_rest(loop_operations&, std::uint64_t, std::uint64_t) noexcept {}

/// Loops that are stopped by what stops searches.
template <class Work>
concept search_work = requires(const Work& work) { work.around(); };
struct no_scope {
  ~no_scope() {}
};
template <class Work>
TAKT_INLINE auto around(const Work& work) {
  if constexpr (search_work<Work>) {
    return work.around();
  } else {
    return no_scope{};
  }
}
template <class Work>
TAKT_INLINE auto around_half(const Work& work, std::uint64_t begin) {
  if constexpr (search_work<Work>) {
    return work.around_half(begin);
  } else {
    return no_scope{};
  }
}
template <class Work>
inline constexpr auto k_asked_by = search_work<Work> ? &detail::is_search_stopped : &detail::is_stopped;

template <class Work>
class part_operations : public loop_operations {
  using state = typename Work::state;

 public:
  part_operations(const Work& work, state& root) : loop_operations(kind), work_(&work), to_(&root) {}
  part_operations(const part_operations&) = delete;

 private:
  part_operations(const Work& work, part_operations* parent, std::uint64_t begin)
      : loop_operations(kind), work_(&work), parent_(parent), done_(begin) {}

  // Not inlined, as in the other loops: the work gets all registers.
  [[gnu::noinline]] static std::uint64_t range_until_threw(loop_operations& loop, std::uint64_t begin,
                                                           std::uint64_t end) noexcept {
    TAKT_KEEP_FRAME_POINTER();
    auto& own = static_cast<part_operations&>(loop);
    TAKT_TRY {
      if (own.to_ == nullptr) own.start(begin);
      own.work_->run(*own.to_, begin, end);
      // EDGE part.done: the state is complete up to here before a half that begins here goes on with it.
      __atomic_store_n(&own.done_, end, __ATOMIC_RELEASE);
    } TAKT_CATCH_ALL {
      own.errors.keep();
    }
    return end;
  }
  TAKT_COLD static void merge(loop_operations& loop, std::uint64_t halves) noexcept {
    auto& own = static_cast<part_operations&>(loop);
    own.errors.merge();
    // None: promotion passed over the loop when it had nothing left to give.
    if (own.errors || halves == 0) return;
    TAKT_TRY {
      for (std::uint64_t h = 0; h < halves; ++h) {
        if (own.halves_.has(h)) own.work_->absorb(*own.to_, std::move(own.halves_[h]));
      }
      __atomic_store_n(&own.done_, own.ends_[halves - 1], __ATOMIC_RELEASE);
    } TAKT_CATCH_ALL {
      own.errors.keep();
    }
  }
  void start(std::uint64_t begin) {
    // EDGE part.done: all before `begin` is in the parent's state, which nobody else touches until we are done.
    if (__atomic_load_n(&parent_->done_, __ATOMIC_ACQUIRE) == begin) {
      // Of a part that was given away whole nothing has run: it starts here, too.
      if (parent_->to_ == nullptr) parent_->start(begin);
      to_ = parent_->to_;
    } else {
      own_.emplace(work_->fresh(begin));
      to_ = &*own_;
    }
  }
  void take_half(std::uint64_t index, part_operations& half) {
    errors.keep_half(index, half.errors.take());
    ends_[index] = half.done_;
    if (half.own_) {
      halves_.emplace(index, std::move(*half.own_));
    } else if (half.to_ != nullptr) {
      // EDGE part.done: half 0 has gone on with our state, and half 1 may go on with it.
      __atomic_store_n(&done_, half.done_, __ATOMIC_RELEASE);
    }
  }

 public:
  TAKT_COLD static void half(slot* task) {
    const abi::half_payload part = *detail::payload_of<abi::half_payload>(task);
    auto& parent = static_cast<part_operations&>(*static_cast<loop_operations*>(part.parent->operations));
    TAKT_TRY {
      part_operations mine(*parent.work_, &parent, part.begin);
      [[maybe_unused]] const auto scope = detail::around_half(*parent.work_, part.begin);
      detail::run_loop(mine, part.begin, part.end);
      parent.take_half(part.index, mine);
    } TAKT_CATCH_ALL {
      parent.errors.keep_half(part.index, std::current_exception());
    }
  }
  /// For the outermost call of a thread, see run_parts_slow.
  static auto scope_of(loop_operations& loop) { return detail::around(*static_cast<part_operations&>(loop).work_); }
  static constexpr loop_kind kind{
      &site_of<part_operations>, &run_half<part_operations>, &enter_loop<part_operations>, &range_until_threw,
      &steps_of_ranges,          &no_rest,                   &merge,                       half_results<state>::k_most,
      k_asked_by<Work>};

 private:
  const Work* work_;
  part_operations* parent_ = nullptr;
  state* to_ = nullptr;     ///< null: nothing of it has run
  std::uint64_t done_ = 0;  ///< everything below, from where it begins, is in *to_
  std::uint64_t ends_[half_results<state>::k_most];
  optional_value<state> own_;
  half_results<state> halves_;
};

template <class Work>
TAKT_OUTLINE void run_parts_slow(const Work& work, typename Work::state& root, std::uint64_t count,
                                 std::int64_t units) {
  part_operations<Work> operations(work, root);
  detail::run_loop_off(operations, count, units, TAKT_CALLERS_STACK());
  operations.errors.rethrow();
}

/// Runs `work` over [0, count); `root` is the state before offset 0 and, afterwards, behind the last one.
/// @throws the exception of the lowest offset that threw. Later offsets may or may not have run then.
template <class Work>
TAKT_INLINE void run_parts(const Work& work, typename Work::state& root, std::uint64_t count) {
  static_assert(!search_work<Work>, "it has a scope: algorithms/find.hpp");
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
