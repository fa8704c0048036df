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

void keep_counts(bench_row& row, const nlohmann::json& answer) {
  const auto keep = [&answer](const char* name, std::vector<double>& values) {
    if (answer.contains(name)) {
      values.push_back(answer.at(name).get<double>());
    }
  };
  keep("tasks", row.tasks);
  keep("steals", row.steals);
  keep("idle_s", row.idle_s);
}

// A run of its own with the library that counts the tasks. It takes another time than those that
// are counted in, so its idle time is scaled to their median. A failure leaves the row without
// counts, as if there were no library.
void count_tasks(bench_contender& one, int limit_s) {
  try {
    runner_command command = one.command;
    command.environment.emplace_back("LD_PRELOAD", one.counter);
    runner_process runner(command);
    runner.receive(limit_s, progress(one.row, "preparing the input"));
    nlohmann::json answer;
    for (const char* request : {"warm", "run"}) {
      runner.send(request);
      answer = runner.receive(limit_s, progress(one.row, "counting its tasks"));
    }
    const double seconds = answer.at("seconds").get<double>();
    if (answer.contains("idle_s") && seconds > 0.0) {
      answer["idle_s"] = answer["idle_s"].get<double>() / seconds * median(one.row.seconds);
    }
    if (answer.at("ok").get<bool>()) {
      keep_counts(one.row, answer);
    }
  } catch (const runner_failure& failure) {
    fmt::print(stderr, "takt bench: {}: its tasks are not counted: {}\n", shown(one.row),
               failure.what());
  } catch (const nlohmann::json::exception&) {
    fmt::print(stderr, "takt bench: {}: its tasks are not counted\n", shown(one.row));
  }
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
      keep_counts(row, answer);
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
  // What none of them can read is no input; one of them may be broken.
  std::string why;
  for (const bench_contender& one : match.contenders) {
    try {
      prepare(one, limit_s);
      return;
    } catch (const runner_failure& failure) {
      if (why.empty()) why = failure.what();
    }
  }
  throw usage_error(why);
}

namespace {

// The `step`-th of `count` in the order that begins with the `first`-th.
std::size_t turned(std::size_t step, std::size_t first, std::size_t count) {
  return (first + step) % count;
}

// Starts all contenders, or each one for each of its runs, and lets them take turns. Who is started
// first, or is first in a round, gets other memory and other caches than the rest: everybody is.
void take_turns(bench_match& match, const bench_options& options, int launch) {
  std::vector<std::unique_ptr<runner_process>> runners(match.contenders.size());
  const bool keep = !match.problem.fresh_process;
  const auto start = [&](std::size_t i) {
    bench_contender& one = match.contenders[i];
    if (!one.row.failure.empty()) {
      return;
    }
    try {
      runners[i] = prepare(one, options.limit_s);
    } catch (const runner_failure& failure) {
      one.row.failure = failure.what();
      one.row.ok = false;
    }
  };
  const std::size_t count = runners.size();
  const std::size_t first = static_cast<std::size_t>(launch) * count /
                            static_cast<std::size_t>(options.launches);
  if (keep) {
    for (std::size_t i = 0; i < count; ++i) {
      start(turned(i, first, count));
    }
  }
  const int warm_ups = keep ? options.warm_ups : 0;
  const int before = launch * options.runs;
  for (int round = -warm_ups; round < options.runs; ++round) {
    const std::string step = round < 0 ? "warming up"
                                       : fmt::format("run {} of {}", before + round + 1,
                                                     options.launches * options.runs);
    const std::size_t begins = first + static_cast<std::size_t>(round + warm_ups);
    for (std::size_t step_in_round = 0; step_in_round < count; ++step_in_round) {
      const std::size_t i = turned(step_in_round, begins, count);
      bench_row& row = match.contenders[i].row;
      if (!keep) {
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

}  // namespace

void measure(bench_match& match, const bench_options& options) {
  const load_in_force load(*match.load);
  for (bench_contender& one : match.contenders) {
    load.apply(one.command);
  }
  for (int launch = 0; launch < options.launches; ++launch) {
    take_turns(match, options, launch);
  }
  if (!options.count) {
    return;
  }
  for (bench_contender& one : match.contenders) {
    if (!one.row.seconds.empty() && one.row.failure.empty() && !one.counter.empty() &&
        !match.problem.per_call) {
      count_tasks(one, options.limit_s);
    }
  }
}

}  // namespace takt::tools
