// Stacks of a limited address space (src/fiber/README.md, "A limited address space"): who has room is not refused
// because of others who have none, and of two who want the last one, one has it.
#include "fiber/stack_share.hpp"
#include "model/harness.hpp"

namespace {

using takt::core::stack_share;
using namespace takt::model;
namespace sync = takt::sync;

constexpr std::uint64_t k_stack = 10;

// The share with a mistake: it adds, looks, and takes back.
class looks_afterwards {
 public:
  explicit looks_afterwards(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
  bool take(std::uint64_t bytes, std::uint64_t) {
    if (taken_.fetch_add(bytes, sync::relaxed) + bytes <= most_bytes_) return true;
    give(bytes);
    return false;
  }
  void give(std::uint64_t bytes) { taken_.fetch_sub(bytes, sync::relaxed); }
  bool is_exceeded() const { return taken_.load(sync::relaxed) > most_bytes_; }

 private:
  const std::uint64_t most_bytes_;
  sync::atomic<std::uint64_t> taken_{0};
};

// Each thread wants a stack of its size where there is room for one usual stack.
template <class Share, std::uint64_t First, std::uint64_t Second>
struct last_stack : rl::test_suite<last_stack<Share, First, Second>, 2> {
  Share share{10 * k_stack};
  bool has[2] = {};

  void before() { RL_ASSERT(share.take(9 * k_stack, 9 * k_stack)); }
  void thread(unsigned index) { has[index] = share.take(index == 0 ? First : Second, 0); }
  void after() {
    RL_ASSERT(has[0] != has[1]);
    RL_ASSERT(First == k_stack || has[1]);
    RL_ASSERT(!share.is_exceeded());
  }
};
template <class Share>
using two_of_a_size = last_stack<Share, k_stack, k_stack>;
template <class Share>
using one_too_large = last_stack<Share, 2 * k_stack, k_stack>;

TEST(model_stack_share, two_of_a_size) { holds<two_of_a_size<stack_share>>(at_random(10'000)); }
TEST(model_stack_share, two_of_a_size_bounded) { holds<two_of_a_size<stack_share>>(all_with_preemptions(3)); }
TEST(model_stack_share, one_too_large) { holds<one_too_large<stack_share>>(at_random(10'000)); }
TEST(model_stack_share, one_too_large_bounded) { holds<one_too_large<stack_share>>(all_with_preemptions(3)); }

TEST(model_stack_share_twin, looks_afterwards) {
  fails<one_too_large<looks_afterwards>>(rl::test_result_user_assert_failed, all_with_preemptions(3));
}

}  // namespace
