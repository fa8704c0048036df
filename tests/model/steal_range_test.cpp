// A seat that has a share in nothing steals anywhere (src/policy/README.md, "adws"). Once a construct is divided with a
// part for it, it takes nothing of that from the seats of others: by the time such a task lies somewhere the share is
// there, and the thief asks for it while it holds the lock of what it is about to take from.
#include "model/harness.hpp"
#include "sync/spin_lock.hpp"

namespace {

using takt::core::spin_lock;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, shares_after_putting, asks_before_locking };

// Thread 0 divides a construct among seats 1 and 2, and puts its task into seat 2. Thread 1 has seat 1.
template <mistake Mistake>
struct steal_range : rl::test_suite<steal_range<Mistake>, 2> {
  spin_lock lock;
  sync::plain<bool> has_task;
  sync::atomic<bool> has_share;
  bool stolen = false;

  void before() {
    has_task.set(false);
    has_share.store(false, sync::relaxed);
  }
  void thread(unsigned index) { index == 0 ? divide() : steal(); }
  // A plan: the task is seat 2's, and nothing is dominant yet.
  void after() { RL_ASSERT(!stolen); }

  void divide() {
    if (Mistake != mistake::shares_after_putting) has_share.store(true, sync::release);
    lock.lock(relax{});
    has_task.set(true);
    lock.unlock();
    if (Mistake == mistake::shares_after_putting) has_share.store(true, sync::release);
  }
  void steal() {
    if (has_share.load(sync::acquire)) return;
    lock.lock(relax{});
    const bool alone = Mistake == mistake::asks_before_locking || !has_share.load(sync::acquire);
    if (alone && has_task.get()) stolen = true;
    lock.unlock();
  }
};

TEST(model_steal_range, what_is_planned_is_not_stolen) {
  holds<steal_range<mistake::none>>(at_random(20'000));
  holds<steal_range<mistake::none>>(all_with_preemptions(3));
}
TEST(model_steal_range_twin, shares_after_putting) {
  fails<steal_range<mistake::shares_after_putting>>(rl::test_result_user_assert_failed, at_random(20'000));
}
TEST(model_steal_range_twin, asks_before_locking) {
  fails<steal_range<mistake::asks_before_locking>>(rl::test_result_user_assert_failed, at_random(20'000));
}

}  // namespace
