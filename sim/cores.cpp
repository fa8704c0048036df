#include "sim/cores.hpp"

namespace takt::sim {

// Seeds are small numbers, so all bits are mixed (splitmix64).
std::uint64_t cores::next_random() {
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// One of those with the fewest threads among which it may be. Nothing is allocated: code may stand anywhere meanwhile.
unsigned cores::choose(const place& p) {
  unsigned fewest = ~0u;
  unsigned count = 0;
  for (unsigned core = 0; core < users_.size(); ++core) {
    if (!may_be(p, core) || users_[core] > fewest) continue;
    count = users_[core] < fewest ? 1 : count + 1;
    fewest = users_[core];
  }
  unsigned left = count == 0 ? 0 : static_cast<unsigned>(next_random() % count);
  for (unsigned core = 0; core < users_.size(); ++core) {
    if (may_be(p, core) && users_[core] == fewest && left-- == 0) return core;
  }
  return p.core;
}

void cores::begins(unsigned thread) {
  if (threads_.size() <= thread) threads_.resize(thread + 1);
  place& p = threads_[thread];
  const bool is_new = !p.has_been && thread != 0;
  if (is_new || users_[p.core] != 0 || !may_be(p, p.core)) p.core = choose(p);
  p.has_been = p.is_awake = true;
  ++users_[p.core];
}

void cores::ends(unsigned thread) {
  place& p = threads_[thread];
  if (p.is_awake) --users_[p.core];
  p.is_awake = false;
}

void cores::keep_to(unsigned thread, const ::takt::platform::cpu_set* allowed) {
  place& p = threads_[thread];
  p.allowed = allowed;
  if (may_be(p, p.core)) return;
  ends(thread);
  begins(thread);
}

}  // namespace takt::sim
