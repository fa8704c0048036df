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

/// What causes a promotion: the oldest latent frame becomes a task (Heartbeat paper, section 3).
enum class trigger : std::int32_t {
  lazy,  ///< a beat. It is kept while a task that the worker promoted earlier waits to be taken; where others have done
         ///< tasks that they took, a beat promotes several
  never  ///< nothing: the program runs serially
};

/// Who gets a task, and who takes what next.
enum class policy : std::int32_t {
  automatic,  ///< what TAKT_POLICY says, or random
  random,     ///< who promotes keeps, and who has nothing takes the oldest task of a worker chosen at random
  adws,  ///< parts go to workers by plan, the same each time, so that data stay in their caches; only what was planned
         ///< wrong is taken by others (Almost Deterministic Work Stealing, section 3)
  ml_adws  ///< as `adws` among shared caches, which have one computation at a time whose bytes, as its hints say, fit
           ///< there, and among the workers of each (section 5)
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
  takt::policy policy = takt::policy::automatic;
  /// Bytes that tasks may report together before those wait that are not the first in serial order; 0: no limit.
  std::uint64_t memory = 0;
  /// Where `memory` is set: what the program reports at its peak with one worker, as its statistics say. So much is
  /// kept free for the task that is the first in serial order. 0: not known; that is learned while the program runs.
  std::uint64_t memory_need = 0;
  /// Under the policies `adws` and `ml_adws` takt's own threads keep to the CPUs that share the cache of their seat, as
  /// far as these are the process's and nobody else binds them. Without it `ml_adws` uses only caches that all of the
  /// process's CPUs share.
  bool bind = true;
  /// Bytes of call stack per fiber; 0: the soft RLIMIT_STACK, or the largest stack of a thread that has made a call.
  /// Reserved, not committed.
  std::size_t stack_bytes = 0;
  /// "": no statistics; "1": a table on stderr at exit; "json": a JSON object there; anything else: the file that gets it.
  std::string stats;
  /// Reach code that does not poll with a signal when a worker idles meanwhile.
  bool interrupts = true;
  /// The signal: a number; 0: SIGURG, or a real-time signal where the program handles that one.
  int signal = 0;

  /// Defaults overridden by the environment: docs/guide/settings.md has the variables. A value that cannot be used is
  /// reported in one line on stderr, which names the variable, the value and what is used instead; after TAKT_MEMORY and
  /// TAKT_MEMORY_NEED the process ends with exit code 2, since a run with something else would be taken for one with
  /// what was asked for. In the serial elision no variable means anything.
  TAKT_INLINE static config from_environment();

  /// As they cross the border to the library; what they point at belongs to this config.
  TAKT_INLINE abi::settings plain() const;
  TAKT_INLINE static config of(const abi::settings& given);
};

}  // namespace TAKT_STRINGS_NAMESPACE

namespace takt {

/// The most workers that can be asked for.
inline constexpr unsigned k_most_workers = 4096;
/// The least and the most config::stack_bytes.
inline constexpr std::size_t k_least_stack = std::size_t{1} << 16;
inline constexpr std::size_t k_most_stack = std::size_t{1} << 46;

}  // namespace takt

// What follows is inlined into the caller, or belongs to the variant: the library is handed numbers and characters.

namespace TAKT_STRINGS_NAMESPACE {

TAKT_INLINE abi::settings config::plain() const {
  abi::settings s{};
  s.beat_us = beat.count();
  s.stack_bytes = stack_bytes;
  s.stats = stats.c_str();
  s.workers = workers;
  s.trigger = static_cast<std::int32_t>(trigger);
  s.interrupts = interrupts ? 1 : 0;
  s.signal = signal;
  s.policy = static_cast<std::int32_t>(policy);
  s.memory = memory;
  s.bind = bind ? 1 : 0;
  s.memory_need = memory_need;
  return s;
}

TAKT_INLINE config config::of(const abi::settings& given) {
  // The first layout that there was is covered by all.
  config c;
  c.beat = std::chrono::microseconds(given.beat_us);
  c.stack_bytes = static_cast<std::size_t>(given.stack_bytes);
  c.stats = given.stats;
  c.workers = given.workers;
  c.trigger = static_cast<takt::trigger>(given.trigger);
  c.interrupts = given.interrupts != 0;
  c.signal = given.signal;
  c.policy = static_cast<takt::policy>(given.policy);
  c.memory = given.memory;
  c.bind = given.bind != 0;
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

/// The object that TAKT_STATS=json writes: what has been counted since the last configure().
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
