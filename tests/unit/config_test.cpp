// Settings: from the environment, from configure(), and what is said about values that cannot be used.
#include <takt/takt.hpp>

#include "lab/settings/chosen.hpp"
#include "settings/settings.hpp"
#include "support/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <latch>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace {

using std::chrono::microseconds;
using takt::config;
using takt::trigger;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

// One variable for the length of a test.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~variable() { ::unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
};

class environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"TAKT_WORKERS", "TAKT_BEAT_US", "TAKT_TRIGGER", "TAKT_CHUNKING", "TAKT_HYBRID",
                             "TAKT_MEMORY_K", "TAKT_STATS", "TAKT_SIGNAL", "TAKT_POLICY", "TAKT_BEAT_SOURCE"})
      ::unsetenv(name);
    // The user who runs the tests may have a settings file.
    ::setenv("TAKT_SETTINGS", "", 1);
  }
};

TEST_F(environment, nothing_set_gives_the_defaults_in_silence) {
  CaptureStderr();
  const config c = config::from_environment();
  EXPECT_EQ(GetCapturedStderr(), "");
  EXPECT_EQ(c.workers, 0u);
  EXPECT_EQ(c.beat, config{}.beat);
  EXPECT_EQ(c.trigger, trigger::lazy);
  EXPECT_EQ(takt::lab::chosen().chunking, takt::lab::chunking::time);
  EXPECT_EQ(takt::lab::chosen().target_polls, 4u) << "the paper's, section 6.6";
  EXPECT_FALSE(takt::lab::chosen().hybrid);
  EXPECT_EQ(c.policy, takt::policy::automatic);
  EXPECT_EQ(c.stats, "");
}

// Who misspells a value does not get other bits without a word.
TEST_F(environment, the_same_bits_are_asked_for_by_1) {
  const auto asks = [] { std::exit(takt::settings::is_deterministic() ? 1 : 0); };
  EXPECT_EXIT(asks(), testing::ExitedWithCode(0), "^$");
  for (const auto& [value, code, said] : {std::tuple("0", 0, "^$"), std::tuple("1", 1, "^$"),
        std::tuple("on", 1, "^takt: TAKT_DETERMINISTIC='on' is not 0 or 1; using 1\n$")}) {
    const variable same_bits("TAKT_DETERMINISTIC", value);
    EXPECT_EXIT(asks(), testing::ExitedWithCode(code), said);
  }
}

