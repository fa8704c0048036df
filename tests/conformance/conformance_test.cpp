// Random programs give the serial answer, the serial error and run every node once, for every trigger, beat interval
// and number of workers.
//
//   conformance_test                 some hundred programs for each combination, or TAKT_SEEDS of them
//   conformance_test --seeds 10000   the full run
//   conformance_test --first N       from seed N on, where it is 1 otherwise
//   conformance_test --seed N        one program, printed first; --gtest_filter chooses the combination
#include <takt/takt.hpp>

#include "conformance/program.hpp"
#include "support/settings.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace takt_test {

static std::ostream& operator<<(std::ostream& out, const outcome& o) {
  return out << "{value " << o.value << ", error " << o.error << ", nodes executed " << o.executed << ", checksum "
             << o.checksum << "}";
}

}  // namespace takt_test

namespace {

using takt_test::outcome;

// Half a minute for all combinations; under the sanitizers programs take about ten times as long.
constexpr std::uint64_t k_default_seeds = TAKT_TEST_SANITIZER ? 70 : 700;

struct options {
  std::uint64_t first = 1;
  std::uint64_t seeds = k_default_seeds;
};
options chosen;

// Says which program hangs: the time limit of ctest would only say that one does.
class watchdog {
 public:
  watchdog() : thread_([this] { watch(); }) {}
  ~watchdog() {
    {
      const std::lock_guard guard(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void begin(std::uint64_t seed) { seed_.store(seed); }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    std::uint64_t before = seed_.load();
    while (!changed_.wait_for(lock, std::chrono::minutes(5), [this] { return done_; })) {
      const std::uint64_t now = seed_.load();
      if (now == before) {
        std::fprintf(stderr, "conformance_test: the program of seed %llu does not end\n",
                     static_cast<unsigned long long>(now));
        std::abort();
      }
      before = now;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::atomic<std::uint64_t> seed_{0};
  std::thread thread_;
};

const outcome& serial_outcome(std::uint64_t seed, const takt_test::node& program) {
  static std::map<std::uint64_t, outcome> known;
  const auto found = known.find(seed);
  return found != known.end() ? found->second : known.emplace(seed, run_serial(program)).first->second;
}

// Only the hunt's hosts limit it.
bool is_short_of_space() {
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur < rlim_t{100} << 20) return true;
  }
  return false;
}

class conformance : public testing::TestWithParam<takt_test::config> {};

TEST_P(conformance, random_programs_run_as_they_do_serially) {
  takt_test::configure(GetParam());
  watchdog dog;
  int failures = 0;
  for (std::uint64_t k = 0; k < chosen.seeds; ++k) {
    const std::uint64_t seed = chosen.first + k;
    dog.begin(seed);
    const takt_test::node program = takt_test::make_program(seed);
    const outcome expected = serial_outcome(seed, program);
    if (chosen.seeds == 1) std::fputs(describe(program).c_str(), stdout);
    takt_test::scopes_of_policies = seed % 4 == 0;
    const outcome seen = run_takt(program);
    const int leaked = takt_test::program_error::live();
    if (seen == expected && leaked == 0) continue;
    ADD_FAILURE() << "seed " << seed << ", " << takt_test::describe(GetParam()) << "\n"
                  << "  serial: " << expected << "\n  takt:   " << seen << "\n  errors leaked: " << leaked << "\n"
                  << "again: conformance_test --seed " << seed << " --gtest_filter='*"
                  << testing::UnitTest::GetInstance()->current_test_info()->name() << "'";
    // More of them would tell nothing new.
    if (++failures == 3) return;
  }
  EXPECT_EQ(nlohmann::json::parse(takt::stats_json()).at("total").at("memory_now_bytes"), 0u)
      << "bytes that nobody holds any more are still counted";
  if (chosen.seeds < 10) return;
  // Otherwise the serial answers would say nothing about takt.
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  // Without a stack all is serial: a promise, where half of the address space has no room for two.
  if (total.at("stacks_peak") == 0u && is_short_of_space()) return;
  const takt_test::config& c = GetParam();
  const auto promotions =
      total.at("promotions_forks").get<std::uint64_t>() + total.at("promotions_loops").get<std::uint64_t>();
#ifdef TAKT_LAB
  if (c.trigger == takt::lab::request && c.workers == 1) {
    // Nobody who could ask.
    EXPECT_EQ(promotions, 0u);
  } else if (c.trigger == takt::lab::eager || (c.beat.count() == 0 && c.trigger == takt::lab::beat)) {
    EXPECT_GT(promotions, 10 * chosen.seeds);
  }
#endif
  if (c.trigger == takt::trigger::never) {
    EXPECT_EQ(promotions, 0u);
  } else if (c.trigger == takt::trigger::lazy && c.beat.count() == 0) {
    EXPECT_GT(promotions, chosen.seeds);
  }
}

std::string name_of(const testing::TestParamInfo<takt_test::config>& info) {
  return takt_test::name_of(info.param.trigger) + "_beat" + std::to_string(info.param.beat.count()) + "_workers" +
         std::to_string(info.param.workers) + "_" + takt_test::in_a_name(takt_test::name_of(info.param.policy)) +
#ifdef TAKT_LAB
         (info.param.lab.hybrid ? "_hybrid" : "") +
         (info.param.policy == takt::lab::asyncdf ? std::to_string(info.param.lab.memory_k) : "") +
         takt_test::name_of(info.param.lab.beats) +
#endif
         (info.param.memory != 0 ? "_budget" + std::to_string(info.param.memory) : "") +
         (info.param.memory_need != 0 ? "_need" + std::to_string(info.param.memory_need) : "");
}

// All triggers that there are.
std::vector<takt::trigger> triggers() {
  return {
#ifdef TAKT_LAB
      takt::lab::beat, takt::lab::eager, takt::lab::request,
#endif
      takt::trigger::never, takt::trigger::lazy};
}

// What gives others much to take, and all else that there is for that.
std::vector<takt::config> much_to_take(unsigned workers) {
  return {takt_test::by_default(workers), takt_test::lazy_zero(workers),
#ifdef TAKT_LAB
          takt_test::beat_zero(workers), takt_test::eager(workers)
#endif
  };
}

// A budget that lets hardly anything through, and one that lets some; with what the leftmost may need: too little, some,
// and all that there is.
void add_budgets(std::vector<takt_test::config>& all) {
  for (const std::uint64_t budget : {std::uint64_t{1}, 40 * takt_test::k_block_bytes}) {
    for (const unsigned workers : {2u, 3u, 8u}) {
      for (takt_test::config c : much_to_take(workers)) {
        c.memory = budget;
        all.push_back(c);
      }
    }
  }
  for (const std::uint64_t need : {std::uint64_t{1}, 10 * takt_test::k_block_bytes, 40 * takt_test::k_block_bytes}) {
    for (takt_test::config c : {much_to_take(3).front(), much_to_take(2)[1], much_to_take(8).back()}) {
      c.memory = 40 * takt_test::k_block_bytes;
      c.memory_need = need;
      all.push_back(c);
    }
  }
}

#ifdef TAKT_LAB
void add_laboratory(std::vector<takt_test::config>& all) {
  // Where tasks pass between workers in other ways.
  for (const auto b : {takt::lab::random_private, takt::lab::random_mixed}) {
    for (const unsigned workers : {1u, 2u, 3u}) {
      for (const takt::config& c : much_to_take(workers)) all.push_back(takt_test::with(b, c));
      all.push_back(takt_test::with(b, takt_test::on_request(workers, std::chrono::microseconds(1))));
    }
    all.push_back(takt_test::with(b, takt_test::by_default(8)));
  }
  // Where tasks sleep before they hold memory: for few rounds and for many, with a budget and without.
  const auto sleepy = [](takt_test::config c, std::uint64_t budget) {
    c.lab.hybrid = budget % 2 == 0;
    c.lab.memory_alpha = budget == 0 ? takt_test::k_block_bytes / 16 : takt_test::k_block_bytes;
    c.memory = budget;
    return c;
  };
  for (const std::uint64_t budget : {std::uint64_t{0}, 40 * takt_test::k_block_bytes}) {
    for (const unsigned workers : {2u, 3u, 8u}) {
      for (const takt::config& c : much_to_take(workers)) all.push_back(sleepy(c, budget));
    }
  }
  for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1}, 40 * takt_test::k_block_bytes}) {
    all.push_back(sleepy(takt_test::with(takt::lab::random_private, takt_test::eager(3)), budget));
    all.push_back(sleepy(takt_test::on_request(3, std::chrono::microseconds(1)), budget));
  }
  // In the order of the serial program, put back at each block or after several.
  for (const std::uint64_t k : {takt_test::k_block_bytes / 16, 3 * takt_test::k_block_bytes}) {
    for (takt_test::config c :
         {takt_test::by_default(3), takt_test::lazy_zero(2), takt_test::eager(3), takt_test::eager(8)}) {
      c.policy = takt::lab::asyncdf;
      c.lab.memory_k = k;
      all.push_back(c);
    }
  }
  // Where beats come at any instruction.
  for (const auto source : {takt::lab::beat_source::timer, takt::lab::beat_source::ping}) {
    const auto from = [source](takt_test::config c) {
      c.lab.beats = source;
      return c;
    };
    const auto often = [](unsigned workers, takt::trigger t) {
      return takt_test::settings(workers, t, std::chrono::microseconds(20));
    };
    for (const unsigned workers : {1u, 3u}) {
      for (const auto t : {takt::trigger::lazy, takt::lab::beat}) all.push_back(from(often(workers, t)));
    }
    all.push_back(from(takt_test::with(takt::lab::random_private, often(3, takt::lab::beat))));
  }
}
#endif

