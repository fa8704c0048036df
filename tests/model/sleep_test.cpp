// Sleep and wake: whoever sleeps while there is work for it, or after its call is done, would sleep for ever, which
// the checker reports as a deadlock. The steps of the threads are those of scheduler/work.cpp.
#include "worker/chase_lev.hpp"
#include "model/sleeping_worker.hpp"
#include "worker/sleepers.hpp"

namespace {

using takt::core::chase_lev;
using takt::core::sleepers;
using takt::core::steal_result;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, looks_before_announcing, wakes_before_pushing, leaves_the_token, hides_its_place };

// A task is its root's number; nothing of it is shared.
constexpr chase_lev::entry k_task = 1;

template <mistake Mistake>
struct pool {
  sleepers<worker, relax> asleep{relax{}};
  // The one victim and its place.
  chase_lev deque{4};
  sync::atomic<chase_lev*> place;
  sync::atomic<unsigned> taken;

  void attach() {
    chase_lev* none = nullptr;
    // seq_cst: a sleeper that does not see this place must be seen by the push that follows.
    constexpr auto order = Mistake == mistake::hides_its_place ? sync::acq_rel : sync::seq_cst;
    RL_ASSERT(place.compare_exchange_strong(none, &deque, order, sync::relaxed));
  }

  void push(chase_lev::entry task) {
    if constexpr (Mistake == mistake::wakes_before_pushing) wake_one(task);
    RL_ASSERT(deque.reserve(1, false));
    deque.push(task);
    if constexpr (Mistake != mistake::wakes_before_pushing) wake_one(task);
  }
  void wake_one(chase_lev::entry task) {
    if (worker* w = asleep.choose(static_cast<std::uint32_t>(task)); w != nullptr) w->token.unpark();
  }

  bool steal(const worker& w) {
    chase_lev* victim = place.load(sync::acquire);
    chase_lev::entry e = chase_lev::k_none;
    const auto mine = [&w](chase_lev::entry seen) { return w.sleep.eligible(static_cast<std::uint32_t>(seen)); };
    if (victim == nullptr || victim->looks_empty() || victim->steal(e, mine) != steal_result::taken) return false;
    taken.fetch_add(1, sync::relaxed);
    return true;
  }
  bool work_visible(const worker& w) {
    chase_lev* victim = place.load(sync::seq_cst);
    if (victim == nullptr || victim->looks_empty()) return false;
    bool seen_mine = false;
    chase_lev::entry e;
    victim->steal(e, [&](chase_lev::entry seen) {
      seen_mine = w.sleep.eligible(static_cast<std::uint32_t>(seen));
      return false;
    });
    return seen_mine;
  }

  // `ends` is asked in the second look, too.
  template <class Ends>
  void sleep(worker& w, bool timed, Ends ends) {
    if constexpr (Mistake == mistake::looks_before_announcing) {
      const bool stay = ends() || work_visible(w);
      asleep.announce(w);
      if (stay) return take_back(w);
    } else {
      asleep.announce(w);
      if (ends() || work_visible(w)) return take_back(w);
    }
    if (!timed) return w.token.park();
    if (!w.token.park_timed()) take_back(w);
  }
  void take_back(worker& w) {
    if (!asleep.cancel(w) && Mistake != mistake::leaves_the_token) w.token.park();
  }
};

// One worker pushes while others go to sleep; it then waits until its tasks are taken, and shuts the others down.
template <mistake Mistake, unsigned Tasks, unsigned Sleepers>
struct push_and_sleep : rl::test_suite<push_and_sleep<Mistake, Tasks, Sleepers>, 1 + Sleepers> {
  pool<Mistake>* p = nullptr;
  worker workers[Sleepers];
  parker all_taken;
  sync::atomic<unsigned> stopping;

  void before() { p = new pool<Mistake>; }
  void thread(unsigned index) {
    if (index == 0) {
      push();
    } else {
      run(workers[index - 1]);
    }
  }
  void after() {
    for (worker& w : workers) RL_ASSERT(!w.token.has_token());
    RL_ASSERT(!p->asleep.any());
    delete p;
  }

  void push() {
    p->attach();
    for (unsigned i = 0; i < Tasks; ++i) p->push(k_task);
    all_taken.park();
    stopping.store(1, sync::seq_cst);
    while (worker* w = p->asleep.choose_any()) w->token.unpark();
  }
  void run(worker& w) {
    const auto ends = [this] { return stopping.load(sync::seq_cst) != 0; };
    while (!ends()) {
      if (!p->steal(w)) {
        p->sleep(w, false, ends);
      } else if (p->taken.load(sync::relaxed) == Tasks) {
        all_taken.unpark();
      }
    }
  }
};

