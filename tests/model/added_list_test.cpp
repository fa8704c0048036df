// Children that one fiber adds while others take them under a lock (src/join/README.md, "What the maker adds"): each is
// taken once, whole, and is not looked at afterwards, as it may be gone.
#include "join/added_list.hpp"
#include "model/harness.hpp"
#include "sync/spin_lock.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using takt::core::added_list;
using takt::core::spin_lock;
using namespace takt::model;
namespace sync = takt::sync;

struct child {
  sync::plain<child*> older;
  sync::plain<std::uint64_t> number;
  sync::plain<unsigned> value;
};
struct links {
  static void set(child* c, child* older, std::uint64_t number) {
    c->older.set(older);
    c->number.set(number);
  }
  static std::uint64_t number(child* c) {
    RL_ASSERT(c != nullptr);
    return c->number.get();
  }
};

constexpr unsigned k_children = 4;

// Thread 0 adds children, and takes what is left in the end. The others take some meanwhile: each child is destroyed by
// who takes it, so that the next one may lie where it lay.
template <class List, bool Locks>
struct added : rl::test_suite<added<List, Locks>, 3> {
  List list;
  spin_lock lock;
  sync::atomic<unsigned> taken[k_children];

  void before() {
    for (sync::atomic<unsigned>& t : taken) t.store(0, sync::relaxed);
  }
  void thread(unsigned index) {
    if (index != 0) return take();
    for (unsigned i = 0; i < k_children; ++i) {
      auto* const c = new child;
      c->value.set(i);
      list.push(*c);
    }
    take();
  }
  void after() {
    RL_ASSERT(list.size() == 0);
    for (sync::atomic<unsigned>& t : taken) RL_ASSERT(t.load(sync::relaxed) == 1);
  }

  void take() {
    if (Locks) lock.lock(relax{});
    const auto [newest, many] = list.take_all();
    child* c = newest;
    for (std::size_t i = 0; i < many; ++i) {
      child* const older = c->older.get();
      taken[c->value.get()].fetch_add(1, sync::relaxed);
      delete c;
      c = older;
    }
    if (Locks) lock.unlock();
  }
};
using list = added_list<child, links>;
using shipped = added<list, true>;

// The list with a mistake: so many are here as there were when it looked first, whatever the newest one is now.
class counts_first {
 public:
  void push(child& c) {
    links::set(&c, newest_.load(sync::relaxed), added_.load(sync::relaxed));
    newest_.store(&c, sync::release);
    added_.store(added_.load(sync::relaxed) + 1, sync::release);
  }
  struct taken {
    child* newest;
    std::size_t many;
  };
  taken take_all() {
    const std::uint64_t before = taken_.load(sync::relaxed);
    const std::uint64_t all = added_.load(sync::acquire);
    if (all <= before) return {nullptr, 0};
    taken_.store(all, sync::relaxed);
    return {newest_.load(sync::acquire), static_cast<std::size_t>(all - before)};
  }
  std::size_t size() const { return added_.load(sync::relaxed) - taken_.load(sync::relaxed); }

 private:
  sync::atomic<child*> newest_{nullptr};
  sync::atomic<std::uint64_t> added_{0};
  sync::atomic<std::uint64_t> taken_{0};
};

TEST(model_added_list, each_is_taken_once) { holds<shipped>(at_random(100'000)); }
TEST(model_added_list, each_is_taken_once_bounded) { holds<shipped>(all_with_preemptions(2)); }

constexpr sync::planted_bug k_push{sync::access::store, "::push(", sync::release, sync::relaxed};
TEST(model_added_list_twin, adds_relaxed) { fails<shipped>(rl::test_result_data_race, at_random(100'000), &k_push); }
constexpr sync::planted_bug k_take{sync::access::load, "::take_all(", sync::acquire, sync::relaxed};
TEST(model_added_list_twin, takes_relaxed) { fails<shipped>(rl::test_result_data_race, at_random(100'000), &k_take); }
TEST(model_added_list_twin, counts_first) {
  fails<added<counts_first, true>>(rl::test_result_access_to_freed_memory, at_random(100'000));
}
TEST(model_added_list_twin, takes_without_the_lock) {
  fails<added<list, false>>(rl::test_result_access_to_freed_memory, at_random(100'000));
}

}  // namespace
