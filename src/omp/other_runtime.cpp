// The OpenMP runtime beside takt, in a program of which some regions stay with it: who waits for whom. See README.md.
#include <takt/omp.hpp>

#include "omp/other_runtime.hpp"

#include <cstdlib>

extern "C" {
// LLVM's and Intel's runtime have them; a program may have another one, or none.
[[gnu::weak]] void kmp_set_blocktime(int milliseconds);
[[gnu::weak]] int kmp_get_blocktime();
}

namespace takt::core {

namespace {

sync::atomic<std::uint32_t> converted_calls{0};

// Its threads go on sleeping at once for so many regions after the last call of takt's.
constexpr std::uint32_t k_regions_that_sleep = 16;

// How long threads look for the next region is a setting of the thread that starts them.
struct waiting {
  std::uint32_t calls_seen = 0;
  std::uint32_t sleeping_regions = 0;
  int usual = 0;  // milliseconds, while `sleeps`
  bool sleeps = false;
  bool is_theirs = false;  // the program has said something itself
};
thread_local waiting here;

bool is_said_by_environment() {
  static const bool is_said = std::getenv("KMP_BLOCKTIME") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr ||
                              std::getenv("KMP_LIBRARY") != nullptr;
  return is_said;
}

void let_sleep(waiting& w, bool sleeps) {
  if (w.sleeps == sleeps || w.is_theirs) return;
  const int now = kmp_get_blocktime();
  if (w.sleeps && now != 0) {
    w.is_theirs = true;
    return;
  }
  if (sleeps) w.usual = now;
  kmp_set_blocktime(sleeps ? 0 : w.usual);
  w.sleeps = sleeps;
}

}  // namespace

void note_converted_call() noexcept {
  // A lost one is told by the next.
  converted_calls.store(converted_calls.load(sync::relaxed) + 1, sync::relaxed);
}

}  // namespace takt::core

extern "C" void takt_omp_before_kept() noexcept {
  using namespace takt::core;
  const std::uint32_t calls = converted_calls.load(takt::sync::relaxed);
  waiting& w = here;
  if (calls == w.calls_seen && w.sleeping_regions == 0) return;
  if (kmp_set_blocktime == nullptr || kmp_get_blocktime == nullptr || is_said_by_environment()) return;
  if (calls != w.calls_seen) {
    w.calls_seen = calls;
    w.sleeping_regions = k_regions_that_sleep;
  } else {
    --w.sleeping_regions;
  }
  let_sleep(w, w.sleeping_regions != 0);
}
