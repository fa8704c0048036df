// Where the curve of takt tune is flat.
#include "tools/tune_plot.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace takt::tools {
namespace {

using std::chrono::microseconds;

constexpr microseconds k_longest{1000};

beat_curve some_curve() {
  beat_curve curve;
  curve.beats = {microseconds(1), microseconds(10), microseconds(100), microseconds(1000)};
  // The second program is ten times longer, which must not count.
  curve.seconds = {{0.020, 0.0105, 0.010, 0.012}, {0.120, 0.1050, 0.100, 0.100}};
  curve.least_seconds = curve.seconds;
  return curve;
}

TEST(tune_plot, flat_is_what_is_near_the_best_in_the_geometric_mean) {
  EXPECT_EQ(flat_from(some_curve(), 0.051, k_longest), microseconds(10));
  EXPECT_EQ(flat_from(some_curve(), 0.049, k_longest), microseconds(100));
  EXPECT_EQ(flat_from(some_curve(), 0.0, k_longest), microseconds(100));
  // 1.05 times the best of the first two.
  EXPECT_EQ(flat_from(some_curve(), 0.0, microseconds(99)), microseconds(10));
  // 2.0 and 1.2 times: 1.549 in the geometric mean, 1.6 in the other.
  EXPECT_EQ(flat_from(some_curve(), 0.56, k_longest), microseconds(1));
  EXPECT_EQ(flat_from(some_curve(), 0.54, k_longest), microseconds(10));
}

TEST(tune_plot, text_has_a_bar_for_every_time) {
  const std::string text =
      curve_text({{"short", nullptr}, {"long", nullptr}}, some_curve());
  EXPECT_NE(text.find("         1     20.00 ms ################    120.00 ms ################\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("      1000     12.00 ms ##########          100.00 ms #############\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace takt::tools
