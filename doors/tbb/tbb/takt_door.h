// What takt's versions of oneTBB's headers share: how an algorithm runs, and how a range is cut.
//
// What schedules is replaced. Ranges, containers, mutexes and allocators remain oneTBB's own, found behind this folder.
#pragma once

#include "../../halve.hpp"

#include <takt/takt.hpp>

// The names are oneTBB's own where its headers came first. Those that are asked for later have nothing to add.
#if defined(__TBB_task_group_H) || defined(__TBB_task_arena_H) || defined(__TBB_partitioner_H)
#error "takt's oneTBB headers come too late: put doors/tbb first among the include paths, and do without flow graphs here"
#endif
#define __TBB_combinable_H
#define __TBB_enumerable_thread_specific_H
#define __TBB_global_control_H
#define __TBB_info_H
#define __TBB_parallel_for_H
#define __TBB_parallel_for_each_H
#define __TBB_parallel_invoke_H
#define __TBB_parallel_pipeline_H
#define __TBB_parallel_filters_H
#define __TBB_parallel_reduce_H
#define __TBB_parallel_scan_H
#define __TBB_parallel_sort_H
#define __TBB_partitioner_H
#define __TBB_task_arena_H
#define __TBB_task_group_H

#include <oneapi/tbb/blocked_range.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

#if !defined(__cpp_lib_jthread)
#error "takt's oneTBB headers need std::stop_source: libc++ has it with -fexperimental-library"
#endif

namespace tbb {
// Objects of a file that includes these, and of one that includes oneTBB's, are of different types.
inline namespace on_takt {

class task_group_context {
 public:
  enum kind_type { isolated, bound };
  enum traits_type { fp_settings = 1 << 1, concurrent_wait = 1 << 2, default_traits = 0 };

  task_group_context(kind_type kind = bound, std::uintptr_t traits = default_traits) : kind_(kind), traits_(traits) {}
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  void reset() { source_ = std::stop_source(); }
  /// @returns whether this is the first request.
  bool cancel_group_execution() { return source_.request_stop(); }
  bool is_group_execution_cancelled() const { return source_.stop_requested(); }
  void capture_fp_settings() {}
  std::uintptr_t traits() const { return traits_; }

  kind_type kind() const { return kind_; }
  std::stop_token token() const { return source_.get_token(); }

 private:
  const kind_type kind_;
  const std::uintptr_t traits_;
  std::stop_source source_;
};

inline bool is_current_task_group_canceling() { return takt::stop_requested(); }

class simple_partitioner {};
class auto_partitioner {};
class static_partitioner {};
/// What it would learn is not kept: it cuts as auto_partitioner does.
class affinity_partitioner {};

namespace door {

/// Runs `f` as oneTBB runs an algorithm: an exception ends the rest of it, and what is ended from around it returns to
/// the body that called it.
template <class F>
void run(F&& f) {
  try {
    static_cast<void>(takt::with_stop(takt::on_exception::stop, std::forward<F>(f)));
  } catch (const takt::stopped&) {
  }
}
template <class F>
void run(task_group_context& context, F&& f) {
  const auto within = [&] { takt::with_stop(context.token(), [&] { door::run(f); }); };
  try {
    if (context.kind() == task_group_context::isolated) {
      takt::without_stop(within);
    } else {
      within();
    }
  } catch (const takt::stopped&) {
  } catch (...) {
    context.cancel_group_execution();
    throw;
  }
}

/// What can follow the body of an algorithm: a partitioner, a context, or both.
template <class T>
inline constexpr bool is_partitioner =
    std::same_as<T, simple_partitioner> || std::same_as<T, auto_partitioner> || std::same_as<T, static_partitioner> ||
    std::same_as<T, affinity_partitioner>;
template <class T>
concept manner =
    is_partitioner<std::remove_cvref_t<T>> || std::same_as<std::remove_cvref_t<T>, task_group_context>;

template <class F>
void run_as(F&& f) {
  door::run(std::forward<F>(f));
}
template <class F, manner First, class... Rest>
void run_as(F&& f, First& first, Rest&... rest) {
  if constexpr (std::same_as<std::remove_cv_t<First>, task_group_context>) {
    door::run(first, std::forward<F>(f));
  } else {
    door::run_as(std::forward<F>(f), rest...);
  }
}

/// One more child, also in code that is cancelled: oneTBB throws nothing there.
template <class F>
void add(takt::task_group& group, F&& f) {
  takt::without_stop([&] { group.run(std::forward<F>(f)); });
}

using takt::doors::cuts;
using takt::doors::workers;

template <class Partitioner>
cuts cuts_of() {
  if constexpr (std::same_as<Partitioner, simple_partitioner>) {
    return {~std::size_t{0}, 0, false};
  } else if constexpr (std::same_as<Partitioner, static_partitioner>) {
    return {door::workers(), 0, true};
  } else {
    cuts usual = takt::doors::usual_cuts();
    usual.in_proportion = std::same_as<Partitioner, affinity_partitioner>;
    return usual;
  }
}
template <class Default>
cuts cuts_as() {
  return door::cuts_of<Default>();
}
template <class Default, manner First, class... Rest>
cuts cuts_as(const First&, const Rest&... rest) {
  if constexpr (is_partitioner<First>) {
    return door::cuts_of<First>();
  } else {
    return door::cuts_as<Default>(rest...);
  }
}

template <class Range>
Range upper_part(Range& range, [[maybe_unused]] cuts allowed) {
  if constexpr (std::is_constructible_v<Range, Range&, proportional_split&>) {
    proportional_split shares(allowed.lower().parts, allowed.upper(false).parts);
    if (allowed.in_proportion) return Range(range, shares);
  }
  return Range(range, tbb::split());
}

/// As takt::doors::halve, for a range of oneTBB's.
template <class Range, class Left, class Right>
bool halve(Range& range, cuts allowed, const Left& left, const Right& right) {
  return takt::doors::halve(
      range, allowed, [&] { return door::upper_part(range, allowed); }, left, right);
}

}  // namespace door
}  // namespace on_takt
}  // namespace tbb
