// Settings of the runtime, and what it has counted.
#pragma once

#include <takt/abi.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace takt {

/// What causes a promotion.
enum class trigger {
  beat,     ///< the oldest latent frame, at most once per beat (Heartbeat paper, section 3)
  eager,    ///< every fork and every split of a loop becomes a task at once
  never,    ///< nothing: the program runs serially
  request,  ///< the oldest latent frame, at the next poll after an idle worker has asked for one (Work-Stealing Without
            ///< The Baggage, sections 4 and 5.1); `beat` then only sets how often a worker polls, six times per beat
  lazy      ///< as `beat`, but a beat is kept while a task that the worker promoted earlier waits to be taken; two polls
            ///< per beat instead of six
};

/// How tasks come from one worker to another (Heartbeat paper, section 5.1).
enum class balancer {
  concurrent,  ///< thieves take the oldest task from a concurrent deque (Chase-Lev)
  private_,    ///< deques are their owner's alone: a thief asks, and the owner answers at its next poll
  mixed        ///< the oldest task is in a cell that thieves may empty, the others are the owner's alone
};

/// How iterations of the leaf loops of OpenMP programs are grouped into chunks, with a poll after each.
enum class chunking {
  time,  ///< as in the loops of the library: by the time that the loop's iterations took lately
  hbc,   ///< by counting polls between heartbeats (HBC paper, section 5.1): for comparisons
  fixed  ///< always `config::chunk` iterations: for comparisons
};

struct config {
  /// Workers, the calling thread included; 0: min(affinity mask, cgroup quota of the process and its ancestors).
  unsigned workers = 0;
  /// The beat interval N. 0: promote at every poll.
  std::chrono::microseconds beat{30};
  takt::trigger trigger = takt::trigger::lazy;
  takt::balancer balancer = takt::balancer::concurrent;
  takt::chunking chunking = takt::chunking::time;
  /// Iterations of a chunk where `chunking` is fixed, 1 to k_most_chunk.
  std::uint64_t chunk = 1;
  /// Polls between heartbeats that are aimed at where `chunking` is hbc, 1 to k_most_target_polls.
  std::uint64_t target_polls = 4;
  /// Bytes of call stack per fiber; 0: the soft RLIMIT_STACK, or the largest stack of a thread that has made a call.
  /// Reserved, not committed.
  std::size_t stack_bytes = 0;
  /// "": no statistics; "1": one JSON object on stderr at exit; anything else: the file that gets it.
  std::string stats;
  /// Reach code that does not poll with a signal when a worker idles meanwhile.
  bool interrupts = true;
  /// The signal: a number; 0: SIGURG, or a real-time signal where the program handles that one.
  int signal = 0;

  /// Defaults overridden by TAKT_WORKERS, TAKT_BEAT_US, TAKT_TRIGGER, TAKT_BALANCER, TAKT_CHUNKING (time, hbc,
  /// hbc:TARGET_POLLS, or a number: fixed), TAKT_STATS, TAKT_INTERRUPTS (0 or 1), TAKT_SIGNAL (none, a name such as
  /// SIGUSR2 or SIGRTMIN+3, or a number). A value that cannot be used is reported in one line on stderr, which names
  /// the variable, the value and what is used instead.
  TAKT_EXPORT static config from_environment();
};

/// The most workers that can be asked for.
inline constexpr unsigned k_most_workers = 4096;
/// The most config::chunk.
inline constexpr std::uint64_t k_most_chunk = 100'000;
/// The most config::target_polls.
inline constexpr std::uint64_t k_most_target_polls = 1000;
/// The least and the most config::stack_bytes.
inline constexpr std::size_t k_least_stack = std::size_t{1} << 16;
inline constexpr std::size_t k_most_stack = std::size_t{1} << 46;

/// Ends the pool and starts anew with these settings (threads start with the first promotion). The first parallel
/// call does the same with config::from_environment() if nobody did before.
/// @throws std::logic_error while a parallel call is under way; std::invalid_argument for a setting out of range.
TAKT_EXPORT void configure(const config& settings);

/// The settings in force, with `workers` and `stack_bytes` resolved, and `signal` (0: none is used).
TAKT_EXPORT config current_config();

/// The object that TAKT_STATS writes: what has been counted since the last configure().
TAKT_EXPORT std::string stats_json();

}  // namespace takt
