// The protocol by which branches and outcomes travel between nodes: see ../README.md.
#pragma once

#include <takt/detail/travel.hpp>

#include "transport.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace takt::cluster {

/// A branch on its way.
struct message {
  std::uint64_t kind;
  std::uint32_t bytes;  ///< of captures
  std::uint32_t home;   ///< the node that waits for it
  std::uint32_t slot;   ///< and where
  alignas(16) std::byte captures[abi::k_travel_bytes];

  std::size_t length() const { return offsetof(message, captures) + bytes; }
};

/// What a node makes of the protocol. All is called by the thread that calls exchange::look.
class host {
 public:
  /// Takes the oldest frame that is old enough, which waits for the outcome in `slot` from then on.
  virtual bool take_oldest(std::uint32_t slot, message& to) = 0;
  virtual void arrived(const message& from) = 0;
  virtual void came_back(std::uint32_t slot) = 0;

 protected:
  ~host() = default;
};

/// What a node has sent. Read by any thread.
struct traffic {
  std::atomic<std::uint64_t> promotions{0}, messages{0}, bytes{0};

  void adds(std::size_t more) {
    messages.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(more, std::memory_order_relaxed);
  }
  void begin() {
    for (auto* each : {&promotions, &messages, &bytes}) each->store(0, std::memory_order_relaxed);
  }
  abi::cluster_counts now() const {
    return {promotions.load(std::memory_order_relaxed), messages.load(std::memory_order_relaxed),
            bytes.load(std::memory_order_relaxed)};
  }
};

/// One node's part.
class exchange {
 public:
  /// Branches that a node can wait for. One that finds no slot stays.
  static constexpr std::uint32_t k_slots = 64;

  exchange(transport& net, host& node, traffic& sent);

  /// The bytes of a node's memory that it needs.
  static std::size_t bytes(unsigned nodes);

  /// Takes what has come. At a `beat` it also answers those that ask. @returns whether a branch or an outcome travelled.
  bool look(bool beat);
  /// Asks another node for a branch, unless an answer is due. @returns whether it has.
  bool ask();
  void send_back(unsigned home, std::uint32_t slot, const abi::outcome& outcome);

  const abi::outcome& outcome_in(std::uint32_t slot) const;
  /// Its outcome has been taken. On any thread.
  void free(std::uint32_t slot) {
    // EDGE cluster.slot: what comes to it next does not come before that.
    used_[slot].store(false, std::memory_order_release);
  }

 private:
  enum class answer : std::uint64_t { none, nothing, branch };

  bool take_answer();
  bool take_outcomes();
  bool answer_others();
  bool answer_one(unsigned node);
  std::uint32_t free_slot() const;
  void put(unsigned node, std::size_t at, const void* from, std::size_t bytes);
  void raise(unsigned node, std::size_t flag, std::uint64_t value);
  void next_to_ask();

  transport& net_;
  host& node_;
  traffic& sent_;
  bool asking_ = false;
  unsigned asked_ = 0;
  /// Whether a slot waits for an outcome, or its outcome to be taken.
  std::array<std::atomic<bool>, k_slots> used_{};
  std::array<bool, k_slots> awaits_{};
};

}  // namespace takt::cluster
