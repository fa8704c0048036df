// Distribution ranges over seats, and the queues of one seat, of almost deterministic work stealing.
#include "policy/range.hpp"
#include "policy/seat_queues.hpp"

#include "support/seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <vector>

namespace takt::core {

static bool operator==(const range& a, const range& b) { return a.begin == b.begin && a.end == b.end; }
static std::ostream& operator<<(std::ostream& out, const range& r) {
  return out << '[' << static_cast<double>(r.begin) / range::k_seat << ", "
             << static_cast<double>(r.end) / range::k_seat << ')';
}

}  // namespace takt::core

namespace {

using takt::core::divide;
using takt::core::division;
using takt::core::locality;
using takt::core::range;
using takt::core::seat_queues;
using takt::core::waiting_task;

constexpr range from_to(double begin, double end) {
  return {static_cast<std::uint32_t>(begin * range::k_seat), static_cast<std::uint32_t>(end * range::k_seat)};
}

// A part that began a hair in front of its seat would be for the seat that is kept.
TEST(ranges, has_its_boundary_on_the_seat_that_its_share_names) {
  for (unsigned seats = 2; seats < 80; ++seats) {
    for (unsigned kept = 1; kept < seats; ++kept) {
      const range all = range::of_seats(3, seats);
      EXPECT_EQ(divide(all, 3, static_cast<double>(kept) / seats, false).given,
                range::of_seats(3 + kept, seats - kept));
    }
  }
}

TEST(ranges, know_their_seats) {
  EXPECT_EQ(from_to(1, 2).first(), 1u);
  EXPECT_EQ(from_to(1, 2).last(), 1u);
  EXPECT_FALSE(from_to(1, 2).is_cross_worker());
  EXPECT_FALSE(from_to(1.25, 1.75).is_cross_worker());
  EXPECT_TRUE(from_to(1.75, 2.25).is_cross_worker());
  EXPECT_EQ(from_to(1.75, 2.25).last(), 2u);
  EXPECT_TRUE(range::of_seats(2, 3).covers(4));
  EXPECT_FALSE(range::of_seats(2, 3).covers(5));
  EXPECT_FALSE(range::of_seats(2, 3).covers(1));
}

TEST(ranges, are_halved) {
  const division whole = divide(from_to(0, 4), 0, 0.5, false);
  EXPECT_EQ(whole.kept, from_to(0, 2));
  EXPECT_EQ(whole.given, from_to(2, 4));
  // Who goes on keeps its own end.
  const division upper = divide(from_to(0, 4), 3, 0.5, false);
  EXPECT_EQ(upper.kept, from_to(2, 4));
  EXPECT_EQ(upper.given, from_to(0, 2));
}

TEST(ranges, are_divided_by_weights) {
  EXPECT_EQ(divide(from_to(0, 4), 0, 0.25, false).kept, from_to(0, 1));
  EXPECT_EQ(divide(from_to(0, 4), 0, 0.9375, false).given, from_to(3.75, 4));
  // Loops can be cut anywhere, and are cut between seats.
  EXPECT_EQ(divide(from_to(0, 4), 0, 0.9375, true).given, from_to(3, 4));
  EXPECT_EQ(divide(from_to(0, 3), 0, 0.5, true).kept, from_to(0, 2));
}

TEST(ranges, a_part_does_not_begin_where_somebody_is_busy) {
  // [1.5, 3) is for seat 1 anyhow. [0.75, 1.5) would be for the one that goes on: the next one begins it.
  EXPECT_EQ(divide(from_to(0, 3), 0, 0.5, false).target, 1u);
  const division rest = divide(from_to(0, 1.5), 0, 0.5, false);
  EXPECT_EQ(rest.kept, from_to(0, 0.75));
  EXPECT_EQ(rest.given, from_to(0.75, 1.5));
  EXPECT_EQ(rest.target, 1u);
}

// Weights of 1 and 3: seat 0 has a third of the second part, which begins on seat 1 and gives it back.
TEST(ranges, a_seat_may_have_a_fraction_of_both_parts) {
  const division whole = divide(from_to(0, 2), 0, 0.25, false);
  EXPECT_EQ(whole.kept, from_to(0, 0.5));
  EXPECT_EQ(whole.given, from_to(0.5, 2));
  EXPECT_EQ(whole.target, 1u);
  const division second = divide(whole.given, 1, 0.5, false);
  EXPECT_EQ(second.kept, from_to(1.25, 2));
  EXPECT_EQ(second.given, from_to(0.5, 1.25));
  EXPECT_EQ(second.target, 0u);
  // A loop is cut between them.
  const division loop = divide(whole.given, 1, 0.5, true);
  EXPECT_EQ(loop.kept, from_to(1, 2));
  EXPECT_EQ(loop.given, from_to(0.5, 1));
  EXPECT_EQ(loop.target, 0u);
}

TEST(ranges, parts_are_parts) {
  std::mt19937_64 random(takt_test::chosen_seed());
  const auto chance = [&random](unsigned of) { return random() % of == 0; };
  for (int i = 0; i < 50'000; ++i) {
    std::uint32_t begin = static_cast<std::uint32_t>(random() % (8 * range::k_seat));
    std::uint32_t end = begin + 1 + static_cast<std::uint32_t>(random() % (8 * range::k_seat));
    if (chance(2)) begin -= begin % range::k_seat;
    if (chance(2)) end += range::k_seat - end % range::k_seat;
    const range whole{begin, end};
    if (!whole.is_cross_worker()) continue;
    const unsigned seats = whole.last() - whole.first() + 1;
    const unsigned own =
        chance(10) ? static_cast<unsigned>(random() % 20) : whole.first() + static_cast<unsigned>(random() % seats);
    const double share = chance(10) ? static_cast<double>(random() % 2) : static_cast<double>(random() % 1000) / 1000;
    const division parts = divide(whole, own, share, chance(2));
    SCOPED_TRACE(testing::Message() << whole << " by " << own << ", " << share << ": " << parts.kept << parts.given);
    ASSERT_LT(parts.kept.begin, parts.kept.end);
    ASSERT_LT(parts.given.begin, parts.given.end);
    ASSERT_TRUE(parts.kept.end <= parts.given.begin || parts.given.end <= parts.kept.begin);
    ASSERT_EQ(std::min(parts.kept.begin, parts.given.begin), whole.begin);
    ASSERT_EQ(std::max(parts.kept.end, parts.given.end), whole.end);
    ASSERT_EQ(parts.kept.end - parts.kept.begin + parts.given.end - parts.given.begin, whole.end - whole.begin);
    ASSERT_NE(parts.target, own);
    ASSERT_TRUE(parts.given.covers(parts.target));
    if (whole.covers(own)) {
      ASSERT_TRUE(parts.kept.covers(own));
    }
  }
}

struct tasks {
  waiting_task& add(range over, bool migrated, unsigned depth, bool from_here) {
    waiting_task& t = all.emplace_back();
    t.task = all.size();
    t.where.over = over;
    t.where.crosses = t.where.over.is_cross_worker();
    t.where.migrated = migrated;
    t.where.depth = static_cast<std::uint16_t>(depth);
    queues.put(t, from_here);
    return t;
  }
  /// The numbers of those that `choose` finds, each being taken.
  template <class Choose>
  std::vector<std::uint64_t> drained(Choose choose) {
    std::vector<std::uint64_t> order;
    while (waiting_task* t = choose(queues)) {
      queues.remove(*t);
      order.push_back(t->task);
    }
    return order;
  }

