// What the workers of a process share: seats, sleepers, threads, and what is handed to everybody.
#pragma once

#include "fiber/fiber.hpp"
#include "platform/platform.hpp"
#include "worker/inbox.hpp"
#include "worker/process.hpp"
#include "worker/sleepers.hpp"
#include "worker/worker.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace takt::core {

class memory_keeper;
class memory_observer;
class policies;

struct relax_on_platform {
  platform::threading* threading;
  void operator()(unsigned round) const { threading->relax(round); }
};

/// As ticks of a platform's clock.
std::uint64_t to_ticks(std::chrono::microseconds t, double rate) noexcept;

/// What takt may reserve where the address space of the process is limited: nothing, or two stacks and a thread at
/// least.
struct address_space_share {
  std::uint64_t stack_bytes;  ///< for all stacks together
  unsigned threads;           ///< that it starts
  bool is_short;              ///< what is wanted fits only if stacks and threads are small
};

class runtime {
 public:
  /// What the folders above give to it.
  struct above {
    void (*pool_thread)(void* runtime);
    void (*stand_in)(void* thread);
    void (*on_interrupt)(std::uint32_t environment);
    platform::placement wanted_cpus{};
  };
  runtime(const config& asked, const above& given);
  virtual ~runtime() = default;
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // --- worker/crew.cpp: worker objects and threads ------------------------------------------------------------
  worker* take_worker() noexcept;
  void give_worker(worker* w) noexcept;
  /// Makes fibers large enough for what the calling thread could run on its own stack. @returns false when they
  /// cannot be had.
  bool fit_to_caller() noexcept;
  /// @returns false when no fiber can be had. `in_place_of`: bytes that the program takes if there is none.
  bool ensure_fiber(worker& w, std::uint64_t in_place_of = 0) noexcept;
  /// For the outermost call that `w` adopts. @returns false when no scope id can be had.
  bool ensure_scope(worker& w) noexcept;
  /// Its call is over.
  void leave_scope(worker& w) noexcept;
  /// Nobody's from here on.
  void put_aside(worker* w) noexcept;
  /// Whether a new thread would have a seat, and is not to be waited for after a refusal.
  bool may_start_thread() const noexcept;
  /// One of the pool; or, where all of that have been started, one that stands in for whoever has given its seat away.
  void start_pool_thread() noexcept;

  // --- worker/stand_ins.cpp: src/scheduler/README.md, "Seats that change hands"
  /// What such a thread is started with.
  struct stand_in {
    runtime& owner;
    platform::thread* thread;
  };
  /// One thread does all: nobody stands in either.
  bool is_alone() const noexcept { return worker_count() == 1 && away_.load(sync::seq_cst) == 0; }
  /// One more, or one less, thread neither runs anything nor has a seat, and does not look.
  void counts_away() noexcept;
  void counts_back() noexcept;
  /// Whether that is a stand-in that is to end rather than sleep.
  bool is_too_many(const worker& w) const noexcept {
    return w.seat.is_stand_in() && !w.scheduler.teams().has_members() && are_too_many();
  }
  /// Asked by one that would sleep. @returns whether it is to end, and does not count any more.
  bool may_do_without(const worker& w) noexcept;
  /// For want of memory one that was started is none.
  void has_no_worker() noexcept { stand_ins_.fetch_sub(1, sync::relaxed); }
  /// It ends, and is the last to touch `self`.
  void end_stand_in(stand_in* self) noexcept;
  /// The one that ended last; null: none has.
  platform::thread* take_ended() noexcept { return std::exchange(ended_, nullptr); }
  /// In a child of fork(2): the calling thread, the only one, has another name here.
  static void rename_this_thread(runtime& r, worker* w) noexcept;

