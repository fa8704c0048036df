// How the doors run code that wants a part of a range at a time: few parts, and more of what is stolen.
#pragma once

#include <takt/takt.hpp>

#include <cstddef>

namespace takt::doors {

/// Into how many parts a range may be cut.
struct cuts {
  std::size_t parts;
  std::size_t of_stolen;  ///< what is stolen may be cut into so many anew; 0: into no more than planned
  bool in_proportion;     ///< by the range's constructor for that, if there is one

  cuts lower() const { return {parts - parts / 2, of_stolen, in_proportion}; }
  cuts upper(bool stolen) const { return {stolen && of_stolen != 0 ? of_stolen : parts / 2, of_stolen, in_proportion}; }
};

/// Asked once: a range is cut by what the process had at its first algorithm.
inline std::size_t workers() {
  static const std::size_t count = takt::current_config().workers;
  return count;
}
/// What suits a body that takes any part: a thief cuts what it has taken into as many again.
inline cuts usual_cuts() { return {8 * workers(), 8 * workers(), false}; }

/// Whether the left branch of a fork is over: if not when the right one begins, that one was stolen.
class left_branch {
 public:
  // EDGE door.left: what the left branch did to a body comes before the right one goes on with it.
  void is_over() { __atomic_store_n(&over_, true, __ATOMIC_RELEASE); }
  // EDGE door.left
  bool was_before() const { return __atomic_load_n(&over_, __ATOMIC_ACQUIRE); }

 private:
  bool over_ = false;
};

/// Cuts `range` in two, by cut_off(), which takes the upper half away from it, and runs left(lower half, cuts) and
/// right(upper half, cuts, whether it was stolen).
/// @returns false, and nothing has run, if the range is not to be cut.
template <class Range, class CutOff, class Left, class Right>
bool halve(Range& range, cuts allowed, const CutOff& cut_off, const Left& left, const Right& right) {
  if (allowed.parts <= 1 || !range.is_divisible()) return false;
  Range upper = cut_off();
  left_branch first;
  takt::fork_join(
      [&] {
        left(range, allowed.lower());
        first.is_over();
      },
      [&] {
        const bool stolen = !first.was_before();
        right(upper, allowed.upper(stolen), stolen);
      });
  return true;
}

}  // namespace takt::doors
