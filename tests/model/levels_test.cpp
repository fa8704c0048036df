// A task that waits for a cache to have no leader (src/policy/README.md, "Levels"): a worker of that cache may sleep
// meanwhile. Who gives the cache up looks for tasks and wakes somebody; who publishes wakes nobody if there is a
// leader. A task that nobody comes for is a deadlock to the checker.
#include "model/sleeping_worker.hpp"

namespace {

using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, does_not_look, looks_first, asks_before_putting };

// Thread 0 publishes a task. Thread 1 leads the cache and gives it up, and then does something else until the task has
// been run. Thread 2 sleeps if there is nothing, or the cache has a leader.
template <mistake Mistake>
struct levels : rl::test_suite<levels<Mistake>, 3> {
  sleepers<worker, relax> asleep{relax{}};
  worker sleeper;
  sync::atomic<unsigned> leaders;
  sync::atomic<unsigned> tasks;
  parker has_run;

  void before() {
    leaders.store(1, sync::relaxed);
    tasks.store(0, sync::relaxed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      publish();
    } else if (index == 1) {
      lead();
    } else {
      follow();
    }
  }
  void after() { RL_ASSERT(!asleep.any()); }

  void publish() {
    if constexpr (Mistake == mistake::asks_before_putting) {
      const bool is_led = leaders.load(sync::seq_cst) != 0;
      tasks.fetch_add(1, sync::seq_cst);
      if (!is_led) wake();
    } else {
      tasks.fetch_add(1, sync::seq_cst);
      if (leaders.load(sync::seq_cst) == 0) wake();
    }
  }
  void lead() {
    const bool saw_any = Mistake == mistake::looks_first && tasks.load(sync::seq_cst) != 0;
    leaders.fetch_sub(1, sync::seq_cst);
    bool any = saw_any;
    if constexpr (Mistake == mistake::none || Mistake == mistake::asks_before_putting) {
      any = tasks.load(sync::seq_cst) != 0;
    }
    if (any) wake();
    has_run.park();
  }
  void follow() {
    for (;;) {
      asleep.announce(sleeper);
      const bool is_open = leaders.load(sync::seq_cst) == 0 && tasks.load(sync::seq_cst) != 0;
      if (!is_open || !asleep.cancel(sleeper)) sleeper.token.park();
      unsigned none = 0;
      if (tasks.load(sync::seq_cst) != 0 && leaders.compare_exchange_strong(none, 1, sync::seq_cst, sync::relaxed)) {
        break;
      }
    }
    has_run.unpark();
  }
  void wake() {
    if (worker* w = asleep.choose_any(); w != nullptr) w->token.unpark();
  }
};

constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_levels, somebody_comes) { holds<levels<mistake::none>>(at_random(100'000)); }
TEST(model_levels, somebody_comes_bounded) { holds<levels<mistake::none>>(all_with_preemptions(3)); }

TEST(model_levels_twin, does_not_look) { fails<levels<mistake::does_not_look>>(k_for_ever, at_random(100'000)); }
TEST(model_levels_twin, looks_first) { fails<levels<mistake::looks_first>>(k_for_ever, at_random(100'000)); }
TEST(model_levels_twin, asks_before_putting) {
  fails<levels<mistake::asks_before_putting>>(k_for_ever, at_random(100'000));
}

}  // namespace
