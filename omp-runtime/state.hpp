// What OpenMP knows of the code that runs: the team, the member, the task, and their settings. See README.md.
#pragma once

#include <takt/team.hpp>

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wait.hpp"

namespace takt::openmp {

struct team;
struct member;
struct task;
struct group;
struct dependences;

enum class kind : std::uint32_t { fixed = 1, dynamic = 2, guided = 3, automatic = 4 };

struct schedule {
  kind what = kind::fixed;
  std::uint64_t chunk = 0;  ///< 0: that of the kind
  bool monotonic = false;
};

inline constexpr std::uintptr_t k_default_allocator = 1;  ///< omp_default_mem_alloc

/// The internal control variables of a data environment.
struct settings {
  std::int32_t threads = 0;
  std::int32_t level = 0;  ///< how many entries of OMP_NUM_THREADS have been used
  std::int32_t thread_limit = 0;
  std::int32_t most_active_levels = 0;
  std::int32_t default_device = 0;
  std::uintptr_t allocator = k_default_allocator;
  bool is_dynamic = false;
  schedule runtime;
};

/// What the environment says, once.
struct environment {
  settings first;
  std::vector<std::int32_t> threads;  ///< OMP_NUM_THREADS
  std::int32_t processors = 1;
  bool cancels = false;
  std::int32_t teams = 0;
  std::int32_t teams_thread_limit = 0;
  std::int32_t most_priority = 0;
  std::string affinity_format;
  bool shows_affinity = false;
};
environment& the_environment() noexcept;
void display_environment(const environment& e) noexcept;

/// A task that is made by code: allocated in front of what the compiler knows of it; or the implicit one of a member.
struct task {
  task* parent = nullptr;
  team* in = nullptr;
  group* groups = nullptr;  ///< the innermost around the code that it runs
  group* of = nullptr;      ///< the one that it counts in
  std::uint32_t depth = 0;
  bool is_implicit = false;
  bool is_final = false;
  bool is_counted = false;  ///< somebody may wait for it
  settings icvs;
  /// Itself until it is done; its children's records; who depends on it. An implicit one counts none.
  std::atomic<std::uint32_t> references{1};
  std::atomic<std::uint32_t> children{0};    ///< that are not done
  /// What is to be done: runs on a member. A task that is cancelled drops what it has copied.
  void (*run)(task&, bool is_cancelled) = nullptr;

  // Dependences: on what it waits, and who waits for it.
  std::atomic<std::uint32_t> unmet{0};
  short_lock lock;
  bool is_done = false;
  bool has_dependences = false;
  std::vector<task*> successors;
  dependences* of_children = nullptr;
  std::atomic<std::uint32_t> events{0};  ///< of its body and its event, those that are still to come

  task* newer = nullptr;  ///< in a queue
  task* older = nullptr;
};

/// A taskgroup.
struct group {
  group* outer = nullptr;
  std::atomic<std::uint32_t> count{0};
  std::atomic<bool> is_cancelled{false};
  struct reduction* reductions = nullptr;
  std::uintptr_t* gomp_reductions = nullptr;  ///< as GCC describes them
  bool is_shared = false;                     ///< the reductions are the team's: no group of the program's
};

/// Of a member: memory of the tasks that it makes. Others give it back, and an allocator's lock would be in their way.
class task_memory {
 public:
  task_memory() = default;
  task_memory(const task_memory&) = delete;
  task_memory& operator=(const task_memory&) = delete;
  ~task_memory();

  /// By the member alone: so many bytes at a cache line. @returns null without memory.
  void* take(std::size_t bytes) noexcept;
  /// By anybody, while the member is there. `mine`: the caller's own; or null.
  static void give(void* memory, task_memory* mine) noexcept;

