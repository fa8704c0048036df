#include "tools/bench_measure.hpp"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

namespace takt::tools {
namespace {

std::string shown(const bench_row& row) {
  return fmt::format("{} {} {}", row.problem, row.input, row.system) +
         (row.system == "serial" ? fmt::format(" ({})", row.compiler)
                                 : fmt::format(" ({}, workers {})", row.compiler, row.workers));
}

// Says what is taking so long: after one second, then every ten.
runner_process::waiting progress(const bench_row& row, std::string step) {
  return [&row, step = std::move(step)](int seconds) {
    if (seconds == 1 || seconds % 10 == 0) {
      fmt::print(stderr, "takt bench: {}: {} ({} s)\n", shown(row), step, seconds);
    }
  };
}

std::unique_ptr<runner_process> prepare(const bench_contender& one, int limit_s) {
  auto runner = std::make_unique<runner_process>(one.command);
  runner->receive(limit_s, progress(one.row, "preparing the input"));
  runner->stop();
  return runner;
}

// One run; its time is counted unless it is a warm-up. Returns false when the contender is out.
bool take_turn(runner_process& runner, bench_row& row, int limit_s, const std::string& step,
               bool counts) {
  try {
    runner.resume();
    runner.send(counts ? "run" : "warm");
    const nlohmann::json answer = runner.receive(limit_s, progress(row, step));
    runner.stop();
    row.ok = row.ok && answer.at("ok").get<bool>();
    if (counts) {
      row.seconds.push_back(answer.at("seconds").get<double>());
      if (answer.contains("tasks")) {
        row.tasks.push_back(answer.at("tasks").get<double>());
      }
    }
    return true;
  } catch (const runner_failure& failure) {
    row.failure = failure.what();
  } catch (const nlohmann::json::exception&) {
    row.failure = "gave an answer that is not understood";
  }
  row.ok = false;
  return false;
}

}  // namespace

void probe_input(const bench_match& match, int limit_s) {
  const bench_contender& any = match.contenders.front();
  try {
    prepare(any, limit_s);
  } catch (const runner_failure& failure) {
    throw usage_error(failure.what());
  }
}

void measure(bench_match& match, const bench_options& options) {
  std::vector<std::unique_ptr<runner_process>> runners(match.contenders.size());
  const bool keep = !match.problem.fresh_process;
  const auto start = [&](std::size_t i) {
    bench_contender& one = match.contenders[i];
    try {
      runners[i] = prepare(one, options.limit_s);
    } catch (const runner_failure& failure) {
      one.row.failure = failure.what();
      one.row.ok = false;
    }
  };
  if (keep) {
    for (std::size_t i = 0; i < runners.size(); ++i) {
      start(i);
    }
  }
  const int warm_ups = keep ? options.warm_ups : 0;
  for (int round = -warm_ups; round < options.runs; ++round) {
    const std::string step = round < 0 ? "warming up"
                                       : fmt::format("run {} of {}", round + 1, options.runs);
    for (std::size_t i = 0; i < runners.size(); ++i) {
      bench_row& row = match.contenders[i].row;
      if (!keep && row.failure.empty()) {
        start(i);
      }
      if (runners[i] == nullptr) {
        continue;
      }
      if (!take_turn(*runners[i], row, options.limit_s, step, round >= 0) || !keep) {
        runners[i].reset();
      }
    }
  }
}

}  // namespace takt::tools
