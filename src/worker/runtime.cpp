// Life and death of the runtime: configuration, threads, worker objects, places.
#include "worker/runtime.hpp"

#include "invariant/invariant.hpp"
#include "platform/sim/simulate.hpp"
#include "stats/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

extern "C" {
__thread takt::abi::hot_state takt_hot __attribute__((tls_model("initial-exec"))) = {};
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

// What loops look at before they know whether they are in a worker.
void publish_settings(const runtime& r) {
  __atomic_store_n(&runtime::chunks_by_polls, r.settings.chunking != chunking::time, __ATOMIC_RELAXED);
  // A loop shorter than half a beat would be over before its first promotion.
  short_call.store(r.settings.trigger == trigger::eager ? 0 : r.beat_ticks / 2, sync::relaxed);
}

polled_chunks chunks_of(const config& c) noexcept {
  return c.chunking == chunking::fixed ? polled_chunks::fixed(c.chunk) : polled_chunks::adapted(c.target_polls);
}

// The worker object a thread used last, kept so that its next parallel call costs no lock.
struct kept_worker {
  worker* w = nullptr;
  std::uint64_t made_in = 0;
  ~kept_worker() { give_back(); }
  void give_back() noexcept {
    if (w == nullptr) return;
    // Counting as a call keeps configure() from deleting the worker meanwhile.
    if (runtime* r = runtime::enter_root(); r != nullptr) {
      if (made_in == generation.load(sync::relaxed)) r->give_worker(w);
      runtime::leave_root();
    }
  }
};
thread_local kept_worker kept;
void give_back_kept() noexcept { kept.give_back(); }

std::uint64_t to_ticks(std::chrono::microseconds t, double rate) {
  // Far beyond any run, and far enough below 2^64 for small multiples.
  constexpr double k_most = 1ull << 55;
  return static_cast<std::uint64_t>(std::min(static_cast<double>(t.count()) * 1e-6 * rate, k_most));
}

config resolved(config c, platform::platform& os) {
  if (const unsigned simulated = sim::workers(); simulated != 0) c.workers = simulated;
  if (c.workers == 0) c.workers = os.usable_cpus();
  if (c.stack_bytes == 0) c.stack_bytes = os.default_stack_bytes();
  c.interrupts = c.interrupts && os.enable_interrupts(&on_interrupt);
  return c;
}

}  // namespace