  // --- worker/seats.cpp ---------------------------------------------------------------------------------------
  /// Gives `w` a seat if one of the P is free. Only a worker with a seat promotes, steals or is stolen from.
  bool attach(worker& w) noexcept;
  /// That seat, if it is free.
  bool attach_to(worker& w, unsigned seat) noexcept;
  /// `w` has served the thieves, and nothing is left in its seat that they could not take.
  void detach(worker& w) noexcept;
  /// All seats are taken: idle pool threads make room for `w`, which tries again at its polls.
  void wait_for_seat(worker& w) noexcept;
  bool any_seat_empty() const noexcept;
  /// Whether code waits for a seat where it is: who has nothing to do leaves its own.
  bool is_seat_wanted() const noexcept { return wishes_.any(); }
  /// `w`, which runs code without a seat, has one when this returns. Nothing else runs here meanwhile.
  void wait_in_place_for_seat(worker& w) noexcept;
  /// Who holds it, or null. EDGE seat.worker: the worker is set up before it is seen.
  worker* holder(unsigned seat) const noexcept { return seats_[seat].load(sync::acquire); }
  /// The same, ordered after what the caller did before (src/worker/README.md).
  worker* holder_in_order(unsigned seat) const noexcept { return seats_[seat].load(sync::seq_cst); }
  /// Whether somebody holds it and looks for work. Who finds some then looks whether others are to be woken: what was
  /// given to that seat before the question is not forgotten.
  /// `scope`: and may take what is of that scope; 0: of any.
  bool is_looking(unsigned seat, std::uint32_t scope = 0) const noexcept;
  /// How many others, `most` at most, look for work and may take it from the call that `w` runs. What was put where
  /// they look before the question is not forgotten, as with is_looking(). O(P).
  std::size_t how_many_look(const worker& w, std::size_t most) const noexcept;
  bool more_look_than(const worker& w, std::size_t count) const noexcept { return how_many_look(w, count + 1) > count; }
  /// Whether `w`, which has just put one of `offered` tasks where others look, need wake nobody: as many look for work
  /// already, and each looks once more before it sleeps or begins something else. One of two tasks may be for `w`
  /// itself. Not with several calls: who finds one call's work would wake somebody for that one alone.
  bool enough_look(const worker& w, std::size_t offered) const noexcept;
  /// Seats that have ever been given away: nobody looks beyond them.
  unsigned seats_used() const noexcept { return seats_used_.load(sync::relaxed); }
  unsigned seats_used_in_order() const noexcept { return seats_used_.load(sync::seq_cst); }
  /// How many workers may take part now. Where the settings leave it to takt it follows the process's CPUs, and a seat
  /// beyond it is given up when its worker has nothing left to do.
  unsigned worker_count() const noexcept { return worker_count_.load(sync::relaxed); }
  /// Looks at the process's CPUs, if nobody has for a while.
  void follow_cpus(std::uint64_t now) noexcept;
  /// The same for who has something to do: not at the beginning of a computation.
  void follow_cpus_if_busy(std::uint64_t now) noexcept {
    if (now >= next_busy_look_.load(sync::relaxed)) follow_cpus(now);
  }
  /// The same where a call begins, `since_last` ticks after its thread's last one began.
  void follow_cpus_at_call(std::uint64_t since_last, std::uint64_t now) noexcept;

