// A worker: the state of one thread that executes tasks.
#pragma once

#include <takt/abi.hpp>
#include <takt/config.hpp>
#include <takt/group.hpp>

#include "cost/burst.hpp"
#include "cost/claims.hpp"
#include "cost/grants.hpp"
#include "cost/numbers.hpp"
#include "fiber/fiber.hpp"
#include "platform/platform.hpp"
#include "worker/entry.hpp"
#include "worker/join_word.hpp"
#include "worker/scopes.hpp"
#include "worker/block_cache.hpp"
#include "worker/counters.hpp"
#include "worker/promotion_rule.hpp"

#include <cstdint>

namespace takt::core {

class runtime;
class worker;

/// One outermost parallel call. It lives on the stack of the thread that made the call.
struct root_call {
  void (*fn)(void*);
  void* argument;
  std::uint32_t scope;
  std::uint32_t environment;  ///< the caller's floating-point environment
  worker* adopter;
  bool parted = false;  ///< fiber::parted, at its end
  sync::atomic<std::uint32_t> done{0};
};

/// Where the join word of a task is. A fork's is in its slot; the halves of a loop and the children of a group
/// share one, and their slot holds its address instead.
inline join_word* own_join(abi::slot* s) { return std::launder(reinterpret_cast<join_word*>(s->join)); }
static_assert(task_start::k_environment_bits == platform::k_environment_bits);
static_assert(sizeof(join_word) <= sizeof(abi::slot::join) && alignof(join_word) <= 8);

/// More than any credit.
inline constexpr std::int64_t k_watch = std::int64_t{1} << 50;

class alignas(abi::k_cache_line) worker {
 public:
  worker(runtime& r, unsigned number, const promotion_rule& says) : owner(r), index(number), rule(says) {
    held.woken_by_many = true;
  }
  ~worker() {
    child_blocks.clear();
    group_blocks.clear();
  }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // What thieves and wakers touch.
  platform::parker parker;
  /// What this thread waits on while it holds a fiber that must stay: a token may be left over.
  platform::parker held;
  sync::plain<worker*> next_sleeper{};
  sync::plain<bool> asleep{};
  /// The scope whose tasks alone this worker may run while it waits for its call; 0: any.
  sync::atomic<std::uint32_t> only_scope{0};
  /// Those of its thread when that came, where allocations are watched (src/memory). Its own.
  std::uint64_t blocked_signals = 0;
  /// Ticks at the last look at the clock while running user code; 0: not running any.
  sync::atomic<std::uint64_t> last_look{0};
  sync::atomic<std::uint64_t> thread_name{0};
  sync::atomic<std::uint64_t> last_interrupt{0};
  /// k_reaching while another worker is at this one's thread, k_sent from before a signal is sent until it has arrived
  /// or has been taken back (src/promotion/README.md, "Reaching a silent worker").
  sync::atomic<std::uint32_t> reach{0};
  static constexpr std::uint32_t k_reaching = 1;
  static constexpr std::uint32_t k_sent = 2;
  /// The seat for which it has been woken, if that is nobody's. EDGE park.token
  sync::atomic<std::uint32_t> sent_to{k_nowhere};
  static constexpr std::uint32_t k_nowhere = ~0u;
  /// Whether a signal reached this thread when somebody last looked. A hint: it may have changed since.
  sync::atomic<std::uint32_t> hears{0};
  /// takt_hot of the thread, where other threads can write to it; else null.
  abi::hot_state* hot = nullptr;
  /// Tasks that others have taken from this one and done, and that were worth it, since its last beat
  /// (src/promotion/README.md, "More than one for a beat"). A hint.
  sync::atomic<std::uint32_t> done_by_others{0};
  bool eligible(std::uint32_t wanted) const {
    const std::uint32_t only = only_scope.load(sync::relaxed);
    return only == 0 || only == wanted;
  }

  /// k_looking while it looks for work with nothing to do. EDGE worker.looks: see src/worker/README.md.
  sync::atomic<std::uint32_t> looks{0};
  static constexpr std::uint32_t k_looking = 1;
  static constexpr std::uint32_t k_waits_in_place = 2;  ///< it neither runs anything nor looks

