// What is kept free for the leftmost: all but a share of the budget, until its path has come back to where it began.
#include "memory/shown_need.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

namespace {

using takt::core::shown_need;

constexpr std::int64_t k_unknown = 1000;

shown_need after(std::initializer_list<std::int64_t> course) {
  shown_need need(k_unknown);
  for (const std::int64_t held : course) need.note(held);
  return need;
}

TEST(shown_need, is_unknown_until_it_has_been_given_back) {
  EXPECT_EQ(after({}).bytes(), k_unknown);
  EXPECT_EQ(after({32}).bytes(), k_unknown);
  EXPECT_EQ(after({32, 64, 32, 0}).bytes(), k_unknown) << "it may go on falling";
  EXPECT_EQ(after({32, 64, 32, 0, 32}).bytes(), 64);
}

TEST(shown_need, what_was_held_before_is_part_of_what_is_assumed) {
  EXPECT_EQ(after({}).bytes(200), k_unknown - 200);
  EXPECT_EQ(after({900}).bytes(200), 900);
  EXPECT_EQ(after({80, 0, 80}).bytes(200), 80);
}

TEST(shown_need, is_shown_above_what_is_held_all_the_time) {
  EXPECT_EQ(after({200, 230, 200, 230}).bytes(), k_unknown) << "it has come back from where it was to where it was not";
  EXPECT_EQ(after({200, 230, 200, 230, 203, 230}).bytes(), 203 + 30);
  EXPECT_EQ(after({200, 230, 200, 230, 204, 230}).bytes(), k_unknown) << "an eighth has been left over";
}

TEST(shown_need, is_unknown_while_each_task_leaves_something) {
  // Products of which each has temporaries, and all are kept.
  shown_need need(k_unknown);
  std::int64_t kept = 0;
  for (int product = 0; product < 7; ++product) {
    for (const std::int64_t part : {8, 16, 24, 30, 26, 32, 28, 34, 30, 36, 32}) need.note(kept + part);
    kept += 8;
    need.note(kept);
    EXPECT_EQ(need.bytes(), k_unknown) << product;
  }
}

TEST(shown_need, is_unknown_while_a_buffer_grows) {
  shown_need need(k_unknown);
  for (std::int64_t bytes = 1; bytes < 256; bytes *= 2) {
    need.note(3 * bytes);
    need.note(2 * bytes);
  }
  EXPECT_EQ(need.bytes(), k_unknown);
}

TEST(shown_need, is_unknown_again_when_it_grows) {
  shown_need need = after({80, 0, 80});
  EXPECT_EQ(need.bytes(), 80);
  need.note(89);
  EXPECT_EQ(need.bytes(), 89);
  need.note(91);
  EXPECT_EQ(need.bytes(), k_unknown);
  need.note(0);
  need.note(91);
  EXPECT_EQ(need.bytes(), 91);
  need.note(2000);
  EXPECT_EQ(need.bytes(), 2000) << "more than was thought of";
}

// A level of a recursion sorts several times and then divides, which takes three times as much and leaves something.
TEST(shown_need, what_is_repeated_may_be_followed_by_as_much_more_as_before) {
  shown_need need = after({80, 0, 80});
  EXPECT_EQ(need.bytes(), 80) << "nobody knows yet that more follows";
  need.note(0);
  need.note(240);
  EXPECT_EQ(need.bytes(), k_unknown);
  for (const std::int64_t held : {200, 230, 200, 230}) need.note(held);
  EXPECT_EQ(need.bytes(), 200 + 3 * 30);
  for (const std::int64_t held : {200, 700}) need.note(held);
  for (const std::int64_t held : {600, 690, 600, 690}) need.note(held);
  EXPECT_EQ(need.bytes(), k_unknown) << "that much is assumed anyway";
  need.begin_call();
  EXPECT_EQ(need.bytes(), 700) << "another call's is not known";
}

TEST(shown_need, does_not_look_at_small_changes) {
  EXPECT_EQ(after({100, 103, 100, 103, 100, 103}).bytes(), k_unknown);
  EXPECT_EQ(after({100, 107, 100, 107, 100, 107}).bytes(), 107);
}

TEST(shown_need, other_paths_count_for_the_most_alone) {
  shown_need need = after({80, 0, 80});
  need.note_most(85);
  EXPECT_EQ(need.bytes(), 85);
  need.note_most(0);
  need.begin(40);
  need.note(0);
  need.note(40);
  EXPECT_EQ(need.bytes(), 85);
  need.note_most(500);
  EXPECT_EQ(need.bytes(), k_unknown);
}

TEST(grown_need, is_as_many_times_the_first_as_it_has_been) {
  takt::core::grown_need need;
  EXPECT_EQ(need.of(10, 1000), 10);
  need.note(4, 4);
  EXPECT_EQ(need.of(10, 1000), 10);
  need.note(4, 12);
  need.note(100, 150);
  EXPECT_EQ(need.of(10, 1000), 30) << "of that size there was none";
  EXPECT_EQ(need.of(110, 1000), 165);
  EXPECT_EQ(need.of(400, 1000), 1000) << "nothing has ever held more";
  EXPECT_EQ(need.of(400, 200), 400) << "but it takes that at least";
  need.note(0, 50);
  EXPECT_EQ(need.of(10, 1000), 30);
  EXPECT_EQ(need.of(std::int64_t{1} << 62, std::int64_t{1} << 61), std::int64_t{1} << 62);
}

}  // namespace
