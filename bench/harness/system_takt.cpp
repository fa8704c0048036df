#include <cstdlib>
#include <string>

#include <nlohmann/json.hpp>
#include <takt/config.hpp>

#include "harness/system.hpp"

namespace takt::bench {

std::string_view system_name() { return "takt"; }
std::string runtime_name() { return "takt"; }

void use_workers(unsigned workers) {
  // Through the environment and not configure(): a user's programs are started this way, and
  // the pool stays cold until the first parallel call.
  setenv("TAKT_WORKERS", std::to_string(workers).c_str(), 1);
}

run_totals totals() {
  const nlohmann::json all = nlohmann::json::parse(stats_json()).at("total");
  const auto count = [&](const char* name) { return all.at(name).get<std::uint64_t>(); };
  // A loop's promotion makes a task of each half of what is left.
  return {count("promotions_forks") + 2 * count("promotions_loops") + count("promotions_groups"),
          count("steals_done"), all.at("working_s").get<double>()};
}

}  // namespace takt::bench