std::vector<takt_test::config> matrix() {
  std::vector<takt_test::config> all;
  for (const takt::trigger t : triggers()) {
    for (const auto beat : {std::chrono::microseconds(0), std::chrono::microseconds(1), takt::config{}.beat}) {
      for (const unsigned workers : {1u, 2u, 3u, 8u, 64u}) all.push_back(takt_test::settings(workers, t, beat));
    }
  }
  add_budgets(all);
#ifdef TAKT_LAB
  add_laboratory(all);
#else
  for (const takt::policy p : {takt::policy::adws, takt::policy::ml_adws}) {
    for (const unsigned workers : {1u, 2u, 3u, 8u}) all.push_back(takt_test::with(p, takt_test::lazy_zero(workers)));
  }
#endif
  return all;
}

INSTANTIATE_TEST_SUITE_P(matrix, conformance, testing::ValuesIn(matrix()), name_of);

std::optional<std::uint64_t> number(const char* text) {
  std::uint64_t n = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return n;
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "conformance_test: %s\n", what.c_str());
  std::exit(2);
}

std::uint64_t number_or_refuse(const char* name, const char* text) {
  const auto n = number(text);
  if (!n) refuse(std::string(name) + " wants a number, not '" + text + "'");
  return *n;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* seeds = std::getenv("TAKT_SEEDS"); seeds != nullptr)
    chosen.seeds = number_or_refuse("TAKT_SEEDS", seeds);
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) refuse(option + " wants a number");
    if (option == "--seeds") {
      chosen.seeds = number_or_refuse("--seeds", argv[i + 1]);
    } else if (option == "--first") {
      chosen.first = number_or_refuse("--first", argv[i + 1]);
    } else if (option == "--seed") {
      chosen = {number_or_refuse("--seed", argv[i + 1]), 1};
    } else {
      refuse("unknown option '" + option + "'");
    }
  }
  return RUN_ALL_TESTS();
}
