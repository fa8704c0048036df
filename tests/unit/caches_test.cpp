// Caches on made-up machines, as the kernel would show them, and who sits where.
#include "omp/places/places.hpp"
#include "platform/threads/caches.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

namespace {

using takt::omp::parse_places;
using takt::omp::parse_proc_bind;
using takt::platform::arrange_seats;
using takt::platform::binding;
using takt::platform::caches_of;
using takt::platform::cpu_cache;
using takt::platform::cpu_set;
using takt::platform::placement;
using takt::platform::places;
using takt::platform::seats;
using takt::platform::shared_cache;
using cpu_list = std::vector<unsigned>;

cpu_set set_of(const cpu_list& cpus) {
  cpu_set set;
  for (const unsigned cpu : cpus) set.add(cpu);
  return set;
}

cpu_list list_of(const cpu_set& set) {
  cpu_list cpus;
  for (unsigned cpu = set.after(-1); cpu < cpu_set::k_most; cpu = set.after(static_cast<int>(cpu))) cpus.push_back(cpu);
  return cpus;
}

void expect(const shared_cache& c, unsigned level, unsigned first, unsigned workers, const cpu_list& cpus) {
  EXPECT_EQ(c.level, level);
  EXPECT_EQ(c.first, first);
  EXPECT_EQ(c.workers, workers);
  EXPECT_EQ(list_of(c.cpus), cpus);
}

class caches : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "takt-caches-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(unsigned cpu, unsigned index, const char* file, const std::string& text) const {
    const std::filesystem::path folder =
        root_ + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / file, std::ios::binary);
    out << text << '\n';
    ASSERT_TRUE(out.good());
  }
  void cache(unsigned cpu, unsigned index, unsigned level, const char* type, const char* size, const char* shared) {
    write(cpu, index, "level", std::to_string(level));
    write(cpu, index, "type", type);
    write(cpu, index, "size", size);
    write(cpu, index, "shared_cpu_list", shared);
  }
  // Two packages of two cores of two threads, numbered as Linux does: 4 is 0's other thread.
  void two_packages() {
    for (unsigned cpu = 0; cpu < 8; ++cpu) {
      const unsigned core = cpu % 4;
      const std::string both = std::to_string(core) + "," + std::to_string(core + 4);
      cache(cpu, 0, 1, "Data", "48K", both.c_str());
      cache(cpu, 1, 1, "Instruction", "32K", both.c_str());
      cache(cpu, 2, 2, "Unified", "2048K", both.c_str());
      cache(cpu, 3, 3, "Unified", "491520K", core < 2 ? "0-1,4-5" : "2-3,6-7");
    }
  }
  seats arrange(unsigned workers, const cpu_list& cpus, unsigned here = 0) const {
    return arrange_seats(workers, set_of(cpus), caches_of(set_of(cpus), root_), here);
  }
  seats arrange(unsigned workers, const char* where, binding how, unsigned here = 0) const {
    const placement wanted{.where = parse_places(where).value(), .how = how};
    return arrange_seats(workers, set_of(eight_), caches_of(set_of(eight_), root_), here, wanted);
  }

  std::string root_;
  const cpu_list eight_{0, 1, 2, 3, 4, 5, 6, 7};
};

TEST_F(caches, are_read_once_each_and_hold_data) {
  two_packages();
  const std::vector<cpu_cache> all = caches_of(set_of(eight_), root_);
  ASSERT_EQ(all.size(), 4u + 4u + 2u);
  EXPECT_EQ(all[0].level, 1u);
  EXPECT_EQ(all[0].bytes, 48u << 10);
  EXPECT_EQ(list_of(all[0].cpus), (cpu_list{0, 4}));
  EXPECT_EQ(all[2].bytes, std::uint64_t{480} << 20);
  EXPECT_EQ(list_of(all[2].cpus), (cpu_list{0, 1, 4, 5}));
  // CPUs that are not the process's are not there.
  for (const cpu_cache& c : caches_of(set_of({4, 7}), root_)) EXPECT_EQ(c.cpus.count(), 1u);
}

TEST_F(caches, who_shares_one_sits_side_by_side) {
  two_packages();
  const seats all = arrange(8, eight_);
  EXPECT_EQ(all.cpus, (cpu_list{0, 4, 1, 5, 2, 6, 3, 7}));
  // What the two threads of a core share is no level.
  ASSERT_EQ(all.caches.size(), 2u);
  expect(all.caches[0], 3, 0, 4, {0, 1, 4, 5});
  expect(all.caches[1], 3, 4, 4, {2, 3, 6, 7});
}