runtime::runtime(const config& wanted)
    : os(sim::platform_for_runtime()),
      settings(resolved(wanted, os)),
      worker_count(settings.workers),
      beat_ticks(to_ticks(settings.beat, os.ticks_per_second())),
      poll_ticks(beat_ticks / polls_per_beat(settings.trigger)),
      tick_rate(os.ticks_per_second()),
      fibers(os, settings.stack_bytes, 4 * std::size_t{worker_count} + 64),
      sleepers_(relax_on_platform{&os}),
      places_(new sync::atomic<worker*>[worker_count]),
      // Long enough to catch the next promotion, short enough not to be felt by anybody else.
      spin_ticks_(worker_count > os.usable_cpus()
                      ? to_ticks(std::chrono::microseconds(5), tick_rate)
                      : std::clamp(2 * beat_ticks, to_ticks(std::chrono::microseconds(20), tick_rate),
                                   to_ticks(std::chrono::microseconds(100), tick_rate))) {
  for (unsigned p = 0; p < worker_count; ++p) places_[p].store(nullptr, sync::relaxed);
  threads_.reserve(worker_count);
  (void)os.foreign_state(true);
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
  for (unsigned round = 0;; ++round) {
    // EDGE runtime.replaced: the runtime that configure() put in place is complete.
    if (roots.fetch_add(1, sync::acquire) < k_replacing) break;
    roots.fetch_sub(1, sync::relaxed);
    platform::current().relax(round | 63u);
  }
  // EDGE runtime.made
  if (runtime* r = in_force.load(sync::acquire); r != nullptr) return r;
  try {
    const std::lock_guard guard(making);
    runtime* r = in_force.load(sync::acquire);
    if (r == nullptr) {
      r = new runtime(config::from_environment());
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
  // EDGE runtime.replaced: configure() sees everything the call did.
  roots.fetch_sub(1, sync::release);
}

std::uint64_t runtime::short_call_ticks() noexcept { return short_call.load(sync::relaxed); }

bool runtime::any_root() noexcept { return (roots.load(sync::seq_cst) & (k_replacing - 1)) != 0; }

void runtime::replace(const config& wanted) {
  const std::lock_guard guard(making);
  std::int64_t none = 0;
  if (!roots.compare_exchange_strong(none, k_replacing, sync::acq_rel, sync::relaxed))
    throw std::logic_error("takt::configure: a parallel call is under way");
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
}

worker* runtime::take_worker() noexcept {
  if (kept.w != nullptr && kept.made_in == generation.load(sync::relaxed)) {
    worker* w = kept.w;
    kept.w = nullptr;
    return w;
  }
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
    w->thread_name.store(os.this_thread(), sync::relaxed);
    return w;
  } catch (...) {
    return nullptr;
  }
}

void runtime::give_worker(worker* w) noexcept {
  if (kept.w == nullptr) {
    kept.w = w;
    kept.made_in = generation.load(sync::relaxed);
    return;
  }
  if (kept.w == w) kept.w = nullptr;
  const std::lock_guard guard(workers_mutex_);
  w->next_free = free_workers_;
  free_workers_ = w;
}

bool runtime::attach(worker& w) noexcept {
  // Start where this worker was last, so that the cache lines stay.
  unsigned p = w.last_place < worker_count ? w.last_place : 0;
  for (unsigned i = 0; i < worker_count; ++i, p = p + 1 < worker_count ? p + 1 : 0) {
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
  for (unsigned p = 0; p < worker_count; ++p) {
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
}

void runtime::wait_for_place(worker& w) noexcept {
  w.waits_for_place = true;
  waiting_for_place_.fetch_add(1, sync::relaxed);
}

void runtime::start_pool_thread() noexcept {
  std::uint32_t n = threads_started_.load(sync::relaxed);
  do {
    if (n + 1 >= worker_count) return;
  } while (!threads_started_.compare_exchange_strong(n, n + 1, sync::relaxed, sync::relaxed));
  platform::thread* t = os.start_thread(&pool_thread, this);
  if (t == nullptr) {
    // Do with those there are; asking again at every beat would only cost time.
    threads_started_.store(worker_count, sync::relaxed);
    return;
  }
  const std::lock_guard guard(workers_mutex_);
  threads_.push_back(t);
}

void runtime::pool_thread(void* self) {
  auto* r = static_cast<runtime*>(self);
  worker* w = r->take_worker();
  if (w == nullptr) return;
  w->only_scope.store(0, sync::relaxed);
  w->foreign = r->os.foreign_state(false);
  takt_hot.worker = w;
  takt_hot.busy = 1;
  r->loop(*w, nullptr);
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

namespace takt {

void configure(const config& settings) {
  if (settings.workers > k_most_workers) throw std::invalid_argument("takt::configure: workers out of range");
  if (settings.beat.count() < 0) throw std::invalid_argument("takt::configure: beat must not be negative");
  if (settings.stack_bytes != 0 && (settings.stack_bytes < k_least_stack || settings.stack_bytes > k_most_stack))
    throw std::invalid_argument("takt::configure: stack_bytes out of range");
  if (settings.chunking == chunking::fixed && (settings.chunk == 0 || settings.chunk > k_most_chunk))
    throw std::invalid_argument("takt::configure: chunk out of range");
  if (settings.chunking == chunking::hbc && (settings.target_polls == 0 || settings.target_polls > k_most_target_polls))
    throw std::invalid_argument("takt::configure: target_polls out of range");
  core::runtime::replace(settings);
}

config current_config() {
  core::runtime* r = core::runtime::enter_root();
  if (r == nullptr) throw std::bad_alloc();
  config c = r->settings;
  core::runtime::leave_root();
  return c;
}

std::string stats_json() {
  core::runtime* r = core::runtime::enter_root();
  if (r == nullptr) throw std::bad_alloc();
  std::string s = r->stats_json();
  core::runtime::leave_root();
  return s;
}

}  // namespace takt
