// Users' own functions never take part in what the library calls, whatever their names.
#include <takt/algorithms/count.hpp>
#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/sort.hpp>
#include <takt/takt.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <vector>

// A namespace whose templates match any arguments, as well as the library's own: whoever looks here finds the call
// ambiguous, or takes the wrong one. tests/codegen/check_names looks for the names that nobody thought of.
namespace users {

#define TAKT_TEST_OWN(name) \
  template <class... Any>   \
  auto name(Any...) {       \
    return #name;           \
  }
TAKT_TEST_OWN(at)
TAKT_TEST_OWN(call)
TAKT_TEST_OWN(capture)
TAKT_TEST_OWN(choose)
TAKT_TEST_OWN(combine)
TAKT_TEST_OWN(count_if)
TAKT_TEST_OWN(distance)
TAKT_TEST_OWN(fold)
TAKT_TEST_OWN(fork)
TAKT_TEST_OWN(fork_apart)
TAKT_TEST_OWN(fork_join)
TAKT_TEST_OWN(for_each)
TAKT_TEST_OWN(parallel_for)
TAKT_TEST_OWN(parallel_reduce)
TAKT_TEST_OWN(reduce)
TAKT_TEST_OWN(run_loop)
TAKT_TEST_OWN(select)
TAKT_TEST_OWN(size_of)
TAKT_TEST_OWN(sort)
TAKT_TEST_OWN(take)
TAKT_TEST_OWN(transform)
#undef TAKT_TEST_OWN

struct number {
  long value = 0;
  friend bool operator==(number, number) = default;
  friend number operator+(number a, number b) { return {a.value + b.value}; }
};

number fibonacci(long n) {
  if (n < 2) return {n};
  const auto [a, b] = takt::fork_join([n] { return fibonacci(n - 1); }, [n] { return fibonacci(n - 2); });
  return a + b;
}

TEST(names, forks_do_not_meet_users_functions) { EXPECT_EQ(fibonacci(16), number{987}); }

TEST(names, loops_do_not_meet_users_functions) {
  constexpr long k_count = 10'000;
  std::vector<number> numbers(k_count);
  takt::parallel_for(0L, k_count, [&](long i) { numbers[static_cast<std::size_t>(i)] = {i}; });
  const auto term = [&](long i) { return numbers[static_cast<std::size_t>(i)]; };
  EXPECT_EQ(takt::parallel_reduce(0L, k_count, number{}, term, std::plus<>()), number{k_count * (k_count - 1) / 2});
}

TEST(names, algorithms_do_not_meet_users_functions) {
  std::vector<number> numbers(10'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = {static_cast<long>(i * 7919 % numbers.size())};
  const auto less = [](number a, number b) { return a.value < b.value; };
  takt::sort(numbers, less);
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], number{static_cast<long>(i)});
  EXPECT_EQ(takt::count_if(numbers, [](number x) { return x.value < 5; }), 5);
  EXPECT_EQ(takt::filter(numbers, [](number x) { return x.value < 2; }), (std::vector<number>{{0}, {1}}));
}

}  // namespace users
