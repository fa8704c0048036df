#include "tools/scale_result.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "tools/numbers.hpp"

namespace takt::tools {
namespace {

using nlohmann::ordered_json;

using report_field = double sim_report::*;

std::vector<double> values_of(const run_series& series, report_field field) {
  std::vector<double> values;
  for (const sim_report& report : series.reports) {
    values.push_back(report.*field);
  }
  return values;
}

spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {median(values), *least, *most};
}

spread in_calls(const run_series& series) {
  return spread_of(values_of(series, &sim_report::in_calls_s));
}

// Neither time depends on the number of workers, so all runs but those for the span count.
void add_serial_parts(const scale_runs& runs, scale_result& result) {
  std::vector<double> before;
  std::vector<double> between;
  const auto add = [&](const run_series& series) {
    for (const sim_report& report : series.reports) {
      before.push_back(report.before_s);
      between.push_back(std::max(0.0, report.seconds - report.in_calls_s));
    }
  };
  add(runs.work);
  for (const run_series& series : runs.predicted) {
    add(series);
  }
  result.before_s = median(before);
  result.between_s = median(between);
}

double idle_share(const run_series& series) {
  std::vector<double> shares;
  for (const sim_report& report : series.reports) {
    shares.push_back(1.0 - report.working_s / (report.in_calls_s * series.workers));
  }
  return std::clamp(median(shares), 0.0, 1.0);
}

std::vector<double> misses_of(const run_series& series) {
  std::vector<double> all;
  if (median(values_of(series, &sim_report::touched)) == 0) {
    return all;
  }
  for (std::size_t level = 0; level < series.reports.front().misses.size(); ++level) {
    std::vector<double> missed;
    for (const sim_report& report : series.reports) {
      missed.push_back(report.misses.at(level));
    }
    all.push_back(median(missed));
  }
  return all;
}

// The run with the middle span: shares of one run add up, medians of several need not.
const sim_report& middle_of(const run_series& series) {
  std::vector<const sim_report*> by_span;
  for (const sim_report& report : series.reports) {
    by_span.push_back(&report);
  }
  std::sort(by_span.begin(), by_span.end(), [](const sim_report* a, const sim_report* b) {
    return a->in_calls_s < b->in_calls_s;
  });
  return *by_span[by_span.size() / 2];
}

std::vector<span_part> span_parts_of(const sim_report& middle) {
  std::vector<span_part> parts;
  for (const code_site& site : middle.sites) {
    // Less than a hundredth says nothing.
    const double share = std::min(1.0, site.span_s / middle.in_calls_s);
    if (share >= 0.01) {
      parts.push_back({site, share, ""});
    }
  }
  return parts;
}

scale_row to_row(const run_series& series, const scale_result& so_far) {
  const double work = so_far.work_s.middle;
  const double span = so_far.span_s.middle;
  const double serial = so_far.before_s + so_far.between_s;
  const double p = series.workers;
  scale_row row;
  row.workers = series.workers;
  row.in_calls_s = in_calls(series);
  row.speedup = work / row.in_calls_s.middle;
  row.upper_bound = std::min(p, work / span);
  row.brent_bound = work / (work / p + span);
  row.whole_speedup = (serial + work) / (serial + row.in_calls_s.middle);
  row.promotions = median(values_of(series, &sim_report::promotions));
  row.steals = median(values_of(series, &sim_report::steals));
  row.idle = idle_share(series);
  row.misses = misses_of(series);
  return row;
}

// Whether most of the span is code of which nobody can tell what it would give away.
bool is_hidden(const scale_result& result) {
  constexpr double k_most = 0.5;
  return result.silent_share > k_most;
}

std::vector<std::string> notes_on(const scale_runs& runs, const scale_result& result) {
  std::vector<std::string> notes;
  if (result.parallelism > runs.span.workers / 2.0) {
    notes.push_back(fmt::format("The parallelism may be larger: it was found with {} workers.",
                                runs.span.workers));
  }
  if (const std::string& trigger = runs.work.reports.front().trigger; trigger != "never" && !runs.deterministic) {
    notes.push_back(fmt::format(
        "The program sets the trigger itself ('{}'), so its work includes promotions.", trigger));
  }
  if (result.parallelism <= 1 && !is_hidden(result)) {
    notes.push_back("The run for the span took as long as the work: the program is too short.");
  }
  constexpr double k_unsteady = 1.2;
  if (result.work_s.most > k_unsteady * result.work_s.least) {
    notes.push_back(fmt::format(
        "Runs of the same work differ by {:.2f} times: the machine is busy, or the program "
        "does not always do the same; --runs with a larger number helps against the former.",
        result.work_s.most / result.work_s.least));
  }
  return notes;
}

// The first row of which `is_so` holds, which must be one of them.
template <class Predicate>
unsigned first_workers(const scale_result& result, const Predicate& is_so) {
  return std::find_if(result.rows.begin(), result.rows.end(), is_so)->workers;
}

std::string advice_on(const scale_runs& runs, const scale_result& result) {
  const scale_row& last = result.rows.back();
  const double work = result.work_s.middle;
  const double span = result.span_s.middle;
  const double serial = result.before_s + result.between_s;
  if (last.workers == 1) {
    return "One worker says nothing about scaling: name more with --workers.";
  }
  if (serial >= last.in_calls_s.middle) {
    const unsigned from = first_workers(
        result, [&](const scale_row& row) { return serial >= row.in_calls_s.middle; });
    return fmt::format(
        "The serial parts dominate: from P = {} on the {} outside parallel calls are at least half "
        "of the time, and the whole program gets at most {:.1f} times as fast.",
        from, shown_time(serial), (serial + work) / (serial + span));
  }
  if (result.parallelism < last.workers) {
    const unsigned from = first_workers(
        result, [&](const scale_row& row) { return row.workers > result.parallelism; });
    if (is_hidden(result)) {
      return fmt::format(
          "There may be more parallelism than the {:.1f} that could be seen: for {:.0f}% of the span code "
          "ran on for more than 20 us without a fork, a loop or a poll, and what it gives away comes "
          "late; if it has nothing to give, the span limits from P = {} on.",
          result.parallelism, result.silent_share * 100, from);
    }
    return fmt::format(
        "The span limits from P = {} on: the parallelism is {:.1f}, and more workers than that "
        "find nothing to do; make the longest chain of dependent steps shorter.",
        from, result.parallelism);
  }
  const double efficiency = last.speedup / last.workers;
  constexpr double k_good = 0.75;
  if (efficiency >= k_good) {
    return fmt::format("It scales: {:.1f} times the speed with P = {}, {:.0f}% of the ideal.",
                       last.speedup, last.workers, efficiency * 100);
  }
  const unsigned from = first_workers(
      result, [](const scale_row& row) { return row.speedup < k_good * row.workers; });
  const std::string loss = fmt::format("From P = {} on less than {:.0f}% of the ideal is reached",
                                       from, k_good * 100);
  if (work < k_good * result.one_worker_s.middle) {
    return fmt::format(
        "{}: one worker takes {:.2f} times the work, so give each fork and each loop iteration "
        "more to do.",
        loss, result.one_worker_s.middle / work);
  }
  if (last.brent_bound < k_good * last.workers) {
    return fmt::format(
        "{}: the parallelism of {:.1f} is too close to the number of workers, of which it "
        "should be a multiple; a shorter span helps.",
        loss, result.parallelism);
  }
  const double call = last.in_calls_s.middle / result.calls;
  const double wake = static_cast<double>(runs.machine.costs.wake) * 1e-9;
  constexpr double k_short = 20;
  if (result.calls > 1 && call < k_short * wake) {
    return fmt::format(
        "{}: the parallel calls are short, {} each with P = {} where waking a worker takes {}; "
        "fewer and longer calls help.",
        loss, shown_time(call), last.workers, shown_time(wake));
  }
  return fmt::format(
      "{}, although the parallelism of {:.0f} allows more: spreading the work over {} workers "
      "takes too large a part of calls of {}; larger inputs help.",
      loss, result.parallelism, last.workers, shown_time(call));
}

ordered_json to_json(const spread& seconds) {
  return {{"median", seconds.middle}, {"min", seconds.least}, {"max", seconds.most}};
}

ordered_json to_json(const scale_row& row) {
  ordered_json value = {{"workers", row.workers},
                        {"in_calls_s", to_json(row.in_calls_s)},
                        {"speedup", row.speedup},
                        {"upper_bound", row.upper_bound},
                        {"brent_bound", row.brent_bound},
                        {"whole_speedup", row.whole_speedup},
                        {"promotions", row.promotions},
                        {"steals", row.steals},
                        {"idle", row.idle}};
  if (!row.misses.empty()) {
    value["cache_misses"] = row.misses;
  }
  return value;
}

ordered_json to_json(const machine_description& machine) {
  ordered_json value = {{"name", machine.name}};
  if (!machine.source.empty()) {
    value["source"] = machine.source;
  }
  if (machine.cores() > 0) {
    value["sockets"] = machine.sockets;
    value["cores_per_socket"] = machine.cores_per_socket;
    value["cache"] = ordered_json::array();
    for (const machine_cache& cache : machine.caches) {
      value["cache"].push_back(
          {{"level", cache.level}, {"bytes", cache.bytes}, {"shared_by", cache.shared_by}});
    }
  }
  for (const cost_name& cost : k_costs) {
    value["costs_ns"][cost.name] = machine.costs.*cost.value;
  }
  return value;
}

ordered_json reports_of(const run_series& series) {
  ordered_json reports = ordered_json::array();
  for (const sim_report& report : series.reports) {
    reports.push_back(report.raw);
  }
  return reports;
}

}  // namespace

