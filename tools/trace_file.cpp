#include "tools/trace_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tools/input_file.hpp"
#include "tools/numbers.hpp"
#include "tools/scale_sites.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using nlohmann::ordered_json;

ordered_json read_trace(const std::string& path) {
  ordered_json trace = ordered_json::parse(read_file(path, path), nullptr, false);
  if (trace.is_discarded()) {
    throw usage_error(fmt::format("{}: is not JSON", path));
  }
  const auto is_trace = [&] {
    return trace.is_object() && trace.contains("traceEvents") && trace["traceEvents"].is_array() &&
           trace.contains("otherData") && trace["otherData"].value("takt_trace", 0) == 1;
  };
  try {
    if (is_trace()) {
      return trace;
    }
  } catch (const ordered_json::exception&) {
  }
  throw usage_error(fmt::format("{}: is no trace of this version of takt", path));
}

// The names of its sites, and of the events that happen there.
void name_sites(ordered_json& trace) {
  std::vector<code_site> sites;
  for (const ordered_json& one : trace["otherData"].at("sites")) {
    sites.push_back({one.at("object").get<std::string>(), one.at("address").get<std::uint64_t>(),
                     one.at("name").get<std::string>()});
  }
  const std::vector<std::string> places = places_of(sites);
  for (std::size_t i = 0; i < places.size(); ++i) {
    trace["otherData"]["sites"][i]["place"] = places[i];
  }
  for (ordered_json& event : trace["traceEvents"]) {
    const auto args = event.find("args");
    if (args == event.end() || !args->contains("site")) {
      continue;
    }
    const std::string& place = places.at((*args)["site"].get<std::size_t>());
    if (event.value("ph", "") == "X") {
      event["name"] = place;
    } else {
      (*args)["place"] = place;
    }
  }
}

void shift(ordered_json& trace, double us) {
  for (ordered_json& event : trace["traceEvents"]) {
    if (event.contains("ts")) {
      event["ts"] = event["ts"].get<double>() + us;
    }
  }
}

}  // namespace

ordered_json read_traces(const std::vector<std::string>& paths) {
  ordered_json all = {{"displayTimeUnit", "ms"},
                      {"traceEvents", ordered_json::array()},
                      {"otherData", {{"takt_trace", 1}, {"processes", ordered_json::array()}}}};
  std::vector<ordered_json> traces;
  for (const std::string& path : paths) {
    try {
      traces.push_back(read_trace(path));
      // What this command has written itself is a trace already named.
      if (!traces.back()["otherData"].contains("processes")) {
        name_sites(traces.back());
      }
    } catch (const ordered_json::exception&) {
      throw usage_error(fmt::format("{}: is no trace of this version of takt", path));
    } catch (const std::out_of_range&) {
      throw usage_error(fmt::format("{}: is no trace of this version of takt", path));
    }
  }
  const auto began = [](const ordered_json& trace) {
    return trace["otherData"].value("began_us", 0.0);
  };
  std::sort(traces.begin(), traces.end(),
            [&](const ordered_json& a, const ordered_json& b) { return began(a) < began(b); });
  const double first = traces.empty() ? 0 : began(traces.front());
  for (ordered_json& trace : traces) {
    if (const double later = began(trace) - first; later > 0) {
      shift(trace, later);
    }
    for (ordered_json& event : trace["traceEvents"]) {
      all["traceEvents"].push_back(std::move(event));
    }
    ordered_json& rest = trace["otherData"];
    if (rest.contains("processes")) {
      for (ordered_json& one : rest["processes"]) {
        all["otherData"]["processes"].push_back(std::move(one));
      }
    } else {
      rest.erase("takt_trace");
      all["otherData"]["processes"].push_back(std::move(rest));
    }
  }
  return all;
}

