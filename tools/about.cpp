#include "tools/about.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>

namespace takt::tools {
namespace {

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S%z", &local);
  std::string date = text.data();
  // "+0100" is not what the standard wants.
  if (date.size() > 5) {
    date.insert(date.size() - 2, ":");
  }
  return date;
}

// "" where the kernel has no name for it, as on ARM.
std::string cpu_model() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "";
}

unsigned usable() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? static_cast<unsigned>(CPU_COUNT(&mask))
                                                       : 1U;
}

}  // namespace

std::vector<double> load_now() {
  std::array<double, 3> load{};
  const int got = getloadavg(load.data(), static_cast<int>(load.size()));
  return got <= 0 ? std::vector<double>{} : std::vector<double>(load.begin(), load.begin() + got);
}

run_about about_now() {
  utsname system{};
  uname(&system);
  run_about about;
  about.date = date_now();
  about.cpu = cpu_model();
  if (about.cpu.empty()) {
    about.cpu = fmt::format("unknown CPU ({})", system.machine);
  }
  about.cpus = usable();
  about.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  about.takt = TAKT_VERSION;
  about.load_before = load_now();
  return about;
}

nlohmann::ordered_json to_json(const run_about& about) {
  return {{"date", about.date},           {"cpu", about.cpu},
          {"cpus", about.cpus},           {"system", about.system},
          {"takt", about.takt},           {"compilers", about.compilers},
          {"load_before", about.load_before}, {"load_after", about.load_after}};
}

}  // namespace takt::tools
