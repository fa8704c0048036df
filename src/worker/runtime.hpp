// The runtime: the workers of a process, their places, and what they share.
#pragma once

#include "fiber/fiber.hpp"
#include "worker/sleepers.hpp"
#include "worker/worker.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace takt::core {

struct relax_on_platform {
  platform::platform* os;
  void operator()(unsigned round) const { os->relax(round); }
};

class runtime {
 public:
  explicit runtime(const config& asked);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// The one in force, made from the environment by the first call, with the caller counted as a parallel call
  /// under way until leave_root(). Null when memory is short.
  static runtime* enter_root() noexcept;
  static void leave_root() noexcept;
  static bool any_root() noexcept;
  /// Whether there is one.
  static bool exists() noexcept;
  /// In a child of fork(2): the next call makes a runtime of its own. One that is under way goes on without the threads
  /// that are not there.
  static void begin_in_child() noexcept;
  /// What a loop must take at least to be worth a parallel call of its own; 0 before the runtime exists.
  static std::uint64_t short_call_ticks() noexcept;
  /// Whether the leaf loops of OpenMP programs have chunks sized by polls; false before the runtime exists. Relaxed.
  static inline bool chunks_by_polls = false;
  /// 1 once some code has changed its floating-point environment in the middle of a call (src/promotion). Relaxed.
  static inline sync::atomic<std::uint32_t> environments_change{0};
  /// Ends the one in force and starts anew. @returns false, and nothing has happened, while a call is under way.
  static bool replace(const config& settings);

  // --- workers -----------------------------------------------------------------------------------------------
  worker* take_worker() noexcept;
  void give_worker(worker* w) noexcept;
  /// Makes fibers large enough for what the calling thread could run on its own stack. @returns false when they
  /// cannot be had.
  bool fit_to_caller() noexcept;
  /// Gives `w` a place if one of the P is free. Only a worker with a place promotes, steals or is stolen from.
  bool attach(worker& w) noexcept;
  void detach(worker& w) noexcept;
  /// All places are taken: idle pool threads make room for `w`, which tries again at its polls.
  void wait_for_place(worker& w) noexcept;

  /// The scheduler loop of a pool thread (root null, until shutdown) or of an adopter (until its root is done).
  void loop(worker& w, root_call* root) noexcept;
  /// @returns false when no fiber can be had.
  bool ensure_fiber(worker& w) noexcept;
  /// For the outermost call that `w` adopts. @returns false when no scope id can be had.
  bool ensure_scope(worker& w) noexcept;
  /// Its call is over.
  void leave_scope(worker& w) noexcept;
  void start_task(worker& w, std::uint64_t e) noexcept;
  void run_fiber(worker& w, fiber* f) noexcept;

  /// What w owes to thieves, at each poll and whenever it looks for work itself.
  void serve(worker& w, bool in_signal_handler) noexcept;
  /// After a push to w's deque: wakes one sleeper, or starts one more thread.
  void announce_task(worker& w, std::uint32_t scope, bool in_signal_handler) noexcept;
  /// Makes sure that somebody is awake to look after a worker whose latent frame may wait behind a long leaf.
  void ask_for_company(worker& w, std::uint32_t scope) noexcept;
  void root_finished(root_call& root, worker& finisher) noexcept;
  /// Trigger `request`: whether somebody waits for a task of `w`: has asked, sleeps, or is not started yet.
  bool asked_for(const worker& w) const noexcept;

