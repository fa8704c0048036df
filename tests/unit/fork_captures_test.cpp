// Exceptions at each leaf, through forks with captures and results of every kind: free forks and framed ones pass them
// in different ways (registers, words, the frame, references). Every branch runs once, the first exception in serial
// order arrives, and every object is destroyed once.
#include <takt/takt.hpp>

#include "support/clock_by_tick.hpp"
#include "support/counted.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using takt::detail::head;
using takt_test::planned_error;
using takt_test::settings;

constexpr bool k_can_be_free = TAKT_HOT_X86 != 0;

// An object that knows whether it is one: of each there is one construction and one destruction.
class tracked {
 public:
  explicit tracked(long v) noexcept : value_(v) { live_.fetch_add(1); }
  tracked(const tracked& other) noexcept : value_(other.value()) {
    live_.fetch_add(1);
    copied_.fetch_add(1);
  }
  tracked(tracked&& other) noexcept : value_(other.value()) {
    other.value_ = -1;
    live_.fetch_add(1);
    moved_.fetch_add(1);
  }
  tracked& operator=(const tracked&) = delete;
  ~tracked() {
    (void)value();
    state_ = state::gone;
    live_.fetch_sub(1);
  }
  long value() const noexcept {
    if (state_ != state::alive) misused_.fetch_add(1);
    return value_;
  }

  static int live() { return live_.load(); }
  static int copied() { return copied_.load(); }
  static int moved() { return moved_.load(); }
  static int misused() { return misused_.load(); }

 private:
  enum class state : std::uint64_t { alive = 0x616c697665, gone = 0x676f6e65 };
  static inline std::atomic<int> live_{0};
  static inline std::atomic<int> copied_{0};
  static inline std::atomic<int> moved_{0};
  static inline std::atomic<int> misused_{0};
  // Volatile: what is written in a destructor is written.
  volatile state state_ = state::alive;
  long value_;
};

// --- What a branch captures besides its place in the tree (16 bytes)

struct little {
  explicit little(int) {}
  bool is_of(int) const { return true; }
};
template <std::size_t Count>
struct doubles {
  std::array<double, Count> number;
  explicit doubles(int of) {
    for (std::size_t i = 0; i < Count; ++i) number[i] = of + 0.25 * static_cast<double>(i);
  }
  bool is_of(int of) const {
    for (std::size_t i = 0; i < Count; ++i) {
      if (number[i] != of + 0.25 * static_cast<double>(i)) return false;
    }
    return true;
  }
};
struct alignas(64) aligned : doubles<1> {
  using doubles::doubles;
  bool is_of(int of) const {
    // By the address itself: the compiler may reason about the type.
    volatile const auto address = reinterpret_cast<std::uintptr_t>(this);
    return address % 64 == 0 && doubles::is_of(of);
  }
};
struct object : tracked {
  explicit object(int of) : tracked(of) {}
  bool is_of(int of) const { return value() == of; }
};
struct only_moved {
  std::unique_ptr<tracked> held;
  explicit only_moved(int of) : held(std::make_unique<tracked>(of)) {}
  bool is_of(int of) const { return held->value() == of; }
};

// --- What a branch returns

struct block {
  std::array<double, 8> number{};
  block() = default;
  explicit block(long v) { number.fill(static_cast<double>(v)); }
  explicit operator long() const {
    for (const double n : number) EXPECT_EQ(n, number[0]);
    return static_cast<long>(number[0]);
  }
};
static_assert(sizeof(block) == 64);
struct tracked_block {
  tracked first;
  std::array<long, 5> bulk{};
  explicit tracked_block(long v) : first(v) { bulk.fill(v); }
  explicit operator long() const {
    for (const long n : bulk) EXPECT_EQ(n, first.value());
    return first.value();
  }
};
static_assert(sizeof(tracked_block) > takt::abi::k_payload_bytes);

// Subtrees of this many leaves throw, and what they throw is caught where they begin.
constexpr int k_sub_depth = 5;
constexpr int k_sub_leaves = 1 << k_sub_depth;

