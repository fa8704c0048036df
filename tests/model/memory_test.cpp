// Tasks that sleep before they allocate: the steps of src/memory/README.md. A task that nobody wakes, while a worker is
// parked that could, is a deadlock to the checker.
#include "lab/memory/sleep_queue.hpp"
#include "model/sleeping_worker.hpp"
#include "worker/join_word.hpp"

namespace {

using takt::core::join_word;
using takt::core::sleep_queue;
using takt::core::sleepers;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, looks_before_announcing, does_not_look_again, wakes_nobody, wakes_before_putting };

struct task {
  task() { word.begin(1, {}); }
  join_word word;
  sync::plain<std::uint64_t> wakes_after;
  sync::plain<task*> next_sleeper;
};
using queue = sleep_queue<task, relax>;
constexpr auto k_any = [](const task&) { return true; };

// Thread 0 puts a task to sleep, and is busy with something else until that has run. Thread 1 has nothing to do.
template <mistake Mistake>
struct sleeping : rl::test_suite<sleeping<Mistake>, 2> {
  sleepers<worker, relax> parked{relax{}};
  queue asleep{relax{}};
  worker idle;
  task of;
  parker has_run;

  void thread(unsigned index) { index == 0 ? put() : look(); }
  void after() { RL_ASSERT(asleep.looks_empty()); }

  void put() {
    if constexpr (Mistake == mistake::wakes_before_putting) wake();
    asleep.put(of, 2);
    if constexpr (Mistake == mistake::none || Mistake == mistake::looks_before_announcing ||
                  Mistake == mistake::does_not_look_again) {
      if (!asleep.looks_empty()) wake();
    }
    has_run.park();
  }
  void wake() {
    if (worker* w = parked.choose_any(); w != nullptr) w->token.unpark();
  }

  void look() {
    for (;;) {
      if (asleep.take_due(k_any) != nullptr) return has_run.unpark();
      if (!asleep.is_any(k_any)) park();
    }
  }
  void park() {
    bool stay = Mistake == mistake::looks_before_announcing && asleep.is_any(k_any);
    parked.announce(idle);
    if constexpr (Mistake != mistake::looks_before_announcing && Mistake != mistake::does_not_look_again) {
      stay = asleep.is_any(k_any);
    }
    if (!stay) return idle.token.park();
    if (!parked.cancel(idle)) idle.token.park();
  }
};

// Thread 0's fiber leaves its stack to sleep; two others look, of which one is about to end. One of the three goes on
// with it, and sees what it has left.
template <bool ArrivesEarly>
struct woken_once : rl::test_suite<woken_once<ArrivesEarly>, 3> {
  queue asleep{relax{}};
  task of;
  sync::plain<unsigned> stack;
  sync::atomic<unsigned> resumed;

  void thread(unsigned index) {
    if (index == 0) {
      asleep.put(of, 0);
      if constexpr (ArrivesEarly) {
        if (of.word.arrive()) resume();
        stack.set(1);
      } else {
        stack.set(1);
        if (of.word.arrive()) resume();
      }
    } else {
      task* const s = index == 1 ? asleep.take_due(k_any) : asleep.take_first(k_any);
      if (s != nullptr && s->word.finish()) resume();
    }
  }
  void resume() {
    RL_ASSERT(stack.get() == 1);
    resumed.fetch_add(1, sync::relaxed);
  }
  void after() { RL_ASSERT(resumed.load(sync::relaxed) == (asleep.looks_empty() ? 1u : 0u)); }
};

// Two wait in place for want of a stack, and nobody runs anything: one goes on, and the other sees that it runs. The
// second may have no seat, and is then counted.
template <bool UnderTheLock, bool Seated = true>
struct alone_together : rl::test_suite<alone_together<UnderTheLock, Seated>, 2> {
  alone_together() {
    for (auto& l : looks) l.store(k_waits, sync::relaxed);
  }
  void thread(unsigned index) {
    const relax spin;
    if constexpr (UnderTheLock) lock.lock(spin);
    const bool counts = !Seated && index == 0;
    const bool alone = counts ? unseated.load(sync::relaxed) == 0 : looks[1 - index].load(sync::relaxed) == k_waits;
    if (alone) {
      looks[index].store(0, sync::relaxed);
      if (!Seated && index == 1) unseated.fetch_add(1, sync::relaxed);
    }
    if constexpr (UnderTheLock) lock.unlock();
    if (alone) went_on.fetch_add(1, sync::relaxed);
  }
  void after() { RL_ASSERT(went_on.load(sync::relaxed) == 1u); }

  static constexpr std::uint32_t k_waits = 2;
  takt::core::spin_lock lock;
  sync::atomic<std::uint32_t> looks[2];
  sync::atomic<std::uint32_t> unseated;
  sync::atomic<std::uint32_t> went_on;
};

constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_memory, somebody_wakes_it) { holds<sleeping<mistake::none>>(at_random(100'000)); }
TEST(model_memory, somebody_wakes_it_bounded) { holds<sleeping<mistake::none>>(all_with_preemptions(2)); }
TEST(model_memory, it_goes_on_once) { holds<woken_once<false>>(at_random(100'000)); }
TEST(model_memory, it_goes_on_once_bounded) { holds<woken_once<false>>(all_with_preemptions(3)); }
TEST(model_memory, one_of_two_goes_on_alone) { holds<alone_together<true>>(all_with_preemptions(3)); }
TEST(model_memory, one_of_two_goes_on_alone_without_a_seat) {
  holds<alone_together<true, false>>(all_with_preemptions(3));
}

TEST(model_memory_twin, both_ask_without_the_lock) {
  fails<alone_together<false>>(rl::test_result_user_assert_failed, at_random(100'000));
}
TEST(model_memory_twin, looks_before_announcing) {
  fails<sleeping<mistake::looks_before_announcing>>(k_for_ever, at_random(100'000));
}
TEST(model_memory_twin, does_not_look_again) {
  fails<sleeping<mistake::does_not_look_again>>(k_for_ever, at_random(100'000));
}
TEST(model_memory_twin, wakes_nobody) { fails<sleeping<mistake::wakes_nobody>>(k_for_ever, at_random(100'000)); }
TEST(model_memory_twin, wakes_before_putting) {
  fails<sleeping<mistake::wakes_before_putting>>(k_for_ever, at_random(100'000));
}
constexpr sync::planted_bug k_put{sync::access::rmw, "::put(", sync::seq_cst, sync::relaxed};
TEST(model_memory_twin, count_of_sleepers_is_relaxed) {
  fails<sleeping<mistake::none>>(k_for_ever, at_random(100'000), &k_put);
}
constexpr sync::planted_bug k_look{sync::access::load, "::looks_empty(", sync::seq_cst, sync::acquire};
TEST(model_memory_twin, second_look_only_acquires) {
  fails<sleeping<mistake::none>>(k_for_ever, at_random(100'000), &k_look);
}
TEST(model_memory_twin, arrives_before_it_has_left) {
  fails<woken_once<true>>(rl::test_result_data_race, at_random(100'000));
}

}  // namespace