TEST_F(caches, each_core_has_a_worker_before_any_has_two) {
  two_packages();
  const seats four = arrange(4, eight_);
  EXPECT_EQ(four.cpus, (cpu_list{0, 1, 2, 3}));
  ASSERT_EQ(four.caches.size(), 2u);
  expect(four.caches[1], 3, 2, 2, {2, 3, 6, 7});
  EXPECT_EQ(arrange(5, eight_).cpus, (cpu_list{0, 4, 1, 2, 3}));
  // Two are in one package, and have to stay there.
  const seats two = arrange(2, eight_);
  ASSERT_EQ(two.caches.size(), 1u);
  expect(two.caches[0], 3, 0, 2, {0, 1, 4, 5});
}

TEST_F(caches, the_cache_of_who_asks_comes_first) {
  two_packages();
  EXPECT_EQ(arrange(8, eight_, 7).cpus, (cpu_list{3, 7, 2, 6, 0, 4, 1, 5}));
  const seats two = arrange(2, eight_, 6);
  EXPECT_EQ(two.cpus, (cpu_list{2, 3}));
  expect(two.caches.at(0), 3, 0, 2, {2, 3, 6, 7});
}

TEST_F(caches, a_cache_of_all_binds_nobody) {
  two_packages();
  const seats package = arrange(3, {0, 1, 4, 5});
  EXPECT_EQ(package.cpus, (cpu_list{0, 4, 1}));
  ASSERT_EQ(package.caches.size(), 1u);
  expect(package.caches[0], 3, 0, 3, {});
}

TEST_F(caches, workers_that_share_cpus_have_none) {
  two_packages();
  for (const unsigned workers : {0u, 9u}) {
    EXPECT_TRUE(arrange(workers, eight_).cpus.empty());
    EXPECT_TRUE(arrange(workers, eight_).caches.empty());
  }
}

TEST_F(caches, cores_may_differ) {
  // Two large ones, and four small ones that share a cache.
  for (unsigned cpu = 0; cpu < 6; ++cpu) {
    const std::string own = std::to_string(cpu);
    cache(cpu, 0, 1, "Data", "32K", own.c_str());
    cache(cpu, 1, 2, "Unified", "1024K", cpu < 2 ? own.c_str() : "2-5");
    cache(cpu, 2, 3, "Unified", "8192K", "0-5");
  }
  const seats all = arrange(6, {0, 1, 2, 3, 4, 5});
  ASSERT_EQ(all.caches.size(), 4u);
  expect(all.caches[0], 3, 0, 6, {});
  // Nobody is bound to one core.
  expect(all.caches[1], 2, 0, 1, {});
  expect(all.caches[2], 2, 1, 1, {});
  expect(all.caches[3], 2, 2, 4, {2, 3, 4, 5});
}

TEST_F(caches, of_one_core_with_two_threads_bind_nobody) {
  // A large core of two threads, and two small ones that share a cache.
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    cache(cpu, 0, 1, "Data", "32K", cpu < 2 ? "0-1" : std::to_string(cpu).c_str());
    cache(cpu, 1, 2, "Unified", "1024K", cpu < 2 ? "0-1" : "2-3");
  }
  const seats all = arrange(4, {0, 1, 2, 3});
  ASSERT_EQ(all.caches.size(), 2u);
  expect(all.caches[0], 2, 0, 2, {});
  expect(all.caches[1], 2, 2, 2, {2, 3});
}

TEST_F(caches, a_level_that_some_lack_is_none) {
  two_packages();
  for (const auto& [file, text] : {std::pair{"size", "12M"},
                                   {"size", "K"},
                                   {"size", "0K"},
                                   {"size", "99999999999999999K"},
                                   {"level", "three"},
                                   {"level", "0"},
                                   {"shared_cpu_list", "0-2"},
                                   {"shared_cpu_list", ""},
                                   {"shared_cpu_list", "7-3"},
                                   {"shared_cpu_list", "3-8192"},
                                   {"shared_cpu_list", "3,,x"}}) {
    // The others of that package still have it, without the one.
    for (const unsigned cpu : {2u, 3u, 6u, 7u}) write(cpu, 3, file, text);
    EXPECT_TRUE(arrange(8, eight_).caches.empty()) << file << ' ' << text;
    EXPECT_EQ(arrange(8, eight_).cpus.size(), 8u);
    two_packages();
    ASSERT_EQ(arrange(8, eight_).caches.size(), 2u);
  }
}