  // What only its thread touches.
  runtime& owner;
  unsigned index;
  /// Ticks, a beat at most: what it has done of others' tasks, less a share for each that it has told of.
  std::uint64_t worth = 0;
  int seat = -1;           ///< which it holds; -1: none, thieves do not see it and it must not promote
  unsigned last_seat = 0;  ///< the one it held last; wakers look at it while it is listed as a sleeper
  bool waits_for_seat = false;
  bool runs_unseated = false;  ///< counted in runtime::unseated
  std::uint32_t scope = 0;     ///< of the outermost calls that this worker adopts; 0: none yet
  native_context native;
  fiber* current = nullptr;
  fiber* spare = nullptr;
  fiber* resume_next = nullptr;
  fiber* holds = nullptr;  ///< waits for its join, and can go on on this thread alone; the innermost (src/join)
  abi::slot* task = nullptr;                  ///< what the fiber about to start runs
  const abi::loop_frame* new_loop = nullptr;  ///< it has been pushed last, and none of it has begun
  join_word* suspended_on = nullptr;          ///< set by a fiber that left its stack to wait
  policy* served_by = nullptr;                ///< whose task it had last
  policy* taken_from = nullptr;               ///< whose task it is about to begin; null: handed to everybody
  worker* promoted_by = nullptr;              ///< who has promoted that; null: nobody here
  bool finished = false;                      ///< set by a fiber that is done with its task
  root_call* root_done = nullptr;             ///< set by a fiber that finished the root call
  std::uint64_t random = 0;
  /// Xorshift: victims need to be spread, not to be unpredictable.
  std::uint64_t next_random() noexcept {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  }

  // Beats.
  std::uint64_t last_poll = 0;
  std::uint64_t last_promotion = 0;
  std::uint64_t last_call = 0;  ///< when this worker last began an outermost call with a token
  bool beat_kept = false;       ///< the token: a beat was due and found nothing to promote
  std::int64_t refill = 0;
  /// Taken off the credit that the fast paths see, so that each push comes by the runtime; 0: is not.
  std::int64_t watch = 0;
  bool refilled = false;  ///< the credit was set to the refill at `last_poll`: what is left of it tells what was spent
  std::int64_t credit_noted = 0;  ///< the credit from which on nothing has been noted
  std::uint64_t loop_ticks =
      0;  ///< estimated time of the short loops since the last poll that the credit did not cover
  cost::burst burst;                    ///< the loops since the last pause
  std::uint32_t short_loops = 0;        ///< how many there have been
  std::uint32_t nested_loops = 0;       ///< of OpenMP, in the middle of a nest, that were not free
  sync::atomic<std::uint64_t> cuts{0};  ///< how often a signal, or another worker, has taken the credit away

  cost::remembered_claims claims;
  cost::grants granted;         ///< of what runs free, until it leaves the fiber it runs
  std::uint32_t band_rest = 0;  ///< polls until there may be a band of free forks again

  [[no_unique_address]] rule_state rule;
  /// What its code has taken of memory, less what it has given back, since this was last told (src/memory). Bytes.
  sync::tally<std::int64_t> unreported{0};
  // What its groups are made of (src/join).
  block_cache<abi::k_child_room> child_blocks;
  static constexpr std::size_t k_group_bytes = 6 * abi::k_cache_line;
  block_cache<k_group_bytes> group_blocks;
  worker* next_unused = nullptr;
  counters stats;
};

/// The worker that the calling thread is, or null. Never inlined and never merged: a computation may be on another
/// thread after any call.
worker* this_worker() noexcept;

/// Marks the thread as inside the runtime: a signal that arrives meanwhile does nothing.
class runtime_scope {
 public:
  runtime_scope() noexcept;
  ~runtime_scope();
  runtime_scope(const runtime_scope&) = delete;
  runtime_scope& operator=(const runtime_scope&) = delete;
};

/// Runs user code in the middle of a runtime scope.
class user_scope {
 public:
  user_scope() noexcept;
  ~user_scope();
  user_scope(const user_scope&) = delete;
  user_scope& operator=(const user_scope&) = delete;
};

}  // namespace takt::core