  // --- what is handed to everybody: children of groups, fibers -----------------------------------------------
  /// Counts the task in `join`, unless that is null. @returns false, and nothing has happened, when there is no memory
  /// or nothing may be added to `join` now.
  bool inject(abi::slot* task, join_word* join, std::uint32_t scope) noexcept;
  /// One of the tasks that count in `join`, and its scope. @returns false if there is none.
  bool take_injected_of(join_word& join, abi::slot*& task, std::uint32_t& scope) noexcept;
  /// Runs one of the tasks that count in `join` here, on a thread that need not be a worker. @returns false if there is
  /// none.
  bool run_injected(join_word& join) noexcept;
  /// For who has made a suspended fiber ready and cannot resume it: somebody else will, at once.
  void hand_over(fiber& ready) noexcept;
  bool anything_injected() const noexcept {
    return injected_count_.load(sync::seq_cst) != 0 || ready_count_.load(sync::seq_cst) != 0;
  }
  std::uint32_t injected() const noexcept { return injected_count_.load(sync::relaxed); }
  /// Wakes one sleeper, or starts one more thread.
  void announce_injected(std::uint32_t scope) noexcept;

  /// How many workers may take part now. Where the settings leave it to takt it follows the process's CPUs, and a place
  /// beyond it is given up when its worker has nothing left to do.
  unsigned worker_count() const noexcept { return worker_count_.load(sync::relaxed); }
  /// Looks at the process's CPUs, if nobody has for a while.
  void follow_cpus(std::uint64_t now) noexcept;
  std::uint64_t threads_started() const noexcept { return threads_started_.load(sync::relaxed); }
  std::uint64_t threads_refused() const noexcept { return threads_refused_.load(sync::relaxed); }
  std::string stats_json();

  platform::platform& os;
  const config settings;
  /// What was asked for: the settings of a child of fork(2), too.
  const config wanted;
  /// The most workers there may ever be.
  const unsigned most_workers;
  const std::uint64_t beat_ticks;
  /// What polls of code that runs evenly aim at; 0: every construct polls.
  const std::uint64_t poll_ticks;
  const double tick_rate;
  fiber_pool fibers;
  scope_table scopes;

 private:
  /// A deque entry, or task_deque::k_none.
  std::uint64_t find(worker& w) noexcept;
  std::uint64_t take_injected(worker& w) noexcept;
  /// Whether `w` may resume `f`: an adopter its own call's without a place, else who has one.
  static bool may_resume(const worker& w, const fiber& f, bool placed) noexcept;
  bool may_resume_any(const worker& w, bool placed) noexcept;
  fiber* take_ready(worker& w) noexcept;
  /// Asks the owner of `deque` for its oldest entry, and waits for the answer.
  steal_result ask(worker& w, private_deque& deque, std::uint64_t& e) noexcept;
  bool work_visible(worker& w) noexcept;
  bool any_place_free() const noexcept;
  bool loop_ends(const root_call* root) const noexcept;
  void sleep(worker& w, root_call* root, bool placed, std::uint64_t& patience) noexcept;
  void reach_silent_workers(worker& w) noexcept;
  /// Interrupts the worker in a place, or makes it poll at its next fork or loop. @returns whether a signal was sent.
  bool reach(worker& v, unsigned place) noexcept;
  /// For detach(), where somebody may be at w's thread: nobody is any more, and no signal is on its way to it.
  void out_of_reach(worker& w) noexcept;
  void ask_somebody(worker& w) noexcept;
  /// Whether idle workers look after those that do not poll.
  bool watches_silent_workers() const noexcept;
  /// Whether a new thread would be one of the workers, and is not to be waited for after a refusal.
  bool may_start_thread() const noexcept;
  void start_pool_thread() noexcept;
  void change_worker_count(unsigned count) noexcept;
  /// Whether no other thread than the calling one, which counts `calls` calls, is in it or was started by it.
  bool is_alone(std::int64_t calls) const noexcept;
  /// What is left of a call in a child of fork(2), in which `w` is the only worker.
  void go_on_alone(worker& w) noexcept;
  [[noreturn]] static void lost_in_child() noexcept;
  static void pool_thread(void* self);