  // --- worker/wake.cpp: who is woken, who is reached ----------------------------------------------------------
  /// There is a task of `scope` that was not there before: wakes one sleeper, or starts one more thread. Better the
  /// one that held `seat` last, if that is not -1.
  void announce_task(std::uint32_t scope, bool in_signal_handler, int seat = -1) noexcept {
    const auto first = static_cast<unsigned>(seat);
    announce_task(scope, in_signal_handler, seat < 0 ? 0u : first, seat < 0 ? ~0u : first);
  }
  /// The same for seats from `first` to `last`.
  void announce_task(std::uint32_t scope, bool in_signal_handler, unsigned first, unsigned last) noexcept;
  /// Makes sure that somebody is awake to look after a worker whose latent frame may wait behind a long leaf.
  void ask_for_company(std::uint32_t scope) noexcept;
  /// Wakes one sleeper, or starts one more thread, for what everybody may take.
  void announce_injected(std::uint32_t scope) noexcept;
  /// The same for a spawned function, which adopters do not begin: for the first one a single worker gets a thread, too.
  void announce_spawned() noexcept;
  /// `w` has left a seat. Wakes somebody for the first task that lies with everybody and that `w` may not run.
  void wake_for_injected_of_others(worker& w) noexcept;
  /// Whether idle workers look after those that do not poll.
  bool watches_silent_workers() const noexcept;
  void reach_silent_workers(worker& w) noexcept;
  /// Whether it has not looked at the clock for a while, or runs nothing. A hint.
  bool is_silent(const worker& v) const noexcept;
  /// What naps are measured in of those who look around now and then. Ticks.
  std::uint64_t nap_ticks() const noexcept { return beat_ticks != 0 ? beat_ticks : spin_ticks; }
  /// Trigger `request`.

  // --- worker/parts.cpp: src/scheduler/README.md, "Parts" ------------------------------------------------------
  /// `w` goes on in a part of the scope `around`, which so many workers may run. @returns its id; 0, and nothing has
  /// happened: there are too many parts, or memory is short.
  std::uint32_t begin_part(worker& w, std::uint32_t around, std::uint32_t limit) noexcept;
  void end_part(worker& w, std::uint32_t part, std::uint32_t around) noexcept;
  /// For `w`, which is about to run what is of that scope; places elsewhere are left. @returns false if there is none.
  bool take_place(worker& w, std::uint32_t scope) noexcept;
  /// The same for what cannot wait for one.
  void take_place_anyway(worker& w, std::uint32_t scope) noexcept;
  /// It runs nothing of it any more.
  void leave_place(worker& w) noexcept;

  // --- worker/injected.cpp: what is handed to everybody: children of groups, fibers ---------------------------
  /// Counts the task in `join`, unless that is null. @returns false, and nothing has happened, when there is no memory
  /// or nothing may be added to `join` now.
  bool inject(abi::slot* task, join_word* join, std::uint32_t scope) noexcept;
  /// A task that its worker has taken out of its queue. @returns false, and nothing has happened, without memory.
  bool give_to_everybody(std::uint64_t e) noexcept;
  /// What `w` may run of it, or only what it awaits: an entry, or entry::k_none.
  std::uint64_t take_injected(worker& w) noexcept;
  std::uint64_t take_injected_awaited(worker& w) noexcept;
  /// `task`, if that lies there; or, if it is null, one that counts in `join`. An entry, or entry::k_none.
  std::uint64_t take_injected_back(const abi::slot* task, const join_word* join) noexcept;
  /// One of the tasks that count in `join`, and its scope. @returns false if there is none.
  bool take_injected_of(join_word& join, abi::slot*& task, std::uint32_t& scope) noexcept;
  /// For who has made a suspended fiber ready and cannot resume it: somebody else will, at once.
  /// Better the holder of `seat`, if that is not -1: as long as it looks for work, nobody else takes it.
  void hand_over(fiber& ready, int seat) noexcept;
  /// A fiber that has a thread is for that one.
  fiber* take_ready(worker& w) noexcept;
  /// As many of `asked` threads as can be had, the caller's included: those of the pool are started. They have numbers
  /// from 1 on.
  unsigned start_team_threads(unsigned asked) noexcept;
  fiber* take_anybodys(worker& w) noexcept;
  void unlink_ready(fiber** link) noexcept;  ///< under the mutex
  /// How many members are ready and have no thread: theirs has gone on with none since the last look. O(workers).
  std::uint32_t look_for_stuck() noexcept;
  /// One of them, which is `w`'s from here on; or null.
  fiber* take_stuck(worker& w) noexcept;
  /// The worker of such a thread; 0: `caller`.
  worker* team_thread(unsigned number, const worker& caller) const noexcept {
    return number == 0 ? const_cast<worker*>(&caller) : pool_workers_[number - 1].load(sync::acquire);
  }
  /// `w` is the calling thread, which is one of the pool.
  void note_pool_worker(worker& w) noexcept {
    // EDGE runtime.pool_worker: it is set up before anybody gives it a fiber.
    pool_workers_[pool_workers_count_.fetch_add(1, sync::relaxed)].store(&w, sync::release);
  }
  void has_no_pool_worker() noexcept { without_worker_.fetch_add(1, sync::relaxed); }
  /// Whether `w` may resume one of them, with a seat or without.
  bool may_resume_any(const worker& w, bool seated) noexcept;
  bool any_ready() const noexcept { return ready_count_.load(sync::seq_cst) != 0; }
  bool anything_injected() const noexcept { return any_injected_task() || any_ready(); }
  bool any_injected_task() const noexcept { return !injected_.looks_empty(); }
  /// Whether take_injected() would find something.
  bool any_injected_for(const worker& w) noexcept;
  /// A recent number of tasks.
  std::uint32_t injected() const noexcept { return injected_.size(); }

