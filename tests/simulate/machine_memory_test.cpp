// What touches take on the simulated machine, against numbers found by hand.
#include "sim/memory.hpp"

#include "sim/caches.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace takt::sim;

constexpr std::uint64_t k_ns = 1000;

std::vector<cache_level> levels(const std::string& text) {
  std::vector<cache_level> out;
  EXPECT_EQ(parse(text, out), "");
  return out;
}

memory_settings memory(const std::string& text) {
  memory_settings out;
  EXPECT_EQ(parse(text, out), "");
  return out;
}

// Caches and memory together, as a simulation has them.
class machine {
 public:
  machine(const std::string& caches_text, const memory_settings& m, unsigned cores)
      : caches_(levels(caches_text), cores), time_(levels(caches_text), m, cores) {}
  /// @returns nanoseconds, thousandths included.
  double touch(unsigned core, std::uint64_t now_ns, std::uint64_t line, std::uint64_t lines) {
    const caches::found& found = caches_.touch(core, line * caches::k_line, lines * caches::k_line);
    return static_cast<double>(time_.take(core, now_ns * k_ns, found)) / k_ns;
  }
  const memory_time::counts& total() const { return time_.total(); }

 private:
  caches caches_;
  memory_time time_;
};

constexpr std::uint64_t k_lines_of_page = caches::k_page / caches::k_line;

