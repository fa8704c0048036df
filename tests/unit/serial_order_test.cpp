// Computations from left to right, whichever begins first: siblings by where they have been given away.
#include "memory/serial_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using takt::core::fiber;
using takt::core::join_word;
using takt::core::left_ahead;
using takt::core::serial_order;
using takt::core::task_place;

struct computation {
  char name;
  fiber* parent;
  task_place place;
  std::unique_ptr<fiber> of = std::make_unique<fiber>();
};

class order : public testing::Test {
 protected:
  fiber& call(char name) {
    fiber& f = *add(name, nullptr, {}).of;
    list.insert(f, nullptr, {});
    return f;
  }
  fiber& fork(char name, fiber& parent, std::uint32_t slot) {
    return begin(add(name, &parent, {&records[slot], slot, nullptr, false}));
  }
  // Records of inner loops lie at lower addresses.
  fiber& half(char name, fiber& parent, const join_word& loop, std::size_t record, bool is_second) {
    return begin(add(name, &parent, {&records[record], loop.loop_slot(), &loop, is_second}));
  }
  fiber& child(char name, fiber& home) {
    fiber& f = *add(name, nullptr, {}).of;
    list.insert_behind(f, &home);
    return f;
  }
  void end(fiber& f) {
    list.remove(f);
    std::erase_if(all, [&f](const computation& c) { return c.of.get() == &f; });
  }
  std::string seen() const {
    std::string names;
    for (const fiber* f = list.first(); f != nullptr; f = f->memory_use.right) names += name_of(*f);
    return names;
  }

  // Of a fork's task that has not begun.
  serial_order::spot spot(fiber& parent, std::uint32_t slot) {
    return list.spot_of(&parent, {&records[slot], slot, nullptr, false});
  }

  serial_order list;

 private:
  computation& add(char name, fiber* parent, const task_place& place) {
    return all.emplace_back(computation{name, parent, place});
  }
  fiber& begin(computation& c) {
    list.insert(*c.of, c.parent, c.place);
    return *c.of;
  }
  char name_of(const fiber& f) const {
    return std::find_if(all.begin(), all.end(), [&f](const computation& c) { return c.of.get() == &f; })->name;
  }

  std::vector<computation> all;
  std::byte records[64]{};
};

TEST_F(order, what_was_given_away_later_is_further_left_at_any_depth) {
  fiber& p = call('p');
  fork('o', p, 40);
  fork('i', p, 41);
  fork('m', p, 2);
  EXPECT_EQ(seen(), "piom");
}

TEST_F(order, a_task_begins_behind_all_that_those_to_its_left_have_begun) {
  fiber& p = call('p');
  fork('a', p, 1);
  fiber& b = fork('b', p, 5);
  fork('c', b, 3);
  fiber& d = fork('d', p, 3);
  fork('e', d, 7);
  EXPECT_EQ(seen(), "pbcdea");
}

TEST_F(order, tasks_that_have_not_begun_stand_where_they_will_begin) {
  fiber& p = call('p');
  fork('a', p, 1);
  fiber& b = fork('b', p, 5);
  fiber& q = call('q');
  // In front of b; below b, a child first; between b and a; behind a; in the next call; nobody's.
  const std::vector<serial_order::spot> spots{spot(p, 6),
                                              serial_order::spot_of_child(&b),
                                              spot(b, 7),
                                              spot(b, 2),
                                              spot(p, 3),
                                              spot(p, 0),
                                              serial_order::spot_of_child(&q),
                                              spot(q, 4),
                                              serial_order::spot_of_child(nullptr)};
  for (std::size_t i = 0; i < spots.size(); ++i) {
    for (std::size_t j = 0; j < spots.size(); ++j) {
      if (i == j) continue;
      EXPECT_EQ(list.is_left_of(spots[i], spots[j]), i < j) << i << ", " << j;
    }
  }
  EXPECT_EQ(seen(), "pbaq");
  fork('x', b, 2);
  fork('y', p, 3);
  EXPECT_EQ(seen(), "pbxyaq");
}

TEST_F(order, groups_children_do_not_hide_what_is_behind_them) {
  fiber& p = call('p');
  fork('0', p, 0);
  fiber& two = fork('2', p, 2);
  fiber& c = child('c', two);
  fork('x', c, 1);
  fork('1', p, 1);
  EXPECT_EQ(seen(), "p2cx10");
  EXPECT_EQ(c.memory_use.parent, nullptr);
}

