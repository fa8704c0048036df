// The parallel program, in the same executable as the elided one.
#include "unit/elision/both.hpp"

#include "support/settings.hpp"

#include <nlohmann/json.hpp>

std::uint64_t run_all_in_parallel(std::uint64_t& promotions) {
  takt::configure(takt_test::eager(2));
  const std::uint64_t sum = run_all();
  const takt::random_stream random(23);
  auto keys = takt::tabulate(100'000, random);
  // Counts begin anew.
  takt::configure(takt_test::eager(2));
  sort_backwards(keys);
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  promotions = total.at("promotions_forks").get<std::uint64_t>() + total.at("promotions_loops").get<std::uint64_t>();
  return sum;
}

std::uint64_t polls_in_parallel() {
  return nlohmann::json::parse(takt::stats_json()).at("total").at("polls").get<std::uint64_t>();
}