// The thread of a call (root 2) waits for it to end elsewhere. Meanwhile a task of another call (root 1) is pushed:
// that must wake the other sleeper, and the end of the call nobody but its thread.
template <mistake Mistake>
struct end_of_call : rl::test_suite<end_of_call<Mistake>, 3> {
  pool<Mistake>* p = nullptr;
  worker adopter;
  worker other;
  sync::plain<unsigned> result;
  sync::atomic<unsigned> done;

  void before() {
    p = new pool<Mistake>;
    adopter.sleep.only_scope = 2;
  }
  void thread(unsigned index) {
    if (index == 0) {
      p->attach();
      p->push(k_task);
      result.set(1);
      done.store(1, sync::seq_cst);
      if (p->asleep.choose(adopter)) adopter.token.unpark();
    } else if (index == 1) {
      const auto ends = [this] { return done.load(sync::seq_cst) != 0; };
      while (!ends()) {
        RL_ASSERT(!p->steal(adopter));
        p->sleep(adopter, false, ends);
      }
      RL_ASSERT(result.get() == 1);
    } else {
      while (!p->steal(other)) p->sleep(other, false, [] { return false; });
    }
  }
  void after() {
    RL_ASSERT(!adopter.token.has_token() && !other.token.has_token());
    RL_ASSERT(!p->asleep.any());
    delete p;
  }
};

// The sleeper that looks after silent workers wakes by itself now and then, which may cross with being chosen.
template <mistake Mistake>
struct sentinel : rl::test_suite<sentinel<Mistake>, 2> {
  pool<Mistake>* p = nullptr;
  worker w;

  void before() { p = new pool<Mistake>; }
  void thread(unsigned index) {
    if (index == 0) {
      p->attach();
      p->push(k_task);
      p->push(k_task);
    } else {
      while (p->taken.load(sync::relaxed) < 2) {
        if (!p->steal(w)) p->sleep(w, true, [] { return false; });
      }
    }
  }
  void after() {
    RL_ASSERT(!w.token.has_token());
    RL_ASSERT(!p->asleep.any());
    delete p;
  }
};

enum class leaving { right, looks_before_it_leaves, release_only, nobody_looks_for_places };

// One place. Its holder hands out a task that anybody may run, and leaves; the other thread waits for the place.
template <leaving How>
struct last_place : rl::test_suite<last_place<How>, 2> {
  sleepers<worker, relax> asleep{relax{}};
  worker workers[2];
  sync::atomic<unsigned> place;  // the holder's number + 1; 0: free
  sync::atomic<unsigned> injected;

  void before() { place.store(1, sync::relaxed); }
  void thread(unsigned index) {
    if (index == 0) {
      injected.fetch_add(1, sync::seq_cst);
      wake_one();
      if constexpr (How == leaving::looks_before_it_leaves) wake_if_injected();
      leave();
      if constexpr (How != leaving::looks_before_it_leaves) wake_if_injected();
    } else {
      while (!attached_and_took()) sleep(workers[1]);
    }
  }
  void after() { RL_ASSERT(injected.load(sync::relaxed) == 0 && !asleep.any()); }

  void leave() { place.store(0, How == leaving::release_only ? sync::release : sync::seq_cst); }
  void wake_if_injected() {
    if (injected.load(sync::seq_cst) != 0) wake_one();
  }
  void wake_one() {
    if (worker* w = asleep.choose_any(); w != nullptr) w->token.unpark();
  }
  bool placed = false;
  bool attached_and_took() {
    unsigned none = 0;
    placed = placed || place.compare_exchange_strong(none, 2, sync::seq_cst, sync::relaxed);
    if (!placed || injected.load(sync::seq_cst) == 0) return false;
    injected.fetch_sub(1, sync::seq_cst);
    return true;
  }
  void sleep(worker& w) {
    const bool had = placed;
    if (placed) leave();
    placed = false;
    asleep.announce(w);
    const bool room = How != leaving::nobody_looks_for_places && !had && place.load(sync::seq_cst) == 0;
    if ((had && injected.load(sync::seq_cst) != 0) || room) {
      if (!asleep.cancel(w)) w.token.park();
      return;
    }
    w.token.park();
  }
};

template <mistake Mistake = mistake::none>
using one_task = push_and_sleep<Mistake, 1, 2>;
using two_tasks = push_and_sleep<mistake::none, 2, 2>;
using one_sleeper = push_and_sleep<mistake::none, 2, 1>;
using right_end = end_of_call<mistake::none>;
constexpr auto k_for_ever = rl::test_result_deadlock;

