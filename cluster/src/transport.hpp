// What the protocol needs of a network: memory of each node that the others write. MPI, or a model of it.
#pragma once

#include <takt/detail/travel.hpp>

#include <cstddef>
#include <cstdint>

namespace takt::cluster {

class transport {
 public:
  /// The most bytes of one write.
  static constexpr std::size_t k_most_bytes = abi::k_travel_bytes + 64;

  transport() = default;
  transport(const transport&) = delete;
  virtual ~transport() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;

  /// Writes to another node's memory; it is there when this returns.
  virtual void put(unsigned node, std::size_t at, const void* from, std::size_t bytes) = 0;
  /// Sets a flag there, at once for who looks; and who sees it sees what was put there before.
  virtual void raise(unsigned node, std::size_t flag, std::uint64_t value) = 0;

  /// Its own memory, and a flag in it.
  virtual std::byte* memory() = 0;
  virtual std::uint64_t look(std::size_t flag) = 0;
  /// Zero again; before anybody is told that it may be raised.
  virtual void lower(std::size_t flag) = 0;
};

}  // namespace takt::cluster
