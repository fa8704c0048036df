// What the library writes where TAKT_TRACE says (src/observe/README.md), with names for people.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace takt::tools {

// Time from the first event of all, in microseconds.
struct trace_span {
  double from_us = 0;
  double us = 0;
  int what = 0;  // number of a place, or one of the two below
  static constexpr int k_idle = -1;
  static constexpr int k_asleep = -2;
  bool ends_task = false;
};

struct trace_lane {
  std::string name;   // "worker 3"; "program 4711: worker 3" where there are several processes
  std::string label;  // the same without the name of the program
  std::vector<trace_span> spans{};  // in order, none in another
  std::vector<double> steals{};  // when, in microseconds; as the other two in order
  std::vector<double> promotions{};
  std::vector<double> beats{};
  std::uint64_t dropped = 0;  // events that were overwritten
};

struct trace_timeline {
  std::string program;  // as it was called, or what the file says
  std::vector<std::string> places{};
  std::vector<trace_lane> lanes{};
  double us = 0;  // from the first event to the last
  std::uint64_t dropped = 0;
  std::uint64_t ring = 0;  // events that are kept of each worker
  unsigned processes = 0;
  unsigned runtimes = 0;  // in all processes
};

// One or several files, of one process each, as one trace: names are those of places in the program
// (scale_sites.hpp), and times begin with the first process. Throws usage_error, which names the
// file, for what is no trace of takt.
nlohmann::ordered_json read_traces(const std::vector<std::string>& paths);

// What read_traces() gave, to draw.
trace_timeline to_timeline(const nlohmann::ordered_json& trace, const std::string& program);

// How it went, in one sentence.
std::string verdict(const trace_timeline& timeline);

// Of all lanes together, in microseconds.
struct trace_totals {
  double running = 0;
  double idle = 0;
  double asleep = 0;
  double all() const { return running + idle + asleep; }
};
trace_totals totals_of(const trace_lane& lane);

// Numbers of places, those with most time first.
std::vector<int> by_time(const trace_timeline& timeline);

}  // namespace takt::tools
