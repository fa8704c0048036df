// The oldest latent frame becomes a task. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// Promotes the oldest latent frame of the fiber that runs here. @returns false when there is none, or no room.
/// `environment` is the floating-point environment of the code that runs on the fiber.
bool promote_oldest(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept;
/// The same at a poll.
bool promote_oldest(worker& w) noexcept;
/// As many as there is room for, also of a worker without a seat, whose tasks everybody finds: the code waits for
/// something else than its own children, and nobody gets at what is latent on a stack that does not run.
void promote_all(worker& w) noexcept;
/// A loop that has been pushed last, and what its site says it takes; 0: it says nothing.
struct known_loop {
  const abi::loop_frame* frame;
  std::uint64_t ticks;
};
/// Promotes, without a beat, as long as the oldest frame is one that is known to be worth it: `leaf`, or one that the
/// policy knows. @returns whether any was.
bool spread_known(worker& w, known_loop leaf) noexcept;
/// At a poll: watches from here on if the environment has been changed, here or anywhere.
void look_at_environment(worker& w) noexcept;
/// Before `w` leaves a stack with latent frames: each says in which environment it was pushed, as who goes on with it
/// may watch.
void note_latent_environments(worker& w) noexcept;
/// Before or after the push of `s`, by a worker that watches.
void note_environment_of(abi::slot* s) noexcept;

/// Children of a group that are latent together. A slot names them while a fiber waits for them; before that, and once
/// promotion has passed the slot, they are in the list of the fiber that has added them and runs on (README.md, "Children
/// beside other code").
class latent_children {
 public:
  /// The oldest that promotion may hand over as one task, half of them or one alone, or null; and what is said of them.
  /// @returns false when another thread is at the list and a signal handler cannot wait for it.
  virtual bool take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept = 0;

  // --- of the fiber that runs here, in a runtime scope
  /// Into its list, if it is in none. @returns whether it has been put there now.
  bool offer(fiber& here) noexcept;
  /// Out of its list, if it is there, of who is about to wait for it.
  void withdraw(fiber& here) noexcept;
  /// All that is in its list: its task is over.
  static void withdraw_all(fiber& here) noexcept;

  /// Of its fiber's list: the next one, and the slot from which on all are younger.
  latent_children* newer() const noexcept { return newer_; }
  const abi::slot* pushed_before() const noexcept { return pushed_before_; }

  /// Its owner is about to destroy it, on the fiber `here`, or on none. @returns false if it is in another fiber's list,
  /// which does that.
  bool leave(fiber* here) noexcept;

  // --- lent.hpp
  latent_children* next_lent = nullptr;  ///< that list's
  /// In a child of fork(2): what others have taken is not there, and what is left is whole from its oldest on.
  virtual void is_lent_no_more() noexcept = 0;

 protected:
  ~latent_children() = default;
  virtual void destroy() noexcept = 0;

 private:
  void unlink(fiber& here) noexcept;
  static void drop_newest(fiber& here) noexcept;
  enum : std::uint32_t { k_unlisted, k_listed, k_left };

  // Who sees another value than k_listed in its place destroys it.
  sync::atomic<std::uint32_t> state_{k_unlisted};
  sync::atomic<fiber*> on_{nullptr};
  // In the list.
  latent_children* older_ = nullptr;
  latent_children* newer_ = nullptr;
  const abi::slot* pushed_before_ = nullptr;  ///< slots from here on are younger
};

}  // namespace takt::core
