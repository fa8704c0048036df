// Who steals where under adws: within the range of the outermost dominant construct that a seat has a share in, and at
// the ends of that range only what belongs into it (ADWS paper, section 3.2). That is a function of what the records
// say. Each expectation is one that a wrong rule, planted here, does not meet.
#include "policy/cross_group.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace {

using takt::core::cross_group;
using takt::core::range;
using takt::core::range_of;
using takt::core::seat_queues;
using takt::core::steal_range;
using takt::core::waiting_task;
using takt::core::word_of;

constexpr range seats(double from, double to) {
  return {static_cast<std::uint32_t>(from * range::k_seat), static_cast<std::uint32_t>(to * range::k_seat)};
}

// Eight seats; within them four, within these two, and a record there that serves something else by now.
struct nested {
  std::array<cross_group, 3> groups;

  nested() {
    set(0, seats(0, 8), nullptr);
    set(1, seats(2, 6), &groups[0]);
    set(2, seats(2, 4), &groups[1]);
  }
  void set(std::size_t g, range over, cross_group* around) {
    groups[g].over.store(word_of(over), takt::sync::relaxed);
    groups[g].depth.store(static_cast<std::uint32_t>(g) + 1, takt::sync::relaxed);
    groups[g].around.store(around, takt::sync::relaxed);
  }
  void dominate(std::initializer_list<std::size_t> which) {
    for (cross_group& g : groups) g.dominant.store(0, takt::sync::relaxed);
    for (const std::size_t g : which) groups[g].dominant.store(1, takt::sync::relaxed);
  }
};

// `rule(innermost, seat)` is the construct. @returns the first expectation that it does not meet, or nothing.
template <class Rule>
std::string broken_of_rule(Rule rule) {
  nested n;
  const auto is = [&](unsigned seat, const cross_group* wanted) { return rule(&n.groups[2], seat) == wanted; };
  if (!is(3, nullptr)) return "nothing is dominant";
  n.dominate({2});
  if (!is(3, &n.groups[2])) return "the innermost is dominant";
  n.dominate({1});
  if (!is(3, &n.groups[1])) return "one around is dominant";
  n.dominate({0, 2});
  if (!is(3, &n.groups[0])) return "the outermost counts, whatever lies between";
  n.dominate({1, 2});
  if (!is(5, &n.groups[1])) return "a seat that has no share in the innermost";
  if (!is(7, nullptr)) return "a seat that has a share in none of them";
  if (rule(nullptr, 0) != nullptr) return "without a share in anything";
  // Records change while thieves walk: they may make a ring.
  n.dominate({1});
  n.groups[0].around.store(&n.groups[2], takt::sync::relaxed);
  return is(3, &n.groups[1]) ? "" : "a ring";
}

TEST(steal_range, the_outermost_dominant_construct) { EXPECT_EQ(broken_of_rule(takt::core::topmost_dominant), ""); }
TEST(steal_range_twin, the_innermost_dominant_construct) {
  EXPECT_NE(
      broken_of_rule([](const cross_group* g, unsigned seat) -> const cross_group* {
        for (int n = 0; g != nullptr && n < 64; ++n, g = g->around.load(takt::sync::relaxed)) {
          if (g->dominant.load(takt::sync::relaxed) != 0 && range_of(g->over.load(takt::sync::relaxed)).covers(seat)) {
            return g;
          }
        }
        return nullptr;
      }),
      "");
}
TEST(steal_range_twin, whoever_is_around_whether_dominant_or_not) {
  EXPECT_NE(broken_of_rule([](const cross_group* g, unsigned seat) {
              const cross_group* topmost = nullptr;
              for (int n = 0; g != nullptr && n < 64; ++n, g = g->around.load(takt::sync::relaxed)) {
                if (range_of(g->over.load(takt::sync::relaxed)).covers(seat)) topmost = g;
              }
              return topmost;
            }),
            "");
}
TEST(steal_range_twin, whether_the_seat_has_a_share_or_not) {
  EXPECT_NE(broken_of_rule([](const cross_group* g, unsigned) {
              const cross_group* topmost = nullptr;
              for (int n = 0; g != nullptr && n < 64; ++n, g = g->around.load(takt::sync::relaxed)) {
                if (g->dominant.load(takt::sync::relaxed) != 0) topmost = g;
              }
              return topmost;
            }),
            "");
}

// Which of two tasks of a seat, one put there by others and one of its own, both of depth 2, `thief` may have.
struct allowed {
  bool migrated;
  bool primary;
  bool operator==(const allowed&) const = default;
};
template <class Thief>
allowed of(Thief thief, range over, unsigned depth, unsigned victim) {
  seat_queues q;
  std::array<waiting_task, 2> tasks;
  for (waiting_task& t : tasks) t.where.depth = 2;
  tasks[0].where.migrated = true;
  for (waiting_task& t : tasks) q.put(t, true);
  allowed found{};
  while (waiting_task* t = thief(steal_range{over, depth}, victim, q)) {
    (t == tasks.data() ? found.migrated : found.primary) = true;
    q.remove(*t);
  }
  return found;
}

template <class Thief>
std::string broken_of_ends(Thief thief) {
  const auto is = [&](range over, unsigned depth, unsigned victim, allowed wanted) {
    return of(thief, over, depth, victim) == wanted;
  };
  constexpr allowed k_both{true, true};
  constexpr allowed k_none{false, false};
  for (const unsigned victim : {2u, 3u}) {
    if (!is(seats(2, 4), 1, victim, k_both)) return "whole seats";
  }
  // What others have put there is not of this range: it begins in the middle of that seat.
  if (!is(seats(2.5, 4), 1, 2, {false, true})) return "the range begins within a seat";
  // What that seat has itself is of what comes after the range.
  if (!is(seats(2, 3.5), 1, 3, {true, false})) return "the range ends within a seat";
  if (!is(seats(2.5, 4.5), 1, 3, k_both)) return "between the ends";
  if (!is(seats(2, 4), 3, 2, k_none)) return "farther out than the construct";
  return "";
}

waiting_task* shipped(const steal_range& r, unsigned victim, const seat_queues& q) {
  return r.of(victim, q, [](const waiting_task&) { return true; });
}
TEST(steal_range, at_its_ends_only_what_belongs_into_it) { EXPECT_EQ(broken_of_ends(shipped), ""); }
TEST(steal_range_twin, everything_at_its_ends) {
  EXPECT_NE(broken_of_ends([](const steal_range& r, unsigned, const seat_queues& q) {
              return q.stealable(r.depth, true, true, [](const waiting_task&) { return true; });
            }),
            "");
}
TEST(steal_range_twin, the_ends_are_exchanged) {
  EXPECT_NE(broken_of_ends([](const steal_range& r, unsigned victim, const seat_queues& q) {
              const bool primary = victim != r.over.first() || r.over.begin % range::k_seat == 0;
              const bool migrated = victim != r.over.last() || r.over.end % range::k_seat == 0;
              return q.stealable(r.depth, migrated, primary, [](const waiting_task&) { return true; });
            }),
            "");
}
TEST(steal_range_twin, from_any_depth) {
  EXPECT_NE(broken_of_ends([](const steal_range& r, unsigned victim, const seat_queues& q) {
              return shipped(steal_range{r.over, 0}, victim, q);
            }),
            "");
}

}  // namespace