TEST_F(caches, levels_nest) {
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    cache(cpu, 0, 1, "Data", "32K", std::to_string(cpu).c_str());
    cache(cpu, 1, 2, "Unified", "1024K", cpu == 1 || cpu == 2 ? "1-2" : "0,3");
    cache(cpu, 2, 3, "Unified", "8192K", cpu < 2 ? "0-1" : "2-3");
  }
  const seats all = arrange(4, {0, 1, 2, 3});
  ASSERT_EQ(all.caches.size(), 2u);
  expect(all.caches[0], 3, 0, 2, {0, 1});
  expect(all.caches[1], 3, 2, 2, {2, 3});
}

TEST_F(caches, of_which_nothing_is_known) {
  const seats all = arrange(2, {1, 3, 5});
  EXPECT_EQ(all.cpus, (cpu_list{1, 3}));
  EXPECT_TRUE(all.caches.empty());
}

TEST_F(caches, places_of_openmp_choose_cpus) {
  two_packages();
  constexpr auto close = binding::close;
  constexpr auto spread = binding::spread;
  EXPECT_EQ(arrange(2, eight_).cpus, (cpu_list{0, 1}));
  EXPECT_EQ(arrange(2, "cores", close).cpus, (cpu_list{0, 1}));
  EXPECT_EQ(arrange(2, "threads", close).cpus, (cpu_list{0, 4}));
  EXPECT_EQ(arrange(2, "cores", spread).cpus, (cpu_list{0, 2}));
  EXPECT_EQ(arrange(2, "sockets", close).cpus, (cpu_list{0, 2}));
  // Two on each core's first CPU, two are left over.
  EXPECT_EQ(arrange(6, "cores", close).cpus, (cpu_list{0, 4, 1, 5, 2, 3}));
  EXPECT_EQ(arrange(6, "cores", spread).cpus, (cpu_list{0, 4, 1, 2, 6, 3}));
  // It begins where the caller is.
  EXPECT_EQ(arrange(2, "cores", close, 7).cpus, (cpu_list{3, 2}));
  EXPECT_EQ(arrange(2, "threads ( 2 )", close, 7).cpus, (cpu_list{3, 7}));

  const seats both = arrange(2, "cores", spread);
  EXPECT_TRUE(both.caches.empty()) << "each has a cache of its own, which is no level";
  const seats three = arrange(3, "cores(3)", close);
  ASSERT_EQ(three.caches.size(), 2u);
  expect(three.caches[0], 3, 0, 2, {0, 1, 4, 5});
  expect(three.caches[1], 3, 2, 1, {2, 3, 6, 7});
}

TEST_F(caches, lists_of_places_limit_and_order) {
  two_packages();
  // One worker to each place first; the caches as they are named first.
  const seats all = arrange(4, "{3,7},{2},{1},{0,4}", binding::close, 3);
  EXPECT_EQ(all.cpus, (cpu_list{3, 2, 1, 0}));
  ASSERT_EQ(all.caches.size(), 2u);
  expect(all.caches[0], 3, 0, 2, {2, 3, 7});
  expect(all.caches[1], 3, 2, 2, {0, 1, 4});
  // From the place of the caller around.
  EXPECT_EQ(arrange(4, "{3,7},{2},{1},{0,4}", binding::close, 0).cpus, (cpu_list{0, 1, 3, 2}));
  EXPECT_EQ(arrange(4, "{0:4}", binding::close, 5).cpus, (cpu_list{1, 0, 2, 3})) << "of a caller who is in none";
  EXPECT_FALSE(all.are_too_many);
  // Two places have no CPU that is the process's.
  EXPECT_EQ(arrange(2, "{0}:4:4", binding::close).cpus, (cpu_list{0, 4}));
}

TEST_F(caches, places_with_too_few_cpus_are_no_hint) {
  two_packages();
  for (const char* where : {"{0,1}", "threads(2)", "cores(1)", "{100}"}) {
    const seats all = arrange(3, where, binding::spread);
    EXPECT_TRUE(all.are_too_many) << where;
    EXPECT_EQ(all.cpus, (cpu_list{0, 1, 2})) << where;
  }
  EXPECT_FALSE(arrange(4, "{0,1,2,3}", binding::spread).are_too_many) << "one place, of four CPUs";
  const seats more = arrange(9, "{0,1}", binding::close);
  EXPECT_TRUE(more.cpus.empty());
}

