// Says on stderr how far a long step has come: after a second, and then every five.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace pagerank {

// The step lasts as long as the object. A thread of its own does the talking, so that steps that
// cannot call back, such as reading a file by someone else's reader, are covered too.
class progress {
 public:
  explicit progress(std::string step);

  // What the step is at now, as in "round 3 of 9".
  void now(std::string where);

 private:
  void talk(const std::stop_token& stop);

  const std::string step_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::string where_;
  std::jthread talker_;  // last: it must end before what it reads is gone
};

}  // namespace pagerank
