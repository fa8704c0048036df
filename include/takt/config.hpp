// Settings of the runtime, and what it has counted.
#pragma once

#include <takt/detail/exceptions.hpp>
#include <takt/settings.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace takt {

/// What causes a promotion.
enum class trigger {
  beat,     ///< the oldest latent frame, at most once per beat (Heartbeat paper, section 3)
  eager,    ///< every fork and every split of a loop becomes a task at once
  never,    ///< nothing: the program runs serially
  request,  ///< the oldest latent frame, at the next poll after an idle worker has asked for one (Work-Stealing Without
            ///< The Baggage, sections 4 and 5.1); `beat` then only sets how often a worker polls, six times per beat
  lazy  ///< as `beat`, but a beat is kept while a task that the worker promoted earlier waits to be taken; two polls
        ///< per beat instead of six. Where others have done tasks that they took, a beat promotes several
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

/// Who gets a task, and who takes what next.
enum class policy {
  automatic,  ///< what TAKT_POLICY says, or random
  random,     ///< who promotes keeps, and who has nothing takes the oldest task of a worker chosen at random
  adws,  ///< parts go to workers by plan, the same each time, so that data stay in their caches; only what was planned
         ///< wrong is taken by others (Almost Deterministic Work Stealing, section 3)
  ml_random,  ///< as `random` among the workers of each shared cache, which have one computation at a time whose bytes,
              ///< as its hints say, fit there (section 4)
  ml_adws,    ///< as `adws` among shared caches, and among the workers of each (section 5)
  sb          ///< for comparison: what fits into half of a shared cache, as its hints say, is tied to one that has room, and
              ///< run by its workers (Simhadri et al., Experimental Analysis of Space-Bounded Schedulers)
};

/// When a task goes on that is about to allocate (takt/memory.hpp).
enum class memory_policy {
  none,    ///< at once
  hybrid,  ///< after `total / (memory_alpha + workers * memory_beta)` attempts of idle workers to find something else
           ///< to do, where the total is what the task holds then; at once when nobody else has anything to do (Hickey
           ///< and Quentmeyer, A Space-Efficient Global Scheduler for Cilk, section 2.2)
  asyncdf  ///< for comparison: workers take what is ready in the order of the serial program, and a task that has taken
           ///< `memory_k` bytes is put back into that order (section 2.1, after Narlikar). Slow: one lock for all.
           ///< `policy` and takt::with_policy change nothing then
};

}  // namespace takt

// Files that disagree about what a std::string is have different types here.
namespace TAKT_STRINGS_NAMESPACE {

struct config {
  /// Workers, the calling thread included; 0: min(affinity mask, cgroup quota of the process and its ancestors).
  unsigned workers = 0;
  /// The beat interval N. 0: promote at every poll.
  std::chrono::microseconds beat{30};
  takt::trigger trigger = takt::trigger::lazy;
  takt::balancer balancer = takt::balancer::concurrent;
  takt::chunking chunking = takt::chunking::time;
  takt::policy policy = takt::policy::automatic;
  takt::memory_policy memory_policy = takt::memory_policy::none;
  /// Where it is hybrid: bytes for each attempt, and for each attempt and worker. memory_alpha is at least 1.
  std::uint64_t memory_alpha = 1024;
  std::uint64_t memory_beta = 16;
  /// Where it is asyncdf: bytes that a task takes before it is put back; of more at once, one round for so many. At
  /// least 1.
  std::uint64_t memory_k = 64 << 10;
  /// Bytes that tasks may report together before those wait that are not the first in serial order; 0: no limit.
  std::uint64_t memory = 0;
  /// Where `memory` is set: what the program reports at its peak with one worker, as its statistics say. So much is
  /// kept free for the task that is the first in serial order. 0: not known; that is learned while the program runs.
  std::uint64_t memory_need = 0;
  /// Where `policy` looks at the caches that several CPUs share: takt's own threads keep to the CPUs that share the
  /// cache of their seat, as far as these are the process's and nobody else binds them. Without it only caches count
  /// that all of the process's CPUs share.
  bool bind = true;
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
  /// hbc:TARGET_POLLS, or a number: fixed), TAKT_POLICY, TAKT_BIND (0 or 1), TAKT_STATS, TAKT_INTERRUPTS (0 or 1),
  /// TAKT_SIGNAL (none, a name such as SIGUSR2 or SIGRTMIN+3, or a number), TAKT_MEMORY_POLICY, TAKT_MEMORY_ALPHA,
  /// TAKT_MEMORY_BETA, TAKT_MEMORY_K, TAKT_MEMORY_NEED and TAKT_MEMORY (bytes, or with K, M, G or T; TAKT_MEMORY also a
  /// share of what the process may use: 50%). A value that cannot be used is reported in one line on stderr, which
  /// names the variable, the value and what is used instead; after one of TAKT_MEMORY, TAKT_MEMORY_NEED or
  /// TAKT_MEMORY_K the process ends with exit code 2, since a run with something else would be taken for one with what
  /// was asked for. In the serial elision no variable means anything.
  TAKT_INLINE static config from_environment();

  /// As they cross the border to the library; what they point at belongs to this config.
  TAKT_INLINE abi::settings plain() const;
  TAKT_INLINE static config of(const abi::settings& given);
};

}  // namespace TAKT_STRINGS_NAMESPACE