  using sleepers_type = sleepers<worker, relax_on_platform>;
  alignas(abi::k_cache_line) sleepers_type sleepers_;
  alignas(abi::k_cache_line) sync::atomic<std::uint32_t> threads_started_{0};
  sync::atomic<std::uint32_t> stopping_{0};
  sync::atomic<std::uint32_t> sentinel_{0};  ///< 1 while one sleeper looks after workers that do not poll
  sync::atomic<std::uint32_t> waiting_for_place_{0};
  std::unique_ptr<sync::atomic<worker*>[]> places_;
  /// Places that have ever been given away: nobody looks beyond them.
  sync::atomic<unsigned> places_used_;
  sync::tally<unsigned> worker_count_;
  const bool follows_cpus_;
  const bool more_workers_than_cpus_;
  sync::tally<std::uint64_t> next_look_{0};
  sync::atomic<std::uint64_t> threads_refused_{0};
  /// After a refusal no thread is asked for until then; each refusal in a row doubles the wait.
  sync::tally<std::uint64_t> next_start_{0};
  sync::tally<std::uint64_t> start_wait_{0};
  /// The process is a child of fork(2), and this runtime its parent's.
  bool orphaned_ = false;
  runtime* next_orphan_ = nullptr;

  sync::mutex injected_mutex_;
  std::vector<std::uint64_t> injected_;
  sync::atomic<std::uint32_t> injected_count_{0};
  fiber* ready_ = nullptr;  ///< linked by `next`, under the same mutex
  sync::atomic<std::uint32_t> ready_count_{0};

  sync::mutex workers_mutex_;
  std::vector<std::unique_ptr<worker>> workers_;
  worker* free_workers_ = nullptr;
  std::vector<platform::thread*> threads_;
  const std::uint64_t spin_ticks_;
  const bool fits_callers_;  ///< stack_bytes is the usual: fibers are as large as the largest stack of a caller
};

/// Whether code that charges no credit is still reached by beats on this worker's thread, and the trigger counts beats
/// at all.
inline bool reaches_free_code(const worker& w) noexcept {
  return promotes_at_polls(w.owner.settings.trigger) && w.hears.load(sync::relaxed) != 0;
}

/// Where it makes no odds, loops are cut at multiples of so many iterations: a piece then walks its arrays from the
/// start of a cache line, as the whole loop does, and no vector lies across two.
inline constexpr std::uint64_t k_iterations_of_lines = 64;
inline std::uint64_t cut_at_lines(std::uint64_t begin, std::uint64_t end) noexcept {
  return end - begin < 4 * k_iterations_of_lines ? end : end - end % k_iterations_of_lines;
}
/// The same for the middle of a loop, where so many iterations are to be hardly anything of a half: of a loop of a
/// thousand rows they are an eighth.
inline std::uint64_t middle_at_lines(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::uint64_t half = (end - begin + 1) / 2;
  return begin + half - (half < 64 * k_iterations_of_lines ? 0 : (begin + half) % k_iterations_of_lines);
}

