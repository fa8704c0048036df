// The laboratory: ways to schedule that are there to be compared with (lab/README.md). With a library that was built with
// TAKT_LAB.
#pragma once

#include <takt/config.hpp>

#include <cstdint>

namespace takt::lab {

// --- values of takt::config::trigger
/// The oldest latent frame, at most once per beat (Heartbeat paper, section 3).
inline constexpr trigger beat{16};
/// Every fork and every split of a loop becomes a task at once.
inline constexpr trigger eager{17};
/// The oldest latent frame, at the next poll after an idle worker has asked for one (Work-Stealing Without The Baggage,
/// sections 4 and 5.1); config::beat then only sets how often a worker polls, six times per beat.
inline constexpr trigger request{18};

// --- values of takt::config::policy, and for takt::with_policy
/// As `random` among the workers of each shared cache, which have one computation at a time whose bytes, as its hints
/// say, fit there (Almost Deterministic Work Stealing, section 4).
inline constexpr policy ml_random{16};
/// What fits into half of a shared cache, as its hints say, is tied to one that has room, and run by its workers
/// (Simhadri et al., Experimental Analysis of Space-Bounded Schedulers).
inline constexpr policy sb{17};
/// As `random`, with deques that are their owner's alone: a thief asks, and the owner answers at its next poll (Acar,
/// Charguéraud and Rainey; Heartbeat paper, section 5.1).
inline constexpr policy random_private{18};
/// As `random`: the oldest task is in a cell that thieves may empty, the others are the owner's alone.
inline constexpr policy random_mixed{19};
/// Workers take what is ready in the order of the serial program, and a task that has taken settings::memory_k bytes is
/// put back into that order (Hickey and Quentmeyer, A Space-Efficient Global Scheduler for Cilk, section 2.1, after
/// Narlikar). Slow: one lock for all. takt::with_policy changes nothing then.
inline constexpr policy asyncdf{20};

/// How iterations of the leaf loops of OpenMP programs are grouped into chunks, with a poll after each.
enum class chunking {
  time,  ///< as takt does: by the time that the loop's iterations took lately
  hbc,   ///< by counting polls between heartbeats (HBC paper, section 5.1)
  fixed  ///< always settings::chunk iterations
};

/// What makes beats (HBC paper, sections 5.2 and 6.5).
enum class beat_source {
  poll,   ///< as in takt: looks at the clock, and a signal where none comes
  timer,  ///< a POSIX timer of each worker's thread
  ping    ///< a thread that interrupts all workers in turn
};

/// The most settings::chunk.
inline constexpr std::uint64_t k_most_chunk = 100'000;
/// The most settings::target_polls.
inline constexpr std::uint64_t k_most_target_polls = 1000;

/// What takt::config has no place for.
struct settings {
  /// timer, ping: at least 20 microseconds apart. No beat comes from polls then, but of threads that block the signal.
  beat_source beats = beat_source::poll;
  lab::chunking chunking = lab::chunking::time;
  /// Iterations of a chunk where `chunking` is fixed, 1 to k_most_chunk.
  std::uint64_t chunk = 1;
  /// Polls between heartbeats that are aimed at where `chunking` is hbc, 1 to k_most_target_polls.
  std::uint64_t target_polls = 4;
  /// A task that is about to allocate goes on after `total / (memory_alpha + workers * memory_beta)` attempts of idle
  /// workers to find something else to do, where the total is what the task holds then; at once when nobody else has
  /// anything to do (Hickey and Quentmeyer, section 2.2).
  bool hybrid = false;
  /// Bytes for each attempt, at least 1, and for each attempt and worker.
  std::uint64_t memory_alpha = 1024;
  std::uint64_t memory_beta = 16;
  /// Where the policy is asyncdf: bytes that a task takes before it is put back; of more at once, one round for so many.
  /// At least 1.
  std::uint64_t memory_k = 64 << 10;
};

/// For takt::configure from here on, and for what children of fork(2) make; config::from_environment() sets them anew.
/// Not while another thread does anything of that. @returns those before. @throws std::invalid_argument
settings choose(const settings& wanted);

/// Both together.
struct config : takt::config {
  config() = default;
  config(const takt::config& c, const settings& s = {}) : takt::config(c), lab(s) {}
  settings lab;
};

inline void configure(const config& c) {
  // A refused configuration leaves the settings as they were.
  struct undo {
    ~undo() {
      if (!done) choose(before);
    }
    settings before;
    bool done = false;
  } all_or_nothing{choose(c.lab)};
  takt::configure(c);
  all_or_nothing.done = true;
}

}  // namespace takt::lab
