#include "kinds.hpp"

#include <atomic>

namespace takt::cluster {

namespace {

// The newest first. Constants: other files' initialisers come here.
constinit std::atomic<abi::travelling*> newest{nullptr};

}  // namespace

const abi::travelling* kind_of(std::uint64_t number) noexcept {
  // EDGE cluster.kind
  const abi::travelling* kind = newest.load(std::memory_order_acquire);
  while (kind != nullptr && kind->number != number) kind = kind->next;
  return kind;
}

std::uint64_t all_kinds() noexcept {
  // FNV-1a.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  // EDGE cluster.kind
  for (const abi::travelling* kind = newest.load(std::memory_order_acquire); kind != nullptr; kind = kind->next) {
    for (const char* c = kind->name; *c != 0; ++c) add(static_cast<unsigned char>(*c));
    for (int shift = 0; shift < 64; shift += 8) add(static_cast<unsigned char>(kind->bytes >> shift));
  }
  return hash;
}

}  // namespace takt::cluster

void takt_cluster_enrol(takt::abi::travelling* kind) noexcept {
  using takt::cluster::newest;
  kind->next = newest.load(std::memory_order_relaxed);
  do kind->number = kind->next != nullptr ? kind->next->number + 1 : 0;
  // EDGE cluster.kind: who sees it sees its number.
  while (!newest.compare_exchange_weak(kind->next, kind, std::memory_order_release, std::memory_order_relaxed));
}