  /// In a child of fork(2), in which `w` is the only worker: what is left of a call.
  void go_on_alone(worker& w) noexcept;
  /// Whether no other thread than the calling one, which counts `calls` calls, is in it or was started by it.
  bool is_alone(std::int64_t calls) const noexcept;

  std::uint64_t threads_started() const noexcept {
    return threads_started_.load(sync::relaxed) + stand_ins_.load(sync::relaxed);
  }
  /// The most that it would start now.
  unsigned threads_allowed() const noexcept {
    return std::min(share.threads, std::max(worker_count() - 1, least_threads_.load(sync::relaxed)));
  }
  std::uint64_t threads_refused() const noexcept { return threads_refused_.load(sync::relaxed); }

  // Of the platform.
  platform::clock& clock;
  platform::threading& threading;
  platform::stacks& stacks;
  platform::signals& signals;
  platform::topology& topology;
  platform::observer& simulator;
  platform::program& program;
  const config settings;
  /// What was asked for: the settings of a child of fork(2), too.
  const config wanted;
  /// When frames become tasks.
  const promotion_rule rule;
  /// Which CPUs they are meant for, where policies bind them.
  const platform::placement wanted_cpus;
  /// The most workers there may ever be.
  const unsigned most_workers;
  /// What takt may reserve of an address space that is limited (README.md, "A limited address space").
  const address_space_share share;
  const std::uint64_t beat_ticks;
  /// A loop that takes less is over before a promotion would gain anything. After one of which others have had a part
  /// its data are likely to lie where that has run.
  std::uint64_t least_loop_ticks(bool after_parts) const noexcept {
    const std::uint64_t least = beat_ticks / cost::k_least_share;
    return after_parts ? least / cost::k_least_share : least;
  }
  /// One that takes less is not entered from serial code: half a beat where nobody could have a part of it at once, as
  /// there is nobody, or as it would wait for a beat.
  std::uint64_t least_call_ticks(bool after_parts) const noexcept {
    if (rule.promotes_all()) return 0;
    return worker_count() == 1 || !rule.looks_at_thieves() ? beat_ticks / 2 : least_loop_ticks(after_parts);
  }
  /// Loops that are known to take less together are over before who sleeps could have a part of them.
  const std::uint64_t least_wake_ticks;
  /// Whether a promotion would wake somebody, or start a thread: nobody looks for work.
  bool would_wake(const worker& w) const noexcept {
    return (sleeping.any() || may_start_thread()) && !more_look_than(w, 0);
  }
  /// Tells serial code.
  void publish_least_call_ticks() const noexcept;
  /// What polls of code that runs evenly aim at; 0: every construct polls.
  const std::uint64_t poll_ticks;
  const double tick_rate;
  /// How long an idle worker looks for work before it sleeps.
  const std::uint64_t spin_ticks;
  const std::uint64_t brief_ticks;
  const bool more_workers_than_cpus;
  fiber_pool fibers;
  scope_table scopes;
  /// Who gets a task (src/policy). Set before anybody else sees the runtime.
  policies* policy = nullptr;
  /// Where the worker of each seat is to run; empty: anywhere. Likewise.
  std::vector<const platform::cpu_set*> cpus_of_seat;
  /// What the program reports of its memory goes there (src/memory). Likewise.
  memory_keeper* memory = nullptr;
  /// Who is told of computations, to say when a task may allocate: nobody, as long as none is made to wait. Likewise.
  memory_observer* observer = nullptr;

