// Which core a virtual thread is on. Made up, as operating systems promise nothing: see README.md.
#pragma once

#include "platform/cpu_set.hpp"

#include <cstdint>
#include <vector>

namespace takt::sim {

class cores {
 public:
  cores(unsigned count, std::uint64_t seed) : users_(count), random_(seed) {}

  /// The thread begins, or has been woken: it is on its last core, or on another one if somebody else is there. Thread 0
  /// begins on core 0.
  void begins(unsigned thread);
  /// It sleeps or has ended, and others may have its core.
  void ends(unsigned thread);
  /// It is bound to these, which are left alone, from now on; null: to none.
  void keep_to(unsigned thread, const ::takt::platform::cpu_set* allowed);
  unsigned of(unsigned thread) const { return threads_[thread].core; }

 private:
  struct place {
    unsigned core = 0;
    bool is_awake = false;
    bool has_been = false;
    const ::takt::platform::cpu_set* allowed = nullptr;
  };
  bool may_be(const place& p, unsigned core) const { return p.allowed == nullptr || p.allowed->has(core); }
  unsigned choose(const place& p);
  std::uint64_t next_random();

  std::vector<unsigned> users_;  ///< threads that are awake, by core
  std::vector<place> threads_;   ///< by number
  std::uint64_t random_;
};

}  // namespace takt::sim
