// Descriptions of machines: those that are installed, and what is refused.
#include "tools/scale_machine.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include "tools/scale_calibrate.hpp"
#include "tools/scale_run.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::json;

json good_machine() {
  return json::parse(R"({"name": "small", "sockets": 2, "cores_per_socket": 3,
    "cache": [{"level": 1, "bytes": 32768, "shared_by": 1}],
    "costs_ns": {"wake": 10, "start": 20, "signal": 30, "steal": 40}})");
}

// The one line of the refusal; "" if the text was taken.
std::string refusal_of(const std::string& text) {
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_takt_machine.json";
  std::ofstream(path, std::ios::binary) << text;
  std::string line;
  try {
    read_machine(path);
  } catch (const usage_error& error) {
    line = error.what();
    EXPECT_NE(line.find(path), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  std::remove(path.c_str());
  return line;
}

TEST(scale_machine, those_that_are_installed_can_be_read) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(TAKT_MACHINES)) {
    const machine_description machine = read_machine(file.path());
    const bool is_small = file.path().stem() == "two-cores";
    EXPECT_GE(machine.cores(), is_small ? 2U : 56U) << file.path();
    EXPECT_EQ(machine.caches.size(), is_small ? 2U : 3U) << file.path();
    // Nobody may take an assumption for a measurement.
    EXPECT_NE(machine.source.find("assumed"), std::string::npos) << file.path();
    EXPECT_GT(machine.costs.steal, 0U) << file.path();
    ++count;
  }
  EXPECT_EQ(count, 4);
}

TEST(scale_machine, times_of_memory_may_be_said) {
  const machine_description cascade_lake = read_machine(TAKT_MACHINES "/cascade-lake-2x28.json");
  ASSERT_TRUE(cascade_lake.memory);
  EXPECT_EQ(cascade_lake.memory->in_flight, 10U);
  EXPECT_GT(cascade_lake.memory->remote_ns, cascade_lake.memory->local_ns);
  for (const machine_cache& cache : cascade_lake.caches) EXPECT_GT(cache.latency_ns, 0) << cache.level;

  json machine = good_machine();
  machine["memory"] = {{"local_ns", 80}, {"remote_ns", 140.5}, {"gb_per_s", 0}, {"in_flight", 12}};
  machine["cache"][0]["latency_ns"] = 1.5;
  machine["cache"][0]["gb_per_s"] = 200;
  EXPECT_EQ(refusal_of(machine.dump()), "");
  machine["memory"].erase("in_flight");
  EXPECT_EQ(refusal_of(machine.dump()), "");
  for (const char* key : {"local_ns", "remote_ns", "gb_per_s"}) {
    json without = machine;
    without["memory"].erase(key);
    EXPECT_NE(refusal_of(without.dump()).find(key), std::string::npos);
    json bad = machine;
    bad["memory"][key] = -1;
    EXPECT_NE(refusal_of(bad.dump()).find(key), std::string::npos);
  }
  machine["memory"]["in_flight"] = 0;
  EXPECT_NE(refusal_of(machine.dump()).find("in_flight"), std::string::npos);
  machine["memory"] = 3;
  EXPECT_NE(refusal_of(machine.dump()).find("memory"), std::string::npos);
  json slow = good_machine();
  slow["cache"][0]["latency_ns"] = "fast";
  EXPECT_NE(refusal_of(slow.dump()).find("latency_ns"), std::string::npos);
}

TEST(scale_machine, cores_need_not_be_alike) {
  json machine = good_machine();
  machine["speeds"] = json::parse(R"([{"cores": 2, "speed": 1}, {"cores": 4, "speed": 0.65}])");
  EXPECT_EQ(refusal_of(machine.dump()), "");
  simulated_run run;
  run.workers = 6;
  run.speeds = {{2, 1}, {4, 0.65}};
  EXPECT_NE(takt_sim_value(run, "x").find(",speeds=2:1.000+4:0.650"), std::string::npos);
  for (const char* bad : {"3", "[3]", R"([{"cores": 0, "speed": 1}])", R"([{"cores": 1, "speed": 0}])",
                          R"([{"cores": 1}])", R"([{"cores": 1, "speed": 1001}])"}) {
    machine["speeds"] = json::parse(bad);
    EXPECT_NE(refusal_of(machine.dump()).find("speed"), std::string::npos) << bad;
  }
}

