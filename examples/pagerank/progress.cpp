#include "progress.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

namespace pagerank {
namespace {

constexpr std::chrono::seconds k_first{1};
constexpr std::chrono::seconds k_between{5};

}  // namespace

progress::progress(std::string step)
    : step_(std::move(step)), talker_([this](const std::stop_token& stop) { talk(stop); }) {}

void progress::now(std::string where) {
  const std::lock_guard lock(mutex_);
  where_ = std::move(where);
}

void progress::talk(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto begun = std::chrono::steady_clock::now();
  // Nothing but the end of the step cuts a wait short.
  for (auto wait = k_first; !stopped_.wait_for(lock, stop, wait, [&] { return stop.stop_requested(); });
       wait = k_between) {
    const auto elapsed = std::chrono::steady_clock::now() - begun;
    std::fprintf(stderr, "%s: %s%s%lld s\n", step_.c_str(), where_.c_str(), where_.empty() ? "" : ", ",
                 static_cast<long long>(std::chrono::duration_cast<std::chrono::seconds>(elapsed).count()));
  }
}

}  // namespace pagerank
