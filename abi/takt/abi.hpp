// What compiled code calls: the one interface between code that the takt headers (or the compiler plugin)
// put into a program and the runtime library. Everything here is versioned by k_abi_version; a change of a
// layout, an offset or a signature raises it.
#pragma once

#include <cstddef>
#include <cstdint>

#define TAKT_ABI_VERSION 6

#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ != 8
#error "takt needs pointers of 64 bits: compile without -m32 and -mx32"
#endif

// What keeps a second stack of the thread, or a copy of its stack's return addresses.
#if defined(__has_feature)
#if __has_feature(safe_stack)
#error "takt: tasks run on stacks of their own, and on one thread after another, which SafeStack does not follow: compile without -fsanitize=safe-stack"
#endif
#if __has_feature(shadow_call_stack)
#error "takt: tasks run on stacks of their own, and on one thread after another, which a shadow call stack does not follow: compile without -fsanitize=shadow-call-stack"
#endif
#endif

#if defined(__GNUC__)
#define TAKT_EXPORT __attribute__((visibility("default")))
#else
#define TAKT_EXPORT
#endif

/// The name that a symbol has for the linker, with the version in it: takt_abi_6_hot. What every user of a part of the
/// interface needs is named so; code that was compiled for another version then does not link, and does not start.
#define TAKT_ABI_SYMBOL(name) TAKT_ABI_SYMBOL_(TAKT_ABI_VERSION, name)
#define TAKT_ABI_SYMBOL_(version, name) TAKT_ABI_SYMBOL__(version, name)
#define TAKT_ABI_SYMBOL__(version, name) "takt_abi_" #version "_" #name

