// The CPU count on made-up machines: a tree of files per test, as the kernel would show it.
#include "platform/threads/cpu_count.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using takt::platform::affinity_cpus;
using takt::platform::cpu_limits;
using takt::platform::cpu_sources;
using takt::platform::find_cpu_limits;
using takt::platform::k_no_quota;
using takt::platform::usable_cpus;

unsigned eight_cpus() noexcept { return 8; }
unsigned one_cpu() noexcept { return 1; }
unsigned no_cpu() noexcept { return 0; }

class cpu_count : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "takt-cpus-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    machine_.root = name;
    machine_.affinity = &eight_cpus;
  }

  void TearDown() override { std::filesystem::remove_all(machine_.root); }

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = machine_.root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << text;
    ASSERT_TRUE(out.good()) << file;
  }

  // One v2 hierarchy at the usual place. The optional fields before the dash are there
  // because parsers that count fields break on them.
  void write_v2(const std::string& cgroup, const std::string& mount_root = "/") const {
    write("/proc/self/cgroup", "0::" + cgroup + "\n");
    write("/proc/self/mountinfo",
          "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
          "30 22 0:26 " +
              mount_root + " /sys/fs/cgroup rw,nosuid shared:4 master:2 - cgroup2 cgroup2 rw,nsdelegate\n");
  }

  void write_v1(const std::string& cgroup, const std::string& mount_root = "/") const {
    write("/proc/self/cgroup", "5:cpuset:/elsewhere\n4:cpu,cpuacct:" + cgroup + "\n1:name=systemd:/elsewhere\n");
    write("/proc/self/mountinfo",
          "31 22 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "32 22 0:29 " +
              mount_root + " /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct\n");
  }

  void write_v1_quota(const std::string& cgroup, const std::string& quota, const std::string& period) const {
    write("/sys/fs/cgroup/cpu,cpuacct" + cgroup + "/cpu.cfs_quota_us", quota + "\n");
    write("/sys/fs/cgroup/cpu,cpuacct" + cgroup + "/cpu.cfs_period_us", period + "\n");
  }

  cpu_sources machine_;
};

TEST_F(cpu_count, nothing_to_read_leaves_the_affinity_mask) {
  EXPECT_EQ(usable_cpus(machine_), 8U);
  const cpu_limits limits = find_cpu_limits(machine_);
  EXPECT_EQ(limits.quota, k_no_quota);
  EXPECT_EQ(limits.quota_file, "");
}

