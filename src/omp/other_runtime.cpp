// The OpenMP runtime beside takt, in a program of which some regions stay with it: who waits for whom. See README.md.
#include <takt/omp.hpp>

#include "omp/other_runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

extern "C" {
// LLVM's and Intel's runtime have them; a program may have another one, or none.
[[gnu::weak]] void kmp_set_blocktime(int milliseconds);
[[gnu::weak]] int kmp_get_blocktime();
[[gnu::weak]] int omp_get_max_threads();
}

namespace takt::core {

namespace {

sync::atomic<std::uint32_t> converted_calls{0};

// Its threads go on sleeping at once for so many regions after the last call of takt's.
constexpr std::uint32_t k_regions_that_sleep = 16;

// LLVM's default. Any other one is the program's own.
constexpr int k_usual_milliseconds = 200;

// Of a thread of the OpenMP runtime's.
struct seen {
  std::uint32_t calls = 0;
  std::uint32_t sleeping_regions = 0;
};
thread_local seen here;

bool is_said_by_environment() {
  static const bool is_said = std::getenv("KMP_BLOCKTIME") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr ||
                              std::getenv("KMP_LIBRARY") != nullptr;
  return is_said;
}

// In a program without an OpenMP runtime, of which all is converted: what one would say. Only numbers need a bound.
std::uint32_t threads_without_runtime(bool is_numbered) noexcept {
  static const unsigned long said = [] {
    const char* const text = std::getenv("OMP_NUM_THREADS");
    return std::min(text != nullptr ? std::strtoul(text, nullptr, 10) : 0, 1ul << 30);
  }();
  if (said != 0) return static_cast<std::uint32_t>(said);
  return is_numbered ? std::max(std::thread::hardware_concurrency(), 1u) : ~0u;
}

}  // namespace

void note_converted_call() noexcept {
  // A lost one is told by the next.
  converted_calls.store(converted_calls.load(sync::relaxed) + 1, sync::relaxed);
}

std::uint32_t threads_of_team(std::uint64_t wanted, bool is_inside, bool is_numbered) noexcept {
  // Of the last outermost region. A worker that asks becomes a thread of the OpenMP runtime, which may bind it.
  static sync::atomic<std::uint32_t> told_outside{0};
  if (wanted != 0) return static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, ~0u));
  // Numbers may be places in an array that is as long as the program's thread was told, and a worker is not told what
  // the program has set. One is what OpenMP's default has here.
  if (is_inside && is_numbered) return 1;
  if (omp_get_max_threads == nullptr) return threads_without_runtime(is_numbered);
  const std::uint32_t outside = is_inside ? told_outside.load(sync::relaxed) : 0;
  if (outside != 0) return outside;
  const auto now = static_cast<std::uint32_t>(std::max(omp_get_max_threads(), 1));
  if (!is_inside) told_outside.store(now, sync::relaxed);
  return now;
}

}  // namespace takt::core

extern "C" void takt_omp_kept_ends() noexcept {
  using namespace takt::core;
  const std::uint32_t calls = converted_calls.load(takt::sync::relaxed);
  seen& s = here;
  if (calls == s.calls && s.sleeping_regions == 0) return;
  if (kmp_set_blocktime == nullptr || kmp_get_blocktime == nullptr || is_said_by_environment()) return;
  if (calls != s.calls) {
    s.calls = calls;
    s.sleeping_regions = k_regions_that_sleep;
  } else {
    --s.sleeping_regions;
  }
  if (s.sleeping_regions != 0 && kmp_get_blocktime() == k_usual_milliseconds) kmp_set_blocktime(0);
}