TEST_F(environment, good_values_are_used_in_silence) {
  const variable workers("TAKT_WORKERS", "5");
  const variable beat("TAKT_BEAT_US", "0");
  const variable stats("TAKT_STATS", "out.json");
  CaptureStderr();
  for (const auto t : {takt::lab::beat, takt::lab::eager, trigger::never, takt::lab::request, trigger::lazy}) {
    const variable set("TAKT_TRIGGER", takt_test::name_of(t).c_str());
    EXPECT_EQ(config::from_environment().trigger, t);
  }
  for (const auto p : {takt::policy::random, takt::policy::adws, takt::lab::ml_random, takt::policy::ml_adws,
                       takt::lab::sb, takt::lab::random_private, takt::lab::random_mixed, takt::lab::asyncdf}) {
    const variable set("TAKT_POLICY", takt_test::name_of(p).c_str());
    EXPECT_EQ(config::from_environment().policy, p);
  }
  const takt::lab::settings by_default;
  for (const auto& [value, kind, chunk, target] :
       {std::tuple("time", takt::lab::chunking::time, by_default.chunk, by_default.target_polls),
        std::tuple("hbc", takt::lab::chunking::hbc, by_default.chunk, by_default.target_polls),
        std::tuple("hbc:1", takt::lab::chunking::hbc, by_default.chunk, std::uint64_t{1}),
        std::tuple("hbc:1000", takt::lab::chunking::hbc, by_default.chunk, takt::lab::k_most_target_polls),
        std::tuple("1", takt::lab::chunking::fixed, std::uint64_t{1}, by_default.target_polls),
        std::tuple("100000", takt::lab::chunking::fixed, takt::lab::k_most_chunk, by_default.target_polls)}) {
    const variable set("TAKT_CHUNKING", value);
    (void)config::from_environment();
    EXPECT_EQ(takt::lab::chosen().chunking, kind);
    EXPECT_EQ(takt::lab::chosen().chunk, chunk);
    EXPECT_EQ(takt::lab::chosen().target_polls, target);
  }
  for (const auto& [value, source] : {std::pair("poll", takt::lab::beat_source::poll),
                                      std::pair("timer", takt::lab::beat_source::timer),
                                      std::pair("ping", takt::lab::beat_source::ping)}) {
    const variable set("TAKT_BEAT_SOURCE", value);
    (void)config::from_environment();
    EXPECT_EQ(takt::lab::chosen().beats, source);
  }
  for (const auto& [value, hybrid, alpha, beta] :
       {std::tuple("0", false, by_default.memory_alpha, by_default.memory_beta),
        std::tuple("1", true, by_default.memory_alpha, by_default.memory_beta),
        std::tuple("2K:0", true, std::uint64_t{2048}, std::uint64_t{0})}) {
    const variable set("TAKT_HYBRID", value);
    (void)config::from_environment();
    EXPECT_EQ(takt::lab::chosen().hybrid, hybrid) << value;
    EXPECT_EQ(takt::lab::chosen().memory_alpha, alpha) << value;
    EXPECT_EQ(takt::lab::chosen().memory_beta, beta) << value;
  }
  const config c = config::from_environment();
  EXPECT_EQ(GetCapturedStderr(), "");
  EXPECT_EQ(c.workers, 5u);
  EXPECT_EQ(c.beat, microseconds(0));
  EXPECT_EQ(c.stats, "out.json");
}

TEST_F(environment, a_signal_is_named_or_numbered) {
  CaptureStderr();
  EXPECT_EQ(config::from_environment().signal, 0);
  for (const auto& [value, number] : {std::pair{"SIGUSR2", SIGUSR2},
                                      {"USR2", SIGUSR2},
                                      {"URG", SIGURG},
                                      {"23", 23},
                                      {"SIGRTMIN", SIGRTMIN},
                                      {"RTMIN+3", SIGRTMIN + 3},
                                      {"SIGRTMAX-2", SIGRTMAX - 2}}) {
    const variable set("TAKT_SIGNAL", value);
    EXPECT_EQ(config::from_environment().signal, number) << value;
    EXPECT_TRUE(config::from_environment().interrupts);
  }
  const variable set("TAKT_SIGNAL", "none");
  EXPECT_FALSE(config::from_environment().interrupts);
  EXPECT_EQ(GetCapturedStderr(), "");
}

