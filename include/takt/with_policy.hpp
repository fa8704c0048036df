// with_policy: one computation under a policy of its own.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/inside.hpp>
#include <takt/detail/misfit.hpp>

#include <cstdint>
#include <type_traits>

namespace TAKT_NAMESPACE {
namespace detail {

/// Whether the library has it: it may have been built with more than `policy` names.
inline bool has_policy(policy wanted) noexcept {
#ifndef TAKT_ELISION
  if (wanted > policy::ml_adws) return takt_has_policy(static_cast<std::int32_t>(wanted));
#endif
  return wanted >= policy::automatic && wanted <= policy::ml_adws;
}

}  // namespace detail

/// Runs `f()`, and what is forked in it, under the policy `wanted`, whatever the policy of the process is.
///
///     takt::with_policy(takt::policy::adws, [&] { solve(grid); });
///
/// @returns what `f()` returns; it must be movable, unless it is a reference or nothing. What `f()` throws is thrown
/// on.
///
/// Results are the same under each policy. The policy applies to what `f` forks, at any depth and on any thread, except
/// inside another with_policy. `automatic` is the policy of the process (config::policy). If the policy is in force
/// already, or there is no memory for it, this is a plain call.
///
/// A policy that plans distributes `f` over all workers, as it does an outermost call. The policy for shared caches
/// (`ml_adws`) needs to know which worker uses which cache. With one shared cache that is always known; with several
/// only if the policy of the process is that one or `adws`, as only these bind threads.
///
/// Children of a group that was made outside `f` do not run under this policy because they were added here. A child
/// that runs in place has the policy of the code that runs it, usually the code that waits for the group. A child that
/// was promoted has the policy of the code that promoted it. A child that was added by a task which neither waits for
/// the group nor is one of its children has the policy of the process; so has what an outermost call leaves to others
/// at its end.
///
/// Cost: less than a hundred nanoseconds, and a look at the clock at the next fork. The first use of a policy allocates
/// some kilobytes for each worker.
/// @throws std::invalid_argument if there is no such policy; `f` has not been called then.
template <class F>
auto with_policy(policy wanted, F&& f) -> std::invoke_result_t<F> {
  if (!detail::has_policy(wanted))
    detail::raise<std::invalid_argument>("takt::with_policy: no such policy");
  if constexpr (detail::k_elided) {
    return static_cast<F&&>(f)();
  } else {
    detail::kept_call<F> call(static_cast<F&&>(f));
#ifndef TAKT_ELISION
    if (!detail::run_inside([&] { return takt_with_policy(static_cast<std::int32_t>(wanted), &call.start, &call); })) {
      call.run();
    }
#endif
    return call.take();
  }
}

template <class... Arguments>
auto with_policy(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::with_policy: takes a policy and a callable that is called without arguments");
  return detail::anything{};
}

}  // namespace TAKT_NAMESPACE
