// Everything the scheduler asks of the operating system and the CPU, in parts: who needs one part takes that. The
// scheduler core calls nothing else, so that a simulated platform can run the same sources.
#pragma once

#include "platform/clock.hpp"
#include "platform/observer.hpp"
#include "platform/program.hpp"
#include "platform/signals.hpp"
#include "platform/stacks.hpp"
#include "platform/threading.hpp"
#include "platform/topology.hpp"

namespace takt::platform {

/// All parts of one platform. The clock comes first: it is read most, and found without an offset.
class platform : public clock,
                 public threading,
                 public stacks,
                 public signals,
                 public topology,
                 public observer,
                 public program {
 public:
  virtual ~platform() = default;
};

/// The platform in use (`threads` unless replaced).
platform& current() noexcept;
/// Replaces the platform; only while the runtime is not configured. @returns the one before.
platform* replace(platform* p) noexcept;

/// The platform for a new runtime: the one in use, or, where TAKT_SIM asks for it, that of the simulator, which the
/// first call puts in its place; see door.hpp. Without a simulator the process ends, after a line on stderr, with exit
/// code 2. Only under the lock of whoever makes a runtime.
struct scheduler_view;
platform& for_runtime(const scheduler_view& scheduler) noexcept;

/// Unit tests and the tool read the worker count through this; see threads/cpu_count.hpp.
platform& threads() noexcept;

}  // namespace takt::platform
