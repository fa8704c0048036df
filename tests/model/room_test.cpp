// A task that waits for room in a cache (src/policy/README.md, "sb"): whoever gives room back looks for tasks and wakes
// somebody. A task that nobody comes for is a deadlock to the checker.
#include "model/sleeping_worker.hpp"
#include "lab/policy/cache_room.hpp"

#include <array>

namespace {

using takt::core::cache_room;
using takt::core::cache_share;
using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, does_not_look, looks_first, keeps_it, gives_twice };

// Thread 0 publishes a task. Thread 1 has room in both caches and gives it back, and then does something else until the
// task has been run. Thread 2 sleeps if there is nothing, or no room.
template <mistake Mistake>
struct room : rl::test_suite<room<Mistake>, 3> {
  static constexpr std::array<cache_share, 2> k_task{{{0, 5}, {1, 2}}};
  static constexpr std::array<cache_share, 2> k_other{{{0, 6}, {1, 3}}};
  cache_room caches;
  sleepers<worker, relax> asleep{relax{}};
  worker sleeper;
  sync::atomic<unsigned> tasks;
  parker has_run;

  void before() {
    constexpr std::uint64_t k_bytes[] = {10, 4};
    caches.have(k_bytes);
    RL_ASSERT(caches.take(k_other, relax{}));
    tasks.store(0, sync::relaxed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      tasks.fetch_add(1, sync::seq_cst);
      wake();
    } else if (index == 1) {
      end();
    } else {
      follow();
    }
  }
  void after() {
    RL_ASSERT(!asleep.any());
    RL_ASSERT(caches.is_all_free());
  }

  void end() {
    bool any = Mistake == mistake::looks_first && tasks.load(sync::seq_cst) != 0;
    if (Mistake != mistake::keeps_it) caches.give_back(k_other, relax{});
    if (Mistake == mistake::gives_twice) caches.give_back(k_other, relax{});
    if (Mistake != mistake::looks_first && Mistake != mistake::does_not_look) any = tasks.load(sync::seq_cst) != 0;
    if (any) wake();
    has_run.park();
  }
  void follow() {
    for (;;) {
      asleep.announce(sleeper);
      const bool may_begin = tasks.load(sync::seq_cst) != 0 && caches.has(k_task, relax{});
      if (!may_begin || !asleep.cancel(sleeper)) sleeper.token.park();
      if (tasks.load(sync::seq_cst) != 0 && caches.take(k_task, relax{})) break;
    }
    caches.give_back(k_task, relax{});
    has_run.unpark();
  }
  void wake() {
    if (worker* w = asleep.choose_any(); w != nullptr) w->token.unpark();
  }
};

constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_room, somebody_comes) { holds<room<mistake::none>>(at_random(50'000)); }
TEST(model_room, somebody_comes_bounded) { holds<room<mistake::none>>(all_with_preemptions(2)); }

TEST(model_room_twin, does_not_look) { fails<room<mistake::does_not_look>>(k_for_ever, at_random(50'000)); }
TEST(model_room_twin, looks_first) { fails<room<mistake::looks_first>>(k_for_ever, at_random(50'000)); }
TEST(model_room_twin, keeps_it) { fails<room<mistake::keeps_it>>(k_for_ever, at_random(50'000)); }
TEST(model_room_twin, gives_twice) {
  fails<room<mistake::gives_twice>>(rl::test_result_user_assert_failed, at_random(50'000));
}

}  // namespace
