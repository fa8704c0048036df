// The transport over one-sided operations of MPI-3. The only files here that know MPI are this one's.
#pragma once

#include "transport.hpp"

#include <cstdint>
#include <memory>

namespace takt::cluster {

/// MPI as long as a session has it. All calls on one thread, unless the program has initialised MPI itself.
class mpi {
 public:
  /// What is wrong, or null: asked before anything else.
  const char* begin() noexcept;
  void end() noexcept;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }
  /// Whether all nodes have the same number. Collective.
  bool agree(std::uint64_t number) noexcept;
  /// Collective. `bytes`: of memory of each node. @returns null if MPI keeps two copies of it.
  std::unique_ptr<transport> connect(std::size_t bytes);
  /// Moves on what other nodes want of this one, where the network does not do so by itself.
  void progress() noexcept;
  /// This node has nothing more to do. @returns whether none has; to be asked again until then.
  bool all_are_done() noexcept;

 private:
  bool owns_ = false;
  bool waits_ = false;
  unsigned rank_ = 0;
  unsigned size_ = 1;
};

}  // namespace takt::cluster
