// What compiled code hands to takt-cluster. See cluster/README.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::abi {

/// The most bytes that captures have, and results: so large is the room for each on every node.
inline constexpr std::size_t k_travel_bytes = 1024;

/// How a branch ended on another node: the bytes of a value, or the text of an exception.
struct outcome {
  static constexpr std::uint32_t k_value = 0;

  std::uint32_t kind;  ///< of what was thrown, or k_value
  std::uint32_t bytes;
  alignas(16) std::byte data[k_travel_bytes];
};

/// A type of branch. All nodes run one program, so it has the same number on each.
struct travelling {
  void (*run)(const void* captures, outcome* to);
  const char* name;
  std::uint64_t bytes;
  std::uint64_t number;
  travelling* next;
};

/// A second branch that nobody has begun, and that may travel. In the frame of its fork.
struct open_frame {
  const travelling* kind;
  const void* captures;
  open_frame* older;
  open_frame* newer;
  std::uint64_t since;  ///< the remote beat in which it was opened
  std::uint32_t list;
  std::uint32_t slot;  ///< that its outcome comes to; k_no_slot: it has not been sent
};
inline constexpr std::uint32_t k_no_slot = ~0u;

struct cluster_counts {
  std::uint64_t promotions;
  std::uint64_t messages;
  std::uint64_t bytes;
};

}  // namespace takt::abi

extern "C" {
/// Nodes of the session; 1 without one.
extern std::uint32_t takt_cluster_nodes;
/// Before main, in the same order on all nodes; or when a library is loaded.
void takt_cluster_enrol(takt::abi::travelling* kind) noexcept;
/// Begins the session. @returns null, or what is wrong.
const char* takt_cluster_begin(std::uint64_t beat_us) noexcept;
/// Works for the others until all nodes are here.
void takt_cluster_end() noexcept;
std::uint32_t takt_cluster_rank() noexcept;
takt::abi::cluster_counts takt_cluster_counts() noexcept;
/// Code of this node's own runs, or runs no more.
void takt_cluster_run_begins() noexcept;
void takt_cluster_run_ends() noexcept;
/// From here on the frame may be sent away.
void takt_cluster_open(takt::abi::open_frame* frame) noexcept;
/// Once, on any thread: nobody sends it any more. Waits for the outcome if somebody has. @returns it, or null: the
/// caller is to run the branch.
const takt::abi::outcome* takt_cluster_settle(takt::abi::open_frame* frame) noexcept;
/// Of a frame that was sent: its outcome is not needed any more.
void takt_cluster_give_back(takt::abi::open_frame* frame) noexcept;
}