TEST_F(cpu_count, is_at_least_one) {
  machine_.affinity = &no_cpu;
  EXPECT_EQ(usable_cpus(machine_), 1U);
  machine_.affinity = &eight_cpus;
  write_v2("/small");
  write("/sys/fs/cgroup/small/cpu.max", "1000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 1U);
}

TEST_F(cpu_count, affinity_below_the_quota_wins) {
  machine_.affinity = &one_cpu;
  write_v2("/a");
  write("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 1U);
}

TEST_F(cpu_count, v2_quota_and_where_it_is_from) {
  write_v2("/user.slice/job");
  write("/sys/fs/cgroup/user.slice/job/cpu.max", "300000 100000\n");
  const cpu_limits limits = find_cpu_limits(machine_);
  EXPECT_DOUBLE_EQ(limits.quota, 3.0);
  EXPECT_EQ(limits.quota_file, machine_.root + "/sys/fs/cgroup/user.slice/job/cpu.max");
  EXPECT_EQ(limits.usable(), 3U);
}

TEST_F(cpu_count, v2_fraction_is_rounded_up) {
  write_v2("/a");
  write("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, v2_period_is_honoured) {
  write_v2("/a");
  write("/sys/fs/cgroup/a/cpu.max", "100000 20000\n");
  EXPECT_EQ(usable_cpus(machine_), 5U);
}

TEST_F(cpu_count, v2_tighter_parent_grandparent_and_mount_point) {
  write_v2("/pod/container/job");
  write("/sys/fs/cgroup/pod/container/job/cpu.max", "700000 100000\n");
  write("/sys/fs/cgroup/pod/container/cpu.max", "600000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 6U);
  write("/sys/fs/cgroup/pod/cpu.max", "400000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 4U);
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, v2_siblings_do_not_count) {
  write_v2("/pod/container");
  write("/sys/fs/cgroup/pod/container/cpu.max", "500000 100000\n");
  write("/sys/fs/cgroup/pod/other/cpu.max", "100000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 5U);
}

TEST_F(cpu_count, v2_max_is_no_limit_but_its_ancestors_are) {
  write_v2("/pod/container");
  write("/sys/fs/cgroup/pod/container/cpu.max", "max 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 8U);
  EXPECT_EQ(find_cpu_limits(machine_).quota, k_no_quota);
  write("/sys/fs/cgroup/pod/cpu.max", "300000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 3U);
}

TEST_F(cpu_count, v2_huge_quota_does_not_overflow) {
  write_v2("/a");
  write("/sys/fs/cgroup/a/cpu.max", "9223372036854775807 1\n");
  EXPECT_EQ(usable_cpus(machine_), 8U);
}

TEST_F(cpu_count, v2_container_with_its_own_mount_root) {
  write_v2("/docker/abc/job", "/docker/abc");
  write("/sys/fs/cgroup/job/cpu.max", "700000 100000\n");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, v2_mount_root_is_matched_by_whole_names) {
  write_v2("/docker/abcdef", "/docker/abc");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  write("/sys/fs/cgroup/def/cpu.max", "100000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 8U);
}

TEST_F(cpu_count, namespace_mount_from_outside_is_followed_down) {
  write_v2("/../job", "/..");
  write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 3U);
}

TEST_F(cpu_count, namespace_mount_from_above_counts_as_ancestor) {
  write_v2("/job", "/../..");
  write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  // The names between the mount and the cgroup are unknown; this one is somebody else's.
  write("/sys/fs/cgroup/job/cpu.max", "100000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 4U);
}

TEST_F(cpu_count, namespace_cgroup_outside_the_mount_is_no_limit) {
  write_v2("/../job", "/");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  write("/sys/fs/job/cpu.max", "100000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 8U);
}

TEST_F(cpu_count, v1_quota) {
  write_v1("/batch");
  write_v1_quota("/batch", "250000", "100000");
  const cpu_limits limits = find_cpu_limits(machine_);
  EXPECT_DOUBLE_EQ(limits.quota, 2.5);
  EXPECT_EQ(limits.usable(), 3U);
  EXPECT_EQ(limits.quota_file, machine_.root + "/sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us");
}

TEST_F(cpu_count, v1_tighter_ancestor) {
  write_v1("/batch/night/job");
  write_v1_quota("/batch/night/job", "-1", "100000");
  write_v1_quota("/batch/night", "600000", "100000");
  write_v1_quota("/batch", "200000", "100000");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, v1_minus_one_is_no_limit) {
  write_v1("/");
  write_v1_quota("", "-1", "100000");
  EXPECT_EQ(usable_cpus(machine_), 8U);
}

TEST_F(cpu_count, v1_container_with_its_own_mount_root) {
  write_v1("/docker/abc", "/docker/abc");
  write_v1_quota("", "300000", "100000");
  EXPECT_EQ(usable_cpus(machine_), 3U);
}

TEST_F(cpu_count, v1_other_controllers_do_not_count) {
  write_v1("/a");
  for (const std::string cgroup : {"/a", "/elsewhere"}) {
    write("/sys/fs/cgroup/cpuset" + cgroup + "/cpu.cfs_quota_us", "100000\n");
    write("/sys/fs/cgroup/cpuset" + cgroup + "/cpu.cfs_period_us", "100000\n");
  }
  EXPECT_EQ(usable_cpus(machine_), 8U);
  write_v1_quota("/a", "700000", "100000");
  EXPECT_EQ(usable_cpus(machine_), 7U);
}

TEST_F(cpu_count, hybrid_takes_the_tighter_hierarchy) {
  write("/proc/self/cgroup", "3:cpu,cpuacct:/old\n0::/new\n");
  write("/proc/self/mountinfo",
        "32 22 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write_v1_quota("/old", "500000", "100000");
  EXPECT_EQ(usable_cpus(machine_), 5U);
  write("/sys/fs/cgroup/unified/new/cpu.max", "300000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 3U);
  write_v1_quota("/old", "200000", "100000");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, mount_point_with_escaped_characters) {
  write("/proc/self/cgroup", "0::/a\n");
  write("/proc/self/mountinfo", "41 31 0:38 / /mnt/my\\040groups rw - cgroup2 cgroup2 rw\n");
  write("/mnt/my groups/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, cgroup_name_with_colons) {
  write_v2("/job:1:2");
  write("/sys/fs/cgroup/job:1:2/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, malformed_quota_is_no_limit_and_hides_no_other) {
  for (const char* text : {"", "\n", "abc", "-5 100000", "0 100000", "100000 0", "100000 -1", "100000", "1e5 100000",
                           "99999999999999999999 100000", "100000 x"}) {
    SCOPED_TRACE(text);
    write_v2("/a/b");
    write("/sys/fs/cgroup/a/b/cpu.max", text);
    write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
    EXPECT_EQ(usable_cpus(machine_), 8U);
    write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    EXPECT_EQ(usable_cpus(machine_), 3U);
  }
}

TEST_F(cpu_count, malformed_tables_are_no_limit) {
  write_v2("/a");
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  ASSERT_EQ(usable_cpus(machine_), 2U);
  for (const char* text : {"", "\n\n", "0", "0::", "::", "garbage", "1:cpu\n"}) {
    SCOPED_TRACE(text);
    write("/proc/self/cgroup", text);
    EXPECT_EQ(usable_cpus(machine_), 8U);
  }
  write_v2("/a");
  for (const char* text : {"", "\n", "1 2 3", "1 2 3 / /sys/fs/cgroup rw", "- cgroup2 cgroup2 rw",
                           "1 2 3 / /sys/fs/cgroup rw -", "1 2 3 / /sys/fs/cgroup rw - tmpfs x rw"}) {
    SCOPED_TRACE(text);
    write("/proc/self/mountinfo", text);
    EXPECT_EQ(usable_cpus(machine_), 8U);
  }
}

TEST_F(cpu_count, tables_without_a_last_newline) {
  write("/proc/self/cgroup", "0::/a");
  write("/proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, tables_longer_than_one_read) {
  std::string table;
  for (int i = 0; i < 2000; ++i) {
    table += "22 1 8:1 / /mnt/disk rw,relatime - ext4 /dev/disk rw\n";
  }
  write_v2("/a");
  write("/proc/self/mountinfo", table + "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(usable_cpus(machine_), 2U);
}

TEST_F(cpu_count, a_directory_in_place_of_a_file_is_no_limit) {
  write_v2("/a");
  std::filesystem::create_directories(machine_.root + "/sys/fs/cgroup/a/cpu.max");
  EXPECT_EQ(usable_cpus(machine_), 8U);
}

// This thread, and the one that an emulator has for itself.
void bind_all_threads(const cpu_set_t& cpus) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    ASSERT_EQ(::sched_setaffinity(std::stoi(task.path().filename()), sizeof cpus, &cpus), 0);
  }
}

TEST_F(cpu_count, affinity_is_that_of_all_threads_together) {
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(affinity_cpus(), static_cast<unsigned>(CPU_COUNT(&before)));

  int first = 0;
  while (!CPU_ISSET(first, &before)) {
    ++first;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  bind_all_threads(one);
  EXPECT_EQ(affinity_cpus(), 1U);
  EXPECT_EQ(usable_cpus(), 1U);
  // Another thread may still run anywhere.
  std::thread([&before] {
    ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(affinity_cpus(), static_cast<unsigned>(CPU_COUNT(&before)));
  }).join();
  bind_all_threads(before);
}

TEST_F(cpu_count, this_machine_is_within_its_mask) {
  EXPECT_GE(usable_cpus(), 1U);
  EXPECT_LE(usable_cpus(), affinity_cpus());
}

}  // namespace
