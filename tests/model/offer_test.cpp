// A loop that is offered in parts (src/policy/README.md, "A start like a broadcast"): each part is run once, by somebody
// who has seen what it is of; and whoever has joined finds what they did, and may offer the next loop in the same record.
#include "model/harness.hpp"
#include "policy/open_parts.hpp"
#include "worker/chase_lev.hpp"
#include "worker/join_word.hpp"

namespace {

using takt::core::chase_lev;
using takt::core::join_word;
using takt::core::open_parts;
using takt::core::steal_result;
using namespace takt::model;
namespace sync = takt::sync;

enum class mistake { none, closes_before_the_join };

constexpr unsigned k_parts = 3;
constexpr chase_lev::entry k_rest = 1;

// Thread 0 offers two loops, one after the other; the others take parts of what they find. Thread 2 looked at the deque
// long ago, and takes what it finds in the record now.
template <mistake Mistake>
struct offers : rl::test_suite<offers<Mistake>, 3> {
  // On the stack of the loop: gone once it has been joined.
  struct loop {
    join_word join;
    sync::plain<unsigned> ran[k_parts];
  };
  chase_lev* deque = nullptr;
  open_parts<loop*> parts;

  void before() { deque = new chase_lev(2); }
  void after() { delete deque; }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned round = 0; round < 2; ++round) offer();
    } else {
      for (unsigned tries = 0; tries < 3; ++tries) look(index);
    }
  }

  void offer() {
    auto* const mine = new loop;
    mine->join.begin(k_parts + 1, {});
    for (auto& r : mine->ran) r.set(0);
    RL_ASSERT(parts.is_unused());
    parts.prepare(mine, k_parts);
    parts.open();
    RL_ASSERT(deque->reserve(1, true));
    deque->push(k_rest);
    for (unsigned p = 0; p != parts.k_none; p = parts.take(0).index) run(*mine, p);
    if (deque->pop() == k_rest) (void)mine->join.finish();
    if constexpr (Mistake == mistake::closes_before_the_join) {
      parts.close();
      if (parts.is_unused()) parts.prepare(nullptr, k_parts);
    }
    while (!mine->join.children_done()) rl::yield(1, sync::info(sync::source::current()));
    parts.close();
    for (auto& r : mine->ran) RL_ASSERT(r.get() == 1);
    delete mine;
  }

  void look(unsigned wanted) {
    if (wanted == 1 && !is_shown()) return;
    const auto part = parts.take(wanted);
    if (part.index == parts.k_none) {
      // The rest is a task that does nothing, and counts.
      chase_lev::entry rest = chase_lev::k_none;
      if (deque->steal(rest, [](chase_lev::entry) { return true; }) == steal_result::taken) {
        (void)(*parts.is()).join.finish();
      }
      return;
    }
    run(*parts.is(), part.index);
  }

  bool is_shown() {
    chase_lev::entry seen = chase_lev::k_none;
    const auto peek = [&seen](chase_lev::entry e) {
      seen = e;
      return false;
    };
    chase_lev::entry none = chase_lev::k_none;
    (void)deque->steal(none, peek);
    return seen == k_rest;
  }

  void run(loop& of, unsigned p) {
    of.ran[p].set(of.ran[p].get() + 1);
    (void)of.join.finish();
  }
};

TEST(model_offer, two_loops_in_one_record) { holds<offers<mistake::none>>(at_random(300'000)); }
TEST(model_offer, two_loops_in_one_record_bounded) { holds<offers<mistake::none>>(all_with_preemptions(1)); }

TEST(model_offer_twin, closed_before_the_join) {
  fails<offers<mistake::closes_before_the_join>>(rl::test_result_data_race, at_random(100'000));
}

// Who has looked at the first loop may take a part of the second one, of which the deque has told it nothing.
constexpr sync::planted_bug k_taken_unordered{sync::access::rmw, "::take(", sync::acq_rel, sync::relaxed};
TEST(model_offer_twin, taken_without_acquire) {
  fails<offers<mistake::none>>(rl::test_result_data_race, at_random(100'000), &k_taken_unordered);
}

constexpr sync::planted_bug k_opened_relaxed{sync::access::store, "::open(", sync::release, sync::relaxed};
TEST(model_offer_twin, opened_without_release) {
  fails<offers<mistake::none>>(rl::test_result_data_race, at_random(100'000), &k_opened_relaxed);
}

}  // namespace
