// The deque: its owner pushes, pops and grows it while thieves steal.
#include "worker/chase_lev.hpp"
#include "model/harness.hpp"

namespace {

using takt::core::chase_lev;
using takt::core::steal_result;
using namespace takt::model;
namespace sync = takt::sync;

// What the owner does, in a word per step.
enum class step { push, pop, end };

constexpr step k_grow[] = {step::push, step::push, step::push, step::pop, step::push, step::end};
// Entries 0 and 1 are gone when 2 is written to the cell of 0, or the deque grows.
constexpr step k_wrap[] = {step::push, step::push, step::pop, step::push, step::push, step::pop, step::end};
constexpr step k_drain[] = {step::push, step::push, step::pop, step::pop, step::end};
constexpr step k_last[] = {step::push, step::pop, step::push, step::pop, step::end};

constexpr std::size_t k_most = 4;

template <const step* Program, unsigned Thieves, unsigned Tries>
struct deque_suite : rl::test_suite<deque_suite<Program, Thieves, Tries>, 1 + Thieves> {
  chase_lev* deque = nullptr;
  // Entry e names payload[e]: what a task holds is written before the push, without any synchronisation of its own.
  sync::plain<unsigned> payload[k_most + 1];
  sync::atomic<unsigned> taken[k_most + 1];
  unsigned pushed = 0;

  void before() { deque = new chase_lev(2); }

  void thread(unsigned index) {
    if (index == 0) {
      own();
    } else {
      for (unsigned i = 0; i < Tries; ++i) steal();
    }
  }

  void after() {
    for (unsigned e = 1; e <= pushed; ++e) RL_ASSERT(taken[e].load(sync::relaxed) == 1);
    delete deque;
  }

  void own() {
    for (const step* s = Program; *s != step::end; ++s) {
      if (*s == step::push) {
        const unsigned e = ++pushed;
        payload[e].set(10 * e);
        RL_ASSERT(deque->reserve(1, true));
        deque->push(e);
      } else if (const auto e = deque->pop(); e != chase_lev::k_none) {
        take(e);
      }
    }
    while (const auto e = deque->pop()) take(e);
    // Nothing is left that only a thief could still see.
    RL_ASSERT(deque->looks_empty());
  }

  void steal() {
    chase_lev::entry e = chase_lev::k_none;
    // A thief may be shown an entry that is gone, but never anything else.
    const auto accept = [](chase_lev::entry seen) {
      RL_ASSERT(seen <= k_most);
      return true;
    };
    if (deque->steal(e, accept) == steal_result::taken) take(e);
  }

  void take(chase_lev::entry e) {
    RL_ASSERT(e >= 1 && e <= k_most);
    RL_ASSERT(payload[e].get() == 10 * e);
    RL_ASSERT(taken[e].fetch_add(1, sync::relaxed) == 0);
  }
};

using one_thief_grow = deque_suite<k_grow, 1, 3>;
using one_thief_wrap = deque_suite<k_wrap, 1, 3>;
using two_thieves_grow = deque_suite<k_grow, 2, 2>;
using two_thieves_wrap = deque_suite<k_wrap, 2, 2>;
using one_thief_drain = deque_suite<k_drain, 1, 2>;
using two_thieves_last = deque_suite<k_last, 2, 2>;

TEST(model_deque, one_thief_while_growing) { holds<one_thief_grow>(at_random(200'000)); }
TEST(model_deque, one_thief_while_draining_bounded) { holds<one_thief_drain>(all_with_preemptions(4)); }
TEST(model_deque, one_thief_while_growing_bounded) { holds<one_thief_grow>(all_with_preemptions(2)); }
TEST(model_deque, one_thief_while_reusing_cells) { holds<one_thief_wrap>(at_random(200'000)); }
TEST(model_deque, two_thieves_while_growing) { holds<two_thieves_grow>(at_random(200'000)); }
TEST(model_deque, two_thieves_while_reusing_cells) { holds<two_thieves_wrap>(at_random(200'000)); }
TEST(model_deque, two_thieves_and_the_last_entry) { holds<two_thieves_last>(at_random(200'000)); }

// The mistake of two well-known libraries: a thief finds the new array, but not what was copied to it.
constexpr sync::planted_bug k_grow_relaxed{sync::access::store, "chase_lev::reserve(", sync::release, sync::relaxed};
TEST(model_deque_twin, growth_without_release) {
  fails<two_thieves_grow>(rl::test_result_unitialized_access, at_random(100'000), &k_grow_relaxed);
}

constexpr sync::planted_bug k_grow_unacquired{sync::access::load, "chase_lev::steal(", sync::acquire, sync::relaxed};
TEST(model_deque_twin, growth_without_acquire) {
  fails<two_thieves_grow>(rl::test_result_unitialized_access, at_random(100'000), &k_grow_unacquired);
}

constexpr sync::planted_bug k_push_relaxed{sync::access::store, "chase_lev::push(", sync::seq_cst, sync::relaxed};
TEST(model_deque_twin, push_without_release) {
  fails<one_thief_grow>(rl::test_result_user_assert_failed, at_random(100'000), &k_push_relaxed);
}

constexpr sync::planted_bug k_pop_store{sync::access::store, "chase_lev::pop(", sync::seq_cst, sync::release};
TEST(model_deque_twin, pop_store_not_ordered_before_its_load) {
  fails<one_thief_drain>(rl::test_result_user_assert_failed, at_random(100'000), &k_pop_store);
}

constexpr sync::planted_bug k_pop_load{sync::access::load, "chase_lev::pop(", sync::seq_cst, sync::acquire};
TEST(model_deque_twin, pop_load_not_ordered_after_its_store) {
  fails<one_thief_drain>(rl::test_result_user_assert_failed, at_random(100'000), &k_pop_load);
}

constexpr sync::planted_bug k_steal_loads{sync::access::load, "chase_lev::steal(", sync::seq_cst, sync::acquire};
TEST(model_deque_twin, steal_sees_an_old_bottom) {
  fails<one_thief_grow>(rl::test_result_user_assert_failed, at_random(100'000), &k_steal_loads);
}

}  // namespace
