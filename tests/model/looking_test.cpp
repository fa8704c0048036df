// A task for a seat whose holder looks for work: nobody is woken for it. If the holder finds something else, which may
// take for ever, it looks whether others are to be woken (src/policy/README.md, "adws"). A task that nobody comes for
// is a deadlock to the checker.
#include "model/sleeping_worker.hpp"

namespace {

using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, looks_before_it_stops, does_not_look, asks_before_putting };

// Thread 0 puts a task into the seat of thread 1, which runs something else until that task has been run. Thread 2
// sleeps if there is nothing, and may take it.
template <mistake Mistake>
struct looking : rl::test_suite<looking<Mistake>, 3> {
  sleepers<worker, relax> asleep{relax{}};
  worker sleeper;
  sync::atomic<unsigned> looks;
  sync::atomic<unsigned> tasks;
  parker has_run;

  void before() { looks.store(1, sync::relaxed); }
  void thread(unsigned index) {
    if (index == 0) {
      hand();
    } else if (index == 1) {
      hold();
    } else {
      sleep();
    }
  }
  void after() { RL_ASSERT(!asleep.any()); }

  void hand() {
    if constexpr (Mistake == mistake::asks_before_putting) {
      const bool busy = looks.load(sync::seq_cst) == 0;
      tasks.fetch_add(1, sync::seq_cst);
      if (busy) wake();
    } else {
      tasks.fetch_add(1, sync::seq_cst);
      if (looks.load(sync::seq_cst) == 0) wake();
    }
  }
  void hold() {
    bool any = Mistake == mistake::looks_before_it_stops && tasks.load(sync::seq_cst) != 0;
    looks.store(0, sync::seq_cst);
    if constexpr (Mistake == mistake::none || Mistake == mistake::asks_before_putting) {
      any = tasks.load(sync::seq_cst) != 0;
    }
    if (any) wake();
    has_run.park();
  }
  void sleep() {
    asleep.announce(sleeper);
    if (tasks.load(sync::seq_cst) == 0) {
      sleeper.token.park();
    } else if (!asleep.cancel(sleeper)) {
      sleeper.token.park();
    }
    RL_ASSERT(tasks.load(sync::seq_cst) == 1);
    has_run.unpark();
  }
  void wake() {
    if (worker* w = asleep.choose_any(); w != nullptr) w->token.unpark();
  }
};

constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_looking, somebody_comes) { holds<looking<mistake::none>>(at_random(100'000)); }
TEST(model_looking, somebody_comes_bounded) { holds<looking<mistake::none>>(all_with_preemptions(3)); }

TEST(model_looking_twin, looks_before_it_stops) {
  fails<looking<mistake::looks_before_it_stops>>(k_for_ever, at_random(100'000));
}
TEST(model_looking_twin, does_not_look) {
  fails<looking<mistake::does_not_look>>(k_for_ever, at_random(100'000));
}
TEST(model_looking_twin, asks_before_putting) {
  fails<looking<mistake::asks_before_putting>>(k_for_ever, at_random(100'000));
}
constexpr sync::planted_bug k_stop{sync::access::store, "::hold(", sync::seq_cst, sync::release};
TEST(model_looking_twin, stops_with_release_only) {
  fails<looking<mistake::none>>(k_for_ever, at_random(100'000), &k_stop);
}

}  // namespace
