// What simulated runs with several numbers of workers say together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/scale_machine.hpp"
#include "tools/scale_run.hpp"

namespace takt::tools {

// All runs of one kind.
struct run_series {
  unsigned workers = 1;
  std::vector<sim_report> reports{};  // not empty
};

struct scale_runs {
  std::vector<std::string> program;  // with its arguments
  machine_description machine;
  run_series work;        // one worker, no promotions; in made-up time what the program's code takes counts
  run_series one_worker;  // one worker as configured
  run_series span;        // as many workers as can be used, no costs, the shortest beats
  std::vector<run_series> predicted{};  // not empty, by number of workers, each once
  bool deterministic = false;           // in made-up time
};

// Median, and the least and the greatest.
struct spread {
  double middle = 0;
  double least = 0;
  double most = 0;
};

struct scale_row {
  unsigned workers = 1;
  spread in_calls_s{};
  double speedup = 0;        // work / in_calls_s
  double upper_bound = 0;    // min(P, work / span)
  double brent_bound = 0;    // work / (work / P + span)
  double whole_speedup = 0;  // of the program with its serial parts
  double promotions = 0;
  double steals = 0;
  double idle = 0;  // part of the workers' time in calls in which they ran no task; 0 to 1
  // By cache level of the machine, innermost first; empty if the program touches nothing.
  std::vector<double> misses{};
};

// A fork or loop that takes a part of the span.
struct span_part {
  code_site site;
  double share = 0;   // of the span; 0 to 1
  std::string place;  // what place_of() says of it; empty until somebody has asked
};

// Definitions are in docs/tools/scale.md.
struct scale_result {
  spread work_s;
  spread one_worker_s;
  spread span_s;  // an upper bound on the span
  double parallelism = 0;
  double silent_share = 0;  // of the span, in code that ran on without a fork, loop or poll; 0 to 1
  double before_s = 0;   // until the first parallel call
  double between_s = 0;  // from there to the end, outside parallel calls
  double calls = 0;
  std::vector<scale_row> rows;
  std::vector<span_part> span_parts;
  std::vector<std::string> notes;  // what to know before one believes the numbers
  std::string advice;              // one sentence
};

inline constexpr unsigned k_span_beat_us = 10;

scale_result evaluate(const scale_runs& runs);

std::string to_text(const scale_runs& runs, const scale_result& result);
nlohmann::ordered_json to_json(const scale_runs& runs, const scale_result& result);

// A page of HTML that is well-formed XML too, refers to nothing outside and runs nothing.
std::string to_html(const scale_runs& runs, const scale_result& result);

// Speed-up against the number of workers with both bounds, as SVG.
std::string speedup_svg(const scale_result& result);

// Pieces of both the text and the page.
std::string shown_costs(const sim_costs& costs);
std::string shown_spread(const spread& seconds);

// What takes the span, a line for each part.
std::vector<std::string> span_lines(const scale_result& result);

// What the numbers above the table are, and the numbers: label and text.
std::vector<std::pair<std::string, std::string>> summary(const scale_runs& runs,
                                                         const scale_result& result);
// The table: the cells of its head, and of each row.
std::vector<std::string> table_head(const scale_runs& runs, const scale_result& result);
std::vector<std::string> table_cells(const scale_row& row);

}  // namespace takt::tools
