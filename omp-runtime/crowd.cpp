// More members than threads: one may spin on memory that another is to write, which has no thread. See README.md.
#include <pthread.h>
#include <time.h>

#include "state.hpp"

namespace takt::openmp {

namespace {

// As long as a system leaves a thread a CPU that others want.
constexpr timespec k_patience{0, 10'000'000};

std::atomic<std::uint32_t> crowded{0};  // teams
bool is_any() noexcept { return crowded.load(std::memory_order_seq_cst) != 0; }
std::atomic<bool> is_watched{false};
std::atomic<std::uint32_t> forks{0};

[[maybe_unused]] const int follows_forks = pthread_atfork(nullptr, nullptr, [] {
  crowded.store(0, std::memory_order_relaxed);
  is_watched.store(false, std::memory_order_relaxed);
  forks.fetch_add(1, std::memory_order_relaxed);
});

void* relieve(void*) noexcept {
  takt_enter([](void*) { (void)takt_team_relieve(); }, nullptr);
  return nullptr;
}

void* watch(void*) noexcept {
  for (;;) {
    nanosleep(&k_patience, nullptr);
    if (!is_any()) {
      // EDGE crowd.watched: seq_cst on both sides: a crowd that comes now sees this, or is seen.
      is_watched.store(false, std::memory_order_seq_cst);
      if (!is_any() || is_watched.exchange(true, std::memory_order_seq_cst)) {
        return nullptr;
      }
    }
    for (std::uint32_t stuck = takt_team_look_for_stuck(); stuck > 0 && start_thread(&relieve, nullptr); --stuck) {
    }
  }
}

}  // namespace

bool start_thread(void* (*run)(void*), void* argument) noexcept {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, argument) != 0) return false;
  pthread_detach(thread);
  return true;
}

crowd::crowd() noexcept : forks_(forks.load(std::memory_order_relaxed)) {
  crowded.fetch_add(1, std::memory_order_seq_cst);
  // EDGE crowd.watched
  if (is_watched.load(std::memory_order_seq_cst) || is_watched.exchange(true, std::memory_order_seq_cst)) return;
  if (!start_thread(&watch, nullptr)) is_watched.store(false, std::memory_order_seq_cst);
}

crowd::~crowd() {
  if (forks_ == forks.load(std::memory_order_relaxed)) crowded.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace takt::openmp
