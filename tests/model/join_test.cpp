// The join word: whoever finishes last resumes the waiter, once, and finds everything that the others wrote.
#include "worker/join_word.hpp"
#include "model/harness.hpp"

namespace takt::core {
struct fiber {};
}  // namespace takt::core

namespace {

using takt::core::join_word;
using namespace takt::model;
namespace sync = takt::sync;

// Mistakes in the use of the word, for the twins.
enum class mistake { none, arrives_on_its_stack, announces_late, touches_after_finish };

// A computation forks two children, joins, and forks once more into the same word (a group does; so does a loop that
// is promoted again). Thread 0 is the computation's; 1 and 2 run a child each, then look for the last one.
template <mistake Mistake>
struct fork_twice : rl::test_suite<fork_twice<Mistake>, 3> {
  // Lives in a frame of the computation: gone as soon as that goes on for the last time.
  join_word* join = nullptr;
  join_word half[2];
  takt::core::fiber fiber;

  sync::plain<unsigned> result[3];
  // The suspended stack: nobody may run on it before the computation has left it.
  sync::plain<unsigned> stack;
  sync::atomic<unsigned> resumed;
  sync::atomic<unsigned> second_fork;

  void before() {
    join = new join_word;
    join->begin(2, {});
    for (join_word& h : half) h.delegate(join_word::kind::half, join, {});
    stack.set(0);
  }

  void thread(unsigned index) {
    if (index == 0) {
      // Join of the first fork.
      if (join->children_done()) {
        go_on();
      } else {
        wait();
      }
    } else {
      join_word* target = half[index - 1].target();
      RL_ASSERT(target == join && !half[index - 1].is_child());
      run_child(index - 1, *target);
      // A thief.
      if (second_fork.exchange(0, sync::acquire) == 1) run_child(2, *join);
    }
  }

  void after() { RL_ASSERT(resumed.load(sync::relaxed) == 2); }

  void run_child(unsigned which, join_word& target) {
    result[which].set(which + 1);
    if (target.finish()) {
      RL_ASSERT(target.waiter() == &fiber);
      go_on();
    } else if constexpr (Mistake == mistake::touches_after_finish) {
      (void)target.children_done();
    }
  }

  void wait() {
    if constexpr (Mistake != mistake::announces_late) join->set_waiter(&fiber);
    if constexpr (Mistake != mistake::arrives_on_its_stack) stack.set(stack.get() + 1);
    const bool last = join->arrive();
    if constexpr (Mistake == mistake::announces_late) join->set_waiter(&fiber);
    if constexpr (Mistake == mistake::arrives_on_its_stack) stack.set(stack.get() + 1);
    if (last) go_on();
  }

  // The computation after a join, on whichever thread.
  void go_on() {
    stack.set(stack.get() + 1);
    const unsigned before_me = resumed.fetch_add(1, sync::relaxed);
    RL_ASSERT(before_me < 2);
    RL_ASSERT(result[0].get() == 1 && result[1].get() == 2);
    if (before_me == 0) {
      fork_again();
    } else {
      RL_ASSERT(result[2].get() == 3);
      delete join;
    }
  }

  void fork_again() {
    join->reopen();
    RL_ASSERT(join->add());
    // The push to the deque.
    second_fork.store(1, sync::release);
    if (second_fork.exchange(0, sync::acquire) == 1) {
      // Not stolen: run in place. The computation itself still counts, so this cannot be the last.
      result[2].set(3);
      RL_ASSERT(!join->finish());
      RL_ASSERT(join->children_done());
      go_on();
    } else if (join->children_done()) {
      go_on();
    } else {
      wait();
    }
  }
};

// A child adds a child, which anybody may run while the owner waits.
struct child_adds_child : rl::test_suite<child_adds_child, 3> {
  join_word join;
  takt::core::fiber fiber;
  sync::plain<unsigned> result[2];
  sync::atomic<unsigned> grandchild;
  sync::atomic<unsigned> resumed;

  void before() {
    join.begin(0, {});
    join.add();
  }

  void thread(unsigned index) {
    if (index == 0) {
      if (join.children_done()) {
        go_on();
      } else {
        join.set_waiter(&fiber);
        if (join.arrive()) go_on();
      }
    } else if (index == 1) {
      RL_ASSERT(join.add());
      grandchild.store(1, sync::release);
      result[0].set(1);
      finish();
      take_grandchild();
    } else {
      take_grandchild();
    }
  }

  void after() { RL_ASSERT(resumed.load(sync::relaxed) == 1); }

