// Tasks handed to a seat whose worker sleeps: the steps of src/policy/README.md, for an inbox in place of a deque. A
// task that nobody comes for is a deadlock to the checker.
#include "worker/inbox.hpp"
#include "model/sleeping_worker.hpp"
#include "worker/sleepers.hpp"

namespace {

using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, wakes_before_handing, looks_before_announcing, wakes_only_the_named, nothing_left_is_told };

struct small_lock {
  sync::atomic<unsigned> taken;
  void lock() {
    while (taken.exchange(1, sync::acquire) != 0) rl::yield(1, RL_INFO);
  }
  void unlock() { taken.store(0, sync::release); }
  bool try_lock() { return taken.exchange(1, sync::acquire) == 0; }
};
using box = takt::core::inbox<small_lock>;

// Thread 0 hands tasks of scope 1 to seat 1. Sleeper 0 held that seat last and may run tasks of scope `First` alone;
// the other one may run any. Once all are taken they are sent home.
template <mistake Mistake, unsigned Tasks, std::uint32_t First>
struct handed : rl::test_suite<handed<Mistake, Tasks, First>, 3> {
  sleepers<worker, relax> asleep{relax{}};
  box* tasks = nullptr;
  worker workers[2];
  parker all_taken;
  sync::atomic<unsigned> taken;
  sync::atomic<unsigned> stopping;

  void before() {
    tasks = new box;
    workers[0].sleep.only_scope = First;
    workers[0].last_seat = 1;
  }
  void thread(unsigned index) { index == 0 ? hand() : run(workers[index - 1]); }
  void after() {
    for (worker& w : workers) RL_ASSERT(!w.token.has_token());
    RL_ASSERT(!asleep.any() && tasks->looks_empty());
    delete tasks;
  }

  void hand() {
    for (unsigned i = 0; i < Tasks; ++i) {
      if constexpr (Mistake == mistake::wakes_before_handing) wake_one();
      RL_ASSERT(tasks->put(1));
      if constexpr (Mistake != mistake::wakes_before_handing) wake_one();
    }
    all_taken.park();
    stopping.store(1, sync::seq_cst);
    while (worker* w = asleep.choose_any()) w->token.unpark();
  }
  void wake_one() {
    if constexpr (Mistake == mistake::wakes_only_the_named) {
      if (asleep.choose(workers[0])) workers[0].token.unpark();
    } else {
      worker* w = asleep.choose(1, [](const worker& s) { return s.last_seat == 1; });
      if (w != nullptr) w->token.unpark();
    }
  }

  bool take(const worker& w) {
    if (tasks->take([&w](std::uint64_t e) { return w.sleep.eligible(static_cast<std::uint32_t>(e)); }) == 0) {
      return false;
    }
    if (taken.fetch_add(1, sync::relaxed) + 1 == Tasks) all_taken.unpark();
    return true;
  }
  bool is_anything_for(const worker& w) {
    return tasks->find([&w](std::uint64_t e) { return w.sleep.eligible(static_cast<std::uint32_t>(e)); }) != 0;
  }
  void run(worker& w) {
    while (stopping.load(sync::seq_cst) == 0) {
      if (!take(w)) sleep(w);
    }
  }
  void sleep(worker& w) {
    bool stay = Mistake == mistake::looks_before_announcing && is_anything_for(w);
    asleep.announce(w);
    if constexpr (Mistake != mistake::looks_before_announcing) stay = is_anything_for(w);
    if (stay || stopping.load(sync::seq_cst) != 0) {
      if (!asleep.cancel(w)) w.token.park();
      return;
    }
    w.token.park();
  }
};

// One seat. Its holder may not run the task that lies there, and leaves; who may waits for a seat.
template <mistake Mistake>
struct left_behind : rl::test_suite<left_behind<Mistake>, 2> {
  sleepers<worker, relax> asleep{relax{}};
  box* tasks = nullptr;
  worker workers[2];
  sync::atomic<unsigned> seat;  // the holder's number + 1; 0: free

  void before() {
    tasks = new box;
    workers[0].sleep.only_scope = 2;
    seat.store(1, sync::relaxed);
  }
  void thread(unsigned index) {
    if (index == 0) {
      RL_ASSERT(tasks->put(1));
      wake_one();
      seat.store(0, sync::seq_cst);
      if (Mistake != mistake::nothing_left_is_told && tasks->find([](std::uint64_t) { return true; }) != 0) wake_one();
    } else {
      unsigned none = 0;
      while (!seat.compare_exchange_strong(none, 2, sync::seq_cst, sync::relaxed)) {
        none = 0;
        asleep.announce(workers[1]);
        if (seat.load(sync::seq_cst) == 0) {
          if (!asleep.cancel(workers[1])) workers[1].token.park();
        } else {
          workers[1].token.park();
        }
      }
      // What is put in later is announced later.
      (void)tasks->take([](std::uint64_t) { return true; });
    }
  }
  void after() {
    RL_ASSERT(!asleep.any());
    delete tasks;
  }
  void wake_one() {
    worker* w = asleep.choose(1, [](const worker&) { return true; });
    if (w != nullptr) w->token.unpark();
  }
};

template <mistake Mistake = mistake::none>
using for_anybody = handed<Mistake, 2, 0>;
// Who held the seat waits for a call of its own.
template <mistake Mistake = mistake::none>
using for_the_other = handed<Mistake, 1, 2>;
constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_inbox, handed_to_a_seat) { holds<for_anybody<>>(at_random(100'000)); }
TEST(model_inbox, handed_to_a_seat_bounded) { holds<for_anybody<>>(all_with_preemptions(1)); }
TEST(model_inbox, handed_to_a_seat_whose_worker_may_not) { holds<for_the_other<>>(at_random(100'000)); }
TEST(model_inbox, left_behind) { holds<left_behind<mistake::none>>(at_random(100'000)); }
TEST(model_inbox, left_behind_bounded) { holds<left_behind<mistake::none>>(all_with_preemptions(3)); }

TEST(model_inbox_twin, wakes_before_handing) {
  fails<for_the_other<mistake::wakes_before_handing>>(k_for_ever, at_random(100'000));
}
TEST(model_inbox_twin, looks_before_announcing) {
  fails<for_the_other<mistake::looks_before_announcing>>(k_for_ever, at_random(100'000));
}
TEST(model_inbox_twin, wakes_only_who_is_named) {
  fails<for_the_other<mistake::wakes_only_the_named>>(k_for_ever, at_random(100'000));
}
TEST(model_inbox_twin, nobody_is_told_what_is_left) {
  fails<left_behind<mistake::nothing_left_is_told>>(k_for_ever, at_random(100'000));
}
constexpr sync::planted_bug k_put{sync::access::rmw, "::put(", sync::seq_cst, sync::relaxed};
TEST(model_inbox_twin, count_of_tasks_is_relaxed) {
  fails<for_the_other<>>(k_for_ever, at_random(100'000), &k_put);
}
constexpr sync::planted_bug k_look{sync::access::load, "::looks_empty(", sync::seq_cst, sync::acquire};
TEST(model_inbox_twin, second_look_only_acquires) {
  fails<for_the_other<>>(k_for_ever, at_random(100'000), &k_look);
}

}  // namespace
