// This process as a node: its open frames, what it runs for others, and the thread that talks to them.
#pragma once

#include "exchange.hpp"
#include "mpi.hpp"
#include "open_frames.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <takt/team.hpp>

namespace takt::cluster {

class node final : host {
 public:
  const char* begin(std::chrono::microseconds beat);
  void end();

  unsigned rank() const { return mpi_.rank(); }
  /// Of the last session, if there is none.
  abi::cluster_counts counts() const { return sent_.now(); }

  void run_begins() { running_.fetch_add(1, std::memory_order_relaxed); }
  void run_ends() { running_.fetch_sub(1, std::memory_order_relaxed); }
  void open(abi::open_frame& frame);
  const abi::outcome* settle(abi::open_frame& frame);
  void give_back(const abi::open_frame& frame) { exchange_->free(frame.slot); }

 private:
  /// A branch of another node's, until its outcome has been sent.
  struct guest {
    message from;
    abi::outcome outcome;
  };
  /// Of a branch that this node has sent.
  struct awaited {
    bool is_back = false;
    abi::event* waiter = nullptr;
  };
  /// failed: its thread is at its end.
  enum class stage { starting, there, leaving, failed, over };

  bool take_oldest(std::uint32_t slot, message& to) override;
  void arrived(const message& from) override;
  void came_back(std::uint32_t slot) override;

  const char* start(std::unique_ptr<transport>& net);
  void join(std::unique_lock<std::mutex>& lock);
  void serve();
  void talk();
  bool send_outcomes();
  void run(std::unique_ptr<guest> branch);
  bool has_nothing();
  std::chrono::microseconds pause_after(std::chrono::microseconds last, bool any);

  mpi mpi_;
  std::chrono::microseconds beat_{0};
  open_frames open_;
  /// The number of the remote beat.
  std::atomic<std::uint64_t> now_{0};
  /// Computations of this node's own and guests, and joins that wait for another node. What else it runs is not known,
  /// nor how many branches each computation has: a node may ask for more although some run.
  std::atomic<std::int64_t> running_{0}, waiting_{0};
  traffic sent_;
  std::optional<exchange> exchange_;
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable changed_;
  stage stage_ = stage::over;
  const char* wrong_ = nullptr;
  std::vector<std::unique_ptr<guest>> done_;
  std::array<awaited, exchange::k_slots> awaited_;
};

}  // namespace takt::cluster
