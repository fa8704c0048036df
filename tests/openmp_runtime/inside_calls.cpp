// Code of takt's own calls, in no region, that leaves its stack in a lock while others run on its thread: its nested locks
// and its tasks stay its own, and a thread that asks for a lock again and again lets the holder go on.
#include <takt/takt.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "check.h"

extern "C" {
void omp_init_lock(void*);
void omp_destroy_lock(void*);
void omp_set_lock(void*);
void omp_unset_lock(void*);
void omp_init_nest_lock(void*);
void omp_destroy_nest_lock(void*);
void omp_set_nest_lock(void*);
int omp_test_nest_lock(void*);
void omp_unset_nest_lock(void*);
int omp_in_final();
int omp_get_max_threads();
int omp_get_level();
void GOMP_parallel(void (*)(void*), void* data, unsigned threads, unsigned flags);
void omp_set_num_threads(int);
void GOMP_taskgroup_start();
void GOMP_taskgroup_end();
void GOMP_task(void (*)(void*), void* data, void (*)(void*, void*), long bytes, long align, bool defers, unsigned flags,
               void** depend, int priority, void* detach);
}

namespace {

constexpr unsigned k_final = 2;

struct meeting {
  alignas(16) std::byte gate[16];
  alignas(16) std::byte nested[16];
  std::atomic<bool> is_closed{false};
  std::atomic<bool> is_inside{false};
  std::atomic<bool> opens{false};
  int turns = 0;
};

void wait_until(const std::atomic<bool>& is_true) {
  while (!is_true) std::this_thread::yield();
}

void first_inside(void* data) {
  meeting& m = **static_cast<meeting**>(data);
  CHECK(omp_in_final() != 0);
  omp_set_nest_lock(m.nested);
  omp_set_num_threads(997);
  m.is_inside = true;
  omp_set_lock(m.gate);
  omp_unset_lock(m.gate);
  CHECK(omp_in_final() != 0);
  CHECK(omp_get_max_threads() == 997);
  CHECK(omp_test_nest_lock(m.nested) == 2);
  ++m.turns;
  omp_unset_nest_lock(m.nested);
  omp_unset_nest_lock(m.nested);
}

void first(meeting& m) {
  meeting* data = &m;
  GOMP_taskgroup_start();
  GOMP_task(&first_inside, &data, nullptr, sizeof data, alignof(meeting*), false, k_final, nullptr, 0, nullptr);
  GOMP_taskgroup_end();
  CHECK(omp_in_final() == 0);
}

void second(meeting& m) {
  wait_until(m.is_inside);
  GOMP_taskgroup_start();
  CHECK(omp_in_final() == 0);
  CHECK(omp_get_max_threads() != 997);
  CHECK(omp_test_nest_lock(m.nested) == 0);
  m.opens = true;
  // Who has it may be ready, and want this very thread.
  while (omp_test_nest_lock(m.nested) == 0) {
  }
  ++m.turns;
  omp_unset_nest_lock(m.nested);
  GOMP_taskgroup_end();
}

void meet(bool has_others) {
  meeting m;
  omp_init_lock(m.gate);
  omp_init_nest_lock(m.nested);
  std::thread keeper([&m] {
    omp_set_lock(m.gate);
    m.is_closed = true;
    wait_until(m.opens);
    omp_unset_lock(m.gate);
  });
  wait_until(m.is_closed);
  takt::fork_join(
      [&m, has_others] {
        first(m);
        std::atomic<bool> has_run{!has_others};
        takt::fork_join([&has_run] { wait_until(has_run); }, [&has_run] { has_run = true; });
      },
      [&m] { second(m); });
  keeper.join();
  CHECK(m.turns == 2);
  omp_destroy_nest_lock(m.nested);
  omp_destroy_lock(m.gate);
}

void in_region(void*) {
  CHECK(omp_get_level() == 1);
  takt::fork_join([] { CHECK(omp_get_level() == 1); }, [] {});
}

// The code of a call is that which makes it.
void meet_again() {
  omp_set_num_threads(5);
  takt::fork_join(
      [] {
        CHECK(omp_get_max_threads() == 5);
        omp_set_num_threads(3);
      },
      [] {});
  CHECK(omp_get_max_threads() == 3);
  GOMP_parallel(&in_region, nullptr, 1, 0);
}

}  // namespace

int main() {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto beat : {std::chrono::microseconds(0), takt::config{}.beat}) {
      takt::config settings;
      settings.workers = workers;
      settings.beat = beat;
      takt::configure(settings);
      for (int i = 0; i < 20; ++i) {
        meet_again();
        meet(workers > 1);
      }
    }
  }
  std::puts("right");
}