TEST(memory, settings_are_read) {
  const memory_settings m = memory("80:140.5:105.25:28");
  EXPECT_EQ(m.local_ps, 80'000u);
  EXPECT_EQ(m.remote_ps, 140'500u);
  EXPECT_EQ(m.bytes_per_ns, 105.25);
  EXPECT_EQ(m.shared_by, 28u);
  EXPECT_EQ(memory("80:140:0:1").bytes_per_ns, 0);
}

TEST(memory, nonsense_is_refused) {
  memory_settings out;
  for (const char* text : {"", "80", "80:140", "80:140:105", "80:140:105:", "80:140:105:0", "80:140:105:5000",
                           "x:140:105:28", "80:-1:105:28", "80:140:105:28:1", "80:140:1.0000:28", "9999999:1:1:1"})
    EXPECT_NE(parse(text, out), "") << text;
}

TEST(memory, a_line_takes_what_it_takes_where_it_is) {
  machine m("128:1:1+64K:1:5", memory("80:140:0:1"), 1);
  EXPECT_EQ(m.touch(0, 0, 0, 1), 80);
  EXPECT_EQ(m.touch(0, 0, 0, 1), 1);
  m.touch(0, 0, 1, 2);  // the small one has room for two
  EXPECT_EQ(m.touch(0, 0, 0, 1), 5);
}

TEST(memory, lines_of_one_touch_come_side_by_side) {
  memory_settings said = memory("80:140:0:1");
  machine m("64K:1", said, 1);
  EXPECT_EQ(m.touch(0, 0, 0, 4), 80);      // 4 * 80 / 4
  EXPECT_EQ(m.touch(0, 0, 10, 10), 80);    // 10 * 80 / 10
  EXPECT_EQ(m.touch(0, 0, 100, 25), 200);  // 25 * 80 / 10
  said.in_flight = 1;
  machine one_by_one("64K:1", said, 1);
  EXPECT_EQ(one_by_one.touch(0, 0, 0, 4), 320);
  // Nothing of a touch of nothing.
  EXPECT_EQ(one_by_one.touch(0, 0, 0, 0), 0);
}

TEST(memory, work_on_lines_comes_on_top) {
  memory_settings said = memory("80:140:16:1");
  said.work_ps = 2500;
  machine m("64K:1:1", said, 1);
  EXPECT_EQ(m.touch(0, 0, 0, 20), 160 + 50);  // 20 * 80 / 10, 20 * 2.5
  EXPECT_EQ(m.touch(0, 1000, 0, 20), 2 + 50);
}

TEST(memory, bandwidth_is_a_limit) {
  // 16 bytes a nanosecond: a line in 4 ns. 10 lines at a time in 80 ns are 8 ns each.
  machine m("64K:1", memory("80:140:16:4"), 4);
  EXPECT_EQ(m.touch(0, 0, 0, 100), 800);
  // Two cores keep it busy: at 800 ns it has nothing to do, and 400 ns for each of these.
  EXPECT_EQ(m.touch(1, 800, 1000, 100), 800);
  EXPECT_EQ(m.touch(2, 800, 2000, 100), 800);
  // The third and the fourth of that time wait for it: 1200 and 1600 ns of work.
  EXPECT_EQ(m.touch(3, 800, 3000, 100), 1200);
  EXPECT_EQ(m.touch(0, 800, 4000, 100), 1600);
  EXPECT_EQ(m.total().queued_ps, 1200 * k_ns);
  EXPECT_EQ(m.total().taken_ps, (3 * 800 + 1200 + 1600) * k_ns);
  // At 1800 there are 600 ns left of it.
  EXPECT_EQ(m.touch(1, 1800, 5000, 100), 1000);
  EXPECT_EQ(m.touch(1, 10'000, 6000, 1), 80);
}

TEST(memory, cores_together_get_no_more_than_there_is) {
  // Eight cores want 8 GB/s each of 16.
  constexpr unsigned k_cores = 8;
  machine m("64K:1", memory("80:80:16:8"), k_cores);
  std::uint64_t at[k_cores] = {};
  for (std::uint64_t round = 0; round < 50; ++round) {
    for (unsigned core = 0; core < k_cores; ++core)
      at[core] += static_cast<std::uint64_t>(m.touch(core, at[core], 10'000 * (core * 50 + round), 100));
  }
  // 8 * 50 * 6400 bytes at 16 a nanosecond.
  for (const std::uint64_t end : at) EXPECT_NEAR(static_cast<double>(end), 160'000, 0.03 * 160'000);
}

TEST(memory, a_shared_cache_has_a_limit_of_its_own) {
  // The second level hands out a line in 2 ns, to two cores; each core wants one in 1 ns.
  machine m("64:1+1M:2:10:32", memory("80:140:0:4"), 4);
  m.touch(0, 0, 0, 1000);
  m.touch(2, 0, 0, 1000);
  EXPECT_EQ(m.touch(0, 100'000, 0, 100), 200);
  EXPECT_EQ(m.touch(1, 100'000, 0, 100), 400);
  // The other cache is nobody's yet.
  EXPECT_EQ(m.touch(3, 100'000, 0, 100), 200);
}

TEST(memory, who_touches_a_page_first_has_it_near) {
  machine m("64:1", memory("80:140:0:2"), 4);
  EXPECT_EQ(m.touch(0, 0, 0, 1), 80);
  EXPECT_EQ(m.touch(2, 0, 1, 1), 140);               // the same page
  EXPECT_EQ(m.touch(3, 0, k_lines_of_page, 1), 80);  // the next one is theirs
  EXPECT_EQ(m.touch(1, 0, k_lines_of_page + 5, 1), 140);
  // One line of each: (80 + 140) / 2.
  EXPECT_EQ(m.touch(0, 0, k_lines_of_page - 1, 2), 110);
  EXPECT_EQ(m.total().local_lines, 3u);
  EXPECT_EQ(m.total().remote_lines, 3u);
}

TEST(memory, pages_go_to_nodes_in_turn) {
  memory_settings said = memory("80:140:0:2");
  said.pages = page_placement::interleave;
  machine m("64:1", said, 4);
  // In the order in which they are touched, wherever they are.
  EXPECT_EQ(m.touch(2, 0, 7 * k_lines_of_page, 1), 140);
  EXPECT_EQ(m.touch(2, 0, 100 * k_lines_of_page, 1), 80);
  EXPECT_EQ(m.touch(2, 0, 3 * k_lines_of_page, 1), 140);
  EXPECT_EQ(m.touch(0, 0, 7 * k_lines_of_page + 1, 1), 80);
}

TEST(memory, each_node_has_a_limit_of_its_own) {
  machine m("64:1", memory("80:80:16:1"), 2);
  m.touch(0, 0, 0, 64);
  m.touch(1, 0, k_lines_of_page, 64);
  // Both from node 0: 64 lines take it 256 ns, a core alone 512.
  EXPECT_EQ(m.touch(0, 10'000, 0, 64), 512);
  EXPECT_EQ(m.touch(1, 10'000, 0, 64), 512);
  EXPECT_EQ(m.touch(0, 10'000, 0, 64), 768);
  EXPECT_EQ(m.touch(1, 10'000, k_lines_of_page, 64), 512);
}

}  // namespace