namespace takt {

/// The most workers that can be asked for.
inline constexpr unsigned k_most_workers = 4096;
/// The most config::chunk.
inline constexpr std::uint64_t k_most_chunk = 100'000;
/// The most config::target_polls.
inline constexpr std::uint64_t k_most_target_polls = 1000;
/// The least and the most config::stack_bytes.
inline constexpr std::size_t k_least_stack = std::size_t{1} << 16;
inline constexpr std::size_t k_most_stack = std::size_t{1} << 46;

}  // namespace takt

// What follows is inlined into the caller, or belongs to the variant: the library is handed numbers and characters.

namespace TAKT_STRINGS_NAMESPACE {

TAKT_INLINE abi::settings config::plain() const {
  abi::settings s{};
  s.beat_us = beat.count();
  s.chunk = chunk;
  s.target_polls = target_polls;
  s.stack_bytes = stack_bytes;
  s.stats = stats.c_str();
  s.workers = workers;
  s.trigger = static_cast<std::int32_t>(trigger);
  s.balancer = static_cast<std::int32_t>(balancer);
  s.chunking = static_cast<std::int32_t>(chunking);
  s.interrupts = interrupts ? 1 : 0;
  s.signal = signal;
  s.policy = static_cast<std::int32_t>(policy);
  s.memory_policy = static_cast<std::int32_t>(memory_policy);
  s.memory_alpha = memory_alpha;
  s.memory_beta = memory_beta;
  s.memory = memory;
  s.bind = bind ? 1 : 0;
  s.memory_k = memory_k;
  s.memory_need = memory_need;
  return s;
}

TAKT_INLINE config config::of(const abi::settings& given) {
  // The first layout that there was is covered by all.
  config c;
  c.beat = std::chrono::microseconds(given.beat_us);
  c.chunk = given.chunk;
  c.target_polls = given.target_polls;
  c.stack_bytes = static_cast<std::size_t>(given.stack_bytes);
  c.stats = given.stats;
  c.workers = given.workers;
  c.trigger = static_cast<takt::trigger>(given.trigger);
  c.balancer = static_cast<takt::balancer>(given.balancer);
  c.chunking = static_cast<takt::chunking>(given.chunking);
  c.interrupts = given.interrupts != 0;
  c.signal = given.signal;
  c.policy = static_cast<takt::policy>(given.policy);
  c.memory_policy = static_cast<takt::memory_policy>(given.memory_policy);
  c.memory_alpha = given.memory_alpha;
  c.memory_beta = given.memory_beta;
  c.memory = given.memory;
  c.bind = given.bind != 0;
  if (given.bytes >= offsetof(abi::settings, memory_k) + sizeof(given.memory_k)) c.memory_k = given.memory_k;
  if (given.bytes >= offsetof(abi::settings, memory_need) + sizeof(given.memory_need))
    c.memory_need = given.memory_need;
  return c;
}

}  // namespace TAKT_STRINGS_NAMESPACE

namespace TAKT_NAMESPACE {

#ifdef TAKT_ELISION

// Nothing can be set or counted, and there is no library to ask.

namespace detail {
TAKT_INLINE config config_of_environment() { return {}; }
}  // namespace detail

TAKT_INLINE void configure(const config&) {}
TAKT_INLINE config current_config() {
  config c;
  c.workers = 1;
  return c;
}
TAKT_INLINE std::string stats_json() { return "{}"; }

#else

namespace detail {

inline void take_settings(void* to, const abi::settings* given) { *static_cast<config*>(to) = config::of(*given); }
inline void take_text(void* to, const char* text, std::size_t length) {
  static_cast<std::string*>(to)->assign(text, length);
}
TAKT_INLINE config config_of_environment() {
  config c;
  takt_settings_of_environment(&detail::take_settings, &c);
  return c;
}

}  // namespace detail

/// Ends the pool and starts anew with these settings (threads start with the first promotion). The first parallel
/// call does the same with config::from_environment() if nobody did before.
/// @throws std::logic_error while a parallel call is under way; std::invalid_argument for a setting out of range.
TAKT_INLINE void configure(const config& settings) {
  const abi::settings wanted = settings.plain();
  const char* message = "";
  switch (takt_configure(&wanted, &message)) {
    case abi::configured::good:
      return;
    case abi::configured::out_of_range:
      detail::raise<std::invalid_argument>(message);
    case abi::configured::under_way:
      detail::raise<std::logic_error>(message);
    case abi::configured::no_memory:
      detail::raise<std::bad_alloc>();
  }
}

/// The settings in force, with `workers` and `stack_bytes` resolved, and `signal` (0: none is used).
TAKT_INLINE config current_config() {
  config c;
  if (!takt_settings_in_force(&detail::take_settings, &c)) detail::raise<std::bad_alloc>();
  return c;
}

/// The object that TAKT_STATS writes: what has been counted since the last configure().
TAKT_INLINE std::string stats_json() {
  std::string json;
  if (!takt_statistics(&detail::take_text, &json)) detail::raise<std::bad_alloc>();
  return json;
}

#endif

}  // namespace TAKT_NAMESPACE

namespace TAKT_STRINGS_NAMESPACE {

TAKT_INLINE config config::from_environment() { return takt::detail::config_of_environment(); }

}  // namespace TAKT_STRINGS_NAMESPACE