// One line that names the variable, the value and what is used instead.
void expect_rejected(const char* name, const char* value, const std::string& instead) {
  SCOPED_TRACE(std::string(name) + "='" + value + "'");
  const variable set(name, value);
  CaptureStderr();
  const config c = config::from_environment();
  const std::string said = GetCapturedStderr();
  EXPECT_NE(said.find(name), std::string::npos) << said;
  EXPECT_NE(said.find("'" + std::string(value) + "'"), std::string::npos) << said;
  EXPECT_NE(said.find(instead), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
  EXPECT_EQ(c.workers, config{}.workers);
  EXPECT_EQ(c.beat, config{}.beat);
  EXPECT_EQ(c.trigger, config{}.trigger);
  EXPECT_EQ(c.signal, 0);
  EXPECT_EQ(c.policy, instead == "using random" ? takt::policy::random : takt::policy::automatic);
  EXPECT_TRUE(c.interrupts);
}

TEST_F(environment, bad_values_are_named_and_replaced) {
  for (const char* value : {"", "0", "-1", "two", "2x", " 2", "2 ", "0x2", "1.5", "4097", "99999999999999999999"})
    expect_rejected("TAKT_WORKERS", value, "the number of usable CPUs");
  const std::string beat = std::to_string(config{}.beat.count());
  for (const char* value : {"", "-1", "fast", "30us", "1e3", "99999999999999999999"})
    expect_rejected("TAKT_BEAT_US", value, "using " + beat);
  for (const char* value : {"", "Beat", "requests", "1", "eager "})
    expect_rejected("TAKT_TRIGGER", value, "using lazy");
  for (const char* value : {"", "Adws", "adws ", "automatic", "1"})
    expect_rejected("TAKT_POLICY", value, "using random");
  for (const char* value :
       {"",   "None", "usr2", "SIGKILL", "SIGSEGV",  "SEGV",    "CHLD",    "0",      "9",        "32",
        "65", "-1",   "23x",  "RTMIN+",  "RTMIN+99", "RTMIN-1", "RTMAX+1", "RTMIN3", "RTMIN+-1", "RTMIN+2147483647"})
    expect_rejected("TAKT_SIGNAL", value, "using one of takt's choice");
}

// A run with something else would be taken for one with what was asked for.
TEST_F(environment, bad_values_of_the_laboratory_end_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (const char* value : {"", "Hbc", "fixed", "0", "-1", "8x", "100001", "99999999999999999999", "hbc:", "hbc:0",
                            "hbc:-1", "hbc:1001", "hbc:8x", "hbc: 8", "hbc8", "time:8", "hbc:99999999999999999999"}) {
    const variable set("TAKT_CHUNKING", value);
    EXPECT_EXIT((void)config::from_environment(), testing::ExitedWithCode(2), "^takt: TAKT_CHUNKING='[^\n]*\n$") << value;
  }
  for (const char* value : {"", "Timer", "module", "ping:20"}) {
    const variable set("TAKT_BEAT_SOURCE", value);
    EXPECT_EXIT((void)config::from_environment(), testing::ExitedWithCode(2), "^takt: TAKT_BEAT_SOURCE='[^\n]*\n$")
        << value;
  }
  for (const auto& [name, value] : {std::pair("TAKT_SIGNAL", "none"), std::pair("TAKT_SIM", "workers=2")}) {
    const variable none(name, value);
    const variable set("TAKT_BEAT_SOURCE", "ping");
    EXPECT_EXIT((void)config::from_environment(), testing::ExitedWithCode(2), "^takt: TAKT_BEAT_SOURCE='[^\n]*\n$")
        << name;
  }
  for (const char* value : {"", "yes", "2", "0:16", "1024:", ":16", "1.5K:0", "1:-1", "1024:16:2"}) {
    const variable set("TAKT_HYBRID", value);
    EXPECT_EXIT((void)config::from_environment(), testing::ExitedWithCode(2), "^takt: TAKT_HYBRID='[^\n]*\n$") << value;
  }
}

TEST_F(environment, names_that_the_laboratory_had_are_answered) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const variable set("TAKT_BALANCER", "mixed");
  EXPECT_EXIT((void)config::from_environment(), testing::ExitedWithCode(2),
              "^takt: TAKT_BALANCER has another name: lab/README.md\n$");
}