TEST_F(order, a_groups_child_may_outlive_its_home) {
  fiber& q = call('q');
  fiber& home = fork('h', q, 2);
  child('c', home);
  fork('b', q, 0);
  end(home);
  fork('a', q, 1);
  EXPECT_EQ(seen(), "qcab");
}

TEST_F(order, a_parent_may_be_gone_before_a_task_that_is_done_is_taken_off) {
  fiber& q = call('q');
  fiber& p = fork('p', q, 1);
  fiber& f = fork('f', p, 1);
  fork('b', q, 0);
  f.memory_use.done = true;
  end(p);
  fork('a', q, 2);
  EXPECT_EQ(seen(), "qfab");
  end(f);
  EXPECT_EQ(seen(), "qab");
}

TEST_F(order, the_place_of_a_task_that_is_done_is_not_looked_at) {
  fiber& p = call('p');
  auto loop = std::make_unique<join_word>();
  loop->begin_loop(2, 3);
  fiber& f = half('f', p, *loop, 8, false);
  f.memory_use.done = true;
  loop.reset();
  fork('a', p, 4);
  EXPECT_EQ(seen(), "pfa");
}

TEST_F(order, nobody_waits_for_a_task_that_is_done) {
  fiber& p = call('p');
  join_word join;
  fiber& f = fork('f', p, 1);
  f.memory_use.counts_in = &join;
  p.memory_use.waits = true;
  p.memory_use.waits_for = &join;
  EXPECT_EQ(list.leftmost(0), &f);
  f.memory_use.done = true;
  EXPECT_EQ(list.leftmost(0), &p);
}

// All orders in which these begin.
template <class Begin>
void in_each_order(std::string names, Begin begin) {
  std::sort(names.begin(), names.end());
  do begin(names);
  while (std::next_permutation(names.begin(), names.end()));
}

TEST_F(order, halves_have_their_order_and_what_the_first_contains_is_in_front_of_the_second) {
  // The parent has taken the first half back: in it, at the same place, it has given away another loop, and in the
  // first half of that a fork. `o`: given away around the loop.
  join_word outer;
  join_word inner;
  outer.begin_loop(2, 1);
  inner.begin_loop(2, 1);
  in_each_order("1yfo", [&](const std::string& names) {
    list.forget();
    fiber& p = call('p');
    for (const char c : names) {
      if (c == '1') half('1', p, outer, 9, true);
      if (c == 'y') half('y', p, inner, 5, true);
      if (c == 'f') fork('f', p, 1);
      if (c == 'o') fork('o', p, 0);
    }
    EXPECT_EQ(seen(), "pfy1o") << names;
  });
  in_each_order("01io", [&](const std::string& names) {
    list.forget();
    fiber& p = call('p');
    for (const char c : names) {
      if (c == '0') half('0', p, outer, 8, false);
      if (c == '1') half('1', p, outer, 9, true);
      if (c == 'i') fork('i', p, 2);
      if (c == 'o') fork('o', p, 0);
    }
    EXPECT_EQ(seen(), "pi01o") << names;
  });
}

TEST_F(order, what_a_second_half_contains_is_behind_the_first) {
  // The parent has taken the second half back, and somebody else has the first; in it the same of another loop, at the
  // same place or a deeper one.
  for (const std::uint32_t slot : {1u, 4u}) {
    join_word outer;
    join_word inner;
    outer.begin_loop(2, 1);
    inner.begin_loop(2, slot);
    outer.note_second_first();
    inner.note_second_first();
    EXPECT_EQ(outer.loop_slot(), 1u);
    in_each_order("0xfo", [&](const std::string& names) {
      list.forget();
      fiber& p = call('p');
      for (const char c : names) {
        if (c == '0') half('0', p, outer, 8, false);
        if (c == 'x') half('x', p, inner, 4, false);
        if (c == 'f') fork('f', p, slot + 1);
        if (c == 'o') fork('o', p, 0);
      }
      EXPECT_EQ(seen(), "p0xfo") << names << ' ' << slot;
    });
  }
}

TEST(left_ahead, what_there_is_no_room_for_is_ahead_to_the_end) {
  left_ahead ahead;
  ahead.clear();
  const char joins[10]{};
  for (int j = 0; j < 10; ++j) ahead.add(&joins[j], j + 1);
  EXPECT_EQ(ahead.all(), 55);
  EXPECT_EQ(ahead.take(&joins[9]), 0);
  EXPECT_EQ(ahead.take(&joins[0]), 1);
  EXPECT_EQ(ahead.take(&joins[7]), 8);
  EXPECT_EQ(ahead.all(), 46);
  ahead.clear();
  EXPECT_EQ(ahead.all(), 0);
}

}  // namespace