// Which leaves of a subtree throw: one of them, none, all, or every third.
class pattern {
 public:
  static constexpr int k_count = k_sub_leaves + 3;
  explicit pattern(int number) : number_(number % k_count) {}
  bool throws(int leaf) const {
    if (number_ < k_sub_leaves) return leaf == number_;
    return number_ == k_sub_leaves + 1 || (number_ == k_sub_leaves + 2 && leaf % 3 == 2);
  }
  std::optional<int> first() const {
    for (int leaf = 0; leaf < k_sub_leaves; ++leaf) {
      if (throws(leaf)) return leaf;
    }
    return std::nullopt;
  }

 private:
  int number_;
};

template <class Result, class Captured>
class tree {
 public:
  tree(int depth, unsigned workers) : depth_(depth), one_worker_(workers == 1), ran_(std::size_t{1} << depth) {}

  // Visits all leaves; `calm`: none throws. The sum of the numbers of the leaves, from 1, of subtrees that did not
  // throw.
  void visit_all(bool calm) {
    calm_ = calm;
    const int subtrees = 1 << (depth_ - k_sub_depth);
    long expected = 0;
    for (int s = 0; s < subtrees; ++s) {
      if (calm || !pattern(s).first()) expected += sum_of(s);
    }
    if constexpr (std::is_void_v<Result>) {
      visit(depth_, 0);
    } else {
      EXPECT_EQ(static_cast<long>(visit(depth_, 0)), expected);
    }
  }

  // The leaves of a subtree that have thrown below a fork that is free, and below one that is not. For one worker.
  const std::bitset<k_sub_leaves>& threw(bool is_free) const { return is_free ? threw_free_ : threw_framed_; }

 private:
  struct branch {
    tree* of;
    std::int16_t depth;
    bool is_left;
    int first;
    [[no_unique_address]] Captured captured;
    Result operator()() const {
      if (is_left && depth == 0) of->is_free_.store(head() == of->before_.load());
      if (!captured.is_of(first)) ADD_FAILURE() << "captures of another branch";
      return depth == k_sub_depth ? of->subtree(first) : of->visit(depth, first);
    }
  };
  static_assert(!std::is_same_v<Captured, little> || sizeof(branch) > 16 || takt::detail::passes_in_registers<branch>);

  static long sum_of(int subtree) {
    const long first = long{subtree} * k_sub_leaves + 1;
    return k_sub_leaves * first + k_sub_leaves * (k_sub_leaves - 1) / 2;
  }

  Result subtree(int first) {
    const int number = first / k_sub_leaves;
    const std::optional<int> thrower = calm_ ? std::nullopt : pattern(number).first();
    const auto check_all_ran = [&] {
      int ran_once = 0;
      for (int leaf = first; leaf < first + k_sub_leaves; ++leaf) {
        if (ran_[static_cast<std::size_t>(leaf)].exchange(0) == 1) ++ran_once;
      }
      EXPECT_EQ(ran_once, k_sub_leaves);
    };
    try {
      if constexpr (std::is_void_v<Result>) {
        visit(k_sub_depth, first);
        EXPECT_FALSE(thrower);
        check_all_ran();
        return;
      } else {
        Result result = visit(k_sub_depth, first);
        EXPECT_FALSE(thrower);
        EXPECT_EQ(static_cast<long>(result), sum_of(number));
        check_all_ran();
        return result;
      }
    } catch (const planned_error& error) {
      EXPECT_EQ(error.id, first + thrower.value_or(-1));
      check_all_ran();
    }
    if constexpr (!std::is_void_v<Result>) return Result(0);
  }

