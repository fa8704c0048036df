// Lists of numbers of workers, as TAKT_SIM and `takt scale` take them.
#include "sim/worker_list.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using numbers = std::vector<unsigned>;

numbers parsed(const std::string& text) {
  numbers out;
  EXPECT_EQ(takt::sim::parse_workers(text, 4096, out), "") << text;
  return out;
}

std::string error_of(const std::string& text) {
  numbers out;
  return takt::sim::parse_workers(text, 4096, out);
}

TEST(worker_list, numbers_are_sorted_and_counted_once) {
  EXPECT_EQ(parsed("1"), numbers{1});
  EXPECT_EQ(parsed("4096"), numbers{4096});
  EXPECT_EQ(parsed("3,1,2,1"), (numbers{1, 2, 3}));
}

TEST(worker_list, and_so_on) {
  EXPECT_EQ(parsed("1,2,4,...,32"), (numbers{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(parsed("1,2,...,8"), (numbers{1, 2, 4, 8}));
  EXPECT_EQ(parsed("2,4,6,...,12"), (numbers{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(parsed("2,3,...,6"), (numbers{2, 3, 4, 5, 6}));
  EXPECT_EQ(parsed("3,9,...,300"), (numbers{3, 9, 27, 81, 243, 300}));
  EXPECT_EQ(parsed("1,2,4,...,5,7,...,11"), (numbers{1, 2, 4, 5, 7, 9, 11}));
  // Far, and no number on the way beyond what fits.
  EXPECT_EQ(parsed("1,4095,...,4096"), (numbers{1, 4095, 4096}));
}

TEST(worker_list, what_is_wrong_is_said) {
  for (const char* text : {"", ",", "1,", ",1", "0", "4097", "-1", "1 2", "x", "1,,2", "99999999999"})
    EXPECT_NE(error_of(text).find("is not a number from 1 to 4096"), std::string::npos) << text;
  for (const char* text : {"...", "...,4", "1,...,4", "4,2,...,1", "2,2,...,9", "1,2,...,...,9"})
    EXPECT_NE(error_of(text).find("needs two numbers before it"), std::string::npos) << text;
  EXPECT_NE(error_of("1,2,...").find("needs a number after it"), std::string::npos);
  EXPECT_NE(error_of("1,4,...,3").find("needs a larger number after it"), std::string::npos);
}

}  // namespace
