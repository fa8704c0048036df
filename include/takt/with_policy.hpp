// with_policy: one computation under a policy of its own.
#pragma once

#include <takt/config.hpp>
#include <takt/detail/fork.hpp>
#include <takt/detail/large.hpp>

#include <cstdint>
#include <memory>
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

template <class F>
struct policy_call {
  using result_type = std::invoke_result_t<F>;
  static constexpr bool k_void = std::is_void_v<result_type>;
  static constexpr bool k_reference = std::is_reference_v<result_type>;
  using kept_type = std::conditional_t<
      k_void, nothing,
      std::conditional_t<k_reference, std::remove_reference_t<result_type>*, std::remove_const_t<result_type>>>;

  std::int32_t name;
  F&& f;
  optional_value<kept_type> kept;

  static void run(void* given) {
    auto& call = *static_cast<policy_call*>(given);
    if constexpr (k_void) {
      static_cast<F&&>(call.f)();
    } else if constexpr (k_reference) {
      auto&& result = static_cast<F&&>(call.f)();
      call.kept = std::addressof(result);
    } else {
      call.kept.emplace(static_cast<F&&>(call.f)());
    }
  }
  // As the outermost call of its thread.
  void operator()() {
#ifndef TAKT_ELISION
    if (!takt_with_policy(name, &run, this)) run(this);
#endif
  }
};

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
    using call_type = detail::policy_call<F>;
    call_type call{static_cast<std::int32_t>(wanted), static_cast<F&&>(f), {}};
#ifndef TAKT_ELISION
    if (!takt_with_policy(call.name, &call_type::run, &call) && !detail::run_outside(call)) call_type::run(&call);
#endif
    if constexpr (call_type::k_reference) {
      return static_cast<std::invoke_result_t<F>>(**call.kept);
    } else if constexpr (!call_type::k_void) {
      return std::move(*call.kept);
    }
  }
}

template <class... Arguments>
auto with_policy(const Arguments&...) {
  static_assert(detail::never<Arguments...>,
                "takt::with_policy: takes a policy and a callable that is called without arguments");
  return detail::anything{};
}

}  // namespace TAKT_NAMESPACE
