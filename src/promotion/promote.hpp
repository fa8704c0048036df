// The oldest latent frame becomes a task. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// Promotes the oldest latent frame of the fiber that runs here. @returns false when there is none, or no room.
/// `environment` is the floating-point environment of the code that runs on the fiber.
bool promote_oldest(worker& w, bool in_signal_handler, std::uint32_t environment) noexcept;
/// The same at a poll.
bool promote_oldest(worker& w) noexcept;
/// A loop that has been pushed last, and what its site says it takes; 0: it says nothing.
struct known_loop {
  const abi::loop_frame* frame;
  std::uint64_t ticks;
};
/// Promotes, without a beat, as long as the oldest frame is one that is known to be worth it: `leaf`, or one that the
/// policy knows. @returns whether any was.
bool spread_known(worker& w, known_loop leaf) noexcept;
/// What is left of the only frame that is latent here, if that is a loop whose site knows it; k_unknown_rest: anything.
std::uint64_t known_rest() noexcept;
inline constexpr std::uint64_t k_unknown_rest = ~std::uint64_t{0};
/// At a poll: watches from here on if the environment has been changed, here or anywhere.
void look_at_environment(worker& w) noexcept;
/// Before `w` leaves a stack with latent frames: each says in which environment it was pushed, as who goes on with it
/// may watch.
void note_latent_environments(worker& w) noexcept;
/// Before or after the push of `s`, by a worker that watches.
void note_environment_of(abi::slot* s) noexcept;

/// What the slot of a group names: children that are latent together.
class latent_children {
 public:
  /// The next one that promotion may hand over, or null, and what is said of it. @returns false when another thread is
  /// at the list and a signal handler cannot wait for it.
  virtual bool take(bool in_signal_handler, abi::slot*& task, abi::hints& said) noexcept = 0;

 protected:
  ~latent_children() = default;
};

}  // namespace takt::core