  void take_grandchild() {
    if (grandchild.exchange(0, sync::acquire) == 0) return;
    result[1].set(1);
    finish();
  }
  void finish() {
    if (!join.finish()) return;
    RL_ASSERT(join.waiter() == &fiber);
    go_on();
  }
  void go_on() {
    RL_ASSERT(resumed.fetch_add(1, sync::relaxed) == 0);
    RL_ASSERT(result[0].get() == 1 && result[1].get() == 1);
  }
};

// A thread that is not counted adds a child while the owner waits: it is counted, or goes to a list that the owner
// looks at before it goes on (a group's latent children).
template <bool Counts>
struct stranger_adds_child : rl::test_suite<stranger_adds_child<Counts>, 3> {
  join_word join;
  takt::core::fiber fiber;
  sync::plain<unsigned> result;
  sync::atomic<unsigned> listed;
  sync::atomic<unsigned> ran;
  sync::atomic<unsigned> resumed;

  void before() {
    join.begin(0, {});
    RL_ASSERT(join.add());
    result.set(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      if (join.children_done()) {
        go_on(false);
      } else {
        join.set_waiter(&fiber);
        if (join.arrive()) go_on(true);
      }
    } else if (index == 1) {
      result.set(1);
      finish();
    } else if (join.add() || !Counts) {
      ran.fetch_add(1, sync::relaxed);
      finish();
    } else {
      listed.store(1, sync::release);
    }
  }
  void after() {
    RL_ASSERT(resumed.load(sync::relaxed) == 1);
    RL_ASSERT(ran.load(sync::relaxed) + listed.load(sync::relaxed) == 1);
    // The word is ready for the next round.
    RL_ASSERT(join.children_done());
  }

  void finish() {
    if (join.finish()) go_on(true);
  }
  void go_on(bool waited) {
    RL_ASSERT(resumed.fetch_add(1, sync::relaxed) == 0);
    RL_ASSERT(result.get() == 1);
    if (waited) join.reopen();
    if (listed.exchange(0, sync::acquire) == 1) ran.fetch_add(1, sync::relaxed);
  }
};

using right = fork_twice<mistake::none>;
constexpr auto k_race = rl::test_result_data_race;

TEST(model_join, two_children_and_again) { holds<right>(at_random(400'000)); }
TEST(model_join, two_children_and_again_bounded) { holds<right>(all_with_preemptions(3)); }
TEST(model_join, child_adds_child) { holds<child_adds_child>(at_random(300'000)); }
TEST(model_join, child_adds_child_bounded) { holds<child_adds_child>(all_with_preemptions(3)); }
TEST(model_join, stranger_adds_child) { holds<stranger_adds_child<true>>(at_random(300'000)); }
TEST(model_join, stranger_adds_child_bounded) { holds<stranger_adds_child<true>>(all_with_preemptions(4)); }

TEST(model_join_twin, stranger_adds_to_a_word_at_zero) {
  fails<stranger_adds_child<false>>(rl::test_result_user_assert_failed, at_random(300'000));
}

constexpr sync::planted_bug k_finish_no_acquire{sync::access::rmw, "join_word::finish(", sync::acq_rel, sync::release};
TEST(model_join_twin, finish_without_acquire) { fails<right>(k_race, at_random(300'000), &k_finish_no_acquire); }

constexpr sync::planted_bug k_finish_no_release{sync::access::rmw, "join_word::finish(", sync::acq_rel, sync::acquire};
TEST(model_join_twin, finish_without_release) { fails<right>(k_race, at_random(300'000), &k_finish_no_release); }

constexpr sync::planted_bug k_arrive_no_release{sync::access::rmw, "join_word::arrive(", sync::acq_rel, sync::acquire};
TEST(model_join_twin, arrive_without_release) { fails<right>(k_race, at_random(300'000), &k_arrive_no_release); }

constexpr sync::planted_bug k_arrive_no_acquire{sync::access::rmw, "join_word::arrive(", sync::acq_rel, sync::release};
TEST(model_join_twin, arrive_without_acquire) { fails<right>(k_race, at_random(300'000), &k_arrive_no_acquire); }

constexpr sync::planted_bug k_done_relaxed{sync::access::load, "join_word::children_done(", sync::acquire,
                                           sync::relaxed};
TEST(model_join_twin, children_done_without_acquire) { fails<right>(k_race, at_random(300'000), &k_done_relaxed); }

TEST(model_join_twin, waiter_written_after_arrival) {
  fails<fork_twice<mistake::announces_late>>(rl::test_result_user_assert_failed, at_random(300'000));
}
TEST(model_join_twin, arrival_before_the_stack_is_left) {
  fails<fork_twice<mistake::arrives_on_its_stack>>(k_race, at_random(300'000));
}
TEST(model_join_twin, word_touched_after_finish) {
  fails<fork_twice<mistake::touches_after_finish>>(rl::test_result_access_to_freed_memory, at_random(300'000));
}

}  // namespace