// A settings file for the length of a test.
class settings_file : public environment {
 protected:
  void SetUp() override {
    environment::SetUp();
    std::string pattern = testing::TempDir() + "takt_settings_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/settings";
    ::setenv("TAKT_SETTINGS", path_.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) { std::ofstream(path_) << text; }

  // What the configuration is, and what was said meanwhile.
  std::pair<long, std::string> read() {
    CaptureStderr();
    const config c = config::from_environment();
    return {c.beat.count(), GetCapturedStderr()};
  }

  std::string folder_;
  std::string path_;
};

TEST_F(settings_file, gives_the_beat) {
  write("# by hand\n\nTAKT_BEAT_US=42\n");
  EXPECT_EQ(read(), std::pair(42L, std::string()));
  write("TAKT_BEAT_US=1\r\nTAKT_BEAT_US=43");
  EXPECT_EQ(read(), std::pair(43L, std::string())) << "the last line counts, with any line end or none";
  write("");
  EXPECT_EQ(read(), std::pair(30L, std::string()));
}

TEST_F(settings_file, yields_to_the_environment) {
  write("TAKT_BEAT_US=42\n");
  const variable beat("TAKT_BEAT_US", "7");
  EXPECT_EQ(read(), std::pair(7L, std::string()));
}

TEST_F(settings_file, takes_the_place_of_a_bad_variable) {
  write("TAKT_BEAT_US=42\n");
  const variable beat("TAKT_BEAT_US", "fast");
  EXPECT_EQ(read(),
            std::pair(42L, std::string("takt: TAKT_BEAT_US='fast' is not a number from 0 to 1000000000; using 42\n")));
}

TEST_F(settings_file, bad_lines_are_named_and_spoil_the_file) {
  for (const char* value : {"", "-1", "fast", "30us", "1e3", " 3", "99999999999999999999"}) {
    write(std::string("TAKT_BEAT_US=42\n#\nTAKT_BEAT_US=") + value + "\nTAKT_BEAT_US=x\n");
    const std::string said =
        "takt: " + path_ + ":3: TAKT_BEAT_US='" + value + "' is not a number from 0 to 1000000000; using 30\n";
    EXPECT_EQ(read(), std::pair(30L, said));
  }
  for (const char* line : {"TAKT_WORKERS=3", "TAKT_BEAT_US", "TAKT_BEAT_USE=3", " TAKT_BEAT_US=3", "=", "\x7f"}) {
    write(std::string("TAKT_BEAT_US=42\n") + line + "\n");
    const std::string said = "takt: " + path_ + ":2: '" + line + "' is not a setting (TAKT_BEAT_US=NUMBER); using 30\n";
    EXPECT_EQ(read(), std::pair(30L, said));
  }
  write("TAKT_BEAT_US=" + std::string(1000, '0') + "5\n");
  EXPECT_EQ(read().first, 30) << "a line that is too long to be one";
}

TEST_F(settings_file, that_cannot_be_read_is_named) {
  EXPECT_EQ(read(), std::pair(30L, "takt: settings file " + path_ + ": No such file or directory; using 30\n"));
  ::setenv("TAKT_SETTINGS", folder_.c_str(), 1);
  EXPECT_EQ(read(), std::pair(30L, "takt: settings file " + folder_ + ": Is a directory; using 30\n"));
}

// Nobody writes to it, it has no end, there is nothing in it.
TEST_F(settings_file, that_is_none_is_not_waited_for) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(read(), std::pair(30L, "takt: settings file " + path_ + ": is a FIFO; using 30\n"));
  ::setenv("TAKT_SETTINGS", "/dev/zero", 1);
  EXPECT_EQ(read(), std::pair(30L, std::string("takt: /dev/zero:1: '' is not a setting (TAKT_BEAT_US=NUMBER); using 30\n")));
  ::setenv("TAKT_SETTINGS", "/dev/null", 1);
  EXPECT_EQ(read(), std::pair(30L, std::string()));
}

TEST_F(settings_file, is_looked_for_in_the_usual_places) {
  ::unsetenv("TAKT_SETTINGS");
  const variable config_home("XDG_CONFIG_HOME", folder_.c_str());
  EXPECT_EQ(read(), std::pair(30L, std::string())) << "it need not be there";
  std::filesystem::create_directory(folder_ + "/takt");
  path_ = folder_ + "/takt/settings";
  write("TAKT_BEAT_US=44\n");
  EXPECT_EQ(read(), std::pair(44L, std::string()));

  const variable home("HOME", folder_.c_str());
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  EXPECT_EQ(read(), std::pair(30L, std::string()));
  std::filesystem::create_directories(folder_ + "/.config/takt");
  path_ = folder_ + "/.config/takt/settings";
  write("TAKT_BEAT_US=45\n");
  EXPECT_EQ(read(), std::pair(45L, std::string()));

  ::setenv("TAKT_SETTINGS", "", 1);
  EXPECT_EQ(read(), std::pair(30L, std::string())) << "empty: none";
}