namespace takt::abi {

inline constexpr std::size_t k_cache_line = 64;
inline constexpr std::size_t k_payload_bytes = 40;
inline constexpr int k_version = TAKT_ABI_VERSION;

struct slot;
using run_function = void (*)(slot*);

/// One latent frame. A fork writes `run` and `payload` and nothing else; the join word is constructed by the
/// runtime when the frame is promoted, from then on the slot is the task record, and `payload` holds first the
/// captures and then the result. The address does not change between push and join.
struct alignas(k_cache_line) slot {
  run_function run;
  alignas(8) std::byte join[16];
  alignas(8) std::byte payload[k_payload_bytes];
};
static_assert(sizeof(slot) == k_cache_line && offsetof(slot, payload) == 24);

/// hot_state::wants_hints outside of parallel calls: who runs the call may want to know, or not.
inline constexpr std::uint64_t k_ask_for_hints = 1;

/// Per-thread state that the fast paths touch. `head` is null on a thread that is not inside a parallel call.
/// Only the thread itself (or a signal handler running on it) reads or writes it.
struct hot_state {
  slot* head;           ///< first free slot of the latent stack of the fiber that runs here
  slot* split;          ///< oldest latent slot; everything below has been promoted
  std::int64_t credit;  ///< cost units (1/128 tick) that may still be spent before the clock is looked at
  void* worker;         ///< the worker this thread is, or null
  std::int64_t busy;    ///< not 0 while the thread is inside the runtime: a signal then defers to it
  std::uint64_t polls;  ///< looks at the clock so far; a stretch in which it does not change was short
  /// Where on this stack the band begins in which what is short runs free, counted downwards; 0: nowhere
  /// (src/promotion/README.md).
  std::uintptr_t free_top;
  /// Whether the policy of the call wants hints, 0: no. Outside of calls it is not 0, or the address of a record that
  /// waits for the call (hinted.hpp).
  std::uint64_t wants_hints = k_ask_for_hints;
};
static_assert(offsetof(hot_state, split) == 8 && offsetof(hot_state, credit) == 16 &&
              offsetof(hot_state, polls) == 40 && offsetof(hot_state, free_top) == 48 &&
              offsetof(hot_state, wants_hints) == 56);

/// Cost units in one tick of the platform's clock. An iteration of a vectorised loop takes a tenth of a tick, and what
/// a site knows of it are whole units.
inline constexpr std::int64_t k_units_per_tick = 128;
/// What a fork is taken to cost before the worker has learned how long its forks really are.
inline constexpr std::int64_t k_fork_units = 4 * k_units_per_tick;
/// So does one iteration of a loop with nested parallelism beside what the nested constructs charge.
inline constexpr std::int64_t k_iteration_units = k_fork_units;
/// A loop that nests looks around after so many iterations, or more that are short together.
inline constexpr std::uint64_t k_between_looks = 16;
/// Cost per iteration of a site that has never run, or that nests: larger than any refill, so that such a loop leaves
/// the fast path.
inline constexpr std::uint32_t k_unknown_cost = 1u << 30;

/// One static fork or loop. Shared by all threads; each field is read and written with relaxed atomic accesses,
/// and a lost update costs accuracy only.
struct site {
  std::uint32_t unit_cost = k_unknown_cost;  ///< loops: units per iteration (moving average, at least 1)
  std::uint32_t nested = 0;                  ///< loops: 1 once a nested fork or loop was seen inside an iteration
  /// Loops of fewer iterations run plainly and are not charged; granted for a while by a worker that knows the cost.
  std::uint64_t free_below = 0;
  union {
    std::uint64_t span_ticks = ~0ull;  ///< forks: how long the whole fork took lately; ~0: unknown
    /// Loops: 2^64 - free_below, ~0 if that is 0. A loop is free if begin - end, modulo 2^64, is greater.
    std::uint64_t free_past;
  };
  /// Forks, and loops that nest: bytes below hot_state::free_top in which they run free; 0 until many have been seen.
  std::uint64_t free_band = 0;
};

/// So many parts one promotion makes of a loop at most.
inline constexpr std::uint32_t k_most_parts = 16;

/// What a loop under way shares with promotion, with its halves and with its join; the latent slot points at it.
/// Promotion runs on the same thread (at a poll below, or in a signal handler): the loop moves `next` *before* it
/// compares with `end`, promotion only lowers `end` to `next`.
struct loop_frame {
  std::uint64_t next;  ///< first iteration that the running thread has not claimed
  std::uint64_t end;   ///< first iteration that is not this loop's any more
  run_function run_half;
  void* operations;               ///< the templates' state; a half finds its parent's body and result cells here
  std::uint32_t halves;           ///< tasks made of this loop, in index order: 0, 1, 2, or more if many offer them
  std::uint32_t most_halves;      ///< for so many there is room where they leave results: 2 to k_most_parts
  alignas(8) std::byte join[16];  ///< join word of all of them
  slot half[2];
};

/// What is known of the iterations of a loop under way.
enum class loop_phase : std::uint32_t {
  plain,    ///< nobody needs to know: one claim, nothing can be promoted
  unknown,  ///< nothing: the site has never run, or no chunk of it has taken long enough to be believed
  leaf,     ///< they contain no forks or loops; claims end when the clock is to be looked at
  exposed   ///< they contain forks or loops, and are claimed one by one, or a few that are short together
};

/// Iterations [begin, end) to run; none when begin = end.
struct loop_chunk {
  std::uint64_t begin;
  std::uint64_t end;
};

/// A loop under way, for the thread that runs it: what to claim next, and what has been measured. It lives in the frame
/// of the function that runs the loop. Claims that begin below `look` are made in place; then takt_loop_next is asked.
struct loop_cursor {
  loop_frame frame;     ///< first: it is what promotion sees
  std::uint64_t at;     ///< first iteration after the chunks given out
  std::uint64_t look;   ///< from here on a look at the credit, the polls or the clock is due
  std::uint64_t chunk;  ///< iterations to claim at a time
  slot* pushed;         ///< null: nothing can be promoted
  site* where;
  loop_phase phase;
  std::uint64_t most;        ///< never more than so many are claimed at a time
  std::uint64_t clock;       ///< ticks when it was last looked at; exposed: 0 if that tells nothing about iterations
  std::uint64_t timed;       ///< `at` then
  std::uint64_t polls_seen;  ///< hot_state::polls at the last look
  std::int64_t credit_seen;  ///< not exposed: the credit then. What changes it contains forks or loops
  std::uint64_t cuts_seen;   ///< the same of a signal, which changes both and means nothing
  /// Converted loops only: so many iterations, counted from the loop's first one, are the chunk that the program asks
  /// for, and stay on one thread; 0: it asks for none.
  std::uint64_t together;
};
static_assert(offsetof(loop_cursor, frame) == 0 && offsetof(loop_frame, next) == 0 && offsetof(loop_frame, end) == 8);

/// Where a half of a promoted loop finds its range (in the payload of loop_frame::half[i]).
struct half_payload {
  loop_frame* parent;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t index;
};
static_assert(sizeof(half_payload) <= k_payload_bytes);

enum class fork_way : int {
  outside,  ///< the thread is not inside a parallel call: use takt_enter
  inside,   ///< push the frame, and say so
  charged,  ///< push the frame; there was credit left
  plain     ///< the latent stack is full: call both branches
};

enum class loop_way : int {
  plain,    ///< run all iterations as an ordinary loop
  timed,    ///< the same, and report how long it took (takt_loop_timed)
  framed,   ///< push a frame
  outside,  ///< adopt a worker first: takt_enter, then as a loop inside it
};

}  // namespace takt::abi