  // For the scheduler.
  using sleepers_type = sleepers<worker, relax_on_platform>;
  alignas(abi::k_cache_line) sleepers_type sleeping;
  sync::atomic<std::uint32_t> stopping{0};
  sync::atomic<std::uint32_t> sentinel{0};  ///< 1 while one sleeper looks after workers that do not poll
  sync::atomic<std::uint32_t> waiting_for_seat{0};
  /// How many run a fiber without a seat, and do not wait in place. A hint.
  sync::atomic<std::uint32_t> unseated{0};
  /// `w` neither runs anything nor looks from here on, and does not leave what it has begun.
  void waits_in_place(worker& w) noexcept {
    beats_rest(w);
    w.sleep.looks.store(worker_sleep::k_waits_in_place, sync::relaxed);
    if (w.seat.runs_unseated()) unseated.fetch_sub(1, sync::relaxed);
  }
  void goes_on_in_place(worker& w) noexcept {
    beats_go_on(w);
    w.sleep.looks.store(0, sync::relaxed);
    if (w.seat.runs_unseated()) unseated.fetch_add(1, sync::relaxed);
  }
  /// The process is a child of fork(2), and this runtime its parent's.
  bool orphaned = false;
  runtime* next_orphan = nullptr;

  sync::mutex workers_mutex;
  std::vector<std::unique_ptr<worker>> workers;
  std::vector<platform::thread*> threads;

 private:
  runtime(platform::platform& os, const config& asked, const above& given);
  /// Interrupts the worker in a seat, or makes it poll at its next fork or loop, if `looked` is still when it last
  /// looked at the clock. @returns whether a signal was sent.
  bool reach(worker& v, unsigned seat, std::uint64_t looked) noexcept;
  /// For detach(), where somebody may be at w's thread: nobody is any more, and no signal is on its way to it.
  void out_of_reach(worker& w) noexcept;
  void change_worker_count(unsigned count) noexcept;
  /// A seat that has just become free goes to whoever waits for one where it is.
  void give_to_who_waits(unsigned seat) noexcept;
  void settle(worker& w, unsigned seat) noexcept;
  bool may_stand_in() const noexcept;
  bool are_too_many() const noexcept;
  void wake_one_too_many() noexcept;
  bool start_stand_in() noexcept;
  void note_refusal() noexcept;
  void wake_for_place(std::uint32_t call) noexcept;

  const above above_;
  alignas(abi::k_cache_line) sync::atomic<std::uint32_t> threads_started_{0};
  sync::atomic<std::uint32_t> stand_ins_{0};
  sync::atomic<std::uint32_t> away_{0};
  std::unique_ptr<sync::atomic<worker*>[]> seats_;
  /// Whether somebody has it as the last one it held, or has been sent there. A hint.
  std::unique_ptr<sync::atomic<std::uint32_t>[]> is_somebodys_;
  sync::atomic<unsigned> seats_used_;
  sync::tally<unsigned> worker_count_;
  sync::tally<unsigned> least_threads_{0};
  const bool follows_cpus_;
  const std::uint64_t between_looks_;
  sync::tally<std::uint64_t> next_look_{0};
  sync::tally<std::uint64_t> next_busy_look_{0};
  sync::atomic<std::uint64_t> threads_refused_{0};
  /// After a refusal no thread is asked for until then.
  sync::tally<std::uint64_t> next_start_{0};

