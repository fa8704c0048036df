// Where floating-point environments are watched, a slot says in which one its frame was pushed. What the frame before
// it in the same slot had said is no answer: a signal may come between a push and the note.
#include <takt/takt.hpp>

#include "promotion/promote.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <chrono>

namespace {

using takt::core::floating_point_environment;

void do_nothing(takt::abi::slot*) {}

struct pushed_loop {
  pushed_loop() {
    cursor.at = 0;
    cursor.where = &where;
    cursor.phase = takt::abi::loop_phase::unknown;
    cursor.together = 0;
    takt::detail::push_loop(cursor, &do_nothing, nullptr, 0, 100, 2);
  }
  ~pushed_loop() {
    if (takt::detail::leave_loop(cursor)) takt_loop_join(&cursor.frame, cursor.pushed);
  }

  takt::abi::site where;
  takt::abi::loop_cursor cursor;
};

struct outcome {
  bool noted_promoted = false;
  bool noted_in_its_own = false;
  bool not_noted_promoted = false;
};

void watch(void* given) {
  auto& seen = *static_cast<outcome*>(given);
  takt::core::worker& w = *takt::core::this_worker();
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  takt::core::look_at_environment(w);
  w.beat.kept = false;
  {
    pushed_loop loop;
    takt_loop_enter(&loop.cursor, 0);
    seen.noted_promoted = takt::core::promote_oldest(w, true, floating_point_environment());
    seen.noted_in_its_own =
        takt::core::own_join(&loop.cursor.frame.half[0])->start().environment() == floating_point_environment();
  }
  std::fesetround(FE_DOWNWARD);
  {
    const pushed_loop loop;
    seen.not_noted_promoted = takt::core::promote_oldest(w, true, floating_point_environment());
  }
  std::fesetround(before);
}

TEST(environment_notes, are_not_those_of_the_frame_before) {
  takt::configure(takt_test::settings(1, takt::trigger::lazy, std::chrono::seconds(1)));
  outcome seen;
  ASSERT_TRUE(takt_enter(&watch, &seen));
  EXPECT_TRUE(seen.noted_promoted);
  EXPECT_TRUE(seen.noted_in_its_own);
  EXPECT_FALSE(seen.not_noted_promoted);
}

}  // namespace