  std::vector<waiting_task> all = [] {
    std::vector<waiting_task> room;
    room.reserve(100);
    return room;
  }();
  seat_queues queues;
};

constexpr auto k_any = [](const waiting_task&) { return true; };
constexpr range k_narrow{0, 10};

// As in figure 8 of the paper: 1 and 2 were pushed here, one in the other; 3 to 5 came from elsewhere, in this order, 5
// from deeper; 6 is to be handed on to others.
tasks of_figure_8() {
  tasks t;
  t.add(k_narrow, false, 1, true);
  t.add(k_narrow, false, 2, true);
  t.add(k_narrow, true, 1, false);
  t.add(k_narrow, true, 1, false);
  t.add(k_narrow, true, 2, false);
  t.add(from_to(0, 2), true, 1, false);
  return t;
}

TEST(seat_queues, the_holder_goes_in_the_order_of_the_serial_program) {
  const std::vector<std::uint64_t> order{6, 2, 1, 3, 4, 5};
  EXPECT_EQ(of_figure_8().drained([](const seat_queues& q) { return q.next(k_any); }), order);
}

TEST(seat_queues, thieves_go_the_other_way) {
  const std::vector<std::uint64_t> order{5, 4, 3, 1, 2};
  const auto steal = [](unsigned depth, bool migrated, bool primary) {
    return [=](const seat_queues& q) { return q.stealable(depth, migrated, primary, k_any); };
  };
  EXPECT_EQ(of_figure_8().drained(steal(0, true, true)), order);
  const std::vector<std::uint64_t> deep{5, 2};
  EXPECT_EQ(of_figure_8().drained(steal(2, true, true)), deep);
  const std::vector<std::uint64_t> primary{1, 2};
  EXPECT_EQ(of_figure_8().drained(steal(0, false, true)), primary);
  const std::vector<std::uint64_t> migrated{5, 4, 3};
  EXPECT_EQ(of_figure_8().drained(steal(0, true, false)), migrated);
}

TEST(seat_queues, what_is_wanted_is_found_anywhere) {
  for (std::uint64_t number = 1; number <= 6; ++number) {
    tasks t = of_figure_8();
    const auto is_it = [number](const waiting_task& w) { return w.task == number; };
    EXPECT_EQ(t.drained([&](const seat_queues& q) { return q.wanted(is_it); }), std::vector{number});
    EXPECT_EQ(t.drained([&](const seat_queues& q) { return q.any(k_any); }).size(), 5u);
  }
}

TEST(seat_queues, depths_beyond_the_last_share_a_list) {
  tasks t;
  t.add(k_narrow, false, 7, true);
  t.add(k_narrow, false, 65'535, true);
  const std::vector<std::uint64_t> order{2, 1};
  EXPECT_EQ(t.drained([](const seat_queues& q) { return q.next(k_any); }), order);
}

TEST(ranges, a_share_of_nearly_half_is_half) {
  using takt::core::planned_share;
  // Within one seat, and within an eighth of a part.
  const range whole = range::of_seats(2, 32);
  for (const double share : {0.475, 0.5, 0.525}) EXPECT_EQ(planned_share(whole, share), 0.5);
  EXPECT_EQ(planned_share(whole, 0.54), 17.0 / 32);
  EXPECT_EQ(planned_share(range::of_seats(1, 2), 0.55), 0.5);
  EXPECT_EQ(planned_share(range::of_seats(1, 2), 0.6), 0.6);
}

TEST(ranges, a_share_ends_between_two_seats_if_both_parts_stay_nearly_what_they_are) {
  using takt::core::planned_share;
  EXPECT_EQ(planned_share(range::of_seats(0, 9), 0.5), 5.0 / 9);
  EXPECT_EQ(planned_share(range::of_seats(0, 7), 0.5), 0.5);
  EXPECT_EQ(planned_share(range::of_seats(0, 8), 0.7), 0.7);
  EXPECT_EQ(planned_share(range::of_seats(0, 8), 0.72), 0.75);
  // From a half on.
  EXPECT_EQ(planned_share(from_to(2.5, 10), 0.35), 2.5 / 7.5);
  // Nothing is no part.
  for (const double share : {0.0, 0.01, 0.99, 1.0}) EXPECT_EQ(planned_share(range::of_seats(1, 2), share), share);
}

}  // namespace