TEST_F(caches, who_is_not_to_be_bound_has_no_levels_of_several_caches) {
  two_packages();
  EXPECT_TRUE(arrange(8, "cores", binding::none).caches.empty());
  EXPECT_TRUE(arrange(8, "cores", binding::none).are_left_out);
  EXPECT_FALSE(arrange(8, "cores", binding::close).are_left_out);
  EXPECT_EQ(arrange(8, "cores", binding::none).cpus, arrange(8, eight_).cpus);
  // One cache for all needs no binding.
  const seats one = arrange_seats(4, set_of({0, 1, 4, 5}), caches_of(set_of({0, 1, 4, 5}), root_), 0,
                                  placement{.how = binding::none});
  ASSERT_EQ(one.caches.size(), 1u);
  expect(one.caches[0], 3, 0, 4, {});
  EXPECT_FALSE(one.are_left_out);
}

TEST(omp_places, are_read_as_openmp_says) {
  const auto list = [](const char* text) {
    std::vector<cpu_list> all;
    const places where = parse_places(text).value();
    for (const cpu_set& place : where.list) all.push_back(list_of(place));
    return all;
  };
  using lists = std::vector<cpu_list>;
  EXPECT_EQ(list("{0,1},{2,3}"), (lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(list(" { 0 : 2 } , 5 "), (lists{{0, 1}, {5}}));
  EXPECT_EQ(list("{0:3:2}"), (lists{{0, 2, 4}}));
  EXPECT_EQ(list("{4:2:-1}"), (lists{{3, 4}}));
  EXPECT_EQ(list("{0:4}:3:4"), (lists{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
  EXPECT_EQ(list("{1}:2:-1,{3}"), (lists{{1}, {0}, {3}}));
  EXPECT_EQ(parse_places("Cores").value().what, places::kind::cores);
  EXPECT_EQ(parse_places("numa_domains").value().what, places::kind::caches);
  EXPECT_EQ(parse_places("threads(12)").value().count, 12u);
  for (const char* bad : {"",          " ",        "socket",     "cores(",    "cores()",   "cores(0)",
                          "cores(-1)", "cores(2",  "sockets(1)", "cores(2)x", "{",         "{}",
                          "{0",        "{0}}",     "{0},",       ",{0}",      "{0:0}",     "{0:-1}",
                          "{a}",       "{0:2:x}",  "{0}:",       "{0}:0",     "{0}:2:-1",  "{8192}",
                          "{-1}",      "{0:9000}", "{0}:8193",   "!{0}",      "{0}:2:1:1", "{99999999999999999999}"}) {
    EXPECT_FALSE(parse_places(bad).has_value()) << bad;
  }
}

TEST(omp_places, white_space_joins_nothing) {
  EXPECT_EQ(parse_places(" cores\t( 12 )\n").value().count, 12u);
  for (const char* bad : {"0 1 2 3", "{0 1},{2 3}", "{0:1 0}", "{0}:1 0", "{0:2:- 1}", "{0} {1}", "{0} 1", "0 {1}",
                          "{ }", "c o r e s", "cores 2", "cores(1 2)", "cores(2) 3"}) {
    EXPECT_FALSE(parse_places(bad).has_value()) << bad;
  }
}

TEST(omp_places, are_no_more_than_there_can_be_cpus) {
  const std::string most = "0:" + std::to_string(cpu_set::k_most);
  EXPECT_EQ(parse_places(most).value().list.size(), std::size_t{cpu_set::k_most});
  EXPECT_FALSE(parse_places(most + ",0").has_value());
  EXPECT_FALSE(parse_places("0," + most).has_value());
  EXPECT_FALSE(parse_places(most + "," + most).has_value());
  // Nothing goes on.
  EXPECT_FALSE(parse_places("0:2:0").has_value());
  EXPECT_FALSE(parse_places("{0:2:0}").has_value());
  EXPECT_EQ(parse_places("{0:1:0}:1:0").value().list.size(), 1u);
}

TEST(omp_proc_bind, is_that_of_outermost_regions) {
  EXPECT_EQ(parse_proc_bind("spread,close"), binding::spread);
  EXPECT_EQ(parse_proc_bind(" TRUE "), binding::close);
  EXPECT_EQ(parse_proc_bind(" spread\t, close "), binding::spread);
  EXPECT_EQ(parse_proc_bind("master"), binding::close);
  EXPECT_EQ(parse_proc_bind("false"), binding::none);
  for (const char* bad : {"", "maybe", "close;spread", "close,maybe", "spread,", ",spread", "close,,close", "t r u e"})
    EXPECT_FALSE(parse_proc_bind(bad)) << bad;
}

}  // namespace
