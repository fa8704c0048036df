// Deques that only their owner touches; what thieves get goes through cells (Acar, Charguéraud and Rainey, PPoPP 2013;
// Heartbeat paper, section 5.1). See src/worker/README.md for the queue of the product.
#pragma once

#include "worker/chase_lev.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace takt::core {

/// A growable double-ended queue of one thread.
class owned_ring {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = chase_lev::k_none;

  explicit owned_ring(std::size_t capacity = 256)
      : cells_(new(std::nothrow) entry[capacity]), mask_(cells_ == nullptr ? 0 : capacity - 1) {}

  bool reserve(std::size_t count, bool may_grow) {
    if (cells_ == nullptr) return false;
    if (size() + count <= mask_ + 1) return true;
    if (!may_grow) return false;
    const std::size_t larger = (mask_ + 1) * 2;
    std::unique_ptr<entry[]> copy(new (std::nothrow) entry[larger]);
    if (copy == nullptr) return false;
    for (std::size_t i = oldest_; i != end_; ++i) copy[i & (larger - 1)] = cells_[i & mask_];
    cells_ = std::move(copy);
    mask_ = larger - 1;
    return true;
  }
  void push(entry e) { cells_[end_++ & mask_] = e; }
  entry pop() { return size() == 0 ? k_none : cells_[--end_ & mask_]; }
  entry oldest() const { return size() == 0 ? k_none : cells_[oldest_ & mask_]; }
  void drop_oldest() { ++oldest_; }
  std::size_t size() const { return end_ - oldest_; }

 private:
  std::unique_ptr<entry[]> cells_;
  std::size_t mask_;
  std::size_t oldest_ = 0;
  std::size_t end_ = 0;
};

/// Where a thief waits for an answer. It belongs to the thief, which asks one victim at a time.
struct alignas(64) transfer_cell {
  static constexpr std::uint64_t k_waiting = ~std::uint64_t{0};
  sync::atomic<std::uint64_t> answer{0};
  /// Entries of this root alone are wanted; 0: any. Written by the thief before it asks.
  sync::plain<std::uint32_t> only{};
};

/// A thief asks; the owner hands over its oldest entry, or refuses, at its next poll.
class private_deque {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = chase_lev::k_none;

  explicit private_deque(std::size_t capacity = 256) : ring_(capacity) {}

  // --- owner -------------------------------------------------------------------------------------------------
  bool reserve(std::size_t count, bool may_grow) { return ring_.reserve(count, may_grow); }
  void push(entry e) {
    ring_.push(e);
    if (ring_.size() == 1) show();
  }
  entry pop() {
    const entry e = ring_.pop();
    if (e != k_none && ring_.size() == 0) show();
    return e;
  }
  entry take_oldest() {
    const entry e = ring_.oldest();
    if (e != k_none) {
      ring_.drop_oldest();
      show();
    }
    return e;
  }
  bool asked() const { return request_.load(sync::relaxed) != nullptr; }
  /// Answers a thief that has asked. `may_give(entry, only)` says whether it may have the entry.
  template <class MayGive>
  void serve(MayGive may_give) {
    transfer_cell* thief = request_.load(sync::relaxed);
    if (thief == nullptr) return;
    // From here on the thief cannot withdraw.
    // EDGE deque.request: the thief's cell is ready for the answer.
    if (!request_.compare_exchange_strong(thief, nullptr, sync::acquire, sync::relaxed)) return;
    entry e = ring_.oldest();
    if (e != k_none && may_give(e, thief->only.get())) {
      take_oldest();
    } else {
      e = k_none;
    }
    // EDGE deque.transfer: the task that the entry names is written before the thief has it.
    thief->answer.store(e, sync::release);
  }