  sync::atomic<std::uint32_t> without_worker_{0};  ///< threads of the pool that have ended for want of memory
  std::unique_ptr<sync::atomic<worker*>[]> pool_workers_;  ///< by the number of their thread; null: it has not begun
  sync::atomic<std::uint32_t> pool_workers_count_{0};

  inbox<sync::mutex> injected_;
  sync::mutex ready_mutex_;
  fiber* ready_ = nullptr;  ///< linked by `next`, first come, first served; under the mutex
  fiber** ready_end_ = &ready_;
  sync::atomic<std::uint32_t> ready_count_{0};
  std::uint32_t ready_taken_ = 0;  ///< members; under the mutex, as are the next two
  std::uint32_t ready_seen_ = 0;   ///< of those, at the last look for stuck members
  bool ready_stuck_ = false;

  sleepers<seat_wish, relax_on_platform> wishes_;
  platform::thread* ended_ = nullptr;  ///< the stand-in that ended last; under workers_mutex

  worker* unused_workers_ = nullptr;
  const bool fits_callers_;  ///< stack_bytes is the usual: fibers are as large as the largest stack of a caller
};

// --- worker/awaited.cpp: what a thread waits for that cannot go to other work (README.md, "What a waiter may run")
/// Whether `w` waits for one thing: it holds a fiber, or it has made a call.
inline bool awaits_one_thing(const worker& w) noexcept {
  return w.scheduler.is_held() || w.sleep.runs_only() != 0;
}
/// Whether what `w` waits for cannot be over before all that counts in `join` is. The caller has a task that counts
/// there, and has not begun. O(depth).
bool is_awaited(const worker& w, const join_word& join) noexcept;
/// The same for a fiber that has left its stack, or is about to, and that nobody else can resume now.
bool is_awaited(const worker& w, const fiber& f) noexcept;
inline bool is_awaited(const worker& w, std::uint64_t task) noexcept {
  return is_awaited(w, *own_join(entry::task(task))->target());
}
/// The one that it stays on; null: it may go on on any.
worker* thread_of(const fiber& f) noexcept;
/// Whether `f` may run on `w`'s thread, which may hold locks for what it waits for.
inline bool may_go_on_at(const worker& w, const fiber& f) noexcept {
  if (!w.scheduler.is_held() && (w.sleep.eligible(f.run.scope()) || thread_of(f) == &w)) return true;
  return is_awaited(w, f);
}
/// Whether a thread is held for what cannot be over before `f` is, which runs here.
bool is_awaited_by_held(const fiber& f) noexcept;

/// Whether code that charges no credit is still reached by beats on this worker's thread, and the trigger counts beats
/// at all.
inline bool reaches_free_code(const worker& w) noexcept {
  return w.owner.rule.promotes_at_polls() && w.reach.hears.load(sync::relaxed) != 0;
}

// What the fast paths see. What cut_credit writes from another thread is not read and written plainly.
inline std::int64_t shown_credit() noexcept { return __atomic_load_n(&takt_hot.credit, __ATOMIC_RELAXED); }
inline void show_credit(std::int64_t units) noexcept { __atomic_store_n(&takt_hot.credit, units, __ATOMIC_RELAXED); }
/// What the code on this thread, which is `w`, may still spend.
inline std::int64_t credit_of(const worker& w) noexcept { return shown_credit() + w.beat.taken_off(); }
inline std::uintptr_t free_top() noexcept { return __atomic_load_n(&takt_hot.free_top, __ATOMIC_RELAXED); }
inline void store_free_top(std::uintptr_t address) noexcept {
  __atomic_store_n(&takt_hot.free_top, address, __ATOMIC_RELAXED);
}

// --- worker/wake.cpp
/// As far as that goes from afar: `v` polls at its next fork or loop. The caller keeps its thread from leaving.
void cut_credit(worker& v) noexcept;
/// At a poll: a signal that was sent and has not come has been blocked meanwhile. Nobody else is to find it.
void take_signal_back(worker& w) noexcept;

}  // namespace takt::core
