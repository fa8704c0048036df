// A runtime: its settings, and what its workers share.
#include "worker/runtime.hpp"

#include "platform/door.hpp"
#include "settings/settings.hpp"
#include "worker/kept.hpp"
#include "worker/simulator_view.hpp"

#include <algorithm>

namespace takt::core {

namespace {

bool follows_the_cpus(const config& c, platform::topology& topology) noexcept {
  return c.workers == 0 && topology.fixed_workers() == 0;
}

config resolved(config c, platform::platform& os, void (*on_interrupt)(std::uint32_t)) {
  if (const unsigned fixed = os.fixed_workers(); fixed != 0) c.workers = fixed;
  if (c.workers == 0) c.workers = os.usable_cpus();
  if (c.stack_bytes == 0) c.stack_bytes = os.default_stack_bytes();
  c.signal = c.interrupts ? os.enable_interrupts(on_interrupt, c.signal) : 0;
  c.interrupts = c.signal != 0;
  if (c.policy == takt::policy::automatic) c.policy = settings::policy_of_environment();
  if (c.policy == takt::policy::automatic) c.policy = takt::policy::random;
  return c;
}

address_space_share share_of_address_space(const config& c, unsigned most_workers, platform::platform& os) noexcept {
  const std::uint64_t left = os.address_space_left();
  if (left == platform::stacks::k_no_limit) return {left, most_workers, false};
  struct sizes {
    std::uint64_t stack, thread;
  };
  const sizes small{fiber_pool::reserve(os, c.stack_bytes, true), os.thread_reserve(true)};
  const sizes usual{fiber_pool::reserve(os, c.stack_bytes, false), os.thread_reserve(false)};
  // With less there would be no parallelism.
  const std::uint64_t least = 2 * small.stack + small.thread;
  std::uint64_t ours = left / 2;
  if (c.memory != 0) {
    const std::uint64_t budget = std::min(c.memory, left);
    // Beside the budget: what is not reported, or not yet.
    const std::uint64_t beside = budget / cost::k_beside_budget + c.workers * cost::k_unreported_bytes;
    ours = std::max(left - std::min(budget + beside, left), std::min(least, ours));
  }
  if (ours < least) return {0, 0, true};
  // What a worker suspends waits on a stack, while it needs another one. The caller is one of them.
  const auto workers_that_fit = [ours](const sizes& each) {
    return (ours + each.thread) / (cost::k_fibers_per_worker * each.stack + each.thread);
  };
  const bool is_short = workers_that_fit(usual) < c.workers;
  const sizes& each = is_short ? small : usual;
  const std::uint64_t fit = std::max<std::uint64_t>(workers_that_fit(each), 2) - 1;
  const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(fit, most_workers));
  return {ours - std::min(threads, most_workers - 1) * each.thread, threads, is_short};
}

}  // namespace

std::uint64_t to_ticks(std::chrono::microseconds t, double rate) noexcept {
  // Far beyond any run, and far enough below 2^64 for small multiples.
  constexpr double k_most = 1ull << 55;
  return static_cast<std::uint64_t>(std::min(static_cast<double>(t.count()) * 1e-6 * rate, k_most));
}

runtime::runtime(const config& asked, const above& given)
    : runtime(platform::for_runtime(simulator_view), asked, given) {}

runtime::runtime(platform::platform& os, const config& asked, const above& given)
    : clock(os),
      threading(os),
      stacks(os),
      signals(os),
      topology(os),
      simulator(os),
      program(os),
      settings(resolved(asked, os, given.on_interrupt)),
      wanted(asked),
      rule(settings),
      wanted_cpus(given.wanted_cpus),
      most_workers(follows_the_cpus(wanted, topology)
                       ? std::max(settings.workers, std::min(topology.most_cpus(), k_most_workers))
                       : settings.workers),
      share(share_of_address_space(settings, most_workers, os)),
      beat_ticks(to_ticks(settings.beat, clock.ticks_per_second())),
      least_wake_ticks(rule.looks_at_thieves() ? cost::k_wake_beats * beat_ticks : 0),
      poll_ticks(beat_ticks / rule.polls_per_beat()),
      tick_rate(clock.ticks_per_second()),
      spin_ticks(to_ticks(cost::k_spin, tick_rate)),
      brief_ticks(to_ticks(cost::k_brief_wait, tick_rate)),
      more_workers_than_cpus(settings.workers > topology.usable_cpus()),
      fibers(stacks, threading, settings.stack_bytes, cost::k_fibers_per_worker * most_workers,
             to_ticks(cost::k_between_stack_looks, tick_rate), share.stack_bytes, share.is_short),
      sleeping(relax_on_platform{&threading}),
      above_(given),
      seats_(new sync::atomic<worker*>[most_workers]),
      is_somebodys_(new sync::atomic<std::uint32_t>[most_workers]),
      seats_used_(settings.workers),
      worker_count_(settings.workers),
      follows_cpus_(follows_the_cpus(wanted, topology)),
      between_looks_(to_ticks(cost::k_between_cpu_looks, tick_rate)),
      pool_workers_(new sync::atomic<worker*>[most_workers]),
      wishes_(relax_on_platform{&threading}),
      fits_callers_(wanted.stack_bytes == 0 || wanted.stack_bytes == stacks.default_stack_bytes()) {
  for (unsigned p = 0; p < most_workers; ++p) {
    seats_[p].store(nullptr, sync::relaxed);
    is_somebodys_[p].store(0, sync::relaxed);
    pool_workers_[p].store(nullptr, sync::relaxed);
  }
  threads.reserve(most_workers);
  next_look_.store(clock.now() + between_looks_, sync::relaxed);
  keep_workers_per_thread(threading);
}

void runtime::go_on_alone(worker& w) noexcept {
  orphaned = true;
  next_look_.store(~std::uint64_t{0}, sync::relaxed);
  // No thread is started, no sleeper looked for.
  worker_count_.store(1, sync::relaxed);
  away_.store(0, sync::relaxed);
  stand_ins_.store(0, sync::relaxed);
  for (unsigned p = 0; p < most_workers; ++p) {
    if (seats_[p].load(sync::relaxed) != &w) seats_[p].store(nullptr, sync::relaxed);
  }
  w.beat.go_on_alone();
  scopes.forget_parts();
  w.seat.place = 0;
  fibers.go_on_alone();
  w.scheduler.teams().waiting().go_on_alone();
  injected_.go_on_alone();
  // The list is whole unless somebody was at it: then what it holds is lost, as what was running is.
  if (ready_mutex_.try_lock()) {
    ready_mutex_.unlock();
  } else {
    new (&ready_mutex_) sync::mutex;
    ready_ = nullptr;
    ready_end_ = &ready_;
    ready_count_.store(0, sync::relaxed);
  }
}

bool runtime::is_alone(std::int64_t calls) const noexcept {
  return process::calls.load(sync::relaxed) == calls && threads_started() == 0;
}

}  // namespace takt::core
