#include "tools/bench_locality_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace takt::tools {
namespace {

using nlohmann::ordered_json;

constexpr locality_problem k_problems[] = {
    {"rrm", 8, 1, false, 2},     {"quicksort", 16, 1, false, 8},
    {"kdtree", 48, 1, false, 4}, {"decision_tree", 464, 1, false, 3},
    {"matmul", 12, 2, true, 5},  {"heat2d", 16, 2, false, 1},
    {"sph", 96, 1, false, 60},
};

}  // namespace

std::span<const locality_problem> locality_problems() { return k_problems; }

std::int64_t size_for(const locality_problem& p, double bytes) {
  const double size = std::pow(bytes / p.bytes, 1.0 / p.power);
  // One tile of matmul is no parallel call.
  constexpr double k_least_doubled = 128;
  return p.doubles ? std::int64_t{1} << std::lround(std::log2(std::max(size, k_least_doubled))) : std::llround(size);
}

double bytes_of(const locality_problem& p, std::int64_t size) { return p.bytes * std::pow(size, p.power); }

const run_outcome& simulations::of(const point& p) {
  const auto known = done_.find(p);
  return known != done_.end() ? known->second : done_.emplace(p, make(p)).first->second;
}
ordered_json simulations::to_json() const {
  ordered_json all = ordered_json::array();
  for (const auto& [p, o] : done_) {
    all.push_back({{"problem", p.problem},
                   {"size", p.size},
                   {"scheduler", p.scheduler},
                   {"hints", p.hints},
                   {"interleaved", p.interleaved},
                   {"alpha", p.alpha},
                   {"seconds", o.seconds},
                   {"busy_s", o.busy_s},
                   {"idle_s", o.idle_s},
                   {"overhead_s", o.overhead_s},
                   {"queued_s", o.queued_s},
                   {"misses", o.misses},
                   {"remote_share", o.remote},
                   {"steals", o.steals}});
  }
  return all;
}

run_outcome simulations::make(const point& p) {
  const bool serial = p.scheduler == "serial";
  const auto* const about = std::find_if(std::begin(k_problems), std::end(k_problems),
                                         [&](const locality_problem& one) { return one.name == p.problem; });
  simulated_run run;
  run.workers = serial ? 1 : machine_.cores();
  run.costs = machine_.costs;
  run.caches = machine_.caches;
  run.memory = machine_.memory;
  run.cores_per_node = machine_.cores_per_socket;
  run.deterministic = true;
  run.work_ns = about->work_ns;
  run.interleaved = p.interleaved && !serial;
  run.grain = options_.grain;
  run.environment = {{"TAKT_POLICY", serial ? "random" : p.scheduler}};
  if (serial) {
    run.environment.emplace_back("TAKT_TRIGGER", "never");
  }
  const auto simulated = [&](int runs) {
    std::vector<std::string> words{options_.program,
                                   "--problem",
                                   p.problem,
                                   "--size",
                                   std::to_string(p.size),
                                   "--system",
                                   p.hints ? "takt-hints" : "takt",
                                   "--runs",
                                   std::to_string(runs)};
    if (p.alpha != 1) {
      words.insert(words.end(), {"--input", fmt::format("alpha={}", p.alpha)});
    }
    return run_simulated(words, run, scratch_, false);
  };
  fmt::print(stderr, "{} {} {}{}{}{}\n", p.problem, p.size, p.scheduler, p.hints ? ", hints" : "",
             p.interleaved || serial ? "" : ", first touch", p.alpha == 1 ? "" : fmt::format(", alpha {}", p.alpha));
  const sim_report first = simulated(options_.warm_ups);
  const sim_report all = simulated(options_.warm_ups + options_.runs);
  const auto each = [&](double sim_report::* value) { return (all.*value - first.*value) / options_.runs; };
  run_outcome made;
  // Not the time in calls: what is known to be short makes none. Outside of them, too, nothing takes time but touches.
  made.seconds = each(&sim_report::seconds);
  made.busy_s = each(&sim_report::program_s);
  const double working = each(&sim_report::working_s);
  made.idle_s = std::max(0.0, run.workers * made.seconds - working);
  made.overhead_s = std::max(0.0, run.workers * made.seconds - made.idle_s - made.busy_s);
  made.queued_s = each(&sim_report::queued_s);
  made.steals = each(&sim_report::steals);
  for (std::size_t l = 0; l < all.misses.size(); ++l) {
    made.misses.push_back((all.misses[l] - first.misses[l]) / options_.runs);
  }
  const double remote = each(&sim_report::remote_lines);
  const double lines = remote + each(&sim_report::local_lines);
  made.remote = lines > 0 ? remote / lines : 0;
  return made;
}

}  // namespace takt::tools