TEST(scale_machine, costs_without_a_value_have_a_default) {
  EXPECT_EQ(refusal_of(good_machine().dump()), "");
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_takt_good_machine.json";
  std::ofstream(path) << good_machine();
  const machine_description machine = read_machine(path);
  std::remove(path.c_str());
  EXPECT_EQ(machine.cores(), 6U);
  const sim_costs wanted{.wake = 10, .start = 20, .signal = 30, .steal = 40};
  EXPECT_EQ(machine.costs, wanted);
  EXPECT_EQ(machine.costs.spin, 50U);
  EXPECT_EQ(default_workers(machine), (std::vector<unsigned>{1, 2, 4, 6}));
}

TEST(scale_machine, workers_by_default) {
  EXPECT_EQ(default_workers({}), (std::vector<unsigned>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(default_workers({"", "", 1, 1}), (std::vector<unsigned>{1}));
  EXPECT_EQ(default_workers({"", "", 1, 8}), (std::vector<unsigned>{1, 2, 4, 8}));
}

TEST(scale_machine, what_is_not_a_description_is_refused) {
  for (const char* text : {"", "{", "[]", "7", "\xFF", "{}", "{\"name\": \"x\"} x"}) {
    EXPECT_NE(refusal_of(text), "") << text;
  }
  EXPECT_NE(refusal_of("").find("is not JSON"), std::string::npos);
  // One change each; null removes the key.
  const std::vector<std::string> changes = {
      R"({"name": null})", R"({"name": ""})", R"({"name": 1})", R"({"source": 1})",
      R"({"sockets": null})", R"({"sockets": 0})", R"({"sockets": -1})", R"({"sockets": 1.5})",
      R"({"sockets": "2"})", R"({"sockets": 5000})", R"({"cores_per_socket": 0})",
      R"({"sockets": 4096, "cores_per_socket": 4096})", R"({"cache": null})", R"({"cache": {}})",
      R"({"cache": [1]})", R"({"cache": [{"level": 1, "bytes": 1}]})",
      R"({"cache": [{"level": 1, "bytes": 0, "shared_by": 1}]})",
      R"({"cache": [{"level": 1, "bytes": 64, "shared_by": 1, "x": 1}]})",
      R"({"cache": [{"level": 1, "bytes": 32, "shared_by": 1}]})",
      R"({"cache": [{"level": 1, "bytes": 128, "shared_by": 1},
                    {"level": 2, "bytes": 128, "shared_by": 1}]})",
      R"({"cache": [{"level": 2, "bytes": 128, "shared_by": 1},
                    {"level": 1, "bytes": 256, "shared_by": 1}]})",
      R"({"cache": [{"level": 1, "bytes": 128, "shared_by": 2},
                    {"level": 2, "bytes": 256, "shared_by": 3}]})",
      R"({"costs_ns": null})", R"({"costs_ns": {"wake": null}})",
      R"({"costs_ns": {"steal": -1}})", R"({"costs_ns": {"steal": 1e30}})",
      R"({"costs_ns": {"steal": 2000000000}})", R"({"costs_ns": {"stael": 1}})",
      R"({"costs_ns": {"spin": "x"}})", R"({"cost": 1})"};
  for (const std::string& change : changes) {
    json machine = good_machine();
    machine.merge_patch(json::parse(change));
    EXPECT_NE(refusal_of(machine.dump()), "") << change;
  }
  EXPECT_THROW(read_machine("/no/such/file"), usage_error);
  try {
    read_machine(testing::TempDir());
    ADD_FAILURE() << "a folder was read";
  } catch (const usage_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be read"), std::string::npos);
  }
  EXPECT_THROW(read_machine("/dev/zero"), usage_error) << "it has no end";
}

TEST(scale_machine, this_one_is_measured) {
  const machine_description here = calibrate();
  EXPECT_EQ(here.cores(), 0U);
  for (const cost_name& cost : k_costs) {
    if (cost.required) {
      EXPECT_GT(here.costs.*cost.value, 0U) << cost.name;
    }
  }
}

}  // namespace
}  // namespace takt::tools
