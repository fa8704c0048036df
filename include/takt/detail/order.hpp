// Comparisons of projected elements.
#pragma once

#include <takt/detail/hot.hpp>

#include <functional>
#include <utility>

namespace TAKT_NAMESPACE::detail {

template <class Comp, class Proj>
struct projected_order {
  template <class A, class B>
  TAKT_INLINE bool operator()(A&& a, B&& b) {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj, std::forward<A>(a)), std::invoke(proj, std::forward<B>(b))));
  }
  [[no_unique_address]] Comp comp;
  [[no_unique_address]] Proj proj;
};

}  // namespace TAKT_NAMESPACE::detail