 private:
  struct block;
  block* own_ = nullptr;
  std::uint32_t made_ = 0;
  alignas(64) std::atomic<block*> returned_{nullptr};
};

/// Of a member: tasks that wait, the newest last.
class task_queue {
 public:
  void push(task& t) noexcept;
  /// The newest that `may` allows, looked at alone.
  template <class May>
  task* pop(May&& may) noexcept {
    if (count() == 0) return nullptr;
    lock_.lock();
    task* const t = newest_ != nullptr && may(*newest_) ? newest_ : nullptr;
    if (t != nullptr) unlink(*t);
    lock_.unlock();
    return t;
  }
  /// The oldest that `may` allows.
  template <class May>
  task* steal(May&& may) noexcept {
    if (count() == 0) return nullptr;
    lock_.lock();
    task* t = oldest_;
    while (t != nullptr && !may(*t)) t = t->newer;
    if (t != nullptr) unlink(*t);
    lock_.unlock();
    return t;
  }
  // EDGE condition.waiting
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(state_.load(std::memory_order_seq_cst)); }
  /// That have ever been there.
  std::uint64_t pushed() const noexcept { return state_.load(std::memory_order_seq_cst) / k_pushed; }

 private:
  static constexpr std::uint64_t k_pushed = std::uint64_t{1} << 32;
  void unlink(task& t) noexcept;
  short_lock lock_;
  std::atomic<std::uint64_t> state_{0};  ///< low half: how many; high: ever. Written under the lock.
  task* newest_ = nullptr;
  task* oldest_ = nullptr;
};

/// A worksharing construct that members of a team come to one after the other. Iterations are counted from 0.
struct alignas(64) workshare {
  std::atomic<std::uint64_t> number{~std::uint64_t{0}};  ///< which of the team's, twice; one more while it is set up
  std::atomic<std::uint64_t> next{0};
  std::uint64_t count = 0;
  schedule how;
  std::atomic<std::uint32_t> left{0};  ///< members that are through with it
  std::atomic<bool> is_free{true};     ///< all are

  // Not beside `next`: who takes a chunk looks here first, and would fetch that line twice.
  alignas(64) std::atomic<bool> is_cancelled{false};
  std::atomic<std::uint64_t> turn{0};  ///< of ordered regions: the iteration whose chunk may run them
  short_lock lock;                                 ///< for what members add
  // doacross: a bit for each iteration
  std::atomic<std::uint32_t>* posted = nullptr;
  std::vector<std::int64_t> dimensions;  ///< for each: lower bound, step, count
  void* memory = nullptr;                ///< that the construct asked for
  std::uintptr_t* reductions = nullptr;  ///< over tasks, by GCC: of the first member that came

  workshare() = default;
  workshare(const workshare&) = delete;
  workshare& operator=(const workshare&) = delete;
  ~workshare() { forget(); }
  void forget() noexcept;
};

/// Of one member, in the construct that it is in.
struct loop_position {
  workshare* in = nullptr;
  std::uint64_t count = 0;
  schedule how;
  std::uint64_t next = 0;  ///< of a static schedule
  std::uint64_t begin = 0;  ///< the chunk that it has
  std::uint64_t end = 0;
  bool is_ordered = false;
  bool has_chunk = false;
  // As the compiler counts: value = first + iteration * step.
  std::uint64_t first = 0;
  std::int64_t step = 1;
};

/// A member of a team; or the code of a thread outside of regions, which is a team of one.
struct alignas(64) member {
  team* in = nullptr;
  std::uint32_t number = 0;
  member* outer = nullptr;  ///< on whose stack it was made: of the thread's, or fiber's, code around
  task implicit;
  task* current = &implicit;
  std::uint64_t constructs = 0;  ///< worksharing constructs that it has come to, by region
  std::uint32_t copies = 0;      ///< single constructs with a value for all
  std::atomic<std::uint64_t> done{0};  ///< tasks that it has ended, ever; of the first also those that others have
  loop_position loop;
  workshare* doacross = nullptr;
  abi::team_member fiber{};
  bool on_fiber = false;
  bool is_seated = false;  ///< of a team that is kept: it is there, and looks for the next region
  alignas(64) task_queue queue;
  std::atomic<std::uint64_t> made{0};  ///< tasks of the team that it has counted, ever. Its own code writes.
  task_memory memory;
  std::uint32_t victim = 0;
  // What is asked for the next region.
  std::int32_t asked_threads = 0;
  std::int32_t asked_teams = 0;
  std::int32_t asked_limit = 0;
};

inline constexpr unsigned k_workshares = 8;

