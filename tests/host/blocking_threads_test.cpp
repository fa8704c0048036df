// Threads that stand in for those that block: as many as block at once, and few are left when nobody does any more.
#include "threads_of_process.hpp"

#include <takt/takt.hpp>

#include <sched.h>

#include <condition_variable>
#include <mutex>

namespace {

constexpr int k_all = 60;

// 2 workers, the main thread one of them, and as many stand-ins.
constexpr std::size_t k_most_at_rest = 4;

void all_block() {
  int there = 0;
  std::mutex mutex;
  std::condition_variable complete;
  takt::task_group group;
  for (int i = 0; i < k_all; ++i) {
    group.run([&] {
      takt::blocking([&] {
        std::unique_lock lock(mutex);
        if (++there == k_all) complete.notify_all();
        complete.wait(lock, [&] { return there == k_all; });
      });
    });
  }
  group.wait();
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    all_block();
    // A hang if they do not end.
    while (host::threads_of_process().size() > k_most_at_rest) sched_yield();
  }
  HOST_CHECK(takt::current_config().workers == 2);
  takt::configure(takt::current_config());
  all_block();
  return 0;
}
