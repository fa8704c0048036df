// Life and death of the runtime: configuration, threads, worker objects, places.
#include "worker/runtime.hpp"

#include "invariant/invariant.hpp"
#include "platform/sim/simulate.hpp"
#include "stats/report.hpp"
#include "stats/settings.hpp"
#include "trace/trace.hpp"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

extern "C" {
// Used by assembly only, as far as a link-time optimiser can see.
__thread takt::abi::hot_state takt_hot __attribute__((tls_model("initial-exec"), used)) = {};
}

namespace takt::core {

namespace {

// Parallel calls under way; k_replacing added while configure() swaps the runtime.
constexpr std::int64_t k_replacing = std::int64_t{1} << 40;
sync::atomic<std::int64_t> roots{0};
sync::atomic<runtime*> in_force{nullptr};
sync::atomic<std::uint64_t> generation{0};
sync::atomic<std::uint64_t> short_call{0};
sync::mutex making;
// The calls of `roots` that the calling thread has counted: in a child of fork(2) there are no others.
__thread int roots_here __attribute__((tls_model("initial-exec"))) = 0;

[[gnu::noinline]] void count_root_here(int n) noexcept { roots_here += n; }

// What a child of fork(2) has inherited and cannot use: the last first. Their threads do not exist, so they are not taken
// down; nor are they lost sight of. One for each generation that has used takt.
runtime* orphans = nullptr;

// Before anything else of the process can fork, and without a guard that a fork could copy.
[[maybe_unused]] const int follows_forks = pthread_atfork(nullptr, nullptr, &runtime::begin_in_child);

// What loops look at before they know whether they are in a worker.
void publish_settings(const runtime& r) {
  __atomic_store_n(&runtime::chunks_by_polls, r.settings.chunking != chunking::time, __ATOMIC_RELAXED);
  // A loop shorter than half a beat would be over before its first promotion.
  short_call.store(r.settings.trigger == trigger::eager ? 0 : r.beat_ticks / 2, sync::relaxed);
}

polled_chunks chunks_of(const config& c) noexcept {
  return c.chunking == chunking::fixed ? polled_chunks::fixed(c.chunk) : polled_chunks::adapted(c.target_polls);
}

// The worker object a thread used last, kept so that its next parallel call costs no lock. Without a destructor, as the
// platform tells of the thread's end (src/platform/threads/thread_end.cpp), and at a fixed distance from the thread
// pointer, as memory for it might not be had at the first use.
struct kept_worker {
  worker* w = nullptr;
  std::uint64_t made_in = 0;
  /// Whether the thread's end will be told of: only then may it keep anything. `over`: it has been, and calls that
  /// destructors still make keep nothing.
  enum class end { unwatched, watched, over } ends = end::unwatched;
  /// How large the thread's own stack may get; 0: not known yet.
  std::size_t stack_bytes = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local kept_worker kept;

// The calling thread ends.
void give_back_kept() noexcept {
  kept.ends = kept_worker::end::over;
  if (kept.w == nullptr) return;
  // Counting as a call keeps configure() from deleting the worker meanwhile.
  if (runtime* r = runtime::enter_root(); r != nullptr) {
    worker* w = std::exchange(kept.w, nullptr);
    if (kept.made_in == generation.load(sync::relaxed)) r->give_worker(w);
    runtime::leave_root();
  }
}

bool may_keep(platform::platform& os) noexcept {
  if (kept.ends == kept_worker::end::unwatched && os.watch_this_thread()) kept.ends = kept_worker::end::watched;
  return kept.ends == kept_worker::end::watched;
}

std::uint64_t to_ticks(std::chrono::microseconds t, double rate) {
  // Far beyond any run, and far enough below 2^64 for small multiples.
  constexpr double k_most = 1ull << 55;
  return static_cast<std::uint64_t>(std::min(static_cast<double>(t.count()) * 1e-6 * rate, k_most));
}

// Between two looks at the process's CPUs, each of which costs about 50 microseconds.
constexpr std::chrono::milliseconds k_between_looks{100};
// After the first refusal of a thread, and the longest wait.
constexpr std::chrono::milliseconds k_first_wait{1};
constexpr std::chrono::milliseconds k_longest_wait{1000};

// Looking at a stack takes about a microsecond: a thousandth.
constexpr std::chrono::microseconds k_between_stack_looks{1000};

bool follows_the_cpus(const config& c) noexcept { return c.workers == 0 && sim::workers() == 0; }

config resolved(config c, platform::platform& os) {
  if (const unsigned simulated = sim::workers(); simulated != 0) c.workers = simulated;
  if (c.workers == 0) c.workers = os.usable_cpus();
  if (c.stack_bytes == 0) c.stack_bytes = os.default_stack_bytes();
  c.signal = c.interrupts ? os.enable_interrupts(&on_interrupt, c.signal) : 0;
  c.interrupts = c.signal != 0;
  return c;
}

}  // namespace

runtime::runtime(const config& asked)
    : os(sim::platform_for_runtime()),
      settings(resolved(asked, os)),
      wanted(asked),
      most_workers(follows_the_cpus(wanted) ? std::max(settings.workers, std::min(os.most_cpus(), k_most_workers))
                                            : settings.workers),
      beat_ticks(to_ticks(settings.beat, os.ticks_per_second())),
      poll_ticks(beat_ticks / polls_per_beat(settings.trigger)),
      tick_rate(os.ticks_per_second()),
      fibers(os, settings.stack_bytes, 4 * std::size_t{settings.workers} + 64, to_ticks(k_between_stack_looks, tick_rate)),
      sleepers_(relax_on_platform{&os}),
      places_(new sync::atomic<worker*>[most_workers]),
      places_used_(settings.workers),
      worker_count_(settings.workers),
      follows_cpus_(follows_the_cpus(wanted)),
      more_workers_than_cpus_(settings.workers > os.usable_cpus()),
      // Long enough to catch the next promotion, short enough not to be felt by anybody else.
      spin_ticks_(more_workers_than_cpus_
                      ? to_ticks(std::chrono::microseconds(5), tick_rate)
                      : std::clamp(2 * beat_ticks, to_ticks(std::chrono::microseconds(20), tick_rate),
                                   to_ticks(std::chrono::microseconds(100), tick_rate))),
      fits_callers_(wanted.stack_bytes == 0 || wanted.stack_bytes == os.default_stack_bytes()) {
  for (unsigned p = 0; p < most_workers; ++p) places_[p].store(nullptr, sync::relaxed);
  threads_.reserve(most_workers);
  next_look_.store(os.now() + to_ticks(k_between_looks, tick_rate), sync::relaxed);
  os.keep_per_thread(&kept, sizeof kept, &give_back_kept);
}

runtime::~runtime() {
  stopping_.store(1, sync::seq_cst);
  while (worker* w = sleepers_.choose_any()) os.unpark(w->parker);
  // A thread that was not asleep yet sees `stopping_` after it announced itself.
  for (platform::thread* t : threads_) os.join_thread(t);
  // With no pool thread, children that a call has left behind are run here.
  if (anything_injected()) pool_thread(this);
  for (const auto& w : workers_) {
    if (w->spare != nullptr) fibers.give(w->spare);
  }
}

runtime* runtime::enter_root() noexcept {
  count_root_here(1);
  for (unsigned round = 0;; ++round) {
    // EDGE runtime.replaced: the runtime that configure() put in place is complete.
    if (roots.fetch_add(1, sync::acquire) < k_replacing) break;
    roots.fetch_sub(1, sync::relaxed);
    platform::current().relax(round | 63u);
  }
  // EDGE runtime.made
  if (runtime* r = in_force.load(sync::acquire); r != nullptr) return r;
  // Files are read below: errno is the program's.
  struct errno_kept {
    const int saved = errno;
    ~errno_kept() { errno = saved; }
  } kept_errno;
  try {
    const std::lock_guard guard(making);
    runtime* r = in_force.load(sync::acquire);
    if (r == nullptr) {
      r = new runtime(orphans != nullptr ? orphans->wanted : stats::settings_of_environment());
      report_at_exit(r->settings);
      publish_settings(*r);
      generation.fetch_add(1, sync::relaxed);
      // EDGE runtime.made: the runtime is complete before another thread sees it.
      in_force.store(r, sync::release);
    }
    return r;
  } catch (...) {
    leave_root();
    return nullptr;
  }
}

void runtime::leave_root() noexcept {
  count_root_here(-1);
  // EDGE runtime.replaced: configure() sees everything the call did.
  roots.fetch_sub(1, sync::release);
}

std::uint64_t runtime::short_call_ticks() noexcept { return short_call.load(sync::relaxed); }

bool runtime::exists() noexcept { return in_force.load(sync::relaxed) != nullptr; }

bool runtime::any_root() noexcept { return (roots.load(sync::seq_cst) & (k_replacing - 1)) != 0; }

bool runtime::replace(const config& wanted) {
  const std::lock_guard guard(making);
  std::int64_t none = 0;
  if (!roots.compare_exchange_strong(none, k_replacing, sync::acq_rel, sync::relaxed)) return false;
  struct reopen {
    ~reopen() { roots.fetch_sub(k_replacing, sync::release); }
  } guard_roots;
  // The new one is made first: if that fails the old one stays in force.
  auto made = std::make_unique<runtime>(wanted);
  report_at_exit(made->settings);
  publish_settings(*made);
  runtime* before = in_force.exchange(made.release(), sync::acq_rel);
  generation.fetch_add(1, sync::relaxed);
  delete before;
  // Not before its threads are gone, to which a signal may have been on its way.
  runtime& now = *in_force.load(sync::relaxed);
  now.os.keep_interrupts(now.settings.interrupts);
  return true;
}

worker* runtime::take_worker() noexcept {
  if (kept.w != nullptr && kept.made_in == generation.load(sync::relaxed)) {
    worker* w = kept.w;
    kept.w = nullptr;
    return w;
  }
  // One of a runtime that is gone would be kept for ever, and nothing else instead.
  kept.w = nullptr;
  try {
    const std::lock_guard guard(workers_mutex_);
    worker* w = free_workers_;
    if (w != nullptr) {
      free_workers_ = w->next_free;
    } else {
      workers_.push_back(std::make_unique<worker>(*this, static_cast<unsigned>(workers_.size()), settings.balancer,
                                                  chunks_of(settings)));
      w = workers_.back().get();
      if (!w->deque.reserve(1, false)) {
        workers_.pop_back();
        return nullptr;
      }
      w->random = os.seed() * 2654435761u + w->index * 0x9e3779b97f4a7c15u + 1;
      w->refill = poll_ticks == 0 ? 0 : abi::k_fork_units;
    }
    const std::uint64_t name = os.this_thread();
    w->thread_name.store(name, sync::relaxed);
    w->hot = static_cast<abi::hot_state*>(os.seen_by_others(&takt_hot));
    w->hears.store(settings.interrupts && os.takes_interrupts(name) ? 1 : 0, sync::relaxed);
    return w;
  } catch (...) {
    return nullptr;
  }
}

void runtime::give_worker(worker* w) noexcept {
  if (orphaned_) return;
  // One of a runtime before this one counts for nothing.
  const std::uint64_t now_in_force = generation.load(sync::relaxed);
  if ((kept.w == nullptr || kept.made_in != now_in_force) && may_keep(os)) {
    kept.w = w;
    kept.made_in = now_in_force;
    return;
  }
  // Nobody may come for it for long: its stack is for everybody, and is looked at now or not at all.
  if (w->spare != nullptr) {
    w->spare->looked_at = 0;
    fibers.give(std::exchange(w->spare, nullptr));
  }
  const std::lock_guard guard(workers_mutex_);
  w->next_free = free_workers_;
  free_workers_ = w;
}

bool runtime::fit_to_caller() noexcept {
  if (!fits_callers_) return true;
  if (kept.stack_bytes == 0) kept.stack_bytes = os.this_stack_bytes();
  if (kept.stack_bytes == 0) return false;
  return kept.stack_bytes <= fibers.call_bytes() || fibers.grow(kept.stack_bytes);
}

bool runtime::attach(worker& w) noexcept {
  const unsigned count = worker_count();
  // Start where this worker was last, so that the cache lines stay.
  unsigned p = w.last_place < count ? w.last_place : 0;
  for (unsigned i = 0; i < count; ++i, p = p + 1 < count ? p + 1 : 0) {
    if (places_[p].load(sync::relaxed) != nullptr) continue;
    worker* none = nullptr;
    // EDGE place.worker. seq_cst: a sleeper's second look, after a push from this place, must not miss the place.
    if (places_[p].compare_exchange_strong(none, &w, sync::seq_cst, sync::relaxed)) {
      w.place = static_cast<int>(p);
      w.last_place = p;
      if (w.waits_for_place) {
        w.waits_for_place = false;
        waiting_for_place_.fetch_sub(1, sync::relaxed);
      }
      return true;
    }
  }
  return false;
}

bool runtime::any_place_free() const noexcept {
  for (unsigned p = 0; p < worker_count(); ++p) {
    if (places_[p].load(sync::seq_cst) == nullptr) return true;
  }
  return false;
}

void runtime::detach(worker& w) noexcept {
  if (w.waits_for_place) {
    w.waits_for_place = false;
    waiting_for_place_.fetch_sub(1, sync::relaxed);
  }
  if (w.place < 0) return;
  // Nobody would see what is left in it. Who has asked for something need not wait.
  serve(w, false);
  TAKT_ASSERT(w.deque.is_empty());
  // EDGE place.worker: the next holder sees what this one did. seq_cst: who leaves looks for sleepers afterwards, and
  // a sleeper for places.
  places_[w.place].store(nullptr, sync::seq_cst);
  w.place = -1;
  // EDGE reach.done. seq_cst: see reach().
  if (w.reach.load(sync::seq_cst) != 0) out_of_reach(w);
}

void runtime::wait_for_place(worker& w) noexcept {
  w.waits_for_place = true;
  waiting_for_place_.fetch_add(1, sync::relaxed);
}

bool runtime::may_start_thread() const noexcept {
  if (threads_started_.load(sync::relaxed) + 1 >= worker_count()) return false;
  const std::uint64_t next = next_start_.load(sync::relaxed);
  return next == 0 || os.now() >= next;
}

void runtime::start_pool_thread() noexcept {
  std::uint32_t n = threads_started_.load(sync::relaxed);
  do {
    if (n + 1 >= worker_count()) return;
  } while (!threads_started_.compare_exchange_strong(n, n + 1, sync::relaxed, sync::relaxed));
  platform::thread* t = os.start_thread(&pool_thread, this);
  if (t == nullptr) {
    // Others, and other processes, may want threads just now: asking again at every beat would only cost time.
    const std::uint64_t first = to_ticks(k_first_wait, tick_rate);
    const std::uint64_t wait = std::max(first, start_wait_.load(sync::relaxed));
    start_wait_.store(std::min(2 * wait, to_ticks(k_longest_wait, tick_rate)), sync::relaxed);
    next_start_.store(os.now() + wait, sync::relaxed);
    threads_refused_.fetch_add(1, sync::relaxed);
    threads_started_.fetch_sub(1, sync::relaxed);
    return;
  }
  start_wait_.store(0, sync::relaxed);
  next_start_.store(0, sync::relaxed);
  const std::lock_guard guard(workers_mutex_);
  threads_.push_back(t);
}

void runtime::follow_cpus(std::uint64_t now) noexcept {
  // One that looks a second time because another has begun to look does no harm.
  if (now < next_look_.load(sync::relaxed)) return;
  const std::uint64_t interval = to_ticks(k_between_looks, tick_rate);
  next_look_.store(now + interval, sync::relaxed);
  const unsigned count = std::min(os.usable_cpus(), most_workers);
  // With thousands of threads a look takes longer: it may cost a thousandth of one worker's time.
  next_look_.store(now + std::max(interval, 1000 * (os.now() - now)), sync::relaxed);
  if (follows_cpus_ && count != worker_count()) change_worker_count(count);
}

void runtime::change_worker_count(unsigned count) noexcept {
  const unsigned before = worker_count();
  // First, so that nobody has a place where nobody looks. seq_cst, as a place is: src/worker/README.md.
  unsigned used = places_used_.load(sync::seq_cst);
  while (used < count && !places_used_.compare_exchange_strong(used, count, sync::seq_cst, sync::seq_cst)) {
  }
  worker_count_.store(count, sync::relaxed);
  // There may be more to do than one worker was woken for.
  for (unsigned i = before; i < count && any_root(); ++i) announce_injected(0);
}

bool runtime::is_alone(std::int64_t calls) const noexcept {
  return roots.load(sync::relaxed) == calls && threads_started_.load(sync::relaxed) == 0;
}

void runtime::begin_in_child() noexcept {
  // Whoever held it, or waited for it, is not here.
  new (&making) sync::mutex;
  runtime* const before = in_force.load(sync::relaxed);
  worker* const w = this_worker();
  const bool alone = before != nullptr && before->is_alone(roots_here);
  roots.store(roots_here, sync::relaxed);
  if (alone) {
    // Nobody was in the middle of anything: it is as good here as there. Only this thread's name is another one.
    if (kept.w != nullptr) kept.w->thread_name.store(before->os.this_thread(), sync::relaxed);
    if (w != nullptr) w->thread_name.store(before->os.this_thread(), sync::relaxed);
    return;
  }
  generation.fetch_add(1, sync::relaxed);
  if (w != nullptr) w->owner.os.begin_in_child();
  if (before != nullptr) {
    in_force.store(nullptr, sync::relaxed);
    before->orphaned_ = true;
    before->next_orphan_ = orphans;
    orphans = before;
  }
  // It may be one that was no longer in force, in a child of a child.
  if (w != nullptr) w->owner.go_on_alone(*w);
}

void runtime::go_on_alone(worker& w) noexcept {
  orphaned_ = true;
  next_look_.store(~std::uint64_t{0}, sync::relaxed);
  // No thread is started, no sleeper looked for.
  worker_count_.store(1, sync::relaxed);
  for (unsigned p = 0; p < most_workers; ++p) {
    if (places_[p].load(sync::relaxed) != &w) places_[p].store(nullptr, sync::relaxed);
  }
  w.asked.store(0, sync::relaxed);
  fibers.go_on_alone();
  // The list is whole unless somebody was at it: then what it holds is lost, as what was running is.
  if (injected_mutex_.try_lock()) {
    injected_mutex_.unlock();
  } else {
    new (&injected_mutex_) sync::mutex;
    new (&injected_) std::vector<std::uint64_t>;
    injected_count_.store(0, sync::relaxed);
    ready_ = nullptr;
    ready_count_.store(0, sync::relaxed);
  }
}

void runtime::lost_in_child() noexcept {
  std::fputs("takt: fork() was called inside a parallel call, and the child needs what other threads were running for it:"
             " they are not in the child; abort\n",
             stderr);
  std::abort();
}

void runtime::pool_thread(void* self) {
  auto* r = static_cast<runtime*>(self);
  worker* w = r->take_worker();
  if (w == nullptr) return;
  w->only_scope.store(0, sync::relaxed);
  takt_hot.worker = w;
  takt_hot.busy = 1;
  trace::note(*w, trace::kind::thread_begins);
  r->loop(*w, nullptr);
  trace::note(*w, trace::kind::thread_ends);
  r->detach(*w);
  takt_hot.worker = nullptr;
  takt_hot.busy = 0;
  // The runtime is being taken down: its workers go with it.
}

std::string runtime::stats_json() {
  const std::lock_guard guard(workers_mutex_);
  return format_report(*this, workers_);
}

}  // namespace takt::core
