// What was measured, as a table and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/about.hpp"
#include "tools/numbers.hpp"

namespace takt::tools {

// One line of the table: one system, compiled by one compiler, with one number of workers.
struct bench_row {
  std::string problem;
  std::string input;
  std::string system;
  std::string compiler;
  unsigned workers = 1;
  std::vector<double> seconds;  // of each run; empty if the runner failed
  std::optional<double> ratio_to_serial;
  bool ok = true;  // every answer was right
  std::string failure;  // why there are no times, or fewer than asked for
  // Of each run in which the runtime counted them.
  std::vector<double> tasks{};
  std::vector<double> steals{};
  std::vector<double> idle_s{};
};

struct missing_system {
  std::string system;
  std::string compiler;
  std::string why;
};

// Sets ratio_to_serial of each row: its median over that of the serial program compiled by
// the same compiler. Rows without such a partner keep none.
void compare_to_serial(std::vector<bench_row>& rows);

// The rows of one problem and input. `per_call`: a run's time is that of one call, and what
// it takes over the serial one is shown too.
std::string to_table(const std::vector<bench_row>& rows, bool per_call);

// Why there are fewer results than were asked for, and what is not there: a line each. `why` is ""
// if all are there.
struct bench_rest {
  std::string why{};
  std::vector<std::string> left{};
};

// As bench/harness/results.schema.json describes.
nlohmann::ordered_json to_json(const std::vector<bench_row>& rows,
                               const std::vector<missing_system>& missing,
                               const run_about* about = nullptr, const bench_rest& rest = {});

// Writes the whole file or leaves what was there. Throws std::runtime_error.
void write_json(const std::string& path, const nlohmann::ordered_json& value);

}  // namespace takt::tools
