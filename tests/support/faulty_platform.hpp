// A platform that can be told to refuse stacks and threads, how many CPUs there are and how time passes, and that tells
// who sleeps; everything else is the real one's.
#pragma once

#include "platform/platform.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace takt_test {

class faulty_platform final : public takt::platform::platform {
 public:
  faulty_platform() : real_(takt::platform::threads()) {}

  /// How many may be had from now on, until more are given back; negative: any number.
  std::atomic<int> stacks{-1};
  std::atomic<int> threads{-1};
  /// CPUs that there seem to be, up to 8; 0: as many as there are.
  std::atomic<unsigned> cpus{0};
  /// How often somebody has looked at them.
  std::atomic<int> looks_at_cpus{0};

  /// What the limits of the process seem to leave when a runtime begins.
  std::atomic<std::uint64_t> left{k_no_limit};

  /// Of the latest stack and thread: what was asked for.
  std::atomic<std::size_t> latent_bytes{0};
  std::atomic<bool> small_thread{false};

  /// So many ticks pass at each look at the CPUs, in which others run.
  std::atomic<std::uint64_t> ticks_per_look_at_cpus{0};

  /// Not 0: so many workers share a cache of `cache_bytes` each, and twice as many one of three times that.
  std::atomic<unsigned> share_a_cache{0};
  std::atomic<std::uint64_t> cache_bytes{1 << 20};
  /// Who shares one of the former has to run there, by cache; empty: anywhere. Set before there are workers.
  std::vector<takt::platform::cpu_set> cpus_of_caches;

  /// What was wanted by who asked last.
  takt::platform::placement wanted_cpus;

  /// Not 0: so many ticks pass at each look at the clock, and none in between.
  std::atomic<std::uint64_t> ticks_per_look{0};

  /// Of the looks whether another thread hears a signal: how many have been, and how many may end.
  std::atomic<int> looks{0};
  std::atomic<int> looks_may_end{1 << 30};
  /// Signals that were sent.
  std::atomic<int> interrupts{0};

  /// Threads that there have been.
  int started() const { return started_.load(); }
  /// Those that wait without a time limit, and how often one has waited with one.
  int asleep() const { return asleep_.load(); }
  int naps() const { return naps_.load(); }