TEST_F(environment, is_what_the_first_parallel_call_uses) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const variable workers("TAKT_WORKERS", "3");
  const variable beat("TAKT_BEAT_US", "77");
  const variable how("TAKT_TRIGGER", "eager");
  EXPECT_EXIT(
      {
        (void)takt_test::fib(10);
        const config c = takt::current_config();
        std::exit(c.workers == 3 && c.beat == microseconds(77) && c.trigger == takt::lab::eager ? 0 : 1);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(configure, settings_are_resolved_and_in_force) {
  takt::configure(takt_test::eager(3));
  EXPECT_EQ(takt::current_config().workers, 3u);
  EXPECT_EQ(takt::current_config().trigger, takt::lab::eager);
  EXPECT_GT(takt::current_config().stack_bytes, 0u);
  takt::configure(config{});
  EXPECT_GE(takt::current_config().workers, 1u);
  EXPECT_LE(takt::current_config().workers, takt::k_most_workers);
  EXPECT_EQ(takt::current_config().beat, config{}.beat);
}

TEST(configure, a_need_is_in_force_with_a_budget_or_without) {
  for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1000}}) {
    config c = takt_test::by_default(2);
    c.memory = budget;
    c.memory_need = 5000;
    takt::configure(c);
    EXPECT_EQ(takt::current_config().memory, budget);
    EXPECT_EQ(takt::current_config().memory_need, 5000u);
    EXPECT_EQ(takt_test::fib(10), 55);
  }
  takt::configure(takt_test::by_default(2));
}

TEST(settings_of_tests, have_a_name_in_what_is_printed) {
  EXPECT_EQ(testing::PrintToString(takt::policy::ml_adws), "ml-adws");
  EXPECT_EQ(testing::PrintToString(takt::trigger::never), "never");
  const config c = takt_test::by_default(3);
  EXPECT_EQ(testing::PrintToString(c), takt_test::describe(c));
  EXPECT_EQ(testing::PrintToString(takt_test::config{c}), takt_test::describe(c));
}

TEST(configure, a_policy_that_nobody_names_is_that_of_the_environment) {
  const char* const set = std::getenv("TAKT_POLICY");
  const std::string before = set != nullptr ? set : "random";
  takt::configure(takt_test::eager(2));
  EXPECT_EQ(takt_test::name_of(takt::current_config().policy), before);
  {
    const variable policy("TAKT_POLICY", "adws");
    takt::configure(takt_test::eager(2));
    EXPECT_EQ(takt::current_config().policy, takt::policy::adws);
    takt::configure(takt_test::at_random(takt_test::eager(2)));
    EXPECT_EQ(takt::current_config().policy, takt::policy::random) << "what a program asks for goes first";
  }
  {
    const variable policy("TAKT_POLICY", "adsw");
    CaptureStderr();
    takt::configure(takt_test::eager(2));
    const std::string said = GetCapturedStderr();
    EXPECT_TRUE(said.starts_with("takt: TAKT_POLICY='adsw' is not random, adws, ")) << said;
    EXPECT_TRUE(said.ends_with("; using random\n")) << said;
    EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
    EXPECT_EQ(takt::current_config().policy, takt::policy::random);
  }
  if (set != nullptr) ::setenv("TAKT_POLICY", before.c_str(), 1);
}

