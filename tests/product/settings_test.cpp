// The product without the laboratory: what only that has is answered clearly, by name and by number.
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using takt::config;

TEST(product, has_no_trigger_and_no_policy_of_the_laboratory) {
  for (int number = 2; number < 32; ++number) {
    config c = takt_test::by_default(2);
    c.trigger = static_cast<takt::trigger>(number);
    EXPECT_THROW(takt::configure(c), std::invalid_argument) << number;
  }
  for (int number = 4; number < 32; ++number) {
    config c = takt_test::by_default(2);
    c.policy = static_cast<takt::policy>(number);
    EXPECT_THROW(takt::configure(c), std::invalid_argument) << number;
    EXPECT_THROW(takt::with_policy(c.policy, [] {}), std::invalid_argument) << number;
  }
}

TEST(product, says_what_has_a_setting_of_the_laboratory) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const auto& [name, value] : {std::pair{"TAKT_TRIGGER", "beat"},
                                    {"TAKT_TRIGGER", "eager"},
                                    {"TAKT_TRIGGER", "request"},
                                    {"TAKT_POLICY", "sb"},
                                    {"TAKT_POLICY", "ml-random"},
                                    {"TAKT_POLICY", "random-private"},
                                    {"TAKT_POLICY", "random-mixed"},
                                    {"TAKT_POLICY", "asyncdf"},
                                    {"TAKT_BEAT_SOURCE", "timer"},
                                    {"TAKT_CHUNKING", "hbc"},
                                    {"TAKT_HYBRID", "1"},
                                    {"TAKT_MEMORY_K", "4096"},
                                    {"TAKT_BALANCER", "mixed"},
                                    {"TAKT_MEMORY_POLICY", "hybrid"}}) {
    ::setenv(name, value, 1);
    EXPECT_EXIT((void)takt_test::fib(10), testing::ExitedWithCode(2),
                std::string("^takt: ") + name + "[^\n]* needs a build with TAKT_LAB\n$")
        << name << "=" << value;
    ::unsetenv(name);
  }
}

}  // namespace
