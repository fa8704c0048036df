// Algorithms over values that are never empty: without a default constructor, and aware of a use before or after they
// live.
#include <takt/algorithms.hpp>

#include "support/counted.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using namespace takt_test;

std::atomic<int> never_was{0};

class token : public counted<token> {
 public:
  explicit token(long v) : value(v) {}
  token(const token& other) : counted(other), value(other.seen()) {}
  token& operator=(const token& other) {
    value = other.seen();
    (void)seen();
    return *this;
  }
  ~token() {
    (void)seen();
    mark_ = k_gone;
  }
  long seen() const {
    if (mark_ != k_whole) ++never_was;
    return value;
  }
  long value;
  friend bool operator<(const token& a, const token& b) { return a.seen() < b.seen(); }

 private:
  static constexpr unsigned k_whole = 0x600dc0de;
  static constexpr unsigned k_gone = 0xdeadc0de;
  unsigned mark_ = k_whole;
};

constexpr long k_fatal = 100;

std::vector<token> tokens(int n) {
  std::vector<token> all;
  for (int i = 0; i < n; ++i) all.emplace_back(i * 37 % 101);
  return all;
}

// Each algorithm by itself: what it throws is expected if and only if `fails`.
void try_each(int n, bool fails) {
  const std::vector<token> in = tokens(n);
  std::vector<token> out(in.size(), token(-1));
  long total = 0;
  for (const token& t : in) total += t.value;
  const bool meets = std::ranges::any_of(in, [](const token& t) { return t.value == k_fatal; });
  const auto look = [fails](const token& t) {
    if (fails && t.seen() == k_fatal) throw std::runtime_error("fatal");
    return t.value;
  };
  const auto add = [look](const token& a, const token& b) { return token(a.seen() + look(b)); };
  const auto same = [look](const token& t) { return token(look(t)); };
  const auto expect = [&](const char* what, const std::function<void()>& algorithm) {
    SCOPED_TRACE(what);
    bool threw = false;
    try {
      algorithm();
    } catch (const std::runtime_error&) {
      threw = true;
    }
    EXPECT_EQ(threw, fails && meets);
  };
  expect("inclusive_scan", [&] {
    takt::inclusive_scan(in, out.begin(), add, same);
    EXPECT_EQ(out.back().value, total);
  });
  expect("exclusive_scan", [&] {
    takt::exclusive_scan(in, out.begin(), token(5), add, same);
    EXPECT_EQ(out.back().value, total + 5 - in.back().value);
  });
  expect("deterministic inclusive_scan", [&] {
    takt::inclusive_scan(takt::deterministic, in, out.begin(), add, same);
    EXPECT_EQ(out.back().value, total);
  });
  expect("deterministic exclusive_scan", [&] {
    takt::exclusive_scan(takt::deterministic, in, out.begin(), token(5), add, same);
    EXPECT_EQ(out.back().value, total + 5 - in.back().value);
  });
  expect("transform_reduce", [&] { EXPECT_EQ(takt::transform_reduce(in, token(1), add, same).value, total + 1); });
  expect("deterministic reduce", [&] {
    EXPECT_EQ(takt::transform_reduce(takt::deterministic, in, token(1), add, same).value, total + 1);
  });
  expect("parallel_reduce", [&] {
    EXPECT_EQ(takt::parallel_reduce(in, token(0), same, add).value, total);
  });
  expect("reducing_for", [&] {
    const takt::custom_reducer sums{[] { return token(0); }, add};
    EXPECT_EQ(takt::reducing_for(in, sums, [look](const token& t, token& sum) { sum.value += look(t); }).value, total);
  });
  expect("filter", [&] {
    EXPECT_EQ(takt::filter(in, [look](const token& t) { return look(t) < 50; }).size(),
              static_cast<std::size_t>(std::ranges::count_if(in, [](const token& t) { return t.value < 50; })));
  });
  const auto before = [look](const token& a, const token& b) { return a.seen() < look(b) || (look(a), false); };
  if (n > 1) {
    expect("sort", [&] {
      std::vector<token> some = in;
      takt::sort(some, before);
      EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
    });
  }
  expect("stable_partition", [&] {
    std::vector<token> some = in;
    takt::stable_partition(some, [look](const token& t) { return look(t) < 50; });
    EXPECT_TRUE(std::ranges::is_partitioned(some, [](const token& t) { return t.value < 50; }));
  });
  expect("remove_if", [&] {
    std::vector<token> some = in;
    some.erase(takt::remove_if(some, [look](const token& t) { return look(t) < 50; }), some.end());
    EXPECT_TRUE(std::ranges::all_of(some, [](const token& t) { return t.value >= 50; }));
  });
}

TEST(algorithms_values, as_many_die_as_are_made) {
  under_some_settings([] {
    for (const int n : {1, 2, 50, 120, TAKT_TEST_SANITIZER ? 1500 : 3000}) {
      SCOPED_TRACE(n);
      try_each(n, false);
      try_each(n, true);
    }
  });
  EXPECT_EQ(token::live(), 0);
  EXPECT_EQ(never_was, 0);
}

}  // namespace