trace_timeline to_timeline(const ordered_json& trace, const std::string& program) {
  trace_timeline timeline;
  timeline.program = program;
  std::map<std::pair<int, unsigned>, std::size_t> lane_of;
  std::map<int, std::string> process_names;
  std::map<std::string, int> numbers;
  for (const ordered_json& process : trace["otherData"]["processes"]) {
    ++timeline.processes;
    timeline.runtimes += static_cast<unsigned>(process.value("runtimes", ordered_json::array()).size());
    timeline.dropped += process.value("dropped", std::uint64_t{0});
    timeline.ring = std::max(timeline.ring, process.value("ring", std::uint64_t{0}));
    for (const ordered_json& worker : process.value("workers", ordered_json::array())) {
      lane_of[{process.value("pid", 0), worker.value("worker", 0U)}] = timeline.lanes.size();
      const std::string name = fmt::format("worker {}", worker.value("worker", 0U));
      timeline.lanes.push_back({name, name});
      timeline.lanes.back().dropped = worker.value("dropped", std::uint64_t{0});
    }
  }
  double first = HUGE_VAL;
  double last = 0;
  for (const ordered_json& event : trace["traceEvents"]) {
    const std::string phase = event.value("ph", "");
    const int pid = event.value("pid", 0);
    if (phase == "M") {
      if (event.value("name", "") == "process_name") {
        process_names[pid] = event["args"].value("name", "");
      }
      continue;
    }
    const auto found = lane_of.find({pid, event.value("tid", 0U)});
    if (found == lane_of.end()) {
      continue;
    }
    trace_lane& lane = timeline.lanes[found->second];
    const double at = event.value("ts", 0.0);
    const std::string category = event.value("cat", "");
    first = std::min(first, at);
    last = std::max(last, at + event.value("dur", 0.0));
    if (phase == "i") {
      auto& marks = category == "steal"       ? lane.steals
                    : category == "promotion" ? lane.promotions
                                              : lane.beats;
      marks.push_back(at);
      continue;
    }
    trace_span span{at, event.value("dur", 0.0)};
    if (category == "idle") {
      span.what = trace_span::k_idle;
    } else if (category == "asleep") {
      span.what = trace_span::k_asleep;
    } else {
      const auto [place, added] =
          numbers.try_emplace(event.value("name", ""), static_cast<int>(timeline.places.size()));
      if (added) {
        timeline.places.push_back(place->first);
      }
      span.what = place->second;
      span.ends_task = event.contains("args") && event["args"].value("then", "") == "done";
    }
    lane.spans.push_back(span);
  }
  if (timeline.program.empty() && !process_names.empty()) {
    timeline.program = process_names.begin()->second;
  }
  if (timeline.processes > 1) {
    for (const auto& [key, number] : lane_of) {
      trace_lane& lane = timeline.lanes[number];
      lane.label = fmt::format("{}: {}", key.first, lane.name);
      lane.name = fmt::format("{} {}", process_names[key.first], lane.label);
    }
  }
  timeline.us = last > first ? last - first : 0;
  for (trace_lane& lane : timeline.lanes) {
    for (trace_span& span : lane.spans) {
      span.from_us -= first;
    }
    for (std::vector<double>* marks : {&lane.steals, &lane.promotions, &lane.beats}) {
      for (double& at : *marks) {
        at -= first;
      }
    }
  }
  return timeline;
}

trace_totals totals_of(const trace_lane& lane) {
  trace_totals totals;
  for (const trace_span& span : lane.spans) {
    (span.what == trace_span::k_idle     ? totals.idle
     : span.what == trace_span::k_asleep ? totals.asleep
                                         : totals.running) += span.us;
  }
  return totals;
}

namespace {

std::vector<double> time_by_place(const trace_timeline& timeline) {
  std::vector<double> us(timeline.places.size());
  for (const trace_lane& lane : timeline.lanes) {
    for (const trace_span& span : lane.spans) {
      if (span.what >= 0) {
        us[static_cast<std::size_t>(span.what)] += span.us;
      }
    }
  }
  return us;
}

}  // namespace

std::vector<int> by_time(const trace_timeline& timeline) {
  const std::vector<double> us = time_by_place(timeline);
  std::vector<int> order(us.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<int>(i);
  }
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double first = us[static_cast<std::size_t>(a)];
    const double second = us[static_cast<std::size_t>(b)];
    return first > second || (first == second && a < b);
  });
  return order;
}

std::string verdict(const trace_timeline& timeline) {
  trace_totals all;
  for (const trace_lane& lane : timeline.lanes) {
    const trace_totals one = totals_of(lane);
    all.running += one.running;
    all.idle += one.idle;
    all.asleep += one.asleep;
  }
  const std::size_t workers = timeline.lanes.size();
  const double possible = timeline.us * static_cast<double>(workers);
  if (possible <= 0) {
    return "Nothing took any time.";
  }
  const auto percent = [possible](double us) { return fmt::format("{:.0f}%", us / possible * 100); };
  std::string text = fmt::format(
      "In {} from the first parallel call to the end, {} worker{} ran tasks for {} of the time, "
      "looked for work for {}, slept for {} and took no part for {}",
      shown_time(timeline.us * 1e-6), workers, workers == 1 ? "" : "s", percent(all.running),
      percent(all.idle), percent(all.asleep), percent(std::max(0.0, possible - all.all())));
  if (const std::vector<int> order = by_time(timeline); !order.empty() && all.running > 0) {
    const auto most = static_cast<std::size_t>(order.front());
    text += fmt::format("; most of the running ({:.0f}%) was {}",
                        time_by_place(timeline)[most] / all.running * 100, timeline.places[most]);
  }
  return text + ".";
}

}  // namespace takt::tools
