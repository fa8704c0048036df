// Fewer workers for a part of a program, code that blocks, and the number of a worker.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/inside.hpp>
#include <takt/detail/misfit.hpp>
#include <takt/seats.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace TAKT_NAMESPACE {

/// Runs `f()`, and what is forked in it, on at most `n` workers at a time. Others go on with what else there is.
///
///     takt::with_workers(2, [&] { compress(files); });
///
/// @returns what `f()` returns, and throws what it throws, as with_policy does.
///
/// The limit holds for what `f` forks, at any depth and on any thread, and for children of groups that it adds to, if
/// the group was made in `f`. A with_workers inside another one has both limits. With as many workers as there are, or
/// more, nothing changes.
///
/// With `n` = 1, all of `f` runs in order on one fiber. Code that takt::blocking has taken from its worker keeps its
/// place. Code with a takt::stay comes back from a wait at once, although others may have taken its place meanwhile.
///
/// Cost: less than a microsecond.
/// @throws std::invalid_argument if `n` is less than 1; std::bad_alloc if memory is short, or there are more than eight
/// thousand such parts and outermost calls at a time. `f` has not been called then.
template <detail::size_like N, std::invocable F>
auto with_workers(N n, F&& f) -> std::invoke_result_t<F> {
  if (n < 1) detail::raise<std::invalid_argument>("takt::with_workers: n must be at least 1");
  if constexpr (detail::k_elided) {
    return static_cast<F&&>(f)();
  } else {
    detail::kept_call<F> call(static_cast<F&&>(f));
#ifndef TAKT_ELISION
    const std::uint64_t most = std::min(static_cast<std::uint64_t>(n), std::uint64_t{std::numeric_limits<std::int32_t>::max()});
    const auto inside = [&call, most] {
      const auto way = takt_with_workers(static_cast<std::uint32_t>(most), &call.start, &call);
      if (way == abi::part_way::no_memory) detail::raise<std::bad_alloc>();
      return way == abi::part_way::done;
    };
    if (!detail::run_inside(inside)) detail::raise<std::bad_alloc>();
#endif
    return call.take();
  }
}

template <class... Arguments>
auto with_workers(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::with_workers: takes a number and a callable that is called without arguments");
  return detail::anything{};
}

/// Runs `f()`, which may block: in a read, a lock, a wait for another process. Meanwhile another thread works in place of
/// this one, so that as many workers compute as before.
///
///     const ssize_t n = takt::blocking([&] { return read(file, buffer, size); });
///
/// @returns what `f()` returns, and throws what it throws. Outside of parallel calls this is `f()`.
///
/// `f` runs on the calling thread, and the code behind it goes on there. If all workers are busy by then, it goes on
/// beside them until one is free; so it may hold a lock that they want. What the caller could have shared becomes tasks
/// first, as nobody could reach it otherwise.
///
/// takt starts a thread for each one that blocks, as long as there is something to do; if none can be had, this is a
/// plain call. As many as there are workers are kept for later, and the others end.
///
/// Cost: half a microsecond, and the wake-up of a thread if there is something to do.
template <std::invocable F>
auto blocking(F&& f) -> std::invoke_result_t<F> {
  if constexpr (detail::k_elided) {
    return static_cast<F&&>(f)();
  } else {
    detail::kept_call<F> call(static_cast<F&&>(f));
#ifndef TAKT_ELISION
    if (!takt_blocking(&call.start, &call)) call.run();
#endif
    return call.take();
  }
}

template <class... Arguments>
auto blocking(const Arguments&...) {
  static_assert(detail::never<Arguments...>, "takt::blocking: takes a callable that is called without arguments");
  return detail::anything{};
}

#ifdef TAKT_ELISION

TAKT_INLINE unsigned worker_count() { return 1; }
TAKT_INLINE unsigned worker_index() { return 0; }

#else

/// One more than the most workers that there may be until the next configure(): worker_index() is less. How many there
/// are is `current_config().workers`.
/// @throws std::bad_alloc
TAKT_INLINE unsigned worker_count() {
  const unsigned count = takt_worker_count();
  if (count == 0) detail::raise<std::bad_alloc>();
  return count;
}

/// The number of the worker that runs the calling code: no two that run in parallel calls at the same time have the same.
///
///     std::vector<scratch> of_worker(takt::worker_count());
///     takt::parallel_for(0, n, [&](int i) { use(of_worker[takt::worker_index()], i); });
///
/// It stays the same until the code uses takt again: a fork, loop, algorithm, group, memory report or blocking() may go
/// on under another number. What runs inside of those may have the same number as the code around. (With a memory
/// budget that watches allocations, each allocation counts as a use.)
///
/// All code outside of parallel calls has the last number, `worker_count() - 1`. A loop that is known to be short runs
/// outside of a call when serial code begins it. So if several threads of the program share what is found by the number,
/// each begins with takt::with_workers, which is always a call.
///
/// With more calls than workers, code may be without a worker; this waits for one then. Do not call it under a lock that
/// other calls want, or in blocking().
///
/// Cost: a few nanoseconds.
TAKT_INLINE unsigned worker_index() { return takt_worker_index(); }

#endif

}  // namespace TAKT_NAMESPACE
