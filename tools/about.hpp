// When and where something was measured.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace takt::tools {

struct run_about {
  std::string date;  // ISO 8601, with the offset from UTC
  std::string cpu;
  unsigned cpus = 0;   // that this process may use
  std::string system;  // of the operating system: "Linux 6.1.0 x86_64"
  std::string takt;    // version
  std::map<std::string, std::string> compilers{};  // of the runners: name and version
  // Programs that ran or waited to: means of the last 1, 5 and 15 minutes.
  std::vector<double> load_before{};
  std::vector<double> load_after{};
};

// Here and now; no compilers, and no load after.
run_about about_now();

// "[0.1, 0.2, 0.3]" of this moment; empty if it cannot be known.
std::vector<double> load_now();

nlohmann::ordered_json to_json(const run_about& about);

}  // namespace takt::tools