// --- promotion/promote.cpp
/// Promotes the oldest latent frame of the fiber that runs here. @returns false when there is none, or no room.
/// `environment` is the floating-point environment of the code that runs on the fiber.
bool promote_oldest(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept;
/// The same at a poll.
bool promote_oldest(worker& w) noexcept;
/// At a poll: watches from here on if the environment has been changed, here or anywhere.
void look_at_environment(worker& w) noexcept;
/// Before or after the push of `s`, by a worker that watches.
void note_environment_of(abi::slot* s) noexcept;

// --- beat/poll.cpp
/// Looks at the clock: adapts the refill, spends a beat that is due. `charge` is what was taken from the credit for
/// something that has not run.
void poll(worker& w, std::int64_t charge) noexcept;
/// The same for a frame of `where` that was pushed, or is about to be, by a function with that stack pointer: learns
/// how far up the stack forks are short.
void poll_pushed(worker& w, std::int64_t charge, abi::site& where, std::uintptr_t stack) noexcept;
/// Forks push frames again, and for a while.
void leave_free_band(worker& w) noexcept;
/// The same at a known time, and without adapting the refill: after a leaf chunk, whose cost is measured.
void poll_at(worker& w, std::uint64_t now) noexcept;
/// Whether a beat (or the trigger) allows a promotion now.
bool may_promote(worker& w) noexcept;
/// promote_oldest and the book-keeping of the beat.
bool spend_beat(worker& w) noexcept;
void count_beat(worker& w) noexcept;
void start_beats(worker& w, std::uint64_t now) noexcept;
/// Tells the platform what has been charged since the last time.
void note_credit(worker& w) noexcept;

// --- loop/loop.cpp
/// Loops that ran free are charged again. A worker does this before it leaves a fiber: afterwards the library that a
/// site is part of may be unloaded.
void end_free_loops(worker& w) noexcept;
/// Whether the time of the next loop that nests is to be learned: one in so many.
bool sample_nested(worker& w) noexcept;
/// A site's loops are leaf loops, and chunks are sized by polls.
void set_polled_cost(abi::site& s) noexcept;
/// The slot of such a loop has been pushed: sets the first chunk. `left`: iterations of the loop.
void begin_polled(abi::loop_frame& frame, std::uint64_t left) noexcept;
/// It has run `ran` of them in a chunk, and `left` are left: polls if they end the worker's chunk, sets the next one
/// and `nested`.
void end_polled(abi::loop_frame& frame, std::uint64_t ran, std::uint64_t left) noexcept;
/// A loop that nests took `ticks` for `count` iterations. If that is short, loops of so few run free for a while.
void learn_nested(worker& w, abi::site& s, std::uint64_t count, std::uint64_t ticks) noexcept;

// What the fast paths see. What cut_credit writes from another thread is not read and written plainly.
inline std::int64_t shown_credit() noexcept { return __atomic_load_n(&takt_hot.credit, __ATOMIC_RELAXED); }
inline void show_credit(std::int64_t units) noexcept { __atomic_store_n(&takt_hot.credit, units, __ATOMIC_RELAXED); }
/// What the code on this thread, which is `w`, may still spend.
inline std::int64_t credit_of(const worker& w) noexcept { return shown_credit() + w.watch; }
inline std::uintptr_t free_floor() noexcept { return __atomic_load_n(&takt_hot.free_floor, __ATOMIC_RELAXED); }
inline void store_free_floor(std::uintptr_t address) noexcept {
  __atomic_store_n(&takt_hot.free_floor, address, __ATOMIC_RELAXED);
}

// --- beat/interrupt.cpp
void on_interrupt(std::uint32_t environment);
/// The same from afar, as far as that goes: `v` polls at its next fork or loop. The caller keeps its thread from leaving.
void cut_credit(worker& v) noexcept;
/// At a poll: a signal that was sent and has not come has been blocked meanwhile. Nobody else is to find it.
void take_signal_back(worker& w) noexcept;

// --- join/join.cpp
/// Leaves the stack until `join` is complete. Owner only, nothing of it left in the deque.
/// `held`: where those who hand the join's children to everybody find the worker, if it waits in place.
void wait_for(join_word& join, sync::atomic<worker*>* held = nullptr) noexcept;
/// For `finisher`, whose child of the join was the last: the fiber that it, or somebody, is to resume. Null: that goes
/// on by itself.
fiber* resume(waiter* waiting, worker& finisher) noexcept;
/// Runs a task of this fiber's own, which an entry with that scope named, on top of its stack, and counts it as done.
void run_in_place(abi::slot* task, std::uint32_t scope) noexcept;

// --- group/group.cpp
/// The next child that promotion may hand over, or null. @returns false when another thread is at the group's list
/// and a signal handler cannot wait for it.
bool take_latent_child(group_state& group, bool in_signal_handler, abi::slot*& task) noexcept;
/// Runs a child on this stack, and what it has added to its group and nobody has taken. It is a task of its own also
/// on top of another: it starts with the floating-point environment of the code that added it, and what it changes
/// stays in it.
void run_child(abi::slot* task) noexcept;
/// Whether a task is a child of a group that the fiber that runs here is the home of, or helps.
bool is_child_of_this_fiber(abi::slot* task) noexcept;

}  // namespace takt::core