struct team {
  // What a region begins with. Of one that is kept, the line that its members look at between regions.
  alignas(64) std::atomic<std::uint32_t> regions{0};  ///< that have begun
  std::uint32_t size = 1;
  std::uint32_t level = 0;
  std::uint32_t active_level = 0;
  std::uint32_t team_number = 0;  ///< of a league
  std::uint32_t teams = 1;
  abi::team_origin origin{};
  void (*run)(member&, void*) = nullptr;  ///< null: no more
  void* argument = nullptr;
  member* parent = nullptr;   ///< the code that made it

  alignas(64) member* members = nullptr;
  team* contention_group = this;       ///< the team of the thread whose regions these are: its limit is for all of them
  std::atomic<std::uint32_t> busy{1};  ///< members in its contention group
  bool shows_affinity = false;
  bool has_threads = false;   ///< kept: its members have threads of their own, which are not takt's
  std::fenv_t floating_point{};  ///< of the code that made such a one's region
  short_lock lock;  ///< of `regions`, not beside it, and of who is seated
  std::uint32_t gone = 0;  ///< members of one that is kept that are not seated
  /// Of one that is kept: who made it, and members that are seated.
  std::atomic<std::uint32_t> references{0};

  /// High half: barriers that are over; low: who has come. The region's end is another place, to which members come from
  /// barriers that are cancelled.
  alignas(64) std::atomic<std::uint64_t> arrivals{0};
  std::atomic<std::uint64_t> ends{0};
  std::atomic<bool> has_tasks{false};      ///< the region has had any that its members count
  std::atomic<std::uint32_t> outsiders{0};  ///< others who end a task of the team just now
  std::atomic<bool> is_cancelled{false};
  std::atomic<bool> is_loop_cancelled{false};  ///< until the next barrier
  bool any_queued() const noexcept;
  std::uint64_t pushed() const noexcept;  ///< tasks, ever
  bool all_done() const noexcept;
  condition changed;  ///< a barrier is over, a task waits or is done
  condition turn;     ///< ordered, doacross
  lock_word reduction{0};
  void* copied[2] = {};  ///< by a single construct for all, in turn: somebody may not have read the last one
  struct reduction* reductions[2] = {};  ///< over tasks: of the region, of the worksharing construct in it
  workshare shares[k_workshares];
};

/// The calling code.
member& me() noexcept;
inline settings& icvs(member& m) noexcept { return m.current->icvs; }

// --- regions.cpp
/// Runs run(member, argument) on `wanted` members, 0: as many as the settings say. The caller is the first. `code`: of
/// the program, that it runs.
void run_region(void (*run)(member&, void*), void* argument, const void* code, std::uint32_t wanted,
                bool is_serial = false);
template <class Function>
const void* address_of(Function* function) noexcept {
  return reinterpret_cast<const void*>(function);
}
/// The same for each of `teams` teams of one, one after the other.
void run_league(void (*run)(member&, void*), void* argument, std::uint32_t teams, std::uint32_t limit);
std::uint32_t team_size(const member& m, std::uint32_t wanted) noexcept;
/// The calling thread, outside of regions, forgets the threads of its regions before, with their thread-locals.
void release_threads() noexcept;
/// The caller is alone in a team, until end_serial.
void begin_serial(member& parent) noexcept;
void end_serial() noexcept;
/// From here on the caller, alone in a team, is a thread that was never in a region.
void begin_contention_group(member& m) noexcept;
/// @returns whether the region is cancelled, if it asks for that.
bool barrier(member& m, bool cancels = false) noexcept;
/// The last one of a region.
void last_barrier(member& m) noexcept;
/// A task of a team is done, which may have been the last.
void task_is_done(team& t) noexcept;