TEST(model_sleep, one_task) { holds<one_task<>>(at_random(150'000)); }
TEST(model_sleep, two_tasks) { holds<two_tasks>(at_random(150'000)); }
TEST(model_sleep, one_sleeper_bounded) { holds<one_sleeper>(all_with_preemptions(3)); }
TEST(model_sleep, one_task_bounded) { holds<one_task<>>(all_with_preemptions(1)); }
TEST(model_sleep, end_of_call) { holds<right_end>(at_random(150'000)); }
TEST(model_sleep, end_of_call_bounded) { holds<right_end>(all_with_preemptions(2)); }
TEST(model_sleep, last_place) { holds<last_place<leaving::right>>(at_random(200'000)); }
TEST(model_sleep, last_place_bounded) { holds<last_place<leaving::right>>(all_with_preemptions(3)); }
TEST(model_sleep, sentinel) { holds<sentinel<mistake::none>>(at_random(200'000)); }

// The order of steps.
TEST(model_sleep_twin, sleeper_looks_before_announcing) {
  fails<one_task<mistake::looks_before_announcing>>(k_for_ever, at_random(100'000));
}
TEST(model_sleep_twin, adopter_looks_before_announcing) {
  fails<end_of_call<mistake::looks_before_announcing>>(k_for_ever, at_random(100'000));
}
TEST(model_sleep_twin, pusher_wakes_before_pushing) {
  fails<one_task<mistake::wakes_before_pushing>>(k_for_ever, at_random(100'000));
}
TEST(model_sleep_twin, chosen_worker_leaves_its_token) {
  fails<sentinel<mistake::leaves_the_token>>(rl::test_result_user_assert_failed, at_random(100'000));
}
TEST(model_sleep_twin, holder_looks_before_it_leaves) {
  fails<last_place<leaving::looks_before_it_leaves>>(k_for_ever, at_random(100'000));
}
TEST(model_sleep_twin, sleeper_does_not_look_for_places) {
  fails<last_place<leaving::nobody_looks_for_places>>(k_for_ever, at_random(100'000));
}
// The orders of accesses.
TEST(model_sleep_twin, place_left_by_a_release_only) {
  fails<last_place<leaving::release_only>>(k_for_ever, at_random(100'000));
}
TEST(model_sleep_twin, place_not_in_the_single_order) {
  fails<one_task<mistake::hides_its_place>>(k_for_ever, at_random(100'000));
}
constexpr sync::planted_bug k_push{sync::access::store, "chase_lev::push(", sync::seq_cst, sync::release};
TEST(model_sleep_twin, push_only_releases) { fails<one_task<>>(k_for_ever, at_random(100'000), &k_push); }

constexpr sync::planted_bug k_look{sync::access::load, "chase_lev::looks_empty(", sync::seq_cst, sync::acquire};
TEST(model_sleep_twin, second_look_only_acquires) { fails<one_task<>>(k_for_ever, at_random(100'000), &k_look); }

constexpr sync::planted_bug k_announce{sync::access::rmw, "::announce(", sync::seq_cst, sync::acq_rel};
TEST(model_sleep_twin, announcement_only_acquires_and_releases) {
  fails<one_task<>>(k_for_ever, at_random(100'000), &k_announce);
}
constexpr sync::planted_bug k_choose{sync::access::load, "::choose(", sync::seq_cst, sync::acquire};
TEST(model_sleep_twin, pusher_sees_an_old_count) { fails<one_task<>>(k_for_ever, at_random(100'000), &k_choose); }
TEST(model_sleep_twin, end_of_call_sees_an_old_count) { fails<right_end>(k_for_ever, at_random(100'000), &k_choose); }

constexpr sync::planted_bug k_done{sync::access::store, "::thread(", sync::seq_cst, sync::release};
TEST(model_sleep_twin, end_of_call_only_releases) { fails<right_end>(k_for_ever, at_random(100'000), &k_done); }

constexpr sync::planted_bug k_lock{sync::access::rmw, "::lock(", sync::acquire, sync::relaxed};
TEST(model_sleep_twin, lock_without_acquire) {
  fails<two_tasks>(rl::test_result_data_race, at_random(100'000), &k_lock);
}
constexpr sync::planted_bug k_unlock{sync::access::store, "::unlock(", sync::release, sync::relaxed};
TEST(model_sleep_twin, lock_without_release) {
  fails<two_tasks>(rl::test_result_data_race, at_random(100'000), &k_unlock);
}

}  // namespace