  // --- any thread --------------------------------------------------------------------------------------------
  /// The oldest entry, or k_none: what a thief may ask for. seq_cst so that a worker about to sleep can rely on it.
  entry oldest() const {
    // EDGE wake.task
    return shown_.load(sync::seq_cst);
  }
  /// @returns false when another thief has asked and is not answered yet.
  bool ask(transfer_cell& mine, std::uint32_t only) {
    mine.only.set(only);
    mine.answer.store(transfer_cell::k_waiting, sync::relaxed);
    transfer_cell* none = nullptr;
    // EDGE deque.request
    return request_.compare_exchange_strong(none, &mine, sync::release, sync::relaxed);
  }
  /// Takes the question back. @returns false when an answer is under way.
  bool withdraw(transfer_cell& mine) {
    transfer_cell* asked = &mine;
    return request_.compare_exchange_strong(asked, nullptr, sync::relaxed, sync::relaxed);
  }
  /// @returns whether there is an answer in `out`: an entry, or k_none for a refusal.
  static bool answered(const transfer_cell& mine, entry& out) {
    // EDGE deque.transfer
    const std::uint64_t e = mine.answer.load(sync::acquire);
    if (e == transfer_cell::k_waiting) return false;
    out = e;
    return true;
  }

 private:
  void show() {
    // EDGE wake.task: seq_cst, because who has pushed looks for sleepers next (src/worker/README.md).
    shown_.store(ring_.oldest(), sync::seq_cst);
  }

  owned_ring ring_;
  alignas(64) sync::atomic<entry> shown_{k_none};
  alignas(64) sync::atomic<transfer_cell*> request_{nullptr};
};

/// The oldest entry is in a cell that any thief may empty; the others are the owner's alone until it moves the next one
/// up, at its next poll.
class mixed_deque {
 public:
  using entry = std::uint64_t;
  static constexpr entry k_none = chase_lev::k_none;

  explicit mixed_deque(std::size_t capacity = 256) : ring_(capacity) {}

  // --- owner -------------------------------------------------------------------------------------------------
  bool reserve(std::size_t count, bool may_grow) { return ring_.reserve(count, may_grow); }
  void push(entry e) {
    ring_.push(e);
    (void)refill();
  }
  entry pop() {
    if (const entry e = ring_.pop(); e != k_none) return e;
    return take_top();
  }
  entry take_oldest() {
    if (const entry e = take_top(); e != k_none) return e;
    const entry e = ring_.oldest();
    if (e != k_none) ring_.drop_oldest();
    return e;
  }
  /// Offers the next entry if a thief has taken the last one. @returns whether there is a new one.
  bool refill() {
    // Only thieves empty the cell, only the owner fills it.
    if (ring_.size() == 0 || top_.load(sync::relaxed) != k_none) return false;
    const entry e = ring_.oldest();
    ring_.drop_oldest();
    // EDGE deque.top: the task that the entry names is written before a thief has it.
    // EDGE wake.task: seq_cst, because the owner looks for sleepers next.
    top_.store(e, sync::seq_cst);
    return true;
  }
  bool nothing_private() const { return ring_.size() == 0; }

  // --- any thread --------------------------------------------------------------------------------------------
  entry oldest() const {
    // EDGE wake.task
    return top_.load(sync::seq_cst);
  }
  /// As chase_lev::steal.
  template <class Accept>
  steal_result steal(entry& out, Accept accept) {
    entry e = top_.load(sync::relaxed);
    if (e == k_none) return steal_result::empty;
    if (!accept(e)) return steal_result::refused;
    // The same entry may have been taken and put up again meanwhile: then it is there to be taken.
    // EDGE deque.top
    if (!top_.compare_exchange_strong(e, k_none, sync::acquire, sync::relaxed)) return steal_result::lost;
    out = e;
    return steal_result::taken;
  }

 private:
  entry take_top() {
    entry e = k_none;
    return steal(e, [](entry) { return true; }) == steal_result::taken ? e : k_none;
  }

  owned_ring ring_;
  alignas(64) sync::atomic<entry> top_{k_none};
};

}  // namespace takt::core