/// The worksharing construct that the caller is in.
inline void cancel_loop(member& m) noexcept {
  if (m.loop.in != nullptr) m.loop.in->is_cancelled.store(true, std::memory_order_seq_cst);
  m.in->is_loop_cancelled.store(true, std::memory_order_seq_cst);
  m.in->turn.notify();
}
inline void cancel_region(member& m) noexcept {
  m.in->is_cancelled.store(true, std::memory_order_seq_cst);
  m.in->changed.notify();
  m.in->turn.notify();
}
/// The innermost of the program's.
inline group* own_group(const member& m) noexcept {
  group* g = m.current->groups;
  while (g != nullptr && g->is_shared) g = g->outer;
  return g;
}
inline void cancel_group(member& m) noexcept {
  if (group* const g = own_group(m); g != nullptr) g->is_cancelled.store(true, std::memory_order_seq_cst);
}
inline bool is_group_cancelled(const member& m) noexcept {
  const group* const g = own_group(m);
  return g != nullptr && g->is_cancelled.load(std::memory_order_relaxed);
}
inline bool is_loop_cancelled(const member& m) noexcept {
  return m.in->is_loop_cancelled.load(std::memory_order_relaxed);
}
inline bool is_region_cancelled(const member& m) noexcept {
  return m.in->is_cancelled.load(std::memory_order_relaxed);
}

// --- thread_locals.cpp
/// Of that code's module.
bool has_thread_locals(const void* code) noexcept;

// --- crowd.cpp
/// Without memory for it @returns false. It ends by itself.
bool start_thread(void* (*run)(void*), void* argument) noexcept;
/// While a team runs whose members may have to wait for a thread: one that waits for long gets one.
class crowd {
 public:
  crowd() noexcept;
  crowd(const crowd&) = delete;
  crowd& operator=(const crowd&) = delete;
  ~crowd();

 private:
  const std::uint32_t forks_;
};

// --- loops.cpp
struct loop_range {
  std::uint64_t begin, end;  ///< iterations
};
/// The next worksharing construct of `m`; `init` runs for the first who comes.
workshare& enter_share(member& m, void (*init)(workshare&, const void*), const void* what) noexcept;
/// The same for who has nothing to set up. @returns whether it is the first. It is through with it.
bool pass_share(member& m) noexcept;
void leave_share(member& m, workshare& share) noexcept;
void begin_loop(member& m, std::uint64_t count, schedule how, bool is_ordered) noexcept;
bool next_chunk(member& m, loop_range& chunk) noexcept;
void end_loop(member& m) noexcept;
loop_range static_part(std::uint64_t count, std::uint64_t parts, std::uint64_t part) noexcept;
void ordered_begin(member& m) noexcept;
void ordered_end(member& m) noexcept;
/// `bounds`: lower bound, step and count of each dimension.
void begin_doacross(member& m, std::vector<std::int64_t> bounds, schedule how) noexcept;
void end_doacross(member& m) noexcept;
void doacross_post(member& m, const std::int64_t* vector) noexcept;
void doacross_wait(member& m, const std::int64_t* vector) noexcept;

// --- tasks.cpp
struct dependence {
  std::uintptr_t address;
  enum class how : std::uint8_t { in, out, set, all } what;
};
/// In front of `bytes` for the compiler.
task* make_task(member& m, std::size_t header) noexcept;
/// `is_deferred`: it may run later. It belongs to the library from here on.
void add_task(member& m, task& t, bool is_deferred, const std::vector<dependence>& on);
/// Waits until a task with these dependences could run.
void wait_for_dependences(member& m, const std::vector<dependence>& on);
/// For code that runs a task's body itself.
void begin_included(member& m, task& t) noexcept;
void end_included(member& m, task& t) noexcept;
void taskwait(member& m) noexcept;
void taskyield(member& m) noexcept;
void begin_group(member& m) noexcept;
void end_group(member& m) noexcept;
/// One of two things that a detachable task waits for has come: its body's end, its event. `by`: the member of its team
/// that says so; or null.
void task_event(task& t, member* by = nullptr) noexcept;
/// Runs one task that waits. @returns whether there was one. `under`: of that one's descendants alone, if not null.
bool run_one(member& m, const task* under) noexcept;
/// `mine`: the calling member's, if that is known.
void drop(task& t, task_memory* mine = nullptr) noexcept;
void drop_dependences(task& t) noexcept;

// --- reductions.cpp: a copy of each variable for each member that has a part
struct reduction;
/// At the end: all copies into the variables, and `what` is gone.
void combine(reduction& what) noexcept;

/// A line for `m`, by the environment's format.
void show_affinity(const member& m);

[[noreturn]] void fail(const char* what) noexcept;

}  // namespace takt::openmp