extern "C" {

/// Every fork and every loop touches it. The assembly of detail/hot.hpp and of the plugin uses the same name.
extern __thread takt::abi::hot_state takt_hot __asm__(TAKT_ABI_SYMBOL(hot)) TAKT_EXPORT
    __attribute__((tls_model("initial-exec")));

/// Marks the slots of loops: never called, only compared with slot::run.
TAKT_EXPORT void takt_loop_mark(takt::abi::slot*);

/// Runs fn(argument) as the outermost parallel call of this thread, and returns when it is done.
/// @returns false, without having called fn, when no stack can be had.
TAKT_EXPORT bool takt_enter(void (*fn)(void*), void* argument);

/// Poll of a fork whose credit ran out, before its frame is pushed. `units` were charged for it; `stack` is the stack
/// pointer of the function that forks.
TAKT_EXPORT takt::abi::fork_way takt_fork_poll(takt::abi::site* where, std::int64_t units, std::uintptr_t stack);
/// After the push: spends a beat that is due on the oldest frame, which may be the one just pushed.
TAKT_EXPORT void takt_fork_pushed(takt::abi::site* where);
/// When a fork that went through takt_fork_poll is complete.
TAKT_EXPORT void takt_fork_done(takt::abi::site* where, std::uint64_t begun);
TAKT_EXPORT std::uint64_t takt_clock() noexcept;

/// The slot was promoted: join it. @returns true when the task is still ours, its captures untouched, and is to
/// be run by the caller; false when another worker has run it and its outcome is in the slot.
TAKT_EXPORT bool takt_join(takt::abi::slot* promoted);
/// Whether the branch that a joined slot stands for ended with an exception (an exception_ptr in the payload).
TAKT_EXPORT bool takt_threw(const takt::abi::slot* joined) noexcept;
/// Called by the run function of a slot whose branch threw, after it put the exception_ptr into the payload.
TAKT_EXPORT void takt_set_threw(takt::abi::slot* finished) noexcept;

/// From here on, for `more` above zero, or until here, for below, the code that calls this must go on on the thread
/// that it is on. Nothing outside a parallel call.
TAKT_EXPORT void takt_stay(int more) noexcept;

/// Runs `run(argument)` under a policy (the number of a takt::policy) of its own; what it throws passes. @returns
/// false, and nothing has run, outside of parallel calls.
TAKT_EXPORT bool takt_with_policy(std::int32_t policy, void (*run)(void*), void* argument);
/// Whether there is one of that number.
TAKT_EXPORT bool takt_has_policy(std::int32_t policy) noexcept;

/// The code here is about to hold so many bytes more; returns when it may, on another thread perhaps. Outside of
/// parallel calls, and where nobody has asked for more, it is counted only. `place` and `line` are for statistics: a
/// file and its line, or a name and 0. That text stays where it is until all that was taken there is given back.
TAKT_EXPORT void takt_memory_take(std::uint64_t bytes, const char* place, std::uint32_t line) noexcept;
/// It holds so many less, which were taken there.
TAKT_EXPORT void takt_memory_give(std::uint64_t bytes, const char* place, std::uint32_t line) noexcept;

/// A loop of `count` iterations was charged `units` and the credit ran out.
TAKT_EXPORT takt::abi::loop_way takt_loop_poll(takt::abi::site* where, std::uint64_t count, std::int64_t units);
/// A loop that was to be timed took `ticks` for `count` iterations.
TAKT_EXPORT void takt_loop_timed(takt::abi::site* where, std::uint64_t count, std::uint64_t ticks);
/// A loop's slot has been pushed; `cursor->at` and `cursor->where` are set. Sets all
/// of the cursor, looks at the clock if the credit has run out, may promote: all of the loop may have been given away
/// then, the first iteration included. `stack` is the stack pointer of the function that contains the loop; 0: its site
/// does not run free by where on the stack it stands.
TAKT_EXPORT void takt_loop_enter(takt::abi::loop_cursor* cursor, std::uintptr_t stack) noexcept;
/// The next chunk, after the look that is due. Costs a few nanoseconds, and a look at the clock at times.
TAKT_EXPORT takt::abi::loop_chunk takt_loop_next(takt::abi::loop_cursor* cursor) noexcept;
/// After the pop of a promoted loop's slot: waits until the halves are done, running those still ours.
TAKT_EXPORT void takt_loop_join(takt::abi::loop_frame* frame, takt::abi::slot* popped);
}
