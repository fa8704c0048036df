// Whether a worker sleeps, and who wakes it (src/worker/README.md).
#pragma once

#include "platform/threading.hpp"
#include "sync/atomic.hpp"
#include "worker/scopes.hpp"

#include <cstdint>

namespace takt::core {

class worker;

/// Other workers read and write it.
struct worker_sleep {
  worker_sleep() noexcept { held.woken_by_many = true; }

  platform::parker parker;
  /// What this thread waits on while it holds a fiber that must stay: a token may be left over.
  platform::parker held;
  sync::plain<worker*> next{};  ///< in the list of those that sleep
  sync::plain<bool> asleep{};
  /// The call whose tasks alone this worker may run while it waits for it; 0: any.
  sync::atomic<std::uint32_t> only_scope{0};
  std::uint32_t runs_only() const noexcept { return only_scope.load(sync::relaxed); }
  void run_only(std::uint32_t scope) noexcept { only_scope.store(scope, sync::relaxed); }
  bool eligible(std::uint32_t wanted) const {
    const std::uint32_t only = runs_only();
    return only == 0 || scope_table::is_of(wanted, only);
  }
  /// The seat for which it has been woken, if that is nobody's. EDGE park.token
  sync::atomic<std::uint32_t> sent_to{k_nowhere};
  static constexpr std::uint32_t k_nowhere = ~0u;

  /// k_looking while it looks for work with nothing to do. EDGE worker.looks: see src/worker/README.md.
  sync::atomic<std::uint32_t> looks{0};
  static constexpr std::uint32_t k_looking = 1;
  static constexpr std::uint32_t k_waits_in_place = 2;  ///< it neither runs anything nor looks
  /// Either of both.
  bool has_nothing() const noexcept { return looks.load(sync::relaxed) != 0; }
  void begin_to_look() noexcept { looks.store(k_looking, sync::seq_cst); }
  void end_look() noexcept { looks.store(0, sync::seq_cst); }

  platform::parker& parked() noexcept { return parker; }
  platform::parker& in_place() noexcept { return held; }
};

}  // namespace takt::core