  Result visit(int depth, int first) {
    if (depth == 0) return leaf(first);
    const int middle = first + (1 << (depth - 1));
    const auto below = static_cast<std::int16_t>(depth - 1);
    if (depth == 1) before_.store(head());
    if constexpr (std::is_void_v<Result>) {
      takt::fork_join(branch{this, below, true, first, Captured(first)},
                      branch{this, below, false, middle, Captured(middle)});
    } else {
      const auto [left, right] = takt::fork_join(branch{this, below, true, first, Captured(first)},
                                                 branch{this, below, false, middle, Captured(middle)});
      return Result(static_cast<long>(left) + static_cast<long>(right));
    }
  }

  Result leaf(int number) {
    ran_[static_cast<std::size_t>(number)].fetch_add(1);
    const int place = number % k_sub_leaves;
    if (!calm_ && pattern(number / k_sub_leaves).throws(place)) {
      if (one_worker_) (is_free_.load() ? threw_free_ : threw_framed_).set(static_cast<std::size_t>(place));
      throw planned_error(number);
    }
    if constexpr (!std::is_void_v<Result>) return Result(number + 1L);
  }

  int depth_;
  bool one_worker_;
  bool calm_ = true;
  std::vector<std::atomic<int>> ran_;
  // Of the fork above the leaves: with one worker nothing else is visited in between.
  std::atomic<const takt::abi::slot*> before_{nullptr};
  std::atomic<bool> is_free_{false};
  std::bitset<k_sub_leaves> threw_free_;
  std::bitset<k_sub_leaves> threw_framed_;
};

void expect_all_gone() {
  EXPECT_EQ(planned_error::live(), 0);
  EXPECT_EQ(tracked::live(), 0);
  EXPECT_EQ(tracked::misused(), 0);
  // Callables that are not plain values are referred to; results move.
  EXPECT_EQ(tracked::copied(), 0);
}

class fork_captures : public takt_test::clock_by_tick {
 protected:
  template <class Result, class... Captured>
  void check_each() {
    const int moved = tracked::moved();
    (check<Result, Captured>(), ...);
    if (!std::is_same_v<Result, tracked_block>) {
      EXPECT_EQ(tracked::moved(), moved);
    }
  }
  template <class Result>
  void check_result() {
    check_each<Result, little, doubles<2>, doubles<3>, doubles<6>, doubles<8>, aligned, object, only_moved>();
  }

 private:
  template <class Result, class Captured>
  void check() {
    SCOPED_TRACE(testing::Message() << sizeof(Captured) << " bytes captured, aligned to " << alignof(Captured));
    for (const takt::config& c : {settings(1, takt::trigger::never), takt_test::beat_zero(1), takt_test::eager(2)}) {
      SCOPED_TRACE(takt_test::describe(c));
      takt::configure(c);
      tree<Result, Captured> t(k_sub_depth + 6, c.workers);
      t.visit_all(false);
      if (c.workers == 1) {
        EXPECT_TRUE(t.threw(false).all());
        EXPECT_TRUE(t.threw(true).none());
      }
      expect_all_gone();
    }

    // Polls half a millisecond apart: many frames lie between two of them, also with a sanitizer.
    takt::configure(settings(1, takt::trigger::lazy, std::chrono::milliseconds(1)));
    tree<Result, Captured> t(k_sub_depth + 7, 1);
    takt::fork_join(
        [&] {
          // By the tick, no more rounds than this are ever needed.
          for (int i = 0; i < 20 && !t.threw(k_can_be_free).all(); ++i) {
            // The band is found while nothing throws.
            for (int calm = 0; calm < 3; ++calm) t.visit_all(true);
            t.visit_all(false);
          }
        },
        [] {});
    EXPECT_TRUE(t.threw(k_can_be_free).all());
    expect_all_gone();
  }
};

TEST_F(fork_captures, with_integers_returned) { check_result<long>(); }
TEST_F(fork_captures, with_doubles_returned) { check_result<double>(); }
TEST_F(fork_captures, with_64_bytes_returned) { check_result<block>(); }
TEST_F(fork_captures, with_objects_returned) { check_result<tracked_block>(); }
TEST_F(fork_captures, with_nothing_returned) { check_result<void>(); }

}  // namespace
