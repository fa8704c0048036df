// Where events are kept: one ring for each worker.
#pragma once

#include "sync/atomic.hpp"
#include "observe/trace.hpp"

#include <takt/config.hpp>

#include <cstddef>
#include <cstdint>

namespace takt::trace {

/// What is read back of an event.
struct plain_event {
  std::uint64_t time;
  const void* site;
  std::uint64_t detail;
  kind what;
};

class event {
 public:
  void write(std::uint64_t number, const plain_event& e) noexcept {
    number_.store(0, sync::relaxed);
    // EDGE trace.overwritten: who reads one of these sees that the number before has gone.
    time_.store(e.time, sync::release);
    site_.store(reinterpret_cast<std::uintptr_t>(e.site), sync::release);
    what_.store(e.detail << 8 | static_cast<std::uint64_t>(e.what), sync::release);
    // EDGE trace.event: the event is whole.
    number_.store(number, sync::release);
  }
  /// @returns false if it is not, or no longer, event `number`.
  bool read(std::uint64_t number, plain_event& out) const noexcept {
    // EDGE trace.event
    if (number_.load(sync::acquire) != number) return false;
    // EDGE trace.overwritten
    out.time = time_.load(sync::acquire);
    out.site = reinterpret_cast<const void*>(site_.load(sync::acquire));
    const std::uint64_t what = what_.load(sync::acquire);
    out.what = static_cast<kind>(what & 0xff);
    out.detail = what >> 8;
    return number_.load(sync::relaxed) == number;
  }

 private:
  sync::tally<std::uint64_t> number_;  ///< from 1 on; 0: none
  sync::tally<std::uint64_t> time_;
  sync::tally<std::uint64_t> site_;
  sync::tally<std::uint64_t> what_;
};
static_assert(sizeof(event) == 32);

/// The newest events of one worker. Memory as the system gives it, all zero, is an empty one.
struct ring {
  sync::tally<std::uint64_t> written;  ///< events so far, the first has number 1
  sync::tally<std::uint64_t> untraced;  ///< events that were lost because there was no ring
  sync::tally<event*> events;          ///< null: not asked for yet, or could not be had
};

/// Workers beyond this are counted and not recorded: a process has so many only if thousands of its threads call takt.
inline constexpr unsigned k_most_rings = k_most_workers;
extern ring rings[k_most_rings];
extern sync::tally<std::uint64_t> lost_workers;  ///< events of workers beyond

/// What the settings of a runtime were, and when it was made.
struct runtime_note {
  std::uint64_t time;
  unsigned workers;
  std::uint64_t beat_us;
};
inline constexpr unsigned k_most_runtimes = 64;

struct state {
  const char* path = nullptr;  ///< as TAKT_TRACE says it
  std::uint64_t capacity = 0;  ///< events of a ring
  std::uint64_t began = 0;     ///< ticks
  double began_us = 0;         ///< the same moment by the system's monotonic clock
  static constexpr int k_not_yet = 0, k_begun = 1, k_done = 2;
  sync::atomic<int> writing{k_not_yet};  ///< the file
  unsigned runtimes = 0;       ///< how many there have been; the notes are of the first
  runtime_note notes[k_most_runtimes] = {};
};
extern state the_state;

/// At exit, or before a signal ends the process: writes the file for the last time. What goes wrong is said in one line.
void write_at_exit();
/// Writes what there is so far, and says so in one line.
void write_on_request();

}  // namespace takt::trace
