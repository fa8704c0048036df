// The deques of one owner: a thief asks and is answered, or empties the cell with the oldest entry.
#include "lab/worker/private_deque.hpp"
#include "model/harness.hpp"

namespace {

using takt::core::mixed_deque;
using takt::core::private_deque;
using takt::core::steal_result;
using takt::core::transfer_cell;
using namespace takt::model;
namespace sync = takt::sync;

constexpr unsigned k_entries = 3;

// Entry e names payload[e]: what a task holds is written before the push, without any synchronisation of its own.
struct tasks {
  sync::plain<unsigned> payload[k_entries + 1];
  sync::atomic<unsigned> taken[k_entries + 1];

  void take(std::uint64_t e) {
    RL_ASSERT(e >= 1 && e <= k_entries);
    RL_ASSERT(payload[e].get() == 10 * e);
    RL_ASSERT(taken[e].fetch_add(1, sync::relaxed) == 0);
  }
  void each_was_taken_once() {
    for (unsigned e = 1; e <= k_entries; ++e) RL_ASSERT(taken[e].load(sync::relaxed) == 1);
  }
};

// Thread 0 is the owner; each thief asks twice, and loses its patience while the answer may be under way.
template <unsigned Thieves>
struct asked_and_answered : rl::test_suite<asked_and_answered<Thieves>, 1 + Thieves> {
  private_deque* deque = nullptr;
  transfer_cell cells[Thieves];
  tasks all;

  void before() { deque = new private_deque(2); }
  void after() {
    all.each_was_taken_once();
    delete deque;
  }
  void thread(unsigned index) {
    if (index == 0) {
      own();
    } else {
      for (unsigned i = 0; i < 2; ++i) steal(cells[index - 1]);
    }
  }
  void own() {
    const auto anything = [](std::uint64_t, std::uint32_t only) {
      RL_ASSERT(only == 7);
      return true;
    };
    for (unsigned e = 1; e <= k_entries; ++e) {
      all.payload[e].set(10 * e);
      RL_ASSERT(deque->reserve(1, true));
      deque->push(e);
      deque->serve(anything);
    }
    while (const auto e = deque->pop()) {
      all.take(e);
      deque->serve(anything);
    }
  }
  void steal(transfer_cell& mine) {
    if (deque->oldest() == private_deque::k_none || !deque->ask(mine, 7)) return;
    std::uint64_t e = private_deque::k_none;
    for (bool waited = false; !private_deque::answered(mine, e); waited = true) {
      // A question that cannot be taken back is being answered.
      if (waited && deque->withdraw(mine)) return;
      rl::yield(1, $);
    }
    if (e != private_deque::k_none) all.take(e);
  }
};

// Thread 0 is the owner, which moves the next entry up; the thieves try three times each.
template <unsigned Thieves>
struct shared_cell : rl::test_suite<shared_cell<Thieves>, 1 + Thieves> {
  mixed_deque* deque = nullptr;
  tasks all;

  void before() { deque = new mixed_deque(2); }
  void after() {
    all.each_was_taken_once();
    delete deque;
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned e = 1; e <= k_entries; ++e) {
        all.payload[e].set(10 * e);
        RL_ASSERT(deque->reserve(1, true));
        deque->push(e);
      }
      (void)deque->refill();
      while (const auto e = deque->pop()) all.take(e);
      RL_ASSERT(deque->oldest() == mixed_deque::k_none && deque->nothing_private());
    } else {
      for (unsigned i = 0; i < 3; ++i) {
        std::uint64_t e = mixed_deque::k_none;
        const auto accept = [](std::uint64_t seen) { return seen >= 1 && seen <= k_entries; };
        if (deque->steal(e, accept) == steal_result::taken) all.take(e);
      }
    }
  }
};

TEST(model_private_deque, one_thief_asks) { holds<asked_and_answered<1>>(at_random(200'000)); }
TEST(model_private_deque, one_thief_asks_bounded) { holds<asked_and_answered<1>>(all_with_preemptions(2)); }
TEST(model_private_deque, two_thieves_ask) { holds<asked_and_answered<2>>(at_random(200'000)); }
TEST(model_mixed_deque, one_thief) { holds<shared_cell<1>>(at_random(200'000)); }
TEST(model_mixed_deque, two_thieves) { holds<shared_cell<2>>(at_random(200'000)); }

// With one thief, what it saw on offer is what it gets, and that was published already.
constexpr sync::planted_bug k_answer_relaxed{sync::access::store, "private_deque::serve(", sync::release,
                                             sync::relaxed};
TEST(model_private_deque_twin, answer_without_release) {
  fails<asked_and_answered<2>>(rl::test_result_data_race, at_random(100'000), &k_answer_relaxed);
}
constexpr sync::planted_bug k_answer_unacquired{sync::access::load, "private_deque::answered(", sync::acquire,
                                                sync::relaxed};
TEST(model_private_deque_twin, answer_without_acquire) {
  fails<asked_and_answered<2>>(rl::test_result_data_race, at_random(100'000), &k_answer_unacquired);
}
constexpr sync::planted_bug k_request_relaxed{sync::access::rmw, "private_deque::ask(", sync::release, sync::relaxed};
TEST(model_private_deque_twin, question_without_release) {
  fails<asked_and_answered<1>>(rl::test_result_data_race, at_random(100'000), &k_request_relaxed);
}
constexpr sync::planted_bug k_top_relaxed{sync::access::store, "mixed_deque::refill(", sync::seq_cst, sync::relaxed};
TEST(model_mixed_deque_twin, cell_without_release) {
  fails<shared_cell<1>>(rl::test_result_data_race, at_random(100'000), &k_top_relaxed);
}
constexpr sync::planted_bug k_top_unacquired{sync::access::rmw, "mixed_deque::steal", sync::acquire, sync::relaxed};
TEST(model_mixed_deque_twin, cell_without_acquire) {
  fails<shared_cell<1>>(rl::test_result_data_race, at_random(100'000), &k_top_unacquired);
}

}  // namespace
