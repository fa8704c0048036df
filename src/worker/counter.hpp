// A number that its owner alone adds to; anybody may read it, and sees a recent value.
#pragma once

#include "sync/atomic.hpp"

#include <cstdint>

namespace takt::core {

class counter {
 public:
  void add(std::uint64_t n = 1) { value_.store(value_.load(sync::relaxed) + n, sync::relaxed); }
  std::uint64_t get() const { return value_.load(sync::relaxed); }

 private:
  sync::tally<std::uint64_t> value_{0};
};

}  // namespace takt::core
