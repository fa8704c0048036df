// A policy is made while a worker falls asleep (src/policy/README.md, "A policy for one computation"): its first task
// is not overlooked. A task that nobody comes for is a deadlock to the checker.
#include "model/sleeping_worker.hpp"

namespace {

using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, one_queue, looks_up_first, wakes_first, weak_look };

// Thread 0 makes a second policy and publishes a task under it, which thread 1 is to run: the first thread waits. As in
// policies.cpp there is a list of policies, and each has a queue.
template <mistake Mistake>
struct policies : rl::test_suite<policies<Mistake>, 2> {
  struct queue {
    sync::atomic<unsigned> tasks;
    queue* before = nullptr;
  };
  sleepers<worker, relax> asleep{relax{}};
  worker sleeper;
  queue first;
  queue second;
  sync::atomic<queue*> newest;
  parker has_run;

  void before() {
    first.tasks.store(0, sync::relaxed);
    second.tasks.store(0, sync::relaxed);
    newest.store(&first, sync::relaxed);
  }
  void thread(unsigned index) { index == 0 ? publish() : work(); }
  void after() { RL_ASSERT(!asleep.any()); }

  void publish() {
    if constexpr (Mistake == mistake::wakes_first) wake();
    second.before = newest.load(sync::acquire);
    queue* seen = second.before;
    RL_ASSERT(newest.compare_exchange_strong(seen, &second, sync::seq_cst, sync::acquire));
    second.tasks.fetch_add(1, sync::seq_cst);
    if constexpr (Mistake != mistake::wakes_first) wake();
    has_run.park();
  }
  void work() {
    for (;;) {
      queue* const early = newest.load(sync::seq_cst);
      asleep.announce(sleeper);
      const auto order = Mistake == mistake::weak_look ? sync::acquire : sync::seq_cst;
      const bool any = is_any(Mistake == mistake::looks_up_first ? early : newest.load(order));
      if (!any || !asleep.cancel(sleeper)) sleeper.token.park();
      if (is_any(newest.load(sync::seq_cst))) break;
    }
    has_run.unpark();
  }
  bool is_any(const queue* from) {
    for (const queue* q = from; q != nullptr; q = Mistake == mistake::one_queue ? nullptr : q->before) {
      const queue* const asked = Mistake == mistake::one_queue ? &first : q;
      if (asked->tasks.load(sync::seq_cst) != 0) return true;
    }
    return false;
  }
  void wake() {
    if (worker* w = asleep.choose_any(); w != nullptr) w->token.unpark();
  }
};

constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_policies, somebody_comes) { holds<policies<mistake::none>>(at_random(100'000)); }
TEST(model_policies, somebody_comes_bounded) { holds<policies<mistake::none>>(all_with_preemptions(3)); }

TEST(model_policies_twin, one_queue) { fails<policies<mistake::one_queue>>(k_for_ever, at_random(100'000)); }
TEST(model_policies_twin, looks_up_first) { fails<policies<mistake::looks_up_first>>(k_for_ever, at_random(100'000)); }
TEST(model_policies_twin, wakes_first) { fails<policies<mistake::wakes_first>>(k_for_ever, at_random(100'000)); }
TEST(model_policies_twin, weak_look) { fails<policies<mistake::weak_look>>(k_for_ever, at_random(100'000)); }

}  // namespace