TEST(configure, out_of_range_settings_throw_and_change_nothing) {
  takt::configure(takt_test::by_default(2));
  config many = takt_test::by_default(takt::k_most_workers + 1);
  EXPECT_THROW(takt::configure(many), std::invalid_argument);
  config early = takt_test::settings(3, takt::lab::beat, microseconds(-1));
  EXPECT_THROW(takt::configure(early), std::invalid_argument);
  for (const int number : {-1, 2, 15, 19, 1000}) {
    config unknown = takt_test::by_default(3);
    unknown.trigger = static_cast<trigger>(number);
    EXPECT_THROW(takt::configure(unknown), std::invalid_argument);
  }
  for (const int number : {-1, 4, 15, 21, 1000}) {
    config unknown = takt_test::by_default(3);
    unknown.policy = static_cast<takt::policy>(number);
    EXPECT_THROW(takt::configure(unknown), std::invalid_argument);
  }
  const auto refused = [](auto change) {
    takt::lab::config c = takt_test::by_default(3);
    change(c.lab);
    EXPECT_THROW(takt::lab::configure(c), std::invalid_argument);
  };
  for (const std::uint64_t chunk : {std::uint64_t{0}, takt::lab::k_most_chunk + 1}) {
    refused([chunk](takt::lab::settings& s) { s.chunking = takt::lab::chunking::fixed, s.chunk = chunk; });
  }
  for (const std::uint64_t target : {std::uint64_t{0}, takt::lab::k_most_target_polls + 1}) {
    refused([target](takt::lab::settings& s) { s.chunking = takt::lab::chunking::hbc, s.target_polls = target; });
  }
  refused([](takt::lab::settings& s) { s.memory_alpha = 0; });
  refused([](takt::lab::settings& s) { s.memory_k = 0; });
  EXPECT_EQ(takt::current_config().workers, 2u);
  EXPECT_EQ(takt_test::fib(10), 55);
}

TEST(configure, extreme_settings_are_refused_or_work) {
  // Whatever number is given: either it is said to be out of range, or parallel calls give the right answers.
  const auto try_out = [](const config& c) {
    try {
      takt::configure(c);
    } catch (const std::invalid_argument&) {
      return;
    }
    EXPECT_EQ(takt_test::fib(12), 144);
    EXPECT_EQ(takt_test::triangle(50), takt_test::serial_triangle(50));
  };
  for (const auto beat : {microseconds::max(), microseconds(1'000'000'000'000), microseconds(1)})
    try_out(takt_test::settings(2, takt::lab::beat, beat));
  config c = takt_test::eager(2);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t bytes : {most, most - 4096, most / 2 + 1, most / 4 + 1, most / 5, std::size_t{1}}) {
    SCOPED_TRACE("stack_bytes " + std::to_string(bytes));
    c.stack_bytes = bytes;
    try_out(c);
  }
  try_out(takt_test::eager(takt::k_most_workers));
}

TEST(configure, throws_while_a_parallel_call_is_under_way) {
  takt_test::under_each_setting([] {
    const takt::config before = takt::current_config();
    std::atomic<int> thrown{0};
    const auto attempt = [&thrown] {
      try {
        takt::configure(takt_test::eager(2));
      } catch (const std::logic_error&) {
        thrown.fetch_add(1);
      }
    };
    takt::fork_join(attempt, attempt);
    takt::fork_join([&] { takt::parallel_for(0, 10, [&](int) { attempt(); }); }, [] {});
    EXPECT_EQ(thrown.load(), 12);
    EXPECT_EQ(takt::current_config().workers, before.workers);
    EXPECT_EQ(takt::current_config().trigger, before.trigger);
  });
}

TEST(configure, throws_while_another_thread_is_inside_a_parallel_call) {
  takt::configure(takt_test::eager(2));
  std::latch inside(1);
  std::latch leave(1);
  std::thread other([&] {
    takt::fork_join(
        [&] {
          inside.count_down();
          leave.wait();
        },
        [] {});
  });
  inside.wait();
  EXPECT_THROW(takt::configure(takt_test::eager(3)), std::logic_error);
  leave.count_down();
  other.join();
  takt::configure(takt_test::eager(3));
  EXPECT_EQ(takt::current_config().workers, 3u);
}

}  // namespace