scale_result evaluate(const scale_runs& runs) {
  scale_result result;
  result.work_s = runs.deterministic ? spread_of(values_of(runs.work, &sim_report::program_s)) : in_calls(runs.work);
  result.one_worker_s = in_calls(runs.one_worker);
  result.span_s = in_calls(runs.span);
  // No span is longer than the work: a run this short tells nothing better.
  result.span_s.middle = std::min(result.span_s.middle, result.work_s.middle);
  const sim_report& middle = middle_of(runs.span);
  result.span_parts = span_parts_of(middle);
  result.silent_share = std::min(1.0, middle.silent_s / middle.in_calls_s);
  result.parallelism = result.work_s.middle / result.span_s.middle;
  result.calls = median(values_of(runs.work, &sim_report::calls));
  add_serial_parts(runs, result);
  for (const run_series& series : runs.predicted) {
    result.rows.push_back(to_row(series, result));
  }
  result.notes = notes_on(runs, result);
  result.advice = advice_on(runs, result);
  return result;
}

ordered_json to_json(const scale_runs& runs, const scale_result& result) {
  ordered_json value;
  value["takt_scale"] = 1;
  value["program"] = runs.program;
  value["machine"] = to_json(runs.machine);
  value["runs"] = runs.work.reports.size();
  value["deterministic"] = runs.deterministic;
  value["work_s"] = to_json(result.work_s);
  value["one_worker_s"] = to_json(result.one_worker_s);
  value["span_s"] = to_json(result.span_s);
  value["span_workers"] = runs.span.workers;
  value["span_beat_us"] = k_span_beat_us;
  value["parallelism"] = result.parallelism;
  value["silent_share"] = result.silent_share;
  value["before_s"] = result.before_s;
  value["between_s"] = result.between_s;
  value["calls"] = result.calls;
  value["span_parts"] = ordered_json::array();
  for (const span_part& part : result.span_parts) {
    value["span_parts"].push_back({{"place", part.place},
                                   {"share", part.share},
                                   {"work_s", part.site.work_s}});
  }
  value["rows"] = ordered_json::array();
  for (const scale_row& row : result.rows) {
    value["rows"].push_back(to_json(row));
  }
  value["notes"] = result.notes;
  value["advice"] = result.advice;
  ordered_json& reports = value["reports"];
  reports["work"] = reports_of(runs.work);
  reports["one_worker"] = reports_of(runs.one_worker);
  reports["span"] = reports_of(runs.span);
  reports["predicted"] = ordered_json::array();
  for (const run_series& series : runs.predicted) {
    reports["predicted"].push_back(reports_of(series));
  }
  return value;
}

}  // namespace takt::tools
