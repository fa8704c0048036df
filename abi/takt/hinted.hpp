// What compiled code calls to say how much there is to do: hints. See src/promotion/README.md, "Hints".
#pragma once

#include <takt/group.hpp>

namespace takt::abi {

enum class hint_state : std::uint64_t {
  silent,   ///< nobody hears it: nobody wants to, or there is no frame, or the frame has been popped
  waiting,  ///< the frame is about to be pushed
  told      ///< the frame is there, and the policy knows
};

/// What is said of one fork or loop: it lies on the stack of who runs that, and is known to the runtime while the frame
/// is pushed. Or of one child of a group, where the runtime makes it, without a frame.
/// Work has any unit. What is not said, or makes no sense, is negative, and 0 in bytes.
struct hints {
  // The caller fills in:
  double work;           ///< of all branches or iterations; of the child
  std::uint64_t bytes;   ///< that all of them use together; of a child: that its group does
  const double* given;   ///< the weights of a fork's branches, or null: all alike
  std::uint64_t branches;  ///< of the fork_join, 2 or more; 0: this is a loop
  std::uint64_t branch;  ///< which of them is the left one of this fork: those behind it are the right one
  /// Work of iterations [first + begin, first + end) of a loop, or null.
  double (*work_of)(const void* context, std::int64_t begin, std::int64_t end) noexcept;
  const void* context;
  std::int64_t first;

  // The runtime:
  double weights[2];  ///< of the left and the right branch of a fork: never negative, and not both 0
  double group_work;  ///< of a child: of all children
  slot* frame;        ///< of a child: null
  hints* outer;       ///< what is said around it, on the same fiber
  hints* inner;
  hint_state state;
};

}  // namespace takt::abi

extern "C" {

/// Before a fork or loop of which something is said. Keeps the address of `said`.
TAKT_EXPORT void takt_hints_begin(takt::abi::hints* said) noexcept;
/// At the start of a fork's left branch, if `said` still waits: the frame has been pushed, or there is none.
TAKT_EXPORT void takt_hints_pushed(takt::abi::hints* said) noexcept;
/// After a fork's left branch, after a loop. Every takt_hints_begin has one.
TAKT_EXPORT void takt_hints_end(takt::abi::hints* said) noexcept;

/// Of a new group.
TAKT_EXPORT void takt_group_hints(void* group, double work, std::uint64_t bytes) noexcept;
/// takt_group_add of a child with so much work.
TAKT_EXPORT takt::abi::child_added takt_group_add_hinted(void* group, takt::abi::group_child* child, double work);
}
