// Worker objects, and the threads that are workers.
#include "worker/kept.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <utility>

extern "C" {
// Used by assembly only, as far as a link-time optimiser can see.
__thread takt::abi::hot_state takt_hot __attribute__((tls_model("initial-exec"), used)) = {};
}

namespace takt::core {

worker* __attribute__((noinline)) this_worker() noexcept {
  __asm__ volatile("" ::: "memory");
  return static_cast<worker*>(takt_hot.worker);
}

native_context& native_of_this_thread() noexcept { return this_worker()->scheduler.native_end(); }

namespace {

[[gnu::noinline]] void add_busy(std::int64_t n) noexcept {
  __asm__ volatile("" ::: "memory");
  takt_hot.busy += n;
  __asm__ volatile("" ::: "memory");
}

// The worker object a thread used last, kept so that its next parallel call costs no lock. Without a destructor, as the
// platform tells of the thread's end (src/platform/threads/thread_end.cpp), and at a fixed distance from the thread
// pointer, as memory for it might not be had at the first use.
struct kept_worker {
  worker* w = nullptr;
  std::uint64_t made_in = 0;
  /// Whether others have had a part of the last loop of its last call.
  bool parted = false;
  /// Those outside of calls that are not much too short for one.
  cost::burst burst;
  /// Whether the thread's end will be told of: only then may it keep anything. `over`: it has been, and calls that
  /// destructors still make keep nothing.
  enum class end { unwatched, watched, over } ends = end::unwatched;
  /// How large the thread's own stack may get; 0: not known yet.
  std::size_t stack_bytes = 0;
  /// Of what the thread adds to groups outside of any call.
  block_cache<abi::k_child_room> child_blocks;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local kept_worker kept;

// The calling thread ends.
void give_back_kept() noexcept {
  kept.ends = kept_worker::end::over;
  kept.child_blocks.clear();
  if (kept.w == nullptr) return;
  // Counting as a call keeps configure() from deleting the worker meanwhile.
  process::begin_call();
  worker* w = std::exchange(kept.w, nullptr);
  runtime* r = process::current();
  if (r != nullptr && kept.made_in == process::generation.load(sync::relaxed)) r->give_worker(w);
  process::end_call();
}

bool may_keep(platform::threading& threading) noexcept {
  if (kept.ends == kept_worker::end::unwatched && threading.watch_this_thread()) kept.ends = kept_worker::end::watched;
  return kept.ends == kept_worker::end::watched;
}

}  // namespace

void keep_workers_per_thread(platform::threading& threading) noexcept {
  threading.keep_per_thread(&kept, sizeof kept, &give_back_kept);
}

void* take_child_room() noexcept {
  if (worker* const w = this_worker(); w != nullptr) return w->group.take_child();
  return may_keep(platform::current()) ? kept.child_blocks.take() : kept.child_blocks.make_block();
}
void give_child_room(void* room) noexcept {
  if (worker* const w = this_worker(); w != nullptr) return w->group.give_child(room);
  may_keep(platform::current()) ? kept.child_blocks.give(room) : kept.child_blocks.free_block(room);
}

bool last_call_parted() noexcept { return kept.parted; }
void note_call_parted(bool parted) noexcept { kept.parted = parted; }
bool is_much_too_short_for_a_call(std::uint64_t ticks) noexcept {
  return ticks < (kept.parted ? process::parted_call_ticks : process::short_call_ticks).load(sync::relaxed);
}
bool is_worth_a_call(std::uint64_t ticks) noexcept {
  if (is_much_too_short_for_a_call(ticks)) return false;
  const std::uint64_t least = process::least_wake_ticks.load(sync::relaxed);
  if (ticks >= least) return true;
  // After a pause all sleep, and to enter takes ten microseconds or more, as nothing that it needs is in a cache.
  if (kept.burst.add(platform::current().now(), ticks, process::pause_ticks.load(sync::relaxed), least) >= least) {
    return true;
  }
  kept.parted = false;
  return false;
}
cost::burst burst_outside() noexcept { return kept.burst; }
void end_burst(std::uint64_t now) noexcept {
  kept.burst.end_long(now, process::least_wake_ticks.load(sync::relaxed));
}

runtime_scope::runtime_scope() noexcept { add_busy(1); }
runtime_scope::~runtime_scope() { add_busy(-1); }
user_scope::user_scope() noexcept { add_busy(-1); }
user_scope::~user_scope() { add_busy(1); }

worker* runtime::take_worker() noexcept {
  if (kept.w != nullptr && kept.made_in == process::generation.load(sync::relaxed)) {
    worker* w = kept.w;
    kept.w = nullptr;
    return w;
  }
  // One of a runtime that is gone would be kept for ever, and nothing else instead.
  kept.w = nullptr;
  try {
    const std::lock_guard guard(workers_mutex);
    worker* w = unused_workers_;
    if (w != nullptr) {
      unused_workers_ = w->seat.next_unused;
    } else {
      workers.push_back(std::make_unique<worker>(*this, static_cast<unsigned>(workers.size()), rule));
      w = workers.back().get();
      w->policy.seed(threading.seed() * 2654435761u + w->index * 0x9e3779b97f4a7c15u + 1);
      w->beat.refill_by(poll_ticks == 0 ? 0 : abi::k_fork_units);
    }
    const std::uint64_t name = signals.this_thread();
    w->reach.thread_name.store(name, sync::relaxed);
    w->reach.hot = static_cast<abi::hot_state*>(threading.seen_by_others(&takt_hot));
    w->reach.hears.store(settings.interrupts && signals.takes_interrupts(name) ? 1 : 0, sync::relaxed);
    return w;
  } catch (...) {
    return nullptr;
  }
}

void runtime::give_worker(worker* w) noexcept {
  if (orphaned) return;
  // One of a runtime before this one counts for nothing.
  const std::uint64_t now_in_force = process::generation.load(sync::relaxed);
  if ((kept.w == nullptr || kept.made_in != now_in_force) && may_keep(threading)) {
    kept.w = w;
    kept.made_in = now_in_force;
    return;
  }
  put_aside(w);
}

void runtime::put_aside(worker* w) noexcept {
  // Nobody may come for it for long: its stack is for everybody, and is looked at now or not at all.
  if (w->scheduler.next_fiber() != nullptr) {
    w->scheduler.next_fiber()->stack.ran_since_look = fiber_stack::k_never_looked_at;
    fibers.give(std::exchange(w->scheduler.next_fiber(), nullptr));
  }
  const std::lock_guard guard(workers_mutex);
  w->seat.next_unused = unused_workers_;
  unused_workers_ = w;
}

bool runtime::fit_to_caller() noexcept {
  if (!fits_callers_) return true;
  if (kept.stack_bytes == 0) kept.stack_bytes = stacks.this_stack_bytes();
  if (kept.stack_bytes == 0) return false;
  return kept.stack_bytes <= fibers.call_bytes() || fibers.grow(kept.stack_bytes);
}

bool runtime::ensure_scope(worker& w) noexcept {
  if (w.scheduler.scope() == 0) w.scheduler.set_scope(scopes.take());
  return w.scheduler.scope() != 0;
}

void runtime::leave_scope(worker& w) noexcept {
  // A child of a group has outlived the call: the next one has a number of its own.
  if (scopes.is_alone(w.scheduler.scope())) return;
  scopes.release(w.scheduler.scope());
  w.scheduler.set_scope(0);
}

bool runtime::ensure_fiber(worker& w, std::uint64_t in_place_of) noexcept {
  fibers.give_if_small(w.scheduler.next_fiber());
  if (w.scheduler.next_fiber() == nullptr) w.scheduler.next_fiber() = fibers.take(in_place_of);
  return w.scheduler.next_fiber() != nullptr;
}

bool runtime::may_start_thread() const noexcept {
  const std::uint32_t n = threads_started_.load(sync::relaxed);
  if (n >= threads_allowed() && !may_stand_in()) return false;
  const std::uint64_t next = next_start_.load(sync::relaxed);
  return next == 0 || clock.now() >= next;
}

void runtime::start_pool_thread() noexcept {
  std::uint32_t n = threads_started_.load(sync::relaxed);
  do {
    if (n >= threads_allowed()) {
      if (may_stand_in() && !start_stand_in()) note_refusal();
      return;
    }
  } while (!threads_started_.compare_exchange_strong(n, n + 1, sync::relaxed, sync::relaxed));
  platform::thread* t = threading.start_thread(above_.pool_thread, this, share.is_short);
  if (t == nullptr) {
    note_refusal();
    threads_started_.fetch_sub(1, sync::relaxed);
    return;
  }
  next_start_.store(0, sync::relaxed);
  const std::lock_guard guard(workers_mutex);
  threads.push_back(t);
}

// Others, and other processes, may want threads just now: asking again at every beat would only cost time.
void runtime::note_refusal() noexcept {
  next_start_.store(clock.now() + to_ticks(cost::k_after_refusal, tick_rate), sync::relaxed);
  threads_refused_.fetch_add(1, sync::relaxed);
}

unsigned runtime::start_team_threads(unsigned asked) noexcept {
  const auto begun = [this] {
    unsigned n = 0;
    // EDGE runtime.pool_worker
    while (n < most_workers && pool_workers_[n].load(sync::acquire) != nullptr) ++n;
    return n;
  };
  while (threads_started_.load(sync::relaxed) + 1 < asked && may_start_thread()) start_pool_thread();
  const unsigned started = std::min(asked - 1, threads_started_.load(sync::relaxed));
  // One that somebody else has begun to start may be refused, and one that has been started may get no memory.
  const auto are_coming = [&] {
    return begun() + without_worker_.load(sync::relaxed) < std::min(started, threads_started_.load(sync::relaxed));
  };
  for (unsigned round = 0; are_coming(); ++round) threading.relax(round);
  return std::min(begun() + 1, asked);
}

void runtime::rename_this_thread(runtime& r, worker* w) noexcept {
  // Of a runtime that is gone, it is gone.
  if (kept.w != nullptr && kept.made_in == process::generation.load(sync::relaxed))
    kept.w->reach.thread_name.store(r.signals.this_thread(), sync::relaxed);
  if (w != nullptr) w->reach.thread_name.store(r.signals.this_thread(), sync::relaxed);
}

}  // namespace takt::core