  std::uint64_t now() noexcept override {
    const std::uint64_t step = ticks_per_look.load(std::memory_order_relaxed);
    return step == 0 ? real_.now() + lost_.load(std::memory_order_relaxed)
                     : clock_.fetch_add(step, std::memory_order_relaxed) + step;
  }
  double ticks_per_second() noexcept override { return real_.ticks_per_second(); }
  takt::platform::thread* start_thread(void (*fn)(void*), void* argument, bool is_small) noexcept override {
    if (!take_one(threads)) return nullptr;
    small_thread = is_small;
    started_.fetch_add(1);
    return real_.start_thread(fn, argument, is_small);
  }
  void join_thread(takt::platform::thread* t) noexcept override { real_.join_thread(t); }
  bool park(takt::platform::parker& p, std::uint64_t timeout_ticks) noexcept override {
    if (timeout_ticks != 0) {
      naps_.fetch_add(1);
      return real_.park(p, timeout_ticks);
    }
    asleep_.fetch_add(1);
    const bool token = real_.park(p, 0);
    asleep_.fetch_sub(1);
    return token;
  }
  void unpark(takt::platform::parker& p) noexcept override { real_.unpark(p); }
  void relax(unsigned round) noexcept override { real_.relax(round); }
  std::uint64_t seed() noexcept override { return real_.seed(); }
  bool allocate_stack(std::size_t call_bytes, std::size_t latent, takt::platform::stack_memory& out) noexcept override {
    if (!take_one(stacks)) return false;
    latent_bytes = latent;
    return real_.allocate_stack(call_bytes, latent, out);
  }
  void release_stack(takt::platform::stack_memory& memory) noexcept override {
    if (stacks.load() >= 0) stacks.fetch_add(1);
    real_.release_stack(memory);
  }
  std::size_t stack_reserve(std::size_t call_bytes, std::size_t latent) noexcept override {
    return real_.stack_reserve(call_bytes, latent);
  }
  std::uint64_t address_space_left() noexcept override { return left.load(); }
  std::size_t thread_reserve(bool is_small) noexcept override { return real_.thread_reserve(is_small); }
  std::size_t resident_bytes(const takt::platform::stack_memory& memory) noexcept override {
    return real_.resident_bytes(memory);
  }
  bool trim_stack(takt::platform::stack_memory& memory) noexcept override { return real_.trim_stack(memory); }
  void keep_per_thread(void* variable, std::size_t bytes, void (*at_end)() noexcept) noexcept override {
    real_.keep_per_thread(variable, bytes, at_end);
  }
  bool watch_this_thread() noexcept override { return real_.watch_this_thread(); }
  std::uint64_t this_thread() noexcept override { return real_.this_thread(); }
  int enable_interrupts(void (*handler)(std::uint32_t), int signal) noexcept override {
    return real_.enable_interrupts(handler, signal);
  }
  void keep_interrupts(bool in_use) noexcept override { real_.keep_interrupts(in_use); }
  bool takes_interrupts(std::uint64_t thread_name) noexcept override {
    const bool takes = real_.takes_interrupts(thread_name);
    if (thread_name != real_.this_thread()) {
      const int number = looks.fetch_add(1) + 1;
      while (number > looks_may_end.load()) std::this_thread::yield();
    }
    return takes;
  }
  bool interrupt(std::uint64_t thread_name) noexcept override {
    interrupts.fetch_add(1);
    return real_.interrupt(thread_name);
  }
  void recall_interrupt() noexcept override { real_.recall_interrupt(); }
  void* seen_by_others(void* variable) noexcept override { return real_.seen_by_others(variable); }
  std::uint64_t cpu_time() noexcept override { return real_.cpu_time(); }
  unsigned usable_cpus() noexcept override {
    looks_at_cpus.fetch_add(1);
    lost_.fetch_add(ticks_per_look_at_cpus.load(), std::memory_order_relaxed);
    return cpus.load() != 0 ? cpus.load() : real_.usable_cpus();
  }
  unsigned most_cpus() noexcept override { return cpus.load() != 0 ? 8 : real_.most_cpus(); }
  std::size_t shared_caches(unsigned workers, const takt::platform::placement& wanted,
                            takt::platform::shared_cache* out, std::size_t most) noexcept override {
    wanted_cpus = wanted;
    std::size_t count = 0;
    const unsigned inner = share_a_cache.load();
    for (unsigned level = inner != 0 ? 3 : 0; level >= 2; --level) {
      const unsigned sharers = level == 3 ? 2 * inner : inner;
      for (unsigned first = 0; first < workers; first += sharers, ++count) {
        const unsigned here = sharers < workers - first ? sharers : workers - first;
        if (count >= most) continue;
        out[count] = {level, first, here, (level == 3 ? 3 : 1) * cache_bytes.load()};
        if (level == 2 && !cpus_of_caches.empty()) out[count].cpus = cpus_of_caches.at(first / inner);
      }
    }
    return count;
  }
  bool can_keep_to() noexcept override { return real_.can_keep_to(); }
  void keep_to(const takt::platform::cpu_set* of_seat) noexcept override { real_.keep_to(of_seat); }
  std::size_t default_stack_bytes() noexcept override { return real_.default_stack_bytes(); }
  std::size_t this_stack_bytes() noexcept override { return real_.this_stack_bytes(); }

  /// Nothing happens for so long.
  void pass(double seconds) { lost_.fetch_add(static_cast<std::uint64_t>(seconds * ticks_per_second())); }

 private:
  static bool take_one(std::atomic<int>& budget) noexcept {
    int left = budget.load();
    while (left > 0) {
      if (budget.compare_exchange_weak(left, left - 1)) return true;
    }
    return left < 0;
  }

  takt::platform::platform& real_;
  std::atomic<int> started_{0};
  std::atomic<int> asleep_{0};
  std::atomic<int> naps_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::uint64_t> clock_{1'000'000'000'000};
};

}  // namespace takt_test
