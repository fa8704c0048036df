// What workers do, over time: recorded while the process runs, written as JSON when it exits. See README.md beside this
// file. Every function here may be called where a signal handler may promote.
#pragma once

#include <takt/abi.hpp>
#include <takt/config.hpp>

#include <cstdint>

namespace takt::core {
class worker;
struct fiber;
}  // namespace takt::core

namespace takt::trace {

/// Whether TAKT_TRACE asked for it. Written before the first runtime can be seen by anybody, and never again.
inline bool wanted = false;

enum class kind : std::uint8_t {
  call_begins,    ///< a thread of the program becomes the worker
  call_ends,      ///< and leaves
  thread_begins,  ///< a thread of takt becomes the worker
  thread_ends,
  runs,    ///< a fiber; its site
  leaves,  ///< the fiber; detail 1: it is done with its task
  sleeps,
  wakes,
  steal,      ///< detail: the victim
  promotion,  ///< of a site; detail: its depth
  beat        ///< one is due
};

namespace detail {
void record(const core::worker& w, kind what, const void* site, std::uint64_t detail) noexcept;
void record_fiber(const core::worker& w, kind what, const core::fiber& f) noexcept;
void record_steal(const core::worker& w, const core::worker& victim) noexcept;
}  // namespace detail

// Each is one branch where nothing is recorded, and none is on a fast path of a fork or loop.
inline void note(const core::worker& w, kind what) noexcept {
  if (wanted) [[unlikely]]
    detail::record(w, what, nullptr, 0);
}
/// Around the switch to `f`, which has its task, or its root call.
inline void note_runs(const core::worker& w, const core::fiber& f) noexcept {
  if (wanted) [[unlikely]]
    detail::record_fiber(w, kind::runs, f);
}
inline void note_leaves(const core::worker& w, const core::fiber& f) noexcept {
  if (wanted) [[unlikely]]
    detail::record_fiber(w, kind::leaves, f);
}
inline void note_steal(const core::worker& w, const core::worker& victim) noexcept {
  if (wanted) [[unlikely]]
    detail::record_steal(w, victim);
}
/// Before anybody else sees the task.
inline void note_promotion(const core::worker& w, abi::run_function site, std::uint32_t depth) noexcept {
  if (wanted) [[unlikely]]
    detail::record(w, kind::promotion, reinterpret_cast<const void*>(site), depth);
}

/// A runtime has been made with these settings, and nobody sees it yet. The first looks at TAKT_TRACE.
void begin(const config& settings) noexcept;

}  // namespace takt::trace
