// The caches of the simulated machine: hits and misses that can be counted by hand, and a second, simpler model.
#include "sim/caches.hpp"

#include "support/seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace takt::sim;
constexpr std::uint64_t k_line = caches::k_line;

std::vector<cache_level> levels(const std::string& text) {
  std::vector<cache_level> out;
  EXPECT_EQ(parse(text, out), "");
  return out;
}

TEST(caches, sizes_and_sharers_are_read) {
  const std::vector<cache_level> all = levels("48K:1+2M:2+1G:56");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].bytes, 48u << 10);
  EXPECT_EQ(all[1].bytes, 2u << 20);
  EXPECT_EQ(all[1].shared_by, 2u);
  EXPECT_EQ(all[2].bytes, 1u << 30);
  EXPECT_EQ(levels("64:1")[0].bytes, 64u);
}

TEST(caches, times_are_read) {
  const std::vector<cache_level> all = levels("32K:1:1.25+1M:1:5:64.5+38M:28:20.006");
  EXPECT_EQ(all[0].latency_ps, 1'250u);
  EXPECT_EQ(all[0].bytes_per_ns, 0);
  EXPECT_EQ(all[1].latency_ps, 5'000u);
  EXPECT_EQ(all[1].bytes_per_ns, 64.5);
  EXPECT_EQ(all[2].latency_ps, 20'006u);
  EXPECT_EQ(levels("32K:1")[0].latency_ps, 0u);
}

TEST(caches, nonsense_is_refused) {
  std::vector<cache_level> out;
  for (const char* text : {"",
                           "32K",
                           "32K:",
                           ":1",
                           "32K:0",
                           "32K:5000",
                           "32T:1",
                           "63:1",
                           "32K:1+",
                           "32K:1,1M:1",
                           "32K:1+32K:1",
                           "32K:2+1M:3",
                           "99999999999999999999:1",
                           "2048G:1",
                           "32K:1x",
                           "-32K:1",
                           "32K:1:",
                           "32K:1:x",
                           "32K:1:1.",
                           "32K:1:.5",
                           "32K:1:1.2345",
                           "32K:1:1:",
                           "32K:1:1:0",
                           "32K:1:1:2:3",
                           "32K:1:99999999999999999999"})
    EXPECT_NE(parse(text, out), "") << text;
}

TEST(caches, the_oldest_line_goes) {
  caches c(levels("256:1"), 1);
  for (std::uint64_t line : {0, 1, 2, 3}) c.touch(0, line * k_line, 1);
  c.touch(0, 0, 1);           // there, and now the last used
  c.touch(0, 4 * k_line, 1);  // in place of line 1
  c.touch(0, 0, 1);
  c.touch(0, 1 * k_line, 1);
  EXPECT_EQ(c.of(0, 0).misses, 6u);
  EXPECT_EQ(c.of(0, 0).hits, 2u);
}

TEST(caches, a_range_is_its_lines) {
  caches c(levels("1M:1"), 1);
  c.touch(0, k_line - 1, 2);
  EXPECT_EQ(c.of(0, 0).misses, 2u);
  c.touch(0, 0, 10 * k_line);
  EXPECT_EQ(c.of(0, 0).misses, 10u);
  c.touch(0, 5, 0);
  EXPECT_EQ(c.of(0, 0).hits, 2u);
}

TEST(caches, a_grain_is_all_its_lines) {
  caches c(levels("4K:1"), 1, 1024);
  c.touch(0, 1023, 2);
  EXPECT_EQ(c.of(0, 0).misses, 32u);
  c.touch(0, 0, 64);
  EXPECT_EQ(c.of(0, 0).hits, 16u);
  // The cache has room for four.
  for (std::uint64_t block : {2, 3, 4}) c.touch(0, block * 1024, 1);
  c.touch(0, 0, 1);     // used after the second one
  c.touch(0, 1024, 1);  // dropped for the fifth
  EXPECT_EQ(c.of(0, 0).misses, 16u * 6);
  EXPECT_EQ(c.of(0, 0).hits, 32u);
}

TEST(caches, a_touch_says_where_its_lines_were) {
  caches c(levels("128:1+1M:2"), 2);
  c.touch(0, caches::k_page - 2 * k_line, 4 * k_line);
  const caches::found& cold = c.touch(0, caches::k_page - 3 * k_line, 5 * k_line);
  // What comes first goes through memory and puts one of the two that are there out, so that all are from afar.
  EXPECT_EQ(cold.at, (std::vector<std::uint64_t>{0, 4, 1}));
  ASSERT_EQ(cold.memory.size(), 1u);
  EXPECT_EQ(cold.memory[0].page, 0u);
  EXPECT_EQ(cold.memory[0].lines, 1u);
  const caches::found& both = c.touch(1, 3 * caches::k_page - k_line, 2 * k_line);
  ASSERT_EQ(both.memory.size(), 2u);
  EXPECT_EQ(both.memory[0].page, 2u);
  EXPECT_EQ(both.memory[1].page, 3u);
  EXPECT_EQ(c.touch(0, 0, 0).at, (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST(caches, a_shared_level_serves_both) {
  caches c(levels("1K:1+64K:2"), 4);
  c.touch(0, 0, 1);
  c.touch(1, 0, 1);  // not in its own, but in the shared one
  c.touch(2, 0, 1);  // another pair
  EXPECT_EQ(c.of(0, 1).misses, 1u);
  EXPECT_EQ(c.of(1, 1).hits, 1u);
  EXPECT_EQ(c.of(1, 2).misses, 1u);
}

TEST(caches, what_the_outer_level_drops_is_dropped_below) {
  caches c(levels("128:1+256:2"), 2);
  c.touch(0, 0, 1);
  // Core 1 fills the shared level.
  for (std::uint64_t line : {1, 2, 3, 4}) c.touch(1, line * k_line, 1);
  c.touch(0, 0, 1);
  EXPECT_EQ(c.of(0, 0).misses, 2u);
  EXPECT_EQ(c.of(1, 0).misses, 2u);
}

// As slow and as plain as can be.
class plain_model {
 public:
  plain_model(const std::vector<cache_level>& levels, unsigned cores) : levels_(levels), misses_(levels.size()) {
    for (const cache_level& l : levels_) lines_.emplace_back((cores + l.shared_by - 1) / l.shared_by);
  }
  void touch(unsigned core, std::uint64_t line) {
    bool found = false;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      std::vector<std::uint64_t>& c = lines_[l][core / levels_[l].shared_by];
      const auto at = std::ranges::find(c, line);
      if (at != c.end()) {
        found = true;
        c.erase(at);
      } else if (!found) {
        ++misses_[l];
      }
      c.insert(c.begin(), line);
    }
    for (std::size_t l = levels_.size(); l-- > 0;) {
      for (std::size_t i = 0; i < lines_[l].size(); ++i) {
        std::vector<std::uint64_t>& c = lines_[l][i];
        if (l + 1 < levels_.size()) {
          const std::vector<std::uint64_t>& outer = lines_[l + 1][i * levels_[l].shared_by / levels_[l + 1].shared_by];
          std::erase_if(c, [&](std::uint64_t x) { return std::ranges::find(outer, x) == outer.end(); });
        }
        // What the outer level has dropped has made room already.
        if (c.size() > levels_[l].bytes / k_line) c.pop_back();
      }
    }
  }
  std::uint64_t misses(std::size_t l) const { return misses_[l]; }

 private:
  std::vector<cache_level> levels_;
  std::vector<std::vector<std::vector<std::uint64_t>>> lines_;
  std::vector<std::uint64_t> misses_;
};

TEST(caches, more_caches_below_than_marks) {
  // 130 cores share one that has room for two lines: the third touch drops the first line everywhere.
  constexpr unsigned k_cores = 130;
  caches c(levels("64:1+128:130"), k_cores);
  for (unsigned core = 0; core < k_cores; ++core) c.touch(core, 0, 1);
  c.touch(0, 1 * k_line, 1);
  c.touch(0, 2 * k_line, 1);
  for (unsigned core : {1u, 65u, 129u}) {
    c.touch(core, 0, 1);
    EXPECT_EQ(c.of(0, core).hits, 0u) << core;
    c.touch(core, 0, 1);
    EXPECT_EQ(c.of(0, core).hits, 1u) << core;
  }
}

TEST(caches, as_a_plain_model_says) {
  SCOPED_TRACE(takt_test::seed_message());
  std::mt19937 random(takt_test::chosen_seed());
  for (const char* text : {"256:1", "256:1+1K:1", "256:1+512:2+2K:4", "128:2+1K:4", "256:1+320:5"}) {
    SCOPED_TRACE(text);
    constexpr unsigned k_cores = 5;
    caches c(levels(text), k_cores);
    plain_model plain(levels(text), k_cores);
    for (int i = 0; i < 5000; ++i) {
      const auto core = static_cast<unsigned>(random() % k_cores);
      const std::uint64_t line = random() % 3 == 0 ? random() % 60 : random() % 8;
      c.touch(core, line * k_line, 8);
      plain.touch(core, line);
    }
    for (std::size_t l = 0; l < c.levels(); ++l) {
      std::uint64_t misses = 0;
      for (unsigned core = 0; core < k_cores; ++core) misses += c.of(l, core).misses;
      EXPECT_EQ(misses, plain.misses(l)) << "level " << l + 1;
    }
  }
}

}  // namespace
