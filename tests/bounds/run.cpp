#include "bounds/run.hpp"

#include <takt/takt.hpp>

#include "sim/stand_in.hpp"

#include <nlohmann/json.hpp>

namespace takt_bounds {

namespace {

void evaluate(takt::sim::virtual_time& on, const node& n) {
  switch (n.what) {
    case kind::leaf:
      on.spend(n.ticks);
      return;
    case kind::sequence:
      evaluate(on, n.children[0]);
      evaluate(on, n.children[1]);
      return;
    case kind::fork:
      takt::fork_join([&] { evaluate(on, n.children[0]); }, [&] { evaluate(on, n.children[1]); });
      return;
    case kind::loop:
      takt::parallel_for(std::uint64_t{0}, n.count, [&](std::uint64_t) { evaluate(on, n.children[0]); });
      return;
  }
}

}  // namespace

measured run(const node& program, unsigned workers, std::uint64_t beat_us, std::uint64_t tau, takt::trigger trigger) {
  takt::sim::virtual_settings settings;
  settings.workers = workers;
  settings.measured = false;
  settings.cost.promotion = tau;
  settings.began = 1'000'000'000;
  takt::sim::virtual_time on(settings, takt::sim::this_process());
  takt::config c;
  c.workers = workers;
  c.trigger = trigger;
  c.beat = std::chrono::microseconds(beat_us);
  c.stack_bytes = std::size_t{1} << 20;
  const takt::sim::stand_in runtime(on, c);
  measured m;
  const std::uint64_t begun = on.time();
  evaluate(on, program);
  m.time = on.time() - begun;
  const auto total = nlohmann::json::parse(takt::stats_json()).at("total");
  m.promotions = total.at("promotions_forks").get<std::uint64_t>() + total.at("promotions_loops").get<std::uint64_t>();
  m.steals = total.at("steals_done").get<std::uint64_t>();
  return m;
}

}  // namespace takt_bounds
