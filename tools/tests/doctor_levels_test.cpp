// What the doctor says of levels, on made-up machines.
#include "tools/doctor_levels.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace {

using takt::platform::cpu_set;
using takt::tools::json_of;
using takt::tools::level_facts;
using takt::tools::text_of;

// Two caches of two cores each, under one of all.
level_facts four(const char* policy, bool can_bind = true) {
  cpu_set left, right;
  for (const unsigned cpu : {0u, 2u}) left.add(cpu);
  for (const unsigned cpu : {4u, 5u}) right.add(cpu);
  return {{{0, 2, 4, 5}, {{4, 0, 4, 64 << 20, {}}, {3, 0, 2, 1536 << 10, left}, {3, 2, 2, 1536 << 10, right}}},
          policy,
          can_bind};
}

TEST(doctor_levels, who_sits_where) {
  EXPECT_EQ(text_of(four("ml-adws")),
            "levels    of policies ml-adws, ml-random and sb\n"
            "          L4 64 MiB: workers 0-3 for cpus 0,2,4-5\n"
            "          L3 1536 KiB: workers 0-1 for cpus 0,2, bound to 0,2\n"
            "          L3 1536 KiB: workers 2-3 for cpus 4-5, bound to 4-5\n");
  const auto json = json_of(four("ml-random"));
  EXPECT_EQ(json["cpu_of_worker"].dump(), "[0,2,4,5]");
  ASSERT_EQ(json["caches"].size(), 3u);
  EXPECT_EQ(json["caches"][0].dump(),
            R"({"level":4,"bytes":67108864,"workers":[0,1,2,3],"bound_to_cpus":null,"used":true})");
  EXPECT_EQ(json["caches"][2].dump(),
            R"({"level":3,"bytes":1572864,"workers":[2,3],"bound_to_cpus":[4,5],"used":true})");
}

TEST(doctor_levels, what_is_not_used) {
  const std::string text = text_of(four("random"));
  EXPECT_EQ(text.substr(0, text.find('\n')), "levels    of policies ml-adws, ml-random and sb, not of random");
  EXPECT_EQ(json_of(four("adws"))["caches"][0]["used"], false);
  EXPECT_EQ(text_of(four("ml-adws", false)),
            "levels    of policies ml-adws, ml-random and sb\n"
            "          L4 64 MiB: workers 0-3 for cpus 0,2,4-5\n"
            "          L3 1536 KiB: workers 0-1 for cpus 0,2, not used: threads cannot be bound here\n"
            "          L3 1536 KiB: workers 2-3 for cpus 4-5, not used: threads cannot be bound here\n");
  const auto json = json_of(four("ml-adws", false));
  EXPECT_EQ(json["caches"][0]["used"], true);
  EXPECT_EQ(json["caches"][1]["used"], false);
  EXPECT_TRUE(json["caches"][1]["bound_to_cpus"].is_null());
}

TEST(doctor_levels, none) {
  EXPECT_EQ(text_of({{}, "ml-adws", true}), "levels    none: there are more workers than cpus\n");
  EXPECT_EQ(text_of({{{0, 1}, {}}, "ml-adws", true}), "levels    none: no cache that cores share is known\n");
  EXPECT_EQ(json_of({{}, "ml-adws", true}).dump(), R"({"cpu_of_worker":[],"caches":[],"notes":[]})");
}

TEST(doctor_levels, hints_that_are_not_heeded) {
  level_facts facts = four("ml-adws");
  EXPECT_EQ(json_of(facts)["notes"].dump(), "[]");
  facts.hints.is_bad_places = true;
  facts.hints.wanted.how = takt::platform::binding::none;
  facts.seats.caches.clear();
  facts.seats.are_left_out = true;
  EXPECT_EQ(text_of(facts),
            "levels    none: the caches that cores share need workers that are bound\n"
            "          OMP_PLACES is ignored: it cannot be understood\n"
            "          OMP_PROC_BIND=false: no worker is bound\n");
  facts.hints = {.is_bad_proc_bind = true};
  facts.seats.are_too_many = true;
  EXPECT_EQ(json_of(facts)["notes"].dump(), R"(["OMP_PLACES is ignored: it names fewer CPUs than there are workers",)"
                                            R"("OMP_PROC_BIND is ignored: it cannot be understood"])");
}

TEST(doctor_levels, places_that_bind_nobody) {
  constexpr auto note = R"(["OMP_PLACES binds nobody: no worker has a cache that it could be bound to"])";
  level_facts facts = four("ml-adws");
  facts.hints.wanted.where = takt::omp::parse_places("{0,2,4,5}").value();
  EXPECT_EQ(json_of(facts)["notes"].dump(), "[]");
  // The cache of all is left.
  facts.seats.caches.resize(1);
  EXPECT_EQ(json_of(facts)["notes"].dump(), note);
  EXPECT_EQ(text_of(facts),
            "levels    of policies ml-adws, ml-random and sb\n"
            "          L4 64 MiB: workers 0-3 for cpus 0,2,4-5\n"
            "          OMP_PLACES binds nobody: no worker has a cache that it could be bound to\n");
  facts.hints.wanted.where = takt::omp::parse_places("cores(4)").value();
  EXPECT_EQ(json_of(facts)["notes"].dump(), note);
  facts.hints.wanted.where = {};
  EXPECT_EQ(json_of(facts)["notes"].dump(), "[]") << "they name no CPUs";
}

}  // namespace
