// How much of the machine other programs use meanwhile: times taken beside them mean little, and
// runtimes that spin at barriers suffer most.
#pragma once

#include <chrono>
#include <optional>

namespace pagerank {

class other_load {
 public:
  // Counts from here.
  other_load();

  // CPUs' worth of work of other programs, and of the host of a virtual machine, since then; nothing
  // where the system does not tell.
  [[nodiscard]] std::optional<double> cpus() const;

 private:
  std::chrono::steady_clock::time_point begin_;
  std::optional<double> busy_;  // CPU seconds of the whole machine
  double own_;                  // CPU seconds of this process
};

}  // namespace pagerank
